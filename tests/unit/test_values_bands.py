"""Bands, read from labels in every everyday notation."""

from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest

from unmask.data.values.bands import MOST_BANDS, Band, ambiguous, parse_bands


def shown(labels):
    """The bands in brackets, from low to high."""
    bands = parse_bands(labels)
    if bands is None:
        return None
    return " ".join(
        f"{'(' if b.low_open else '['}{b.low:g},{b.high:g}{')' if b.high_open else ']'}" for b in bands
    )


AGES = "[-inf,18) [18,65) [65,inf]"


@pytest.mark.parametrize(
    "labels",
    [
        ["<18", "18-64", "65+"],
        ["<18", "18–64", "65 +"],
        ["<= 17", "18 - 64", ">=65"],
        ["under 18", "18 to 64", "65 and over"],
        ["below 18", "18_64", "≥65"],
        ["less than 18", "18 bis 64", "65 or more"],
        ["Under 18 years", "18-64 years", "65 years and over"],
        ["up to 17", "18 — 64", "over 64"],
        ["LOW-<18", "18-<65", "65-HIGH"],
        ["low-17", "18-64", "65-high"],
        ["unter 18 Jahre", "18 bis unter 65 Jahre", "65 Jahre und älter"],
        ["moins de 18 ans", "18 à 64 ans", "65 ans et plus"],
        ["< 18", "18 <= age < 65", ">= 65"],
        ["17 or less", "between 18 and 64", "aged 65 or older"],
        ["65+", "18-64", "<18"],
        ["<18", "18-64", "65+", "unknown", "n/a", "Not stated"],
    ],
)
def test_ages(labels):
    assert shown(labels) == AGES


@pytest.mark.parametrize(
    ("labels", "bands"),
    [
        (["[15,25)", "[25,35)"], "[15,25) [25,35)"),
        (["(14.0, 24.0]", "(24.0, 34.0]"], "(14,24] (24,34]"),
        (["(17.927, 42.333]", "(42.333, 66.667]"], "(17.927,42.333] (42.333,66.667]"),
        (["(14,24]", "(24,34]"], "(14,24] (24,34]"),
        (["[14,24]", "(24,34]"], "[14,24] (24,34]"),
        (["(1.2e+03,4.5e+03]", "(4.5e+03,9e+03]"], "(1200,4500] (4500,9000]"),
        (["(-inf, 18.0]", "(18.0, inf]"], "(-inf,18] (18,inf]"),
        (["(1,65]", "(65,Inf]"], "(1,65] (65,inf]"),
        (["(1,000, 2,000]", "(2,000, 3,000]"], "(1000,2000] (2000,3000]"),
        (["]14;24]", "]24;34]"], "(14,24] (24,34]"),
        (["LOW-18", "18<-65", "65<-HIGH"], "[-inf,18] (18,65] (65,inf]"),
        (["<=18", "(18,65]", ">65"], "[-inf,18] (18,65] (65,inf]"),
        (["<=1.125", ">1.125"], "[-inf,1.125] (1.125,inf]"),
        (["<=-3.5", "(-3.5,1e-05]", ">1e-05"], "[-inf,-3.5] (-3.5,1e-05] (1e-05,inf]"),
        (["all"], "[-inf,inf]"),
        (["-10--5", "-4--1", "0+"], "[-10,-4) [-4,0) [0,inf]"),
        (["-10 to -5", "-4 to -1"], "[-10,-4) [-4,0)"),
        (["−10 to −5", "−4 to −1"], "[-10,-4) [-4,0)"),
        (["1,000-1,999", "2,000-2,999"], "[1000,2000) [2000,3000)"),
        (["€1,000 - €1,999", "€2,000 - €2,999"], "[1000,2000) [2000,3000)"),
        (["0-999", "1.000-1.999"], "[0,1000) [1000,2000)"),
        (["<$25k", "$25k-$50k", "$50k+"], "[-inf,25000) [25000,50000) [50000,inf]"),
        (["<=50K", ">50K"], "[-inf,50000] (50000,inf]"),
        (["0-9%", "10-19%"], "[0,10) [10,20)"),
        (["0", "1", "2-3", "4+"], "[0,1) [1,2) [2,4) [4,inf]"),
        (["0.0-9.9", "10.0-19.9"], "[0,10) [10,20)"),
        (["0,0-9,9", "10,0-19,9"], "[0,10) [10,20)"),
        (["00-04", "05-09", "85+"], "[0,5) [5,10) [85,inf]"),
        (["15/24", "25/34", "35+"], "[15,25) [25,35) [35,inf]"),
        (["2010-2015", "2016-2020"], "[2010,2016) [2016,2021)"),
        (["<20", "20-39"], "[-inf,20) [20,40)"),
        (["18-29", "30-64", ">64"], "[18,30) [30,65) [65,inf]"),
        (["1 room", "2 rooms", "3 rooms or more"], "[1,2) [2,3) [3,inf]"),
    ],
)
def test_notations(labels, bands):
    assert shown(labels) == bands


