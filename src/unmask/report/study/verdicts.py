"""What the policy says of each mask: in a few words, and criterion by criterion."""

from __future__ import annotations

from dataclasses import dataclass

from unmask.documents.study import CandidateSection
from unmask.documents.verdict import Verdict
from unmask.report.page import Section
from unmask.report.phrases import items
from unmask.report.study.places import MapPlaces


@dataclass(frozen=True)
class VerdictRow:
    """One criterion for one mask, with the numbers in a sentence."""

    mask: str
    title: str
    verdict: Verdict
    why: str


def verdict_words(places: MapPlaces, candidate: CandidateSection, who: str | None) -> str:
    """The verdict, and which criteria keep it from being met; nothing without a policy."""
    verdict = places.verdict(candidate, who)
    if verdict is None or verdict is Verdict.MET:
        return "" if verdict is None else verdict.value
    criteria = (one for section in places.verdicts(candidate, who) for one in section.criteria)
    titles = list(dict.fromkeys(one.title for one in criteria if one.verdict is verdict))
    return f"{verdict.value}: {items(titles)}" if titles else verdict.value


def policy_section(places: MapPlaces) -> Section | None:
    """Every criterion for every mask, where there is a policy."""
    rows = verdict_rows(places)
    if not rows:
        return None
    first = next(one for candidate in places.document.candidates for one in candidate.verdicts)
    part = {"title": first.title, "source": first.source, "note": first.note, "rows": rows}
    return Section("policy", "What the policy says", "study_policy.html.jinja", part)


def verdict_rows(places: MapPlaces) -> list[VerdictRow]:
    """One row per mask, intruder and criterion, in the order of the table of masks."""
    return [
        VerdictRow(one.mask, criterion.title, criterion.verdict, criterion.why)
        for one in places.ordered
        for section in one.verdicts
        for criterion in section.criteria
    ]
