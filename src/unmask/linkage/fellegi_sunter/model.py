"""From two files to weights: count the patterns, fit m and u, and say how far they can be trusted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from unmask.data.microdata import Floats
from unmask.engines import Engine
from unmask.figures import figure
from unmask.linkage.agreement import AttributeComparison, PatternCounts, TooMuchWorkError, count_patterns
from unmask.linkage.agreement.within import dependence
from unmask.linkage.fellegi_sunter.em import MixtureFit, Problem, estimate, setting
from unmask.linkage.fellegi_sunter.targets import estimate_by_targets
from unmask.linkage.fellegi_sunter.tree import AgreementTree, agreement_tree
from unmask.linkage.fellegi_sunter.trust import doubts, silent, unsettled

#: Possible patterns beyond which m comes from targets: EM over so many patterns takes longer.
MOST_POSSIBLE = 2**16
#: An estimated share of matches between these times the scenario's can be that of people with one record.
PLAUSIBLE = (0.5, 1.25)


class MatchShare(StrEnum):
    """The share of matches among all pairs.

    ``fixed`` at 1 / released records; ``free``, estimated with m; ``auto``: free where that is plausible,
    otherwise m comes from targets, each of whom has one record at most.
    """

    FIXED = "fixed"
    FREE = "free"
    AUTO = "auto"


class NonMatches(StrEnum):
    """How attributes agree together by chance: as within each file, or independently."""

    WITHIN = "within"
    INDEPENDENT = "independent"


#: Makes the comparisons of each file with itself, when they are asked for: only counting patterns needs them.
Selves = Callable[[], tuple[Sequence[AttributeComparison], Sequence[AttributeComparison]]]


@dataclass(frozen=True, eq=False)
class Model:
    """A fitted Fellegi-Sunter model of two files. ``selves`` makes the comparisons of each with itself."""

    comparisons: tuple[AttributeComparison, ...]
    selves: Selves | None
    fit: MixtureFit
    notes: tuple[str, ...]
    engine: Engine

    @cached_property
    def counts(self) -> PatternCounts:
        """The pattern counts of all pairs; an error with advice where they take too long."""
        return count_patterns(self.comparisons, self.engine, self.selves)

    @cached_property
    def tree(self) -> AgreementTree:
        """The strongest dependences among non-matches."""
        return agreement_tree(self.comparisons, self.fit.matched, self.fit.share, self.engine)

    @cached_property
    def pattern_weights(self) -> Floats:
        """log2 of P(pattern | match) / P(pattern | non-match), for each pattern that occurs."""
        from unmask.kernels.mixture import pattern_weights

        weights = pattern_weights(self.counts.levels, self.fit.weights())
        return np.asarray(weights - dependence(self.counts) / np.log(2), np.float64)

    @cached_property
    def posteriors(self) -> Floats:
        """The probability that a pair with each pattern is a match."""
        return posterior(self.pattern_weights, self.fit.share)


def posterior(weight: Floats, share: float) -> Floats:
    """The probability of a match: 1 / (1 + (1 - p) / p * 2^-weight)."""
    odds = np.log(share / (1 - share)) + weight * np.log(2)
    return np.asarray(0.5 * (1 + np.tanh(odds / 2)), np.float64)


def fit_model(
    comparisons: Sequence[AttributeComparison],
    selves: Selves | None,
    rng: np.random.Generator,
    engine: Engine,
    share: MatchShare = MatchShare.AUTO,
) -> Model:
    """The model of these comparisons; ``selves`` (each file with itself) teaches it how non-matches agree.

    m comes from the pattern counts of all pairs. Under ``auto`` it comes from targets where patterns or
    pairs are too many, or where the share of matches, left free, is not that of people with one record.
    ``rng`` draws those targets where the files are large. u is always that of all pairs.
    """
    start = setting(comparisons)
    possible = int(np.prod([c.levels for c in comparisons], dtype=object))
    why = f"{possible} agreement patterns are possible"
    if share is not MatchShare.AUTO or possible <= MOST_POSSIBLE:
        try:
            counts = count_patterns(comparisons, engine, selves)
        except TooMuchWorkError:
            if share is not MatchShare.AUTO:
                raise
            why = "there are too many pairs to count"
        else:
            task = Problem(start, counts, dependence(counts))
            fixed = estimate(task)
            free = estimate(task, free=True, begin=fixed[0])
            ratio = free[0].share / start.share
            if share is not MatchShare.AUTO or PLAUSIBLE[0] <= ratio <= PLAUSIBLE[1]:
                chosen = fixed if share is MatchShare.FIXED else free
                notes = doubts(task, comparisons, chosen, free[0])
                return _with_counts(
                    Model(tuple(comparisons), selves, chosen[0], tuple(notes), engine), counts
                )
            why = f"the share of matches, left free, goes to {figure(ratio, 2)} times one record per target"
    fit, sampled = estimate_by_targets(start, comparisons, rng, engine)
    notes = [
        f"m was estimated from {sampled}, one record each, because {why}; u is exact",
        *silent(comparisons, fit),
        *unsettled(fit),
    ]
    return Model(tuple(comparisons), selves, fit, tuple(notes), engine)


def _with_counts(model: Model, counts: PatternCounts) -> Model:
    """The model that need not count again."""
    model.__dict__["counts"] = counts
    return model
