"""What an intruder believes about each target, from the costs of all pairs that a mask makes possible."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from unmask.kernels.compiled import compiled, inner
from unmask.kernels.mechanism_kinds import SPAN
from unmask.kernels.mechanism_pairs import (
    Columns,
    Records,
    Rivals,
    Rows,
    Terms,
    Values,
    collect,
    rival_cost,
    tied,
)

#: Beyond this logarithm a weight is as good as infinite.
MOST = 700.0


class Targets(NamedTuple):
    """Known records to be linked, one row each, and where among the released ones they are looked for."""

    known: Records
    density: Values  # the log density of the released values that each allows
    start: Rows
    stop: Rows


class Verdicts(NamedTuple):
    """One entry per target."""

    candidates: Rows  # released records that are possible
    best: Rows  # records that share the best value
    confidence: Values  # the posterior probability of one of them
    closer: Rows  # records likelier than the true one, up to depth; -1: the target is not released
    tied: Rows  # records as likely as the true one, itself included; 0 where the count stopped
    share: Values  # the posterior probability of the true one
    presence: Values  # the log of what there is for the target to be in the release; -infinity: nothing


@compiled
def weigh(
    rivals: Rivals, competed: bool, density: float, place: Rows, value: Values, count: int, size: Rows
) -> tuple[float, float]:
    """Turn costs into -log posterior weights; the best of them, and the sum of exp(best - value).

    The sum is over the released records, without the weight of not being among them.
    """
    best = np.inf
    for c in range(count):
        if competed:
            value[c] += rival_cost(rivals, place[c], density - value[c])
        best = min(best, value[c])
    total = 0.0
    for c in range(count):
        if value[c] < best + 1.5 * SPAN:
            total += size[place[c]] * math.exp(best - value[c])
    return best, total


@inner
def with_absence(rivals: Rivals, density: float, best: float, total: float) -> float:
    """The sum of weights with that of a target who is not in the release, on the scale of the best one."""
    return float(total + math.exp(min(rivals.absent + best - density, MOST)))


@compiled
def judge(
    t: Terms,
    targets: Targets,
    released: Records,
    columns: Columns,
    size: Rows,
    rivals: Rivals,
    competed: bool,
    truth: Rows,
    depth: int,
    out: Verdicts,
) -> None:
    """How wide each target's belief is, and how the true record stands (truth: its place, -1 for none)."""
    place = np.empty(released.shape[0], np.int64)
    value = np.empty(released.shape[0])
    for i in range(targets.known.shape[0]):
        start, stop = targets.start[i], targets.stop[i]
        count = collect(t, targets.known, i, released, columns, start, stop, place, value)
        best, total = weigh(rivals, competed, targets.density[i], place, value, count, size)
        true = np.inf
        candidates = first = 0
        for c in range(count):
            candidates += size[place[c]]
            if tied(value[c], best):
                first += size[place[c]]
            if place[c] == truth[i]:
                true = value[c]
        out.candidates[i], out.best[i] = candidates, first
        out.presence[i] = targets.density[i] - best + math.log(total) if count > 0 else -np.inf
        if count > 0:
            total = with_absence(rivals, targets.density[i], best, total)
        out.confidence[i] = 1.0 / total if count > 0 else 0.0
        closer = same = 0
        for c in range(count):
            if not tied(true, value[c]):
                closer += size[place[c]]
            elif tied(value[c], true):
                same += size[place[c]]
        if truth[i] < 0:
            closer, same = -1, 0
        elif true == np.inf or closer >= depth:
            closer, same = depth, 0
        out.closer[i], out.tied[i] = closer, same
        out.share[i] = math.exp(best - true) / total if count > 0 and true < np.inf else 0.0


@compiled
def believe(
    t: Terms,
    targets: Targets,
    released: Records,
    columns: Columns,
    size: Rows,
    rivals: Rivals,
    competed: bool,
    least: float,
    counts: Rows,
) -> tuple[Rows, Values]:
    """The entries of each target's belief, one target after the other: places and masses.

    With least 0 they are the best records, ties shared; else all whose mass is at least that.
    """
    place = np.empty(released.shape[0], np.int64)
    value = np.empty(released.shape[0])
    cls, mass = np.empty(256, np.int64), np.empty(256)
    filled = 0
    for i in range(targets.known.shape[0]):
        start, stop = targets.start[i], targets.stop[i]
        count = collect(t, targets.known, i, released, columns, start, stop, place, value)
        best, total = weigh(rivals, competed, targets.density[i], place, value, count, size)
        if least == 0.0:
            total = 0.0
            for c in range(count):
                if tied(value[c], best):
                    total += size[place[c]]
        elif count > 0:
            total = with_absence(rivals, targets.density[i], best, total)
        before = filled
        for c in range(count):
            belief = size[place[c]] / total
            if least > 0.0:
                belief *= math.exp(best - value[c])
            if belief < least or (least == 0.0 and not tied(value[c], best)):
                continue
            if filled == cls.size:
                cls = np.concatenate((cls, np.empty_like(cls)))
                mass = np.concatenate((mass, np.empty_like(mass)))
            cls[filled], mass[filled] = place[c], belief
            filled += 1
        counts[i] = filled - before
    return cls[:filled].copy(), mass[:filled].copy()
