"""Learning the worst-case weights with proof: `python -m bench.learning`.

First 100,000 invented records: what learning from a sample and linking all takes. Then the time to the
proven optimum of the weighted mean beside HiGHS on the full mixed-integer formulation (every rival of every
record, each row with its tightest constant), in one process: 400 Census records, drawn with a seed and masked
by MDAV on groups of columns (M4-33: two pairs of columns, k = 3 and 3, and so on). Neither counts reading,
masking or compiling. Last, found and bound within a limit on whole files.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl

from bench.data import lognormal
from unmask import Column, Microdata, Schema
from unmask.attacks.learned import LearnedDistance
from unmask.engines import LocalEngine
from unmask.intruder.dossier import Dossier
from unmask.intruder.scenario import Scenario
from unmask.intruder.truth import Truth
from unmask.kernels.pairing import TIE
from unmask.linkage.learning import Form, Twins
from unmask.linkage.learning.programs import solver
from unmask.linkage.spaces import standardised
from unmask.masks import Microaggregation, Noise, RankSwapping
from unmask.randomness import generator

DATA = Path(os.environ.get("UNMASK_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")
CASES = {"M4-33": ((2, 3), (2, 3)), "M5-38": ((3, 3), (2, 8)), "M6-385": ((2, 3), (2, 8), (2, 5))}
MASKS = {"noise a=0.25": Noise(a=0.25), "rank swapping p=10": RankSwapping(p=10)}


def census(columns: int | None = None) -> pl.DataFrame:
    """The Census file, or its first columns."""
    frame = pl.read_csv(DATA / "casc_census.csv")
    return frame.select(frame.columns[:columns])


def eia() -> pl.DataFrame:
    """The last ten columns of the EIA file."""
    frame = pl.read_csv(DATA / "casc_eia.csv")
    return frame.select(frame.columns[-10:])


def staged(frame: pl.DataFrame, mask, seed: int) -> tuple[Dossier, Truth]:  # type: ignore[no-untyped-def]
    """Both files as the assessor has them."""
    original = Microdata(Schema(tuple(Column(name) for name in frame.columns)), frame)
    masked = mask.apply(original, generator(seed, "mask"))
    dossier, truth, _ = Scenario().stage(original, masked, seed)
    return dossier, truth


def microaggregated(name: str, seed: int) -> tuple[Dossier, Truth]:
    """400 records of the first Census columns, drawn, then masked."""
    groups = CASES[name]
    frame = census(sum(size for size, _ in groups))
    frame = frame[np.sort(generator(seed, "draw").choice(len(frame), 400, replace=False))]
    start = np.cumsum([0] + [size for size, _ in groups])
    names = tuple(tuple(frame.columns[a:b]) for a, b in pairwise(start))
    return staged(frame, Microaggregation(k=tuple(k for _, k in groups), groups=names), seed)


def full_formulation(dossier: Dossier, truth: Truth, limit: float) -> tuple[int, int, float, int]:
    """(found, bound, seconds, rows) of HiGHS on min sum K, line . p + M K >= margin for all rivals."""
    import highspy

    space = standardised(dossier)
    n, p = space.known.shape
    cost = (space.known[:, None, :] - space.released[None, :, :]) ** 2
    line = cost - (1 + TIE) * cost[np.arange(n), truth.row][:, None, :]
    rival = np.ones((n, len(space.released)), dtype=np.bool_)
    rival[np.arange(n), truth.row] = False
    line, of = line[rival], np.repeat(np.arange(n), rival.sum(axis=1))
    line /= np.maximum(np.abs(line).max(axis=1, keepdims=True), 1e-300)
    rows, margin = len(line), 1e-7
    constant = np.maximum(-line.min(axis=1), 0.0) + margin
    highs = solver()
    for option in ("mip_feasibility_tolerance", "primal_feasibility_tolerance"):
        highs.setOptionValue(option, 1e-9)
    highs.setOptionValue("time_limit", limit)
    start = time.perf_counter()
    highs.addVars(p + n, np.zeros(p + n), np.ones(p + n))
    losses = np.arange(p, p + n, dtype=np.int32)
    highs.changeColsCost(n, losses, np.ones(n))
    highs.changeColsIntegrality(n, losses, np.full(n, highspy.HighsVarType.kInteger, dtype=object))
    highs.addRow(1.0, 1.0, p, np.arange(p, dtype=np.int32), np.ones(p))
    index = np.hstack([np.tile(np.arange(p), (rows, 1)), p + of[:, None]]).astype(np.int32)
    value = np.hstack([line, constant[:, None]])
    begin = np.arange(0, rows * (p + 1), p + 1, dtype=np.int32)
    infinity = np.full(rows, highspy.kHighsInf)
    highs.addRows(rows, np.full(rows, margin), infinity, value.size, begin, index.ravel(), value.ravel())
    highs.run()
    seconds = time.perf_counter() - start
    info = highs.getInfo()
    bound = n - int(np.ceil(info.mip_dual_bound - 1e-6))
    return n - round(info.objective_function_value), bound, seconds, rows


def against_highs(seed: int, patience: float) -> None:
    """Time to the proven optimum, and how many times as long HiGHS takes on the full formulation."""
    print(f"\n{'':9}{'rows':>9}{'unmask':>16}{'HiGHS':>16}{'HiGHS takes':>20}")
    for name in CASES:
        dossier, truth = microaggregated(name, seed)
        attack = LearnedDistance(Form.WM, twins=Twins.STRICT)  # as the formulation has it
        attack.learn(dossier, truth, generator(seed, "learn"), LocalEngine(), limit=1.0)  # compiles
        start = time.perf_counter()
        lesson = attack.learn(dossier, truth, generator(seed, "learn"), LocalEngine()).lesson
        seconds = time.perf_counter() - start
        found, bound, theirs, rows = full_formulation(dossier, truth, patience)
        more = "more than " if bound > found else ""
        ours = f"{lesson.found} <= {lesson.bound}"
        print(
            f"{name:9}{rows:>9,}{ours:>16}{f'{found} <= {bound}':>16}{more + f'{theirs / seconds:.0f} x':>20}"
        )


def whole_files(seed: int, limit: float) -> None:
    """Found and bound on all records, within a limit."""
    print(f"\nwithin {limit:g} s of search: plain mean / found / bound / records")
    for file, frame in (("Census", census()), ("EIA", eia())):
        for label, mask in MASKS.items():
            dossier, truth = staged(frame, mask, seed)
            for form in (Form.WM, Form.OWA):
                attack = LearnedDistance(form)
                plain = attack.learn(
                    dossier, truth, generator(seed, "learn"), LocalEngine(), limit=1e-6, prove=False
                ).lesson
                lesson = attack.learn(
                    dossier, truth, generator(seed, "learn"), LocalEngine(), limit=limit
                ).lesson
                numbers = f"{plain.found:>6}{lesson.found:>6}{lesson.bound:>6}{lesson.records:>6}"
                print(f"{file:8}{label:20}{attack.name:13}{numbers}", flush=True)


def many_records(limit: float, n: int = 100_000, d: int = 6) -> None:
    """Learn the weighted mean on a large invented file, then see where every true record stands."""
    known, released, row = lognormal(n, d, noise=0.1)
    names = [f"v{j}" for j in range(d)]
    schema = Schema(tuple(Column(name) for name in names))
    original, masked = (Microdata(schema, pl.DataFrame(v, schema=names)) for v in (known, released))
    dossier, truth, attack = Dossier(original, masked), Truth(row), LearnedDistance(Form.WM)
    few = np.arange(100)
    small = Dossier(original.take(few), masked.take(few))
    attack.learn(small, Truth(few), generator(1, "learn"), LocalEngine(), limit=1.0)  # compiles
    print(f"{n:,} records of {d} numbers, limit {limit:g} s: wall, CPU and peak memory so far")
    clock = time.perf_counter(), time.process_time()
    matcher = attack.learn(dossier, truth, generator(1, "learn"), LocalEngine(), limit=limit)
    lesson = matcher.lesson
    told = f"found {lesson.found} <= {lesson.bound} of {lesson.records} learned from"
    print(f"{'learning':10}{spent(clock)}   {told}", flush=True)
    clock = time.perf_counter(), time.process_time()
    standing = matcher.standing(truth, 1)
    alone = int(((standing.closer == 0) & (standing.tied == 1)).sum())
    print(f"{'linking':10}{spent(clock)}   {alone:,} of {n:,} true records are the only nearest")


def spent(clock: tuple[float, float]) -> str:
    """What has been used since: wall and CPU seconds, and the most memory so far."""
    wall, cpu = time.perf_counter() - clock[0], time.process_time() - clock[1]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return f"{wall:7.1f} s {cpu:7.1f} s {peak:6.0f} MB"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of drawing, masking and learning")
    parser.add_argument("--patience", type=float, default=300.0, help="seconds that HiGHS may take on a case")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds of search on a whole file")
    given = parser.parse_args()
    many_records(given.limit)  # first, so that the peak memory is its own
    against_highs(given.seed, given.patience)
    whole_files(given.seed, given.limit)


if __name__ == "__main__":
    main()
