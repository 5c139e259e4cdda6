"""What reads the same compares as the same: accents, blanks, digits and marks of other systems."""

from __future__ import annotations

import unicodedata

import numpy as np
import polars as pl
import pytest

import unmask
from unmask.data.io.inference import typed
from unmask.data.loading import pair
from unmask.data.schema import Column, Kind, Schema
from unmask.data.text import plain_text, plain_texts
from unmask.data.values import parse_booleans, parse_numbers
from unmask.data.values.missing_words import is_missing_word

RNG = np.random.default_rng(3)
N = 200
TOWNS = ["Évora", "Córdoba", "Málaga", "Lugo", "São Tomé", "Gijón", "León", "Cáceres"]
PEOPLE = pl.DataFrame({"town": RNG.choice(TOWNS, N), "job": RNG.choice(TOWNS[::-1], N)})


def _decomposed(values: pl.Series) -> pl.Series:
    return pl.Series(values.name, [unicodedata.normalize("NFD", text) for text in values])


def _risk(original: object, released: object, **asked: object) -> float:
    found = unmask.assess(original, released, attacks=["dbrl"], measures=["reidentification"], **asked)
    return found.table().filter(measure="reidentification", attack="dbrl")["value"].item()


def test_half_a_file_in_decomposed_accents_is_the_same_file() -> None:
    mixed = PEOPLE.with_columns(
        pl.when(pl.int_range(N) % 2 == 0).then(_decomposed(PEOPLE[name])).otherwise(name).alias(name)
        for name in PEOPLE.columns
    )
    assert _risk(PEOPLE, mixed) == _risk(PEOPLE, PEOPLE) > 0.1
    files = pair(PEOPLE, mixed, None, None)
    assert files.original.categories("town") == files.masked.data.categories("town")
    assert any("'town': the two files write the same characters in two ways" in n for n in files.notes)
    assert not any("two ways" in note for note in pair(mixed, mixed, None, None).notes)


def test_blanks_around_a_category_are_no_part_of_it() -> None:
    padded = PEOPLE.with_columns(
        pl.when(pl.int_range(N) % 2 == 0).then(pl.col("town") + "  ").otherwise("town").alias("town")
    )
    assert _risk(PEOPLE, padded) == _risk(PEOPLE, PEOPLE)
    listed = padded.with_columns(pl.col("town").cast(pl.Enum(padded["town"].unique().sort())))
    assert _risk(listed, PEOPLE) == _risk(PEOPLE, PEOPLE)


def test_names_and_levels_have_one_spelling() -> None:
    odd = unicodedata.normalize("NFD", "región")
    levels = tuple(sorted(set(PEOPLE["town"])))
    frame = PEOPLE.rename({"town": odd})
    schema = Schema((Column(odd, Kind.ORDINAL, levels=levels), Column("job", Kind.NOMINAL)))
    other = frame.with_columns(_decomposed(frame[odd]))
    found = unmask.assess(
        other, frame, schema=schema, known=["región"], attacks=["guess"], measures=["reidentification"]
    )
    assert found.document.sizes.released == N
    assert _risk(PEOPLE.rename({"town": "región"}), frame, known=[odd]) > 0


@pytest.mark.parametrize(
    ("odd", "plain"),
    [
        ("e\u0301", "é"),
        ("a\u00a0b", "a b"),
        ("a\u202fb", "a b"),
        ("\ufeffage", "age"),
        ("１２", "12"),
        ("soft\u00adware", "software"),
        ("²", "²"),
        ("x", "x"),
    ],
)
def test_one_spelling(odd: str, plain: str) -> None:
    assert plain_text(odd) == plain
    assert plain_texts(pl.Series([odd, None])).to_list() == [plain, None]


def test_numbers_and_words_of_other_systems_are_read() -> None:
    assert typed(pl.Series(["１２", " 7\u00a0", "\ufeff3"])).to_list() == [12, 7, 3]
    assert typed(pl.Series(["a\u00a0b"])).to_list() == ["a\u00a0b"]  # text keeps its own characters
    assert parse_numbers(pl.Series(["1\u00a0234", "５", "12\u202f345"])).to_list() == [1234, 5, 12345]
    assert parse_booleans(pl.Series(["si\u0301", "no"])).to_list() == [True, False]
    assert is_missing_word(plain_text("not\u00a0stated"))
