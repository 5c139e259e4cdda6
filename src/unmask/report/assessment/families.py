"""What is learned without linking: the measures of the whole file, family by family.

What is no more than an intruder would reach without the release, or by chance, is no finding: it stands
folded behind the findings of its family.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unmask.about import Family
from unmask.documents import AssessmentDocument
from unmask.measures.estimate import Row
from unmask.measures.families import MEMBERSHIP
from unmask.report.numbers import count, number
from unmask.report.page import Section
from unmask.report.phrases import no_more_than_chance, not_estimable

#: What is said of a value that is no finding.
NO_MORE = "no more than chance"


@dataclass(frozen=True)
class FindingLine:
    """One line about the file; where there is no value, its reason.

    ``n``: how many people or records it speaks of, and of how many; ``chance``: that it is no finding, in
    words; ``others``: how many more lines there are.
    """

    name: str
    title: str
    subject: str
    n: str
    value: str
    interval: str
    baseline: str
    reason: str
    chance: str = ""
    others: int = 0


@dataclass(frozen=True)
class FamilyTable:
    """The findings of one family, what is no finding (``nothing``), and what they mean in words."""

    family: Family
    rows: tuple[FindingLine, ...]
    told: tuple[str, ...]
    nothing: tuple[FindingLine, ...] = ()

    @property
    def folded(self) -> str:
        """How much is no finding, in a line."""
        values, measures = len(self.nothing), len({line.name for line in self.nothing})
        return (
            f"Nothing beyond what is known anyway, or than chance gives: {values} "
            f"{'value' if values == 1 else 'values'} of {measures} "
            f"{'measure' if measures == 1 else 'measures'}"
        )

    def section(self) -> Section:
        """The family as a section of its own."""
        name = f"family-{self.family.name}"
        return Section(name, self.family.title, "family.html.jinja", {"table": self})


def family_sections(document: AssessmentDocument) -> dict[str, Section]:
    """One section per family of measures that were taken of the file, by the family's name."""
    return {table.family.name: table.section() for table in family_tables(document)}


def family_tables(document: AssessmentDocument) -> list[FamilyTable]:
    """The findings by family, in the order in which the document has them."""
    grouped: dict[str, list[Row]] = {}
    families: dict[str, Family] = {}
    for row in document.of_file:
        family = document.methods.about(row.keys.measure).family
        families.setdefault(family.name, family)
        grouped.setdefault(family.name, []).append(row)
    return [_table(document, families[name], rows) for name, rows in grouped.items()]


def _table(document: AssessmentDocument, family: Family, rows: Sequence[Row]) -> FamilyTable:
    lines = [finding(document, row) for row in rows]
    meanings = [row.estimate.meaning for row in rows if row.estimate.estimable]
    told = dict.fromkeys(meaning for meaning in meanings if meaning)
    return FamilyTable(
        family,
        tuple(line for line in lines if not line.chance),
        tuple(told),
        tuple(line for line in lines if line.chance),
    )


def finding(document: AssessmentDocument, row: Row, others: int = 0) -> FindingLine:
    """A row of the table as people read it."""
    keys, estimate = row.keys, row.estimate
    name, title = keys.measure, document.methods.title(keys.measure)
    subject, n = keys.subject or "the whole file", _among(document, row)
    if estimate.number is None:
        return FindingLine(name, title, subject, n, "", "", "", not_estimable(estimate), others=others)
    low, high, baseline = (
        number(part, estimate.unit) for part in (estimate.low, estimate.high, estimate.baseline)
    )
    interval = f"{low} to {high}" if low and high else ""
    value = number(estimate.number, estimate.unit)
    chance = NO_MORE if no_more_than_chance(estimate) else ""
    return FindingLine(name, title, subject, n, value, interval, baseline, "", chance, others)


def _among(document: AssessmentDocument, row: Row) -> str:
    """How many people or records a row speaks of; of how many, where these are not all of the release."""
    n, released = row.estimate.n, document.sizes.released
    # Who is told from outsiders is drawn among both: that is no part of the release.
    outside = document.methods.about(row.keys.measure).family.name == MEMBERSHIP.name
    return count(n) if outside or n >= released else f"{count(n)} of {count(released)}"
