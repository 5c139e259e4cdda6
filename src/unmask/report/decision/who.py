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
            if self.tested == 1:
                return "The one group tested is not found more often than the others."
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
        return ("For nobody is their own record the best match.",)
    several = spread.likely + spread.possible
    parts = (
        f"The single best match is right for {people(spread.certain)}",
        f"for {count(several)} more the right record is one of several equally good ones" if several else "",
        f"for {count(spread.none)} it is never the best match" if spread.none else "",
    )
    carried = (
        f"{people(spread.half)} ({percent(spread.half / spread.people)} of all) carry half of the risk, "
        f"{count(spread.most)} carry four fifths of it."
    )
    return (f"{'; '.join(part for part in parts if part)}.", carried)
