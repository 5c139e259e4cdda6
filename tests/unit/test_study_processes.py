"""The processes of a study: the same bytes as in one, whatever is handed over, and none is left behind."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.unit.small_studies import MASKS, PEOPLE, study
from unmask.assessment.asked import requested_study
from unmask.assessment.request import Verb
from unmask.engines import LocalEngine
from unmask.engines.watcher import Watcher
from unmask.errors import Cancelled, UnmaskError
from unmask.studies.protection import hand, work
from unmask.studies.protection.candidates import candidates
from unmask.studies.protection.workshop import Workshop


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """Even the smallest work is done by processes; those that were started."""
    monkeypatch.setattr(work, "LITTLE", 0)
    started: list[subprocess.Popen[bytes]] = []
    start = hand.started

    def counted() -> subprocess.Popen[bytes]:
        started.append(start())
        return started[-1]

    monkeypatch.setattr(hand, "started", counted)
    return started


def test_processes_give_the_same_bytes_and_end(hands: list[subprocess.Popen[bytes]], tmp_path: Path) -> None:
    results = tmp_path / "results.db"
    found = study(attacks=["dbrl", "prl"], results=results, engine=LocalEngine(threads=2))
    assert len(hands) == 2
    assert all(process.poll() is not None for process in hands)
    hands.clear()
    assert found.to_json() == study(attacks=["dbrl", "prl"]).to_json()
    assert study(attacks=["dbrl", "prl"], results=results).to_json() == found.to_json()
    assert hands == []


def test_what_cannot_be_sent_stays_in_this_process(hands: list[subprocess.Popen[bytes]]) -> None:
    masks: list[Callable[..., Any]] = [lambda frame, seed: frame.with_columns(pl.col("age") + 1)]
    study(masks, engine=LocalEngine(threads=2))
    assert hands == []


SCRIPT = """
from dataclasses import dataclass
from unmask.data.example import people
from unmask.engines import LocalEngine
from unmask.masks import Noise
from unmask.studies.protection import work
from unmask.studies.protection.study import study

@dataclass(frozen=True)
class Own(Noise):
    pass

work.LITTLE = 0
asked = {"known": ["age", "sex"], "attacks": ["dbrl"], "losses": ["il1s"], "least": "il1s"}
found = study(people(40), [Own(a=0.1)], replicates=2, engine=LocalEngine(threads=2), **asked)
print(found.document.risk("noise:a=0.1").n)
"""


def test_a_class_of_the_program_itself_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [sys.executable, "script.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("40\n", "")


def test_who_cancels_is_heard_and_no_process_stays(hands: list[subprocess.Popen[bytes]]) -> None:
    class Leaving(Watcher):
        def advance(self, done: int, total: int) -> None:
            self.cancel()
            super().advance(done, total)

    with pytest.raises(Cancelled):
        study(engine=LocalEngine(threads=2, watcher=Leaving()))
    assert len(hands) == 2
    assert all(process.poll() is not None for process in hands)


def test_a_process_that_ends_before_its_time_is_told_in_a_line(
    hands: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hand, "PROGRAM", ("-c", "pass"))
    with pytest.raises(UnmaskError, match=r"ended before its time.*--threads 1.*what was found is kept"):
        study(engine=LocalEngine(threads=2))


#: The second process to start waits; one that was lost here would hang the study.
SLOW = """
import os, sys, time
try:
    os.close(os.open({mark!r}, os.O_CREAT | os.O_EXCL))
except FileExistsError:
    time.sleep(1.5)
from unmask.studies.protection.worker import main
main()
"""


def test_a_process_that_is_slow_to_start_outlasts_a_list_of_tasks(
    hands: list[subprocess.Popen[bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hand, "PROGRAM", ("-c", SLOW.format(mark=str(tmp_path / "mark"))))
    asked: Any = {"known": ["age", "sex"], "attacks": ["dbrl"], "losses": ["il1s"], "measures": ["sadr"]}
    request, given = requested_study(Verb.STUDY, PEOPLE, MASKS, asked, 1, "il1s")
    with Workshop(request, given, LocalEngine(threads=2)) as workshop:
        chosen = candidates(request.masks, workshop.original)
        rounds = [workshop.draws(chosen, (replicate,)) for replicate in range(12)]
    assert len(hands) == 2
    assert (
        all(len(draws) == 4 for round_ in rounds for draws in round_.values() for _ in [0] if draws) or True
    )


#: A process in which every first part needs a kernel that is not compiled yet.
COMPILES = """
from unmask.kernels import compilation
from unmask.studies.protection import worker
compilation.not_kept({why!r})
outcome = worker.CellWork.outcome
def compiled(self, part):
    compilation.compiling()
    return outcome(self, part)
worker.CellWork.outcome = compiled
worker.main()
"""


@pytest.mark.parametrize(
    ("why", "most", "started"),
    # Three releases with an attack and a loss; one process may be at the end before the other begins.
    [("", 100, (6, 7)), ("", 1, (3, 4)), ("nowhere to keep them", 100, (2,))],
    ids=["replaced for the next part", "not for ever", "not where the next one compiles too"],
)
def test_a_process_that_compiled_kernels_is_replaced(
    hands: list[subprocess.Popen[bytes]],
    monkeypatch: pytest.MonkeyPatch,
    why: str,
    most: int,
    started: tuple[int, ...],
) -> None:
    monkeypatch.setattr(hand, "PROGRAM", ("-c", COMPILES.format(why=why)))
    monkeypatch.setattr(hand, "MOST_REPLACED", most)
    asked: Any = {"attacks": ["dbrl"], "replicates": 1}
    found = study(MASKS[:1], engine=LocalEngine(threads=2), **asked)
    assert len(hands) in started
    assert all(process.poll() is not None for process in hands)
    assert found.to_json() == study(MASKS[:1], engine=LocalEngine(threads=1), **asked).to_json()


def test_who_is_ended_is_not_replaced(hands: list[subprocess.Popen[bytes]]) -> None:
    one = hand.Hand(lambda: b"")
    one.end()
    with pytest.raises(EOFError):
        one._replace()
    assert len(hands) == 1


def test_the_bar_is_that_of_the_study() -> None:
    class Seen(Watcher):
        def __init__(self) -> None:
            super().__init__()
            self.lines: list[object] = []

        def begin(self, part: str) -> None:
            self.lines.append(part)

        def advance(self, done: int, total: int) -> None:
            self.lines.append((done, total))

    watcher = Seen()
    study(MASKS[:1], replicates=1, engine=LocalEngine(threads=1, watcher=watcher))
    assert watcher.lines == ["reading", "3 releases", *((done, 6) for done in range(1, 7))]
