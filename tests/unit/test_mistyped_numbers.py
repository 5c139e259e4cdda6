"""One typo in a column of numbers must not make categories of them: a risk would come out too low."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import unmask
from unmask.assessment.request import Request, RequestFiles
from unmask.assessment.session import Session
from unmask.data.coding import strays
from unmask.data.edits import ColumnEdit
from unmask.data.io import from_any, read_schema, to_toml
from unmask.data.proposal import propose
from unmask.data.schema import Kind, Role
from unmask.data.values import sentinels


def _files() -> tuple[pl.DataFrame, pl.DataFrame]:
    rng = np.random.default_rng(4)
    income, age = rng.integers(1000, 90000, 300), rng.integers(18, 90, 300)
    noisy = income + rng.integers(-200, 201, 300)
    return pl.DataFrame({"income": income, "age": age}), pl.DataFrame({"income": noisy, "age": age})


def _typo(frame: pl.DataFrame, row: int = 7) -> pl.DataFrame:
    cells = frame["income"].cast(pl.String).to_list()
    cells[row] = "4O"
    return frame.with_columns(income=pl.Series(cells))


def _risk(original: pl.DataFrame, released: pl.DataFrame) -> tuple[float, str]:
    found = unmask.assess(
        original, released, attacks=["dbrl"], measures=["reidentification"], known=["income"]
    )
    (row,) = found.table().filter(measure="reidentification", attack="dbrl").rows(named=True)
    return row["value"], "\n".join(found.document.notes)


@pytest.mark.parametrize("where", ["original", "released", "both"])
def test_a_typo_costs_one_cell(where: str) -> None:
    original, released = _files()
    clean, _ = _risk(original, released)
    # Each file is standardised by its own mean, which one cell hardly moves if it is in the middle.
    row = int((original["income"] - original["income"].mean()).abs().arg_min() or 0)
    risk, notes = _risk(
        _typo(original, row) if where != "released" else original,
        _typo(released, row) if where != "original" else released,
    )
    assert clean > 0.3
    assert risk >= clean - 0.02
    assert "'income': 1 cell" in notes or "'income': in the release, a code" in notes
    assert "4O" not in notes


def test_what_is_said_of_another_column_hides_no_typo(tmp_path: Path) -> None:
    original, released = _files()
    paths = [tmp_path / "original.csv", tmp_path / "released.csv"]
    for frame, path in zip((original, released), paths, strict=True):
        _typo(frame).write_csv(path)
    edit = ColumnEdit("age", role=Role.CONFIDENTIAL)
    request = Request(RequestFiles(str(paths[0]), str(paths[1]), columns=(edit,)))
    files = Session(request).files
    assert files.original.schema["income"].kind is Kind.NUMERIC
    assert any("1 cell of the original is no number" in note for note in files.notes)


def test_many_mistakes_are_refused_also_where_another_column_is_spoken_of() -> None:
    original, released = _files()
    for row in range(12):
        original, released = _typo(original, row), _typo(released, row)
    for roles in ({}, {"age": "confidential"}):
        with pytest.raises(unmask.UnmaskError, match="12 values of another kind"):
            unmask.assess(original, released, attacks=["dbrl"], roles=roles)


def test_a_described_schema_keeps_the_numbers(tmp_path: Path) -> None:
    proposal = propose(from_any(_typo(_files()[0])))
    path = tmp_path / "schema.toml"
    path.write_text(to_toml(proposal.schema))
    column = read_schema(path)["income"]
    assert column.kind is Kind.NUMERIC
    assert column.missing == ("4O",)


def test_decimal_commas_with_a_typo_stay_numbers() -> None:
    cells = [f"{i},5" for i in range(300)]
    cells[5] = "5,S"
    (item,) = propose(from_any(pl.DataFrame({"pay": cells}))).columns
    assert item.column.kind is Kind.NUMERIC
    assert item.column.missing == ("5,S",)


@pytest.mark.parametrize(
    "codes",
    [
        [*map(str, range(200)), *["A1"] * 4],  # repeated
        [*map(str, range(100)), *(f"A{i}" for i in range(8))],  # too many
        [*map(str, range(100)), "north", "south", "east", "west", "B2", "C3"],  # too many of 100
    ],
)
def test_codes_that_somebody_meant_are_no_mistakes(codes: list[str]) -> None:
    assert sentinels(pl.Series(codes)) == ()


@pytest.mark.parametrize("form", ["{},5", "1.234.{:03},5", "$ {}", "{} kg"])
def test_many_mistakes_are_refused_however_numbers_are_written(form: str) -> None:
    original, released = (pl.DataFrame({"pay": [form.format(i) for i in range(300)]}) for _ in range(2))
    cells = [*original["pay"].head(288), *(f"1{i},S" for i in range(12))]
    with pytest.raises(unmask.UnmaskError, match="holds numbers, and 12 values of another kind"):
        unmask.assess(original.with_columns(pay=pl.Series(cells)), released, attacks=["dbrl"])


def test_codes_with_some_digits_are_no_numbers_with_mistakes() -> None:
    assert strays(pl.Series([*(f"{i} Main" for i in range(90)), *(f"{i} High" for i in range(10))])) == (
        0,
        "",
    )
    assert strays(pl.Series([*(f"A{i}" for i in range(100)), "1,5"])) == (0, "")


def test_a_proposal_says_what_would_be_refused() -> None:
    cells = [*(f"{i},5" for i in range(90)), *(f"{i},S" for i in range(10))]
    (item,) = propose(from_any(pl.DataFrame({"pay": cells}))).columns
    assert item.odd == ("All but 10 values are numbers: mend these, or list them under 'missing'.",)
    (item,) = propose(from_any(pl.DataFrame({"pay": [*cells[:90], *["NA"] * 10]}))).columns
    assert item.column.kind is Kind.NUMERIC
    assert not any("All but" in why for why in item.odd)
