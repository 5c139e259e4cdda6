"""What an engine is: where work runs, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from unmask.engines.cache import Cache
from unmask.engines.room import Room
from unmask.engines.watcher import Watcher
from unmask.kernels.pairing import Pairing

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)


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


class Task(Protocol[Result_co]):
    """Work on the items from start to stop: a frozen dataclass of a module, so that it can be pickled.

    It returns its part of the result and writes into nothing that it was given. start = stop is no item at
    all, and gives an empty part.
    """

    def __call__(self, start: int, stop: int) -> Result_co:
        """The part of these items."""
        ...


#: How parts that follow each other become one. It is associative: merging a run of parts first changes
#: nothing, to the bit (see :mod:`unmask.engines.merge`).
Merge = Callable[[Sequence[Result]], Result]


class Index(Protocol):
    """A pairing made ready for questions: what they need is built at the first one, once.

    `targets` are rows of `pairing.known` (all where it is None); answers follow their order. Every engine
    gives the same answers, to the bit.
    """

    @property
    def pairing(self) -> Pairing:
        """The two files, and how a pair of their records is valued."""
        ...

    def standing(self, truth: Ints, depth: int = 1, targets: Ints | None = None) -> tuple[Ints, Ints]:
        """Where the true record of each target (one entry per known record) stands: (closer, tied).

        closer counts the records whose value v has v * (1 + TIE) < v_true, up to `depth`; the search stops
        there, so the default only asks whether there is one. tied counts those that are no farther than
        the tie, the true one included; where nothing is closer these are exactly the `nearest` records.
        It is 0 where the search stopped at `depth`. A target that is not in the release (truth -1) has
        closer -1; one whose true record is impossible (infinite value) is never linked: closer is `depth`.
        """
        ...

    def nearest(self, targets: Ints | None = None) -> Nearest:
        """All nearest records of each target, ties included, with the value of the next best."""
        ...

    def k_nearest(self, k: int, targets: Ints | None = None) -> tuple[Ints, Floats]:
        """Rows and values of the k nearest records of each target, ordered by (value, row).

        Row -1 and infinity where there are fewer.
        """
        ...


@runtime_checkable
class Engine(Protocol):
    """Where work runs. No engine, block size or number of threads changes an answer."""

    @property
    def watcher(self) -> Watcher:
        """What is told of progress and choices, counts what is made, and can cancel."""
        ...

    @property
    def cache(self) -> Cache:
        """What is worth keeping between experiments."""
        ...

    @property
    def room(self) -> Room:
        """Where large arrays live."""
        ...

    def index(self, pairing: Pairing) -> Index:
        """A handle for questions about a pairing; keep it as long as there are any."""
        ...

    def once(self, work: Callable[[Engine], Result]) -> Result:
        """One piece of work as a whole, which is handed an engine of the place where it is done.

        It is a frozen dataclass of a module too, and writes into nothing that it was given.
        """
        ...

    def map(
        self,
        task: Task[Result],
        total: int,
        merge: Merge[Result],
        block: int | None = None,
        *,
        quiet: bool = False,
    ) -> Result:
        """The task over blocks of the items 0 to total, its parts merged in order.

        ``block``: how many items are a fair block (the engine chooses otherwise, and may choose all the
        same). ``quiet``: a small step of a larger work, of which no progress is shown; it can be cancelled.
        """
        ...
