"""Wide files on the command line: what is too much is refused in one line that says what to do."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tests.cli.console import run


@pytest.fixture
def paths(tmp_path):
    """Thirty columns of sixty people, and the same with noise."""
    values = np.random.default_rng(1).normal(size=(60, 30)).round(2)
    names = [f"x{j}" for j in range(30)]
    for name, noise in (("original", 0.0), ("released", 0.05)):
        pl.DataFrame(values + noise, schema=names).write_csv(tmp_path / f"{name}.csv")
    return tmp_path / "original.csv", tmp_path / "released.csv"


def test_too_many_known_attributes_are_refused_with_advice(paths, monkeypatch):
    monkeypatch.setattr("unmask.intruder.scenario.MANY_KNOWN", 20)
    monkeypatch.setattr("unmask.intruder.scenario.MOST_KNOWN", 1000)
    found = run("assess", *paths)
    assert found.code == 2
    assert len(found.err.strip().splitlines()) == 1
    assert "30 attributes of 60 people" in found.err
    assert "--known" in found.err
    assert run("check", *paths).code == 0


def test_a_file_of_too_many_values_is_refused_with_advice(paths, monkeypatch):
    monkeypatch.setattr("unmask.data.io.table.WIDE", 20)
    monkeypatch.setattr("unmask.data.io.table.MOST_VALUES", 1000)
    found = run("check", *paths)
    assert found.code == 2
    assert "30 columns and 60 records" in found.err
    assert "keep the columns" in found.err
