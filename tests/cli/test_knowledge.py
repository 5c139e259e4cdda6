"""unmask knowledge: what it prints and writes, and that a mistake costs one line and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.console import SECRET_NUMBER, SECRET_TEXT, content, csv, people, put, run

FILES = ("original.csv", "released.csv", "--truth", "id")
QUICK = ("--errors", "0,0.5", "--shares", "0.5,1")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with original.csv and released.csv, which is the current one."""
    put(tmp_path, {"original.csv": csv(people()), "released.csv": csv(people(moved=0.1))})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_shows_and_writes_the_curves(folder: Path) -> None:
    outputs = ("--json", "curves.json", "--html", "curves.html")
    done = run("knowledge", *FILES, *QUICK, "--threshold", 0.3, "--size", 2, *outputs)
    assert (done.code, done.err) == (0, "")
    for part in ("An intruder who knows 1 attribute finds", "minimal set", "error", "people", "path"):
        assert part in done.out
    document = json.loads((folder / "curves.json").read_text())
    assert (document["format"], document["version"]) == ("unmask-knowledge", 2)
    assert [row["targets"] for row in document["table"] if row["curve"] == "share"] == [20, 40]
    page = (folder / "curves.html").read_text()
    printed = done.out + json.dumps(document) + page
    assert SECRET_TEXT not in printed
    assert str(SECRET_NUMBER)[:3] not in done.out + json.dumps(document)


def test_same_seed_same_bytes(folder: Path) -> None:
    for name in ("one.json", "two.json"):
        assert run("knowledge", *FILES, *QUICK, "--seed", 3, "--json", name).code == 0
    assert (folder / "one.json").read_bytes() == (folder / "two.json").read_bytes()


def test_the_report_is_made_again_from_the_json(folder: Path) -> None:
    outputs = ("--json", "curves.json", "--html", "curves.html")
    assert run("knowledge", *FILES, *QUICK, "--threshold", 0.3, *outputs).code == 0
    done = run("report", "curves.json", "-o", "again.html")
    assert (done.code, done.out, done.err) == (0, "report: again.html\n", "")
    assert (folder / "again.html").read_bytes() == (folder / "curves.html").read_bytes()


def test_several_attacks_known_attributes_and_a_sample() -> None:
    options = ("--attack", "guess,owa:alpha=3,dbrl", "--known", "age,income", "--sample", 10)
    done = run("knowledge", *FILES, *QUICK, *options)
    assert done.code == 0, done.err
    assert "owa:alpha=3" in done.out
    assert "of 10" in done.out


def test_empty_curves_are_left_out() -> None:
    done = run("knowledge", *FILES, "--errors", "", "--shares", "")
    assert done.code == 0, done.err
    assert "correct" not in done.out


def test_long_lists_of_minimal_sets_are_cut_on_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unmask.report.knowledge.minimal.MOST_SETS", 1)
    done = run("knowledge", *FILES, *QUICK, "--threshold", 0.03)
    assert "more (--json has them all)" in done.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--threshold", "1.5"), "the threshold is 1.5"),
        (("--threshold", "0"), "the threshold is 0"),
        (("--errors", "0,x"), "--errors is '0,x'"),
        (("--shares", "2"), "the share of targets is 2"),
        (("--attack", "dbrll"), "did you mean 'dbrl'"),
        (("--known", "shoe"), "no column 'shoe'"),
        (("--missing", "maybe"), "no missing-value policy is called 'maybe'"),
        (("--size", "0"), "--size"),
        (("--json", "nowhere/x.json"), "no folder"),
        (("--json", "original.csv"), "read or written already"),
        (("--json", "x", "--html", "x"), "read or written already"),
    ],
)
def test_a_mistake_is_one_line_and_writes_nothing(
    folder: Path, options: tuple[str, ...], message: str
) -> None:
    before = content(folder)
    done = run("knowledge", *FILES, *options)
    assert done.code == 2
    assert done.out == ""
    assert done.err.count("\n") == 1
    assert done.err.startswith("error: ")
    assert message in done.err
    assert SECRET_TEXT not in done.err
    assert content(folder) == before


def test_an_interruption_is_told_and_writes_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("unmask.assessment.experiments.Experiment.runs", stop)
    before = content(folder)
    done = run("knowledge", *FILES, "--json", "curves.json")
    assert done.code == 130
    assert done.err == "interrupted\n"
    assert content(folder) == before
