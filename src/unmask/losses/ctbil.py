"""CTBIL: by how many people the cells of small tables are wrong."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.losses.base import Values
from unmask.losses.checks import at_least
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import DISTRIBUTIONS
from unmask.losses.margins import ORDERS, Table, TableShares, tables, why_no_shares
from unmask.measures.estimate import NotEstimable, Unit


@dataclass(frozen=True)
class CTBIL:
    """The mean change of a cell, in people, of the tables of up to ``k`` attributes (2001).

        CTBIL = sum_T sum_{c in T} |f_c - f'_c| / sum_T |T|

    over the tables T and their cells c, with f the frequencies (sums of weights) in the original, f' those in
    the release times the ratio of the sizes of the two files, and |T| the number of combinations of classes
    that occur, the empty ones included. The scale is people of the original: a file of twice as many people
    has twice the value. Classes of numbers, missing values and ``tables`` (the most per number of attributes)
    are as in ``total-variation``. Tables with many empty cells make it small: compare releases of one file
    by it, never files.

    >>> from unmask.data.schema import Kind
    >>> from unmask.losses.evidence import LossAttribute, Side
    >>> sex = LossAttribute("sex", Kind.NOMINAL, 2)
    >>> x, y = (Side({"sex": np.array(v, np.int32)}, np.ones(4)) for v in ([0, 0, 1, 1], [0, 0, 0, 1]))
    >>> CTBIL().values(LossEvidence((sex,), x, y, np.arange(4)))[None]
    1.0
    """

    name: ClassVar[str] = "ctbil"
    unit: ClassVar[Unit] = Unit.LEVEL
    examples: ClassVar[tuple[str, ...]] = ("ctbil:k=1", "ctbil:k=4,tables=3")
    about = About(
        title="mean change of a cell of tables (CTBIL)",
        family=DISTRIBUTIONS,
        sentence="By how many people a cell of a table of one or two attributes is wrong on average.",
        source="J. Domingo-Ferrer and V. Torra (2001), Disclosure control methods and information loss for "
        "microdata, Confidentiality, Disclosure, and Data Access, Elsevier, 91-110.",
        rank=4,
    )
    k: int = 2
    tables: int = 200

    def __post_init__(self) -> None:
        at_least(1, "k", self.k)
        at_least(1, "the number of tables", self.tables)

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs records in both files, and an attribute."""
        return why_no_shares(evidence)

    def values(self, evidence: LossEvidence) -> Values:
        """The mean over all cells, over those of tables of each order, and of each attribute."""
        margins = TableShares.of(evidence)
        people = float(evidence.original.weights.sum())
        # A sample stands for everybody.
        people *= max(1.0, evidence.people / len(evidence.original))
        by_order = {
            order: [_changed(margins, table) for table in tables(evidence, order, self.tables)]
            for order in range(1, min(self.k, len(evidence.attributes)) + 1)
        }
        values: dict[str | None, float | NotEstimable] = {
            None: people * _mean([one for found in by_order.values() for one in found])
        }
        for attribute in evidence.attributes:
            values[attribute.name] = people * _mean([_changed(margins, (attribute.name,))])
        for order, found in by_order.items():
            values[ORDERS.get(order, f"tables of {order} attributes")] = people * _mean(found)
        return values


def _changed(margins: TableShares, table: Table) -> tuple[float, int]:
    """The sum of the differences of a table's shares, and its number of cells."""
    p, q = margins.shares(table)
    return float(np.abs(p - q).sum()), prod(margins.sizes[name] for name in table)


def _mean(found: list[tuple[float, int]]) -> float:
    return sum(changed for changed, _ in found) / sum(cells for _, cells in found)
