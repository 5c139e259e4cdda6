"""The decision page as the first section of the report."""

from __future__ import annotations

from unmask.documents import AssessmentDocument
from unmask.documents.verdict import CriterionSection, Verdict
from unmask.report.decision import decision
from unmask.report.decision.pictures import picture, spread_picture
from unmask.report.page import Section

TITLE = "The decision on one page"


def decision_section(document: AssessmentDocument) -> Section:
    """The page, with its small pictures."""
    page = decision(document)
    pictures = {card.name: picture(card.span) for card in page.cards if card.span is not None}
    spread = page.who.spread if page.who is not None else None
    drawn = spread_picture(spread) if spread is not None and spread.points and spread.half else None
    criteria = () if page.verdict is None else sorted(page.verdict.criteria, key=_severity)
    part = {"decision": page, "pictures": pictures, "spread": drawn, "criteria": criteria}
    return Section("decision", TITLE, "decision.html.jinja", part)


def _severity(criterion: CriterionSection) -> int:
    """What is exceeded is read first, then what nobody can tell."""
    return (Verdict.EXCEEDED, Verdict.NOT_ESTIMABLE, Verdict.MET).index(criterion.verdict)
