"""Linkage of the FEBRL files: people who are in both, with typing errors and missing values in one."""

from __future__ import annotations

import polars as pl
import pytest

import unmask
from tests.shared_data import data
from unmask.attacks import PRL
from unmask.data.missing import Missing
from unmask.data.schema import Column, Kind, Schema
from unmask.intruder.scenario import Scenario
from unmask.linkage.agreement import Exact, Similarity

PEOPLE = 1000
NAMES = ("given_name", "surname", "suburb", "state")
STRINGS = ("given_name", "surname", "suburb")
SIMILAR = PRL(agreements=tuple((n, Similarity() if n in STRINGS else Exact()) for n in NAMES))


def people(file: str) -> pl.DataFrame:
    """The first people by number; `key` is the person, which the number of a record tells."""
    key = pl.col("rec_id").str.extract(r"^rec-(\d+)-")
    frame = pl.read_csv(data(file), infer_schema=False)
    return frame.select(key.alias("key"), pl.col(NAMES).str.strip_chars().replace("", None)).filter(
        pl.col("key").cast(pl.Int64) < PEOPLE
    )


@pytest.fixture(scope="module")
def files() -> tuple[pl.DataFrame, pl.DataFrame]:
    pytest.importorskip("rapidfuzz", reason="strings are compared with rapidfuzz")
    return people("febrl4a.csv"), people("febrl4b.csv")


def right(known: pl.DataFrame, released: pl.DataFrame, attack: PRL) -> float:
    """The share of people whose best link is right, ties shared."""
    risk = unmask.assess(
        known,
        released,
        scenario=Scenario(known=NAMES, missing=Missing.IGNORE),
        attacks=["guess", attack],
        measures=["reidentification"],
        schema=Schema(tuple(Column(name, Kind.NOMINAL) for name in NAMES)),
        truth="key",
    )
    found = risk.worst().estimate.value
    assert found is not None
    return found


def test_people_are_found_in_spite_of_typing_errors(files):
    known, released = files
    assert len(known) == len(released) == PEOPLE
    found = right(known, released, SIMILAR)
    assert found >= 0.96  # measured: 0.978
    assert found > right(known, released, PRL()) + 0.03  # measured: 0.918


def test_the_records_say_who_is_who():
    pairs = pl.read_csv(data("febrl4_truth.csv"), infer_schema=False)
    number = [pairs[name].str.extract(r"^rec-(\d+)-") for name in ("rec_id_1", "rec_id_2")]
    assert number[0].equals(number[1])
    assert number[0].n_unique() == len(pairs) == 5000


def test_a_wrong_truth_is_not_found(files):
    known, released = files
    order = known["key"].to_list()
    other = dict(zip(order, order[1:] + order[:1], strict=True))
    wrong = released.with_columns(pl.col("key").replace_strict(other))
    assert right(known, wrong, SIMILAR) < 0.02
