"""unmask study and unmask protect: what they leave behind, what they refuse, and doing it again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.cli.console import SECRET_NUMBER, SECRET_TEXT, content, csv, people, put, run
from unmask.cache_folder import own_folder
from unmask.studies.protection.protect import release_seed

POLICY = 'format = "unmask-policy"\nversion = 1\ntitle = "Ours"\nsource = "A book."\n[[criterion]]\n'
FEW = ("--known", "age,income", "--losses", "il1s", "--least", "il1s", "--replicates", "2")
ONE = (*FEW, "--attacks", "dbrl")
STUDY = ("study", "people.csv", "--mask", "noise:a={0.1,0.5}", *ONE)
PROTECT = ("protect", "people.csv", "-o", "out.csv", *FEW)
REQUEST = """
format = "unmask-request"
version = 1
verb = "study"
masks = ["noise:a={0.1,0.5}"]
attacks = ["dbrl"]
losses = ["il1s"]
least = "il1s"
replicates = 2
[files]
original = "people.csv"
[scenario]
known = ["age", "income"]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a file, a study and policies, which is the current one, and a cache of its own."""
    files: dict[str, str | bytes] = {
        "people.csv": csv(people(60)),
        "study.toml": REQUEST,
        "lenient.toml": POLICY + 'reading = "found"\nat_most = 0.5\n',
        "strict.toml": POLICY + 'reading = "found"\nat_most = 0.0001\n',
        "unknown.toml": POLICY + 'reading = "loss"\nmeasures = ["il1ss"]\nat_most = 0.5\n',
    }
    kernels = own_folder("kernels")
    here, cache = tmp_path / "here", tmp_path / "cache"
    here.mkdir()
    cache.mkdir(mode=0o700)
    (cache / "kernels").symlink_to(kernels)  # to compile them takes minutes
    put(here, files)
    monkeypatch.chdir(here)
    monkeypatch.setenv("UNMASK_CACHE_DIR", str(cache))
    return here


def done(*arguments: object) -> str:
    outcome = run(*arguments)
    assert (outcome.code, outcome.err) == (0, "")
    return outcome.out


def kept(path: Path) -> int:
    with closing(sqlite3.connect(path)) as data:
        return int(data.execute("select count(*) from parts").fetchone()[0])


def test_a_study_leaves_all_that_is_asked_for_and_no_value_of_a_record(folder: Path) -> None:
    outputs = ("--json", "a.json", "--html", "a.html", "--csv", "a.csv", "--map", "a.svg")
    shown = done(*STUDY, *outputs, "--save-request", "asked.toml")
    assert "noise:a=0.5" in shown
    document = json.loads((folder / "a.json").read_text())
    assert document["format"] == "unmask-study"
    frame = pl.read_csv(folder / "a.csv")
    assert sorted(frame["mask"]) == ["independent columns", "noise:a=0.1", "noise:a=0.5", "unprotected"]
    (results,) = (folder.parent / "cache" / "studies").iterdir()  # named by what is in the file
    # Two masks and independent columns drawn twice, the original once; an attack, a measure and a loss each.
    assert kept(results) == 7 * 3
    made = [folder / name for name in ("a.json", "a.html", "a.csv", "a.svg", "asked.toml")]
    for path in (*made, results):
        assert not any(str(secret).encode() in path.read_bytes() for secret in (SECRET_TEXT, SECRET_NUMBER))
    assert done("run", "asked.toml", "--json", "b.json") == shown
    assert (folder / "b.json").read_bytes() == (folder / "a.json").read_bytes()
    assert (folder / "asked.results.db").exists()
    assert done("rerun", "a.json") == "the same result, byte for byte\n"
    assert "noise:a=0.5" in done("report", "a.json", "-o", "again.html") + (folder / "again.html").read_text()
    (folder / "people.csv").write_text(csv(people(61)))
    again = run("rerun", "a.json")
    assert (again.code, again.out) == (1, "not repeated: changed since: people.csv (original)\n")


def test_a_map_is_a_picture(folder: Path) -> None:
    done(*STUDY, "--replicates", "1", "--map", "a.png")
    assert (folder / "a.png").read_bytes().startswith(b"\x89PNG")


def test_a_study_in_a_file_keeps_its_results_beside_it_and_goes_on(folder: Path) -> None:
    shown = done("study", "study.toml", "--json", "a.json")
    assert shown == done(*STUDY)
    assert kept(folder / "study.results.db") == 7 * 3
    text = REQUEST.replace("{0.1,0.5}", "{0.1,0.5,0.7}")
    (folder / "study.toml").write_text(text)
    done("study", "study.toml", "--json", "b.json")
    assert kept(folder / "study.results.db") == 9 * 3
    done("study", "people.csv", "--mask", "noise:a={0.1,0.5,0.7}", *ONE, "--json", "c.json")
    table = [json.loads((folder / name).read_text())["table"] for name in ("b.json", "c.json")]
    assert table[0] == table[1]


def test_the_same_file_read_otherwise_is_another_study(folder: Path) -> None:
    done(*STUDY)
    done(*STUDY, "--role", "sex=confidential")
    assert len(list((folder.parent / "cache" / "studies").iterdir())) == 2
    done(*STUDY, "--results", "own.db")
    outcome = run(*STUDY, "--results", "own.db", "--role", "sex=confidential")
    assert outcome.code == 2
    assert "'own.db' holds the results of another study" in outcome.err


def test_a_database_is_studied_and_not_written_into(folder: Path) -> None:
    with closing(sqlite3.connect("people.db")) as data:
        data.execute("create table people (age real, income real, sex text)")
        data.executemany(
            "insert into people values (?, ?, ?)", [(p["age"], p["income"], p["sex"]) for p in people(60)]
        )
        data.commit()
    before = (folder / "people.db").read_bytes()
    command = ("study", "sqlite:people.db::people", "--mask", "noise:a=0.1", *ONE)
    done(*command)
    outcome = run(*command, "--results", "people.db")
    assert outcome.code == 2
    assert "'people.db' holds no results that this unmask reads" in outcome.err
    assert (folder / "people.db").read_bytes() == before


BESIDE: tuple[tuple[str, ...], ...] = (
    *(("--mask", "noise:a=1"), ("--known", "age"), ("--attacks", "dbrl"), ("--losses", "il1s")),
    *(("--seed", "1"), ("--error", "0.1"), ("--missing", "ignore"), ("--delimiter", ";"), ("--full",)),
    *(("--replicates", "2"), ("--least", "il1s"), ("--role", "age=ignored"), ("--targets", "5")),
)


@pytest.mark.parametrize("option", BESIDE, ids=lambda option: option[0])
def test_what_a_study_file_says_is_not_said_beside_it(folder: Path, option: tuple[str, ...]) -> None:
    outcome = run("study", "study.toml", *option)
    told = f"error: {option[0]} is given beside a study file. Hint: write it into the file.\n"
    assert (outcome.code, outcome.out, outcome.err) == (2, "", told)


WRONG: dict[str, tuple[tuple[str, ...], str]] = {
    "no mask": (STUDY[:2], "the study names no mask"),
    "an unknown mask": ((*STUDY[:2], "--mask", "nose:a=1"), "did you mean 'noise'?"),
    "a mask for other kinds": (
        (*STUDY[:2], "--mask", "pram:p=5,attributes=age"),
        "mask 'pram:p=5,attributes=age': column 'age' is numeric",
    ),
    "a mask for another column": (
        (*STUDY[:2], "--mask", "noise:a=1,attributes=agee"),
        "has no column 'agee'. Hint: did you mean 'age'?",
    ),
    "groups larger than the file": (
        (*STUDY[:2], "--mask", "microaggregation:k=61"),
        "k=61 exceeds the 60 records of the file",
    ),
    "an empty range": ((*STUDY[:2], "--mask", "noise:a={3..1}"), "the range '3..1' is empty"),
    "an unknown policy": ((*STUDY, "--policy", "nothing"), "no policy is called 'nothing'"),
    "a policy on an unknown loss": ((*STUDY, "--policy", "unknown.toml"), "no loss is called 'il1ss'"),
    "an unknown loss": ((*STUDY, "--least", "il1ss"), "no loss is called 'il1ss'"),
    "an unknown attack": ((*STUDY[:-1], "dbrll"), "no attack is called 'dbrll'"),
    "only chance": ((*STUDY[:-1], "guess"), "no attack is left to compare masks by"),
    "no replicate": ((*STUDY, "--replicates", "0"), "--replicates"),
    "results in no folder": ((*STUDY, "--results", "no/where.db"), "there is no folder"),
    "results in the file": ((*STUDY, "--results", "people.csv"), "cannot be read or written as results"),
    "results in an output": ((*STUDY, "--results", "a.json", "--json", "a.json"), "a name of its own"),
    "a map of no format": ((*STUDY, "--map", "a.pdf"), "a.pdf"),
    "a known column that is not there": ((*STUDY, "--known", "agee"), "did you mean 'age'?"),
    "protect without a policy": (PROTECT, "--policy"),
    "protect by a mask that cannot be applied": (
        (*PROTECT, "--policy", "lenient.toml", "--mask", "pram:p=5,attributes=age"),
        "column 'age' is numeric",
    ),
    "protect by a mask that is none": (
        (*PROTECT, "--policy", "lenient.toml", "--mask", "noise:q=1"),
        "no parameter of mask 'noise' is called 'q'",
    ),
    "protect over the original": (
        ("protect", "people.csv", "-o", "people.csv", "--policy", "lenient.toml"),
        "a name of its own",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_mistakes_are_one_line_and_leave_nothing(folder: Path, what: str) -> None:
    command, says = WRONG[what]
    before = content(folder)
    outcome = run(*command)
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1), outcome.err
    assert outcome.err.startswith("error: ")
    assert says in outcome.err
    assert content(folder) == before


def test_a_program_in_a_study_file_must_be_trusted(folder: Path) -> None:
    command = "exec:cp {original} {released}"
    (folder / "study.toml").write_text(REQUEST.replace("noise:a={0.1,0.5}", command))
    for verb in ("study", "run"):
        outcome = run(verb, "study.toml")
        assert outcome.code == 2
        assert "--trust-exec" in outcome.err
    assert not (folder / "study.results.db").exists()
    assert command in done("study", "study.toml", "--trust-exec")


def recommended(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(name).read_text())["recommendation"]
    return found


SWAPS = ("--mask", "rank-swapping:p={20,60}", "--replicates", "1")


def test_protect_writes_the_release_that_was_checked(folder: Path) -> None:
    outputs = ("--report", "a.html", "--json", "a.json", "--save-request", "asked.toml")
    outcome = run(*PROTECT, "--policy", "lenient.toml", *SWAPS, *outputs)
    assert (outcome.code, outcome.err) == (0, "")
    chosen = recommended("a.json")
    assert chosen["mask"].startswith("rank-swapping:p=")
    assert "that of an intruder who knows the mask included" in " ".join(chosen["sentences"])
    assert chosen["mask"] in outcome.out
    assert chosen["mask"] in (folder / "a.html").read_text()
    assert "id" not in pl.read_csv(folder / "out.csv").columns
    # The same mask with the same seed by hand.
    masked = run("mask", "people.csv", "--mask", chosen["mask"], "--seed", release_seed(0), "-o", "again.csv")
    assert masked.code == 0
    assert (folder / "again.csv").read_bytes() == (folder / "out.csv").read_bytes()
    assert run("run", "asked.toml", "-o", "third.csv", "--json", "b.json").code == 0
    assert (folder / "third.csv").read_bytes() == (folder / "out.csv").read_bytes()
    assert (folder / "b.json").read_bytes() == (folder / "a.json").read_bytes()
    lacking = run("run", "asked.toml")
    assert (lacking.code, lacking.err.count("\n")) == (2, 1)
    assert "the protected file has no place" in lacking.err


def test_where_nothing_meets_the_policy_nothing_is_written_but_the_report(folder: Path) -> None:
    outcome = run(*PROTECT, "--policy", "strict.toml", *SWAPS, "--report", "a.html", "--json", "a.json")
    told = "nothing that was tried meets the policy: 'out.csv' is not written\n"
    assert (outcome.code, outcome.err) == (3, told)
    assert not (folder / "out.csv").exists()
    found = recommended("a.json")
    assert (found["mask"], found["binding"]) == (None, "found")
    assert found["nearest"][0] in outcome.out
    assert "Nothing that was tried meets the policy." in (folder / "a.html").read_text()
