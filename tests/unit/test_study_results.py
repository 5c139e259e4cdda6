"""The results file of a study: kept at once, no value of a record in it, and nobody else's."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest

from tests.unit.small_studies import MASKS, PEOPLE, computed, records, study
from unmask.data.example import people
from unmask.engines import LocalEngine
from unmask.engines.watcher import Watcher
from unmask.errors import ArgumentError, Cancelled, DataError
from unmask.studies.protection.results_file import ResultsFile


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The results of a small study, which nobody changes."""
    path = tmp_path_factory.mktemp("study") / "results.db"
    study(MASKS[:1], replicates=1, results=path)
    yield path
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def copied(kept: Path, folder: Path) -> Path:
    copy = folder / "results.db"
    copy.write_bytes(kept.read_bytes())
    return copy


def test_no_value_of_a_record_is_in_it(kept: Path) -> None:
    content = kept.read_bytes()
    values = records(PEOPLE, ("person", "household", "income", "rent", "occupation", "diagnosis"))
    assert len(values) > 100
    assert not [value for value in values if value in content]
    assert b"noise" not in content  # a key is a digest
    assert b"reidentification" in content


def test_nobody_else_reads_it(kept: Path) -> None:
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_every_part_is_there_before_the_next_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "results.db"

    class Leaving(Watcher):
        """Leaves after so many parts."""

        seen = 0

        def advance(self, done: int, total: int) -> None:
            with closing(sqlite3.connect(path)) as data:
                self.seen = data.execute("select count(*) from parts").fetchone()[0]
            assert self.seen == done
            if done == 3:
                self.cancel()
            super().advance(done, total)

    watcher = Leaving()
    with pytest.raises(Cancelled):
        study(results=path, engine=LocalEngine(threads=1, watcher=watcher))
    assert watcher.seen == 3
    with computed() as rest:
        study(results=path)
    assert len(rest) == 14 - 3


def test_a_study_of_another_file_is_refused(kept: Path) -> None:
    before = kept.read_bytes()
    with pytest.raises(DataError, match=r"holds the results of another study.*--results"):
        study(original=people(61), results=kept)
    with pytest.raises(DataError, match="or how that was read, is not the same"):
        study(original=PEOPLE, roles={"income": "confidential"}, known=["age"], results=kept)
    assert kept.read_bytes() == before


@pytest.mark.parametrize("content", [b"age,sex\n31,f\n", b"\0" * 5000, b"SQLite format 3\0" + b"x" * 5000])
def test_what_is_no_such_file_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    path.write_bytes(content)
    with pytest.raises(DataError, match="cannot be read or written as results of a study"):
        study(results=path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("table", ["people (age real)", "meta (name text, value text)", "parts (key text)"])
def test_somebody_elses_database_is_left_alone(table: str, tmp_path: Path) -> None:
    path = tmp_path / "people.db"
    with closing(sqlite3.connect(path)) as data:
        data.execute(f"create table {table}")
        data.commit()
    before = path.read_bytes()
    with pytest.raises(DataError, match="holds no results that this unmask reads"):
        ResultsFile(path, "f00d")
    assert path.read_bytes() == before


def test_a_later_version_is_refused(kept: Path, tmp_path: Path) -> None:
    path = copied(kept, tmp_path)
    with closing(sqlite3.connect(path)) as data:
        data.execute("update meta set value = '2' where name = 'version'")
        data.commit()
    with pytest.raises(DataError, match="holds no results that this unmask reads"):
        study(results=path)


def test_an_empty_file_is_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    path.touch()
    with ResultsFile(path, "f00d") as results:
        results.keep("a", {"rows": []})
    with ResultsFile(path, "f00d") as results:
        assert len(results) == 1


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_file_that_was_cut_is_refused(share: float, kept: Path, tmp_path: Path) -> None:
    path = copied(kept, tmp_path)
    path.write_bytes(path.read_bytes()[: int(len(path.read_bytes()) * share)])
    with pytest.raises(DataError, match="cannot be read or written as results of a study"):
        study(MASKS[:1], replicates=1, results=path)


def test_an_outcome_that_was_damaged_is_refused(kept: Path, tmp_path: Path) -> None:
    path = copied(kept, tmp_path)
    with closing(sqlite3.connect(path)) as data:
        data.execute("update parts set outcome = substr(outcome, 1, 20)")
        data.commit()
    with pytest.raises(DataError, match="cannot be read or written as results"):
        study(MASKS[:1], replicates=1, results=path)


def test_what_is_refused_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    with pytest.raises(ArgumentError, match="the schema has no column 'agee'"):
        study(["noise:a=0.1,attributes=agee"], results=path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ArgumentError, match="there is no folder to write"):
        study(results=tmp_path / "nowhere" / "results.db")


def test_in_a_folder_every_file_has_results_of_its_own(tmp_path: Path) -> None:
    def parts(frame: pl.DataFrame) -> int:
        with computed() as found:
            study(MASKS[:1], frame, replicates=1, known=["age", "sex"], results=tmp_path)
        return len(found)

    assert [parts(PEOPLE.frame), parts(PEOPLE.frame), parts(PEOPLE.frame.head(50))] == [6, 0, 6]
    assert len(list(tmp_path.iterdir())) == 2
