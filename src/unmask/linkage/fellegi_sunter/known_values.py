"""What each value of the known file says of a pair before any match is known: u from that value, and a class.

Nine in ten people have no dividends, and keep none; the others' are moved far. Values are put into classes by
the share of released records that agree with them fully, so that m can differ between common and rare ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.linkage.agreement import AttributeComparison
from unmask.linkage.fellegi_sunter.em import Setting

if TYPE_CHECKING:
    from unmask.kernels.rows import KnownLevels

#: The shares of released records that agree with a value fully, between the classes of values.
COMMON = (0.03, 0.3)


@dataclass(frozen=True, eq=False)
class KnownValues:
    """By attribute and value (the missing one last): u by level, and the class, numbered from 0."""

    unmatched: tuple[Floats, ...]
    classes: tuple[Ints, ...]
    settings: tuple[Setting, ...]  # by class: its marginals are the mean u of its people's values

    def radix(self, comparisons: Sequence[AttributeComparison]) -> list[int]:
        """How many classes times levels each attribute has."""
        return [c.levels * (int(g.max()) + 1) for c, g in zip(comparisons, self.classes, strict=True)]

    def as_arrays(self, p: Setting, comparisons: Sequence[AttributeComparison]) -> KnownLevels:
        """The values as the kernels read them."""
        from unmask.kernels.rows import KnownLevels

        most = p.marginal.shape[1]
        weight = []
        for j, u in enumerate(self.unmatched):
            ratio = np.ones((len(u), most))
            ratio[:, : u.shape[1]] = p.marginal[j, : u.shape[1]] / u
            weightless = p.weightless[j]
            if weightless is not None:
                ratio[:, weightless] = 1.0
            weight.append(ratio)
        start = np.cumsum([0, *(len(u) for u in self.unmatched)]).astype(np.int64)
        digit = [g * c.levels for c, g in zip(comparisons, self.classes, strict=True)]
        return KnownLevels(start, np.concatenate(digit), np.concatenate(weight))


def known_values(p: Setting, comparisons: Sequence[AttributeComparison]) -> KnownValues:
    """The values of the known file of these comparisons."""
    unmatched, classes = tuple(_unmatched(c) for c in comparisons), []
    means = np.repeat(p.marginal[None], len(COMMON) + 1, axis=0)
    for j, (c, u) in enumerate(zip(comparisons, unmatched, strict=True)):
        people = c.histograms()[0]
        found, place = np.searchsorted(COMMON, u[:, 0]), np.zeros(len(COMMON) + 1, np.int64)
        # Classes without anybody get no number.
        used = np.unique(found[people > 0])
        place[used] = np.arange(len(used))
        classes.append(place[found])
        for g in range(len(used)):
            held = np.where(classes[j] == g, people, 0)
            means[g, j, : c.levels] = held @ u / held.sum()
    means /= means.sum(axis=2, keepdims=True)
    return KnownValues(unmatched, tuple(classes), tuple(p._replace(marginal=mean) for mean in means))


def _unmatched(c: AttributeComparison) -> Floats:
    """The share of released records at each level from each known value."""
    held = c.histograms()[1].astype(np.float64)
    here, nowhere = held[:-1], held[-1]
    out = np.zeros((c.known_codes + 1, c.levels))
    if c.table is None:
        both = min(c.known_codes, c.released_codes)
        out[:both, 0] = here[:both]
        out[:-1, 1] = here.sum() - out[:-1, 0]
    else:
        for level in range(c.levels):
            out[:-1, level] = (c.table == level) @ here
    out[:-1, c.missing_released] += nowhere
    out[-1, c.missing_known] += here.sum()
    out[-1, c.missing_both] += nowhere
    # A level that no record has from here could have half a record.
    return np.asarray(np.maximum(out, 0.5) / len(c.released), np.float64)
