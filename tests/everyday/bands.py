"""Releases in which numbers became bands, under the labels that the usual tools write."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl

from tests.everyday.counting import becomes
from tests.everyday.people import (
    ADULT,
    ADULT_KNOWN,
    HOUSEHOLD_KNOWN,
    NIST,
    NIST_KNOWN,
    TESTDATA,
    adult,
    household,
    nist,
)
from tests.everyday.release import Change, EverydayRelease, Handed, in_order, recoding

BANDED = ("banded",)
BINS = [14, 24, 34, 44, 54, 64, 74, 100]


def five_years(age: int) -> str:
    return f"{age // 5 * 5}-{age // 5 * 5 + 4}"


def open_ends(age: int) -> str:
    if age < 18:
        return "<18"
    return (
        "65+" if age >= 65 else next(f"{a}-{b}" for a, b in ((18, 24), (25, 44), (45, 64)) if a <= age <= b)
    )


def pandas_cut(people: pl.DataFrame, rng: np.random.Generator) -> Handed:
    intervals = pd.cut(pd.Series(people["age"].to_numpy(), dtype=float), [float(b) for b in BINS])
    return in_order(people, people.with_columns(pl.Series("age", intervals.astype(str).to_list())))


def as_pandas_writes(age: int) -> str:
    return next(f"({a:.1f}, {b:.1f}]" for a, b in pairwise(BINS) if a < age <= b)


def as_r_writes(age: int) -> str:
    """cut(age, breaks, right = FALSE)."""
    breaks = [0, 15, 25, 35, 45, 55, 65, 75, 120]
    return next(f"[{a},{b})" for a, b in pairwise(breaks) if a <= age < b)


def as_sas_writes(age: int) -> str:
    """PROC FORMAT with ranges: low-<18, 18-<40, 40-<65, 65-high."""
    if age < 18:
        return "LOW-<18"
    return "18-<40" if age < 40 else "40-<65" if age < 65 else "65-HIGH"


def by_name(age: int) -> str:
    return "child" if age < 18 else "adult" if age < 65 else "senior"


RELEASES = [
    EverydayRelease(
        "age in five-year bands",
        "Age in bands of five years, `15-19`",
        NIST,
        nist,
        known=NIST_KNOWN,
        **recoding(("AGEP", five_years, BANDED)),
    ),
    EverydayRelease(
        "age bands with open ends",
        "Age in bands with open ends, `<18` and `65+`",
        NIST,
        nist,
        known=NIST_KNOWN,
        **recoding(("AGEP", open_ends, BANDED)),
    ),
    EverydayRelease(
        "pandas.cut",
        "Age by `pandas.cut`, `(14.0, 24.0]`",
        ADULT,
        adult,
        pandas_cut,
        ADULT_KNOWN,
        {"age": Change(becomes(as_pandas_writes), BANDED)},
    ),
    EverydayRelease(
        "R cut",
        "Age by `cut` of R with `right = FALSE`, `[15,25)`",
        TESTDATA,
        household,
        known=HOUSEHOLD_KNOWN,
        **recoding(("age", as_r_writes, BANDED)),
    ),
    EverydayRelease(
        "SAS format",
        "Age by a format of SAS, `LOW-<18`",
        NIST,
        nist,
        known=NIST_KNOWN,
        **recoding(("AGEP", as_sas_writes, BANDED)),
    ),
    EverydayRelease(
        "bands under names",
        "Age as child, adult or senior",
        NIST,
        nist,
        known=NIST_KNOWN,
        **recoding(("AGEP", by_name, BANDED)),
    ),
    EverydayRelease(
        "first year of a band",
        "Age as the first year of its band of ten years, a number",
        NIST,
        nist,
        known=NIST_KNOWN,
        **recoding(("AGEP", lambda age: age // 10 * 10, ("rounded", "banded"))),
    ),
]
