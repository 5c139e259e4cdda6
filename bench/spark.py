"""A cluster beside one machine: `python -m bench.spark [--records 1000000 10000000] [--noise 0.1 1]`.

Correlated normal records of 13 numbers and a release with noise, shuffled, as Parquet files. Each is attacked
in full by dbrl, in a process of its own: with the local engine on two threads, from the disk where memory is
too small as `unmask assess` does it, and with the Spark engine on a cluster of this machine, a master and two
executors with one core each. Seconds of the whole assessment (reading, understanding, encoding, index,
standings of everybody), without those that Spark takes to start; their ratio; what was written for the
executors, and the bytes per target; the peak of the driver's own memory (anonymous: without mapped files).
Both must print the same digest of all standings. Then how both grow from one size to the next, and what that
means for larger files on larger clusters.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from contextlib import AbstractContextManager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread

import numpy as np
import polars as pl

ATTRIBUTES, CORRELATION = 13, 0.5
MASTER = "local-cluster[2,1,1024]"
#: The cluster and the files that the model speaks of.
EXECUTORS, RECORDS = 100, 10**9


def made(folder: Path, n: int, noise: float) -> tuple[str, str]:
    """Write the two files."""
    rng, d = np.random.default_rng(1), ATTRIBUTES
    turn = np.linalg.cholesky((1 - CORRELATION) * np.eye(d) + CORRELATION)
    x = rng.normal(size=(n, d)) @ turn.T
    paths = folder / "original.parquet", folder / "released.parquet"
    person = np.arange(n)
    pl.DataFrame({"person": person, **{f"x{j}": x[:, j] for j in range(d)}}).write_parquet(paths[0])
    order = rng.permutation(n)
    x = x[order] + noise * rng.normal(size=(n, d))
    pl.DataFrame({"person": order, **{f"x{j}": x[:, j] for j in range(d)}}).write_parquet(paths[1])
    return str(paths[0]), str(paths[1])


class Peak:
    """The largest anonymous memory of this process while it is watched, in megabytes."""

    def __init__(self) -> None:
        self.megabytes, self._ended = 0.0, Event()

    def __enter__(self) -> Peak:
        Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()

    def _watch(self) -> None:
        while not self._ended.wait(0.1):
            lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
            found = next((int(line.split()[1]) for line in lines if line.startswith("RssAnon")), 0)
            self.megabytes = max(self.megabytes, found / 1024)


def assessed(engine_name: str, original: str, released: str) -> dict[str, object]:
    """One assessment in this process."""
    import unmask
    from unmask.engines import Engine
    from unmask.engines.outside import engine_for
    from unmask.engines.spark import SparkEngine
    from unmask.engines.spark.cluster import open_session

    session = open_session(MASTER) if engine_name == "spark" else None
    opened: AbstractContextManager[Engine]
    opened = engine_for([original, released], threads=2) if session is None else SparkEngine(session)
    begun = time.perf_counter()
    with opened as engine, Peak() as peak:
        found = unmask.assess(
            original, released, truth="person", attacks=["dbrl"], measures=["reidentification"],
            full=True, engine=engine,
        )  # fmt: skip
        seconds = time.perf_counter() - begun
        written = engine.shipment.written if isinstance(engine, SparkEngine) else 0
    standings = found.records().select("dbrl_closer", "dbrl_tied").to_numpy()
    result = {
        "seconds": seconds,
        "written": written,
        "peak": peak.megabytes,
        "digest": sha256(np.ascontiguousarray(standings).tobytes()).hexdigest()[:16],
        "found": found.table()["value"][0],
    }
    if session is not None:
        session.stop()
    return result


def in_a_process(engine: str, *paths: str) -> dict[str, float]:
    """The same in a process of its own."""
    code = (
        f"import json; from bench.spark import assessed; print(json.dumps(assessed({engine!r}, *{paths!r})))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


@dataclass(frozen=True)
class Constants:
    """What one core takes, measured on a release of ``records``: seconds per record or target."""

    records: int
    build: float  # of the index, per released record
    search: float  # of a standing, per target


def constants(n: int, noise: float, asked: int = 100_000) -> Constants:
    """Build an index of n records on one core, and ask for the standings of some targets."""
    from unmask.engines import LocalEngine
    from unmask.kernels.pairing import SUM, Pairing

    rng, d = np.random.default_rng(1), ATTRIBUTES
    x = rng.normal(size=(n, d)) @ np.linalg.cholesky((1 - CORRELATION) * np.eye(d) + CORRELATION).T
    one, none = np.ones(d), np.zeros(d, np.int64)
    y = x + noise * rng.normal(size=(n, d))
    index = LocalEngine(threads=1).index(
        Pairing(x, y, none, one, np.zeros(0), none, none, one, one, one, 2, SUM, one)
    )
    truth, seconds = np.arange(n), []
    for targets in (truth[:1000], truth[:: max(1, n // asked)]):  # the first builds
        begun = time.perf_counter()
        index.standing(truth, 10, targets)
        seconds.append((time.perf_counter() - begun, len(targets)))
    per_target = seconds[1][0] / seconds[1][1]
    return Constants(n, (seconds[0][0] - seconds[0][1] * per_target) / n, per_target)


def model(small: Constants, large: Constants, driver: float, noise: float) -> None:
    """What one attack on 10^9 x 10^9 records takes on 100 executors of 8 cores, by these constants.

    The driver and the executors take turns. Driver: so many seconds per record, as measured at the larger
    size, on one core. Index: each of the shards is built on one core, records times the seconds per record,
    which grow with the logarithm. Search: seconds per target grow with the release as a power, as between the
    two sizes measured; all cores share the targets evenly.
    """
    cores = 8 * EXECUTORS
    power = max(0.0, np.log(large.search / small.search) / np.log(large.records / small.records))
    search = large.search * (RECORDS / large.records) ** power
    build = large.build * np.log(RECORDS) / np.log(large.records)
    parts = {
        "driver": driver * RECORDS,
        "index": build * RECORDS / cores,
        "search": search * RECORDS / cores,
    }
    print(
        f"a model, noise {noise:g}: {RECORDS:.0e} x {RECORDS:.0e} records, {EXECUTORS} executors of 8 cores"
    )
    print(
        f"  a search takes {1e6 * large.search:.0f} us at {large.records:,} records, growing as m^{power:.2f}"
    )
    for name, seconds in parts.items():
        print(f"  {name:7} {seconds / 3600:8.1f} h")


def main() -> None:
    """Each size and noise, on both engines; then the model."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--noise", type=float, nargs="+", default=[0.1, 1.0])
    asked = parser.parse_args()
    before: dict[tuple[str, float], float] = {}
    for n in (20_000, *asked.records):  # the first compiles what is not compiled
        for noise in asked.noise if n > 20_000 else asked.noise[:1]:
            with TemporaryDirectory() as folder:
                paths = made(Path(folder), n, noise)
                local, spark = (in_a_process(engine, *paths) for engine in ("local", "spark"))
            if n == 20_000:
                continue
            assert local["digest"] == spark["digest"], "the two engines differ"
            print(f"{n:,} x {ATTRIBUTES} records, noise {noise:g}: {local['found']:.4%} found by both")
            for name, found in (("local", local), ("spark", spark)):
                growth = ""
                if (name, noise) in before:
                    growth = f", {found['seconds'] / before[name, noise]:.1f} times the size before"
                print(f"  {name:6} {found['seconds']:8.1f} s, driver {found['peak']:8,.0f} MB{growth}")
                before[name, noise] = found["seconds"]
            ratio, per_target = spark["seconds"] / local["seconds"], spark["written"] / n
            print(f"  spark / local {ratio:.2f}; {per_target:.0f} bytes written per target", flush=True)
    sizes = sorted(asked.records)
    for noise in asked.noise if len(sizes) > 1 else ():
        small, large = (constants(n, noise) for n in (sizes[0], sizes[-1]))
        searching = (large.search + large.build) * large.records / 2
        driver = max(before["spark", noise] - searching, 0.0) / large.records
        model(small, large, driver, noise)


if __name__ == "__main__":
    main()
