"""The third step: from the values of pairs to belief.

:class:`NearestRecord` believes in the released record with the smallest value, and shares its belief
among all that tie with it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats, Ints
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
        return Links.shared(nearest.row, nearest.indptr, nearest.cls, nearest.cls_of, nearest.cls_size)

    def margins(self, targets: Ints | None = None) -> Floats:
        """How many times as far as the nearest record the next best one is, for each target.

        1 where records tie for the nearest place; infinity where the nearest is at distance 0, or is the only
        possible one; 0 where none is possible.

        >>> from unmask.engines import LocalEngine
        >>> from unmask.kernels.pairing import SUM
        >>> one, none, codes = np.ones(1), np.zeros(0), np.zeros(1, np.int64)
        >>> ages = np.array([[30.0], [40.0], [58.0]]), np.array([[31.0], [34.0], [46.0], [58.0]])
        >>> pairing = Pairing(*ages, codes, one, none, codes, codes, one, one, one, 2, SUM, one)
        >>> NearestRecord(LocalEngine().index(pairing)).margins()
        array([ 4.,  1., inf])
        """
        near = self.index.nearest(targets)
        running = np.concatenate(([0], np.cumsum(near.cls_size[near.cls])))
        linked = near.row >= 0
        records = np.append(running[near.indptr[1:]] - running[near.indptr[:-1]], 0)[near.row]
        alone = linked & (records == 1)
        ratio = np.full(len(near.row), np.inf)
        np.divide(near.runner_up, near.value, out=ratio, where=alone & (near.value > 0))
        # Values are sums of powers; distances are their roots.
        return np.where(alone, ratio ** (1 / self.pairing.power), np.where(linked, 1.0, 0.0))

    def standing(self, truth: Truth, depth: int, targets: Ints | None = None) -> Standing:
        """How each target's true record stands, counting at most ``depth`` closer ones."""
        closer, tied = self.index.standing(truth.row, depth, targets)
        return Standing(closer, tied, depth)


def nearest_record(dossier: Dossier, space: Space, aggregation: Aggregation, engine: Engine) -> NearestRecord:
    """The nearest record of a space under an aggregation, within the dossier's blocks if it has any."""
    blocks = blocks_of(dossier)
    return NearestRecord(blocked(engine.index, space.pairing(aggregation), blocks), space.notes, blocks)
