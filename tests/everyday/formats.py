"""Releases that differ in the format of the file, and in nothing else or in one band."""

from __future__ import annotations

import polars as pl

from tests.everyday.bands import BANDED, five_years
from tests.everyday.gaps import as_it_is
from tests.everyday.people import ADULT, ADULT_KNOWN, CPS, NIST, NIST_KNOWN, adult, earners, nist
from tests.everyday.release import EverydayRelease, recoding

PAY_KNOWN = ("pay", "MARS", "XTOT", "EIC")


def paid() -> pl.DataFrame:
    """Earners with their income in thousands, to one decimal."""
    return earners().select(pay=(pl.col("e00200") / 1000).round(1), MARS="MARS", XTOT="XTOT", EIC="EIC")


RELEASES = [
    EverydayRelease(
        "decimal comma",
        "Decimal comma and `;` in the release, as a spreadsheet exports it",
        CPS,
        paid,
        as_it_is,
        PAY_KNOWN,
        suffix=".txt",
    ),
    EverydayRelease(
        "Parquet",
        "Parquet instead of CSV, age in bands of five years",
        NIST,
        nist,
        known=NIST_KNOWN,
        suffix=".parquet",
        **recoding(("AGEP", five_years, BANDED)),
    ),
    EverydayRelease(
        "Excel",
        "Excel instead of CSV, age in bands of five years",
        ADULT,
        adult,
        known=ADULT_KNOWN,
        suffix=".xlsx",
        **recoding(("age", five_years, BANDED)),
    ),
]
