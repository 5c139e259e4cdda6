"""The decision page: what a person who must sign reads first, as one value that every face shows.

Terminal, HTML page and notebook show the same parts in the same order: which file and for whom, the answer,
how far to trust it, a card for each question, who is at risk, through what, what would help, and what is not
said.
"""

from __future__ import annotations

from dataclasses import dataclass

from unmask.documents import AssessmentDocument
from unmask.documents.verdict import VerdictSection
from unmask.report.decision.answer import answer, facts
from unmask.report.decision.cards import Card, cards
from unmask.report.decision.file import Fact, file_facts
from unmask.report.decision.helping import Help, helping
from unmask.report.decision.through import Through, through
from unmask.report.decision.trust import Caution, cautions
from unmask.report.decision.usefulness import usefulness
from unmask.report.decision.who import Who, who

__all__ = ["Card", "Caution", "DecisionPage", "Fact", "Help", "Through", "Who", "decision"]

#: How the cards are ordered where no policy says what matters.
ORDER = (
    "No policy was given, so nothing here is called acceptable or not. The cards come in the order of how "
    "many people they concern beyond the baseline."
)
#: Where the last card is no risk.
LAST = " What the release is still good for comes last: a loss is no risk."

NOT_SAID = (
    "The numbers hold for the attacks, the intruder and the files named here. An intruder who knows more, or "
    "an attack that was not tried, may find more people."
)


@dataclass(frozen=True, eq=False)
class DecisionPage:
    """All that the decision page says.

    ``answer``: one to three sentences; ``facts``: what intruders who know less find; ``rule``: by which the
    cards are ordered; ``verdict``: what the policy says, if there is one.
    """

    file: tuple[Fact, ...]
    answer: tuple[str, ...]
    facts: str
    verdict: VerdictSection | None
    trust: tuple[Caution, ...]
    cards: tuple[Card, ...]
    rule: str
    who: Who | None
    through: Through | None
    helping: Help | None
    not_said: str = NOT_SAID


def decision(document: AssessmentDocument) -> DecisionPage:
    """The decision page of an assessment.

    >>> from unmask.documents import Table
    >>> from unmask.documents.sections import FileSizes, ScenarioSection
    >>> scenario, sizes = ScenarioSection("knows 1 attribute", (), "ignore"), FileSizes(3, 3, 3, 0, 3)
    >>> page = decision(AssessmentDocument("0.1.0", 0, scenario, sizes, (), (), None, Table()))
    >>> page.answer[0]
    'Re-identification is not estimable: it was not measured.'
    """
    risks, good_for = cards(document), usefulness(document)
    rule = ORDER + (LAST if good_for else "")
    return DecisionPage(
        file_facts(document),
        answer(document),
        facts(document),
        document.verdict,
        cautions(document),
        (*risks, *good_for),
        "" if document.verdict is not None else rule,
        who(document),
        through(document),
        helping(document),
    )
