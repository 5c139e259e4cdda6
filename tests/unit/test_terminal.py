"""The short table of the command line: the worst line of each measure, and all that was asked for."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import unmask
from unmask.cli import terminal
from unmask.data.schema import Column, Kind, Role, Schema

SCHEMA = Schema(
    (
        Column("town", Kind.NOMINAL),
        Column("pay", Kind.NUMERIC, Role.CONFIDENTIAL),
        Column("hiv", Kind.NOMINAL, Role.CONFIDENTIAL),
    )
)
FILE = pl.DataFrame(
    {
        "town": [f"t{i // 10}" for i in range(40)],
        "pay": [float(i) for i in range(40)],
        "hiv": ["yes" if i // 10 == 3 else "no" for i in range(40)],
    }
)


def printed(capture: pytest.CaptureFixture[str], *measures: str, attacks: tuple[str, ...] = ()) -> str:
    risk = unmask.assess(FILE, FILE, schema=SCHEMA, measures=measures, attacks=attacks or None, seed=1)
    terminal.show_assessment(risk.document())
    return " ".join(capture.readouterr().out.split())


def test_the_smallest_diversity_is_the_worst(capsys: pytest.CaptureFixture[str]) -> None:
    assert "l-diversity the whole file (and 2 more) 1 " in printed(capsys, "l-diversity")


def test_measures_asked_for_by_name_are_shown_or_say_why_not(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "t-closeness", "household-risk", "k-anonymity", "journalist-risk")
    assert "t-closeness hiv (and 1 more) 0.75" in out
    assert "k-anonymity the whole file 10" in out
    assert "household-risk: not estimable: " in out
    assert "journalist-risk: not estimable: " in out
    assert "1 more finding: see --html" in out


def test_groups_are_told_from_links(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "reidentification", attacks=("learned-wm",))
    assert "right links" in out
    assert "optimal 100% 0 (0%) 10.0% 10.0%" in out
    assert "right group of identical records" in out


def test_the_ceiling_stands_beside_every_learned_result(capsys):
    rng = np.random.default_rng(1)
    original = pl.DataFrame({"age": rng.normal(size=30), "pay": rng.normal(size=30)})
    for released in (original, original.with_columns(age=pl.lit(1.0), pay=pl.lit(2.0))):
        for twins in ("shared", "strict"):
            attacks = [f"learned-wm:twins={twins}"]
            risk = unmask.assess(original, released, attacks=attacks, time_limit=2)
            terminal.show_assessment(risk.document())
            table, _, _ = capsys.readouterr().out.partition("Found:")
            assert "twin" in table  # the heading may be folded
