"""What the assessor was told before: about the files, then about single attacks."""

from __future__ import annotations

from unmask.documents import AssessmentDocument
from unmask.report.page import Section, told
from unmask.report.phrases import sentence
from unmask.report.understanding import remaining_notes


def notes_section(document: AssessmentDocument) -> Section | None:
    """The notes, where there are any."""
    return told("notes", "Before you read the numbers", notes(document), template="notes")


def notes(document: AssessmentDocument) -> list[str]:
    """What was told, as sentences; what concerns several attacks is said once."""
    # Attacks that share an encoding share its notes: each is told once, with the attacks it concerns.
    concerned: dict[str, list[str]] = {}
    for attack in document.attacks:
        for note in attack.notes:
            concerned.setdefault(note, []).append(document.methods.title(attack.name))
    of_attacks = [f"{', '.join(names)}: {note}" for note, names in concerned.items()]
    return [sentence(note) for note in (*remaining_notes(document), *of_attacks)]
