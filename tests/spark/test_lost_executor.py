"""An executor that is killed in the middle of a job, and work that is cancelled."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from unmask.engines import LocalEngine, joined
from unmask.engines.spark import SparkEngine
from unmask.errors import Cancelled


@dataclass(frozen=True)
class Killer:
    """Squares; the first process that comes to item 50 kills its executor, once."""

    mark: str

    def __call__(self, start: int, stop: int) -> NDArray[np.int64]:
        if start <= 50 < stop:
            try:
                os.close(os.open(self.mark, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                os.kill(_executor(), signal.SIGKILL)
                time.sleep(60)
        return np.arange(start, stop) ** 2


def _executor() -> int:
    """The process of Java that this worker belongs to."""
    process = os.getppid()
    while b"java" not in Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")[0]:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        process = int(fields[1])
    return process


def test_a_killed_executor(engine: SparkEngine, tmp_path_factory: pytest.TempPathFactory) -> None:
    mark = tmp_path_factory.mktemp("mark") / "killed"
    found = engine.map(Killer(str(mark)), 200, joined, 3)
    assert mark.exists()
    assert np.array_equal(found, np.arange(200) ** 2)


def test_a_search_after_it(engine: SparkEngine) -> None:
    from tests.engines.test_local import everything, files, pairing

    p, truth = pairing(*files(300, 3)), np.arange(300)
    assert everything(engine, p, truth) == everything(LocalEngine(threads=1), p, truth)


@dataclass(frozen=True)
class Sleeper:
    """Takes its time."""

    def __call__(self, start: int, stop: int) -> NDArray[np.int64]:
        time.sleep(5)
        return np.arange(start, stop)


def test_cancelled(engine: SparkEngine) -> None:
    Timer(1.0, engine.watcher.cancel).start()
    begun: Any = time.monotonic()
    with pytest.raises(Cancelled):
        engine.map(Sleeper(), 40, joined, 1)
    assert not engine.session.sparkContext.statusTracker().getActiveJobsIds() or time.monotonic() - begun < 60
