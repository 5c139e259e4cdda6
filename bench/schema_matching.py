"""How many columns schema matching recognises: `python -m bench.schema_matching [--every]`.

Each public file is cut in two halves of people; the columns of the second are renamed and shuffled, and names
are not looked at. The second half is as it is (rows), has noise of 0.2 deviations on numbers (noise), or
has other units and codes (opaque). With "fewer", each half lacks another third of the columns, so that
columns without a partner can be matched wrongly. Then: how often pairs of a probability are right.
`--every` prints each file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl

import unmask
from unmask.randomness import generator

DATA = Path(os.environ.get("UNMASK_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")
FILES = (
    "adult.csv",
    "casc_census.csv",
    "casc_eia.csv",
    "german_credit.csv",
    "abalone.csv",
    "wdbc.csv",
    "ionosphere.csv",
    "dermatology.csv",
    "nyc_hvs_2014_occupied.csv",
    "boston_housing.csv",
    "sdcmicro_testdata.csv",
    "nist_acs2019_national.csv",
)
CHANGES = ("rows", "noise", "opaque")
#: Numbers with more values than these are measured; others are codes.
CODES = 20
STEPS = (0.0, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0)


def halves(name: str, change: str) -> tuple[pl.DataFrame, pl.DataFrame, dict[str, str]]:
    """Both halves, and the name in the second of every column of the first."""
    frame = pl.read_csv(DATA / name, infer_schema_length=None)
    rng = generator(0, "halves", name, change)
    rows, order = rng.permutation(frame.height), rng.permutation(frame.width).tolist()
    first, second = frame[np.sort(rows[: len(rows) // 2])], frame[np.sort(rows[len(rows) // 2 :])]
    second = second.select(changed(second[column], change, rng) for column in second.columns)
    names = {frame.columns[j]: f"V{place + 1}" for place, j in enumerate(order)}
    return first, second[:, order].rename(names), names


def changed(column: pl.Series, change: str, rng: np.random.Generator) -> pl.Series:
    """A column under noise, or in another unit or other codes."""
    if change == "rows":
        return column
    if column.dtype.is_numeric() and column.n_unique() > CODES:
        if change == "opaque":
            return 3.7 * column.cast(pl.Float64) + 11.0
        return column + pl.Series(rng.normal(0, 0.2 * float(column.std() or 0), len(column)))
    if change == "noise":
        return column
    values = column.cast(pl.String).drop_nulls().unique().sort().to_list()
    codes = [f"c{place}" for place in rng.permutation(len(values))]
    return column.cast(pl.String).replace_strict(values, codes, default=None, return_dtype=pl.String)


def fewer(
    first: pl.DataFrame, second: pl.DataFrame, names: dict[str, str]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The halves, each without another third of the columns."""
    order = generator(0, "fewer").permutation(len(names)).tolist()
    third, columns = len(order) // 3, list(names)
    lost = [columns[j] for j in order[:third]], [names[columns[j]] for j in order[third : 2 * third]]
    return first.drop(lost[0]), second.drop(lost[1])


def trials() -> Iterator[tuple[str, str, pl.DataFrame, pl.DataFrame, dict[str, str]]]:
    for kept in ("", ", fewer"):
        for change in CHANGES:
            for name in FILES:
                first, second, names = halves(name, change)
                first, second = fewer(first, second, names) if kept else (first, second)
                yield f"{change}{kept}", name, first, second, names


def main() -> None:
    counts: dict[str, list[int]] = {}
    told: list[tuple[float, bool]] = []
    for what, name, first, second, names in trials():
        found = unmask.match_schema(first, second, names=False)
        told += [(pair.probability, names[pair.first] == pair.second) for pair in found.pairs]
        there = sum(names[column] in second.columns for column in first.columns)
        right = sum(names[pair.first] == pair.second for pair in found.likely)
        total = counts.setdefault(what, [0, 0, 0])
        for place, count in enumerate((there, len(found.likely), right)):
            total[place] += count
        if "--every" in sys.argv:
            print(f"{what} | {name} | {there} | {len(found.likely)} | {right}")
    for what, (there, likely, right) in counts.items():
        print(f"{what} | {there} columns in both | {likely} likely pairs | {right} right")
    probability, right_ones = np.array([p for p, _ in told]), np.array([right for _, right in told])
    for low, high in pairwise(STEPS):
        some = (probability >= low) & ((probability < high) | (high == 1.0))
        print(f"{low} to {high} | {some.sum()} pairs | {right_ones[some].mean():.0%} right")


if __name__ == "__main__":
    main()
