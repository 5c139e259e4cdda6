"""Which file the page speaks of, who assessed it, and for whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from unmask.documents import AssessmentDocument
from unmask.report.numbers import count

#: So many digits of a hash tell two files apart on a page; the JSON has all of them.
DIGITS = 12

_NOT_SAID = "not said"


@dataclass(frozen=True)
class Fact:
    """One line of what is on the table: its label, and what it says."""

    label: str
    text: str


def file_facts(document: AssessmentDocument) -> tuple[Fact, ...]:
    """Names and hashes of the files, day and people of the assessment, and whether a schema was given."""
    said = occasion(document)
    understood = document.understood
    schema = "" if understood is None else "guessed by unmask, not checked" if understood.guessed else "given"
    facts = (
        Fact("released file", _file(document, "released", document.sizes.released)),
        Fact("original file", _file(document, "original", document.sizes.original)),
        Fact("the intruder", document.scenario.text),
        Fact("for", said.get("recipient") or f"{_NOT_SAID} (--recipient)"),
        Fact("assessed", _assessed(said)),
        Fact("schema", schema),
    )
    return tuple(fact for fact in facts if fact.text)


def _assessed(said: Mapping[str, str]) -> str:
    """When and by whom."""
    by = f"by {said['assessor']}" if said.get("assessor") else f"by whom is {_NOT_SAID} (--assessor)"
    return f"{said['date']}, {by}" if said.get("date") else by


def occasion(document: AssessmentDocument) -> Mapping[str, str]:
    """Who assessed the release, for whom and when, as the request has it."""
    found = (document.provenance.request or {}).get("occasion")
    return found if isinstance(found, Mapping) else {}


def _file(document: AssessmentDocument, role: str, records: int) -> str:
    """A file's name, its size, and the beginning of its hash."""
    many = f"{count(records)} {'record' if records == 1 else 'records'}"
    for file in document.provenance.inputs:
        if file.role == role:
            digest = f", SHA-256 {file.sha256[:DIGITS]}..." if file.sha256 else ""
            return f"{file.name} ({many}{digest})"
    return f"in memory ({many})"
