"""Releases in which numbers were rounded, cut off at a limit, made noisy or swapped with near ones."""

from __future__ import annotations

import numpy as np
import polars as pl

from tests.everyday.people import CENSUS, CENSUS_KNOWN, CPS, CPS_KNOWN, NIST, NIST_KNOWN, earners, nist, taxed
from tests.everyday.release import Change, EverydayRelease, Expected, Handed, in_order, recoding

COARSE = ("rounded", "banded")
LIMITED = ("top/bottom coded",)


def noisy(people: pl.DataFrame, rng: np.random.Generator) -> Handed:
    """Every number plus normal noise of a tenth of the column's standard deviation."""
    return in_order(
        people,
        people.select(
            pl.col(name) + pl.Series(rng.normal(0, 0.1 * people[name].std(), people.height))
            for name in CENSUS_KNOWN
        ),
    )


def swapped_with_near(people: pl.DataFrame, rng: np.random.Generator) -> Handed:
    """Each column in order of size, then shuffled within runs of twenty: near values trade places."""
    columns = []
    for name in CENSUS_KNOWN:
        values = people[name].to_numpy()
        order = np.argsort(values, kind="stable")
        moved = np.concatenate([rng.permutation(order[i : i + 20]) for i in range(0, len(order), 20)])
        out = np.empty_like(values)
        out[order] = values[moved]
        columns.append(pl.Series(name, out))
    return in_order(people, pl.DataFrame(columns))


RELEASES = [
    EverydayRelease(
        "income rounded",
        "Income rounded to the nearest thousand",
        CPS,
        earners,
        known=CPS_KNOWN,
        **recoding(("e00200", lambda pay: (pay + 500) // 1000 * 1000, COARSE)),
    ),
    EverydayRelease(
        "income rounded down",
        "Income rounded down to hundreds",
        CPS,
        earners,
        known=CPS_KNOWN,
        **recoding(("e00200", lambda pay: pay // 100 * 100, COARSE)),
    ),
    EverydayRelease(
        "income top-coded",
        "Income above 30,000 written as 30,000",
        CPS,
        earners,
        known=CPS_KNOWN,
        **recoding(("e00200", lambda pay: min(pay, 30_000), LIMITED)),
    ),
    EverydayRelease(
        "income bottom-coded",
        "Income below 40,000 written as 40,000",
        CPS,
        earners,
        known=CPS_KNOWN,
        **recoding(("e00200", lambda pay: max(pay, 40_000), LIMITED)),
    ),
    EverydayRelease(
        "age top-coded with a label",
        "Age as it is, but `85+` above 84",
        NIST,
        nist,
        known=NIST_KNOWN,
        **recoding(
            ("AGEP", lambda age: str(age) if age < 85 else "85+", ("top/bottom coded", "banded", "recoded"))
        ),
    ),
    EverydayRelease(
        "noise",
        "Normal noise of a tenth of the standard deviation on every number",
        CENSUS,
        taxed,
        noisy,
        CENSUS_KNOWN,
        dict.fromkeys(CENSUS_KNOWN, Change(understood=("noise",))),
        Expected.NEAREST,
    ),
    EverydayRelease(
        "swapped with near values",
        "Every number traded with one of about the same rank",
        CENSUS,
        taxed,
        swapped_with_near,
        CENSUS_KNOWN,
        dict.fromkeys(CENSUS_KNOWN, Change(understood=("swapped",))),
        Expected.NEAREST,
    ),
]
