"""What a published table is here: cells with their published value, ours, and how far apart they may be.

A paper whose data are not to be had is run on a stand-in: its cells have no tolerance, and findings say in
words what they show. A finding may be a promise, which the run keeps or breaks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from statistics import fmean, stdev
from typing import Protocol


@dataclass(frozen=True)
class Cell:
    """One published number, what we found in each replicate, and the tolerance between the two means.

    ``published`` is None where only we have a number, ``tolerance`` where the two need not be alike, and
    ``digits``, the decimals that ours is shown with, where the table's published numbers tell them.
    """

    table: str
    row: str
    column: str
    published: float | None
    found: tuple[float, ...]
    tolerance: float | None = None
    digits: int | None = None

    @property
    def ours(self) -> float:
        """The mean over the replicates."""
        return fmean(self.found)

    @property
    def spread(self) -> float | None:
        """The standard deviation over the replicates; None for one."""
        return stdev(self.found) if len(self.found) > 1 else None

    @property
    def slack(self) -> float | None:
        """How far ours is from the limit of its tolerance (negative: beyond it); None without one."""
        if self.published is None or self.tolerance is None:
            return None
        return self.tolerance - abs(self.ours - self.published)

    @property
    def inside(self) -> bool:
        """Whether ours is within the tolerance, with room for the rounding of what is compared."""
        return self.slack is None or self.slack >= -1e-9


class Verdict(StrEnum):
    """What a finding is: a promise kept or broken, or a comparison with what the paper says."""

    HOLDS = "holds"
    BROKEN = "BROKEN"
    AGREES = "agrees"
    DIFFERS = "differs"
    NEW = "new"


@dataclass(frozen=True)
class Finding:
    """One thing that the cells show, in words. ``new``: the paper says nothing about it."""

    verdict: Verdict
    text: str


@dataclass(frozen=True)
class Outcome:
    """All cells of a paper's tables, run again, and what they show."""

    paper: str
    cells: tuple[Cell, ...]
    findings: tuple[Finding, ...] = ()

    @property
    def outside(self) -> list[Cell]:
        """The cells that are out of tolerance."""
        return [cell for cell in self.cells if not cell.inside]

    @property
    def failed(self) -> bool:
        """Whether a cell is out of tolerance or a promise broken."""
        return bool(self.outside) or any(f.verdict is Verdict.BROKEN for f in self.findings)

    def to_json(self) -> str:
        """The cells, and the findings if there are any, as JSON."""
        cells = [_plain(cell) for cell in self.cells]
        document = {"format": "unmask-paper", "version": 1, "paper": self.paper, "cells": cells}
        if self.findings:
            document["findings"] = [asdict(finding) for finding in self.findings]
        return json.dumps(document, indent=2) + "\n"


def _plain(cell: Cell) -> dict[str, object]:
    """A cell as plain data; how it is shown is left out."""
    shown = {"ours": cell.ours, "spread": cell.spread, "inside": cell.inside}
    return {key: value for key, value in asdict(cell).items() if key != "digits"} | shown


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

    def cells(self, replicates: int, seed: int) -> Iterator[Cell]:
        """The cells, as they are done."""
        ...

    def findings(self, cells: Sequence[Cell]) -> Sequence[Finding]:
        """What the cells show, where a tolerance does not say it all."""
        ...

    def __len__(self) -> int:
        """How many cells there are."""
        ...


def run(paper: Paper, replicates: int, seed: int, advance: Callable[[Cell], None] | None = None) -> Outcome:
    """Run a paper's tables again."""
    cells = tuple(_each(paper.cells(replicates, seed), advance))
    return Outcome(paper.name, cells, tuple(paper.findings(cells)))


def _each(cells: Iterable[Cell], advance: Callable[[Cell], None] | None) -> Iterator[Cell]:
    for cell in cells:
        if advance is not None:
            advance(cell)
        yield cell
