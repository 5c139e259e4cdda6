"""What was asked can be asked again: --save-request, run and rerun."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import unmask
from tests.cli.console import SECRET_TEXT, content, csv, people, put, run, without

ORIGINAL, RELEASED, EARLIER = people(), people(moved=0.1), people(moved=0.3)
FEW = ("--attacks", "guess,dbrl", "--measures", "reidentification,k-anonymity", "--known", "age,income")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with an original, a release and an earlier one, which is the current one."""
    files: dict[str, str | bytes] = {
        "original.csv": csv(ORIGINAL),
        "released.csv": csv(without(RELEASED, "id")),
        "earlier.csv": csv(without(EARLIER, "id")),
    }
    put(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def done(*arguments: object) -> str:
    outcome = run(*arguments)
    assert outcome.code == 0, outcome.err
    return outcome.out


COMMANDS: dict[str, tuple[str, ...]] = {
    "assess": ("assess", "original.csv", "released.csv", *FEW, "--error", "0.1", "--targets", "20"),
    "assess with an earlier release": (
        *("assess", "original.csv", "released.csv", *FEW),
        *("--earlier", "earlier.csv", "--follow", "order"),
    ),
    "knowledge": ("knowledge", "original.csv", "released.csv", "--known", "age,income", "--size", "1"),
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_a_saved_request_gives_the_same_bytes(folder: Path, command: tuple[str, ...]) -> None:
    shown = done(*command, "--json", "a.json", "--save-request", "request.toml")
    assert done("run", "request.toml", "--json", "b.json") == shown
    assert (folder / "a.json").read_bytes() == (folder / "b.json").read_bytes()
    assert done("rerun", "a.json") == "the same result, byte for byte\n"
    assert SECRET_TEXT not in (folder / "request.toml").read_text()


def test_a_mask_can_be_made_again(folder: Path) -> None:
    asked = ("--mask", "noise:a=0.2", "--seed", "3", "--save-request", "request.toml")
    done("mask", "original.csv", *asked, "-o", "a.csv")
    done("run", "request.toml", "-o", "b.csv")
    assert (folder / "a.csv").read_bytes() == (folder / "b.csv").read_bytes()
    refused = run("run", "request.toml")
    assert (refused.code, "--output" in refused.err) == (2, True)


def test_a_comparison_with_the_ledger_can_be_repeated(folder: Path) -> None:
    done("ledger", "add", "book.db", "earlier.csv", "--original", "original.csv", "--date", "2026-01-31")
    compared = ("ledger", "assess", "book.db", "original.csv", "released.csv", "--earlier", "earlier.csv")
    done(*compared, "--attacks", "dbrl", "--follow", "order", "--json", "a.json", "--save-request", "r.toml")
    assert done("rerun", "a.json") == "the same result, byte for byte\n"
    done("run", "r.toml", "--json", "b.json")
    assert (folder / "a.json").read_bytes() == (folder / "b.json").read_bytes()


def test_the_document_carries_request_versions_and_hashes(folder: Path) -> None:
    done(*COMMANDS["assess"], "--json", "a.json", "--threads", "1")
    provenance = json.loads((folder / "a.json").read_text())["provenance"]
    assert provenance["request"]["scenario"]["targets"] == 20
    assert {one["role"]: one["name"] for one in provenance["inputs"]} == {
        "original": "original.csv",
        "released": "released.csv",
    }
    assert all(len(one["sha256"]) == 64 for one in provenance["inputs"])
    assert {"python", "numpy", "polars"} <= set(provenance["versions"])
    assert "threads" not in json.dumps(provenance)
    assert SECRET_TEXT not in json.dumps(provenance)


def test_a_changed_file_is_named_and_nothing_is_repeated(folder: Path) -> None:
    done(*COMMANDS["assess"], "--json", "a.json")
    with (folder / "released.csv").open("a") as stream:
        stream.write("\n")
    again = run("rerun", "a.json")
    assert (again.code, again.out) == (1, "not repeated: changed since: released.csv (released)\n")
    (folder / "released.csv").unlink()
    lost = run("rerun", "a.json")
    assert (lost.code, "no file 'released.csv'" in lost.err) == (2, True)


def test_a_changed_version_is_named(folder: Path) -> None:
    done(*COMMANDS["assess"], "--json", "a.json")
    document = json.loads((folder / "a.json").read_text())
    document["provenance"]["versions"]["numpy"] = "0.1"
    edit(folder / "a.json", document)
    again = run("rerun", "a.json")
    assert again.code == 1
    assert again.out.startswith("another result: these versions changed: numpy 0.1 -> ")


def test_an_edited_result_is_noticed(folder: Path) -> None:
    done(*COMMANDS["assess"], "--json", "a.json")
    document = json.loads((folder / "a.json").read_text())
    document["notes"] = ["all is well"]
    edit(folder / "a.json", document)
    again = run("rerun", "a.json")
    assert (again.code, "may have been edited" in again.out) == (1, True)


def edit(path: Path, document: dict[str, Any]) -> None:
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def test_what_was_in_memory_cannot_be_repeated(folder: Path) -> None:
    import polars as pl

    frame = pl.read_csv("original.csv")
    unmask.assess(frame, "released.csv", known=["age"], attacks=["dbrl"]).to_json("a.json")
    again = run("rerun", "a.json")
    assert (again.code, "object in memory" in again.err) == (2, True)


@pytest.mark.parametrize("verb", ["assess", "knowledge", "check"])
def test_a_request_that_is_refused_is_not_saved(folder: Path, verb: str) -> None:
    before = content(folder)
    asked = (
        verb,
        "original.csv",
        "released.csv",
        "--renamed",
        "age=income",
        "--save-request",
        "request.toml",
    )
    refused = run(*asked)
    assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert content(folder) == before


@pytest.mark.parametrize(
    "verb",
    [
        ("assess", "original.csv", "released.csv"),
        ("check", "original.csv", "released.csv"),
        ("mask", "original.csv", "--mask", "noise:a=1", "-o", "out.csv"),
    ],
)
def test_a_request_that_no_file_can_hold_is_refused_before_the_work(
    folder: Path, verb: tuple[str, ...]
) -> None:
    before = content(folder)
    refused = run(*verb, "--table", "a\ud800", "--save-request", "request.toml")
    assert (refused.code, refused.out) == (2, "")
    assert "'request.toml' cannot be written: a name that belongs into it is not valid text" in refused.err
    assert content(folder) == before


def test_outputs_do_not_replace_inputs(folder: Path) -> None:
    for option in ("--save-request", "--json"):
        refused = run(*COMMANDS["assess"], option, "original.csv")
        assert (refused.code, "read or written already" in refused.err) == (2, True)
    assert (folder / "original.csv").read_text() == csv(ORIGINAL)


def test_a_request_from_python_is_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")  # the command line fills in the day
    done(*COMMANDS["assess"], "--json", "a.json")
    risk = unmask.assess(
        "original.csv",
        "released.csv",
        scenario=unmask.Scenario(known=("age", "income"), targets=20, error=0.1),
        attacks=["guess", "dbrl"],
        measures=["reidentification", "k-anonymity"],
        occasion=unmask.Occasion(date="2023-11-14"),
    )
    assert risk.to_json() == (folder / "a.json").read_text()
    assert unmask.Assessment.from_json("a.json").to_json() == risk.to_json()
