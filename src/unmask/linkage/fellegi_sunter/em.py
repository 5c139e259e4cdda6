"""m and u by EM on pattern counts.

Pairs are a mixture: a share p of matches, whose attribute j has level l with probability m_j(l), and the
rest, with u_j(l); attributes are independent within each class (Fellegi and Sunter 1969; Winkler 1988).
Three choices make the estimates steady where matches are rare:

- u is tied to the exact marginals t_j of all pairs: u_j = (t_j - q m_j) / (1 - q), q the scenario's share
  of matches;
- one pair drawn at random is added to the matches, m_j = (M_j + u_j) / (M + 1): no weight is infinite;
- the ratio m_j(l) / u_j(l) never rises as agreement falls: better agreement does not speak against a match.
  The tie makes u_j(l) / t_j(l) = (1 - q m_j(l) / t_j(l)) / (1 - q), so m / u falls wherever m / t does. In
  each step of EM the constrained maximum is the isotonic regression of M_j(l) / t_j(l), M_j(l) the expected
  matches at a level, with weights t_j (Robertson, Wright and Dykstra 1988).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.linkage.agreement import AttributeComparison, PatternCounts

#: EM stops when no probability moves by more than this, nor the share of matches relatively.
TOLERANCE = 1e-7
MOST_ITERATIONS = 5000
#: Pattern visits (patterns times iterations) that one start may take: a second or two.
MOST_VISITS = 40_000_000
#: Iterations after which the starts are compared and those that have met are joined.
TRIAL = 20
#: Iterations that the starts behind the best one may take.
SECOND = 300
#: Two solutions are the same when no m differs by more.
SAME = 0.02
#: The smallest part of a marginal that is left to non-matches when matches are taken out.
LEAST_REST = 0.05


@dataclass(frozen=True, eq=False)
class MixtureFit:
    """m and u (one row per attribute, one column per level), the share of matches, and how EM got there.

    ``gain`` is the log-likelihood less that of a file without matches.
    """

    matched: Floats
    unmatched: Floats
    share: float
    gain: float
    iterations: int
    converged: bool

    def weights(self) -> Floats:
        """log2(m / u), 0 for a level that no pair has."""
        used = self.unmatched > 0
        ratio = np.where(used, self.matched, 1.0) / np.where(used, self.unmatched, 1.0)
        return np.asarray(np.log2(ratio), np.float64)


class Setting(NamedTuple):
    """What is known before any pattern is counted."""

    marginal: Floats  # share of all pairs by attribute and level, exactly
    ordered: tuple[int, ...]
    weightless: tuple[int | None, ...]
    share: float  # of matches among all pairs, as the scenario has it: one released record per target


class Problem(NamedTuple):
    """What EM works on."""

    setting: Setting
    counts: PatternCounts
    offset: Floats  # log of how much oftener non-matches show a pattern than independence says


def setting(comparisons: Sequence[AttributeComparison]) -> Setting:
    """The setting of these comparisons; marginals come from the counts of codes, without any pair."""
    most = max(c.levels for c in comparisons)
    marginal = np.zeros((len(comparisons), most))
    for j, c in enumerate(comparisons):
        known, released = c.histograms()
        marginal[j, : c.levels] = c.level_shares(known, released) / (len(c.known) * len(c.released))
    return Setting(
        marginal,
        tuple(c.ordered for c in comparisons),
        tuple(c.weightless for c in comparisons),
        1.0
        / max(len(comparisons[0].released), 2),  # with one record, half of its pairs are as good as random
    )


def estimate(p: Problem, free: bool = False, begin: MixtureFit | None = None) -> list[MixtureFit]:
    """The solutions that EM finds from several starts, the likeliest first.

    ``free`` lets the share of matches move. ``begin`` is one more start.
    """
    first = [*starts(p.setting), isotonic(p.setting, _best_pairs(p))]
    first += [] if begin is None else [begin.matched]
    tried = sorted((_run(p, m, free, TRIAL) for m in first), key=lambda fit: -fit.gain)
    best = tried[0] if tried[0].converged else _run(p, tried[0].matched, free, _most(p), tried[0].share)
    found = [best]
    for fit in tried[1:]:
        if not _met(fit, found):
            # Another solution must settle soon to count as one: on the way to the best, it would not.
            done = fit if fit.converged else _run(p, fit.matched, free, min(_most(p), SECOND), fit.share)
            if done.converged and not _met(done, found):
                found.append(done)
    return sorted(found, key=lambda fit: -fit.gain)


def _most(p: Problem) -> int:
    return min(MOST_ITERATIONS, TRIAL + MOST_VISITS // len(p.counts.count))


def _met(fit: MixtureFit, others: list[MixtureFit]) -> bool:
    return any(np.abs(fit.matched - other.matched).max() <= SAME for other in others)


def _run(p: Problem, matched: Floats, free: bool, most: int, share: float | None = None) -> MixtureFit:
    """EM from one start."""
    from unmask.kernels.mixture import expectation

    share, weight, pairs = share or p.setting.share, p.counts.count.astype(np.float64), float(p.counts.pairs)
    mass = np.zeros_like(p.setting.marginal)
    unmatched = _rest(p.setting, matched)
    gain, iterations, converged = 0.0, 0, False
    while iterations < most and not converged:
        iterations += 1
        ratio, prior = _log_ratio(matched, unmatched), float(np.log(share / (1 - share)))
        matches, gain = expectation(p.counts.levels, weight, p.offset, ratio, prior, mass)
        new = isotonic(p.setting, (mass + p.setting.marginal) / (matches + 1))
        unmatched = _rest(p.setting, new)
        new_share = min(max((matches + 1) / (pairs + 1), 1e-15), 0.5) if free else share
        moved = max(float(np.abs(new - matched).max()), abs(new_share / share - 1))
        matched, share = new, new_share
        converged = moved < TOLERANCE
    return MixtureFit(matched, unmatched, share, gain, iterations, converged)


def _log_ratio(matched: Floats, unmatched: Floats) -> Floats:
    used = (unmatched > 0) & (matched > 0)
    return np.asarray(np.log(np.where(used, matched, 1.0) / np.where(used, unmatched, 1.0)), np.float64)


def _rest(p: Setting, matched: Floats) -> Floats:
    """The u from the marginals, the matches taken out."""
    rest = np.maximum(p.marginal - p.share * matched, LEAST_REST * p.marginal)
    return np.asarray(rest / rest.sum(axis=1, keepdims=True), np.float64)


def isotonic(p: Setting, matched: Floats) -> Floats:
    """The m with ratios to the marginals, and so to u, that do not rise from level to level.

    A weightless level keeps its marginal.
    """
    out = matched.copy()
    for j, (last, weightless) in enumerate(zip(p.ordered, p.weightless, strict=True)):
        if weightless is not None:
            out[j, weightless] = p.marginal[j, weightless]
            free = out[j, :last].sum()
            out[j, :last] *= (1 - out[j, weightless]) / free if free > 0 else 0.0
        out[j, :last] = pooled(out[j, :last], p.marginal[j, :last])
    return out


def pooled(matched: Floats, unmatched: Floats) -> Floats:
    """Pool adjacent violators: the nearest m whose ratio to u does not rise.

    >>> pooled(np.array([0.2, 0.5, 0.3]), np.array([0.2, 0.2, 0.6])).round(3)
    array([0.35, 0.35, 0.3 ])
    >>> pooled(np.array([0.2, 0.0, 0.8]), np.array([0.5, 0.0, 0.5])).round(3)
    array([0.5, 0. , 0.5])
    """
    runs: list[tuple[float, float, int]] = []
    for m, u in zip(matched.tolist(), unmatched.tolist(), strict=True):
        run = (m, u, 1)
        # A level that no pair has joins the one before it: between two others, it would hide a rise.
        while runs and (0.0 in (run[1], runs[-1][1]) or runs[-1][0] * run[1] < run[0] * runs[-1][1]):
            before = runs.pop()
            run = (before[0] + run[0], before[1] + run[1], before[2] + run[2])
        runs.append(run)
    out, at = np.empty(len(matched)), 0
    for m, u, length in runs:
        part = unmatched[at : at + length]
        out[at : at + length] = part * (m / u) if u > 0 else m / length
        at += length
    return out


def starts(p: Setting) -> list[Floats]:
    """Starts, always the same: steep and flat falls of m from the best level on."""
    found = []
    for first in (0.9, 0.6):
        m = np.zeros_like(p.marginal)
        for j, last in enumerate(p.ordered):
            present = p.marginal[j, :last] > 0
            fall = np.where(present, (1 - first) ** np.cumsum(present), 0.0)
            m[j, :last] = fall / max(fall.sum(), 1e-300)
        found.append(isotonic(p, (m + 0.01 * p.marginal) / 1.01))
    return found


def _best_pairs(p: Problem) -> Floats:
    """The levels of the pairs that agree most surprisingly, as many as there are matches by the share."""
    from unmask.kernels.mixture import pattern_weights

    surprise = np.zeros_like(p.setting.marginal)
    for j, last in enumerate(p.setting.ordered):
        reached = np.cumsum(p.setting.marginal[j, :last])
        surprise[j, :last] = -np.log(np.maximum(reached, 1e-300))
    order = np.argsort(-pattern_weights(p.counts.levels, surprise), kind="stable")
    wanted = p.setting.share * p.counts.pairs
    upto = np.cumsum(p.counts.count[order])
    part: Ints = np.minimum(p.counts.count[order], np.maximum(wanted - (upto - p.counts.count[order]), 0))
    m = np.zeros_like(p.setting.marginal)
    kept = np.flatnonzero(part > 0)
    for j in range(m.shape[0]):
        found = np.bincount(p.counts.levels[order[kept], j], part[kept], m.shape[1])
        m[j] = found / max(found.sum(), 1e-300)
    return (m + 0.01 * p.setting.marginal) / 1.01
