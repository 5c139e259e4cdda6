"""Splink on Spark beside unmask: `python -m bench.spark_splink [--records 2000 5000 20000]`.

The two files of `bench.prl`, eight attributes compared for equality. First what both do: m and u by EM over
all pairs, without blocking. Splink makes one iteration only; unmask counts the patterns and then runs EM from
several starts until it converges (`counting`: the counts alone, measured after the whole). Each in a process
of its own, on local[2], after a small run that loads and compiles everything; without the seconds in which
Spark starts and the files are coded. `check` is the largest difference between the m, u and share of matches
of Splink and those of one EM step on the counts of unmask, from the same start. Then what blocking leaves
out: true pairs that a rule never compares, beside the people whose record unmask finds without a rule.
Needs splink, pandas, pyspark and Java.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl

from bench.prl import NAMES, people, staged

MASTER, SMALL = "local[2]", 300
PROGRAMS = ("unmask", "splink", "pyspark", "pandas", "pyarrow", "polars", "numpy", "numba")
WIDEST, SECOND = NAMES[-1], NAMES[-2]
Times = dict[str, float]


def splink_session(folder: Path) -> Any:
    """A Spark session as Splink's guide opens it; few partitions, since there are two cores."""
    from pyspark.sql import SparkSession
    from splink.backends.spark import similarity_jar_location

    builder = SparkSession.builder.master(MASTER).config("spark.jars", similarity_jar_location())
    for name, value in {
        "spark.driver.memory": "6g",
        "spark.sql.shuffle.partitions": "4",
        "spark.default.parallelism": "4",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.local.dir": str(folder),
    }.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    session.sparkContext.setCheckpointDir(str(folder / "checkpoints"))
    return session


def splink_linker(session: Any, known: pl.DataFrame, released: pl.DataFrame) -> Any:
    """The linker of the two files, which compares every pair."""
    import splink.comparison_library as cl
    from splink import Linker, SettingsCreator, SparkAPI

    number = pl.int_range(pl.len()).alias("unique_id")
    tables = [file.select(number, pl.all()).to_pandas() for file in (known, released)]
    settings = SettingsCreator(
        link_type="link_only",
        comparisons=[cl.ExactMatch(name) for name in NAMES],
        blocking_rules_to_generate_predictions=["1=1"],
        max_iterations=1,
    )
    api = SparkAPI(spark_session=session)
    try:
        return Linker(tables, settings, db_api=api)
    except TypeError:  # later versions take registered tables, which know their backend
        return Linker([api.register(table) for table in tables], settings)


def by_splink(folder: Path) -> Callable[[int], Times]:
    """One iteration of EM by Splink on Spark, m and u both free."""
    import logging

    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    session = splink_session(folder)

    def timed(n: int) -> Times:
        files = people(n)
        linker = splink_linker(session, *files)
        start = time.perf_counter()
        training = linker.training.estimate_parameters_using_expectation_maximisation(
            "1=1", estimate_without_term_frequencies=True, fix_u_probabilities=False
        )
        seconds = time.perf_counter() - start
        return {"seconds": seconds, "check": difference(training, *files)}

    return timed


def difference(training: Any, known: pl.DataFrame, released: pl.DataFrame) -> float:
    """How far Splink's estimates are from one EM step on the counts of unmask."""
    from unmask.engines import LocalEngine
    from unmask.linkage.agreement import comparisons, count_patterns

    counts = count_patterns(comparisons(staged(known, released)), LocalEngine())
    first, (last, share) = (parameters(step) for step in training._core_model_settings_history[:2])
    expected = one_step(counts.levels == 0, counts.count, first)
    return float(np.abs(expected - np.array([*last[0, 1], *last[1, 1], share])).max())


def parameters(step: Any) -> tuple[np.ndarray, float]:
    """Probabilities (m or u; disagree or agree; attribute) and the share of matches.

    Both levels are kept: those that Splink starts from do not sum to 1.
    """
    level = {
        (j, one.comparison_vector_value): (one.m_probability, one.u_probability)
        for j, comparison in enumerate(step.comparisons)
        for one in comparison.comparison_levels
        if not one.is_null_level
    }
    found = [[[level[j, value][k] for j in range(len(NAMES))] for value in (0, 1)] for k in (0, 1)]
    return np.array(found), step.probability_two_random_records_match


def one_step(agree: np.ndarray, count: np.ndarray, begin: tuple[np.ndarray, float]) -> np.ndarray:
    """One step of EM (Winkler 1988), u not tied to anything: m and u of agreement, and the share."""
    (m, u), share = begin
    ratio = np.where(agree, m[1] / u[1], m[0] / u[0]).prod(axis=1)
    match = share * ratio / (share * ratio + 1 - share)
    matches, others = match * count, (1 - match) * count
    m_new, u_new = (part @ agree / part.sum() for part in (matches, others))
    return np.array([*m_new, *u_new, matches.sum() / count.sum()])


def by_unmask(engine: Any) -> Callable[[int], Times]:
    """Counting the patterns of all pairs by unmask, and EM to convergence on the counts."""
    from unmask.linkage.agreement import comparisons, count_patterns
    from unmask.linkage.fellegi_sunter import MatchShare, fit_model

    def timed(n: int) -> Times:
        files = people(n)
        compared = comparisons(staged(*files))
        start = time.perf_counter()
        fit_model(compared, None, np.random.default_rng(0), engine, MatchShare.FREE)
        seconds = time.perf_counter() - start
        compared = comparisons(staged(*files))
        start = time.perf_counter()
        assert count_patterns(compared, engine).count.sum() == n * n
        return {"seconds": seconds, "counting": time.perf_counter() - start}

    return timed


