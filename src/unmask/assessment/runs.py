"""Run: how one attack went; and what the attacks find together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unmask.linkage.learning.lesson import Lesson
from unmask.linkage.links import Standing
from unmask.measures import Estimate, NotEstimable, as_number
from unmask.measures.confidence import clopper_pearson
from unmask.measures.permutation import PermutationNull

BASELINE = "guess"
UNION = "union"


@dataclass(frozen=True, eq=False)
class Run:
    """One attack's outcome: how every true record stands, and the estimates by measure.

    ``informed``: the truth was used to choose the attack's parameters; ``lesson``: what was learned, where
    the people attacked are those it was learned from; ``null``: what random truths would give. An informed
    attack has ``readings`` of its own, whatever was asked for, so that it can be compared with itself on
    other people: ``alone`` (the true record is the only nearest), ``group`` (it and the records identical to
    it are), ``expected`` (ties shared). ``cut``: the time limit ended its search, so that another machine may
    find another number.
    """

    attack: str
    notes: tuple[str, ...]
    standing: Standing
    estimates: dict[str, Estimate]
    informed: bool = False
    lesson: Lesson | None = None
    null: PermutationNull | None = None
    readings: dict[str, Estimate] | None = None
    cut: bool = False


def together(runs: Sequence[Run]) -> dict[str, Estimate]:
    """A record counts as far as the best attack on it goes (Domingo-Ferrer and Torra 2002).

    Attacks that were informed by the truth do not count: no intruder can make them. Chance and p-value are
    bounds: the attacks' chances added up, and Bonferroni's for the best of them.
    """
    attacks = [run for run in runs if run.attack != BASELINE and not run.informed]
    if len(attacks) < 2:
        return {}
    union = {}
    for name in [n for n in attacks[0].estimates if all(n in run.estimates for run in attacks)]:
        estimates = [run.estimates[name] for run in attacks]
        hits = np.max([e.per_record for e in estimates if e.per_record is not None], axis=0)
        n = int((~np.isnan(hits)).sum())
        if n == 0:
            union[name] = Estimate.none(NotEstimable(str(estimates[0].reason)), per_record=hits)
            continue
        count = float(np.nansum(hits))
        low, high = clopper_pearson(count, n)
        chance = min(1.0, sum(e.baseline or 0.0 for e in estimates))
        p_values = [1.0 if p is None else p for p in (as_number(e.p_value) for e in estimates)]
        p_value = min(1.0, len(attacks) * min(p_values))
        union[name] = Estimate(count / n, low, high, n, chance, p_value, per_record=hits)
    return union
