"""The program ends in one line, at whatever moment somebody ends it, and leaves no temporary file."""

from __future__ import annotations

import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.cli.console import Outcome, content, program, put, run

#: The signals are those of a terminal; whoever started the tests may have them ignored.
START = """
import os, signal, sys
for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(one, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
SIGNAL = signal.Signals(int(sys.argv.pop(1)))
"""
#: A signal while a module is looked for: in the middle of an import.
IMPORTING = """
class Sender:
    def find_spec(self, name, path=None, target=None):
        if name == MODULE:
            os.kill(os.getpid(), SIGNAL)
sys.meta_path.insert(0, Sender())
"""
RUN = "from unmask.cli import main\nmain()\n"


def ended(code: str, *arguments: str, by: signal.Signals = signal.SIGINT) -> Outcome:
    command = [sys.executable, "-c", START + code + RUN, str(int(by)), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    return Outcome(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    put(tmp_path, {"people.csv": "age,sex\n31,f\n54,m\n40,f\n"})
    return tmp_path


@pytest.mark.parametrize(
    "module",
    ["unmask.cli.ending", "unmask.temporaries", "unmask.cli.verbs", "typer", "numpy", "polars"],
)
def test_an_interrupt_during_an_import(folder: Path, module: str) -> None:
    outcome = ended(f"MODULE = {module!r}\n{IMPORTING}", "describe", "people.csv")
    assert outcome == Outcome(130, "", "interrupted\n")


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_terminate(folder: Path, by: signal.Signals) -> None:
    outcome = ended(f"MODULE = 'polars'\n{IMPORTING}", "describe", "people.csv", by=by)
    assert outcome == Outcome(128 + by, "", "terminated\n")


WRITING = """
import time
import polars as pl
def stop(frame, path, *_, **__):
    with open(path, "w") as stream:
        stream.write("half")
    os.kill(os.getpid(), SIGNAL)
    time.sleep(60)
pl.DataFrame.write_csv = stop
"""


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_no_temporary_file_stays(folder: Path, by: signal.Signals) -> None:
    before = content(folder)
    outcome = ended(WRITING, "mask", "people.csv", "--mask", "noise:a=1", "-o", "out.csv", by=by)
    assert outcome.code == 128 + by
    assert content(folder) == before


LOST = """
class Dying:
    def __del__(self):
        os.kill(os.getpid(), SIGNAL)
        for _ in range(1000): pass
import unmask.data.io.delimited as place
def lose(*_):
    Dying()
    import time
    time.sleep(60)
place.read_delimited = lose
import unmask.data.io
unmask.data.io.READERS[".csv"] = lose
"""


def test_an_interrupt_that_nobody_can_raise_is_not_lost(folder: Path) -> None:
    assert ended(LOST, "describe", "people.csv") == Outcome(130, "", "interrupted\n")


DEAF = """
import time
import unmask.cli.ending
unmask.cli.ending.GRACE = 0.2
import unmask.data.io
def deaf(*_):
    os.kill(os.getpid(), SIGNAL)
    while True:
        try:
            time.sleep(60)
        except KeyboardInterrupt:
            pass
unmask.data.io.READERS[".csv"] = deaf
"""


def test_work_that_no_interrupt_reaches_ends_after_a_while(folder: Path) -> None:
    assert ended(DEAF, "describe", "people.csv", by=signal.SIGTERM) == Outcome(143, "", "terminated\n")


AT_EXIT = """
import atexit, time
def late():
    os.kill(os.getpid(), SIGNAL)
    time.sleep(60)
class Registering:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":  # as libraries do when they are imported
            atexit.register(late)
sys.meta_path.insert(0, Registering())
"""
IN_THREAD = """
import threading, time
def late():
    while threading.main_thread().is_alive():
        time.sleep(0.01)
    os.kill(os.getpid(), SIGNAL)
    time.sleep(3)
threading.Thread(target=late).start()
"""


@pytest.mark.parametrize("code", [AT_EXIT, IN_THREAD])
def test_an_interrupt_while_the_program_leaves(code: str) -> None:
    outcome = ended(code, "--version")
    assert (outcome.code, outcome.err) == (130, "interrupted\n")


def test_what_is_ignored_stays_ignored() -> None:
    code = "signal.signal(signal.SIGINT, signal.SIG_IGN)\nMODULE = 'typer'\n" + IMPORTING
    assert ended(code, "--version").code == 0


def test_the_version_is_told(tmp_path: Path) -> None:
    told = Outcome(0, f"unmask {version('unmask')}\n", "")
    assert run("--version") == told
    assert program("--version", folder=tmp_path) == told


def test_a_reader_who_goes_away_is_no_traceback(tmp_path: Path) -> None:
    command = f"{sys.executable} -m unmask list measures | true"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stderr == ""
