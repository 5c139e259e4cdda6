"""A policy on the command line: the exit code tells a pipeline, and the outputs are there all the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.cli.console import SECRET_TEXT, csv, people, put, run, without

HEAD = 'format = "unmask-policy"\nversion = 1\ntitle = "Ours"\nsource = "A book."\n'
CEILING = '[[criterion]]\nreading = "found"\nattacks = ["dbrl"]\nat_most = {}\n'
FLOOR = '[[criterion]]\nreading = "smallest-class"\nat_least = 5\n'
FEW = ("--attacks", "guess,dbrl", "--measures", "reidentification", "--known", "age,income")
ASSESS = ("assess", "original.csv", "released.csv", *FEW)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with two files and policies, which is the current one."""
    files: dict[str, str | bytes] = {
        "original.csv": csv(people()),
        "released.csv": csv(without(people(moved=0.1), "id")),
        "lenient.toml": HEAD + CEILING.format(1),
        "strict.toml": HEAD + CEILING.format(0),
        "unmeasured.toml": HEAD + CEILING.format(1) + FLOOR,
        "both.toml": HEAD + CEILING.format(0) + FLOOR,
    }
    put(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    return tmp_path


def told(path: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(path).read_text())
    return found


@pytest.mark.parametrize(
    ("policy", "code", "err"),
    [
        ("lenient.toml", 0, ""),
        ("strict.toml", 3, "policy 'strict.toml' is not met: exceeded: found\n"),
        ("unmeasured.toml", 3, "policy 'unmeasured.toml' is not met: not estimable: smallest-class\n"),
        ("both.toml", 3, "policy 'both.toml' is not met: exceeded: found; not estimable: smallest-class\n"),
    ],
)
def test_the_exit_code_comes_after_the_outputs(folder: Path, policy: str, code: int, err: str) -> None:
    outputs = ("--json", "a.json", "--html", "a.html", "--records", "a.csv", "--save-request", "a.toml")
    outcome = run(*ASSESS, "--policy", policy, *outputs)
    assert (outcome.code, outcome.err) == (code, err)
    assert all((folder / name).stat().st_size for name in ("a.json", "a.html", "a.csv", "a.toml"))
    verdict = told("a.json")["verdict"]
    assert (verdict["policy"], verdict["source"]) == (policy, "A book.")
    assert [f"policy: {one['verdict']}: {one['why']}" for one in verdict["criteria"]] == [
        line for line in outcome.out.splitlines() if line.startswith("policy: ") and "(" in line
    ][1:]
    assert SECRET_TEXT not in json.dumps(verdict)
    again = run("run", "a.toml", "--json", "b.json")
    assert (again.code, again.err) == (code, err)
    assert (folder / "a.json").read_bytes() == (folder / "b.json").read_bytes()
    assert run("rerun", "a.json").out == "the same result, byte for byte\n"


def test_without_a_policy_nothing_is_judged(folder: Path) -> None:
    outcome = run(*ASSESS, "--json", "a.json")
    assert (outcome.code, outcome.err, "policy" in outcome.out) == (0, "", False)
    assert told("a.json")["verdict"] is None


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ("ema-0700", "error: no policy is called 'ema-0700'. Hint: did you mean 'ema-0070'?"),
        ("nowhere.toml", "error: no file 'nowhere.toml'"),
        ("original.csv", "error: original.csv is not valid TOML"),
        ("released.csv/", "error: "),
    ],
)
def test_a_wrong_policy_is_one_line_and_nothing_is_written(folder: Path, policy: str, message: str) -> None:
    outcome = run(*ASSESS, "--policy", policy, "--json", "a.json")
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert outcome.err.startswith(message)
    assert not (folder / "a.json").exists()


def test_the_file_of_a_policy_is_an_input(folder: Path) -> None:
    run(*ASSESS, "--policy", "lenient.toml", "--json", "a.json")
    inputs = {one["role"]: one for one in told("a.json")["provenance"]["inputs"]}
    held = (folder / "lenient.toml").read_bytes()
    assert inputs["policy"] == {
        "role": "policy",
        "name": "lenient.toml",
        "sha256": sha256(held).hexdigest(),
    }
    over = run(*ASSESS, "--policy", "lenient.toml", "--json", "lenient.toml")
    assert (over.code, (folder / "lenient.toml").read_bytes()) == (2, held)
    (folder / "lenient.toml").write_text(HEAD + CEILING.format(0.5))
    assert run("rerun", "a.json").out == "not repeated: changed since: lenient.toml (policy)\n"


