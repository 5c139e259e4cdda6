"""The last card: what the release is still good for. It tells no risk, and is not ordered with those."""

from __future__ import annotations

from unmask.documents import AssessmentDocument
from unmask.measures.estimate import Estimate, Unit
from unmask.report.decision.cards import BetweenReferences, Card
from unmask.report.losses.leading import leading
from unmask.report.losses.lines import lost, references

QUESTION = "What is it still good for?"


def usefulness(document: AssessmentDocument) -> tuple[Card, ...]:
    """The leading loss beside its references; no card where no loss was computed, or none has a value."""
    row = leading(document)
    if row is None:
        return ()
    e, (again, apart) = row.estimate, references(document, row.keys.measure)
    about = document.methods.about(row.keys.measure)
    of = f", {row.keys.subject}" if row.keys.subject else ""
    drawn, more = e.baseline, _more_than_chance(e, again)
    # The references are of the whole file, and say nothing of a part.
    mixed = None if apart is None or row.keys.subject else apart.number
    beside = [
        f"{what}: {lost(value, e.unit)}"
        for what, value in (("people drawn again", drawn), ("no relation", mixed))
        if value is not None
    ]
    return (
        Card(
            "losses",
            QUESTION,
            lost(e.number, e.unit),
            f"lost, by {about.title}{of}",
            "; ".join(beside) + ("" if more else "; no more than chance changes"),
            "",
            about.sentence,
            more,
            0.0,
            "losses",
            _between(e, drawn, mixed),
            risk=False,
        ),
    )


def _more_than_chance(e: Estimate, again: Estimate | None) -> bool:
    """Whether more is lost than in nearly all draws of the same people."""
    most = e.baseline if again is None or again.high is None else again.high
    return most is None or (e.number or 0.0) > most


def _between(e: Estimate, again: float | None, apart: float | None) -> BetweenReferences | None:
    """What the small picture draws: shares only."""
    return (
        BetweenReferences(e.number, again, apart) if e.unit is Unit.SHARE and e.number is not None else None
    )
