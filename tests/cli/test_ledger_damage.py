"""A ledger whose writer was killed is read as it was before; a damaged one is refused in one line."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.console import Outcome, content, put, run
from unmask import ledger as book

NAMES = ("a", "b", "c")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ledger with two releases, and the file of a third."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path, {f"{name}.csv": f"age,sex\n31,f\n54,{name}\n" for name in (*NAMES, "original")})
    for name in NAMES[:2]:
        assert add(name).code == 0
    return tmp_path


def add(name: str) -> Outcome:
    return run(
        "ledger", "add", "office.db", f"{name}.csv", "--original", "original.csv", "--date", "2026-01-31"
    )


def changed(sql: str, *values: object) -> None:
    with closing(sqlite3.connect("office.db")) as base, base:
        base.execute(sql, values)


def refused(outcome: Outcome, says: str = "the ledger 'office.db' is damaged") -> None:
    assert outcome.code == 2, outcome
    assert outcome.out == ""
    assert outcome.err.startswith("error: ")
    assert says in outcome.err
    assert "Hint: " in outcome.err
    assert outcome.err.count("\n") == 1


#: A writer that is killed when a part of its work is on the disk: its pages do not fit into its memory.
KILLED = """
import os, signal, sqlite3
base = sqlite3.connect("office.db", isolation_level=None)
base.execute("PRAGMA cache_size = 1")
base.execute("BEGIN IMMEDIATE")
base.execute("UPDATE release SET note = 'half'")
base.execute("CREATE TABLE more (x)")
base.executemany("INSERT INTO more VALUES (?)", [("x" * 9000,) for _ in range(50)])
os.kill(os.getpid(), signal.SIGKILL)
"""


def killed(folder: Path) -> None:
    assert subprocess.run([sys.executable, "-c", KILLED], cwd=folder).returncode == -signal.SIGKILL
    assert (folder / "office.db-journal").stat().st_size > 0


def test_a_killed_writer_leaves_the_ledger_as_it_was(folder: Path) -> None:
    before, listed = content(folder), run("ledger", "list", "office.db")
    killed(folder)
    assert content(folder)["office.db"] != before["office.db"]
    assert run("ledger", "list", "office.db") == listed
    assert content(folder) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_what_cannot_be_put_back_is_said(folder: Path) -> None:
    killed(folder)
    folder.chmod(0o500)
    try:
        refused(run("ledger", "list", "office.db"), "both must be writable")
    finally:
        folder.chmod(0o700)


#: Adds as fast as it can, and says when it starts.
ADDING = """
import sys
from dataclasses import replace
from pathlib import Path
from unmask import ledger as book
path = Path("office.db")
one = book.entry(path, 1)
print("ready", flush=True)
while True:
    at = len(book.entries(path))
    book.add(path, replace(one, sha256=f"{at:064d}", note="x" * 5000))
"""


def test_kills_at_any_moment(folder: Path) -> None:
    path, moments, before = folder / "office.db", random.Random(1), 2
    for _ in range(4):
        child = subprocess.Popen([sys.executable, "-c", ADDING], cwd=folder, stdout=subprocess.PIPE)
        with child:
            assert child.stdout is not None
            assert child.stdout.readline() == b"ready\n"
            time.sleep(moments.uniform(0, 0.15))
            child.kill()
        held = book.entries(path)
        assert len(held) >= before
        assert [one.number for one in held] == list(range(1, len(held) + 1))
        before = len(held)


def test_a_ledger_that_was_killed_at_its_birth_is_told_and_used(folder: Path) -> None:
    Path("office.db").write_bytes(b"")
    refused(run("ledger", "list", "office.db"), "'office.db' is empty: no release is recorded in it")
    assert add("c").code == 0
    assert run("ledger", "list", "office.db").code == 0


@pytest.mark.parametrize(
    ("column", "value"),
    [
        *(
            (column, "CAST(x'fffe' AS TEXT)")
            for column in ("label", "note", "columns", "masks", "assessment")
        ),
        *((column, "'{'") for column in ("columns", "masks", "assessment")),
        *((column, "'7'") for column in ("columns", "masks", "assessment")),
        ("assessment", "'{}'"),
        ("assessment", "'[]'"),
        ("columns", "'[{}]'"),
        ("columns", "'" + "[" * 100_000 + "'"),
        ("assessment", "'" + "[" * 100_000 + "'"),
        ("date", "'yesterday'"),
    ],
)
def test_content_that_is_not_what_unmask_writes(folder: Path, column: str, value: str) -> None:
    changed(f"UPDATE release SET {column} = {value} WHERE number = 2")
    before = content(folder)
    for arguments in (("list", "office.db"), ("show", "office.db", 1), ("check", "office.db", "a.csv")):
        refused(run("ledger", *arguments))
    refused(add("c"))
    assert content(folder) == before


def test_bytes_that_were_changed(folder: Path) -> None:
    """Whatever byte is changed: one line, and nothing is recorded in a ledger that cannot be listed."""
    whole, draw, bad = Path("office.db").read_bytes(), random.Random(3), 0
    places = [0, 16, 18, 28, 52, 56, 60, 68, 96, 100, 103, *(draw.randrange(len(whole)) for _ in range(40))]
    for place in places:
        spoilt = bytearray(whole)
        spoilt[place] ^= 1 << draw.randrange(8)
        Path("office.db").write_bytes(spoilt)
        listed = run("ledger", "list", "office.db")
        if listed.code:
            bad += 1
            refused(listed, "office.db")
            before = content(folder)
            refused(add("c"), "office.db")
            assert content(folder) == before
        else:
            assert listed.err == ""
    assert bad > 5


def test_an_index_that_lies_is_found(folder: Path) -> None:
    """A damaged index would let one release be recorded twice."""
    with closing(sqlite3.connect("office.db")) as base, base:
        (page,) = base.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name LIKE 'sqlite_autoindex%'"
        ).fetchone()
        (size,) = base.execute("PRAGMA page_size").fetchone()
    content = bytearray(Path("office.db").read_bytes())
    mark = book.entries(Path("office.db"))[0].sha256.encode()
    at = content.index(mark, (page - 1) * size)
    assert at < page * size
    content[at : at + 4] = b"zzzz"
    Path("office.db").write_bytes(content)
    refused(run("ledger", "list", "office.db"))
    refused(add("c"))


@pytest.mark.parametrize("file", [b"", b"x", b"SQLite format 3\x00", b"SQLite format 3\x00" + b"\xff" * 5000])
def test_files_that_are_no_ledger(folder: Path, file: bytes) -> None:
    Path("office.db").write_bytes(file)
    refused(run("ledger", "list", "office.db"), "office.db")