def test_a_bundled_policy_is_known_by_its_name(folder: Path) -> None:
    run(*ASSESS, "--policy", "cell-size-5", "--json", "a.json")
    document = told("a.json")
    assert "policy" not in {one["role"] for one in document["provenance"]["inputs"]}
    assert document["provenance"]["request"]["policy"] == "cell-size-5"
    assert document["verdict"]["policy"] == "cell-size-5"
    assert run("rerun", "a.json").code == 0


def test_a_measure_that_the_policy_needs_is_taken_by_default(folder: Path) -> None:
    asked = ("assess", "original.csv", "original.csv", "--known", "sex", "--attacks", "guess,dbrl")
    outcome = run(*asked, "--policy", "cell-size-3", "--role", "id=identifier")
    assert outcome.code == 0, outcome.err
    assert "policy: met: The size of the smallest class is " in outcome.out


def test_the_occasion_is_told_as_it_is_given(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    who = ("--assessor", "A. N. Other", "--recipient", "researchers")
    run(*ASSESS, *who, "--json", "a.json", "--save-request", "a.toml")
    occasion = {"assessor": "A. N. Other", "recipient": "researchers", "date": "2023-11-14"}
    assert told("a.json")["provenance"]["request"]["occasion"] == occasion
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")
    run("run", "a.toml", "--json", "b.json")  # on another day
    assert told("b.json")["provenance"]["request"]["occasion"] == occasion | {"date": "2027-01-15"}
    assert run("rerun", "a.json").out == "the same result, byte for byte\n"
    (folder / "a.toml").write_text(
        (folder / "a.toml")
        .read_text()
        .replace('recipient = "researchers"', 'recipient = "researchers"\ndate = "2020-02-29"')
    )
    run("run", "a.toml", "--json", "b.json")
    assert told("b.json")["provenance"]["request"]["occasion"]["date"] == "2020-02-29"


def test_the_day_is_todays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    before = datetime.now(UTC).date().isoformat()
    run(*ASSESS, "--json", "a.json")
    date = told("a.json")["provenance"]["request"]["occasion"]["date"]
    assert before <= date <= datetime.now(UTC).date().isoformat()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    refused = run(*ASSESS)
    assert (refused.code, "SOURCE_DATE_EPOCH is no number of seconds" in refused.err) == (2, True)


def test_an_assessment_is_judged_again(folder: Path) -> None:
    run(*ASSESS, "--policy", "lenient.toml", "--json", "a.json")
    held = (folder / "a.json").read_bytes()
    assert run("report", "a.json", "--policy", "lenient.toml").code == 0
    outcome = run("report", "a.json", "--policy", "strict.toml", "-o", "strict.html")
    assert (outcome.code, outcome.err) == (3, "policy 'strict.toml' is not met: exceeded: found\n")
    assert "policy: exceeded: The share of people found is" in outcome.out
    assert (folder / "strict.html").exists()
    assert (folder / "a.json").read_bytes() == held
    assert run("report", "a.json").code == 0  # what is only shown again is no judgement
    wrong = run("report", "a.json", "--policy", "strict.toml", "-o", "strict.toml")
    assert wrong.code == 2


def test_only_an_assessment_is_judged(folder: Path) -> None:
    asked = ("knowledge", "original.csv", "released.csv", "--known", "age", "--size", "1")
    assert run(*asked, "--json", "k.json").code == 0
    outcome = run("report", "k.json", "--policy", "ema-0070")
    assert (outcome.code, "only an assessment is judged" in outcome.err) == (2, True)
    assert not (folder / "k.html").exists()


def test_the_policies_are_listed() -> None:
    outcome = run("list", "policies")
    assert outcome.code == 0
    for name in ("ema-0070", "health-canada-prci", "cell-size-11", "example", "European Medicines Agency"):
        assert name in " ".join(outcome.out.split())
