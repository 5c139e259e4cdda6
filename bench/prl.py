"""Counting agreement patterns over all pairs, and the whole of probabilistic linkage: `python -m bench.prl`.

Pairs a second and peak memory, beside Splink (DuckDB, every pair) and recordlinkage (full index), each in a
process of its own at the sizes it can hold; then counting, EM, best links and standings of 1,000,000 x
1,000,000 records beside the time of reading the two CSV files. Eight attributes of 2 to 50 categories.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

CARDS = (2, 3, 5, 8, 12, 20, 30, 50)
NAMES = [f"v{k}" for k in CARDS]
LARGEST, FEW = 1_000_000, 200


def people(n: int, seed: int = 0) -> tuple[pl.DataFrame, pl.DataFrame]:
    """A file and its masked version: one value in ten is drawn again; frequencies fall as 1/rank."""
    rng = np.random.default_rng(seed)
    known, released = {}, {}
    for name, k in zip(NAMES, CARDS, strict=True):
        share = 1 / np.arange(1, k + 1)
        value, other = (rng.choice(k, n, p=share / share.sum()) for _ in range(2))
        known[name] = value
        released[name] = np.where(rng.random(n) < 0.1, other, value)
    return pl.DataFrame(known), pl.DataFrame(released)


def unmask_counts(known: pl.DataFrame, released: pl.DataFrame) -> float:
    """All pattern counts by unmask; files are coded beforehand, as they are for the others."""
    from unmask.engines import LocalEngine
    from unmask.linkage.agreement import comparisons, count_patterns

    dossier = staged(known, released)
    compared = comparisons(dossier)
    start = time.perf_counter()
    assert count_patterns(compared, LocalEngine()).count.sum() == len(known) * len(released)
    return time.perf_counter() - start


def splink_counts(known: pl.DataFrame, released: pl.DataFrame) -> float:
    """EM of Splink without blocking: it compares every pair and counts the patterns in DuckDB."""
    import logging

    import splink.comparison_library as cl
    from splink import DuckDBAPI, Linker, SettingsCreator

    logging.disable(logging.WARNING)
    tables = [f.with_row_index("unique_id").to_pandas() for f in (known, released)]
    settings = SettingsCreator(
        link_type="link_only",
        comparisons=[cl.ExactMatch(name) for name in NAMES],
        blocking_rules_to_generate_predictions=["1=1"],
        max_iterations=1,
    )
    api = DuckDBAPI()
    try:
        linker = Linker(tables, settings, db_api=api)
    except TypeError:  # later versions take registered tables, which know their backend
        linker = Linker([api.register(table) for table in tables], settings)
    start = time.perf_counter()
    linker.training.estimate_parameters_using_expectation_maximisation("1=1")
    return time.perf_counter() - start


def recordlinkage_counts(known: pl.DataFrame, released: pl.DataFrame) -> float:
    """The full index of recordlinkage, compared for equality and counted."""
    import recordlinkage

    left, right = known.to_pandas(), released.to_pandas()
    compare = recordlinkage.Compare()
    for name in NAMES:
        compare.exact(name, name)
    index = recordlinkage.Index()
    index.full()
    start = time.perf_counter()
    compare.compute(index.index(left, right), left, right).value_counts()
    return time.perf_counter() - start


COUNTERS: dict[str, Callable[[pl.DataFrame, pl.DataFrame], float]] = {
    "unmask": unmask_counts,
    "splink": splink_counts,
    "recordlinkage": recordlinkage_counts,
}


def staged(known: pl.DataFrame, released: pl.DataFrame):  # type: ignore[no-untyped-def]
    """The two files as an intruder sees them."""
    from unmask import Column, Kind, Microdata, Schema
    from unmask.intruder.dossier import Dossier

    schema = Schema(tuple(Column(name, Kind.NOMINAL) for name in NAMES))
    return Dossier(Microdata(schema, known), Microdata(schema, released))


def whole(n: int) -> dict[str, float]:
    """Seconds of reading two CSV files, and of counting, EM and best links on them."""
    from unmask.attacks import PRL
    from unmask.engines import LocalEngine

    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("known.csv", "released.csv")]
        for frame, path in zip(people(n), paths, strict=True):
            frame.write_csv(path)
        start = time.perf_counter()
        files = [pl.read_csv(path) for path in paths]
        reading = time.perf_counter() - start
    dossier = staged(*files)
    start = time.perf_counter()
    matcher = PRL().prepare(dossier, np.random.default_rng(0), LocalEngine())
    prepared = time.perf_counter() - start
    start = time.perf_counter()
    matcher.links()
    return {"reading": reading, "prepare": prepared, "links": time.perf_counter() - start}


def standings(n: int) -> dict[str, float]:
    """Seconds for where all true records stand, by sets of attributes, and for a few of them by the tree."""
    from unmask.attacks import ATTACKS, PRL
    from unmask.engines import LocalEngine, Strategy

    dossier, row, taken = staged(*people(n)), np.arange(n), {}
    for name in ("prl", "dbrl", "rbrl-max"):
        matcher = ATTACKS[name].prepare(dossier, np.random.default_rng(0), LocalEngine())
        pairing = (matcher.nearest if isinstance(ATTACKS[name], PRL) else matcher).pairing
        few = row[:: n // FEW]
        for label, engine, targets in (
            (f"{name}, all by sets", LocalEngine(), None),
            (f"{name}, {FEW} by the tree", LocalEngine(strategy=Strategy.TREE), few),
        ):
            start = time.perf_counter()
            engine.index(pairing).standing(row, 10, targets)
            taken[label] = time.perf_counter() - start
    return taken


WHOLE = {"whole": whole, "standings": standings}


def job(name: str, n: int) -> dict[str, float]:
    """One job, after a small run that loads and compiles everything."""
    if name in WHOLE:
        WHOLE[name](20_000)
        times = WHOLE[name](n)
    else:
        COUNTERS[name](*people(300))
        times = {"seconds": COUNTERS[name](*people(n))}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {**times, "megabytes": peak}


def run(name: str, n: int, patience: float) -> dict[str, float] | None:
    """A job in a process of its own, so that its peak memory is its own."""
    command = [sys.executable, "-m", "bench.prl", "--job", name, "--size", str(n)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=patience, check=True)
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
        print(f"  {name} at {n}: no result ({type(error).__name__})", file=sys.stderr)
        return None
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def table(patience: float) -> None:
    """All jobs, those to be compared next to each other."""
    print(f"{'':15}{'records':>12}{'seconds':>10}{'pairs/s':>11}{'MB':>8}")
    best: dict[str, float] = {}
    sizes = {"splink": (1000, 3000, 5000), "recordlinkage": (1000, 3000), "unmask": (1000, 100_000, LARGEST)}
    for name, tried in sizes.items():
        for n in tried:
            done = run(name, n, patience)
            if done:
                speed = n * n / done["seconds"]
                best[name] = max(best.get(name, 0.0), speed)
                print(f"{name:15}{n:>12,}{done['seconds']:>10.2f}{speed:>11.1e}{done['megabytes']:>8.0f}")
    for name in ("splink", "recordlinkage"):
        if name in best and "unmask" in best:
            print(f"unmask counts {best['unmask'] / best[name]:,.0f} times as many pairs a second as {name}")
    done = run("whole", LARGEST, patience)
    if done:
        total = done["prepare"] + done["links"]
        print(
            f"1,000,000 x 1,000,000: reading two CSV files {done['reading']:.2f} s; counting and EM "
            f"{done['prepare']:.2f} s, best links {done['links']:.2f} s: {total / done['reading']:.0f} "
            f"times the reading; peak {done['megabytes']:.0f} MB"
        )
    done = run("standings", LARGEST, patience)
    if done:
        told = "; ".join(
            f"{label} {seconds:.1f} s" for label, seconds in done.items() if label != "megabytes"
        )
        print(f"where the true records stand: {told}; peak {done['megabytes']:.0f} MB")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--job", choices=[*COUNTERS, *WHOLE])
    parser.add_argument("--size", type=int, default=1000)
    parser.add_argument("--patience", type=float, default=600.0, help="seconds that a job may take")
    given = parser.parse_args()
    if given.job:
        print(json.dumps(job(given.job, given.size)))
    else:
        table(given.patience)


if __name__ == "__main__":
    main()
