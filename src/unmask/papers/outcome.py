"""A paper run again: which cells, and which tables, differ from the published ones by more than chance.

The rule, at a level of 1% for the cells of a paper and 1% for its tables:

- a random cell is out if its z is beyond what chance reaches in any of so many cells (Bonferroni);
- a table is out if the root mean square of its z, or the z of its average, is beyond what chance reaches in
  any of so many tables. The first shows differences that no single cell shows, the second a bias;
- a cell without chance is out if it is beyond its tolerance;
- a cell without a single link where the paper found some never counts as near. It is out, unless so few
  replicates could be without a link by chance: then it is undecided.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cached_property
from math import sqrt
from statistics import fmean

from unmask.engines.watcher import Watcher
from unmask.papers import chance
from unmask.papers.base import Cell, Finding, FindingKind, Paper
from unmask.papers.chance import Precision

#: Room for the rounding of a difference that is compared with a tolerance.
_ROUNDING = 1e-9


#: The name of all tables together.
TOGETHER = "all tables"


class Nearness(StrEnum):
    """Whether a cell is as near to the published one as it must be."""

    NEAR = "near"
    OUT = "OUT"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class TableFit:
    """How near the random cells of a table are to the published ones.

    ``root_mean_square``: of the cells' z, about 1 by chance alone, and between ``limits``; ``bias``: the mean
    difference, with its z and what chance allows.
    """

    table: str
    cells: int
    root_mean_square: float
    limits: tuple[float, float]
    bias: float
    bias_z: float
    bias_allowed: float

    @property
    def out(self) -> bool:
        """Whether the table as a whole differs by more than chance."""
        return self.root_mean_square > self.limits[1] or abs(self.bias) > self.bias_allowed


@dataclass(frozen=True)
class Outcome:
    """All cells of a paper's tables, run again, and what they show."""

    paper: str
    cells: tuple[Cell, ...]
    findings: tuple[Finding, ...] = ()

    @cached_property
    def judged(self) -> list[Cell]:
        """The cells that are held against the published ones."""
        return [c for c in self.cells if c.published is not None and (c.precision or c.tolerance is not None)]

    @cached_property
    def random(self) -> list[Cell]:
        """The cells that chance judges."""
        return [cell for cell in self.judged if cell.precision is not None]

    @cached_property
    def outside(self) -> list[Cell]:
        """The cells that are out."""
        return [cell for cell in self.judged if self.nearness(cell) is Nearness.OUT]

    def nearness(self, cell: Cell) -> Nearness:
        """Whether a cell that is judged is near."""
        if cell.precision is None:
            assert cell.difference is not None
            assert cell.tolerance is not None
            inside = abs(cell.difference) <= cell.tolerance + _ROUNDING and not cell.empty
            return Nearness.NEAR if inside else Nearness.OUT
        if cell.z is not None and abs(cell.z) > chance.limit(len(self.random)):
            return Nearness.OUT
        if cell.empty:
            assert cell.published is not None
            none = chance.none_by_chance(len(cell.found), cell.published, cell.precision)
            return Nearness.OUT if none < chance.LEVEL / len(self.random) else Nearness.UNDECIDED
        return Nearness.UNDECIDED if cell.z is None else Nearness.NEAR

    @cached_property
    def fits(self) -> tuple[TableFit, ...]:
        """Table by table, how near the random cells are; of several tables, all together come last."""
        with_z = [cell for cell in self.random if cell.z is not None]
        tables = {name: [c for c in with_z if c.table == name] for name in (c.table for c in with_z)}
        if len(tables) > 1:
            tables[TOGETHER] = with_z
        return tuple(_fit(name, cells, 2 * len(tables)) for name, cells in tables.items())

    @property
    def failed(self) -> bool:
        """Whether a cell or a table is out, or a promise broken."""
        broken = any(finding.verdict is FindingKind.BROKEN for finding in self.findings)
        return broken or bool(self.outside) or any(fit.out for fit in self.fits)

    def to_json(self) -> str:
        """The cells, how near the tables are, and the findings if there are any, as JSON."""
        cells = [self._plain(cell) for cell in self.cells]
        document = {"format": "unmask-paper", "version": 2, "paper": self.paper, "cells": cells}
        if self.fits:
            document["tables"] = [asdict(fit) | {"out": fit.out} for fit in self.fits]
        if self.findings:
            document["findings"] = [asdict(finding) for finding in self.findings]
        return json.dumps(document, indent=2) + "\n"

    def _plain(self, cell: Cell) -> dict[str, object]:
        """A cell as plain data; how it is shown is left out."""
        shown: dict[str, object] = {"ours": cell.ours, "spread": cell.spread, "z": cell.z}
        shown["nearness"] = self.nearness(cell) if cell in self.judged else None
        return {key: value for key, value in asdict(cell).items() if key != "digits"} | shown


def _fit(table: str, cells: Sequence[Cell], comparisons: int) -> TableFit:
    """How near the cells of a table are; its average is judged as a cell is."""
    found = [cell.found for cell in cells]
    average = tuple(fmean(replicate) for replicate in zip(*found, strict=True))
    published = fmean(cell.published or 0.0 for cell in cells)
    one = cells[0].precision
    assert one is not None
    # Roundings are independent of each other and average out.
    precision = Precision(one.runs, one.step / sqrt(len(cells)), one.link / len(cells))
    return TableFit(
        table,
        len(cells),
        chance.root_mean_square([cell.z or 0.0 for cell in cells]),
        chance.root_mean_square_limits(chance.independent(found), comparisons),
        fmean(average) - published,
        chance.deviate(average, published, precision) or 0.0,
        chance.allowance(average, precision, comparisons),
    )


def run(paper: Paper, replicates: int, seed: int, watcher: Watcher | None = None) -> Outcome:
    """Run a paper's tables again."""
    watcher = watcher or Watcher()
    total, done = paper.steps(replicates), 0
    watcher.begin(paper.name)

    def step() -> None:
        nonlocal done
        done += 1
        watcher.advance(done, total)

    cells = tuple(paper.cells(replicates, seed, step))
    return Outcome(paper.name, cells, tuple(paper.findings(cells)))
