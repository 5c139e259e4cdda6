"""How soon a run starts and ends: `python -m bench.start [PEOPLE]`.

CPU and wall seconds of whole commands in processes of their own, and when their first line came; the demo's
says what is done, and what its attacks find follows later. The first run of each command compiles kernels and
bundles charts, where that was not done before; the second, which is printed, finds them on disk. On a busy
machine only the CPU seconds tell something.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

PEOPLE = 1000


@dataclass(frozen=True)
class Course:
    """Seconds of one process: of CPU in all, by the clock in all, and by both until its first line."""

    cpu: float
    wall: float
    first_cpu: float
    first_wall: float


def course(command: list[str]) -> Course:
    """Run a command and note when its first line comes."""
    before, start = _children(), time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "unmask", *command], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    first = time.perf_counter() - start
    first_cpu = _cpu_of(process.pid)
    process.stdout.read()
    if process.wait():
        raise SystemExit(f"unmask {' '.join(command)} failed")
    return Course(_children() - before, time.perf_counter() - start, first_cpu, first)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _cpu_of(process: int) -> float:
    """The CPU seconds of a process that still runs, where the system tells them."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return float("nan")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(people: int = PEOPLE) -> None:
    """Print one row per command."""
    with tempfile.TemporaryDirectory() as folder:
        original, released = _files(Path(folder), people)
        commands = {
            "--help": ["--help"],
            "demo": ["demo", "--out", f"{folder}/demo"],
            f"assess, {people:,} people": ["assess", original, released, "--html", f"{folder}/risk.html"],
        }
        print("| command | CPU s | wall s | first line, CPU s | first line, wall s |\n|---|---|---|---|---|")
        for name, command in commands.items():
            course(command)
            warm = course(command)
            cells = (warm.cpu, warm.wall, warm.first_cpu, warm.first_wall)
            print(f"| {name} |" + "".join(f" {cell:.1f} |" for cell in cells), flush=True)


def _files(folder: Path, n: int) -> tuple[str, str]:
    """Invented people and their microaggregated release, row by row."""
    from unmask.data.example import SCHEMA, people
    from unmask.data.schema import Role
    from unmask.masks import Microaggregation
    from unmask.randomness import generator

    original, mask = people(n), Microaggregation(k=5)
    masked = mask.apply(original, generator(1, "mask", mask.name)).data.frame
    paths = folder / "original.csv", folder / "released.csv"
    for frame, path in zip((original.frame, masked), paths, strict=True):
        frame.drop(SCHEMA.names(Role.IDENTIFIER)).write_csv(path)
    return str(paths[0]), str(paths[1])


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
