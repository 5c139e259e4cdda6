"""Posterior beliefs: how probable each released record is the target's, kept where it is not negligible.

Attributes that agree together by chance count the same evidence twice. The tree of the strongest dependences
takes it away; where it would add evidence (levels that seldom meet among non-matches) it says nothing, so
that no belief rises as agreement falls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints
from unmask.engines import joined
from unmask.errors import ArgumentError
from unmask.kernels.pairing import Pairing
from unmask.linkage.fellegi_sunter.costs import best_weights
from unmask.linkage.fellegi_sunter.model import Model
from unmask.linkage.links import Links

if TYPE_CHECKING:
    from unmask.engines.prepare import Distinct
    from unmask.kernels.together import Edges

Codes = NDArray[np.int32]

#: Look-ups (distinct targets x distinct records x attributes) beyond which beliefs are refused: a minute.
MOST_LOOKUPS = 5 * 10**10
#: Targets in a block of work.
BLOCK = 256


def posterior_links(model: Model, pairing: Pairing, targets: Ints | None, least: float) -> Links:
    """The beliefs of these targets (all when none are named); entries below ``least`` are left out."""
    from unmask.engines.prepare import distinct, frozen

    if not 0 < least < 1:
        raise ArgumentError(f"the least belief is {least:g}", hint="give a number between 0 and 1")
    p = frozen(pairing)
    chosen = np.arange(len(p.known)) if targets is None else np.asarray(targets, np.int64)
    released, asked = distinct(p.released), distinct(p.known[chosen])
    work_size = len(asked.first) * len(released.first) * p.known.shape[1]
    if work_size > MOST_LOOKUPS:
        raise ArgumentError(
            f"beliefs of {len(asked.first)} targets over {len(released.first)} records take {work_size:.1e} "
            f"look-ups, and {MOST_LOOKUPS:.0e} are allowed",
            hint="name fewer targets",
        )
    present = min(model.fit.share * len(p.released), 1 - 1e-6)
    rows = chosen[asked.first]
    task = BeliefsTask(
        p,
        rows,
        released_codes(p, released),
        released.size,
        float(best_weights(model).sum()),
        (1 - present) / present * len(p.released),
        least,
        model.tree.edges(model.comparisons),
        model.tree.excess,
        np.ascontiguousarray(np.column_stack([c.known[rows] for c in model.comparisons])),
    )
    count, classes, mass = model.engine.map(task, len(asked.first), joined, BLOCK)
    indptr = np.concatenate(([0], np.cumsum(count))).astype(np.int64)
    row = np.where(count > 0, np.arange(len(count)), -1)[asked.group]
    return Links(row, indptr, classes.astype(np.int64), mass, released.group, released.size)


@dataclass(frozen=True, eq=False)
class BeliefsTask:
    """The candidate classes of each target, and the belief in each."""

    pairing: Pairing
    rows: Ints
    codes: Codes
    size: Ints
    top: float
    nobody: float
    least: float
    edges: Edges
    excess: Floats
    known: Codes

    def __call__(self, start: int, stop: int) -> tuple[Ints, Ints, Floats]:
        """How many classes each of these targets has, the classes one target after the other, their mass."""
        from unmask.kernels.lookup import lookup_beliefs

        count = np.empty(stop - start, np.int64)
        classes, mass = lookup_beliefs(
            self.pairing,
            self.rows[start:stop],
            self.codes,
            self.size,
            self.top,
            self.nobody,
            self.least,
            self.edges,
            self.excess,
            self.known[start:stop],
            count,
        )
        return count, classes, mass


def released_codes(p: Pairing, released: Distinct) -> Codes:
    """The distinct released records as codes, one row per attribute; the missing value comes last."""
    values = p.released[released.first]
    codes = np.where(np.isnan(values), p.width[None, :], np.nan_to_num(values))
    return np.ascontiguousarray(codes.T.astype(np.int32))
