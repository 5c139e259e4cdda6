"""Losses as people read them: each value between what drawing the people again loses and what no relation
leaves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from unmask.about import Family
from unmask.documents import Table
from unmask.documents.loss import ComparedSizes
from unmask.documents.sections import FileSizes, Methods, Provenance
from unmask.losses import INDEPENDENT, RESAMPLED
from unmask.measures.estimate import Estimate, Row, Unit
from unmask.report.numbers import number
from unmask.report.phrases import not_estimable

#: A loss below this was rounded on its way.
ROUNDING = 1e-12


class WithLosses(Protocol):
    """A document that has losses, alone or among other rows."""

    @property
    def sizes(self) -> FileSizes | ComparedSizes:
        """How many records there are."""
        ...

    @property
    def table(self) -> Table:
        """All that was measured."""
        ...

    @property
    def methods(self) -> Methods:
        """What each loss says of itself."""
        ...

    @property
    def provenance(self) -> Provenance:
        """What was asked."""
        ...

    @property
    def losses(self) -> tuple[str, ...]:
        """The losses among the measures of the table."""
        ...


@dataclass(frozen=True)
class LossLine:
    """One loss of the whole file, or of one attribute or part (``subject``); where there is no value, its
    reason.

    ``again``: what the same people drawn again lose, on average, and ``interval``: in 95 of 100 draws;
    ``apart``: what columns without any relation lose; ``sentence``: what the loss says.
    """

    name: str
    title: str
    subject: str
    value: str
    again: str
    interval: str
    apart: str
    sentence: str
    reason: str = ""


@dataclass(frozen=True)
class LossFamily:
    """The losses of one family: of the whole file, and of its attributes or parts."""

    family: Family
    lines: tuple[LossLine, ...]
    parts: tuple[LossLine, ...]

    @property
    def folded(self) -> str:
        """How much is told by attribute, in a line."""
        n = len(self.parts)
        return f"By attribute or part: {n} {'value' if n == 1 else 'values'}"


def loss_families(document: WithLosses) -> list[LossFamily]:
    """The losses by family, in the order in which the document has them."""
    grouped: dict[Family, list[Row]] = {}
    for row in loss_rows(document):
        grouped.setdefault(document.methods.about(row.keys.measure).family, []).append(row)
    return [
        LossFamily(
            family,
            tuple(loss_line(document, row) for row in rows if row.keys.subject is None),
            tuple(loss_line(document, row) for row in rows if row.keys.subject is not None),
        )
        for family, rows in grouped.items()
    ]


def lost(value: float | None, unit: Unit) -> str:
    """A loss in its unit; what rounding leaves of nothing is nothing.

    >>> lost(0.066, Unit.SHARE), lost(1e-17, Unit.SHARE), lost(2.5, Unit.LEVEL), lost(None, Unit.SHARE)
    ('6.6%', '0%', '2.5', '')
    """
    return number(0.0 if value is not None and abs(value) < ROUNDING else value, unit)


def loss_rows(document: WithLosses) -> tuple[Row, ...]:
    """The rows of losses, without their references."""
    return document.table.of(document.losses).where(attack=None, curve=None).rows


def references(document: WithLosses, loss: str) -> tuple[Estimate | None, Estimate | None]:
    """What the people drawn again lose, and what columns without relation do."""
    again, apart = (document.table.find(measure=loss, curve=curve) for curve in (RESAMPLED, INDEPENDENT))
    return again, apart


def loss_line(document: WithLosses, row: Row) -> LossLine:
    """A row of the table as people read it; of an attribute, the people drawn again have one number."""
    name, subject, e = row.keys.measure, row.keys.subject, row.estimate
    about = document.methods.about(name)
    if e.number is None:
        return LossLine(name, about.title, subject or "", "", "", "", "", about.sentence, not_estimable(e))
    again, apart = references(document, name) if subject is None else (None, None)
    low, high = (None, None) if again is None else (again.low, again.high)
    return LossLine(
        name,
        about.title,
        subject or "",
        lost(e.number, e.unit),
        lost(e.baseline, e.unit),
        "" if low is None or high is None else f"{lost(low, e.unit)} to {lost(high, e.unit)}",
        "" if apart is None else lost(apart.number, e.unit),
        about.sentence,
    )
