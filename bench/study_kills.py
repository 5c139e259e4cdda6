"""Kill -9 at random moments of a study: `python -m bench.study_kills [--times 10] [--seed 1]`.

A study of twenty masks of 2,000 invented people is done once without a break. Then it is started anew with a
results file of its own, killed at random moments, and started again each time, until it is let to its end.
After each kill the file must be whole and hold at least as many parts as before, and every process must be
gone; the JSON at the end must be that of the study without a break, byte by byte.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from unmask.data.example import people
from unmask.data.io.write import write

PEOPLE = 2000
MASKS = ("noise:a={0.1..1..0.1}", "rank-swapping:p={2,5,10,20,40}", "microaggregation:k={3,5,10,20,40}")
COMMAND = (
    *("study", "people.csv", *(word for mask in MASKS for word in ("--mask", mask)), "--replicates", "3"),
    *("--attacks", "dbrl,prl", "--losses", "il1s,total-variation", "--seed", "1"),
)
#: Seconds within which the processes of a killed study must be gone.
PATIENCE = 10.0


@dataclass(frozen=True)
class Whole:
    """The study without a break: its JSON, parts and seconds, and those until the first part was kept."""

    json: bytes
    parts: int
    seconds: float
    start: float


def started(folder: Path, name: str) -> subprocess.Popen[bytes]:
    """The study, with results and JSON of that name."""
    command = [sys.executable, "-m", "unmask", *COMMAND, "--results", f"{name}.db", "--json", f"{name}.json"]
    return subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )


def ended(process: subprocess.Popen[bytes]) -> None:
    """Let it come to its end."""
    _, err = process.communicate()
    if process.returncode:
        raise SystemExit(f"the study ended with code {process.returncode}: {err.decode().strip()}")


def parts(path: Path) -> int:
    """How many parts are kept in a file, which must be whole."""
    if not path.exists() or not path.stat().st_size:
        return 0
    with closing(sqlite3.connect(path, timeout=30)) as data:
        (state,) = data.execute("pragma integrity_check").fetchone()
        if state != "ok":
            raise SystemExit(f"the results are damaged: {state}")
        tables = data.execute("select count(*) from sqlite_master").fetchone()[0]
        return int(data.execute("select count(*) from parts").fetchone()[0]) if tables else 0


def whole(folder: Path) -> Whole:
    """The study without a break."""
    begun, start = time.monotonic(), 0.0
    process = started(folder, "whole")
    while process.poll() is None and not start:
        time.sleep(0.1)
        if parts(folder / "whole.db"):
            start = time.monotonic() - begun
    ended(process)
    found = (folder / "whole.json").read_bytes()
    return Whole(found, parts(folder / "whole.db"), time.monotonic() - begun, start)


def processes(pid: int) -> list[int]:
    """The processes that a process started."""
    try:
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def is_running(pid: int) -> bool:
    """Whether a process is there and not merely waiting to be looked at."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def killed(process: subprocess.Popen[bytes]) -> bool:
    """Kill its group; whether it was still at work. Its processes must notice, and end."""
    others = processes(process.pid)
    working = process.poll() is None
    if working:
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    until = time.monotonic() + PATIENCE
    while any(map(is_running, others)):
        if time.monotonic() > until:
            raise SystemExit("a process of the study outlived it")
        time.sleep(0.05)
    return working


def kills(folder: Path, reference: Whole, times: int, chance: random.Random) -> Iterator[str]:
    """Kill the study so often, let it end, and say what was found each time."""
    before, path = 0, folder / "killed.db"
    work = reference.seconds - reference.start
    for number in range(1, times + 1):
        moment = chance.uniform(0.7 * reference.start, reference.start + 2 * work / times)
        process = started(folder, "killed")
        time.sleep(moment)
        working, now = killed(process), parts(path)
        if now < before:
            raise SystemExit(f"kill {number}: {before - now} parts were lost")
        how = "killed" if working else "was at its end"
        yield f"{number}: {how} after {moment:.1f} s: {now} of {reference.parts} parts ({now - before} new)"
        before = now
    ended(started(folder, "killed"))
    if (folder / "killed.json").read_bytes() != reference.json or parts(path) != reference.parts:
        raise SystemExit("the study that was killed says something else")
    yield f"let to its end: the same {len(reference.json):,} bytes, {reference.parts} parts"


def main() -> None:
    """Kill a study, and print what was found."""
    parser = argparse.ArgumentParser(description="Kill a study at random moments.")
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write(people(PEOPLE).frame, folder / "people.csv")
        reference = whole(folder)
        print(f"without a break: {reference.parts} parts in {reference.seconds:.0f} s", flush=True)
        for line in kills(folder, reference, asked.times, random.Random(asked.seed)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
