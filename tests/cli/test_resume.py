"""A run that was killed goes on where it stopped, and gives the same bytes."""

from __future__ import annotations

import signal
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.cli.console import run
from unmask.assessment import store
from unmask.assessment.request import Request, RequestFiles
from unmask.assessment.store import LONG_VARIABLE, Store
from unmask.cache_folder import own_folder
from unmask.data.example import people
from unmask.data.io.write import write
from unmask.errors import DataError
from unmask.masks import Noise

COMMAND = (
    *(
        "assess",
        "original.csv",
        "released.csv",
        "--truth",
        "rows",
        "--seed",
        "1",
        "--known",
        "age,income,rent",
    ),
    *(
        "--attacks",
        "guess,dbrl,rbrl-max,prl",
        "--measures",
        "reidentification,interval-rank,interval-sd,sadr",
    ),
)

#: A program that kills itself as soon as so many parts are on the disk.
KILLED = """
import os, signal
from unmask.assessment.store import Store
from unmask.cli import main

write = Store._write

def written(self):
    write(self)
    if len(list(self.folder.glob("*.part"))) == {parts}:
        os.kill(os.getpid(), signal.SIGKILL)

Store._write = written
main()
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files, in the present folder, and a cache of their own; even the shortest run is kept."""
    original = people(300)
    write(original.frame, tmp_path / "original.csv")
    write(Noise(a=0.2).apply(original, np.random.default_rng(1)).data.frame, tmp_path / "released.csv")
    monkeypatch.chdir(tmp_path)
    kernels = own_folder("kernels")
    (tmp_path / "cache").mkdir(mode=0o700)
    (tmp_path / "cache" / "kernels").symlink_to(kernels)  # to compile them takes minutes
    monkeypatch.setenv("UNMASK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv(LONG_VARIABLE, "0")
    return tmp_path


def parts(folder: Path) -> list[Path]:
    return sorted((folder / "cache").glob("unfinished/*/*.part"))


def killed(after: int) -> int:
    """The exit code of a run that is killed when so many parts are there."""
    program = [sys.executable, "-c", KILLED.format(parts=after), *COMMAND, "--json", "killed.json"]
    return subprocess.run(program, check=False, capture_output=True).returncode


def assessed(name: str, *options: str) -> str:
    """What an assessment says beside its result."""
    outcome = run(*COMMAND, "--json", name, *options)
    assert outcome.code == 0
    return outcome.err


def test_a_killed_run_goes_on_and_gives_the_same_bytes(folder: Path) -> None:
    assert assessed("whole.json") == ""
    assert parts(folder) == []  # removed after success
    # Four attacks and one measure are done.
    assert killed(after=5) == -signal.SIGKILL
    assert not (folder / "killed.json").exists()
    kept = parts(folder)
    assert len(kept) == 5
    for path in kept:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    kept[0].write_bytes(kept[0].read_bytes()[:-7])  # a damaged part is made again
    assert assessed("resumed.json", "--resume") == ""
    assert (folder / "resumed.json").read_bytes() == (folder / "whole.json").read_bytes()
    assert parts(folder) == []
    assert "starts from the beginning" in assessed("again.json", "--resume")


def test_what_is_kept_is_taken_and_named_where_it_is_not_wanted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Store, "remove", lambda self: None)
    assert assessed("whole.json") == ""
    assert len(parts(folder)) == 7
    assert "--resume goes on with it" in assessed("again.json")
    monkeypatch.setattr("unmask.assessment.experiments.Experiment.runs", None)  # nothing is made again
    assert assessed("resumed.json", "--resume") == ""
    assert (folder / "resumed.json").read_bytes() == (folder / "whole.json").read_bytes()
    assert not any(
        value in path.read_bytes() for path in parts(folder) for value in (b"hypertension", b"north")
    )


def test_a_refusal_stands_alone(folder: Path) -> None:
    outcome = run("assess", "original.csv", "released.csv", "--truth", "nothing", "--resume")
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert outcome.err.startswith("error: ")


def test_another_verb_cannot_be_resumed(folder: Path) -> None:
    text = 'format = "unmask-request"\nversion = 1\nverb = "knowledge"\n[files]\n'
    (folder / "request.toml").write_text(f'{text}original = "original.csv"\nreleased = "released.csv"\n')
    outcome = run("run", "request.toml", "--resume")
    assert outcome.code == 2
    assert "cannot be resumed" in outcome.err


def test_parts_are_taken_only_where_they_are_wanted(tmp_path: Path) -> None:
    first = Store(tmp_path / "run", {"unmask": "1"}, after=0)
    assert first.part(("run", "dbrl"), lambda: 1) == 1
    assert Store(tmp_path / "run", {"unmask": "1"}).part(("run", "dbrl"), lambda: 2) == 2
    again = Store(tmp_path / "run", {"unmask": "1"}, resume=True)
    assert again.unfinished
    assert again.part(("run", "dbrl"), lambda: 3) == 1
    assert again.part(("run", "prl"), lambda: 4) == 4


def test_another_version_is_refused_in_a_line_and_replaced_without_resume(tmp_path: Path) -> None:
    Store(tmp_path / "run", {"unmask": "1"}, after=0).part(("run", "dbrl"), lambda: 1)
    with pytest.raises(DataError, match="another version of unmask"):
        Store(tmp_path / "run", {"unmask": "2"}, resume=True)
    Store(tmp_path / "run", {"unmask": "2"}, after=0).part(("run", "prl"), lambda: 2)
    kept = Store(tmp_path / "run", {"unmask": "2"}, resume=True)
    assert kept.part(("run", "dbrl"), lambda: 5) == 5


def test_a_short_run_leaves_nothing_and_a_long_one_all_of_it(tmp_path: Path) -> None:
    short = Store(tmp_path / "run", {}, after=1000)
    short.part(("run", "dbrl"), lambda: 1)
    assert not (tmp_path / "run").exists()
    short.expect(2000)  # which is long
    short.part(("run", "prl"), lambda: 2)
    assert len(list((tmp_path / "run").glob("*.part"))) == 2
    short.remove()
    assert not (tmp_path / "run").exists()


def test_other_files_and_requests_have_other_stores(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNMASK_CACHE_DIR", str(folder / "cache"))
    monkeypatch.chdir(folder)

    def place(**asked: object) -> Path:
        found = Store.of(Request(RequestFiles("original.csv", "released.csv"), **asked))  # type: ignore[arg-type]
        assert found is not None
        return found.folder

    before = place()
    assert place() == before
    assert place(seed=1) != before
    (folder / "released.csv").write_text((folder / "released.csv").read_text() + "\n")
    assert place() != before


def test_a_part_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    assert Store(tmp_path / "file" / "run", {}, after=0).part(("run",), lambda: 1) == 1
    monkeypatch.setattr(store, "pack", lambda _: (_ for _ in ()).throw(store.Unpackable))
    assert Store(tmp_path / "run", {}, after=0).part(("run",), lambda: 1) == 1
