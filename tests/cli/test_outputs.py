"""Outputs: none replaces what is read, one that fails keeps no other from being written, and who may read."""

from __future__ import annotations

import errno
import json
import os
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest

from tests.cli.console import Outcome, content, csv, people, put, run
from unmask import temporaries
from unmask.data.io.replacing import ONLY_USER
from unmask.data.io.write import write, write_text
from unmask.errors import DataError

ORIGINAL, RELEASED = csv(people()), csv(people(moved=0.05))
FEW = ("--known", "age,income", "--attacks", "guess,dbrl", "--measures", "reidentification")
ASSESS = ("assess", "original.csv", "released.csv", *FEW)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("UNMASK_CACHE_DIR", str(tmp_path.parent / "cache"))
    put(tmp_path, {"original.csv": ORIGINAL, "released.csv": RELEASED})
    with closing(sqlite3.connect("people.db")) as base, base:
        base.execute("CREATE TABLE people (age INTEGER, sex TEXT)")
        base.executemany("INSERT INTO people VALUES (?, ?)", [(31, "f"), (54, "m"), (40, "f")])
    return tmp_path


@pytest.fixture
def _umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def refused(outcome: Outcome, says: str) -> None:
    assert outcome.code == 2, outcome
    assert outcome.err.count("\n") == 1
    assert says in outcome.err


# --- what is read is not replaced -------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["sqlite:people.db::people", "sqlite:///people.db", "sqlite:people.db"])
@pytest.mark.parametrize("target", ["people.db", "./people.db", "link.db", "hard.db", "people.db-wal"])
def test_a_database_that_is_read_is_not_replaced(folder: Path, source: str, target: str) -> None:
    (folder / "link.db").symlink_to("people.db")
    (folder / "hard.db").hardlink_to("people.db")
    before = content(folder)
    refused(run("describe", source, "-o", target), "read or written already")
    assert content(folder) == before


ROLES = ("--population", "--holdout", "--model", "--earlier", "--schema", "--released-schema")


@pytest.mark.parametrize("role", ROLES)
def test_no_file_in_any_role_is_replaced(folder: Path, role: str) -> None:
    put(folder, {"other.csv": ORIGINAL})
    (folder / "hard").hardlink_to("other.csv")
    before = content(folder)
    refused(run(*ASSESS, role, "other.csv", "--html", "hard"), "read or written already")
    assert content(folder) == before


def test_a_database_in_any_role_is_not_replaced(folder: Path) -> None:
    before = content(folder)
    for role in ("--population", "--holdout", "--earlier"):
        refused(run(*ASSESS, role, "sqlite:people.db::people", "--json", "people.db"), "already")
    assert content(folder) == before


@pytest.mark.parametrize("verb", ["assess", "check"])
def test_the_request_is_not_replaced(folder: Path, verb: str) -> None:
    command = ASSESS if verb == "assess" else ("check", "original.csv", "released.csv")
    assert run(*command, "--save-request", "request.toml").code == 0
    before = content(folder)
    refused(run("run", "request.toml", "--json", "./request.toml"), "read or written already")
    assert content(folder) == before


def test_the_request_of_a_mask_is_not_replaced(folder: Path) -> None:
    text = 'format = "unmask-request"\nversion = 1\nverb = "mask"\nmask = "noise:a=1"\n[files]\n'
    put(folder, {"request.csv": text + 'original = "original.csv"\n'})
    refused(run("run", "request.csv", "-o", "request.csv"), "read or written already")


def test_the_note_beside_the_release_is_not_replaced(folder: Path) -> None:
    assert run("mask", "original.csv", "--mask", "noise:a=0.1", "-o", "r.csv").code == 0
    arguments = ("assess", "original.csv", "r.csv", *FEW, "--json", "r.csv.unmask.toml")
    refused(run(*arguments), "read or written already")


def test_the_demo_does_not_write_over_files_of_others(folder: Path) -> None:
    before = content(folder)
    refused(run("demo", "--out", "."), "not from the demo")
    assert content(folder) == before


# --- one output fails -------------------------------------------------------------------------------------