@pytest.mark.parametrize(
    "labels",
    [
        [],
        ["unknown"],
        ["1", "2", "3"],
        ["north", "south"],
        ["15-24", "other"],
        ["none", "1-2", "3+"],  # none may be 0 or missing
        ["2020-03", "2020-04"],
        ["03/2020"],
        ["03-2020", "04-2020"],
        ["01/02", "03/04"],
        ["1/2", "3/4"],
        ["120/80", "140/90"],
        ["01-02-2020"],
        ["C00-C97", "D00-D48"],
        ["15-24", "20-30"],
        ["<=18", ">=18"],
        ["all", "15-24"],
        ["24-15"],
        ["1-6 days", "1-4 weeks"],
        ["-18", "18-64", "65+"],  # "-18" may mean up to 18
        ["bis 1.000", "1.000 - 2.000"],  # one thousand, or one
        ["15-24", "15–24"],
        ["65+", "65+ years, widowed"],
    ],
)
def test_what_is_no_set_of_bands(labels):
    assert parse_bands(labels) is None


def test_a_column_of_many_numbers_is_refused_early():
    def labels():
        yield "15-24"
        yield from map(str, range(100, 100 + MOST_BANDS))
        pytest.fail("read on")

    assert parse_bands(labels()) is None


@pytest.mark.parametrize(
    ("labels", "bands", "doubt"),
    [
        (["10-20", "20-30"], "[10,20) [20,30]", True),
        (["10-20", "20-30", "30+"], "[10,20) [20,30) [30,inf]", False),
        (["10-20", "20-30", ">30"], "[10,20] (20,30] (30,inf]", False),
        (["<=10", "10-20", "20-30"], "[-inf,10] (10,20] (20,30]", False),
        (["up to 18", "18-65"], "[-inf,18) [18,65]", True),
        (["45-64", "over 65"], "[45,65) [65,inf]", True),
        (["under 18", "19-30"], "[-inf,19) [19,31)", True),
        (["15-24", "25-34"], "[15,25) [25,35)", False),
    ],
)
def test_ends_that_two_bands_share(labels, bands, doubt):
    assert shown(labels) == bands
    assert ambiguous(parse_bands(labels)) is doubt


def test_a_band_contains_its_ends_as_it_says():
    values = np.array([17.9, 18.0, 64.9, 65.0, nan, inf])
    assert Band("a", 18.0, 65.0).contains(values).tolist() == [False, True, True, True, False, False]
    assert Band("b", 18.0, 65.0, True, True).contains(values).tolist() == [0, 0, 1, 0, 0, 0]
    assert Band("c", low=65.0).contains(values).tolist() == [0, 0, 0, 1, 0, 1]


def test_labels_stay_as_they_were_written():
    assert [band.label for band in parse_bands([" 65 +", "15 – 64"])] == ["15 – 64", " 65 +"]
