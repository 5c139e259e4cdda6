"""What a published table is here: cells with their published value and ours, and a paper that makes them.

A cell that is random is judged by chance (see :mod:`unmask.papers.chance`), one that is not by a tolerance. A
paper whose data are not to be had is run on a stand-in: its cells have neither, and findings say in words
what they show. A finding may be a promise, which the run keeps or breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean, stdev
from typing import Protocol

from unmask.papers.chance import Precision, deviate

#: Called after each step of the work.
Step = Callable[[], None]


def unseen() -> None:
    """The step that nobody looks at."""


@dataclass(frozen=True)
class Cell:
    """One published number, what we found in each replicate, and what the difference is judged by.

    ``published`` is None where only we have a number. ``precision`` is that of a published mean of random
    runs, ``tolerance`` how far apart two numbers without chance may be; without either, the two need not be
    alike. ``digits``: the decimals that ours is shown with, where the table's published numbers tell them.
    """

    table: str
    row: str
    column: str
    published: float | None
    found: tuple[float, ...]
    tolerance: float | None = None
    digits: int | None = None
    precision: Precision | None = None

    @property
    def ours(self) -> float:
        """The mean over the replicates."""
        return fmean(self.found)

    @property
    def spread(self) -> float | None:
        """The standard deviation over the replicates; None for one."""
        return stdev(self.found) if len(self.found) > 1 else None

    @property
    def difference(self) -> float | None:
        """Ours minus published; None without a published number."""
        return None if self.published is None else self.ours - self.published

    @property
    def z(self) -> float | None:
        """The difference as a normal deviate; None where chance does not judge the cell."""
        if self.published is None or self.precision is None:
            return None
        return deviate(self.found, self.published, self.precision)

    @property
    def empty(self) -> bool:
        """Whether ours has no link at all where the paper found some."""
        return bool(self.published) and not any(self.found)


class FindingKind(StrEnum):
    """What a finding is: a promise kept or broken, or a comparison with what the paper says."""

    HOLDS = "holds"
    BROKEN = "BROKEN"
    AGREES = "agrees"
    DIFFERS = "differs"
    NEW = "new"


@dataclass(frozen=True)
class Finding:
    """One thing that the cells show, in words. ``new``: the paper says nothing about it."""

    verdict: FindingKind
    text: str


class Paper(Protocol):
    """A paper whose tables can be run again."""

    @property
    def name(self) -> str:
        """The name on the command line."""
        ...

    @property
    def citation(self) -> str:
        """Authors, title, year, and where it appeared."""
        ...

    @property
    def notes(self) -> Sequence[str]:
        """What a reader must know before the tables."""
        ...

    @property
    def pace(self) -> float:
        """Seconds that one step takes on a machine with two cores, about."""
        ...

    def steps(self, replicates: int) -> int:
        """How many steps the work has: as many as ``cells`` calls its ``step``."""
        ...

    def cells(self, replicates: int, seed: int, step: Step = unseen) -> Iterator[Cell]:
        """The cells, as they are done."""
        ...

    def findings(self, cells: Sequence[Cell]) -> Sequence[Finding]:
        """What the cells show beyond their differences from the published ones."""
        ...

    def shorter(self) -> tuple[Paper, int]:
        """What can be done in a minute, whose notes say what it leaves out, and its replicates."""
        ...

    def __len__(self) -> int:
        """How many cells there are."""
        ...
