"""The three criteria of WP29: what in this result speaks of singling out, of linkability and of inference.

Article 29 Data Protection Working Party (2014), Opinion 05/2014 on anonymisation techniques, WP 216.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unmask.documents import EXPECTED, AssessmentDocument
from unmask.measures.estimate import Row, Unit
from unmask.measures.families import ATTRIBUTE, UNIQUENESS
from unmask.report.assessment.short import surest_of
from unmask.report.numbers import number
from unmask.report.page import Section
from unmask.report.phrases import more_than_otherwise

NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class Wp29Criterion:
    """One of the three: its name, its question, and which measures and families speak of it."""

    name: str
    question: str
    measures: tuple[str, ...]
    families: tuple[str, ...] = ()
    attacks: bool = False

    def hears(self, document: AssessmentDocument, row: Row) -> bool:
        """Whether a row speaks of it."""
        if row.keys.attack is not None:
            real = row.keys.attack in document.real_attacks()
            return self.attacks and real and row.keys.measure == EXPECTED
        about = document.methods.about(row.keys.measure)
        # Who has found a record reads all of it: that is linkage, and not inference.
        return row.keys.measure.startswith(self.measures) or (
            about.family.name in self.families and not about.own_record
        )


CRITERIA = (
    Wp29Criterion(
        "singling out",
        "Can a person be told from everybody else?",
        ("singling-out", "replicated-uniques"),
        (UNIQUENESS.name,),
        attacks=True,
    ),
    Wp29Criterion(
        "linkability",
        "Can two records, or what two sources know, be linked to one person?",
        ("linkability",),
        attacks=True,
    ),
    Wp29Criterion(
        "inference",
        "Can a value be told of a person that the intruder does not know?",
        ("inference", "disco", "cap-"),
        (ATTRIBUTE.name,),
    ),
)


@dataclass(frozen=True)
class CriterionLine:
    """One criterion as the table shows it: its worst value, beside what, by what, and what else speaks of it.

    ``verdict``: whether the value is more than its baseline, in words.
    """

    name: str
    question: str
    value: str
    interval: str
    baseline: str
    by: str
    others: str
    verdict: str


def criteria_section(document: AssessmentDocument) -> Section | None:
    """The three criteria of a synthetic release; None of others, which have their own chapters."""
    understood = document.understood
    if understood is None or not (understood.rows.by == "nobody" or understood.rows.synthetic):
        return None
    lines = criterion_lines(document)
    title = "Singling out, linkability, inference"
    return Section("criteria", title, "criteria.html.jinja", {"lines": lines})


def criterion_lines(document: AssessmentDocument) -> list[CriterionLine]:
    """One line per criterion."""
    rows = [row for row in (*document.table.attacks, *document.of_file) if _is_share(row)]
    return [_line(document, one, [row for row in rows if one.hears(document, row)]) for one in CRITERIA]


def _is_share(row: Row) -> bool:
    return row.estimate.number is not None and row.estimate.unit is Unit.SHARE


def _line(document: AssessmentDocument, one: Wp29Criterion, rows: Sequence[Row]) -> CriterionLine:
    if not rows:
        return CriterionLine(one.name, one.question, NOT_MEASURED, "", "", "", "", "")
    by_method: dict[str, list[Row]] = {}
    for row in rows:
        by_method.setdefault(row.keys.attack or row.keys.measure, []).append(row)
    # Of a measure the finding that stands for it; then the largest beyond what would be reached anyway. What
    # may be chance comes after all that is not, however large: else it would hide the others.
    leading = {name: surest_of(document, found) for name, found in by_method.items()}
    worst = max(leading, key=lambda name: _sureness(leading[name]))
    row, e = leading[worst], leading[worst].estimate
    of = f", {row.keys.subject}" if row.keys.subject else ""
    both = e.low is not None and e.high is not None
    return CriterionLine(
        one.name,
        one.question,
        number(e.number, e.unit),
        f"{number(e.low, e.unit)} to {number(e.high, e.unit)}" if both else "",
        number(e.baseline, e.unit),
        f"{document.methods.title(worst)}{of}",
        "; ".join(document.methods.title(name) for name in leading if name != worst),
        _verdict(row),
    )


def _sureness(row: Row) -> tuple[bool, float]:
    """Whether a value is more than its baseline with its whole interval, and by how much."""
    e = row.estimate
    return more_than_otherwise(e), (e.number or 0.0) - (e.baseline or 0.0)


def _verdict(row: Row) -> str:
    if row.estimate.baseline is None:
        return ""
    return "more than otherwise" if more_than_otherwise(row.estimate) else "no more than otherwise"
