"""The distances of a form over two files, made ready for searches as parameters are tried."""

from __future__ import annotations

from collections import OrderedDict

from unmask.data.microdata import Floats
from unmask.engines import Engine, Index
from unmask.linkage.blocking import Blocks, blocked
from unmask.linkage.learning.forms import DistanceFamily

#: Indexes that are kept: the same parameters are tried, graded and linked with, soon after each other.
KEPT = 3


class Distances:
    """An index for each parameters that are asked about; the last ones are kept."""

    def __init__(self, family: DistanceFamily, engine: Engine, blocks: Blocks | None = None) -> None:
        self.family, self.engine, self._blocks = family, engine, blocks
        self._kept: OrderedDict[bytes, Index] = OrderedDict()

    def index(self, theta: Floats) -> Index:
        """The index of the distance with these parameters."""
        key = theta.tobytes()
        if key not in self._kept:
            self._kept[key] = blocked(self.engine.index, self.family.pairing(theta), self._blocks)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]
