"""Muralidhar and Domingo-Ferrer (2016): DBRL against rank-based linkage, tables 1 to 5.

Each cell is the share of correctly linked records, in percent, averaged over random masked files. Ties
are read as expected values. Microaggregation is not random: one run gives its cells.

Tolerances: a random cell is within 1 point of the published mean of 100 replicates. Without randomness
(table 5), rank-based cells are within 0.1 and DBRL cells within 1.
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
from unmask.papers.base import Cell, Finding
from unmask.papers.data import reference_file
from unmask.randomness import generator
from unmask.studies.assess import assess

ATTACKS = ("dbrl", "rbrl-sum", "rbrl-max")
Published = tuple[float, float, float]


@dataclass(frozen=True)
class PublishedTable:
    """One table for one file: the mask as a function of its parameter, and the published rows."""

    title: str
    file: str
    parameter: str
    mask: Callable[[float], Mask]
    rows: dict[float, Published]
    tolerance: float
    dbrl_tolerance: float
    random: bool = True


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
        }, 1, 1,
    ),
    PublishedTable(
        "1 independent noise", "eia", "a", Noise,
        {
            0.10: (20.2, 12.1, 7.9),
            0.25: (7.6, 3.7, 2.3),
            0.50: (2.5, 1.2, 0.7),
            0.75: (1.1, 0.6, 0.4),
            1.00: (0.6, 0.3, 0.2),
        }, 1, 1,
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
        }, 1, 1,
    ),
    PublishedTable(
        "2 rank swapping", "eia", "p", RankSwapping,
        {
            1: (75.6, 85.8, 93.6),
            5: (13.8, 18.2, 45.1),
            10: (2.5, 4.0, 10.0),
            25: (0.2, 0.3, 0.5),
            50: (0.1, 0.1, 0.1),
        }, 1, 1,
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
        }, 1, 1,
    ),
    PublishedTable(
        "4 multiplicative noise", "census", "b", MultiplicativeNoise,
        {
            0.10: (99.0, 99.7, 98.9),
            0.25: (64.7, 81.5, 73.5),
            0.50: (18.2, 31.5, 22.5),
            0.75: (6.1, 10.7, 7.9),
            1.00: (3.0, 4.1, 3.5),
        }, 1, 1,
    ),
    PublishedTable(
        "4 multiplicative noise", "eia", "b", MultiplicativeNoise,
        {
            0.10: (64.2, 76.5, 79.4),
            0.25: (19.2, 32.6, 38.5),
            0.50: (4.1, 11.4, 13.7),
            0.75: (1.5, 4.6, 5.6),
            1.00: (0.8, 1.7, 2.0),
        }, 1, 1,
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
        }, 0.1, 1, random=False,
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
        }, 0.1, 1, random=False,
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
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(ATTACKS) * sum(len(table.rows) for table in self.tables)

    def cells(self, replicates: int, seed: int) -> Iterator[Cell]:
        """Three cells (DBRL, RBRL-Sum, RBRL-Max) for each row of each table."""
        files = {name: _file(name) for name in sorted({table.file for table in self.tables})}
        for table in self.tables:
            for parameter, published in table.rows.items():
                runs = replicates if table.random else 1
                found = [_linked(files[table.file], table.mask(parameter), seed + r) for r in range(runs)]
                for attack, value in zip(ATTACKS, published, strict=True):
                    yield Cell(
                        f"Table {table.title}, {table.file}",
                        f"{table.parameter}={parameter:g}",
                        attack,
                        value,
                        tuple(run[attack] for run in found),
                        table.dbrl_tolerance if attack == "dbrl" else table.tolerance,
                    )

    def findings(self, cells: Sequence[Cell]) -> tuple[Finding, ...]:
        """None: tolerances say what there is to say."""
        return ()


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
