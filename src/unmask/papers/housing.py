"""A stand-in for ten categorical attributes of the American Housing Survey 1993.

That extract is not public any more. The New York City Housing and Vacancy Survey 2014 is about homes too;
from it come ten attributes with numbers of categories as near as it has them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from unmask.data.io import read
from unmask.data.microdata import Ints, Microdata
from unmask.data.schema import Column, Kind, Schema
from unmask.errors import DataError, missing_columns
from unmask.papers.data import reference_file
from unmask.randomness import generator

FILE = "nyc_hvs_2014_occupied.csv"
#: What the file writes instead of an amount of 0.
NOTHING = "No income"


@dataclass(frozen=True)
class Attribute:
    """An attribute: its column in the file, what it stands for, and the groups it is in.

    ``categories`` are those of the whole file. An amount of money is cut into so many bands of about
    equal frequency; if ``apart``, those who have none are a band of their own, the first.
    """

    name: str
    column: str
    kind: Kind
    categories: int
    groups: str
    stands_for: str
    amount: bool = False
    apart: bool = False


ATTRIBUTES = (
    Attribute("income", "Total Household Income", Kind.ORDINAL, 25, "ulo", "BUILT, 25 ordinal", amount=True),
    Attribute(
        "wages",
        "Household Income from Wages, Salaries, Commissions, Bonuses, or Tips",
        Kind.ORDINAL,
        21,
        "ulo",
        "GRADE1, 21 ordinal",
        amount=True,
        apart=True,
    ),
    Attribute("area", "Sub-borough Area", Kind.NOMINAL, 18, "ul", "WHYMOVE, 18"),
    Attribute("units", "Number of Units in Building", Kind.NOMINAL, 13, "um", "WHYTOH, 13"),
    Attribute("control", "New Control Status Recode", Kind.NOMINAL, 16, "um", "WHYTON, 13"),
    Attribute("moved", "Year Householder Moved into Unit Recode", Kind.NOMINAL, 11, "um", "TRAN1, 12"),
    Attribute("rooms", "Number of Rooms", Kind.ORDINAL, 8, "so", "DEGREE, 8 ordinal"),
    Attribute("bedrooms", "Number of Bedrooms", Kind.NOMINAL, 9, "s", "METRO, 9"),
    Attribute("borough", "Borough", Kind.NOMINAL, 5, "s", "SCH, 6"),
    Attribute("coop", "Condo/Coop Status", Kind.NOMINAL, 4, "s", "SHP, 6"),
)


def group(letter: str) -> tuple[str, ...]:
    """The attributes of a group.

    >>> group("o")
    ('income', 'wages', 'rooms')
    """
    return tuple(a.name for a in ATTRIBUTES if letter in a.groups)


def described() -> str:
    """The choice of attributes, in a sentence: what each group has, and for which attribute it stands."""
    parts = []
    for letter, size in (("l", "large"), ("m", "medium"), ("s", "small")):
        inside = [
            f"{a.name} ({a.categories}, {a.kind.value}; for {a.stands_for})"
            for a in ATTRIBUTES
            if letter in a.groups
        ]
        parts.append(f"{letter} ({size}): {', '.join(inside)}")
    return "; ".join(parts) + f"; u: m and l; o (ordinal): {', '.join(group('o'))}"


def housing_file(records: int, seed: int) -> Microdata:
    """The ten attributes of so many records, drawn with the seed: the file itself is sorted by borough."""
    frame = read(reference_file(FILE)).frame
    lost = [a.column for a in ATTRIBUTES if a.column not in frame.columns]
    if lost:
        raise missing_columns(lost, frame.columns, f"the reference file '{FILE}'")
    if records > frame.height:
        raise DataError(
            f"the reference file '{FILE}' has {frame.height} records, and {records} are to be drawn",
            hint="take the whole file",
        )
    columns, schema = [], []
    for a in ATTRIBUTES:
        values = frame[a.column].cast(pl.String)
        if a.amount:
            values = pl.Series(banded(amounts(values), values == NOTHING, a.categories, a.apart))
            values = values.cast(pl.String).str.zfill(2)
        levels = tuple(values.unique().sort()) if a.kind is Kind.ORDINAL else ()
        columns.append(values.alias(a.name))
        schema.append(Column(a.name, a.kind, levels=levels))
    rows = np.sort(generator(seed, "records", FILE).choice(frame.height, records, replace=False))
    return Microdata(Schema(tuple(schema)), pl.DataFrame(columns)[rows], "the housing file")


def amounts(values: pl.Series) -> Ints:
    """Amounts of money, 0 where the file says that there is none."""
    return values.replace(NOTHING, "0").cast(pl.Int64).to_numpy().astype(np.int64)


def banded(amount: Ints, nothing: pl.Series, bands: int, apart: bool) -> Ints:
    """The band of each amount, from 1 on, all of about equal frequency.

    >>> banded(np.array([0, 0, 0, 5, 7, 9, 11]), pl.Series([True] * 3 + [False] * 4), 3, apart=True)
    array([1, 1, 1, 2, 2, 3, 3])
    """
    none = nothing.to_numpy()
    inside, count = (amount[~none], bands - 1) if apart else (amount, bands)
    # A cut is a value of the file and belongs to the band below it, so equal amounts are never parted.
    cuts = np.unique(np.quantile(inside, np.arange(1, count) / count, method="inverted_cdf"))
    band = np.searchsorted(cuts, amount) + 1
    return np.where(none, 1, band + 1) if apart else band
