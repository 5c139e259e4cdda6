"""Releases with missing values: coded as numbers, as letters, or suppressed by hand."""

from __future__ import annotations

import numpy as np
import polars as pl

from tests.everyday.counting import or_else, same
from tests.everyday.people import ADULT, CPS, NIST, WORK_KNOWN, earners, some, work
from tests.everyday.release import Change, EverydayRelease, Expected, Handed, in_order

NOT_TOLD = 9999
PAY_KNOWN = ("thousands", "MARS", "XTOT", "EIC")
POVERTY_KNOWN = ("POVPIP", "SEX", "RAC1P", "OWN_RENT")
SUPPRESSED = ("suppressed",)


def paid() -> pl.DataFrame:
    """Earners with their income in thousands."""
    return earners().select(thousands=pl.col("e00200") // 1000, MARS="MARS", XTOT="XTOT", EIC="EIC")


def coded(people: pl.DataFrame, rng: np.random.Generator) -> Handed:
    """9999 for a tenth of the incomes."""
    out = pl.Series(rng.random(people.height) < 0.1)
    pay = pl.when(out).then(pl.lit(NOT_TOLD)).otherwise("thousands").alias("thousands")
    return in_order(people, people.with_columns(pay))


def as_it_is(people: pl.DataFrame, rng: np.random.Generator) -> Handed:
    return in_order(people, people)


def suppressing(code: str | None):
    """5% of the cells of every column, at random, are empty or hold a code."""

    def make(people: pl.DataFrame, rng: np.random.Generator) -> Handed:
        hidden = [pl.Series(rng.random(people.height) < 0.05) for _ in people.columns]
        columns = [
            pl.when(out).then(pl.lit(code)).otherwise(name).alias(name)
            for name, out in zip(people.columns, hidden, strict=True)
        ]
        return in_order(people, people.select(columns))

    return make


def suppressed(code: str | None) -> dict[str, Change]:
    return dict.fromkeys(WORK_KNOWN, Change(or_else(same, code), SUPPRESSED))


RELEASES = [
    EverydayRelease(
        "code for missing",
        "9999 for a tenth of the incomes",
        CPS,
        paid,
        coded,
        PAY_KNOWN,
        {"thousands": Change(or_else(same, NOT_TOLD), SUPPRESSED)},
        Expected.AT_LEAST,
    ),
    EverydayRelease(
        "N for missing",
        "`N` for missing among numbers, in both files",
        NIST,
        some(NIST, 1500, POVERTY_KNOWN),
        as_it_is,
        POVERTY_KNOWN,
        expected=Expected.AT_LEAST,
    ),
    EverydayRelease(
        "cells suppressed",
        "Emptied 5% of the cells by hand",
        ADULT,
        work,
        suppressing(None),
        WORK_KNOWN,
        suppressed(None),
        Expected.AT_LEAST,
    ),
    EverydayRelease(
        "cells suppressed, NA",
        "The same, written `NA` as R does",
        ADULT,
        work,
        suppressing("NA"),
        WORK_KNOWN,
        suppressed("NA"),
        Expected.AT_LEAST,
    ),
]
