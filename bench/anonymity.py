"""Anonymity measures beside a group-by of the same keys in the same run: `python -m bench.anonymity`.

1,000,000 records with 7 keys, as numbers and as text, with few and with many distinct keys: seconds of each
measure, complete with every record's risk, and how many times the seconds of polars's group-by that is. Then
minimal sample uniques of 100,000 records, and the models of the population.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import polars as pl

from unmask.data.key_classes import classes, key_frame
from unmask.data.microdata import Masked, Microdata
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.engines import LocalEngine
from unmask.engines.cache import Cache
from unmask.measures import FileMeasure, Row
from unmask.measures.anonymity import SUDA, KAnonymity, LDiversity, LinkageRisk, SmallClasses, TCloseness
from unmask.measures.evidence import FileEvidence
from unmask.measures.uniqueness import IndividualRisk, LogLinear, Pitman, Zayatz

LEVELS = {"few keys": (2, 3, 2, 4, 2, 5, 2), "many keys": (2, 3, 5, 8, 12, 20, 90)}
SUDA_LEVELS = (2, 3, 4, 5, 6, 8, 9, 12)


def skewed(n: int, levels: tuple[int, ...], seed: int) -> pl.DataFrame:
    """Independent attributes whose frequencies fall as 1 / rank."""
    rng = np.random.default_rng(seed)
    columns = {}
    for j, k in enumerate(levels):
        share = 1 / np.arange(1, k + 1)
        columns[f"k{j}"] = rng.choice(k, n, p=share / share.sum())
    return pl.DataFrame(columns)


def case_of(frame: pl.DataFrame, seed: int = 0) -> FileEvidence:
    """Evidence with these keys, a confidential attribute of 20 values and a weight."""
    rng = np.random.default_rng(seed)
    known = tuple(frame.columns)
    schema = Schema(
        (
            *(Column(name, Kind.NOMINAL) for name in known),
            Column("secret", Kind.NUMERIC, Role.CONFIDENTIAL),
            Column("weight", role=Role.WEIGHT),
        )
    )
    frame = frame.with_columns(secret=pl.Series(rng.integers(0, 20, len(frame))), weight=pl.lit(20.0))
    file = Microdata(schema, frame)
    return FileEvidence(file, Masked(file, np.arange(len(file), dtype=np.int64)), known)


def seconds(*works: Callable[[], object], times: int = 5) -> list[tuple[float, float]]:
    """The shortest run of each, elapsed and on the processor, after one that compiles.

    They run by turns, so that a busy moment of the machine hits all.
    """
    for work in works:
        work()
    taken = [(np.inf, np.inf) for _ in works]
    for _ in range(times):
        for place, work in enumerate(works):
            start, busy = time.perf_counter(), time.process_time()
            work()
            elapsed, used = time.perf_counter() - start, time.process_time() - busy
            taken[place] = (min(taken[place][0], elapsed), min(taken[place][1], used))
    return taken


def taken_alone(measure: FileMeasure, evidence: FileEvidence, engine: LocalEngine) -> tuple[Row, ...]:
    """What a measure finds when nothing was derived for another one before."""
    return measure.rows(replace(evidence, cache=Cache()), engine)


def beside_group_by(n: int) -> None:
    """The measures of classes, each beside the group-by."""
    engine = LocalEngine()
    measures = (KAnonymity(), SmallClasses(), LinkageRisk(), LDiversity(), TCloseness(), IndividualRisk())
    for label, levels in LEVELS.items():
        numbers = skewed(n, levels, 1)
        for kind, frame in (("numbers", numbers), ("text", numbers.cast(pl.String))):
            case = case_of(frame)
            keys = key_frame(case.original, case.known).frame
            print(f"{n:,} records, 7 keys, {len(classes(keys)):,} distinct ({label}), {kind}")
            base, *taken = seconds(
                partial(keys.group_by(keys.columns).len),
                partial(classes, keys),
                *(partial(taken_alone, measure, case, engine) for measure in measures),
            )
            names = ("polars group-by", "classes alone", *(measure.name for measure in measures))
            for name, (elapsed, used) in zip(names, (base, *taken), strict=True):
                print(
                    f"  {name:20}{elapsed:8.3f} s{elapsed / base[0]:7.1f} x"
                    f"    on the processor {used:.3f} s{used / base[1]:7.1f} x"
                )


def models(n: int) -> None:
    """Special uniques and models of the population."""
    engine = LocalEngine()
    case = case_of(skewed(n, SUDA_LEVELS, 2))
    print(f"{n:,} records, 8 keys of {', '.join(map(str, SUDA_LEVELS))} levels")
    for measure in (SUDA(), LogLinear(), Pitman(), Zayatz()):
        [(taken, used)] = seconds(partial(taken_alone, measure, case, engine), times=2)
        meaning = taken_alone(measure, case, engine)[0].estimate.meaning
        print(f"  {measure.name:20}{taken:8.3f} s, {used:.3f} s on the processor: {meaning}")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--models", type=int, default=100_000, help="records for SUDA and the models")
    given = parser.parse_args()
    beside_group_by(given.records)
    models(given.models)


if __name__ == "__main__":
    main()
