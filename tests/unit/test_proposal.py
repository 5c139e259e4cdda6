"""The first schema: which kind and role the rules find, and that the file they write can be read."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from unmask.data.coding import read_as
from unmask.data.io import from_any, read_schema, to_toml, write_text
from unmask.data.io.table import SourceTable, tabulate
from unmask.data.proposal import Proposed, propose
from unmask.data.schema import Kind, Role

N = 60


def column(name: str, values: Any, **options: Any) -> Proposed:
    table = tabulate(pl.DataFrame({name: values}), "people.csv", **options)
    (proposed,) = propose(table).columns
    return proposed


def repeated(*values: Any) -> list[Any]:
    return [values[i % len(values)] for i in range(N)]


ROLES: list[tuple[str, Any, Role]] = [
    ("id", list(range(7, N + 7)), Role.IDENTIFIER),
    ("recID", [3 * i for i in range(N)], Role.IDENTIFIER),
    ("HHID", [3 * i for i in range(N)], Role.IDENTIFIER),
    ("full name", [f"person {i}" for i in range(N)], Role.IDENTIFIER),
    ("anything", [f"K{i}" for i in range(N)], Role.IDENTIFIER),
    ("row", list(range(1, N + 1)), Role.IDENTIFIER),
    ("income", [i * i for i in range(N)], Role.QUASI_IDENTIFIER),
    ("id", repeated(1, 2, 3), Role.QUASI_IDENTIFIER),
    ("valid", [1.5 * i for i in range(N)], Role.QUASI_IDENTIFIER),
    ("sampling_weight", [100.5] * N, Role.WEIGHT),
    ("fnlwgt", list(range(N)), Role.WEIGHT),
    ("s006", [1.5 + i for i in range(N)], Role.WEIGHT),
    ("POND", [1.5 + i for i in range(N)], Role.WEIGHT),
    ("shell_weight", [1.5 + i for i in range(N)], Role.QUASI_IDENTIFIER),
    ("weight", [i - 5.5 for i in range(N)], Role.QUASI_IDENTIFIER),
    ("weight", repeated("heavy", "light"), Role.QUASI_IDENTIFIER),
    ("hhid", [i // 3 for i in range(N)], Role.HOUSEHOLD),
    ("ori_hid", [f"H{i // 3}" for i in range(N)], Role.HOUSEHOLD),
    ("Household", [i // 3 for i in range(N)], Role.HOUSEHOLD),
    ("hhsize", repeated(1, 2, 3), Role.QUASI_IDENTIFIER),
    ("household", repeated(1, 2), Role.QUASI_IDENTIFIER),
    ("diagnosis", repeated("a", "b"), Role.CONFIDENTIAL),
    ("main_disease", repeated("a", "b"), Role.CONFIDENTIAL),
    ("religion", repeated("a", "b"), Role.CONFIDENTIAL),
    ("salary", [i * 1.5 for i in range(N)], Role.QUASI_IDENTIFIER),
    ("year", [2020] * N, Role.IGNORED),
    ("empty", [None] * N, Role.IGNORED),
    ("nested", [[1]] * N, Role.IGNORED),
    ("binary", [b"x"] * N, Role.IGNORED),
    ("remarks", [f"{i} and a long sentence that somebody typed here" for i in range(N)], Role.IGNORED),
]


@pytest.mark.parametrize(("name", "values", "role"), ROLES, ids=[f"{r[0]}-{r[2]}" for r in ROLES])
def test_roles(name: str, values: Any, role: Role) -> None:
    proposed = column(name, values)
    assert proposed.column.role is role
    assert proposed.role_reason.lower().startswith(role)


KINDS: list[tuple[str, Any, Kind, tuple[str, ...]]] = [
    ("floats", [i * 1.5 for i in range(N)], Kind.NUMERIC, ()),
    ("whole floats with few values", repeated(1.0, 2.0, None), Kind.NOMINAL, ()),
    ("counts", [i * i for i in range(N)], Kind.NUMERIC, ()),
    ("codes", repeated(1, 2, 3), Kind.NOMINAL, ()),
    ("few records", [31, 54, 8], Kind.NUMERIC, ()),
    ("text", repeated("red", "blue"), Kind.NOMINAL, ()),
    ("digits", repeated("1", "2"), Kind.NOMINAL, ()),
    ("scale", repeated("high", "low", "medium"), Kind.ORDINAL, ("low", "medium", "high")),
    ("Scale", repeated("Very good", "POOR", "good"), Kind.ORDINAL, ("POOR", "good", "Very good")),
    ("often", repeated("always", "never", "sometimes"), Kind.ORDINAL, ("never", "sometimes", "always")),
    ("synonyms", repeated("low", "medium", "average"), Kind.NOMINAL, ()),
    ("bands", repeated("65+", "5-9", "10-64", "<5"), Kind.ORDINAL, ("<5", "5-9", "10-64", "65+")),
    ("brackets", repeated("[10,20)", "[0,10)"), Kind.ORDINAL, ("[0,10)", "[10,20)")),
    ("backwards", repeated("9-5", "10-64"), Kind.NOMINAL, ()),
]

FORMS: list[tuple[str, Any, str]] = [
    ("truth", repeated(True, False), "boolean"),
    ("few dates", repeated(date(2020, 2, 1), date(2020, 1, 1)), "date"),
    ("many dates", [date(2020, 1, 1) + timedelta(i) for i in range(N)], "date"),
    ("times", repeated(datetime(2020, 1, 1, 5), datetime(2020, 1, 1)), "date"),
    ("written dates", repeated("13/02/2020", "01/03/2020"), "date"),
    ("months", repeated("2020-02", "2020-03"), "date"),
    ("written numbers", [f"1.{i:03},5" for i in range(N)], "numeric"),
    ("zip", [f"{i:05}" for i in range(N // 2)] * 2, "code"),
    ("codes", [f"{i:05}" for i in range(N // 2)] * 2, "nominal"),
]


@pytest.mark.parametrize(("name", "values", "word"), FORMS, ids=[k[0] for k in FORMS])
def test_forms(name: str, values: Any, word: str) -> None:
    proposed = column(name, values)
    assert proposed.column.word == word
    assert proposed.kind_reason.lower().startswith(word)


def test_codes_for_missing_values_are_proposed_with_a_reason() -> None:
    ages = column("age", [*range(18, 98, 2), 999, 999, 999])
    assert ages.column.missing == ("999",)
    assert "3 values look like a code for 'missing'" in ages.odd[0]
    pay = column("pay", [*(str(7 * i * i) for i in range(50)), "N", "N"])
    assert (pay.column.kind, pay.column.missing) == (Kind.NUMERIC, ("N",))
    town = column("town", [*repeated("A", "B"), "unknown"])
    assert town.column.missing == ()
    assert "list them under 'missing'" in town.odd[0]


@pytest.mark.parametrize(("name", "values", "kind", "levels"), KINDS, ids=[k[0] for k in KINDS])
def test_kinds(name: str, values: Any, kind: Kind, levels: tuple[str, ...]) -> None:
    proposed = column(name, values)
    assert (proposed.column.kind, proposed.column.levels) == (kind, levels)
    assert proposed.kind_reason.lower().startswith(kind)


def test_labels_of_the_file() -> None:
    values = repeated("b", "a")
    levels = ("b", "a", "c")
    assert column("x", values, levels={"x": levels}).column.levels == levels
    assert column("x", values, levels={"x": levels}).column.kind is Kind.NOMINAL
    assert column("x", values, levels={"x": levels}, ordered=["x"]).column.kind is Kind.ORDINAL
    many = tuple(str(i) for i in range(51))
    assert column("x", repeated("1", "2"), levels={"x": many}).column.levels == ()
    scale = ("high", "low", "medium")
    assert column("x", repeated("low", "high"), levels={"x": scale}).column.levels == (
        "low",
        "medium",
        "high",
    )


def test_one_weight_and_one_household() -> None:
    frame = pl.DataFrame(
        {
            "weight": [1.5] * N,
            "hh_weight": [2.5] * N,
            "hid": [i // 3 for i in range(N)],
            "famid": [i // 2 for i in range(N)],
        }
    )
    roles = [item.column.role for item in propose(from_any(frame)).columns]
    assert roles == [Role.WEIGHT, Role.IGNORED, Role.HOUSEHOLD, Role.IGNORED]


@pytest.fixture
def people() -> SourceTable:
    frame = pl.DataFrame(
        {
            "id": range(N),
            "age": [20.5 + i for i in range(N)],
            "health": repeated("poor", "good", "fair"),
            "town": repeated("s3cr3tvalue", 'a "quoted" one'),
            "born": [date(2000, 1, 1) + timedelta(i) for i in range(N)],
            "empty": [None] * N,
            "weight": [1.5] * N,
        }
    )
    return from_any(frame)


def test_a_proposal_goes_through_its_file_and_fits_its_data(people: SourceTable, tmp_path: Path) -> None:
    proposal = propose(people)
    path = tmp_path / "schema.toml"
    text = to_toml(proposal.schema, proposal.reasons)
    write_text(text, path)
    schema = read_schema(path)
    assert schema == proposal.schema
    assert len(read_as(schema, people.frame, "the file")) == N
    assert text.count("# Quasi-identifier: ") == 4


def test_reasons_are_sentences_without_values(people: SourceTable) -> None:
    for reasons in propose(people).reasons.values():
        for reason in reasons:
            assert reason.endswith(".")
            assert "s3cr3tvalue" not in reason
