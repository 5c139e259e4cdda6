"""The decision page on the terminal: about thirty lines, in the order of the page."""

from __future__ import annotations

from collections.abc import Iterable

from unmask.cli.terminal import out, say, show_rows
from unmask.documents import AssessmentDocument
from unmask.documents.verdict import VerdictSection
from unmask.report.decision import Card, DecisionPage, decision
from unmask.report.phrases import capital

#: So many lines of what helps, what drives, and who stands out; the page has all of them.
MOST = 3


def show_decision(document: AssessmentDocument) -> None:
    """The answer, how far to trust it, the cards, who, through what, and what would help."""
    page = decision(document)
    say([*page.answer, *([page.facts] if page.facts else [])])
    if page.verdict is not None:
        show_verdict(page.verdict)
    out.print()
    _show_trust(page)
    out.print()
    show_rows(("question", "answer", "beside"), [_card(card) for card in page.cards])
    _show_who(page)
    _show_through(page)
    _show_helping(page)


def show_verdict(verdict: VerdictSection) -> None:
    """What a policy says, in one line for each of its criteria."""
    out.print()
    say([f"policy: {verdict.title} ({verdict.policy}): {verdict.verdict}"])
    say(f"policy: {one.verdict}: {one.why}" for one in verdict.criteria)


def _show_trust(page: DecisionPage) -> None:
    """What the reader must know; what may make the numbers too low is marked."""
    say(f"{'! ' if one.serious else '  '}{one.text}" for one in page.trust)


def _card(card: Card) -> tuple[str, str, str]:
    """A card as a row; where it has no number, the beginning of the reason stands in its place."""
    if card.beyond is None:
        return (card.question, card.number, card.why.partition(" (")[0].rstrip("."))
    beside = card.beside if card.beyond or not card.risk else f"{card.beside}, nothing beyond it"
    interval = card.interval.removeprefix("95% interval ")
    return (card.question, card.number, "; ".join(part for part in (beside, interval, card.about) if part))


def _show_who(page: DecisionPage) -> None:
    who = page.who
    if who is None:
        return
    out.print()
    groups = [f"{g.attribute} = {g.group}: {g.rate} (others {g.others})" for g in who.groups[:MOST]]
    _paragraph("Who", [*who.sentences, who.verdict, *(["; ".join(groups)] if groups else [])])


def _show_through(page: DecisionPage) -> None:
    through = page.through
    if through is None:
        return
    falls = [f"{line.attribute} ({line.text})" for line in through.lines[:MOST]]
    told = f"If the intruder did not know it, {through.title} would find: {', '.join(falls)}."
    _paragraph("Through what", [told, through.weights])


def _show_helping(page: DecisionPage) -> None:
    helping = page.helping
    if helping is None:
        return
    if not helping.lines:
        _paragraph("What would help", [helping.nothing])
        if helping.study:
            out.print(f"  {helping.study}", soft_wrap=True, markup=False, highlight=False)
        return
    out.print()
    rows = [(capital(h.text), f"{helping.before} -> {h.after}", h.lost) for h in helping.lines[:MOST]]
    show_rows(("what would help", f"found by {helping.title}", "detail lost"), rows)


def _paragraph(title: str, sentences: Iterable[str]) -> None:
    say([f"{title}: {' '.join(part for part in sentences if part)}"])
