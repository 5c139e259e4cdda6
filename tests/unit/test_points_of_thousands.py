"""Points that part thousands in one file are no decimals: a thousandth of each number is nobody's number."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import unmask
from unmask.data.loading import Files, pair

N = 200


def _incomes(lowest: int = 300) -> tuple[pl.DataFrame, pl.DataFrame]:
    rng = np.random.default_rng(8)
    income = np.exp(rng.uniform(np.log(lowest), np.log(900_000), N)).astype(np.int64)
    noisy = np.clip(income * rng.normal(1, 0.05, N), lowest, 999_999).astype(np.int64)
    age = rng.integers(18, 90, N)
    return pl.DataFrame({"income": income, "age": age}), pl.DataFrame({"income": noisy, "age": age})


def _pointed(frame: pl.DataFrame) -> pl.DataFrame:
    cells = [f"{value:,}".replace(",", ".") for value in frame["income"].to_list()]
    return frame.with_columns(income=pl.Series(cells))


def _written(folder: Path, original: pl.DataFrame, released: pl.DataFrame) -> tuple[str, str]:
    paths = str(folder / "original.csv"), str(folder / "released.csv")
    original.write_csv(paths[0])
    released.write_csv(paths[1])
    return paths


def _risk(original: str, released: str) -> tuple[float, str]:
    found = unmask.assess(original, released, attacks=["dbrl"], measures=["interval-rank"], truth="rows")
    (row,) = found.table().filter(measure="interval-rank", subject="income").rows(named=True)
    return row["value"], "\n".join(found.document.notes)


@pytest.mark.parametrize("lowest", [300, 2000])
@pytest.mark.parametrize("where", ["original", "release"])
def test_the_risk_is_that_of_the_plain_files(tmp_path: Path, where: str, lowest: int) -> None:
    original, released = _incomes(lowest)
    wanted, silent = _risk(*_written(tmp_path, original, released))
    both = (_pointed(original), released) if where == "original" else (original, _pointed(released))
    risk, notes = _risk(*_written(tmp_path, *both))
    assert wanted > 0.3
    assert "thousands" not in silent
    assert risk == pytest.approx(wanted, abs=0.01)
    assert f"'income': points of the {where} were read as thousands" in notes


def _files(original: pl.DataFrame, released: pl.DataFrame, **how: bool) -> Files:
    return pair(original, released, None, None if how else "rows", **how)


def test_without_pairs_the_size_tells() -> None:
    original, released = _incomes()
    files = _files(original, released.with_columns(income=_as_decimals(released)), synthetic=True)
    assert any("read as thousands" in note for note in files.notes)
    assert (files.masked.data.frame["income"] == released["income"]).mean() > 0.98  # type: ignore[operator]


def _as_decimals(frame: pl.DataFrame) -> pl.Series:
    """As a reader takes them."""
    return _pointed(frame)["income"].cast(pl.Float64)


def test_rounded_thousands_without_a_rest_are_thousands() -> None:
    original, _ = _incomes(2000)
    rounded = original.with_columns((pl.col("income") / 500).round().cast(pl.Int64) * 500)
    files = _files(original, rounded.with_columns(income=_as_decimals(rounded)))
    assert files.masked.data.frame["income"].to_list() == rounded["income"].to_list()
    assert files.understanding["income"].what.value == "rounded"


def test_a_code_for_missing_stays_the_code() -> None:
    original, released = _incomes(2000)
    decimals = _as_decimals(released).set(pl.Series(np.arange(N) < 9), -9.0)
    files = _files(original, released.with_columns(income=decimals))
    assert files.understanding["income"].codes == ("-9",)
    assert files.masked.data.frame["income"].null_count() == 9


def test_where_it_cannot_be_told_a_note_asks() -> None:
    original, released = _incomes(2000)
    larger = original.with_columns(pl.col("income") * 40)
    decimals = _as_decimals(released)
    files = _files(larger, released.with_columns(income=decimals))
    assert any("may part thousands" in note for note in files.notes)
    assert files.masked.data.frame["income"].to_list() == decimals.to_list()


@pytest.mark.parametrize("decimals", [1, 3])
def test_noise_with_decimals_is_left_alone(decimals: int) -> None:
    original, _ = _incomes()
    noise = np.random.default_rng(2).normal(0, 2, N)
    released = original.with_columns(age=(pl.col("age") + pl.Series(noise)).round(decimals))
    files = _files(original, released)
    assert files.masked.data.frame["age"].to_list() == released["age"].to_list()
    assert not any("thousands" in note for note in files.notes)
