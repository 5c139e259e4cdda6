"""The ledger's entries: drafted from files, added, listed, and recognised by the hashes of files."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

from unmask.assessment.inputs import sha256
from unmask.data.io.sources import read_text, shown
from unmask.data.io.table import SourceTable
from unmask.data.proposal import propose
from unmask.data.schema import Schema
from unmask.documents import ASSESSMENT, AssessmentDocument
from unmask.errors import ArgumentError, DataError
from unmask.ledger.store import damaged, reading, writing

_FIELDS = (
    "number", "date", "label", "file", "sha256", "original", "original_sha256", "records", "columns",
    "masks", "assessment", "note", "unmask",
)  # fmt: skip
_NUMBERS = ("number", "records")


@dataclass(frozen=True)
class Entry:
    """One release as the ledger holds it. ``columns``: name, kind and role of each; no value of any."""

    number: int
    date: str
    label: str
    file: str
    sha256: str
    original: str
    original_sha256: str
    records: int
    columns: tuple[Mapping[str, str], ...]
    masks: tuple[str, ...]
    assessment: AssessmentDocument | None
    note: str
    unmask: str

    @property
    def title(self) -> str:
        """The release in a few words."""
        return f"release {self.number} ({self.label}, {self.date})"


def draft(
    released: Path,
    original: Path,
    table: SourceTable,
    *,
    schema: Schema | None = None,
    masks: Sequence[str] = (),
    assessment: Path | None = None,
    label: str | None = None,
    day: str | None = None,
    note: str = "",
) -> Entry:
    """An entry for a released file (``table`` is what it holds), without a number yet."""
    columns = [c for c in schema or propose(table).schema if c.name in table.frame.columns]
    if not columns:
        raise DataError("the schema has no column of the released file", hint="give the schema of this file")
    document = None if assessment is None else ASSESSMENT.read(read_text(assessment))
    records = table.frame.height
    if document is not None and document.sizes.released != records:
        raise DataError(
            f"the assessment is of {document.sizes.released} released records, the file has {records}",
            hint="give the assessment of this file",
        )
    hashes = sha256(released), sha256(original)
    if hashes[0] == hashes[1]:
        raise DataError("the released file is the original file", hint="name the protected file first")
    if document is not None:
        _check_belongs(document, {"released": (released, hashes[0]), "original": (original, hashes[1])})
    return Entry(
        0,
        _day(day),
        _line(label or shown(released)),
        shown(released),
        hashes[0],
        shown(original),
        hashes[1],
        records,
        tuple({"name": c.name, "kind": c.kind.value, "role": c.role.value} for c in columns),
        tuple(_line(mask) for mask in masks),
        document,
        _line(note),
        version("unmask"),
    )


def add(path: Path, entry: Entry) -> Entry:
    """Record an entry; the ledger is made if there is none. Returns it with its number."""
    with writing(path) as connection:
        _all(connection, path)  # nothing is added to a ledger that cannot be read any more
        known = connection.execute(
            "SELECT number FROM release WHERE sha256 = ? AND original_sha256 = ?",
            (entry.sha256, entry.original_sha256),
        ).fetchone()
        if known is not None:
            raise DataError(
                f"'{entry.file}' is recorded already, as release {known[0]}",
                hint=f"look at it with 'unmask ledger show {shown(path)} {known[0]}'",
            )
        marks = ", ".join("?" * (len(_FIELDS) - 1))
        cursor = connection.execute(
            f"INSERT INTO release ({', '.join(_FIELDS[1:])}) VALUES ({marks})", _values(entry)
        )
        return replace(entry, number=cursor.lastrowid or 0)


def entries(path: Path) -> list[Entry]:
    """All that is recorded, in the order in which it was."""
    with reading(path) as connection:
        return _all(connection, path)


def _all(connection: sqlite3.Connection, path: Path) -> list[Entry]:
    rows = connection.execute(f"SELECT {', '.join(_FIELDS)} FROM release ORDER BY number").fetchall()
    return [_entry(row, path) for row in rows]


def entry(path: Path, number: int) -> Entry:
    """One release by its number."""
    held = entries(path)
    for one in held:
        if one.number == number:
            return one
    numbers = ", ".join(str(one.number) for one in held) or "none"
    raise ArgumentError(f"there is no release {number} in '{shown(path)}'", hint=f"it has: {numbers}")


def earlier_releases(
    held: Sequence[Entry], original: Path, new: Path, earlier: Sequence[Path]
) -> tuple[list[Entry], list[Entry]]:
    """The entries of the earlier files given, and those of the same original whose files were not given.

    A file that the ledger does not know as a release of this original is refused: a risk that rests on the
    wrong file is worse than none.
    """
    source, fresh = sha256(original), sha256(new)
    mine = [one for one in held if one.original_sha256 == source and one.sha256 != fresh]
    given: list[Entry] = []
    for path in earlier:
        mark = sha256(path)
        if mark == fresh:
            raise ArgumentError(
                f"'{shown(path)}' is the new release itself", hint="name earlier releases after --earlier"
            )
        known = [one for one in held if one.sha256 == mark]
        found = [one for one in mine if one.sha256 == mark]
        if not known:
            raise DataError(
                f"'{shown(path)}' is not in the ledger, or was changed since it was recorded",
                hint="record it with 'unmask ledger add', or check the file",
            )
        if not found:
            raise DataError(
                f"'{shown(path)}' is {known[0].title}, of another original file",
                hint="give the original file that it is a release of",
            )
        if found[0] in given:
            raise ArgumentError(f"'{shown(path)}' is given twice", hint="give each earlier release once")
        given.append(found[0])
    return given, [one for one in mine if one not in given]


def _check_belongs(document: AssessmentDocument, files: Mapping[str, tuple[Path, str]]) -> None:
    """Refuse an assessment that is not known to be of these files, by the hashes of their bytes.

    Whoever signs a release relies on its assessment, so one that does not say which files it is of (made by
    an older version, of frames in memory, of a database) is refused as well.
    """
    assessed = {one.role: one.sha256 for one in document.provenance.inputs}
    for role, (path, mark) in files.items():
        if not assessed.get(role):
            raise DataError(
                f"the assessment does not say which {role} file it is of, so it cannot be told to be of "
                f"'{shown(path)}'",
                hint="assess the two files with 'unmask assess --json', or leave --assessment out",
            )
        if assessed[role] != mark:
            raise DataError(
                f"the assessment is of another {role} file than '{shown(path)}', or the file was changed "
                "since",
                hint=f"give the {role} file that was assessed, or assess again with 'unmask assess --json'",
            )


def _day(text: str | None) -> str:
    if text is None:
        return date.today().isoformat()
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise ArgumentError("the date is not one", hint="write it as 2026-01-31") from None


def _line(text: str) -> str:
    """A text in one printable line."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _values(entry: Entry) -> tuple[object, ...]:
    def packed(value: object) -> str:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    return (
        entry.date, entry.label, entry.file, entry.sha256, entry.original, entry.original_sha256,
        entry.records, packed([dict(column) for column in entry.columns]), packed(list(entry.masks)),
        None if entry.assessment is None else ASSESSMENT.text(entry.assessment), entry.note, entry.unmask,
    )  # fmt: skip


def _entry(row: Sequence[Any], path: Path) -> Entry:
    found = dict(zip(_FIELDS, row, strict=True))
    for name, value in found.items():
        kind = int if name in _NUMBERS else str
        if not isinstance(value, kind) and not (name == "assessment" and value is None):
            raise damaged(path)
    try:
        columns, masks = json.loads(found["columns"]), json.loads(found["masks"])
        found["columns"] = tuple({key: str(c[key]) for key in ("name", "kind", "role")} for c in columns)
        found["masks"] = tuple(str(mask) for mask in masks)
        date.fromisoformat(found["date"])
        if found["assessment"] is not None:
            found["assessment"] = ASSESSMENT.read(found["assessment"])
    except (ValueError, TypeError, KeyError, RecursionError, DataError):
        raise damaged(path) from None
    return Entry(**found)
