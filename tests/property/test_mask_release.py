"""What a mask releases has the type, the grid and the range of the original, and reads back."""

from __future__ import annotations

from decimal import Decimal
from math import gcd
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unmask
from tests.cli.console import run
from unmask.data.coding import read_as
from unmask.data.io import read
from unmask.data.io.write import write
from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Kind, Schema
from unmask.data.values.grid import NumberGrid, common_grid
from unmask.errors import DataError
from unmask.masks import MASKS, parse
from unmask.masks.release import as_released, released_schema

N = 40
LEVELS = ("low", "fair", "good", "high")
TABLES = [kind for kind in MASKS.values() if not hasattr(kind, "shape")]
TEXTS = [text for kind in TABLES for text in getattr(kind, "examples", ())]
SCHEMA = Schema(
    (
        Column("age"),
        Column("pay"),
        Column("rate"),
        Column("debt"),
        Column("share", minimum=0.0, maximum=1.0),
        Column("health", Kind.ORDINAL, levels=LEVELS),
        Column("town", Kind.NOMINAL, levels=tuple("ABCDE")),
    )
)


def people(seed: int) -> Microdata:
    rng = np.random.default_rng(seed)
    columns = {
        "age": rng.integers(0, 90, N),
        "pay": (rng.lognormal(5, 1, N) // 10 * 10).astype(np.int32),
        "rate": rng.uniform(0, 9, N).round(2),
        "debt": rng.integers(-500, 500, N),
        "share": rng.random(N),
        "health": rng.choice(LEVELS, N),
        "town": rng.choice(list("ABCDE"), N),
    }
    return Microdata(SCHEMA, pl.DataFrame(columns))


@pytest.mark.parametrize("text", TEXTS)
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_every_mask_keeps_type_grid_and_range(text: str, seed: int) -> None:
    original = people(seed)
    frame = unmask.mask(original.frame, parse(text), seed=seed, schema=SCHEMA)
    for column in SCHEMA:
        before, after = original.frame[column.name], frame[column.name]
        if column.kind is not Kind.NUMERIC or after.dtype == pl.String:
            continue
        assert after.dtype == before.dtype
        values = after.drop_nulls().cast(pl.Float64).to_numpy()
        grid = common_grid(before.cast(pl.Float64).to_numpy())
        assert np.array_equal(grid.rounded(values), values)
        assert column.name == "debt" or (values >= 0).all()
        assert column.maximum is None or (values <= column.maximum).all()


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".sav"])
def test_what_is_written_reads_back_under_the_schema_of_the_release(
    tmp_path: Path, text: str, suffix: str
) -> None:
    original = people(3)
    masked = as_released(original, parse(text).apply(original, np.random.default_rng(3)))
    path = tmp_path / f"released{suffix}"
    write(unmask.mask(original.frame, parse(text), seed=3, schema=SCHEMA), path)
    again = read_as(released_schema(original, masked), read(path).frame, "the file")
    released = unmask.mask(original.frame, parse(text), seed=3, schema=SCHEMA)
    for column in SCHEMA:
        left, right = again.frame[column.name], released[column.name]
        assert left.cast(right.dtype).equals(right), column.name


@given(st.lists(st.integers(-(10**7), 10**7), min_size=1, max_size=30), st.integers(0, 4), st.integers(1, 50))
def test_the_grid_is_that_of_decimal_arithmetic(units: list[int], decimals: int, times: int) -> None:
    exact = [Decimal(unit * times).scaleb(-decimals) for unit in units]
    values = np.array([float(one) for one in exact])
    grid = common_grid(values)
    assert np.array_equal(grid.rounded(values), values)
    scaled = [abs(int(one.scaleb(9))) for one in exact]
    expected = gcd(*scaled) or 10**9
    assert grid.units * 10 ** (9 - grid.decimals) == expected


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30), st.integers(0, 3))
def test_rounding_to_the_grid_moves_nobody_by_more_than_half_a_step(
    values: list[float], decimals: int
) -> None:
    grid = NumberGrid(1, decimals)
    masked = np.array(values)
    assert (np.abs(grid.rounded(masked) - masked) <= grid.step * (0.5 + 1e-6)).all()


def test_exact_keeps_every_digit_and_sign() -> None:
    original = people(1)
    method = parse("noise:a=2")
    frame = unmask.mask(original.frame, method, seed=1, schema=SCHEMA, exact=True)
    assert (frame["age"] < 0).any()
    assert (frame["age"] % 1 != 0).any()
    swapped = unmask.mask(original.frame, parse("rank-swapping:p=30"), seed=1, schema=SCHEMA, exact=True)
    assert swapped["age"].dtype == original.frame["age"].dtype


def test_rounding_leads_to_no_code_for_missing_and_a_code_of_the_mask_is_refused(tmp_path: Path) -> None:
    ages = pl.Series("age", [99, *range(60, 120)])
    people = pl.DataFrame([ages])
    coded = Schema((Column("age", missing=("99",)),))
    frame = unmask.mask(people, parse("noise:a=0.5"), seed=1, schema=coded)
    assert (frame["age"] == 99).equals(ages == 99)
    pyreadstat = pytest.importorskip("pyreadstat")
    pyreadstat.write_sav(
        people.to_pandas(), tmp_path / "o.sav", missing_ranges={"age": [{"lo": 97, "hi": 99}]}
    )
    out = ("-o", tmp_path / "r.sav")
    assert run("mask", tmp_path / "o.sav", "--mask", "noise:a=0.5,attributes=age", *out).code == 0
    before, after = (read(tmp_path / name).frame["age"] for name in ("o.sav", "r.sav"))
    assert after.is_null().equals(before.is_null())
    refused = run("mask", tmp_path / "o.sav", "--mask", "top-coding:limit=98,attributes=age", *out)
    assert refused.code == 2
    assert "missing codes" in refused.err


def test_values_beyond_the_limits_of_the_schema_are_refused() -> None:
    people = pl.DataFrame({"share": [0.5, 1.5, 0.25]})
    schema = Schema((Column("share", maximum=1.0),))
    with pytest.raises(DataError, match="beyond its minimum or maximum"):
        unmask.mask(people, parse("noise:a=1"), schema=schema)
