"""unmask start: the questions, their defaults, and that nothing is lost or half-written."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.console import SECRET_NUMBER, SECRET_TEXT, Outcome, content, csv, put, run, without
from tests.cli.everyday import ORIGINAL, RELEASED, SHUFFLED
from unmask.data.io.schema_file import read_schema

CODED = [row | {"hours": 99 if i % 20 == 0 else i % 30, "ward": "unknown" if i % 9 == 0 else "AB"[i % 2]}
         for i, row in enumerate(ORIGINAL)]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    renamed = [{"gender" if k == "sex" else k: v for k, v in row.items()} for row in without(ORIGINAL, "id")]
    files: dict[str, str | bytes] = {
        "original.csv": csv(ORIGINAL),
        "coded.csv": csv(CODED),
        "released.csv": csv(without(RELEASED, "id")),
        "nobody.csv": csv(without(SHUFFLED, "id")),
        "renamed.csv": csv(renamed),
    }
    put(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answered(monkeypatch: pytest.MonkeyPatch, answers: list[str], *arguments: object) -> Outcome:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
    return run("start", *arguments)


def test_yes_writes_a_schema_and_a_request_that_run(folder: Path) -> None:
    outcome = run("start", "original.csv", "released.csv", "--yes", "--role", "income=confidential")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.endswith("next: unmask run request.toml --html risk.html\n")
    assert read_schema("schema.toml")["income"].role.value == "confidential"
    assert read_schema("schema.toml").in_release("sex") is not None
    for secret in (SECRET_TEXT, str(SECRET_NUMBER)[:4]):
        assert secret not in outcome.out + Path("request.toml").read_text()
    ran = run("run", "request.toml", "--json", "risk.json")
    assert ran.code == 0, ran.err


def test_answers_count(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = ["incom", "income", "age, sex", "ward"]
    outcome = answered(monkeypatch, answers, "coded.csv")
    assert outcome.code == 0, outcome.err
    assert "did you mean 'income'?" in outcome.out
    assert "next: unmask assess coded.csv RELEASED --schema schema.toml --html risk.html" in outcome.out
    schema = read_schema("schema.toml")
    roles = {column.name: column.role.value for column in schema}
    assert roles["income"] == "confidential"
    assert {name for name, role in roles.items() if role == "quasi-identifier"} == {"age", "sex"}
    assert {name for name, role in roles.items() if role == "ignored"} == {"town", "hours", "ward"}
    assert (schema["hours"].missing, schema["ward"].missing) == ((), ("unknown",))
    assert not Path("request.toml").exists()


def test_codes_are_taken_as_shown(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = answered(monkeypatch, ["", "", ""], "coded.csv")
    assert outcome.code == 0, outcome.err
    schema = read_schema("schema.toml")
    assert (schema["hours"].missing, schema["ward"].missing) == (("99",), ())


def test_who_is_who_is_asked_where_nothing_tells_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = run("start", "original.csv", "nobody.csv", "--yes")
    assert (refused.code, "--truth" in refused.err) == (2, True)
    outcome = answered(monkeypatch, ["", "", "nothing", "synthetic"], "original.csv", "nobody.csv")
    assert outcome.code == 0, outcome.err
    assert "no column of both files is called 'nothing'" in outcome.out
    assert "synthetic = true" in Path("request.toml").read_text()


@pytest.mark.parametrize(("answer", "same"), [("", True), ("n", False)])
def test_a_rename_is_confirmed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, answer: str, same: bool
) -> None:
    outcome = answered(monkeypatch, ["", "", answer], "original.csv", "renamed.csv")
    assert outcome.code == 0, outcome.err
    assert "'gender' of the release looks like 'sex' of the original. Is it the same?" in outcome.out
    there = read_schema("schema.toml").in_release("sex")
    assert (there is not None and there.name == "gender") == same


def test_no_file_is_written_over_unasked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(folder, {"schema.toml": "mine"})
    before = content(folder)
    for outcome in (
        run("start", "original.csv", "--yes"),
        answered(monkeypatch, ["n"], "original.csv"),
    ):
        assert outcome.code == 2
        assert outcome.err == "error: 'schema.toml' is there already. Hint: name another folder with --out.\n"
        assert content(folder) == before
    assert answered(monkeypatch, ["y", "", ""], "original.csv").code == 0
    assert read_schema("schema.toml")["age"].kind.value == "numeric"


def test_who_stops_leaves_nothing_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = content(folder)
    outcome = answered(monkeypatch, ["income"], "original.csv", "released.csv")
    assert (outcome.code, outcome.err.startswith("error: a question got no answer")) == (2, True)
    assert content(folder) == before

    def interrupted(*_: object, **__: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("unmask.cli.questions.typer.prompt", interrupted)
    outcome = run("start", "original.csv", "released.csv")
    assert (outcome.code, outcome.err) == (130, "interrupted\n")
    assert content(folder) == before


#: What is refused although every column of the original is understood.
REFUSED: dict[str, tuple[str, ...]] = {
    "no such key": ("--truth", "age\nincome"),
    "two columns of one name": ("--renamed", "age=income"),
    "no such column of the release": ("--renamed", "age=nothing"),
    "a key that is none": ("--truth", "sex"),
}


@pytest.mark.parametrize("options", REFUSED.values(), ids=list(REFUSED))
@pytest.mark.parametrize("yes", [True, False], ids=["yes", "asking"])
def test_nothing_is_shown_or_asked_before_a_refusal(
    folder: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], yes: bool
) -> None:
    before = content(folder)
    asked = ("original.csv", "released.csv", *options, *(("--yes",) if yes else ()))
    outcome = answered(monkeypatch, [""] * 9, *asked)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("error: ")
    assert outcome.err.count("\n") == 1
    assert content(folder) == before


@pytest.mark.parametrize("option", ["--table", "--encoding", "--sheet"])
def test_a_request_that_cannot_be_written_leaves_no_schema(folder: Path, option: str) -> None:
    before = content(folder)
    outcome = run("start", "original.csv", "released.csv", "--yes", option, "age\ud800")
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert content(folder) == before


def test_a_file_that_is_there_is_asked_about_after_what_is_refused_anyway(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(folder, {"schema.toml": "mine"})
    outcome = answered(monkeypatch, ["y", "", ""], "original.csv", "released.csv", "--truth", "nothing")
    assert (outcome.code, outcome.out) == (2, "")


def test_mistyped_numbers_are_refused_where_there_is_no_release_too(folder: Path) -> None:
    put(
        folder,
        {"typos.csv": csv([r | {"age": f"4O{i}" if i < 3 else 30 + i} for i, r in enumerate(ORIGINAL)])},
    )
    outcome = run("start", "typos.csv", "--yes")
    assert (outcome.code, outcome.out) == (2, "")
    assert "column 'age' of the original file holds numbers, and 3 values of another kind" in outcome.err
    assert run("start", "typos.csv", "--yes", "--kind", "age=nominal").code == 0


def test_nothing_is_shown_to_nobody(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "unmask", "start", "original.csv"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: a question got no answer. Hint: take the defaults with --yes")
