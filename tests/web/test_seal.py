"""Work that came with a folder is not started: its commands could be anything."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from unmask.errors import ArgumentError
from unmask.web import run as runs
from unmask.web import seal as sealing
from unmask.web.jobs import Jobs
from unmask.web.run import RunState


@pytest.fixture
def run(tmp_path: Path) -> runs.RunFolder:
    made = runs.new_run(tmp_path / "runs")
    runs.give(made, "assess", "Work", [["--version"]])
    return made


def changed(run: runs.RunFolder, **fields: object) -> None:
    """The job as somebody else would have written it."""
    path = run.folder / runs.JOB
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))


def test_what_was_asked_for_here_waits_for_its_turn(run: runs.RunFolder) -> None:
    assert run.own
    assert run.state is RunState.WAITING


@pytest.mark.parametrize(
    "fields", [{"steps": [["mask", "--mask", "exec:touch x"]]}, {"seal": ""}, {"seal": None}, {"seal": 7}]
)
def test_what_was_changed_is_not_started(run: runs.RunFolder, fields: dict[str, object]) -> None:
    changed(run, **fields)
    assert run.state is RunState.FOREIGN
    jobs = Jobs(run.folder.parent, lambda: [run])
    jobs.start()
    time.sleep(1.0)
    jobs.stop()
    assert run.state is RunState.FOREIGN
    assert not (run.folder / runs.STARTED).exists()


def test_what_was_copied_to_another_folder_is_not_started(run: runs.RunFolder, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / runs.JOB).write_bytes((run.folder / runs.JOB).read_bytes())
    assert runs.RunFolder(other).state is RunState.FOREIGN


def test_it_is_not_started_again_either(run: runs.RunFolder) -> None:
    changed(run, steps=[["--help"]])
    (run.folder / runs.STARTED).touch()
    assert run.state is RunState.BROKEN_OFF
    with pytest.raises(ArgumentError, match="another account"):
        runs.again(run)
    assert (run.folder / runs.STARTED).exists()


def test_the_next_server_of_the_account_has_the_same_key(
    run: runs.RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNMASK_CACHE_DIR", str(tmp_path / "cache"))
    sealing._key.cache_clear()
    try:
        first = sealing._key()
        sealing._key.cache_clear()
        assert sealing._key() == first
        key = tmp_path / "cache" / "serve" / "key"
        if os.name == "posix":
            assert key.stat().st_mode & 0o077 == 0
        assert [one.name for one in key.parent.iterdir()] == ["key"]
    finally:
        sealing._key.cache_clear()
