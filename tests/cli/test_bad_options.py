"""Bad options of the wider assessments: one line, exit code 2, nothing lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.console import content, put, run
from tests.cli.test_bad_input import ORIGINAL, OUTPUTS, RELEASED, Case, check

ONE = "\n".join(ORIGINAL.split("\n")[:2]) + "\n"
FILES = {"strange.csv": "height\n1\n2\n", "empty.csv": "", "model.joblib": "no model", "one.csv": ONE}


def assess(options: str, *says: str, attacks: str = "dbrl") -> Case:
    name = f"{attacks} {options}".strip()
    arguments = ("assess", "original.csv", "released.csv", "--attacks", attacks, *options.split(), *OUTPUTS)
    return Case(name, arguments, says, FILES)


def verb(text: str, *says: str) -> Case:
    return Case(text, tuple(text.split()), says, FILES)


CASES = [
    assess("--population nowhere.csv", "no file 'nowhere.csv'"),
    assess("--population strange.csv", "population file", "no column of the original"),
    assess("--holdout empty.csv", "empty.csv is empty"),
    assess("--holdout strange.csv", "hold-out file", "no column of the original"),
    assess("--model model.joblib", "can run any program", "--trust-model"),
    assess("--model model.joblib --trust-model", "not a model"),
    assess("--trust-model", "none is given"),
    assess("--model nowhere", "no file 'nowhere'"),
    assess("--time-limit 0", "time limit is 0"),
    assess("--synthetic", "synthetic", "leave out attacks"),
    assess("--mechanism noise", "lacks its parameter 'a'"),
    assess("--mechanism nois:a=1", "did you mean 'noise'"),
    assess("--measures foo", "no measure is called 'foo'"),
    assess("--measures ,", "no measure is named"),
    assess("--earlier nowhere.csv", "no file 'nowhere.csv'"),
    assess("--earlier=", "is a folder"),
    assess("--population=", "is a folder"),
    assess("--earlier strange.csv --follow order", "no column in common"),
    assess("--earlier released.csv --follow sideways", "'sideways'", "confidential"),
    assess("--earlier released.csv --follow key:nothing", "no column 'nothing'"),
    assess("--earlier one.csv --follow order", "40 records", "1,"),
    assess("--source known=nothing", "no column 'nothing'"),
    assess("--source targets=0.1 --known age", "both sources and known"),
    assess("--source foo=1", "'foo'"),
    assess("--source known=age,targets=x", "targets is 'x'"),
    assess("", "additivity is 0", attacks="learned-choquet:additivity=0"),
    assess("", "no attack is called 'foo'", attacks="one-to-one:over=foo"),
    assess("", "no distance for every pair", attacks="one-to-one:over=guess"),
    assess("", "'z'", attacks="structural:family=z"),
    verb("knowledge original.csv released.csv --threshold 2 --json risk.json", "threshold is 2"),
    verb("knowledge original.csv released.csv --errors x --json risk.json", "--errors is 'x'"),
    verb("check original.csv released.csv --missing-code 9\ud800", "a missing code of '*' is no valid text"),
    verb("describe original.csv --missing-code age=\ud800", "a missing code of 'age' is no valid text"),
    verb("ledger list nowhere.db", "no file 'nowhere.db'"),
    verb("ledger add original.csv released.csv --original original.csv", "read or written already"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_one_line_and_nothing_lost(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, {"original.csv": ORIGINAL, "released.csv": RELEASED, **dict(case.files)})
    before = content(tmp_path)
    monkeypatch.chdir(tmp_path)
    check(case, run(*case.arguments))
    assert content(tmp_path) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("assess", "original.csv", "released.csv", "--attacks", "guess", "--html", "pipe"),
        ("knowledge", "original.csv", "released.csv", "--size", 1, "--json", "pipe"),
        ("describe", "original.csv", "-o", "pipe"),
    ],
    ids=lambda arguments: str(arguments[0]),
)
def test_a_pipe_or_a_device_is_not_replaced_by_a_file(
    arguments: tuple[object, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, {"original.csv": ORIGINAL, "released.csv": RELEASED})
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)
    check(Case("pipe", arguments, ("'pipe' is not an ordinary file",)), run(*arguments))
    assert (tmp_path / "pipe").is_fifo()
    assert len(list(tmp_path.iterdir())) == 3
