"""What the pairs within a file tell about non-matches.

Nobody is in a file twice, so the pairs of two different records of one file are all non-matches, and show
how attributes agree *together* by chance. Attributes that depend on each other (age and schooling) agree
together more often than the product of their shares says; EM that does not know it takes the surplus for
matches.
"""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.linkage.agreement.counting import PatternCounts

#: A dependence is believed as far as it passes so many standard errors of the pairs that show it.
ERRORS = 1.0


def dependence(counts: PatternCounts) -> Floats:
    """The log of how much oftener each pattern occurs among non-matches than independence says.

    For each file, D(pattern) = observed / expected over its own pairs, expected as if attributes were
    independent, and observed moved towards it by its standard error (at most to it): patterns of few pairs
    show nothing. The files' values are put together as a geometric mean, weighted by their records. All 0
    where the pairs within the files were not counted.
    """
    out = np.zeros(len(counts.count))
    for within, records in ((counts.within_known, counts.known), (counts.within_released, counts.released)):
        if within is not None and within.sum() > 0:
            # At least 1e-12 pairs: a level that this file never shows tells nothing about the pattern.
            expected = np.maximum(_independent(counts, within) * within.sum(), 1e-12)
            share = records / (counts.known + counts.released)
            error = ERRORS * np.sqrt(within)
            believed = np.clip(expected, within - error, within + error + ERRORS)
            out += share * np.log(believed / expected)
    return out


def _independent(counts: PatternCounts, within: Ints) -> Floats:
    """The share of each pattern if attributes were independent, with the file's own marginals."""
    share = np.ones(len(within))
    for j in range(counts.levels.shape[1]):
        level = counts.levels[:, j]
        marginal = np.bincount(level, within) / within.sum()
        share *= marginal[level]
    return share
