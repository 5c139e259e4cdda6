"""The originals: some hundreds or thousands of people of the reference files, with few attributes.

Codes stay as published; only what is a number to everybody is read as one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import polars as pl

from tests.shared_data import data

NIST, ADULT, TESTDATA = "nist_acs2019_national.csv", "adult.csv", "sdcmicro_testdata.csv"
CPS, NHTS, CENSUS = "cps_taxcalc.csv.gz", "nhts2017_households.csv.gz", "casc_census.csv"
GERMAN, FEBRL = "german_credit.csv", "febrl4a.csv"


@cache
def _read(file: str, columns: tuple[str, ...]) -> pl.DataFrame:
    """Everybody, all values as text."""
    return pl.read_csv(data(file), columns=list(columns), infer_schema=False).select(columns)


def some(
    file: str, n: int, columns: Sequence[str], numbers: Sequence[str] = (), where: pl.Expr | None = None
) -> Callable[[], pl.DataFrame]:
    """So many people of a file, drawn once and for all."""

    def people() -> pl.DataFrame:
        frame = _read(file, tuple(columns))
        frame = frame if where is None else frame.filter(where)
        frame = frame.with_columns(pl.col(name).cast(pl.Float64).cast(pl.Int64) for name in numbers)
        rows = np.sort(np.random.default_rng(7).choice(frame.height, n, replace=False))
        return frame[rows]

    return people


def numbered(people: Callable[[], pl.DataFrame], name: str = "id") -> Callable[[], pl.DataFrame]:
    """The same people with a number each, which says nothing of their order."""

    def more() -> pl.DataFrame:
        frame = people()
        number = 10_000 + np.random.default_rng(8).permutation(frame.height)
        return frame.insert_column(0, pl.Series(name, number))

    return more


NIST_KNOWN = ("AGEP", "SEX", "RAC1P", "OWN_RENT", "PUMA")
nist = some(NIST, 1500, NIST_KNOWN, numbers=["AGEP"])

ADULT_KNOWN = ("age", "education", "marital-status", "race", "sex")
adult = some(ADULT, 1500, ADULT_KNOWN, numbers=["age"])

#: Categories only: whom they find depends on the categories alone.
WORK_KNOWN = ("workclass", "education", "marital-status", "relationship", "race", "sex")
work = some(ADULT, 2000, WORK_KNOWN, where=pl.col("workclass") != "?")

HOUSEHOLD_KNOWN = ("urbrur", "roof", "water", "electcon", "relat", "sex", "age")
household = some(TESTDATA, 1500, HOUSEHOLD_KNOWN, numbers=["age"])

CPS_KNOWN = ("e00200", "MARS", "XTOT", "EIC")
earners = some(CPS, 1500, CPS_KNOWN, numbers=["e00200", "XTOT"], where=pl.col("e00200") != "0")

NHTS_KNOWN = ("hhsize", "hhvehcnt", "hhfaminc", "homeown", "hhstfips", "urbrur")
travellers = some(NHTS, 2000, NHTS_KNOWN, numbers=["hhsize", "hhvehcnt"])

CENSUS_KNOWN = ("AGI", "FEDTAX", "PTOTVAL", "INTVAL")
taxed = some(CENSUS, 600, CENSUS_KNOWN, numbers=CENSUS_KNOWN)

GERMAN_KNOWN = ("status", "savings", "employment_since", "personal_status_sex", "housing", "telephone")
borrowers = some(GERMAN, 1000, GERMAN_KNOWN)


def born() -> pl.DataFrame:
    """People with a birth date, a state and a postcode (synthetic Australians)."""
    text = _read(FEBRL, ("date_of_birth", "state", "postcode"))
    date = pl.col("date_of_birth").str.to_date("%Y%m%d", strict=False)
    return text.with_columns(date).drop_nulls().head(2000)


def visitors() -> pl.DataFrame:
    """People who came on one of 90 days of a quarter: the days are drawn, the people are of the census."""
    frame = some(ADULT, 1500, ("education", "race", "sex"))()
    days = np.random.default_rng(9).integers(0, 90, frame.height)
    visit = pl.Series("visit", np.datetime64("2023-01-01") + days.astype("timedelta64[D]"))
    return frame.insert_column(0, visit.cast(pl.Date))
