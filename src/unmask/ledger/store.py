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
    existing(path)
    with _explained(path), closing(_connect(path, "ro")) as connection:
        _check(connection, path)
        yield connection


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
        raise _foreign(path)
    found = connection.execute("PRAGMA user_version").fetchone()[0]
    if found > VERSION:
        raise DataError(
            f"the ledger '{shown(path)}' has version {found}, and this unmask reads up to {VERSION}",
            hint="update unmask",
        )


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """What SQLite complains about, in one line with a hint."""
    label = shown(path)
    try:
        yield
    except sqlite3.OperationalError as error:
        told = str(error)
        if "locked" in told:
            raise DataError(f"the ledger '{label}' is in use", hint="try again in a moment") from None
        if "readonly" in told or "unable to open" in told:
            raise DataError(
                f"the ledger '{label}' cannot be written", hint="check the permissions of file and folder"
            ) from None
        if "full" in told:
            raise DataError(f"the ledger '{label}' cannot be written", hint="make room on the disk") from None
        raise damaged(path) from None
    except sqlite3.DatabaseError as error:
        raise (_foreign(path) if "not a database" in str(error) else damaged(path)) from None


def _foreign(path: Path) -> DataError:
    return DataError(
        f"'{shown(path)}' is not a ledger of unmask", hint="name a ledger, or a new file to make one"
    )


def damaged(path: Path) -> DataError:
    return DataError(f"the ledger '{shown(path)}' is damaged", hint="restore it from a copy")
