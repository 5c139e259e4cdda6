"""The ledger as a module: one transaction an entry, what it holds, and which files it recognises."""

from __future__ import annotations

import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import polars as pl
import pytest

import unmask
from unmask import Column, Schema, ledger
from unmask.attacks import Guess
from unmask.data.loading import table
from unmask.errors import DataError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("original", "a", "b", "c"):
        (tmp_path / f"{name}.csv").write_text(f"age,sex\n1,f\n2,{name}\n")
    return tmp_path


def entry(folder: Path, name: str, **options: object) -> ledger.Entry:
    frame = table(pl.DataFrame({"age": [1, 2], "sex": ["f", "m"]}))
    return ledger.draft(folder / f"{name}.csv", folder / "original.csv", frame, day="2026-01-31", **options)  # type: ignore[arg-type]


def test_an_entry_comes_back_as_it_went_in(folder: Path) -> None:
    written = ledger.add(
        folder / "l.db", entry(folder, "a", masks=["noise:a=0.1", "pram"], note="x\ty", label="é")
    )
    assert ledger.entries(folder / "l.db") == [written]
    assert ledger.entry(folder / "l.db", 1) == written
    assert (written.number, written.note, written.label) == (1, "x y", "é")
    assert written.sha256 == sha256((folder / "a.csv").read_bytes()).hexdigest()
    assert [column["name"] for column in written.columns] == ["age", "sex"]
    assert all(set(column) == {"name", "kind", "role"} for column in written.columns)


def test_a_schema_tells_what_is_recorded(folder: Path) -> None:
    written = entry(folder, "a", schema=Schema((Column("age"), Column("gone"))))
    assert [column["name"] for column in written.columns] == ["age"]
    with pytest.raises(DataError, match="no column of the released file"):
        entry(folder, "a", schema=Schema((Column("gone"),)))


def test_a_failure_leaves_no_ledger_and_changes_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "l.db"

    def broken(_: object) -> tuple[object, ...]:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("unmask.ledger.book._values", broken)
        with pytest.raises(KeyboardInterrupt):
            ledger.add(path, entry(folder, "a"))
        assert sorted(p.name for p in folder.iterdir()) == ["a.csv", "b.csv", "c.csv", "original.csv"]
    ledger.add(path, entry(folder, "a"))
    before = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr("unmask.ledger.book._values", broken)
        with pytest.raises(KeyboardInterrupt):
            ledger.add(path, entry(folder, "b"))
    assert path.read_bytes() == before


def test_two_writers_do_not_lose_each_other(folder: Path) -> None:
    path = folder / "l.db"
    drafts = [entry(folder, name) for name in ("a", "b", "c")]
    with ThreadPoolExecutor(3) as pool:
        added = list(pool.map(lambda one: ledger.add(path, one), drafts))
    assert sorted(one.number for one in added) == [1, 2, 3]
    assert {one.file for one in ledger.entries(path)} == {"a.csv", "b.csv", "c.csv"}


def test_the_file_says_that_it_is_a_ledger(folder: Path) -> None:
    ledger.add(folder / "l.db", entry(folder, "a"))
    with closing(sqlite3.connect(folder / "l.db")) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (ledger.APPLICATION,)
        assert connection.execute("PRAGMA user_version").fetchone() == (ledger.VERSION,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_earlier_releases_are_found_by_hash_whatever_they_are_called(folder: Path) -> None:
    path = folder / "l.db"
    for name in ("a", "b", "c"):
        ledger.add(path, entry(folder, name))
    (folder / "b.csv").rename(folder / "other name.csv")
    held = ledger.entries(path)
    given, lacking = ledger.earlier_releases(
        held, folder / "original.csv", folder / "c.csv", [folder / "other name.csv"]
    )
    assert [one.number for one in given] == [2]
    assert [one.number for one in lacking] == [1]  # the new one, recorded already, is no earlier one


def assessed(folder: Path, original: object, released: object) -> Path:
    """The assessment of two files, as JSON."""
    path = folder / "risk.json"
    unmask.assess(original, released, known=["age"], attacks=[Guess()]).to_json(path)
    return path


def test_an_assessment_must_be_of_the_two_files(folder: Path) -> None:
    for name in ("original", "a", "b"):
        rows = "".join(f"{10 * i + len(name)}.5,f\n" for i in range(9))
        (folder / f"{name}.csv").write_text(f"age,sex\n{rows}")
    (folder / "b.csv").write_text((folder / "a.csv").read_text().replace("11.5", "12.5"))
    risk = assessed(folder, folder / "original.csv", folder / "a.csv")
    held = table(folder / "a.csv")

    def drafted(released: str, original: str = "original") -> ledger.Entry:
        return ledger.draft(folder / f"{released}.csv", folder / f"{original}.csv", held, assessment=risk)

    assert drafted("a").assessment is not None
    # The same bytes elsewhere are the same file.
    (folder / "other").mkdir()
    copy = shutil.copy(folder / "a.csv", folder / "other" / "renamed.csv")
    assert ledger.draft(Path(copy), folder / "original.csv", held, assessment=risk).assessment is not None
    with pytest.raises(
        DataError, match=r"of another released file than 'b.csv'.*Hint: give the released file"
    ):
        drafted("b")
    with pytest.raises(
        DataError, match=r"of another original file than 'b.csv'.*Hint: give the original file"
    ):
        drafted("a", "b")


def test_an_assessment_that_does_not_name_its_files_is_refused(folder: Path) -> None:
    frame = pl.DataFrame({"age": [1.5, 2.5]})
    risk = assessed(folder, frame, frame)
    with pytest.raises(DataError, match=r"does not say which released file it is of.*Hint: assess the two"):
        entry(folder, "a", assessment=risk)
