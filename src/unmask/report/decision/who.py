"""Who: how the risk is spread over people, and which groups stand out."""

from __future__ import annotations

from dataclasses import dataclass

from unmask.documents import EXPECTED, AssessmentDocument
from unmask.documents.conclusion import GROUP, SpreadSection
from unmask.report.numbers import among, count, people, percent


@dataclass(frozen=True)
class GroupLine:
    """A group that is found more often than the others."""

    attribute: str
    group: str
    people: int
    rate: str
    others: str


@dataclass(frozen=True)
class Who:
    """The spread in sentences and as a curve; the groups that stand out, of how many that were tested."""

    sentences: tuple[str, ...]
    spread: SpreadSection | None
    groups: tuple[GroupLine, ...]
    tested: int

    @property
    def verdict(self) -> str:
        """What is said of the groups together."""
        if not self.tested:
            return ""
        if not self.groups:
            return f"None of the {count(self.tested)} groups tested is found more often than the others."
        stand = "1 stands" if len(self.groups) == 1 else f"{len(self.groups)} stand"
        return f"Of {count(self.tested)} groups tested, {stand} out (5% level, for all tests together)."


def who(document: AssessmentDocument) -> Who | None:
    """Who is at risk; None where that was not worked out."""
    conclusion = document.conclusion
    if conclusion is None:
        return None
    lines = []
    for row in document.table.where(curve=GROUP, measure=EXPECTED):
        e = row.estimate
        if e.number is not None and e.baseline is not None:
            group = (row.keys.subject or "", row.keys.people or "")
            lines.append(GroupLine(*group, e.n, among(e.number), among(e.baseline)))
    sentences = () if conclusion.spread is None else _spread(conclusion.spread)
    return Who(sentences, conclusion.spread, tuple(lines), conclusion.tested)


def _spread(spread: SpreadSection) -> tuple[str, ...]:
    if not spread.people or spread.none == spread.people:
        return ("Nobody's own record is among the nearest.",)
    certain = f"{people(spread.certain)} {'is' if spread.certain == 1 else 'are'} found for certain"
    likely = f"{count(spread.likely)} more likely than not" if spread.likely else ""
    none = f"of {count(spread.none)} the record is never the nearest" if spread.none else ""
    first = "; ".join(part for part in (certain, likely, none) if part)
    carried = (
        f"{people(spread.half)} ({percent(spread.half / spread.people)} of all) carry half of the risk, "
        f"{count(spread.most)} carry four fifths of it."
    )
    return (f"{first}.", carried)
