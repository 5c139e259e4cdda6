"""Losses of statistics of numbers beside slow references, whatever the files."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import losses_moments as slow
from unmask.data.schema import Kind
from unmask.losses import LossAttribute, LossEvidence, Side, loss_named
from unmask.losses.pair_moments import PairMoments
from unmask.measures.estimate import NotEstimable

NAMES = ("a", "b", "c")
number = st.integers(-3, 3).map(float) | st.just(float("nan"))
record = st.tuples(*[number] * 6, st.sampled_from([0.5, 1.0, 3.0]))
records = st.lists(record, min_size=1, max_size=12)


def split(rows):
    """The columns of the original, those of the release, and the weights."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    return columns[:3], columns[3:6], columns[6]


def case(original, released, weights):
    w = np.array(weights)
    sides = (Side(dict(zip(NAMES, map(np.array, file), strict=True)), w) for file in (original, released))
    attributes = tuple(LossAttribute(name, Kind.NUMERIC) for name in NAMES)
    return LossEvidence(attributes, *sides, np.arange(len(w)))


def check(found, expected):
    if expected is None:
        assert isinstance(found, NotEstimable)
    else:
        assert found == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("name", ["means", "variances", "covariances", "correlations", "quantiles"])
@given(rows=records)
@settings(max_examples=60)
def test_differences_of_statistics(name, rows):
    files = split(rows)
    check(loss_named(name).values(case(*files))[None], getattr(slow, name)(*files))


@given(records)
@settings(max_examples=60)
def test_pil(rows):
    files = split(rows)
    found, expected = loss_named("pil").values(case(*files)), slow.pil(*files)
    for kind, value in expected.items():
        check(found[kind], value)
    told = [value for value in expected.values() if value is not None]
    check(found[None], float(np.mean(told)) if told else None)


@given(st.integers(0, 10**6))
@settings(max_examples=30)
def test_eigenvalues_and_inverse_correlation(seed):
    rng = np.random.default_rng(seed)
    original, released = rng.normal(size=(2, 3, 12))
    evidence = case(original, released, np.ones(12))
    assert loss_named("eigenvalues").values(evidence)[None] == pytest.approx(
        slow.eigenvalues(original, released), rel=1e-6
    )
    assert loss_named("inverse-correlation").values(evidence)[None] == pytest.approx(
        slow.gamma(original, released), abs=1e-6
    )


@given(records, st.sampled_from([(2, 2), (3, 1), (1, 3), (4, 0), (2, 0), (1, 1)]))
@settings(max_examples=60)
def test_central_moments_of_pairs(rows, powers):
    columns, _, weights = split(rows)
    moments = PairMoments.of(np.array(columns).T, np.array(weights), 4).central(*powers)
    for i in range(3):
        for j in range(3):
            x, y, w = slow.kept(weights, columns[i], columns[j])
            expected = slow.moment(x, y, w, *powers) if x else np.nan
            assert moments[i, j] == pytest.approx(expected, abs=1e-9, nan_ok=True)


@given(records, st.sampled_from([2.0, 1000.0]), st.sampled_from([0.0, -50.0]))
@settings(max_examples=40)
@pytest.mark.parametrize("name", ["means", "variances", "covariances", "correlations", "quantiles", "pil"])
def test_the_unit_of_an_attribute_does_not_matter(name, rows, factor, shift):
    original, released, weights = split(rows)
    others = [[[factor * v + shift for v in column] for column in file] for file in (original, released)]
    loss = loss_named(name)
    one, two = loss.values(case(original, released, weights)), loss.values(case(*others, weights))
    for subject, value in one.items():
        check(two[subject], None if isinstance(value, NotEstimable) else value)
