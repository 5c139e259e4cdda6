"""What somebody meets who has series, traces or ties, and has not read anything."""

from __future__ import annotations

import json
import shlex
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tests.cli.console import run

TIES = "graph:source=a,target=b"
CALLS = "traces:id=user,time=hour,place=cell"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ties of which some are left out, a circle in which all have two, calls, and readings."""
    here, rng = tmp_path_factory.mktemp("files"), np.random.default_rng(1)
    ties = [(f"n{node}", f"n{int(node * rng.random())}") for node in range(1, 60) for _ in range(3)]
    frame = pl.DataFrame(ties, schema=["a", "b"], orient="row")
    frame.write_csv(here / "ties.csv")
    frame.filter(pl.Series(rng.random(len(ties)) < 0.9)).write_csv(here / "ties_out.csv")
    circle = [(f"n{i}", f"n{(i + 1) % 40}") for i in range(40)]
    pl.DataFrame(circle, schema=["a", "b"], orient="row").write_csv(here / "circle.csv")
    calls = [(f"u{i:02}", int(h), f"c{rng.integers(9)}") for i in range(40) for h in rng.permutation(96)[:12]]
    told = pl.DataFrame(calls, schema=["user", "hour", "cell"], orient="row")
    told.write_csv(here / "calls.csv")
    told.with_columns(pl.col("hour") // 4 * 4).unique(maintain_order=True).write_csv(here / "calls_out.csv")
    days = pl.DataFrame(list(product(range(30), range(12))), schema=["meter", "day"], orient="row")
    readings = days.with_columns(kwh=pl.Series(rng.gamma(2.0, 1.0, days.height)).round(3))
    readings.write_csv(here / "readings.csv")
    readings.with_columns((pl.col("kwh") * 2).round(2)).write_csv(here / "readings_out.csv")
    return here


@pytest.fixture(autouse=True)
def _inside(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


def test_everybody_with_as_many_ties_is_no_class_of_alike_people() -> None:
    asked = ["assess", "circle.csv", "circle.csv", "--shape", TIES, "--policy", "cell-size-5"]
    done = run(*asked)
    assert done.code == 3
    assert "(cell-size-5): not estimable" in done.out  # 40 have two ties each: as a table it would be met
    assert "people are told apart by their ties" in " ".join(done.out.split())


@pytest.mark.parametrize(
    ("original", "released", "shape", "mask"),
    [
        ("ties.csv", "ties_out.csv", TIES, "edge-deletion"),
        ("calls.csv", "calls_out.csv", CALLS, "trace-coarsening"),
        ("readings.csv", "readings_out.csv", "series:id=meter,time=day,value=kwh", "series-noise"),
    ],
)
def test_what_would_help_is_a_command_that_runs(
    folder: Path, original: str, released: str, shape: str, mask: str
) -> None:
    done = run("assess", original, released, "--shape", shape, "--json", "found.json")
    assert done.code == 0
    assert f"({mask})" in " ".join(done.out.split())
    (line,) = [line.strip() for line in done.out.splitlines() if line.startswith("  unmask study ")]
    conclusion = json.loads((folder / "found.json").read_text())["conclusion"]
    assert conclusion["study"] == line
    words = [*shlex.split(line)[1:], "--replicates", "1", "--json", "study.json"]
    tried = run(*words)
    assert tried.code == 0, tried.err
    study = json.loads((folder / "study.json").read_text())
    assert study["least"] in ("graph-ties", "trace-flows", "series-error")
    assert "not estimable" not in tried.out  # the masks are compared by what they cost


def test_the_cards_of_ties_speak_of_ties() -> None:
    done = run("assess", "ties.csv", "ties_out.csv", "--shape", TIES)
    told = " ".join(done.out.split())
    assert "interval disclosure" not in told  # the degree is what the intruder counted themselves
    assert "lost, by ties that changed" in told
    assert "total variation" not in told
    assert "Who stands out in the release?" in told
    assert "--holdout" not in told


@pytest.mark.parametrize(
    ("file", "released", "shape"),
    [
        ("ties.csv", "ties_out.csv", "--shape graph:source=a,target=b"),
        ("calls.csv", "calls_out.csv", "--shape traces:id=user,time=hour,place=cell"),
        ("readings.csv", "readings_out.csv", "--shape series:id=meter,time=day,value=kwh"),
    ],
)
def test_points_are_not_taken_for_people_in_silence(file: str, released: str, shape: str) -> None:
    for verb in (["describe", file], ["assess", file, released, "--attacks", "dbrl"]):
        done = run(*verb)
        told = " ".join((done.out + done.err).replace("\n#", "").split())
        assert shape in told, verb
    assert done.code in (0, 2)


def test_a_table_of_people_is_not_taken_for_points() -> None:
    from unmask.data.example import people
    from unmask.data.understanding.several_rows import several_rows

    assert several_rows(people(3000).frame) is None


@pytest.mark.parametrize("verb", ["knowledge", "start"])
def test_verbs_of_tables_say_so(verb: str) -> None:
    done = run(verb, "ties.csv", "ties_out.csv", "--shape", TIES)
    assert done.code == 2
    assert done.err.startswith(f"error: 'unmask {verb}' takes plain tables")
    assert len(done.err.splitlines()) == 1
