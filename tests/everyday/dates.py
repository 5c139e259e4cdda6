"""Releases with dates: written otherwise, moved, or cut to the month or the year."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import numpy as np
import polars as pl

from tests.everyday.counting import becomes, within
from tests.everyday.people import ADULT, FEBRL, born, visitors
from tests.everyday.release import Change, EverydayRelease, Expected, Handed, changed, in_order, recoding

VISIT_KNOWN = ("visit", "education", "race", "sex")
BORN_KNOWN = ("date_of_birth", "state")
MOST_DAYS = 15


def european(day: date) -> str:
    return f"{day:%d/%m/%Y}"


def day_of(text: str) -> date:
    return datetime.strptime(text, "%d/%m/%Y").date()


def iso_release(people: pl.DataFrame, rng: np.random.Generator) -> Handed:
    """The original says 31/01/2023, the release 2023-01-31."""
    return in_order(people.with_columns(changed(people["visit"], european)), people)


def moved(people: pl.DataFrame, rng: np.random.Generator) -> Handed:
    """Every date moved by up to fifteen days, and both files written as dd/mm/yyyy."""
    steps = rng.integers(-MOST_DAYS, MOST_DAYS + 1, people.height).tolist()
    days = [day + timedelta(step) for day, step in zip(people["date_of_birth"].to_list(), steps, strict=True)]
    released = people.with_columns(pl.Series("date_of_birth", [european(day) for day in days]))
    return in_order(people.with_columns(changed(people["date_of_birth"], european)), released)


def ordinal(text: str) -> int:
    return day_of(text).toordinal()


COARSE = ("banded", "rounded", "recoded")

RELEASES = [
    EverydayRelease(
        "dates written otherwise",
        "Dates as `31/01/2023` in the original, as `2023-01-31` in the release",
        ADULT,
        visitors,
        iso_release,
        VISIT_KNOWN,
        {"visit": Change(becomes(day_of))},
    ),
    EverydayRelease(
        "dates moved",
        "Dates of birth moved by up to 15 days, as `31/01/1990`",
        FEBRL,
        born,
        moved,
        BORN_KNOWN,
        {"date_of_birth": Change(within(MOST_DAYS, ordinal, ordinal), ("noise",))},
        Expected.ABOUT,
    ),
    EverydayRelease(
        "birth date to month",
        "Date of birth as its month, `1990-01`",
        FEBRL,
        born,
        known=BORN_KNOWN,
        **recoding(("date_of_birth", lambda day: f"{day:%Y-%m}", COARSE)),
    ),
    EverydayRelease(
        "birth date to year",
        "Date of birth as its year, 1990",
        FEBRL,
        born,
        known=BORN_KNOWN,
        **recoding(("date_of_birth", lambda day: day.year, COARSE)),
    ),
]
