"""New names of people in a masked file: it is assessed as before, and tells nothing of the old ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import unmask
from tests.cli.console import run
from tests.unit.test_protect_shapes import ATTACKS, MASKS, SHAPES, frame
from unmask.masks import expand


@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_people_are_found_by_the_pairs(shape: str, tmp_path: Path) -> None:
    original, kept, new, pairs = (tmp_path / name for name in ("a.csv", "kept.csv", "new.csv", "pairs.csv"))
    frame(shape).write_csv(original)
    how = ["--shape", SHAPES[shape], "--mask", expand(MASKS[shape])[0], "--seed", "3"]
    assert run("mask", str(original), *how, "-o", str(kept)).code == 0
    done = run("mask", str(original), *how, "-o", str(new), "--pairs", str(pairs))
    assert done.code == 0, done.err
    assert "must not go out" in done.out
    assert pairs.stat().st_mode & 0o077 == 0
    assert not set(pl.read_csv(pairs)["original"]) & set(new.read_text().replace("\n", ",").split(","))
    asked: Any = {"shape": SHAPES[shape], "attacks": [ATTACKS[shape]], "measures": ["reidentification"]}
    before = unmask.assess(original, kept, **asked).table()["value"].to_list()
    after = unmask.assess(original, new, pairs=pairs, **asked).table()["value"].to_list()
    assert after == pytest.approx(before)


def test_neither_rows_nor_ends_keep_the_order_of_the_old_names(tmp_path: Path) -> None:
    original, new, pairs = (tmp_path / name for name in ("a.csv", "new.csv", "pairs.csv"))
    frame("graph").write_csv(original)
    how = ["--shape", SHAPES["graph"], "--mask", "edge-deletion:share=0"]
    assert run("mask", str(original), *how, "-o", str(new), "--pairs", str(pairs)).code == 0
    made, who = pl.read_csv(new), pl.read_csv(pairs)
    assert (made["a"] < made["b"]).all()
    assert made.equals(made.sort("a", "b"))
    old = made["a"].replace_strict(who["released"], who["original"])
    assert not old.is_sorted()


def test_what_has_no_names_gets_none(tmp_path: Path) -> None:
    original = tmp_path / "a.csv"
    frame("series").drop("who").write_csv(original)
    for more in (("--shape", "series:prefix=h", "--mask", "series-noise:a=1"), ("--mask", "noise:a=1")):
        done = run("mask", str(original), *more, "-o", "out.csv", "--pairs", "pairs.csv")
        assert done.code == 2
        assert len(done.err.splitlines()) == 1
        assert not (tmp_path / "out.csv").exists()
