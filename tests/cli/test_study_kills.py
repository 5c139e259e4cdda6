"""A study that is killed loses nothing and goes on; one that is interrupted says so; no process stays.

``python -m bench.study_kills`` does the same at random moments of a larger study.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.console import Outcome, csv, people, put, run
from unmask.studies.protection.results_file import MARK, ResultsFile

STUDY = (
    *("study", "people.csv", "--mask", "noise:a={0.1,0.5}", "--mask", "rank-swapping:p=10", "--seed", "1"),
    *("--known", "age,income", "--attacks", "dbrl", "--losses", "il1s", "--least", "il1s"),
    *("--replicates", "2", "--results", "results.db"),
)
#: An attack, a measure and a loss of the original, and of three masks and independent columns drawn twice.
PARTS = 3 * 9

#: A program that gets a signal as soon as so many parts are kept; before, it notes its processes.
ENDED = """
import os, signal, sys
from pathlib import Path
signal.signal(signal.SIGINT, signal.default_int_handler)
AFTER, SIGNAL, GROUP = int(sys.argv.pop(1)), int(sys.argv.pop(1)), sys.argv.pop(1) == "group"
from unmask.studies.protection import work
from unmask.studies.protection.results_file import ResultsFile
work.LITTLE = 0
keep, gather = ResultsFile.keep, work.Crew._gather

def kept(self, key, outcome):
    keep(self, key, outcome)
    if len(self) == AFTER:
        (os.killpg if GROUP else os.kill)(os.getpgrp() if GROUP else os.getpid(), SIGNAL)

def gathered(self, tasks):
    gather(self, tasks)
    Path("processes").write_text(" ".join(str(hand.process.pid) for hand in self._hands))

ResultsFile.keep, work.Crew._gather = kept, gathered
from unmask.cli import main
main()
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    put(tmp_path, {"people.csv": csv(people(60))})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ended(by: signal.Signals, after: int, *, threads: int, group: bool = False) -> Outcome:
    """A study that gets a signal, alone or with its group, as a terminal sends it."""
    who = (str(after), str(int(by)), "group" if group else "alone")
    command = [sys.executable, "-c", ENDED, *who, *STUDY, "--threads", str(threads), "--json", "ended.json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, start_new_session=True)
    assert not Path("ended.json").exists()
    return Outcome(done.returncode, done.stdout, done.stderr)


def processes() -> list[int]:
    return [int(pid) for pid in Path("processes").read_text().split()]


def gone(pid: int) -> bool:
    """Whether a process ends within a while; who is ended with its parent needs a moment to notice."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        state = Path(f"/proc/{pid}/stat")
        if state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z":
            return True  # it ended, and whoever adopted it has not looked
        time.sleep(0.05)
    return False


def kept() -> int:
    """How many parts are kept; the file is opened as the next run opens it."""
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect("results.db")) as data:
        assert data.execute("pragma integrity_check").fetchone() == ("ok",)
        meta = dict(data.execute("select name, value from meta"))
    assert meta["format"] == MARK
    with ResultsFile(Path("results.db"), meta["original"]) as results:
        return len(results)


def test_a_killed_study_goes_on_and_gives_the_same_bytes(folder: Path) -> None:
    assert ended(signal.SIGKILL, after=4, threads=1).code == -signal.SIGKILL
    assert kept() == 4
    assert ended(signal.SIGKILL, after=12, threads=2).code == -signal.SIGKILL
    assert kept() == 12
    assert len(processes()) == 2
    assert all(map(gone, processes()))
    assert run(*STUDY, "--threads", "1", "--json", "resumed.json").code == 0
    assert kept() == PARTS
    (folder / "results.db").unlink()
    assert run(*STUDY, "--threads", "1", "--json", "whole.json").code == 0
    assert (folder / "resumed.json").read_bytes() == (folder / "whole.json").read_bytes()


def test_an_interrupt_is_one_line_and_no_process_stays(folder: Path) -> None:
    assert ended(signal.SIGINT, after=1, threads=2, group=True) == Outcome(130, "", "interrupted\n")
    assert len(processes()) == 2
    assert all(map(gone, processes()))
    assert 1 <= kept() < PARTS
