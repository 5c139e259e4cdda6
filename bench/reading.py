"""Memory and time of reading CSV files, beside their sizes: `python -m bench.reading [MEGABYTES ...]`.

Two kinds of files, each of the size asked for: people with numbers, codes, categories, dates and a text of
their own (plain, and packed by gzip), and answers of one digit to forty questions. Each file is read in a
process of its own. The peak is what Linux counts as resident, less what the process had before it read; the
frame, whose size stands beside it, is a part of it, and so is the file itself, as it is mapped into memory.
The time is that of the processor, of all threads together.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.random import Generator
    from polars import DataFrame

SIZES = (20, 200)
#: Records per block of the file, which is repeated with other numbers until the file is large enough.
BLOCK = 100_000


def made(path: Path, megabytes: int) -> None:
    """Write a CSV file of about so many megabytes."""
    import numpy as np

    rng, first = np.random.default_rng(1), 0
    with path.open("wb") as stream:
        while stream.tell() < megabytes * 10**6:
            block = people(rng, first) if path.name.startswith("people") else answers(rng)
            block.write_csv(stream, include_header=first == 0)
            first += BLOCK


def people(rng: Generator, first: int) -> DataFrame:
    """Numbers, codes, categories, dates, and a text of one's own."""
    import numpy as np
    import polars as pl

    days = np.datetime64("1930-01-01") + np.arange(30_000)
    numbers = np.arange(first, first + BLOCK)
    return pl.DataFrame(
        {
            "id": numbers,
            "name": [f"person number {number}" for number in numbers],
            "born": rng.choice(days, BLOCK),
            "sex": rng.choice(["female", "male"], BLOCK),
            "region": rng.integers(1, 60, BLOCK),
            "code": [f"{code:05d}" for code in rng.integers(0, 99_999, BLOCK)],
            "members": rng.integers(1, 8, BLOCK),
            "income": rng.lognormal(10, 1, BLOCK).round(2),
            "taxes": rng.lognormal(8, 1, BLOCK).round(2),
            "occupation": rng.choice(["teacher", "nurse", "clerk", "baker"], BLOCK),
        }
    )


def answers(rng: Generator) -> DataFrame:
    """Forty questions with answers of one digit: every cell takes two bytes, and eight as a number."""
    import polars as pl

    return pl.DataFrame({f"q{question}": rng.integers(1, 8, BLOCK) for question in range(40)})


def measured(path: Path) -> None:
    """Read a file, and print its size, the peak, their ratio and the time."""
    from bench.memory import reset, resident
    from unmask.data.io import read

    size = path.stat().st_size if path.suffix == ".csv" else _unpacked(path)
    reset()
    before, start = resident(), time.process_time()
    frame = read(path).frame
    peak, taken = resident() - before, time.process_time() - start
    held = frame.estimated_size("mb")
    cells = [f"{size / 1e6:,.0f}", f"{frame.height:,}", f"{held:,.0f}", f"{peak:,.0f}"]
    cells += [f"{peak * 2**20 / size:.1f}", f"{taken:.1f}"]
    print(f"| {path.name} | {' | '.join(cells)} |", flush=True)


def _unpacked(path: Path) -> int:
    size = 0
    with gzip.open(path) as stream:
        while chunk := stream.read(2**20):
            size += len(chunk)
    return size


def main(*sizes: int) -> None:
    """Print one row per file."""
    titles = ("file", "MB of text", "records", "frame MB", "peak MB", "peak / size", "CPU s")
    print(f"| {' | '.join(titles)} |\n{'|---' * len(titles)}|", flush=True)
    for megabytes in sizes or SIZES:
        with TemporaryDirectory() as folder:
            for kind in ("people", "answers"):
                path = Path(folder) / f"{kind}-{megabytes}.csv"
                _run(f"made(Path({str(path)!r}), {megabytes})")
                _run(f"measured(Path({str(path)!r}))")
            _run(f"measured(Path({str(_packed(Path(folder) / f'people-{megabytes}.csv'))!r}))")


def _packed(path: Path) -> Path:
    packed = path.with_name(f"{path.name}.gz")
    with path.open("rb") as source, gzip.open(packed, "wb", compresslevel=1) as target:
        while chunk := source.read(2**20):
            target.write(chunk)
    return packed


def _run(job: str) -> None:
    code = f"from pathlib import Path; from bench.reading import made, measured; {job}"
    subprocess.run([sys.executable, "-c", code], check=True)  # our own code


if __name__ == "__main__":
    main(*(int(size) for size in sys.argv[1:]))
