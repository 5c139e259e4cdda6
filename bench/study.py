"""A study beside separate assessments: `python -m bench.study [--records 100000] [--candidates 60]`.

Correlated lognormal records with 13 numbers, all known. The study tries its masks once each, with all default
attacks and that of who knows the mask, in processes of its own as 'unmask study' does. Separately: for some
of the same masks 'unmask mask' and 'unmask assess' in processes of their own, as somebody would without
studies; their mean stands for all. Wall clock, one after the other on the same machine; the peak of memory is
the sum over the study and its processes, sampled ten times a second.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread

import numpy as np
import polars as pl

from bench.data import lognormal

STRENGTHS = {
    "noise:a": np.linspace(0.05, 2, 12),
    "rank-swapping:p": np.linspace(1, 50, 12),
    "microaggregation:k": np.arange(3, 15),
    "individual-ranking:k": np.arange(3, 15),
    "correlated-noise:a": np.linspace(0.05, 2, 12),
}


def records(n: int) -> pl.DataFrame:
    """N records of 13 numbers, rounded to two decimals."""
    x = lognormal(n, 13, 0.0)[0]
    return pl.DataFrame({f"x{j}": np.round(100 * x[:, j], 2) for j in range(13)})


def masks(number: int) -> list[str]:
    """So many masks, family by family in turn."""
    each = [[f"{name}={value:.4g}" for value in values] for name, values in STRENGTHS.items()]
    return [one for turn in zip(*each, strict=True) for one in turn][:number]


def resident(pid: int) -> float:
    """The resident memory of a process and of those that it started, in megabytes."""
    total, waiting = 0.0, [pid]
    while waiting:
        one = waiting.pop()
        try:
            status = Path(f"/proc/{one}/status").read_text(encoding="ascii").splitlines()
            total += next((int(line.split()[1]) for line in status if line.startswith("VmRSS")), 0) / 1024
            tasks = list(Path(f"/proc/{one}/task").iterdir())
        except OSError:
            continue  # it ended meanwhile
        # Whichever thread started them: a process that replaces another is no child of the main thread.
        for task in tasks:
            with suppress(OSError):
                waiting += [int(child) for child in (task / "children").read_text(encoding="ascii").split()]
    return total


def timed(command: list[str]) -> tuple[float, float]:
    """Wall seconds of a command of unmask's, and the peak of its memory with its processes."""
    begun = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "unmask", *command], stdout=subprocess.DEVNULL)
    peak, ended = [0.0], Event()

    def watch() -> None:
        while not ended.wait(0.1):
            peak[0] = max(peak[0], resident(process.pid))

    watcher = Thread(target=watch)
    watcher.start()
    code = process.wait()
    ended.set()
    watcher.join()
    if code:
        raise SystemExit(f"unmask {command[0]} failed")
    return time.perf_counter() - begun, peak[0]


def main() -> None:
    """Make the files, run both."""
    parser = argparse.ArgumentParser(prog="python -m bench.study", description=__doc__)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--candidates", type=int, default=60)
    parser.add_argument("--separate", type=int, default=5, help="assessments that stand for all")
    options = parser.parse_args()
    chosen = masks(options.candidates)
    with TemporaryDirectory() as name:
        place = Path(name)
        original = place / "original.csv"
        records(options.records).write_csv(original)
        names = [part for one in chosen for part in ("--mask", one)]
        results = ["--results", str(place / "study.db"), "--json", str(place / "study.json")]
        whole, peak = timed(["study", str(original), *names, "--replicates", "1", *results])
        print(
            f"study of {len(chosen)} masks: {whole:.0f} s, peak {peak:,.0f} MB in all processes", flush=True
        )
        seconds = []
        for one in chosen[: options.separate]:
            released = str(place / "released.csv")
            masking = timed(["mask", str(original), "--mask", one, "-o", released])[0]
            told = ["--truth", "rows", "--json", str(place / "one.json")]
            assessing = timed(["assess", str(original), released, *told])[0]
            seconds.append(masking + assessing)
            print(f"{one}: masked in {masking:.1f} s, assessed in {assessing:.1f} s", flush=True)
        apart = float(np.mean(seconds)) * len(chosen)
        print(f"{len(chosen)} separate ones take {apart:.0f} s, the study {whole / apart:.2f} of that")


if __name__ == "__main__":
    main()
