"""What a published table is here: cells with their published value, ours, and how far apart they may be."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from statistics import fmean, stdev
from typing import Protocol


@dataclass(frozen=True)
class Cell:
    """One published number, what we found in each replicate, and the tolerance between the two means."""

    table: str
    row: str
    column: str
    published: float
    found: tuple[float, ...]
    tolerance: float

    @property
    def ours(self) -> float:
        """The mean over the replicates."""
        return fmean(self.found)

    @property
    def spread(self) -> float | None:
        """The standard deviation over the replicates; None for one."""
        return stdev(self.found) if len(self.found) > 1 else None

    @property
    def inside(self) -> bool:
        """Whether ours is within the tolerance, with room for the rounding of what is compared."""
        return abs(self.ours - self.published) <= self.tolerance + 1e-9


@dataclass(frozen=True)
class Outcome:
    """All cells of a paper's tables, run again."""

    paper: str
    cells: tuple[Cell, ...]

    @property
    def outside(self) -> list[Cell]:
        """The cells that are out of tolerance."""
        return [cell for cell in self.cells if not cell.inside]

    def to_json(self) -> str:
        """The cells as JSON."""
        cells = [{**asdict(c), "ours": c.ours, "spread": c.spread, "inside": c.inside} for c in self.cells]
        return (
            json.dumps(
                {"format": "unmask-paper", "version": 1, "paper": self.paper, "cells": cells}, indent=2
            )
            + "\n"
        )


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

    def cells(self, replicates: int, seed: int) -> Iterator[Cell]:
        """The cells, as they are done."""
        ...

    def __len__(self) -> int:
        """How many cells there are."""
        ...


def run(paper: Paper, replicates: int, seed: int, advance: Callable[[Cell], None] | None = None) -> Outcome:
    """Run a paper's tables again."""
    return Outcome(paper.name, tuple(_each(paper.cells(replicates, seed), advance)))


def _each(cells: Iterable[Cell], advance: Callable[[Cell], None] | None) -> Iterator[Cell]:
    for cell in cells:
        if advance is not None:
            advance(cell)
        yield cell
