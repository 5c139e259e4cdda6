"""Trust: what was understood of the files and what not, what is not assessed, and what was not tried."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from unmask.about import Direction
from unmask.attacks.families import MECHANISM
from unmask.data.understanding.several_rows import NOT_PEOPLE
from unmask.documents import EXPECTED, AssessmentDocument
from unmask.documents.understanding import UnderstandingSection
from unmask.linkage.point_readings import AT_CHANCE
from unmask.measures.families import REIDENTIFICATION
from unmask.measures.likeness import TOO_SMALL
from unmask.report.assessment.sampled import most_counted
from unmask.report.assessment.short import unfounded
from unmask.report.numbers import count
from unmask.report.phrases import Reached, items, sentence
from unmask.report.understanding import UNKNOWN, in_short, remaining_notes


@dataclass(frozen=True)
class Caution:
    """One thing that a reader must know; ``serious``: the numbers may be too low because of it."""

    text: str
    serious: bool = False


def cautions(document: AssessmentDocument) -> tuple[Caution, ...]:
    """What is known of how far the numbers can be trusted; what is serious comes first."""
    notes = (
        Caution(sentence(note), serious=TOO_SMALL in note or note.startswith(NOT_PEOPLE))
        for note in remaining_notes(document)
    )
    of_files = [*_understood(document.understood), *notes, *_by_chance(document), *_from_more(document)]
    found = [*of_files, *_sampled(document), *_not_tried(document)]
    return tuple(sorted(found, key=lambda caution: not caution.serious))


def _understood(understood: UnderstandingSection | None) -> Iterator[Caution]:
    if understood is None:
        yield Caution("What was done to the files is not recorded in this document.", serious=True)
        return
    rows, *rest = in_short(understood)
    yield Caution(rows, serious=not understood.rows.seen)
    unknown = [change.attribute for change in understood.changes if change.what == UNKNOWN]
    if unknown and understood.rows.by != "nobody":
        yield Caution(f"What happened to {items(unknown)} was not understood.", serious=True)
    left = {f"{one.column}" for one in understood.leftovers}
    for told in rest:
        # What is released and not assessed, and a guess of kinds and roles, can hide a risk.
        serious = bool(left and told.startswith("Still in")) or told.startswith("No schema")
        yield Caution(told, serious=serious)


def _by_chance(document: AssessmentDocument) -> Iterator[Caution]:
    """Attacks on traces for which the times of both files do not seem to mean the same."""
    if any(AT_CHANCE in attack.notes for attack in document.attacks):
        yield Caution(sentence(AT_CHANCE), serious=True)


def _from_more(document: AssessmentDocument) -> Iterator[Caution]:
    """What an intruder would find who knows more than this one, where that is more than any attack found."""
    best = Reached.of(document.best())
    family = REIDENTIFICATION.name
    rows = [
        row
        for row in document.of_file
        if row.estimate.estimable
        and (about := document.methods.about(row.keys.measure)).family.name == family
        and about.direction is Direction.HIGHER
    ]
    if best is None or not rows:
        return
    most = max(rows, key=lambda row: row.estimate.number or 0.0).estimate
    if (most.number or 0.0) > (best.estimate.high or best.value):
        yield Caution(f"Who knows more finds more people than any attack here. {most.meaning}", serious=True)


def _sampled(document: AssessmentDocument) -> Iterator[Caution]:
    """Attacks that count fewer people, have no number, or were ended by the clock."""
    most = most_counted(document)
    rows = document.table.attacks.where(measure=EXPECTED)
    fewer = [r.keys.attack or "" for r in rows if r.estimate.estimable and r.estimate.n < most]
    lost = [row.keys.attack or "" for row in rows if not row.estimate.estimable]
    cut = [attack.name for attack in document.attacks if attack.cut]
    if fewer:
        yield Caution(f"Tried on a sample of people, with wider intervals: {', '.join(fewer)}.")
    if lost:
        yield Caution(f"Without a number: {', '.join(lost)}.", serious=True)
    if cut:
        yield Caution(f"Ended by the time limit: {', '.join(cut)}.")
    without = unfounded(document)
    if without:
        noun = "measure has" if len(without) == 1 else "measures have"
        yield Caution(f"{count(len(without))} {noun} no number; the report says why.")


def _not_tried(document: AssessmentDocument) -> Iterator[Caution]:
    """Kinds of attack that were not made."""
    if not document.attacks:
        return
    families = {document.methods.about(attack.name).family.name for attack in document.attacks}
    lacking = []
    if MECHANISM.name not in families:
        lacking.append("an intruder who knows or guesses how the file was protected (--mechanism)")
    if not any(attack.informed for attack in document.attacks):
        lacking.append("the worst case, whose parameters are learned from the truth (--attacks learned-wm)")
    if lacking:
        yield Caution(f"Not tried: {'; '.join(lacking)}.")
