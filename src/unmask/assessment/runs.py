"""Run: how one experiment went; and what the attacks find together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from unmask.about import About
from unmask.assessment.stage import Stage
from unmask.data.microdata import Ints
from unmask.data.sums import total
from unmask.documents import BASELINE
from unmask.documents.sections import Readings
from unmask.linkage.fellegi_sunter import JudgedDecision
from unmask.linkage.learning.lesson import Lesson
from unmask.linkage.links import Standing
from unmask.measures.confidence import mean_interval
from unmask.measures.dependence import Dependence
from unmask.measures.estimate import Estimate, NotEstimable
from unmask.measures.permutation import PermutationNull


@dataclass(frozen=True, eq=False)
class Run:
    """One attack's outcome: how every true record stands, and the estimates by measure.

    ``informed``: the truth was used to choose the attack's parameters; ``lesson``: what was learned, where
    the people attacked are those it was learned from; ``null``: what random truths would give; ``readings``:
    an informed attack's own, whatever was asked for, so that it can be compared with itself on other people;
    ``cut``: the time limit ended its search, so that another machine may find another number; ``division``:
    linked, clerical and non-linked pairs, where the attack was asked to divide them; ``places``: who was
    tried, by their places among the targets of the assessment (None: all of them).
    """

    attack: str
    about: About
    notes: tuple[str, ...]
    standing: Standing
    estimates: Mapping[str, Estimate]
    informed: bool = False
    lesson: Lesson | None = None
    null: PermutationNull | None = None
    readings: Readings | None = None
    cut: bool = False
    division: JudgedDecision | None = None
    places: Ints | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "standing", self.standing.compact())  # runs stay, and there are many

    def on(self, common: Ints | None, name: str) -> Estimate:
        """What a measure says, with the records of these targets only, all of whom were tried."""
        estimate = self.estimates[name]
        if common is None or estimate.per_record is None:
            return estimate
        at = common if self.places is None else np.searchsorted(self.places, common)
        return replace(estimate, per_record=estimate.per_record[at])


def together(runs: Sequence[Run], stage: Stage) -> dict[str, Estimate]:
    """A record counts as far as the best attack on it goes (Domingo-Ferrer and Torra 2002).

    Attacks that were informed by the truth do not count: no intruder can make them. Chance and p-value are
    bounds: the attacks' chances added up, and Bonferroni's for the best of them. A measure that counts other
    people for each attack, such as the precision of what each claims, has no union. Where an attack was tried
    on a sample, the people count whom all attacks were tried on.
    """
    attacks = [run for run in runs if run.attack != BASELINE and not run.informed]
    if len(attacks) < 2:
        return {}
    shared = [n for n in attacks[0].estimates if all(n in run.estimates for run in attacks)]
    common = tried_by_all(attacks)
    dependence = stage.dependence if common is None else stage.dependence.among(common)
    found = {name: [run.on(common, name) for run in attacks] for name in shared}
    return {name: _union(each, dependence) for name, each in found.items() if _of_the_same(each)}


def tried_by_all(runs: Sequence[Run]) -> Ints | None:
    """The places of the targets whom every attack was tried on; None: all of them."""
    samples = [run.places for run in runs if run.places is not None]
    return reduce(np.intersect1d, samples) if samples else None


def _of_the_same(estimates: Sequence[Estimate]) -> bool:
    """Whether all of them count the same people."""
    first: NDArray[np.bool_] | None = None
    for estimate in estimates:
        if (hits := estimate.per_record) is None:
            continue
        counted = np.isnan(hits)
        if first is not None and not np.array_equal(first, counted):
            return False
        first = counted
    return True


def _union(estimates: Sequence[Estimate], dependence: Dependence) -> Estimate:
    each = (e.per_record for e in estimates)
    hits = reduce(np.maximum, (one for one in each if one is not None))  # NaN where one of them is
    counted = ~np.isnan(hits)
    n = int(counted.sum())
    lacking = estimates[0].value
    if n == 0:
        why = lacking if isinstance(lacking, NotEstimable) else NotEstimable("no target is in the release")
        return Estimate.none(why, per_record=hits)
    count = total(hits[counted])
    low, high = mean_interval(hits[counted], dependence.among(counted))
    chance = min(1.0, sum(e.baseline or 0.0 for e in estimates))
    least = min(e.p_value if isinstance(e.p_value, float) else 1.0 for e in estimates)
    return Estimate(count / n, low, high, n, chance, min(1.0, len(estimates) * least), per_record=hits)
