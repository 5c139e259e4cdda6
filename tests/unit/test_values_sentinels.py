"""Codes that probably mean "missing", on worked columns and on published files."""

from __future__ import annotations

import polars as pl
import pytest

from tests.shared_data import data
from unmask.data.io import read
from unmask.data.values import is_missing_word, sentinels


def codes(values, dtype=None):
    return [sentinel.code for sentinel in sentinels(pl.Series(values, dtype=dtype))]


NOT_APPLICABLE = (
    *("MSP", "NOC", "NPF", "INDP", "INDP_CAT", "EDU", "PINCP", "PINCP_DECILE"),
    *("POVPIP", "DVET", "DREM", "DPHY"),
)
AGES = list(range(91)) * 2


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (AGES + [999] * 5, ["999"]),
        (AGES + [-1] * 5, ["-1"]),
        (AGES + [-9] * 5 + [-8] * 4, ["-9", "-8"]),
        (AGES + [-99] * 6 + [-9] * 5, ["-99", "-9"]),
        ([1, 2] * 5 + [-1] * 3, ["-1"]),
        (AGES + [-99] * 5 + [999] * 3, ["-99", "999"]),
        ([float(x) for x in AGES] + [999.0] * 3 + [None, float("nan")], ["999"]),
        ([1.5, 2.5, 3.25] * 3 + [99.9] * 3, ["99.9"]),
        ([1, 2, 3, 4] * 5 + [8] * 3 + [9] * 4, ["9", "8"]),
        (list(range(-5, 11)) + [-99] * 3 + [999] * 4, ["999", "-99"]),
        (list(range(1920, 2010)) + [0] * 3, ["0"]),
        (list(range(100, 5000)) + [9999999] * 3, ["9999999"]),
    ],
)
def test_codes_far_from_the_rest(values, expected):
    assert codes(values) == expected


@pytest.mark.parametrize(
    "values",
    [
        [*AGES, 999],  # once: an outlier
        AGES + [90] * 50,  # a top code is adjacent
        AGES + [99] * 50,
        AGES + [1000] * 5,  # not the form of a code
        [-2, -1, 0, 1, 2] * 5,
        [-1, 0, 1] * 5,
        [0, 1, 2] * 5,
        [0, 9] * 5,
        list(range(10)) * 3,
        [x - 20 for x in AGES],
        list(range(-3, 11)) * 3,
        [],
        [None, None],
        [9, 9, 9],
    ],
)
def test_no_false_alarm(values):
    assert codes(values, None if values and values[0] is not None else pl.Int64) == []


def test_words_among_numbers():
    found = sentinels(pl.Series(["12", "N", "40", "7", "N", "."]))
    assert [(s.code, s.count) for s in found] == [("N", 2), (".", 1)]
    assert codes(["1", "2", "3", "9999", "9999", "9999", "N"]) == ["9999", "N"]
    assert codes(["1", "2", "3", "2A", "2B"]) == []  # departments, not words


def test_words_among_words():
    assert codes(["red", "blue", "Unknown", "not stated"]) == ["Unknown", "not stated"]
    assert codes(["Y", "N"]) == []
    assert codes(["DE", "FR", "NA"]) == []
    assert codes(["male", "female", "NA"]) == ["NA"]
    assert codes(["none", "primary", "secondary"]) == []
    assert codes(["<18", "18-64", "65+", "?"]) == ["?"]


def test_reasons_hold_no_other_value():
    reasons = {
        s.reason for values in (AGES + [999] * 5, AGES + [-1] * 5) for s in sentinels(pl.Series(values))
    }
    assert len(reasons) == 2
    assert not any(character.isdigit() for reason in reasons for character in reason)


@pytest.mark.parametrize(
    ("word", "missing"),
    [
        ("NA", True), ("n/a", True), ("N", True), (".", True), ("-", True), ("", True), ("UNKNOWN", True),
        ("Not applicable (owner occupied)", True), ("don't know", True), ("Don’t know", True),
        ("prefer not to say", True), ("XXXXX", True), ("*", True), ("k.A.", True), ("none", False),
        ("nil", False), ("0", False), ("no", False), ("north", False), ("x", False), ("unknowingly", False),
    ],
)  # fmt: skip
def test_missing_words(word, missing):
    assert is_missing_word(word) is missing


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        # 99999 is the top code of the 1994 CPS; nobody comes near it, so it looks like a missing code.
        ("adult.csv", {"workclass": "?", "occupation": "?", "native-country": "?", "capital-gain": "99999"}),
        ("german_credit.csv", {}),
        ("casc_census.csv", {}),
        ("dermatology.csv", {"age": "?"}),
        ("sdcmicro_testdata.csv", {"roof": "9", "walls": "9"}),
        (
            "nist_acs2019_national.csv",
            dict.fromkeys(NOT_APPLICABLE, "N"),
        ),
    ],
)
def test_published_files(file, expected):
    frame = read(data(file)).frame
    found = {name: " ".join(s.code for s in sentinels(frame[name])) for name in frame.columns}
    assert {name: text for name, text in found.items() if text} == expected
