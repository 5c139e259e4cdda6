"""Masks write values back as they were: dates, booleans, missing codes, numbers that are text."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
import polars as pl
import pytest

import unmask
from unmask.data.coding import coded
from unmask.data.notation import written_back
from unmask.data.schema import Column, Kind, Schema
from unmask.data.values.date_writing import write_dates
from unmask.data.values.dates import parse_dates
from unmask.errors import DataError
from unmask.masks import PRAM, GlobalRecoding, LocalSuppression, Noise, RankSwapping, TopCoding

N = 60
RNG = np.random.default_rng(3)
DAYS = pl.Series("born", RNG.integers(-9000, 15000, N)).cast(pl.Int32).cast(pl.Date)
CLOCK = pl.Series([timedelta(seconds=int(s)) for s in RNG.integers(0, 86_400, N)])
TIMES = (DAYS.cast(pl.Datetime("us")) + CLOCK).alias("born")
ZONED = TIMES.dt.replace_time_zone("UTC").dt.convert_time_zone("Europe/Madrid")
PAY = pl.Series("pay", RNG.normal(2000, 500, N).round(2))


def noisy(born: pl.Series) -> pl.Series:
    # Text that is distinct for everybody would be proposed as an identifier.
    schema = Schema((Column.of("born", "date"), Column("pay")))
    method = Noise(a=0.1, attributes=("born",))
    return unmask.mask(pl.DataFrame([born, PAY]), method, seed=1, schema=schema)["born"]


@pytest.mark.parametrize(
    "form",
    [
        "%d/%m/%Y", "%Y-%m-%d", "%m/%d/%Y", "%d.%m.%Y", "%d%b%Y", "%d %b %Y", "%Y%m%d", "%-d/%-m/%Y",
        "%b %d, %Y", "%Y-%m-%dT00:00:00",
    ],
)  # fmt: skip
def test_dates_as_text_stay_dates_in_their_format(form: str) -> None:
    born = DAYS.dt.strftime(form)
    found = noisy(born)
    assert found.dtype == pl.String
    days = parse_dates(found)
    assert days is not None
    # A format that the parser and polars share writes the same day in the same way.
    assert pl.Series(days.low).cast(pl.Int32).cast(pl.Date).dt.strftime(form).to_list() == found.to_list()
    assert found.to_list() != born.to_list()


@pytest.mark.parametrize(
    "born", [DAYS, TIMES, TIMES.dt.cast_time_unit("ms"), ZONED, DAYS.cast(pl.Datetime("ns"))]
)
def test_dates_keep_their_type(born: pl.Series) -> None:
    found = noisy(born)
    assert found.dtype == born.dtype
    assert found.null_count() == 0
    assert found.to_list() != born.to_list()
    if isinstance(born.dtype, pl.Datetime) and (born.dt.hour() == 0).all():
        assert (found.dt.hour() == 0).all()  # days stay days


def test_whole_numbers_that_are_dates_stay_so() -> None:
    born = DAYS.dt.strftime("%Y%m%d").cast(pl.Int64)
    found = noisy(born)
    assert found.dtype == pl.Int64
    assert parse_dates(found) is not None


@pytest.mark.parametrize(
    "form",
    [
        "%Y-%m-%d %H:%M:%S",
        "%Y-%m-%dT%H:%M:%SZ",
        "%d/%m/%Y %H:%M",
        "%Y-%m-%d %I:%M %p",
        "%Y-%m-%dT%H:%M:%S%.3f",
    ],
)
def test_times_as_text(form: str) -> None:
    texts = TIMES.dt.strftime(form)
    dates = parse_dates(texts)
    assert dates is not None
    assert write_dates(pl.Series(dates.low), texts).to_list() == texts.to_list()
    assert parse_dates(noisy(texts)) is not None


@pytest.mark.parametrize(
    ("texts", "days", "expected"),
    [
        (["2020-03", "1970-01"], [40.5, None, 50.0], ["1970-02", None, "1970-03"]),
        (["2020Q1", "1970Q4"], [100.0, -1.0], ["1970Q2", "1970Q1"]),
        (["3 März 2020", "14 Mai 1971"], [18324.0, 500.0], ["3 März 2020", "16 Mai 1971"]),
        (["03/04/29", "14/04/30"], [0.0, 1.0], ["01/01/70", "02/01/70"]),
        (["03/04/29", "14/04/30"], [0.0, 25_000.0], ["01/01/1970", "13/06/2038"]),
        (["2020-03-03"], [1e9], ["9999-12-31"]),
    ],
)
def test_other_notations(texts: list[str], days: list[float | None], expected: list[str | None]) -> None:
    assert write_dates(pl.Series(days), pl.Series(texts)).to_list() == expected


def test_years_that_are_numbers() -> None:
    years = pl.Series("born", RNG.integers(1930, 1990, N))
    found = noisy(years)
    assert found.dtype == pl.Int64
    assert found.is_between(1900, 2020).all()


def test_a_time_that_a_zone_skips() -> None:
    zoned = pl.Series([datetime(2020, 3, 28, 2, 30)]).dt.replace_time_zone("Europe/Madrid")
    found = write_dates(pl.Series([18350 + 2.5 / 24]), zoned)  # 2020-03-29, when 2:30 did not exist
    assert found.null_count() == 0


@pytest.mark.parametrize("words", [("yes", "no"), ("Y", "N"), ("VRAI", "FAUX"), (True, False), (1, 0)])
def test_booleans_come_back_as_their_words(words: tuple[Any, Any]) -> None:
    answers = pl.Series("ill", [words[0], words[1], None] * 20)
    people = pl.DataFrame([answers, PAY])
    schema = Schema((Column.of("ill", "boolean"), Column("pay")))
    found = unmask.mask(people, PRAM(p=0.5, attributes=("ill",)), seed=1, schema=schema)["ill"]
    assert found.dtype == answers.dtype
    assert set(found.to_list()) == {*words, None}
    assert found.to_list() != answers.to_list()


def test_merged_truth_values_stay_what_they_are() -> None:
    people = pl.DataFrame({"ill": [True, False] * 10, "pay": list(range(20))})
    schema = Schema((Column.of("ill", "boolean"), Column("pay")))
    found = unmask.mask(people, GlobalRecoding(p=2, attributes=("ill",)), schema=schema)["ill"]
    assert set(found.to_list()) == {"false|true"}


def test_missing_codes_come_back_and_suppressed_cells_stay_empty() -> None:
    pay = pl.Series("pay", [9999 if i % 7 == 0 else 100 + i for i in range(N)])
    people = pl.DataFrame([pay, DAYS.dt.year().alias("year")])
    schema = Schema((Column("pay", missing=("9999",)), Column("year")))
    found = unmask.mask(people, Noise(a=0.1, attributes=("pay",)), seed=1, schema=schema)["pay"]
    codes = pl.Series([i % 7 == 0 for i in range(N)])
    assert (found == 9999).to_list() == codes.to_list()
    town = pl.Series("town", ["rare" if i == 0 else "?" if i % 7 == 0 else "AB"[i % 2] for i in range(N)])
    schema = Schema((Column("town", Kind.NOMINAL, missing=("?",)), Column("pay", missing=("9999",))))
    method = LocalSuppression(k=3, attributes=("town",))
    hidden = unmask.mask(pl.DataFrame([town, pay]), method, schema=schema)["town"]
    assert hidden[0] is None
    assert hidden[7] == "?"


def test_words_among_numbers_come_back() -> None:
    pay = pl.Series("pay", ["refused" if i % 7 == 0 else str(100 + i) for i in range(N)])
    schema = Schema((Column("pay", missing=("refused",)),))
    masked = unmask.mask(pl.DataFrame([pay]), RankSwapping(p=10), seed=1, schema=schema)["pay"]
    assert (masked == "refused").sum() == (pay == "refused").sum()
    assert sorted(masked.to_list()) == sorted(pay.to_list())


def test_text_numbers_become_numbers() -> None:
    pay = pl.Series("pay", [f"{1000 + i:,}".replace(",", ".") + ",5" for i in range(N)])
    found = unmask.mask(pl.DataFrame([pay]), Noise(a=0.1), seed=1)["pay"]
    assert found.dtype == pl.Float64


def test_a_released_value_that_is_a_missing_code_is_refused() -> None:
    people = pl.DataFrame({"pay": [9999, *range(9990, 10_050)]})
    schema = Schema((Column("pay", missing=("9999",)),))
    with pytest.raises(DataError, match="50 released values of column 'pay' are among its missing codes"):
        unmask.mask(people, TopCoding(limit=9999, attributes=("pay",)), schema=schema)


def test_labels_of_banded_dates_stay_what_they_are() -> None:
    found = unmask.mask(
        pl.DataFrame([DAYS, PAY]), GlobalRecoding(bands=4, release="label", attributes=("born",))
    )["born"]
    assert found.n_unique() == 4
    assert found.str.starts_with("<=").any()


def test_a_column_that_is_left_alone_is_the_same_to_the_bit() -> None:
    column = Column.of("born", "date", missing=("?",))
    raw = pl.Series("born", ["3/01/1970", "?", " 03/1/1971", "NA", None])
    before = coded(raw, column, "the file")
    assert written_back(before, before, raw, column).to_list() == raw.to_list()
    assert date(1970, 1, 3) == date(1970, 1, 1) + timedelta(days=int(before[0]))
