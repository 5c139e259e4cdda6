"""Peak memory and time of the default assessment by its phases: `python -m bench.memory [RECORDS ...]`.

The people of the bundled example and their rank-swapped release, as CSV files: all attacks and measures, the
record table, the document and the report, as `unmask assess` makes them, in a process of its own for each
size. The peak is what Linux counts as resident; the time is that of the processor, of all threads together.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from unmask.engines.watcher import Watcher

SIZES = (100_000, 1_000_000)
#: The attacks of a quicker run, as in ATTACKS=guess,dbrl; all by default.
ATTACKS = os.environ.get("ATTACKS")


def resident() -> float:
    """The peak of the resident memory since it was last reset, in megabytes."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def reset() -> None:
    """Count the peak anew."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


class Phases(Watcher):
    """Prints the peak and the time of each phase when the next one begins."""

    def __init__(self) -> None:
        super().__init__()
        self.part, self.since, self.most = "starting", 0.0, 0.0

    def begin(self, part: str) -> None:
        """A phase ends, another starts."""
        super().begin(part)
        now, peak = time.process_time(), resident()
        print(f"  {self.part:24}  {peak:7,.0f} MB  {now - self.since:8.1f} s", flush=True)
        self.part, self.since, self.most = part, now, max(self.most, peak)
        reset()


def assessed(folder: Path) -> None:
    """Assess the two files of a folder, and print what each phase takes."""
    from unmask.assessment.request import Request, RequestFiles
    from unmask.assessment.results import Assessment
    from unmask.data.io.write import write
    from unmask.engines import LocalEngine
    from unmask.studies.run import run

    phases = Phases()
    files = RequestFiles(str(folder / "original.csv"), str(folder / "released.csv"))
    request = Request(files, attacks=tuple(ATTACKS.split(",")) if ATTACKS else None)
    result = run(request, engine=LocalEngine(watcher=phases))
    assert isinstance(result, Assessment)
    phases.begin("record table")
    write(result.records(), folder / "records.csv")
    phases.begin("document")
    result.to_json(folder / "assessment.json")
    phases.begin("report")
    result.to_html(folder / "report.html")
    phases.begin("end")
    print(f"  {'in all':24}  {phases.most:7,.0f} MB  {time.process_time():8.1f} s")


def made(folder: Path, records: int) -> None:
    """Write the two files."""
    from unmask.data.example import people
    from unmask.masks import RankSwapping
    from unmask.randomness import generator

    original, mask = people(records), RankSwapping(p=5)
    original.frame.write_csv(folder / "original.csv")
    released = mask.apply(original, generator(1, "mask", mask.name)).data
    released.frame.write_csv(folder / "released.csv")


def main(*sizes: int) -> None:
    """Make the files of each size, and assess them, each in a process of its own."""
    for n in sizes or SIZES:
        print(f"{n:,} records")
        with TemporaryDirectory() as folder:
            for job in (f"made(Path({folder!r}), {n})", f"assessed(Path({folder!r}))"):
                code = f"from pathlib import Path; from bench.memory import assessed, made; {job}"
                subprocess.run([sys.executable, "-c", code], check=True)  # our own code


if __name__ == "__main__":
    main(*(int(size) for size in sys.argv[1:]))
