"""A baseline is computed by the rule of the value: of a release that tells nothing, the two are the same.

Every registered measure with a baseline is given the null that :mod:`tests.contract.nulls` has for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

import numpy as np
import pytest

from tests.contract.files import usual
from tests.contract.nulls import AT_MOST, EQUAL, Null, linked_at_random
from tests.contract.test_measures import OF_FILE, of_attacks, of_file, quick, rows_of
from unmask.measures import Estimate, FileMeasure

#: Means over so many draws stay within the interval of one, but for four standard errors.
DRAWS = 4


def cases(nulls: Mapping[str, tuple[Null, ...]]) -> pytest.MarkDecorator:
    """Every measure with each of its nulls."""
    found = [(quick(m), null) for m in OF_FILE for null in nulls.get(m.name, ())]
    return pytest.mark.parametrize(
        ("measure", "null"), found, ids=[f"{measure.name}-{null.__name__}" for measure, null in found]
    )


def excess(estimates: Iterable[Estimate]) -> tuple[float, float]:
    """By how much values are above their baselines, on average, and how much chance allows of that."""
    found = [(e.number, e.baseline, e.low, e.high) for e in estimates if e.number is not None]
    assert found
    above = np.mean([value - baseline for value, baseline, _, _ in found])
    widths = [(high - low) / 2 for _, _, low, high in found if low is not None]
    # What has no interval is a number that the files fix: 1% of it is allowed.
    return float(above), float(np.mean(widths)) if widths else 0.01 * found[0][1] + 1e-9


def of_null(measure: FileMeasure, null: Null) -> dict[str | None, list[Estimate]]:
    """What the measure says of its null, draw by draw, about each subject that has a baseline."""
    found: dict[str | None, list[Estimate]] = defaultdict(list)
    for seed in range(DRAWS):
        for row in rows_of(measure, null(seed)):
            if row.estimate.baseline is not None:
                found[row.keys.subject].append(row.estimate)
    assert found, "the null must be one of which the measure says something"
    return found


@cases(EQUAL)
def test_of_a_release_that_tells_nothing_the_value_is_the_baseline(measure, null):
    for subject, estimates in of_null(measure, null).items():
        above, allowed = excess(estimates)
        assert abs(above) <= allowed, subject


@cases(AT_MOST)
def test_of_a_release_that_tells_nothing_the_value_is_not_above_the_baseline(measure, null):
    for subject, estimates in of_null(measure, null).items():
        above, allowed = excess(estimates)
        assert above <= allowed, subject


@of_attacks
def test_of_links_at_random_the_value_is_the_baseline(measure):
    above, allowed = excess(measure.estimate(linked_at_random(seed)) for seed in range(DRAWS))
    assert abs(above) <= allowed


@of_file
def test_no_measure_has_a_baseline_that_was_not_held_against_its_null(measure):
    if any(row.estimate.baseline is not None for row in rows_of(measure, usual())):
        assert measure.name in {*EQUAL, *AT_MOST}, "give it a null in tests/contract/nulls.py"
