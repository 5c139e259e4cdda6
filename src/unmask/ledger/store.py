"""The ledger's file: one SQLite database, read and written in whole transactions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from unmask.data.io.sources import existing, shown
from unmask.data.io.write import check_target
from unmask.errors import DataError

#: Marks a SQLite file as a ledger ("unmk"), and the version of its tables.
APPLICATION, VERSION = 0x756E6D6B, 1
#: Seconds to wait for another program that is writing.
PATIENCE = 3.0

_TABLE = """
    CREATE TABLE release (
        number INTEGER PRIMARY KEY, date TEXT NOT NULL, label TEXT NOT NULL, file TEXT NOT NULL,
        sha256 TEXT NOT NULL, original TEXT NOT NULL, original_sha256 TEXT NOT NULL,
        records INTEGER NOT NULL, columns TEXT NOT NULL, masks TEXT NOT NULL, assessment TEXT,
        note TEXT NOT NULL, unmask TEXT NOT NULL, UNIQUE (sha256, original_sha256)
    ) STRICT
"""


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that reads. A ledger whose writer was killed is first put back as it was before."""
    existing(path)
    with _explained(path), closing(_connect(path, "rw" if _unfinished(path) else "ro")) as connection:
        _check(connection, path)
        yield connection


def _unfinished(path: Path) -> bool:
    """Whether a writer was killed, or is at work now: what SQLite needs to undo its work is still there.

    Only a connection that may write undoes it; one that may only read refuses the file.
    """
    beside = (Path(f"{path.resolve()}{end}") for end in ("-journal", "-wal"))
    return any(file.exists() and file.stat().st_size > 0 for file in beside)


@contextmanager
def writing(path: Path) -> Iterator[sqlite3.Connection]:
    """One transaction: all of it is written, or nothing, and no empty file is left behind."""
    check_target(path)
    fresh = not path.exists()
    try:
        with _explained(path), closing(_connect(path, "rwc" if fresh else "rw")) as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                if path.stat().st_size == 0 and not connection.execute("PRAGMA schema_version").fetchone()[0]:
                    connection.execute(f"PRAGMA application_id = {APPLICATION}")
                    connection.execute(f"PRAGMA user_version = {VERSION}")
                    connection.execute(_TABLE)
                _check(connection, path)
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
    finally:
        if fresh and path.exists() and path.stat().st_size == 0:
            path.unlink()


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    address = f"{path.resolve().as_uri()}?mode={mode}"
    return sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None)


def _check(connection: sqlite3.Connection, path: Path) -> None:
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
        raise _empty(path) if path.stat().st_size == 0 else _foreign(path)
    found = connection.execute("PRAGMA user_version").fetchone()[0]
    if found > VERSION:
        raise DataError(
            f"the ledger '{shown(path)}' has version {found}, and this unmask reads up to {VERSION}",
            hint="update unmask",
        )
    if connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
        raise damaged(path)


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """What SQLite complains about, in one line with a hint. What it says itself may quote the content."""
    label = shown(path)
    try:
        yield
    except (sqlite3.Error, sqlite3.Warning, UnicodeError, OverflowError) as error:
        # An extended code has the plain one in its last byte.
        code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise DataError(f"the ledger '{label}' is in use", hint="try again in a moment") from None
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
            hint = "check the permissions of file and folder"
            if _unfinished(path):
                told = "was being written when a program was ended, and must be put back as it was before"
                raise DataError(
                    f"the ledger '{label}' {told}", hint=f"{hint}: both must be writable"
                ) from None
            raise DataError(f"the ledger '{label}' cannot be written", hint=hint) from None
        if code == sqlite3.SQLITE_FULL:
            raise DataError(f"the ledger '{label}' cannot be written", hint="make room on the disk") from None
        raise (_foreign(path) if code == sqlite3.SQLITE_NOTADB else damaged(path)) from None


def _empty(path: Path) -> DataError:
    """What is left where the program that made the ledger was killed."""
    return DataError(
        f"'{shown(path)}' is empty: no release is recorded in it", hint="record one with 'unmask ledger add'"
    )


def _foreign(path: Path) -> DataError:
    return DataError(
        f"'{shown(path)}' is not a ledger of unmask", hint="name a ledger, or a new file to make one"
    )


def damaged(path: Path) -> DataError:
    return DataError(
        f"the ledger '{shown(path)}' is damaged",
        hint="restore it from a copy; nothing is recorded in it until then",
    )
