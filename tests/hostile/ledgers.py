"""Ledgers that are damaged, edited, of another program, locked: refused in a line, and never changed."""

from __future__ import annotations

import random
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from tests.hostile import made
from tests.hostile.clean import FILES
from tests.hostile.trial import Command, Special, Trial

KIND = "ledgers"

COMMANDS = {
    "list": ("ledger", "list", "book.db"),
    "show": ("ledger", "show", "book.db", "1"),
    "check": ("ledger", "check", "book.db", "released.csv", "second.csv"),
    "add": ("ledger", "add", "book.db", "second.csv", "--original", "original.csv"),
    "assess": (
        *("ledger", "assess", "book.db", "original.csv", "second.csv", "--earlier", "released.csv"),
        *("--attacks", "dbrl", "--json", "risk.json"),
    ),
}
COLUMNS = ("date", "label", "file", "sha256", "original", "records", "columns", "masks", "assessment", "note")
VALUES = {
    "empty": "''",
    "text": "'nonesuch'",
    "null-object": "'null'",
    "object": "'{}'",
    "numbers": "'[1, 2]'",
    "strange-list": '\'[{"name": 1}, {"kind": []}]\'',
    "broken": "'[{'",
    "escape": "char(27) || '[31m' || char(7)",
    "turned": "char(8238) || 'x'",
    "negative": "-5",
    "huge": "9223372036854775807",
    "long": "replace(hex(zeroblob(100000)), '0', 'x')",
    "deep": "replace(hex(zeroblob(20000)), '0', '[')",
    "blob": "CAST(x'ff00fe' AS TEXT)",
}


def _edited(statement: str) -> Callable[[bytes], bytes]:
    """The ledger after a statement, on a table that is not strict, so that everything goes in."""

    def edit(book: bytes) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "book.db"
            path.write_bytes(book)
            with closing(sqlite3.connect(path, isolation_level=None)) as connection:
                connection.executescript(statement)
            return path.read_bytes()

    return edit


LOOSE = (
    "PRAGMA writable_schema = ON; "
    "UPDATE sqlite_schema SET sql = replace(replace(sql, 'STRICT', ''), 'NOT NULL', ''); "
    "PRAGMA writable_schema = RESET; "
)
DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "header-alone": lambda book: book[:100],
    "half": lambda book: book[: len(book) // 2],
    "one-page": lambda book: book[:4096],
    "last-page-gone": lambda book: book[:-4096],
    "with-rubbish-after": lambda book: book + b"rubbish" * 1000,
    "text": lambda _: FILES["original.csv"].encode(),
    "zeros": lambda book: bytes(len(book)),
    "another-application": _edited("PRAGMA application_id = 1"),
    "a-later-version": _edited("PRAGMA user_version = 99"),
    "an-earlier-version": _edited("PRAGMA user_version = 0"),
    "a-negative-version": _edited("PRAGMA user_version = -1"),
    "no-table": _edited("DROP TABLE release"),
    "no-rows": _edited("DELETE FROM release"),
    "a-column-gone": _edited("ALTER TABLE release DROP COLUMN note"),
    "a-column-renamed": _edited("ALTER TABLE release RENAME COLUMN label TO title"),
    "a-column-more": _edited("ALTER TABLE release ADD COLUMN more TEXT"),
    "a-view-instead": _edited("ALTER TABLE release RENAME TO r; CREATE VIEW release AS SELECT * FROM r"),
    "a-trigger": _edited("CREATE TRIGGER t AFTER INSERT ON release BEGIN DELETE FROM release; END"),
    "write-ahead": _edited("PRAGMA journal_mode = WAL"),
    "a-negative-number": _edited("UPDATE release SET number = -1"),
    "a-huge-number": _edited("UPDATE release SET number = 9223372036854775807"),
    **{
        f"{column}-{name}": _edited(f"{LOOSE} UPDATE release SET {column} = {value}")
        for column in COLUMNS
        for name, value in VALUES.items()
    },
    **{f"{column}-null": _edited(f"{LOOSE} UPDATE release SET {column} = NULL") for column in COLUMNS},
}


def trials(seed: int) -> Sequence[Trial]:
    """Every damage with commands that read and write ledgers; flips of bits besides."""
    chance = random.Random(f"{seed} ledgers")
    documents = made.documents()
    book = documents["book.db"]
    damaged: dict[str, bytes | Special] = {name: change(book) for name, change in DAMAGES.items()}
    damaged |= {
        "folder": Special.FOLDER,
        "fifo": Special.FIFO,
        "loop": Special.LOOP,
        "secret": Special.SECRET,
    }
    for number in range(40):
        flipped = bytearray(book)
        for _ in range(chance.choice((1, 1, 4, 64))):
            flipped[chance.randrange(len(book))] ^= 1 << chance.randrange(8)
        damaged[f"flips-{number}"] = bytes(flipped)
    found = []
    for name, held in damaged.items():
        few = name.partition("-")[0] in (*COLUMNS, "flips")
        for verb in chance.sample(sorted(COMMANDS), 2) if few else COMMANDS:
            files = {**FILES, **documents, "book.db": held}
            found.append(Command(f"ledger/{name}-{verb}", KIND, COMMANDS[verb], files))
    return found
