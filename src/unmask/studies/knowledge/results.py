"""KnowledgeCurves: risk at every point of what the intruder may know, as tables, JSON and a report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from unmask.assessment.result import DocumentResult
from unmask.documents import KNOWLEDGE, KnowledgeDocument, Table
from unmask.documents.codec import plain
from unmask.documents.knowledge import PATH, SETS, AttributeSection, Steps
from unmask.measures.estimate import Row
from unmask.studies.knowledge.sets import Names, fallen, gains, minimal_sets

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False)
class KnowledgeCurves(DocumentResult[KnowledgeDocument]):
    """What an intruder finds by how much they know. Holds no value of a record.

    The table has four curves: ``sets``: all sets of up to a size; ``path``: from the best of them on, the
    attribute added that raises the risk most, until all are known; ``error`` and ``share``: all attributes
    known with error, and of a share of the people. One row per attack each.
    """

    format = KNOWLEDGE

    @cached_property
    def best(self) -> dict[Names, Row]:
        """Each set that was tried, with the attack that finds most; sets without a value are left out."""
        return best_rows((*self.document.curve(SETS), *self.document.curve(PATH)))

    def everything(self) -> Row | None:
        """The best attack of the intruder who knows every attribute."""
        return self.best.get(tuple(attribute.name for attribute in self.document.scenario.attributes))

    def minimal_sets(self) -> tuple[Row, ...]:
        """The sets that reach the threshold while none of their proper subsets does, among all sets tried."""
        return tuple(self.best[names] for names in self.document.minimal)

    def table(self) -> pl.DataFrame:
        """All points as a frame: curve, known, size, error, targets, attack, measure, value, ..."""
        import polars as pl

        return self.document.table.frame().with_columns(pl.col("known").list.len().alias("size"))

    def by_attribute(self) -> pl.DataFrame:
        """One row per attribute: the risk of knowing it alone, and what it adds on average to a set."""
        import polars as pl

        schema = {"attribute": pl.String, "alone": pl.Float64, "gain": pl.Float64, "minimal_sets": pl.Int64}
        return pl.DataFrame(plain(self.document.by_attribute), schema=schema)


def summed_up(
    table: Table, names: Names, threshold: float | None
) -> tuple[Steps, tuple[AttributeSection, ...], tuple[Names, ...]]:
    """What follows from the rows: steps that lower the risk, what each attribute does, the minimal sets.

    It rests on the enumerated sets alone: those of the path were chosen for their risk.
    """
    rows = table.where(curve=SETS).rows
    risk = {known: row.estimate.number or 0.0 for known, row in best_rows(rows).items()}
    minimal = [] if threshold is None else minimal_sets(risk, threshold)
    chance = next((row.estimate.baseline for row in rows if row.estimate.baseline is not None), None)
    added = gains(risk, chance or 0.0)
    sections = [
        AttributeSection(
            name, risk.get((name,)), added.get(name), sum(name in members for members in minimal)
        )
        for name in names
    ]
    # As a frame sorts them: what has no gain comes first.
    sections.sort(key=lambda part: (part.gain is not None, -(part.gain or 0.0)))
    return Steps(*fallen(risk)), tuple(sections), tuple(minimal)


def best_rows(rows: Iterable[Row]) -> dict[Names, Row]:
    """The row of the highest value of each set, the first of equals."""
    best: dict[Names, Row] = {}
    for row in rows:
        known, value = row.keys.known or (), row.estimate.number
        held = best.get(known)
        if value is not None and (held is None or value > (held.estimate.number or 0.0)):
            best[known] = row
    return best
