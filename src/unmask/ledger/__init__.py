"""The ledger: what an office released, in one SQLite file. Hashes, counts, schemas, assessments; never data.

A release is known by the SHA-256 of its file's bytes, so that the ledger can tell later whether a file is the
one that went out, and which other releases of the same original there were.
"""

from __future__ import annotations

from unmask.ledger.book import Entry, add, draft, earlier_releases, entries, entry
from unmask.ledger.comparison import ledger_notes, with_ledger
from unmask.ledger.store import APPLICATION, VERSION

__all__ = [
    "APPLICATION",
    "VERSION",
    "Entry",
    "add",
    "draft",
    "earlier_releases",
    "entries",
    "entry",
    "ledger_notes",
    "with_ledger",
]
