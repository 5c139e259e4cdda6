"""Before and after: what the keys of the original file look like beside those of the release."""

from __future__ import annotations

from dataclasses import dataclass

from unmask.documents import AssessmentDocument
from unmask.documents.conclusion import BOTH
from unmask.measures.estimate import Estimate
from unmask.report.numbers import count, percent
from unmask.report.page import Section
from unmask.report.phrases import not_estimable, sentence, why_not

ORIGINAL, RELEASED = "original", "released"


@dataclass(frozen=True)
class BothLine:
    """One measure of both files."""

    name: str
    title: str
    original: str
    released: str


def both_files_section(document: AssessmentDocument) -> Section | None:
    """The table; None where the files were not held side by side."""
    lines = both_lines(document)
    sizes = document.sizes
    part = {
        "lines": lines,
        "reasons": both_reasons(document),
        "before": count(sizes.original),
        "after": count(sizes.released),
    }
    return Section("both-files", "Before and after", "both_files.html.jinja", part) if lines else None


def both_lines(document: AssessmentDocument) -> list[BothLine]:
    """One line per measure and attribute, of both files."""
    table = document.table.where(curve=BOTH)
    subjects = dict.fromkeys((row.keys.measure, row.keys.subject) for row in table)
    lines = []
    for measure, subject in subjects:
        found = [table.find(measure=measure, subject=subject, release=one) for one in (ORIGINAL, RELEASED)]
        title = document.methods.title(measure) + (f", {subject}" if subject else "")
        # Where neither file misses a value there is nothing to see.
        if subject is None or any(one is not None and one.number for one in found):
            lines.append(BothLine(measure, title, *map(_number, found)))
    return lines


def both_reasons(document: AssessmentDocument) -> list[str]:
    """Why some of these numbers are not there, each reason once."""
    lost = (row.estimate for row in document.table.where(curve=BOTH) if row.estimate.number is None)
    return [sentence(reason) for reason in dict.fromkeys(why_not(estimate) for estimate in lost)]


def _number(estimate: Estimate | None) -> str:
    """A count and its share of the file; where there is none, that: the reason is told once, below."""
    if estimate is None or estimate.number is None:
        return not_estimable(estimate).partition(":")[0]
    share = f" ({percent(min(1.0, estimate.number / estimate.n))})" if estimate.n else ""
    return f"{count(estimate.number)}{share}"
