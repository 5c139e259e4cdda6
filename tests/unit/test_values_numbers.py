"""Numbers, truth values and masked codes, as people write them."""

from __future__ import annotations

import polars as pl
import pytest

from unmask.data.values import parse_booleans, parse_numbers, parse_prefixes


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        (["1,5", "2"], [1.5, 2.0]),
        (["1,234", "12,5"], [1.234, 12.5]),
        (["1,234", "1,234,567"], [1234, 1234567]),
        (["1,234", "12.5"], [1234.0, 12.5]),
        (["1.234", "1.234.567"], [1234, 1234567]),
        (["1.234,56", "0,5"], [1234.56, 0.5]),
        (["0.123", "1.234"], [0.123, 1.234]),
        (["1 234,5", "12"], [1234.5, 12.0]),
        (["1\u202f234", "1\u00a0000\u2009000"], [1234, 1000000]),
        (["1'234.50", "2.00"], [1234.5, 2.0]),
        (["$1,234.50", "-$12.00"], [1234.5, -12.0]),
        (["950 €", "45 000 €"], [950, 45000]),
        (["12%", "13 %", "1.5%"], [12.0, 13.0, 1.5]),
        (["12 kg", "13kg"], [12, 13]),
        (["3 rooms", "4 rooms"], [3, 4]),
        (["+5", "-3", "−2"], [5, -3, -2]),
        (["(1,234.5)", " 7 "], [-1234.5, 7.0]),
        (["1e5", "2"], [100000.0, 2.0]),
        (["5", "NA", ".", ""], [5, None, None, None]),
        (["$950", "$45,200"], [950, 45200]),  # no program writes both 950 and 45,200 for decimals
        (["12 345", "1234"], [12345, 1234]),
    ],
)
def test_numbers(texts, numbers):
    assert parse_numbers(pl.Series("x", [*texts, None])).to_list() == [*numbers, None]


@pytest.mark.parametrize(
    "texts",
    [
        ["1,234"],
        ["1,234", "567"],
        ["1.234", "2.345"],
        ["007", "012"],
        ["0035000", "1165000"],
        ["12A", "13A"],
        ["5", "N"],
        ["€5", "6"],
        ["€5", "$6"],
        ["1,2,3"],
        ["1,23,456"],
        ["(5", "6"],
        ["--5"],
        ["12345678901234567890"],
        ["5 6"],
        ["25k"],
        ["2020-03-03"],
        ["", "NA"],
        [],
    ],
)
def test_what_is_no_number_or_two(texts):
    assert parse_numbers(pl.Series(texts, dtype=pl.String)) is None


def test_numbers_that_are_stored_as_such_are_left_alone():
    assert parse_numbers(pl.Series([1, 2])).to_list() == [1, 2]
    assert parse_numbers(pl.Series([True])) is None


@pytest.mark.parametrize(
    "texts",
    [
        "true false",
        "YES no",
        "y N",
        "t f",
        "1 0",
        "oui non",
        "ja nein",
        "si no",
        "On off",
        "checked unchecked",
    ],
)
def test_booleans(texts):
    yes, no = texts.split()
    series = pl.Series("x", [yes, no, f" {no.title()} ", None, ""])
    assert parse_booleans(series).to_list() == [True, False, False, None, None]


@pytest.mark.parametrize("values", [["yes"], ["yes", "no", "maybe"], ["y", "no"], [1, 0], [], [0.5, 1.0]])
def test_what_is_no_boolean(values):
    assert parse_booleans(pl.Series(values, dtype=None if values else pl.String)) is None


def test_one_and_zero_are_booleans_for_who_knows():
    assert parse_booleans(pl.Series([1, 0, None]), numbers=True).to_list() == [True, False, None]
    assert parse_booleans(pl.Series([1.0, 1.0]), numbers=True).to_list() == [True, True]
    assert parse_booleans(pl.Series([1, 2]), numbers=True) is None


def test_prefixes():
    codes = pl.Series(["12345", "12999", "13001", None])
    prefixes = parse_prefixes(["12***", "123**", "13001", "*"])
    assert [p.matches(codes).to_list() for p in prefixes] == [
        [True, True, False, False],
        [True, False, False, False],
        [False, False, True, False],
        [True, True, True, False],
    ]
    assert [p.stem for p in parse_prefixes(["130xx", "148xx"])] == ["130", "148"]


@pytest.mark.parametrize(
    "labels", [["12345"], ["*"], ["XXXXX", "33460"], ["1*3**"], ["12***", "1**4*"], ["Essex"], ["12x"], []]
)
def test_what_is_no_prefix(labels):
    assert parse_prefixes(labels) is None
