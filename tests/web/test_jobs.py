"""Jobs: so many at a time, ended when somebody says so, and found again however their server ended."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import numpy as np
import polars as pl
import pytest

from tests.web.client import Browser, at_work, begun, until
from tests.web.conftest import METHODS
from unmask.web import run as runs
from unmask.web.jobs import GROUP, Jobs, cores
from unmask.web.run import RunFolder, RunState

P = "/p/census"

IN_PROC = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found in /proc")

#: An attack that compares all pairs of many people: it does not end by itself while a test looks at it.
LONG = """format = "unmask-request"
version = 1
verb = "assess"
full = true
attacks = ["dbrl"]
measures = ["reidentification"]

[files]
original = "many.csv"
released = "many.csv"
truth = "rows"
"""


@pytest.fixture
def worker(browser: Browser) -> Iterator[Browser]:
    """A browser at a project whose jobs get one place. Whatever a test did, they do not go on after it."""
    begun(browser, "census", "people.csv", "released.csv")
    jobs = browser.desk.jobs = Jobs(browser.root, browser.desk.runs, most=1)
    yield browser
    for path in browser.root.rglob(GROUP):
        with suppress(OSError):
            os.killpg(int(path.read_text()), signal.SIGKILL)
    for process in jobs._processes.values():
        process.wait()


def given(browser: Browser, *steps: list[str], verb: str = "assess") -> RunFolder:
    """A run of these commands, which waits for its turn."""
    run = runs.new_run(browser.project("census").folder / "runs")
    runs.give(run, verb, "Work", list(steps))
    return run


def long_run(browser: Browser) -> RunFolder:
    """A run that takes minutes."""
    random, size = np.random.default_rng(1), 150_000
    numbers = {f"x{i}": random.normal(size=size) for i in range(6)}
    pl.DataFrame(numbers).write_csv(browser.root / "many.csv")
    (browser.root / "long.toml").write_text(LONG)
    return given(browser, ["run", "long.toml", "--progress", "census/runs/0001/progress.jsonl"])


def alive(group: int) -> bool:
    """Whether a process of the group is there."""
    try:
        os.killpg(group, 0)
    except OSError:
        return False
    return True


def group_of(run: RunFolder) -> int:
    return int((run.folder / GROUP).read_text())


def below(pid: int) -> set[int]:
    """The processes that a process started, and those that they started."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
    found, new = set[int](), {pid}
    while new:
        found |= new
        new = {child for child, parent in parents.items() if parent in found} - found
    return found


def test_a_run_starts_and_ends_with_an_outcome(worker: Browser) -> None:
    run = given(worker, ["describe", "people.csv"], ["--version"])
    assert run.state is RunState.WAITING
    assert run.outcome is None
    with at_work(worker):
        until(lambda: run.state is RunState.RUNNING)
        assert "At work" in worker.get(f"{P}/runs/{run.name}").text
        until(lambda: run.over)
        until(lambda: not alive(group_of(run)))
    assert run.state is RunState.DONE
    assert run.outcome is not None
    assert (run.outcome.code, run.outcome.message) == (0, "")
    assert run.outcome.seconds > 0
    assert "Done in" in worker.get(f"{P}/runs/{run.name}").text


def test_so_many_run_at_a_time_in_the_order_of_their_numbers(worker: Browser) -> None:
    several = [given(worker, ["--version"]) for _ in range(3)]
    with at_work(worker):
        while not all(run.over for run in several):
            states = [run.state for run in several]
            assert states.count(RunState.RUNNING) <= 1
            assert states == sorted(states, key=[RunState.DONE, RunState.RUNNING, RunState.WAITING].index)
            time.sleep(0.01)
    assert {run.state for run in several} == {RunState.DONE}


def test_a_failed_run_shows_the_line_of_its_command(worker: Browser) -> None:
    run = given(worker, ["describe", "nowhere.csv"], ["describe", "people.csv", "-o", "schema.toml"])
    with at_work(worker):
        until(lambda: run.over)
    assert run.state is RunState.FAILED
    assert run.outcome is not None
    assert run.outcome.code == 2
    assert "nowhere.csv" in run.outcome.message
    assert "\n" not in run.outcome.message
    text = worker.get(f"{P}/runs/{run.name}").text
    assert "It ended with an error" in text
    assert "Traceback" not in text
    assert "nowhere.csv" in text
    assert not (worker.root / "schema.toml").exists(), "nothing follows a command that failed"


def test_a_waiting_run_is_cancelled_before_it_begins(worker: Browser) -> None:
    first, second = given(worker, ["--version"]), given(worker, ["--version"])
    assert worker.post(f"{P}/runs/{first.name}/cancel").status_code == 303
    with at_work(worker):
        until(lambda: second.over)
        assert first.state is RunState.CANCELLED
        assert not (first.folder / "started").exists()
        assert "Cancelled" in worker.get(f"{P}/runs/{first.name}").text
        assert worker.post(f"{P}/runs/{first.name}/again").status_code == 303
        until(lambda: first.over)
    assert first.state is RunState.DONE


