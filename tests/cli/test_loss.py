"""unmask loss: what it prints and writes, and that a mistake costs one line and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.console import SECRET_NUMBER, SECRET_TEXT, content, csv, people, put, run

FILES = ("original.csv", "released.csv", "--truth", "id")
QUICK = ("--losses", "il1s,total-variation")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with original.csv and released.csv, which is the current one."""
    put(tmp_path, {"original.csv": csv(people()), "released.csv": csv(people(moved=0.1))})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_shows_and_writes_the_losses(folder: Path) -> None:
    done = run("loss", *FILES, *QUICK, "--json", "lost.json", "--html", "lost.html")
    assert (done.code, done.err) == (0, "")
    for part in ("Total variation of tables", "people drawn again", "columns without relation", "il1s"):
        assert part in done.out
    document = json.loads((folder / "lost.json").read_text())
    assert (document["format"], document["version"]) == ("unmask-loss", 1)
    assert {row["measure"] for row in document["table"]} == {"il1s", "total-variation"}
    printed = done.out + json.dumps(document) + (folder / "lost.html").read_text()
    assert SECRET_TEXT not in printed
    assert str(SECRET_NUMBER)[:3] not in done.out + json.dumps(document)


def test_it_is_repeated_and_reported(folder: Path) -> None:
    outputs = ("--json", "lost.json", "--html", "lost.html", "--save-request", "asked.toml")
    assert run("loss", *FILES, *QUICK, "--seed", 3, *outputs).code == 0
    assert run("rerun", "lost.json").out == "the same result, byte for byte\n"
    assert run("report", "lost.json", "-o", "again.html").code == 0
    assert (folder / "again.html").read_bytes() == (folder / "lost.html").read_bytes()
    assert run("run", "asked.toml", "--json", "again.json").code == 0
    assert (folder / "again.json").read_bytes() == (folder / "lost.json").read_bytes()


def test_a_loss_without_a_value_is_told_by_its_reason() -> None:
    done = run("loss", "original.csv", "released.csv", "--synthetic", "--losses", "il1s")
    assert done.code == 0, done.err
    assert "il1s: not estimable: no released record stems from an original one" in done.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((*FILES, "--losses", ""), "no loss is named. Hint: 'unmask list losses'"),
        ((*FILES, "--losses", "il2s"), "no loss is called 'il2s'. Hint: did you mean 'il1s'"),
        ((*FILES, "--losses", "il1s,il1s"), "the same loss is named twice"),
        ((*FILES, "--losses", "il1s:sample=3"), "loss 'il1s'"),
        ((*FILES, "--mechanism", "nothing"), "no mask is called 'nothing'"),
        ((*FILES, "--known", "age"), "No such option: --known"),
        (("original.csv", "other.csv", "--truth", "rows"), "no attribute about people in common"),
        (("original.csv", "nowhere.csv"), "no file 'nowhere.csv'"),
    ],
)
def test_a_mistake_is_one_line(folder: Path, arguments: tuple[str, ...], says: str) -> None:
    text = csv(people()).replace("\r\n", "\n").partition("\n")
    names = ",".join(f"c{i}" for i in range(text[0].count(",") + 1))
    put(folder, {"other.csv": "\n".join((names, text[2]))})
    before = content(folder)
    done = run("loss", *arguments, "--json", "lost.json")
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert done.err.count("\n") == 1
    assert content(folder) == before


def test_an_assessment_takes_losses_by_name(folder: Path) -> None:
    asked = ("--attacks", "dbrl", "--measures", "reidentification")
    done = run("assess", *FILES, *asked, "--losses", "total-variation", "--details", "--json", "risk.json")
    assert done.code == 0, done.err
    assert "What is it still good for?" in done.out
    assert "columns without relation" in done.out
    document = json.loads((folder / "risk.json").read_text())
    assert document["losses"] == ["total-variation"]
    without = run("assess", *FILES, *asked)
    assert "What is it still good for?" not in without.out


def test_losses_are_listed() -> None:
    done = run("list", "losses")
    assert done.code == 0
    assert done.out.startswith("loss, and how it is written")
    assert "total-variation" in done.out
