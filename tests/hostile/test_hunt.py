"""A small part of the hunt, the same every time; ``make hunt`` makes the whole."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hostile import calls
from tests.hostile.bench import Bench
from tests.hostile.hunt import KINDS, judged, trials_of
from tests.hostile.options import GOOD
from tests.hostile.parameters import verbs
from tests.hostile.table import faults, lines

SEED = 1
#: How many trials of each kind: all together take less than a minute of work.
PART = {
    "the same table, spelled otherwise": 6,
    "one wrong cell": 6,
    "tables of odd shapes": 10,
    "options": 24,
    "calls in Python": 14,
    "documents": 14,
    "ledgers": 8,
    "corrupted bytes": 16,
    "values in outputs": 1,
    "other circumstances": 1,
    "kills": 1,
}


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with Bench() as made:
        yield made


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_wrong(kind: str, bench: Bench) -> None:
    trials = trials_of(kind, SEED)[: PART[kind]]
    found = [judged(bench, trial) for trial in trials]
    assert not faults(found), "\n".join(lines(found, {kind: len(trials)}, SEED))


def test_every_verb_and_every_function_is_tried() -> None:
    assert GOOD.keys() == verbs().keys()
    assert calls.GOOD.keys() == set(calls.functions())
