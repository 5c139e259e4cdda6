"""Whatever is written in a usual format is read back: bands, dates, numbers."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unmask.data.values import (
    parse_bands,
    parse_booleans,
    parse_dates,
    parse_numbers,
    parse_prefixes,
    sentinels,
)
from unmask.data.values.date_formats import FORMATS
from unmask.masks.bands import band_names

quick = settings(deadline=None, max_examples=80)
cents = st.integers(-(10**7), 10**7).map(lambda x: x / 100)
whole = st.integers(-(10**5), 10**5)


def breaks(numbers, least=2):
    return st.lists(numbers, min_size=least, max_size=7, unique=True).map(sorted)


def places(labels, values):
    """For every value, the labels of the bands that hold it."""
    bands = parse_bands(labels)
    assert bands is not None
    assert sorted(band.label for band in bands) == sorted(labels)
    inside = [band.contains(np.asarray(values, dtype=np.float64)) for band in bands]
    return [[b.label for b, mask in zip(bands, inside, strict=True) if mask[i]] for i in range(len(values))]


@given(cuts=breaks(cents, least=1), values=st.lists(cents, min_size=1, max_size=20))
@quick
def test_own_band_names(cuts, values):
    names = band_names(np.array(cuts))
    values = values + cuts
    expected = [[names[i]] for i in np.searchsorted(cuts, values)]
    assert places(names, values) == expected


@pytest.mark.parametrize("right", [True, False], ids=["right", "left"])
@given(cuts=breaks(cents), values=st.lists(cents, min_size=1, max_size=20))
@quick
def test_labels_of_pandas(right, cuts, values):
    pd = pytest.importorskip("pandas")
    placed = pd.cut(values + cuts, cuts, right=right, precision=3)
    labels = [str(interval) for interval in placed.categories]
    expected = [[] if code < 0 else [labels[code]] for code in placed.codes]
    assert places(labels, values + cuts) == expected


@pytest.mark.parametrize("right", [True, False], ids=["right", "left"])
@given(
    cuts=breaks(st.integers(-999, 999)), values=st.lists(st.integers(-1200, 1200), min_size=1, max_size=20)
)
@quick
def test_labels_of_cut_in_r(right, cuts, values):
    form = "({:.3g},{:.3g}]" if right else "[{:.3g},{:.3g})"
    labels = [form.format(*ends) for ends in pairwise(cuts)]
    values = values + cuts
    place = np.searchsorted(cuts, values, side="left" if right else "right") - 1
    expected = [[labels[i]] if 0 <= i < len(labels) else [] for i in place]
    assert places(labels, values) == expected


@pytest.mark.parametrize("form", ["{}-{}", "{} to {}", "{} – {}", "{} bis {} Jahre"])
@given(
    cuts=breaks(whole.map(abs)), values=st.lists(cents.map(abs), min_size=1, max_size=20), top=st.booleans()
)
@quick
def test_completed_years(form, cuts, values, top):
    labels = [form.format(a, b - 1) for a, b in pairwise(cuts)] + ([f"{cuts[-1]}+"] if top else [])
    values = values + cuts
    place = np.searchsorted(cuts, values, side="right") - 1
    expected = [[labels[i]] if 0 <= i < len(labels) else [] for i in place]
    assert places(labels, values) == expected


@given(cuts=breaks(st.integers(-(10**4), 10**4)), values=st.lists(cents, min_size=1, max_size=20))
@quick
def test_gaps_of_one_tenth(cuts, values):
    tenths = [f"{x / 10:.1f}" for x in cuts]
    upper = [f"{(x - 1) / 10:.1f}" for x in cuts]
    labels = [f"{a} to {b}" for a, b in zip(tenths, upper[1:], strict=False)]
    values = values + [float(x) for x in tenths]
    place = np.searchsorted([float(x) for x in tenths], values, side="right") - 1
    expected = [[labels[i]] if 0 <= i < len(labels) else [] for i in place]
    assert places(labels, values) == expected


days = st.integers(-30_000, 30_000).map(lambda x: date(1970, 1, 1) + timedelta(days=x))
recent = st.integers(-14_000, 21_000).map(lambda x: date(1970, 1, 1) + timedelta(days=x))


def quarter(day, form):
    return day.strftime(form.replace("%q", str((day.month + 2) // 3)))


@pytest.mark.parametrize("form", [*FORMATS, "%Y%m%d"])
@given(data=st.data())
@settings(deadline=None, max_examples=20)
def test_dates_come_back(form, data):
    when = data.draw(st.lists(recent if "%y" in form else days, min_size=1, max_size=12))
    dates = parse_dates(pl.Series([quarter(day, form) for day in when]))
    numbers = np.array([(day - date(1970, 1, 1)).days for day in when])
    assert dates is not None
    if dates.ambiguous and dates.format != form:
        return  # read with the day first, and said so
    assert np.all((dates.low <= numbers) & (numbers <= dates.high))
    assert np.all(dates.high - dates.low <= {"day": 0, "month": 30, "quarter": 91}[dates.unit])


styles = st.tuples(st.sampled_from(".,"), st.sampled_from(["", ",", ".", " ", "\u202f", "'"])).filter(
    lambda style: style[0] != style[1]
)


@pytest.mark.parametrize("trimmed", [True, False], ids=["trimmed", "fixed"])
@given(
    values=st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=12),
    places=st.integers(0, 4),
    style=styles,
    affix=st.sampled_from(["{}", "€{}", "{} %", "{} kg"]),
)
@settings(deadline=None, max_examples=300)
def test_numbers_come_back_or_not_at_all(trimmed, values, places, style, affix):
    decimal, group = style

    def written(value):
        text = f"{abs(value) / 10**places:,.{places}f}"
        text = text.rstrip("0").rstrip(".") if trimmed and places else text
        text = text.translate({ord(","): group, ord("."): decimal})
        return ("-" if value < 0 else "") + affix.format(text)

    found = parse_numbers(pl.Series([written(value) for value in values]))
    assert found is None or found.to_list() == pytest.approx([v / 10**places for v in values], rel=1e-12)
    certain = group in (" ", "\u202f", "'") or places not in (0, 3)
    if certain and not trimmed and places in (1, 2):
        assert found is not None


pieces = st.sampled_from(
    [*"0159 -+/.,:;()[]<>%€$*xeEkT", "12", "2020", "1e999999", "Mar", "to", "and over", "inf", "NA"]
)


@given(texts=st.lists(st.lists(pieces, max_size=8).map("".join) | st.text(max_size=6), max_size=4))
@settings(deadline=None, max_examples=300)
def test_no_text_is_too_strange(texts):
    series = pl.Series(texts, dtype=pl.String)
    assert all(band.low <= band.high for band in parse_bands(texts) or ())
    for parse in (parse_numbers, parse_dates, parse_booleans, sentinels):
        parse(series)
    parse_prefixes(texts)