def by_unmask_spark(folder: Path) -> Callable[[int], Times]:
    """The same on the executors of Spark, whatever the size."""
    from unmask.engines.spark import SparkEngine
    from unmask.engines.spark.cluster import open_session

    return by_unmask(SparkEngine(open_session(MASTER), folder, least=0))


def by_unmask_local(folder: Path) -> Callable[[int], Times]:
    """The same on the threads of this machine."""
    from unmask.engines import LocalEngine

    return by_unmask(LocalEngine())


CONTESTANTS = {
    "splink on Spark": by_splink,
    "unmask on Spark": by_unmask_spark,
    "unmask, local": by_unmask_local,
}


def job(name: str, n: int, folder: Path) -> Times:
    """One contestant at one size, after a small run."""
    timed = CONTESTANTS[name](folder)
    timed(SMALL)
    return timed(n)


def in_a_process(name: str, n: int, patience: float) -> Times | str:
    """A job in a process of its own, or why there is no result; its folder and its Java go with it."""
    with TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "bench.spark_splink",
            "--job",
            name,
            "--size",
            str(n),
            "--folder",
            folder,
        ]
        running = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        try:
            out, errors = running.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            running.communicate()
            return f"not done after {patience:.0f} s"
    if running.returncode:
        return reason(errors)
    found: Times = json.loads(out.splitlines()[-1])
    return found


def reason(errors: str) -> str:
    """The line of a traceback that names the error."""
    lines = [line for line in errors.splitlines() if line and not line[0].isspace() and "rror" in line]
    return f"no result: {(lines or ['no message'])[-1][:150]}"


def both(sizes: list[int], patience: float) -> None:
    """Seconds, pairs a second and ratios, the contestants of one size next to each other."""
    print(
        f"m and u by EM over all pairs\n{'':17}{'records':>9}{'seconds':>10}{'counting':>10}{'pairs/s':>10}"
    )
    for n in sizes:
        seconds = {}
        for name in CONTESTANTS:
            done = in_a_process(name, n, patience)
            if isinstance(done, str):
                print(f"{name:17}{n:>9,}  {done}", flush=True)
                continue
            seconds[name] = done["seconds"]
            counting = f"{done['counting']:.3f}" if "counting" in done else ""
            check = f"   check {done['check']:.0e}" if "check" in done else ""
            speed = n * n / done["seconds"]
            print(f"{name:17}{n:>9,}{done['seconds']:>10.3f}{counting:>10}{speed:>10.1e}{check}", flush=True)
        if "splink on Spark" in seconds:
            ratios = (f"{seconds['splink on Spark'] / s:,.1f} times {name}" for name, s in seconds.items())
            print(f"{'':17}splink on Spark takes {', '.join(list(ratios)[1:])}", flush=True)


def found_by_unmask(known: pl.DataFrame, released: pl.DataFrame) -> np.ndarray:
    """Who has their true record alone in first place by prl: no record is closer and none ties."""
    from unmask.attacks import PRL
    from unmask.engines import LocalEngine
    from unmask.intruder.truth import Truth

    matcher = PRL().prepare(staged(known, released), np.random.default_rng(0), LocalEngine())
    standing = matcher.standing(Truth(np.arange(len(known))), 10)
    return (standing.closer == 0) & (standing.tied == 1)


def pairs_that_agree(known: pl.DataFrame, released: pl.DataFrame, names: list[str]) -> int:
    """How many of all pairs agree on these attributes."""
    left, right = (file.group_by(names).len("n") for file in (known, released))
    both_sides = left.join(right, on=names, suffix="_released")
    return int((both_sides["n"].cast(pl.Int64) * both_sides["n_released"].cast(pl.Int64)).sum())


def blocking(n: int) -> None:
    """What the usual rules never compare."""
    known, released = people(n)
    found = found_by_unmask(known, released)
    agree = {name: (known[name] == released[name]).to_numpy() for name in (WIDEST, SECOND)}
    one, other, two = ([WIDEST], [SECOND], [WIDEST, SECOND])
    pairs = {str(names): pairs_that_agree(known, released, names) for names in (one, other, two)}
    rules = {
        f"{WIDEST}": (agree[WIDEST], pairs[str(one)]),
        f"{WIDEST} and {SECOND}": (agree[WIDEST] & agree[SECOND], pairs[str(two)]),
        f"{WIDEST}, or else {SECOND}": (
            agree[WIDEST] | agree[SECOND],
            pairs[str(one)] + pairs[str(other)] - pairs[str(two)],
        ),
    }
    print(f"{n:,} people; unmask finds {found.sum():,} of them (alone in first place, prl, no blocking)")
    print(
        f"{'blocking rule':22}{'pairs compared':>15}{'true pairs never compared':>27}{'found, at most':>16}"
    )
    for rule, (compared, count) in rules.items():
        missed, most = f"{(~compared).sum():,} ({(~compared).mean():.1%})", (found & compared).sum()
        print(f"{rule:22}{count / n**2:>15.2%}{missed:>27}{most:>16,}", flush=True)


def programs() -> str:
    """The versions in use."""
    found = []
    for name in PROGRAMS:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} missing")
    return ", ".join(found)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, nargs="+", default=[2000, 5000, 20_000])
    parser.add_argument("--patience", type=float, default=300.0, help="seconds that a job may take")
    parser.add_argument("--job", choices=CONTESTANTS)
    parser.add_argument("--size", type=int, default=SMALL)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    if given.job:
        print(json.dumps(job(given.job, given.size, given.folder)))
        return
    print(programs())
    both(given.records, given.patience)
    print("\nWhat a blocking rule leaves out; 'found, at most': those of unmask whose true pair is compared")
    for n in given.records:
        blocking(n)


if __name__ == "__main__":
    main()
