"""The third step: from the values of pairs to belief.

:class:`NearestRecord` believes in the released record with the smallest value, and shares its belief
among all that tie with it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Ints
from unmask.engines import Engine, Index
from unmask.intruder.dossier import Dossier
from unmask.intruder.truth import Truth
from unmask.kernels.pairing import Pairing
from unmask.linkage.aggregations import Aggregation
from unmask.linkage.blocking import Blocks, blocked, blocks_of
from unmask.linkage.links import Links, Standing
from unmask.linkage.spaces import Space


@dataclass(frozen=True, eq=False)
class NearestRecord:
    """The decision "link to the nearest record, ties shared" over an index, which is built once."""

    index: Index
    notes: tuple[str, ...] = ()
    blocks: Blocks | None = None

    @property
    def pairing(self) -> Pairing:
        """The two files, and how a pair of their records is valued."""
        return self.index.pairing

    def links(self, targets: Ints | None = None) -> Links:
        """The belief of each target (all when none are named)."""
        nearest = self.index.nearest(targets)
        size = nearest.cls_size[nearest.cls].astype(np.float64)
        running = np.concatenate(([0.0], np.cumsum(size)))
        total = running[nearest.indptr[1:]] - running[nearest.indptr[:-1]]
        mass = size / np.repeat(total, np.diff(nearest.indptr))
        return Links(nearest.row, nearest.indptr, nearest.cls, mass, nearest.cls_of, nearest.cls_size)

    def standing(self, truth: Truth, depth: int, targets: Ints | None = None) -> Standing:
        """How each target's true record stands, counting at most ``depth`` closer ones."""
        closer, tied = self.index.standing(truth.row, depth, targets)
        return Standing(closer, tied, depth)


def nearest_record(dossier: Dossier, space: Space, aggregation: Aggregation, engine: Engine) -> NearestRecord:
    """The nearest record of a space under an aggregation, within the dossier's blocks if it has any."""
    blocks = blocks_of(dossier)
    return NearestRecord(blocked(engine.index, space.pairing(aggregation), blocks), space.notes, blocks)
