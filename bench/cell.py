"""Time one contestant on one file, in a process of its own: `python -m bench.cell '<json>'`.

A small run first loads and compiles everything. Then a sample of targets is timed; if the whole file would
take longer than the budget, the largest sample that fits is timed instead and scaled, with the index (timed
by itself on a handful of targets) counted once.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from dataclasses import asdict, dataclass

import numpy as np

from bench.contestants import Run, contestant
from bench.data import Floats, Ints, lognormal, ranks, real

SMALLEST_SAMPLE = {"faiss": 16_384, "faiss, k=2": 2_048, "sklearn brute": 4_096}


@dataclass(frozen=True)
class Cell:
    """What is timed on what."""

    name: str
    how: str = "squares"
    file: str = "lognormal"
    n: int = 10_000
    d: int = 6
    noise: float = 0.1
    budget: float = 8.0
    repeat: int = 2
    threads: int = 1
    clock: str = "wall"  # or "cpu": of the whole process, which other processes disturb least

    def load(self) -> tuple[Floats, Floats, Ints]:
        """The files to link."""
        known, released, truth = (
            lognormal(self.n, self.d, self.noise) if self.file == "lognormal" else real(self.file, self.noise)
        )
        return (
            (ranks(known), ranks(released), truth)
            if self.how in ("sum", "maximum")
            else (known, released, truth)
        )


@dataclass(frozen=True)
class Timing:
    """Seconds (index included), peak memory of the process, targets and attributes, and targets timed."""

    seconds: float
    megabytes: float
    targets: int
    attributes: int
    timed: int


def seconds(run: Run, files: tuple[Floats, Floats, Ints], targets: Ints, clock: str) -> float:
    """The time of one run."""
    now = time.process_time if clock == "cpu" else time.perf_counter
    start = now()
    run(*files, targets)
    return now() - start


def measure(cell: Cell) -> Timing:
    """Time a cell."""
    run = contestant(cell.name, cell.how, cell.threads)
    small = lognormal(500, 3, 0.1)
    run(*small, np.arange(500))
    files = cell.load()
    n = len(files[0])
    chosen = np.random.default_rng(0).permutation(n)
    first = min(n, SMALLEST_SAMPLE.get(cell.name, 512))
    index = seconds(run, files, chosen[: min(n, 8)], cell.clock)
    pace = max(seconds(run, files, chosen[:first], cell.clock) - index, 1e-9) / first
    timed = n if index + pace * n <= cell.budget else int(np.clip(cell.budget / pace, first, n))
    targets = np.arange(n) if timed == n else np.sort(chosen[:timed])
    took = seconds(run, files, targets, cell.clock)
    if took < cell.budget / 2:
        took = min([took] + [seconds(run, files, targets, cell.clock) for _ in range(cell.repeat - 1)])
    if timed < n:
        took = index + max(took - index, 0.0) * n / timed
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Timing(took, peak, n, files[0].shape[1], timed)


if __name__ == "__main__":
    print(json.dumps(asdict(measure(Cell(**json.loads(sys.argv[1]))))))