def test_a_running_run_is_gone_within_two_seconds(worker: Browser) -> None:
    run = long_run(worker)
    with at_work(worker):
        until(lambda: run.progress.part == "dbrl")
        group = group_of(run)
        begun_at = time.monotonic()
        assert worker.post(f"{P}/runs/{run.name}/cancel").status_code == 303
        until(lambda: not alive(group))
        assert time.monotonic() - begun_at < 2.0
    assert run.state is RunState.CANCELLED
    assert "Cancelled" in worker.get(f"{P}/runs/{run.name}").text


@IN_PROC
def test_a_cancelled_study_takes_its_workers_along(worker: Browser) -> None:
    """They are no part of the group: an interrupt at a terminal is not for them."""
    expected = 3 if cores() > 1 else 1  # the job, its command, and a worker of the study for each core
    asked = {"verb": "study", "own": "noise:a={0.1..2..0.01}", "replicates": "9"}
    assert worker.post(f"{P}/protect", asked).status_code == 303
    (run,) = worker.project("census").runs()
    with at_work(worker):
        until(lambda: (run.folder / GROUP).exists() and len(below(group_of(run))) > expected)
        there = below(group_of(run))
        assert worker.post(f"{P}/runs/{run.name}/cancel").status_code == 303
        until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in there), 4.0)
    assert run.state is RunState.CANCELLED


def test_a_killed_run_is_broken_off_and_goes_on_when_asked(worker: Browser) -> None:
    assert worker.post(f"{P}/run", METHODS).status_code == 303
    (run,) = worker.project("census").runs()
    with at_work(worker):
        until(lambda: run.state is RunState.RUNNING)
        os.killpg(group_of(run), signal.SIGKILL)
        until(lambda: run.state is RunState.BROKEN_OFF)
        time.sleep(0.7)
        assert run.state is RunState.BROKEN_OFF, "nobody said that it should go on"
        assert "Go on" in worker.get(f"{P}/runs/{run.name}").text
        assert worker.post(f"{P}/runs/{run.name}/again").status_code == 303
        until(lambda: run.over)
    assert run.state is RunState.DONE
    assert run.has_result


def test_a_run_whose_process_alone_is_killed_runs_until_its_command_has_ended(worker: Browser) -> None:
    """Else a second one could be started beside it, in the same folder."""
    run = long_run(worker)
    with at_work(worker):
        until(lambda: run.progress.part == "dbrl")
        group = group_of(run)
        os.kill(group, signal.SIGKILL)
        time.sleep(0.5)
        assert run.state is RunState.RUNNING
        assert worker.post(f"{P}/runs/{run.name}/cancel").status_code == 303
        until(lambda: not alive(group), 4.0)
    assert run.state is RunState.CANCELLED


@IN_PROC
def test_a_command_that_the_system_ends_is_broken_off(worker: Browser) -> None:
    """As one does that runs out of memory: its job lives on, and tells of it."""
    run = given(worker, ["describe", "people.csv"])
    with at_work(worker):
        until(lambda: (run.folder / GROUP).exists() and len(below(group_of(run))) > 1)
        for pid in below(group_of(run)) - {group_of(run)}:
            os.kill(pid, signal.SIGKILL)
        until(lambda: run.over)
    assert run.state is RunState.BROKEN_OFF
    assert "it was killed" in worker.get(f"{P}/runs/{run.name}").text


def test_no_file_of_the_served_folder_is_run(worker: Browser) -> None:
    """A module of this name there is data, such as anybody could have sent."""
    for name in ("unmask", "json", "numpy", "typer"):
        (worker.root / f"{name}.py").write_text("from pathlib import Path\nPath('ran').touch()\n")
    run = given(worker, ["describe", "people.csv"])
    with at_work(worker):
        until(lambda: run.over)
    assert run.state is RunState.DONE
    assert not (worker.root / "ran").exists()


@contextmanager
def server(folder: Path) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    """A server of its own, and a client that opened its link."""
    line = [sys.executable, "-m", "unmask", "serve", str(folder), "--no-browser"]
    with subprocess.Popen(line, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            # All three lines: what else was read ahead of them, nobody could read later.
            told = "".join(process.stderr.readline() for _ in range(3))
            (link,) = re.findall(r"http://\S+", told)
            with httpx.Client(base_url=link.partition("/open")[0]) as client:
                assert client.get(link).status_code == 200
                yield process, client
        finally:
            process.kill()


def test_a_job_outlives_its_server_and_the_next_one_finds_it(worker: Browser) -> None:
    """And what waited is started by the next one."""
    worker.post(f"{P}/run", METHODS)
    (first,) = worker.project("census").runs()
    with server(worker.root) as (process, _):
        until(lambda: first.state is RunState.RUNNING)
        process.kill()
        process.wait()
    assert first.state is RunState.RUNNING
    group, second = group_of(first), given(worker, ["--version"])
    with server(worker.root) as (_, client):
        until(lambda: second.over)
        until(lambda: first.over)
        assert client.get(f"{P}/runs/{first.name}").headers["location"] == f"{P}/runs/{first.name}/result"
        assert "Done in" in client.get(f"{P}/runs/{second.name}").text
    assert {first.state, second.state} == {RunState.DONE}
    assert group_of(first) == group, "it is the same process, and no other was started"
