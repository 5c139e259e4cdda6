"""How the release came from the original: what was understood of the two files before any number.

Each fact is shown once. The page of an assessment has it as a section with a table, the other pages and the
terminal in short; so all of them leave out the notes that would say it again (:func:`remaining_notes`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unmask.documents import AssessmentDocument, ComparisonDocument, KnowledgeDocument, LossDocument
from unmask.documents.understanding import ChangeSection, RowsSection, UnderstandingSection
from unmask.report.intruder import missing_policy
from unmask.report.numbers import count, percent
from unmask.report.page import Section, told
from unmask.report.phrases import capital, items, sentence

TITLE = "How the release came from the original"
#: A sentence names so many columns; the JSON has them all.
MOST_NAMES = 8
#: A longer table would push the numbers off the first page: it is folded behind its summary.
MOST_ROWS = 12

#: What happened, as documents say it; chance is in the last ones, so that no rule says what a value becomes.
UNCHANGED, SUPPRESSED, ROUNDED, UNKNOWN = "unchanged", "suppressed", "rounded", "unknown"
BY_CHANCE = ("noise", "swapped", "permuted", "synthesised")

_DOUBT = "If that is wrong, every percentage is too low."
_GUESSED = "No schema was given: kinds and roles of columns were guessed ('unmask describe' shows them)."


@dataclass(frozen=True)
class ChangeRow:
    """One attribute that changed: what happened, the evidence, and how far it carries."""

    attribute: str
    what: str
    evidence: str
    strength: str


def understanding_section(document: AssessmentDocument) -> Section | None:
    """The whole section; None for documents from before there was one."""
    found = document.understood
    if found is None:
        return None
    part = {
        "rows": _paired(found.rows),
        "doubtful": not found.rows.seen,
        "counts": counts(found.rows),
        "changes": change_rows(found),
        "folded": _changed(found) if len(change_rows(found)) > MOST_ROWS else "",
        "unchanged": _unchanged(found),
        "leftovers": found.leftovers,
        "guessed": _GUESSED if found.guessed else "",
        "details": _details(found),
    }
    return Section("understanding", TITLE, "understanding.html.jinja", part)


def short_section(document: KnowledgeDocument | ComparisonDocument | LossDocument) -> Section | None:
    """The same in a few sentences, for pages that are about something else."""
    found = document.understood
    return None if found is None else told("understanding", TITLE, in_short(found))


def remaining_notes(document: AssessmentDocument | KnowledgeDocument | LossDocument) -> tuple[str, ...]:
    """The document's notes that are not told with what was understood of the files."""
    told = () if document.understood is None else document.understood.notes
    return tuple(note for note in document.notes if note not in told)


def in_short(understood: UnderstandingSection) -> list[str]:
    """Two to five sentences: the rows, what changed, what did not, what is left over, what was guessed."""
    left = [leftover.column for leftover in understood.leftovers]
    columns = "1 column" if len(left) == 1 else f"{len(left)} columns"
    sentences = [
        " ".join(part for part in (_paired(understood.rows), counts(understood.rows)) if part),
        _changed(understood),
        f"Unchanged: {_names(_unchanged(understood))}." if _unchanged(understood) else "",
        f"Still in the release, and in no attack: {columns} ({_names(left)})." if left else "",
        _GUESSED if understood.guessed else "",
    ]
    return [part for part in sentences if part]


def _paired(rows: RowsSection) -> str:
    """How records were paired, and what is at stake where the files do not bear it out."""
    return rows.short if rows.seen else f"{rows.short} {_DOUBT}"


