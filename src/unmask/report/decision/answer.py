"""The answer: the verdict or the headline, in whole people."""

from __future__ import annotations

from unmask.documents import EXPECTED, AssessmentDocument
from unmask.documents.conclusion import FACTS
from unmask.documents.verdict import Verdict
from unmask.report.assessment.headline import headline
from unmask.report.assessment.meaning import chance, told_apart
from unmask.report.decision.cards import of_synthesis
from unmask.report.numbers import among
from unmask.report.phrases import Reached, items


def answer(document: AssessmentDocument) -> tuple[str, ...]:
    """What the policy says, where there is one, what the best attack finds, and whether chance does too.

    Of a synthetic file, in which no attack looks for anybody, what it gives away stands before that.
    """
    by_chance = () if told_apart(document) else chance(document)
    found = (*_given_away(document), headline(document), *by_chance)
    return found if document.verdict is None else (_verdict(document), *found)


def _given_away(document: AssessmentDocument) -> tuple[str, ...]:
    """Of a synthetic file, in which nobody's record can be found: what it gives away most of people."""
    card = of_synthesis(document)
    if card is None or card.beyond is None:
        return ()
    told = "; ".join(part for part in (card.beside, card.interval) if part)
    most = f"{card.about}: {card.number} ({told})"
    if not card.beyond:
        return (f"What was tried gives away no more of single people than would be known anyway ({most}).",)
    return (f"What it gives away most of single people is told by {most}.",)


def _verdict(document: AssessmentDocument) -> str:
    verdict = document.verdict
    assert verdict is not None  # whoever asks has one
    counts = {kind: sum(one.verdict is kind for one in verdict.criteria) for kind in Verdict}
    every = len(verdict.criteria)
    noun = "criterion" if every == 1 else "criteria"
    if verdict.verdict is Verdict.MET:
        met = "the one criterion is met" if every == 1 else f"all {every} criteria are met"
        return f"Under the policy '{verdict.title}', {met}, for this intruder and these attacks."
    if verdict.verdict is Verdict.EXCEEDED:
        return f"The policy '{verdict.title}' is exceeded: {counts[Verdict.EXCEEDED]} of {every} {noun}."
    lacking = counts[Verdict.NOT_ESTIMABLE]
    return (
        f"Whether the policy '{verdict.title}' is met is not estimable: {lacking} of {every} {noun} "
        f"{'has' if lacking == 1 else 'have'} no number."
    )


def facts(document: AssessmentDocument) -> str:
    """What intruders find who know all, few, or nothing, in whole people; empty where that was not tried.

    The few facts are those that find most (the rows of FACTS); the last part is guessing.
    """
    best = Reached.of(document.best())
    rows = [row for row in document.table.where(curve=FACTS, measure=EXPECTED) if row.estimate.estimable]
    if best is None or not rows:
        return ""
    known = len(document.scenario.attributes)
    whom = "everyone" if document.sizes.targets >= document.sizes.original else "their targets"
    told = [f"An intruder who knows {_facts(known)} about {whom} finds {among(best.value)}"]
    for row in sorted(rows, key=lambda row: -len(row.keys.known or ())):
        names, value = row.keys.known or (), row.estimate.number
        if value is not None and len(names) < known:
            told.append(f"{_facts(len(names))} ({items(list(names))}): {among(value)}")
    if best.estimate.baseline is not None:
        told.append(f"guessing: {among(best.estimate.baseline)}")
    return f"{'; '.join(told)}.{_by(document)}"


def _by(document: AssessmentDocument) -> str:
    """By which attack few facts find people, where that is not the best one: it may find fewer."""
    conclusion = document.conclusion
    if conclusion is None or conclusion.attack == document.worst:
        return ""
    return f" (With fewer facts: by {document.methods.title(conclusion.attack)}, which is quick to repeat.)"


def _facts(number: int) -> str:
    return "1 fact" if number == 1 else f"{number} facts"
