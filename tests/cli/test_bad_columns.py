"""Bad words about columns, and a bad check or start: one line, exit code 2, nothing lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.console import content, put, run
from tests.cli.test_bad_input import ORIGINAL, RELEASED, Case, check

SCHEMA = '[[column]]\nname = "age"\n'
FILES = {"schema.toml": SCHEMA, "strange.toml": '[[column]]\nname = "height"\n', "broken.toml": "[[column"}


def case(text: str, *says: str) -> Case:
    return Case(text, tuple(text.split(" ")), says, FILES)


BOTH = "original.csv released.csv"
CASES = [
    case(f"check {BOTH} --role incom=confidential", "no column 'incom'", "did you mean 'income'"),
    case(f"check {BOTH} --role income=secret", "no role is called 'secret'", "confidential"),
    case(f"check {BOTH} --role income", "--role has 'income'", "COLUMN=role"),
    case(f"check {BOTH} --role =confidential", "--role has '=confidential'"),
    case(f"check {BOTH} --role income=ignored,income=weight", "gives 'income' two roles"),
    case(f"check {BOTH} --kind income=numerc", "did you mean 'numeric'"),
    case(f"check {BOTH} --kind sex=numeric", "'sex'", "numeric in the schema"),
    case(f"check {BOTH} --kind sex=date", "'sex'", "date"),
    case(f"check {BOTH} --kind town=ordinal", "'town' cannot be made ordinal", "levels"),
    case(f"check {BOTH} --missing-code incom=9", "no column 'incom'", "did you mean 'income'"),
    case(f"check {BOTH} --renamed sex=gender", "the released file has no column 'gender'"),
    case(f"check {BOTH} --renamed gender=sex", "no column 'gender'"),
    case(f"check {BOTH} --renamed sex", "--renamed has 'sex'"),
    case(f"check {BOTH} --schema schema.toml --role sex=ignored", "no column 'sex'"),
    case(f"check {BOTH} --released-schema nowhere.toml", "no file 'nowhere.toml'"),
    case(f"check {BOTH} --released-schema broken.toml", "broken.toml is not valid TOML"),
    case(f"check {BOTH} --released-schema strange.toml", "the released file has no column 'height'"),
    case(f"check {BOTH} --truth nothing", "no column 'nothing'"),
    case(f"check {BOTH} --synthetic --truth nothing", "no column 'nothing'"),
    case(f"check {BOTH} --json original.csv", "'original.csv' is read or written already"),
    case(f"check {BOTH} -o nowhere/schema.toml", "no folder to write"),
    case(f"check {BOTH} --attacks dbrl", "--attacks"),
    case("check original.csv", "'released'"),
    case(f"assess {BOTH} --role incom=confidential", "did you mean 'income'"),
    case(f"assess {BOTH} --missing automatic", "no missing-value policy is called 'automatic'", "auto"),
    case(f"assess {BOTH} --released-schema strange.toml", "the released file has no column 'height'"),
    case(f"knowledge {BOTH} --kind income=x", "no kind of column is called 'x'"),
    case("mask original.csv --mask noise:a=1 -o out.csv --role incom=ignored", "did you mean 'income'"),
    case("describe original.csv --role incom=ignored -o out.toml", "did you mean 'income'"),
    case("start nowhere.csv --yes", "no file 'nowhere.csv'"),
    case("start original.csv nowhere.csv --yes", "no file 'nowhere.csv'"),
    case("start original.csv --yes --role incom=ignored", "did you mean 'income'"),
    case("start original.csv --yes --out nowhere", "no folder to write"),
    case("start schema.toml --yes --out .", "'schema.toml' is read or written already"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_one_line_and_nothing_lost(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, {"original.csv": ORIGINAL, "released.csv": RELEASED, **dict(case.files)})
    if case.arguments[0] == "start" and case.arguments[1] != "schema.toml":
        (tmp_path / "schema.toml").unlink()
    before = content(tmp_path)
    monkeypatch.chdir(tmp_path)
    check(case, run(*case.arguments))
    assert content(tmp_path) == before
