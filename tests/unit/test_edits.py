"""What is said of single columns, in Python: on top of a schema, a proposal, or Microdata."""

from __future__ import annotations

import polars as pl
import pytest

import unmask
from unmask.data.edits import ColumnEdit, edited, edited_proposal
from unmask.data.io.table import SourceTable
from unmask.data.schema import Column, Kind, Role, Schema, ValueForm
from unmask.errors import ArgumentError, DataError, SchemaError

PEOPLE = pl.DataFrame(
    {
        "age": [23, 37, 41, 58, 64, 70, 31, 45],
        "pay": [15.5, 40.0, -1.0, 80.25, 75.0, 30.5, 22.0, 9.0],
        "grade": ["2", "10", "1", "2", "1", "10", "2", "1"],
    }
)
TABLE = SourceTable(PEOPLE, {}, frozenset(), "people.csv")
SCHEMA = Schema((Column("age"), Column("pay", missing=("-1",)), Column("grade", Kind.NOMINAL)))


def test_a_column_keeps_what_is_not_said_of_it() -> None:
    found = edited(SCHEMA, (ColumnEdit("pay", role=Role.CONFIDENTIAL),), TABLE)
    assert found["pay"] == Column("pay", role=Role.CONFIDENTIAL, missing=("-1",))
    assert (found["age"], found["grade"]) == (SCHEMA["age"], SCHEMA["grade"])


def test_its_own_word_counts_before_that_of_every_column() -> None:
    said = (ColumnEdit("age", role=Role.QUASI_IDENTIFIER), ColumnEdit("*", role=Role.IGNORED, missing=("7",)))
    found = edited(SCHEMA, said, TABLE)
    assert found.names(Role.QUASI_IDENTIFIER) == ("age",)
    assert found["pay"].missing == ("-1", "7")


def test_codes_are_added_and_an_empty_list_takes_them_away() -> None:
    assert edited(SCHEMA, (ColumnEdit("pay", missing=("-2", "-1")),), TABLE)["pay"].missing == ("-1", "-2")
    assert edited(SCHEMA, (ColumnEdit("pay", missing=()),), TABLE)["pay"].missing == ()


def test_numbers_are_in_their_order_not_in_that_of_their_digits() -> None:
    assert edited(SCHEMA, (ColumnEdit("grade", "ordinal"),), TABLE)["grade"].levels == ("1", "2", "10")


def test_labels_of_the_file_are_in_its_order() -> None:
    table = SourceTable(PEOPLE, {"grade": ("10", "2", "1")}, frozenset(), "people.sav")
    assert edited(SCHEMA, (ColumnEdit("grade", "ordinal"),), table)["grade"].levels == ("10", "2", "1")


def test_a_kind_may_be_a_form() -> None:
    found = edited(SCHEMA, (ColumnEdit("grade", "code"),), TABLE)["grade"]
    assert (found.kind, found.form) == (Kind.NOMINAL, ValueForm.CODE)


def test_words_that_tell_no_order_make_nothing_ordinal() -> None:
    table = SourceTable(PEOPLE.with_columns(grade=pl.lit("x")), {}, frozenset(), "people.csv")
    with pytest.raises(SchemaError, match="cannot be made ordinal"):
        edited(SCHEMA, (ColumnEdit("grade", "ordinal"),), table)


def test_a_proposal_tells_what_was_asked() -> None:
    item = edited_proposal(TABLE, (ColumnEdit("pay", role=Role.CONFIDENTIAL, kind="nominal"),)).columns[1]
    assert (item.kind_reason, item.role_reason) == ("Nominal: as asked.", "Confidential: as asked.")


def test_python_takes_words_by_column() -> None:
    released = PEOPLE.with_columns(pl.col("age").floordiv(10) * 10).rename({"grade": "class"})
    found = unmask.check(
        PEOPLE,
        released,
        roles={"pay": "confidential"},
        kinds={"grade": "ordinal"},
        missing_codes={"pay": [-1]},
        renamed={"grade": "class"},
    )
    assert {change.attribute for change in found.changes} == {"age", "pay", "grade"}
    assert found.columns.renamed == (("grade", "class"),)
    assert found["pay"].kept
    assert found.guessed


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"roles": {"aeg": "ignored"}}, "did you mean 'age'"),
        ({"roles": {"age": "secret"}}, "no role is called 'secret'"),
        ({"kinds": ["age"]}, "kinds does not go by column"),
        ({"renamed": {"*": "x"}}, "lacks a name"),
    ],
)
def test_what_cannot_be_said(asked: dict[str, object], message: str) -> None:
    with pytest.raises((ArgumentError, DataError), match=message):
        unmask.check(PEOPLE, PEOPLE, **asked)  # type: ignore[arg-type]


def test_microdata_takes_roles_only() -> None:
    data = unmask.Microdata(SCHEMA, PEOPLE)
    found = unmask.check(data, PEOPLE, roles={"grade": "ignored"})
    assert {change.attribute for change in found.changes} == {"age", "pay"}
    assert not found.guessed
    with pytest.raises(ArgumentError, match="Microdata is read already"):
        unmask.check(data, PEOPLE, missing_codes={"pay": ["-1"]})
