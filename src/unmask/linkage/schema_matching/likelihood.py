"""How much evidence a distance is: the logarithm of a likelihood ratio, "the same column" against "another".

Distances d run from 0 to 1. Of two columns that are the same, d is near 0 with probability ``kept`` (it has
an exponential density of mean s), else it is as of any two columns: a name may be changed, codes recoded,
values masked. Of two other columns d is rather large: its density g grows exponentially towards 1. So

    log( kept exp(-d / s) / (s g(d)) + (1 - kept) )

which is at least log(1 - kept), however far two columns are apart. The scale s is that of samples: some
constant plus a multiple of 1 / sqrt(n), n the number of records of the smaller file. Missing evidence (NaN)
counts 0. The constants were chosen on public files; docs/evidence/no-common-attributes.md says how well the
probabilities that come of them fit there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats


@dataclass(frozen=True)
class Clue:
    """The constants of one kind of evidence.

    ``kept``: how often the same column keeps it; ``scale`` and ``sampling``: s = scale + sampling / sqrt(n);
    ``other``: how quickly the density of other columns falls from 1 downwards, infinite for an even one.
    """

    kept: float
    scale: float
    sampling: float
    other: float = np.inf

    def ratio(self, distance: Floats, records: int) -> Floats:
        """``kept`` times the density of the same column, over that of another one."""
        s = self.scale + self.sampling / np.sqrt(max(records, 1))
        same = np.exp(-distance / s) / (s * -np.expm1(-1 / s))
        if np.isinf(self.other):
            return np.asarray(self.kept * same)
        other = np.exp((distance - 1) / self.other) / (self.other * -np.expm1(-1 / self.other))
        return np.asarray(self.kept * same / other)


NAMES = Clue(kept=0.5, scale=0.1, sampling=0.0, other=0.15)
VALUES = Clue(kept=0.5, scale=0.02, sampling=1.2, other=0.4)
MASKED = Clue(kept=0.15, scale=0.15, sampling=1.2, other=0.4)
SHAPES = Clue(kept=0.25, scale=0.02, sampling=1.2)
RELATIONS = Clue(kept=0.9, scale=0.05, sampling=1.5, other=0.5)


def of_names(distance: Floats) -> Floats:
    """The evidence of names.

    >>> of_names(np.array([0.0, 1.0, np.nan])).round(1).tolist()
    [6.4, -0.7, 0.0]
    """
    return _known(np.log(NAMES.ratio(distance, 1) + 1 - NAMES.kept))


def of_contents(values: Floats, shapes: Floats, records: int) -> Floats:
    """The evidence of what columns hold.

    The same values, the same as far as a mask or missing values left them, values that are spread alike,
    or neither.

    >>> values, shapes = np.array([0.0, 1.0, 1.0]), np.array([0.0, 0.0, 1.0])
    >>> of_contents(values, shapes, 10_000).round(1).tolist()
    [4.4, 2.1, -2.3]
    """
    kept = VALUES.ratio(values, records) + MASKED.ratio(values, records) + SHAPES.ratio(shapes, records)
    return np.asarray(np.log(kept + 1 - VALUES.kept - MASKED.kept - SHAPES.kept))


def of_relations(distance: Floats, records: int) -> Floats:
    """The evidence of relations to other columns.

    >>> of_relations(np.array([0.0, 0.3, 1.0, np.nan]), 10_000).round(1).tolist()
    [3.8, -1.1, -2.3, 0.0]
    """
    return _known(np.log(RELATIONS.ratio(distance, records) + 1 - RELATIONS.kept))


def _known(evidence: Floats) -> Floats:
    return np.where(np.isnan(evidence), 0.0, evidence)
