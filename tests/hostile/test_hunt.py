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
#: How many trials of each kind.
PART = {
    "the same table, spelled otherwise": 12,
    "one wrong cell": 12,
    "tables of odd shapes": 24,
    "options": 60,
    "calls in Python": 40,
    "documents": 40,
    "ledgers": 20,
    "corrupted bytes": 40,
    "values in outputs": 2,
    "other circumstances": 3,
    "kills": 2,
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