def counts(rows: RowsSection) -> str:
    """Who is in one file only; nothing where nobody is anybody, or where no record could be lost.

    >>> counts(RowsSection("key", "", "", 90, 2, 10))
    '10 people of the original are not in the release; 2 of 92 released records stem from nobody in the
    original.'
    >>> counts(RowsSection("key", "", "", 90, 0, 0))
    'All 90 records of both files were paired.'
    """
    if rows.by == "nobody":
        return ""
    parts = []
    if rows.absent:
        who = (
            "1 person of the original is"
            if rows.absent == 1
            else f"{count(rows.absent)} people of the original are"
        )
        parts.append(f"{who} not in the release")
    total = f"{count(rows.matched + rows.unmatched)} released records"
    if rows.unmatched:
        stem = "stems" if rows.unmatched == 1 else "stem"
        parts.append(f"{count(rows.unmatched)} of {total} {stem} from nobody in the original")
    if rows.by == "key" and not parts:
        parts.append(f"all {count(rows.matched)} records of both files were paired")
    if rows.respelt:
        has = "has a key" if rows.respelt == 1 else "have keys"
        parts.append(
            f"{count(rows.respelt)} of {total} {has} spelt otherwise there ({items(list(rows.ways))})"
        )
    if sum(rows.keyless):
        here, there = map(count, rows.keyless)
        parts.append(f"{here} original and {there} released records have no key")
    return f"{capital('; '.join(parts))}." if parts else ""


def change_rows(understood: UnderstandingSection) -> list[ChangeRow]:
    """The attributes that changed, in the order of the file."""
    pairs = understood.rows.matched > 0
    return [
        ChangeRow(one.attribute, _what(one), _evidence(one), _strength(one) if pairs else "no pairs")
        for one in _shown(understood)
    ]


def _shown(understood: UnderstandingSection) -> list[ChangeSection]:
    """The changes worth a row. Of a synthetic file nothing is known by pairs, which is said once."""
    synthetic = understood.rows.by == "nobody"
    return [c for c in understood.changes if c.what != UNCHANGED and not (synthetic and c.what == UNKNOWN)]


def _unchanged(understood: UnderstandingSection) -> list[str]:
    return [change.attribute for change in understood.changes if change.what == UNCHANGED]


def _what(change: ChangeSection) -> str:
    return f"{change.what}, some suppressed" if change.lost and change.what != SUPPRESSED else change.what


def _evidence(change: ChangeSection) -> str:
    """The evidence; of rounding, the rule too: it alone tells the step."""
    told = change.what != ROUNDED or change.rule in change.evidence
    return sentence(change.evidence if told else f"{change.evidence} ({change.rule})")


def _strength(change: ChangeSection) -> str:
    """How many pairs of records bear a rule out; chance has no rule that could be borne out."""
    if change.what == UNKNOWN:
        return "none"
    if change.what in BY_CHANCE:
        return "no rule"
    return "all pairs" if change.share == 1.0 else f"{percent(change.share)} of pairs"


def _changed(understood: UnderstandingSection) -> str:
    """What was done to which attributes, one group after the other."""
    groups: dict[str, list[str]] = {}
    for change in _shown(understood):
        everywhere = "" if change.share == 1.0 or not change.rule else ", but not everywhere"
        groups.setdefault(_what(change) + everywhere, []).append(change.attribute)
    told = "; ".join(f"{what}: {_names(names)}" for what, names in groups.items())
    return sentence(told) if told else ""


def _names(names: Sequence[str]) -> str:
    """The names; of many, the first ones and how many more there are."""
    if len(names) <= MOST_NAMES:
        return ", ".join(names)
    return f"{', '.join(names[:MOST_NAMES])} and {len(names) - MOST_NAMES} more"


def _details(understood: UnderstandingSection) -> list[str]:
    """The evidence for the pairing in full, the columns, and what follows for measures."""
    columns = understood.columns
    respelled = [f"{old} (there {new})" for old, new in columns.respelled]
    parts = [
        sentence(understood.rows.sentence),
        f"Columns spelt otherwise in the release: {', '.join(respelled)}." if respelled else "",
        f"Columns of the original alone: {', '.join(columns.dropped)}." if columns.dropped else "",
        f"Columns of the release alone: {', '.join(columns.new)}." if columns.new else "",
        f"Kinds of release: {items(list(understood.kinds))}." if understood.kinds else "",
        f"What the files suggest about missing values: {missing_policy(understood.missing)}"
        if understood.missing
        else "",
    ]
    return [part for part in parts if part]
