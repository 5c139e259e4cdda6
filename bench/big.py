"""An assessment of files larger than memory: `python -m bench.big [--records 20000000] [--memory 8]`.

Two Parquet files (or CSV files: `--csv`) of as many people: thirteen correlated numbers, the same with noise
of a tenth of a standard deviation, shuffled, and a key that tells who is who. They are assessed by default,
as `unmask assess original released --truth person` does, in a process of its own whose large arrays lie in
mapped files (`--in-memory`: in memory, for files that fit). That process may take so many gigabytes, where a
control group can be made (Linux, as root); else memory is measured only. The page cache counts as its memory
there, and is given up under pressure. Of fewer records, smaller arrays are mapped, so that bytes per record
tell what many would take.

For each stage: seconds, the peak of anonymous memory (what cannot be given up), and that in bytes per record.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from hashlib import sha256
from pathlib import Path

from unmask.engines.watcher import Watcher

SIZE, COLUMNS, NOISE, BLOCK = 20_000_000, 13, 0.1, 1_000_000
#: How often memory is looked at, in seconds.
EVERY = 0.1
GROUPS = Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup")


def made(folder: Path, records: int, suffix: str) -> None:
    """Write the two files, a block of records at a time."""
    import numpy as np
    import polars as pl

    rng = np.random.default_rng(1)
    order = rng.permutation(records)
    released = np.lib.format.open_memmap(folder / "released.npy", "w+", np.float64, (COLUMNS, records))
    original = np.lib.format.open_memmap(folder / "original.npy", "w+", np.float64, (COLUMNS, records))
    back = np.empty_like(order)
    back[order] = np.arange(records)
    for start in range(0, records, BLOCK):
        stop = min(start + BLOCK, records)
        common = rng.normal(size=stop - start)
        original[:, start:stop] = 0.6 * common + 0.8 * rng.normal(size=(COLUMNS, stop - start))
    for j in range(COLUMNS):
        noisy = original[j] + NOISE * rng.normal(size=records)
        released[j] = noisy[order]
    for name, matrix, person in (("original", original, np.arange(records)), ("released", released, order)):
        columns = {"person": pl.Series(person)} | {f"x{j + 1}": pl.Series(matrix[j]) for j in range(COLUMNS)}
        frame = pl.DataFrame(columns)
        if suffix == ".parquet":
            frame.write_parquet(folder / f"{name}.parquet", row_group_size=BLOCK, compression="lz4")
        else:
            frame.write_csv(folder / f"{name}.csv")
        (folder / f"{name}.npy").unlink()


class Stages(Watcher):
    """Tells the stages as they begin, one line each."""

    def begin(self, part: str) -> None:
        """A stage begins."""
        super().begin(part)
        print(part, flush=True)


def assessed(
    folder: Path, suffix: str, in_memory: bool, threads: int | None, records: int, attacks: str
) -> None:
    """Assess the two files, and write the document."""
    from unmask.assessment.request import Request, RequestFiles
    from unmask.assessment.store import Store
    from unmask.engines import LocalEngine
    from unmask.engines.memory import one_arena
    from unmask.engines.outside import outside
    from unmask.engines.room import LEAST
    from unmask.studies.run import run

    one_arena()
    paths = [str(folder / f"{name}{suffix}") for name in ("original", "released")]
    named = tuple(attacks.split(",")) if attacks else None
    request = Request(RequestFiles(*paths, truth="person"), attacks=named)
    print("starting", flush=True)
    store = Store.of(request, resume="UNMASK_RESUME" in os.environ)
    least = LEAST * min(records, SIZE) // SIZE
    watcher = Stages()
    with (
        nullcontext(LocalEngine(threads, watcher=watcher))
        if in_memory
        else outside(threads, watcher, least) as engine
    ):
        result = run(request, engine=engine, store=store)
        print("document", flush=True)
        result.to_json(folder / "assessment.json")
        result.to_html(folder / "report.html")
    if store is not None:
        store.remove()
    print("end", flush=True)


@contextmanager
def bounded(gigabytes: float) -> Iterator[Path | None]:
    """A control group of so much memory, the page cache included; None where none can be made."""
    for root, limit in zip(GROUPS, ("memory.limit_in_bytes", "memory.max"), strict=True):
        group = root / f"unmask-bench-{os.getpid()}"
        try:
            group.mkdir()
            (group / limit).write_text(str(int(gigabytes * 2**30)))
        except OSError:
            if group.is_dir():
                group.rmdir()
            continue
        try:
            yield group
        finally:
            group.rmdir()
        return
    yield None


def anonymous(process: int) -> float:
    """The megabytes of a process that are in no file."""
    try:
        lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("RssAnon")) / 1024


def measured(command: list[str], group: Path | None) -> tuple[list[tuple[str, float, float]], int]:
    """Name, seconds and peak of each stage of a process, and its exit code."""
    # An array of a large file has a place of its own in memory, and so it shall be in a smaller one.
    own = str(32 * 2**20 * min(RECORDS[0], SIZE) // SIZE)
    process = subprocess.Popen(
        command,
        env={**os.environ, "MALLOC_MMAP_THRESHOLD_": own},
        stdout=subprocess.PIPE,
        preexec_fn=None if group is None else lambda: _join(group),
    )
    assert process.stdout is not None
    os.set_blocking(process.stdout.fileno(), False)
    stages: list[tuple[str, float, float]] = []
    name, begun, peak, heard = "loading", time.perf_counter(), 0.0, b""
    while True:
        ended = process.poll() is not None
        peak = max(peak, anonymous(process.pid))
        heard += process.stdout.read() or b""
        *lines, heard = heard.split(b"\n")
        for line in lines:
            now = time.perf_counter()
            stages.append((name, now - begun, peak))
            _say(stages[-1])
            name, begun, peak = line.decode(), now, anonymous(process.pid)
        if ended:
            process.stdout.close()
            return stages, process.returncode
        time.sleep(EVERY)


def _join(group: Path) -> None:
    (group / "cgroup.procs").write_text(str(os.getpid()))


def _say(stage: tuple[str, float, float]) -> None:
    name, seconds, peak = stage
    print(f"  {name:28} {seconds:8.1f} s {peak:8,.0f} MB {peak * 2**20 / RECORDS[0]:8,.0f} B", flush=True)


#: Of the files that are assessed, for the lines of the stages.
RECORDS = [1]


def main() -> int:
    """Make the files, assess them, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--records", type=int, default=SIZE)
    parser.add_argument("--memory", type=float, default=8.0, help="gigabytes")
    parser.add_argument("--folder", type=Path, default=Path("/tmp/big"), help="for the files")
    parser.add_argument("--csv", action="store_true")
    parser.add_argument("--in-memory", action="store_true")
    parser.add_argument("--keep", action="store_true", help="keep the files for the next time")
    parser.add_argument("--threads", type=int, default=None)
    parser.add_argument("--attacks", default="", help="by default all usual ones")
    asked = parser.parse_args()
    RECORDS[0] = asked.records
    suffix = ".csv" if asked.csv else ".parquet"
    folder = asked.folder / str(asked.records)
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / f"released{suffix}").exists():
        made(folder, asked.records, suffix)
    size = sum((folder / f"{name}{suffix}").stat().st_size for name in ("original", "released"))
    print(f"{asked.records:,} records, {COLUMNS} attributes, {size / 1e9:.1f} GB in two {suffix} files")
    call = json.dumps([str(folder), suffix, asked.in_memory, asked.threads, asked.records, asked.attacks])
    code = f"import json; from pathlib import Path; from bench.big import assessed; a = json.loads({call!r})"
    with bounded(asked.memory) as group:
        bound = "no control group can be made: memory is measured only"
        print(bound if group is None else f"within {asked.memory:g} GB, page cache included", flush=True)
        stages, left = measured([sys.executable, "-c", f"{code}; assessed(Path(a[0]), *a[1:])"], group)
    peak = max(peak for _, _, peak in stages)
    _say(("in all", sum(seconds for _, seconds, _ in stages), peak))
    document = folder / "assessment.json"
    if left == 0:
        print(f"ended well; document {sha256(document.read_bytes()).hexdigest()[:16]}")
    else:
        print(f"ended badly: exit code {left}")
    if not asked.keep:
        shutil.rmtree(folder)
    return left


if __name__ == "__main__":
    sys.exit(main())
