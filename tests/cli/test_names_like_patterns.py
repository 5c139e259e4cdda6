"""Columns whose names mean something to the library that holds them."""

from __future__ import annotations

import polars as pl
import pytest

from tests.cli.console import run


@pytest.mark.parametrize("end", ["csv", "parquet"])
@pytest.mark.parametrize("name", ["*", "^.*$"])
def test_a_name_that_is_a_pattern_is_refused_in_a_line(tmp_path, end, name):
    frame = pl.DataFrame({name: [20.5 + 3 * i for i in range(40)], "sex": ["f", "m"] * 20})
    path, masked = tmp_path / f"people.{end}", tmp_path / f"masked.{end}"
    frame.write_csv(path) if end == "csv" else frame.write_parquet(path)
    found = run("mask", path, "--mask", "noise:a=0.1", "-o", masked)
    assert found.code == 2
    assert found.err.count("\n") == 1
    assert "reads as a pattern of names" in found.err
    assert not masked.exists()
