"""What an engine is, and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from unmask.engines.cache import Cache
from unmask.engines.watcher import Watcher
from unmask.kernels.pairing import Pairing

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Strategy(StrEnum):
    """How records are searched. It changes the time, never the answer."""

    AUTO = "auto"
    TREE = "tree"
    BRUTE = "brute"


@dataclass(frozen=True)
class Nearest:
    """All nearest released records of each target, as classes of identical records.

    Row `row[i]` of the sparse matrix (indptr, cls) lists the nearest classes of target i, in increasing
    order; targets with the same nearest set share a row, and -1 is a target for which every released
    record is impossible. The belief of target i in each record of a listed class is one over the number
    of records in all listed classes.
    """

    cls_of: Ints  # class of each released record
    cls_size: Ints  # records in each class
    row: Ints
    indptr: Ints
    cls: Ints
    value: Floats  # the smallest value of each target (infinity where it abstains)
    runner_up: Floats  # the smallest value beyond the tie (infinity where there is none)


class Engine(Protocol):
    """Exact answers about a pairing, the same on every engine.

    `targets` are rows of `pairing.known` (all where it is None); answers follow their order.
    """

    @property
    def cache(self) -> Cache:
        """What is kept between experiments."""
        ...

    @property
    def watcher(self) -> Watcher:
        """What long work reports to."""
        ...

    def standing(
        self, pairing: Pairing, truth: Ints, depth: int = 1, targets: Ints | None = None
    ) -> tuple[Ints, Ints]:
        """How many records are strictly closer than the true one (up to `depth`), and how many tie."""
        ...

    def nearest(self, pairing: Pairing, targets: Ints | None = None) -> Nearest:
        """All nearest records of each target."""
        ...

    def k_nearest(self, pairing: Pairing, k: int, targets: Ints | None = None) -> tuple[Ints, Floats]:
        """Rows and values of the k nearest records of each target, ordered by (value, row)."""
        ...
