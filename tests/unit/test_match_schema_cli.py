"""unmask match-schema: the table, the files it writes, the next command, and bad input."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from tests.cli.console import run


def people(seed, n=200):
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(771_000, 771_060, n),
            "sex": rng.choice(["Zqf", "Zqm"], n, p=[0.7, 0.3]),
            "town": rng.choice(["Zqa", "Zqb", "Zqc"], n),
        }
    )


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    people(0).write_csv("first.csv")
    people(1).select(V1="town", V2="age", V3="sex").write_csv("second.csv")
    return tmp_path


def test_it_shows_pairs_and_the_next_command_and_no_value(files):
    done = run("match-schema", "first.csv", "second.csv")
    assert (done.code, done.err) == (0, "")
    assert "the same values" in done.out
    assert "--renamed age=V2 --renamed sex=V3 --renamed town=V1" in done.out
    assert "Zq" not in done.out
    assert "771" not in done.out


def test_the_next_command_is_understood(files):
    people(0).select(V1="town", V2="age", V3="sex").write_csv("masked.csv")
    done = run("match-schema", "first.csv", "masked.csv")
    renamed = done.out[done.out.index("--renamed") :].split()
    checked = run("check", "first.csv", "masked.csv", "--truth", "rows", *renamed)
    assert checked.code == 0, checked.err


def test_it_writes_the_evidence(files):
    done = run("match-schema", "first.csv", "second.csv", "--csv", "pairs.csv", "--json", "pairs.json")
    assert done.code == 0
    written = json.loads((files / "pairs.json").read_text())
    assert [(pair["first"], pair["second"]) for pair in written["pairs"]] == [
        ("age", "V2"),
        ("sex", "V3"),
        ("town", "V1"),
    ]
    assert all(0.5 < pair["probability"] <= 1 for pair in written["pairs"])
    assert pl.read_csv("pairs.csv")["second"].to_list() == ["V2", "V3", "V1"]
    assert "Zq" not in (files / "pairs.json").read_text()


def test_names_can_be_left_out(files):
    people(0).rename({"sex": "town", "town": "sex"}).write_csv("swapped.csv")
    done = run("match-schema", "first.csv", "swapped.csv", "--no-names", "--json", "pairs.json")
    assert done.code == 0
    pairs = json.loads((files / "pairs.json").read_text())["pairs"]
    assert {pair["first"]: pair["second"] for pair in pairs}["sex"] == "town"


def test_the_same_file_twice_and_a_single_column(files):
    done = run("match-schema", "first.csv", "first.csv")
    assert done.code == 0
    assert "--renamed" not in done.out
    people(2).select("age").write_csv("one.csv")
    done = run("match-schema", "one.csv", "second.csv")
    assert done.code == 0
    assert "--renamed age=V2" in done.out
    assert "without a likely partner in the second file: V1, V3" in done.out


def test_a_name_with_a_separator_is_told(files):
    people(1).select(pl.col("age").alias("a=b"), "sex", "town").write_csv("odd.csv")
    done = run("match-schema", "first.csv", "odd.csv")
    assert done.code == 0
    assert "'age' cannot be written on the command line" in done.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("empty.csv", "second.csv"), "empty"),
        (("heading.csv", "second.csv"), "no records"),
        (("away.csv", "second.csv"), "no file 'away.csv'"),
        (("first.csv",), "'second'"),
        (("first.csv", "second.csv", "--csv", "first.csv"), "name of its own"),
        (("first.csv", "second.csv", "--csv", "out.docx"), "suffix"),
    ],
)
def test_bad_input_is_one_line(files, arguments, said):
    (files / "empty.csv").write_text("")
    (files / "heading.csv").write_text("age,sex\n")
    done = run("match-schema", *arguments)
    assert done.code == 2
    assert said.lower() in done.err.lower()
    assert done.err.count("\n") == 1
    assert "Hint: " in done.err
