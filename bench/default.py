"""Time and peak memory of the default assessment, phase by phase: `python -m bench.default [RECORDS ...]`.

The people of the bundled example and their rank-swapped release, as CSV files, all ten attributes known: all
default attacks and measures in full, the record table, the document and the report, as `unmask assess --full`
makes them, in a process of its own for each size, after one of a few people that compiles what is not
compiled. Wall seconds and their share of all, CPU seconds of all threads, and the peak of resident memory.
Then: the time of prl in units of that of dbrl, and how both grow from one size to the next.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from unmask.engines.watcher import Watcher

SIZES, FEW = (10_000, 100_000, 1_000_000), 2000
#: The default attacks without the one that guesses the mask, which is tried on a sample of people.
ATTACKS = "guess,dbrl,mahalanobis,rbrl-sum,rbrl-max,prl"


def resident() -> float:
    """The peak of the resident memory since it was last reset, in megabytes."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def reset() -> None:
    """Count the peak anew."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


class Phases(Watcher):
    """Keeps wall and CPU seconds and the peak of each phase, until the next one begins."""

    def __init__(self) -> None:
        super().__init__()
        self.phases: list[tuple[str, float, float, float]] = []
        self._part, self._wall, self._cpu = "starting", time.perf_counter(), 0.0

    def begin(self, part: str) -> None:
        """A phase ends, another starts."""
        super().begin(part)
        wall, cpu = time.perf_counter(), time.process_time()
        self.phases.append((self._part, wall - self._wall, cpu - self._cpu, resident()))
        self._part, self._wall, self._cpu = part, wall, cpu
        reset()


def assessed(folder: Path) -> list[tuple[str, float, float, float]]:
    """Assess the two files of a folder: name, wall seconds, CPU seconds and peak of each phase."""
    from unmask.assessment.request import Request, RequestFiles
    from unmask.assessment.results import Assessment
    from unmask.data.io.write import write
    from unmask.engines import LocalEngine
    from unmask.studies.run import run

    phases = Phases()
    files = RequestFiles(str(folder / "original.csv"), str(folder / "released.csv"))
    request = Request(files, attacks=tuple(ATTACKS.split(",")), full=True)
    result = run(request, engine=LocalEngine(watcher=phases))
    assert isinstance(result, Assessment)
    phases.begin("record table")
    write(result.records(), folder / "records.csv")
    phases.begin("document")
    result.to_json(folder / "assessment.json")
    phases.begin("report")
    result.to_html(folder / "report.html")
    phases.begin("end")
    return phases.phases


def made(folder: Path, records: int) -> None:
    """Write the two files."""
    from unmask.data.example import people
    from unmask.masks import RankSwapping
    from unmask.randomness import generator

    original, mask = people(records), RankSwapping(p=5)
    original.frame.write_csv(folder / "original.csv")
    released = mask.apply(original, generator(1, "mask", mask.name)).data
    released.frame.write_csv(folder / "released.csv")


def printed(phases: list[tuple[str, float, float, float]]) -> None:
    """A line per phase."""
    total = sum(wall for _, wall, _, _ in phases)
    for name, wall, cpu, peak in phases:
        print(f"  {name:20} {wall:8.1f} s {wall / total:6.0%} {cpu:8.1f} s CPU {peak:8,.0f} MB")
    cpu, peak = sum(cpu for _, _, cpu, _ in phases), max(peak for _, _, _, peak in phases)
    print(f"  {'in all':20} {total:8.1f} s {'':6} {cpu:8.1f} s CPU {peak:8,.0f} MB", flush=True)


def in_a_process(job: str) -> str:
    """What a call of this module prints in a process of its own."""
    code = f"import json; from pathlib import Path; from bench.default import assessed, made; {job}"
    return subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True).stdout


def main(*sizes: int) -> None:
    """Make the files of each size, and assess them."""
    before: dict[str, float] = {}
    for n in (FEW, *(sizes or SIZES)):
        with TemporaryDirectory() as folder:
            in_a_process(f"made(Path({folder!r}), {n})")
            phases = json.loads(in_a_process(f"print(json.dumps(assessed(Path({folder!r}))))"))
        if n == FEW:
            continue
        print(f"{n:,} records")
        printed(phases)
        walls = {name: wall for name, wall, _, _ in phases}
        print(f"  prl takes {walls['prl'] / walls['dbrl']:.1f} times as long as dbrl", flush=True)
        for name in ("dbrl", "prl"):
            if name in before:
                print(
                    f"  {name} takes {walls[name] / before[name]:.1f} times as long as with the size before"
                )
        before = walls


if __name__ == "__main__":
    main(*(int(size) for size in sys.argv[1:]))
