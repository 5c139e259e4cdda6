"""Truth: whose record is whose, which only the assessor knows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Ints


@dataclass(frozen=True, eq=False)
class Truth:
    """``row[t]``: the released record of target t, as a row of the shuffled release; -1 if there is none."""

    row: Ints

    @property
    def present(self) -> Ints:
        """The targets that have a released record."""
        return np.flatnonzero(self.row >= 0)
