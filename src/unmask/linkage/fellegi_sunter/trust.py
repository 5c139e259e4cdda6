"""When m and u are not to be trusted, in words: what a report must say beside the weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unmask.figures import figure
from unmask.linkage.agreement import AttributeComparison
from unmask.linkage.fellegi_sunter.em import MixtureFit, Problem

#: An estimated share of matches beyond so many times that of the scenario is not that of matches.
RUNAWAY = 3.0
#: Two solutions whose log-likelihoods differ by less are equally likely.
EQUALLY_LIKELY = 2.0
#: A pair of attributes agrees together so many times as often as fitted before it is named.
TOGETHER = 1.25


def doubts(
    p: Problem, comparisons: Sequence[AttributeComparison], found: Sequence[MixtureFit], free: MixtureFit
) -> list[str]:
    """What speaks against m and u from pattern counts; ``free`` is the fit with an estimated share."""
    best, notes = found[0], silent(comparisons, found[0])
    if best.gain < EQUALLY_LIKELY * len(comparisons):
        notes.append("the pattern counts show no sign of matches: m is not identified, weights mean little")
    elif len(found) > 1 and best.gain - found[1].gain < EQUALLY_LIKELY:
        notes.append("two different sets of m are equally likely: m is not identified")
    notes += unsettled(best)
    ratio = free.share / p.setting.share
    if not 1 / RUNAWAY <= ratio <= RUNAWAY:
        notes.append(
            f"left free, the share of matches goes to {figure(ratio, 2)} times one in "
            f"{round(1 / p.setting.share):,}: what it finds is not the matches, and m is uncertain"
        )
    return notes + together(p, comparisons, best)


def silent(comparisons: Sequence[AttributeComparison], fit: MixtureFit) -> list[str]:
    """The attributes whose full agreement is no likelier among matches."""
    names = [
        f"'{c.name}'"
        for c, m, u in zip(comparisons, fit.matched, fit.unmatched, strict=True)
        if m[0] <= u[0] * 1.0001
    ]
    if not names:
        return []
    return [
        f"matches agree no more often than others on {', '.join(names)}: m is not above u, the weight is 0"
    ]


def unsettled(fit: MixtureFit) -> list[str]:
    """Whether EM stopped on its way."""
    return [] if fit.converged else [f"EM stopped after {fit.iterations} iterations, before it settled"]


def together(p: Problem, comparisons: Sequence[AttributeComparison], fit: MixtureFit) -> list[str]:
    """The two attributes that agree together most oddly, if any: observed against fitted pairs.

    The residual (observed - fitted) / sqrt(fitted) orders the pairs of attributes; one is named where
    attributes agree together at least a quarter more often, or more seldom, than independence says.
    """
    worst, named = 5.0, []
    agree = p.counts.levels == 0
    count, pairs, share = p.counts.count, float(p.counts.pairs), p.setting.share
    for j in range(len(comparisons)):
        for k in range(j):
            observed = float(count[agree[:, j] & agree[:, k]].sum())
            match = fit.matched[j, 0] * fit.matched[k, 0]
            rest = fit.unmatched[j, 0] * fit.unmatched[k, 0]
            fitted = pairs * (share * match + (1 - share) * rest)
            residual = abs(observed - fitted) / np.sqrt(max(fitted, 1.0))
            ratio = (observed + 1) / (fitted + 1)
            if residual > worst and max(ratio, 1 / ratio) > TOGETHER:
                worst = residual
                names = f"'{comparisons[k].name}' and '{comparisons[j].name}'"
                named = [
                    f"{names} agree together {figure(ratio, 2)} times as often as independence says: their "
                    "weights count the same evidence twice"
                ]
    return named