def test_an_output_that_fails_keeps_no_other(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = Path.replace

    def full(self: Path, target: Path) -> Path:
        if target.name in ("risk.json", "records.csv"):
            raise OSError(errno.ENOSPC, "No space left on device")
        return usual(self, target)

    monkeypatch.setattr(Path, "replace", full)
    outputs = ("--json", "risk.json", "--html", "risk.html", "--records", "records.csv")
    outcome = run(*ASSESS, *outputs)
    refused(outcome, "2 outputs are lacking: 'risk.json' cannot be written: No space left on device")
    assert "--resume" in outcome.err
    assert "distance-based linkage" in outcome.out
    assert (folder / "risk.html").exists()
    assert not list(folder.glob(".unmask*"))
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("UNMASK_CACHE_DIR", str(folder.parent / "cache"))
    monkeypatch.setattr("unmask.assessment.experiments.Experiment.runs", None)  # nothing is attacked again
    assert run(*ASSESS, *outputs, "--resume").code == 0
    assert json.loads((folder / "risk.json").read_text())["format"] == "unmask-assessment"


def test_a_report_that_cannot_be_made_keeps_the_result(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> str:
        raise MemoryError

    monkeypatch.setattr("unmask.assessment.results.Assessment.records", broken)
    outcome = run(*ASSESS, "--records", "records.csv", "--json", "risk.json")
    refused(outcome, "not enough memory")
    assert "distance-based linkage" in outcome.out
    assert (folder / "risk.json").exists()


def test_what_was_understood_is_shown_all_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> str:
        raise DataError("no schema today")

    monkeypatch.setattr("unmask.cli.check.schema_text", broken)
    outcome = run("check", "original.csv", "released.csv", "-o", "schema.toml", "--json", "check.json")
    refused(outcome, "no schema today")
    assert outcome.out.startswith("Rows: ")
    assert (folder / "check.json").exists()


def test_targets_are_checked_before_the_work(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def worked(*_: object, **__: object) -> None:
        raise AssertionError("the work has started")

    monkeypatch.setattr("unmask.studies.run.run", worked)
    (folder / "dir").mkdir()
    put(folder, {"kept.json": "old"})
    refused(run(*ASSESS, "--json", "dir"), "is a folder")
    refused(run(*ASSESS, "--json", "kept.json/x"), "no folder")
    refused(run("knowledge", "original.csv", "released.csv", "--html", "no/x.html"), "no folder")
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    refused(run(*ASSESS, "--records", "records.xlsx"), "pip install 'unmask[excel]'")

    def denied(*_: object) -> Path:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(temporaries, "make", denied)
    refused(run(*ASSESS, "--json", "risk.json"), "Read-only file system")


def test_a_small_population_is_refused_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unmask.assessment.experiments.Experiment.runs", None)
    put(folder, {"few.csv": csv(people(5))})
    arguments = ("assess", "original.csv", "original.csv", "--known", "age,sex", "--truth", "rows")
    refused(run(*arguments, "--population", "few.csv"), "fewer than the 40")
    refused(run(*arguments, "--population", "few.csv", "--measures", "marketer-risk"), "fewer than the 40")


# --- who may read -----------------------------------------------------------------------------------------


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("_umask")
def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path: Path) -> None:
    for bits in (0o600, 0o640, 0o664):
        path = tmp_path / f"{bits:o}.csv"
        path.touch()
        path.chmod(bits)
        write(pl.DataFrame({"a": [1]}), path)
        assert mode(path) == bits
    write_text("new", tmp_path / "new.txt")
    assert mode(tmp_path / "new.txt") == 0o644


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_a_file_that_is_replaced_keeps_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.touch()
    os.chown(path, 12345, 54321)
    write_text("new", path)
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 54321)


@pytest.mark.usefixtures("_umask")
def test_while_it_is_written_nobody_else_reads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(pl.DataFrame, "write_csv", lambda _, path: seen.append(mode(path)))
    write(pl.DataFrame({"a": [1]}), tmp_path / "a.csv")
    write(pl.DataFrame({"a": [1]}), tmp_path / "b.csv", access=ONLY_USER)
    assert seen == [0o600, 0o600]
    assert [mode(tmp_path / name) for name in ("a.csv", "b.csv")] == [0o644, 0o600]


@pytest.mark.usefixtures("_umask")
def test_what_lists_people_is_for_the_user_alone(folder: Path) -> None:
    assert run(*ASSESS, "--records", "records.csv", "--json", "risk.json").code == 0
    assert (mode(folder / "records.csv"), mode(folder / "risk.json")) == (0o600, 0o644)
    masked = ("mask", "original.csv", "--mask", "noise:a=0.1", "-o")
    assert run(*masked, "m.csv").code == 0
    assert (mode(folder / "m.csv"), mode(folder / "m.csv.unmask.toml")) == (0o644, 0o644)
    assert run(*masked, "m.csv", "--keep-seed").code == 0
    assert mode(folder / "m.csv.unmask.toml") == 0o600
    (folder / "original.csv").chmod(0o600)
    assert run(*masked, "n.csv").code == 0
    assert mode(folder / "n.csv") == 0o600


# --- leftovers --------------------------------------------------------------------------------------------

KILLED = """
import os, signal
from pathlib import Path
from unmask import temporaries
temporaries.make(Path.cwd()).write_text("half")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_process_left_is_swept(tmp_path: Path) -> None:
    assert subprocess.run([sys.executable, "-c", KILLED], cwd=tmp_path).returncode == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    start, machine, process, token = left.name.split("-")
    strangers = {
        "-".join((start, machine, str(os.getpid()), token)),  # a process that is at work
        "-".join((start, "0" * 8, process, token)),  # of another machine
        f"-{left.name}",
        left.name.replace("unmask", "other"),
    }
    for name in strangers:
        (tmp_path / name).touch()
    write_text("new", tmp_path / "a.txt")
    assert {path.name for path in tmp_path.iterdir()} == strangers | {"a.txt"}


def test_content_is_on_the_disk_before_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    usual_sync, usual_replace = os.fsync, Path.replace

    def sync(opened: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(opened).st_mode) else "file")
        usual_sync(opened)

    def replace(self: Path, target: Path) -> Path:
        done.append("name")
        return usual_replace(self, target)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(Path, "replace", replace)
    write_text("new", tmp_path / "a.txt")
    assert done == ["file", "name", "folder"]


def test_a_workbook_leaves_no_part_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def elsewhere(*_: object, **__: object) -> None:
        raise AssertionError("a temporary file")

    monkeypatch.setattr("tempfile.mkstemp", elsewhere)
    monkeypatch.setattr("tempfile.mkdtemp", elsewhere)
    write(pl.DataFrame({"a": [1]}), tmp_path / "a.xlsx")
    assert [path.name for path in tmp_path.iterdir()] == ["a.xlsx"]
