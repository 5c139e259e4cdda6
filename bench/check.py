"""How long two files take to be understood, beside reading them: `python -m bench.check [RECORDS ...]`.

The people of the bundled example as CSV files; age is banded, income rounded, rent noisy, and the release is
in the order of the original, or shuffled with a key. Seconds depend on the machine; the ratio to reading the
two files, measured in the same run, less so.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import numpy as np
import polars as pl

import unmask
from unmask.data.example import people
from unmask.data.io import read

SIZES = (10_000, 100_000, 1_000_000)
Result = TypeVar("Result")


def released(original: pl.DataFrame) -> pl.DataFrame:
    """An everyday release."""
    low = (pl.col("age") // 5 * 5).cast(pl.Int64)
    noise = pl.Series(np.random.default_rng(1).normal(size=original.height))
    return original.with_columns(
        age=low.cast(pl.String) + "-" + (low + 4).cast(pl.String),
        income=(pl.col("income") / 1000).round() * 1000,
        rent=pl.col("rent") + 50 * noise,
    )


def timed(job: Callable[[], Result]) -> tuple[Result, float]:
    """What a job gives, and its seconds."""
    start = time.perf_counter()
    found = job()
    return found, time.perf_counter() - start


def measured(original: Path, release: Path) -> str:
    """The times of reading two files and of understanding them, their ratio, and what was found."""
    files, reading = timed(lambda: [read(str(path)) for path in (original, release)])
    found, checking = timed(lambda: unmask.check(*files))
    changed = [change.what.value for change in found.changes if change.what.value != "unchanged"]
    times = f"{release.stem:8}  {reading:6.1f} s  {checking:6.1f} s  {checking / reading:5.1f}"
    return f"{times}  {found.rows.by}, {', '.join(changed)}"


def main(*sizes: int) -> None:
    """Print one line per size and order."""
    print(f"{'records':>9}  {'release':8}  {'reading':>8}  {'check':>8}  ratio  pairing, changes found")
    for n in sizes or SIZES:
        original = people(n).frame
        release = released(original)
        shuffled = release.sample(fraction=1, shuffle=True, seed=1)
        with TemporaryDirectory() as folder:
            paths = [Path(folder) / name for name in ("original.csv", "ordered.csv", "shuffled.csv")]
            for frame, path in zip((original, release, shuffled), paths, strict=True):
                frame.write_csv(path)
            for path in paths[1:]:
                print(f"{n:9,}  {measured(paths[0], path)}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"peak memory of the process: {peak:.1f} GiB")


if __name__ == "__main__":
    main(*(int(size) for size in sys.argv[1:]))
