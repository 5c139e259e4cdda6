"""Releases in which the rows or columns moved: shuffled, joined, sampled, sorted, renamed, mixed up."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import numpy as np
import polars as pl

from tests.everyday.counting import anything
from tests.everyday.people import (
    ADULT,
    ADULT_KNOWN,
    NIST,
    NIST_KNOWN,
    TESTDATA,
    WORK_KNOWN,
    adult,
    nist,
    numbered,
    some,
    work,
)
from tests.everyday.release import Change, EverydayRelease, Expected, Handed, in_order


def taking(choose: Callable[[int, np.random.Generator], np.ndarray], **rename: str) -> Callable:
    """A release of these original rows, in this order."""

    def make(people: pl.DataFrame, rng: np.random.Generator) -> Handed:
        rows = choose(people.height, rng)
        return Handed(people, people[rows].rename(rename), rows)

    return make


def shuffled(n: int, rng: np.random.Generator) -> np.ndarray:
    return rng.permutation(n)


def inner_join(people: pl.DataFrame, rng: np.random.Generator) -> Handed:
    """Joined with another table of the office, which has no row for a fifth of the people."""
    found = np.sort(rng.choice(people.height, people.height * 4 // 5, replace=False))
    other = people.select("id")[rng.permutation(found)].with_columns(
        site=pl.Series(rng.integers(1, 9, len(found)))
    )
    released = other.join(people, on="id", how="inner").select(*people.columns, "site")
    return _by_number(people, released)


def sql_result(people: pl.DataFrame, rng: np.random.Generator) -> Handed:
    """SELECT ... GROUP BY without ORDER BY: the rows come as the database likes."""
    columns = [f'"{name}"' for name in people.columns]
    others = ", ".join(columns[1:])
    with sqlite3.connect(":memory:") as database:
        database.execute(f"CREATE TABLE people ({', '.join(columns)})")
        marks = ", ".join("?" * len(columns))
        database.executemany(f"INSERT INTO people VALUES ({marks})", people.rows())
        query = f"SELECT id, {others} FROM people GROUP BY {others}, id"
        found = database.execute(query).fetchall()
    database.close()
    return _by_number(people, pl.DataFrame(found, schema=people.schema, orient="row"))


def _by_number(people: pl.DataFrame, released: pl.DataFrame) -> Handed:
    place = {number: row for row, number in enumerate(people["id"].to_list())}
    return Handed(people, released, np.array([place[number] for number in released["id"].to_list()]))


def other_column_order(people: pl.DataFrame, rng: np.random.Generator) -> Handed:
    return in_order(people, people.select(reversed(people.columns)))


def other_case(people: pl.DataFrame, rng: np.random.Generator) -> Handed:
    return in_order(people, people.rename(str.lower))


def columns_permuted(people: pl.DataFrame, rng: np.random.Generator) -> Handed:
    """Every column by itself in another order: the margins stay, and nothing else does."""
    return in_order(
        people, people.select(pl.col(name).gather(rng.permutation(people.height)) for name in people.columns)
    )


FEW = ("urbrur", "roof", "water", "sex")
#: Few attributes, so that many people are alike.
alike = some(TESTDATA, 800, FEW)
permuted = dict.fromkeys(NIST_KNOWN, Change(anything, ("permuted", "synthesised")))
LOWER = {name: Change(name=name.lower()) for name in NIST_KNOWN}

RELEASES = [
    EverydayRelease(
        "shuffled, key named",
        "Shuffled the rows; the key `id` is in both files and named",
        NIST,
        numbered(nist),
        taking(shuffled),
        NIST_KNOWN,
        truth="id",
    ),
    EverydayRelease(
        "shuffled, key left in",
        "Shuffled the rows; the key `id` is in both files, and nobody says so",
        NIST,
        numbered(nist),
        taking(shuffled),
        NIST_KNOWN,
    ),
    EverydayRelease(
        "shuffled, key spelled otherwise",
        "Shuffled the rows; the key is `id` in one file and `ID` in the other",
        ADULT,
        numbered(adult),
        taking(shuffled, id="ID"),
        ADULT_KNOWN,
        truth="id",
    ),
    EverydayRelease(
        "inner join",
        "Joined with another table, which lost a fifth of the rows and changed their order",
        ADULT,
        numbered(adult),
        inner_join,
        ADULT_KNOWN,
        truth="id",
    ),
    EverydayRelease(
        "SQL without ORDER BY",
        "Took the result of a database query without `ORDER BY`, with its key",
        ADULT,
        numbered(work),
        sql_result,
        WORK_KNOWN,
        truth="id",
    ),
    EverydayRelease(
        "sample",
        "Released a sample of 30% of the people, with the key",
        NIST,
        numbered(nist),
        taking(lambda n, rng: np.sort(rng.choice(n, n * 3 // 10, replace=False))),
        NIST_KNOWN,
        truth="id",
    ),
    EverydayRelease(
        "columns in another order",
        "Put the columns in another order",
        ADULT,
        adult,
        other_column_order,
        ADULT_KNOWN,
    ),
    EverydayRelease(
        "columns in another case",
        "Wrote the names of the columns in lower case",
        NIST,
        nist,
        other_case,
        NIST_KNOWN,
        LOWER,
    ),
    EverydayRelease(
        "shuffled, no key",
        "Shuffled the rows and removed the key; many people are alike",
        TESTDATA,
        alike,
        taking(shuffled),
        FEW,
        expected=Expected.REFUSED,
    ),
    EverydayRelease(
        "columns permuted",
        "Put every column by itself in another order, without a key",
        NIST,
        nist,
        columns_permuted,
        NIST_KNOWN,
        permuted,
        Expected.REFUSED,
    ),
    EverydayRelease(
        "columns permuted, rows declared",
        "The same, and said that row i is person i (`--truth rows`)",
        NIST,
        nist,
        columns_permuted,
        NIST_KNOWN,
        permuted,
        Expected.AT_LEAST,
        truth="rows",
    ),
]
