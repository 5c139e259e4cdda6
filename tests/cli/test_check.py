"""unmask check: what is understood of two files, and that it can be confirmed, corrected and given back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import unmask
from tests.cli.console import SECRET_NUMBER, SECRET_TEXT, csv, people, put, run, without
from tests.cli.everyday import ORIGINAL, RELEASED, SHUFFLED
from unmask.data.io.schema_file import read_schema
from unmask.data.understanding.summary import Understanding

WHAT = {"age": "banded", "income": "rounded", "sex": "suppressed", "town": "recoded"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with an original and three releases of it, which is the current one."""
    renamed = [{"gender" if k == "sex" else k: v for k, v in row.items()} for row in without(RELEASED, "id")]
    files: dict[str, str | bytes] = {
        "original.csv": csv(ORIGINAL),
        "released.csv": csv(without(RELEASED, "id")),
        "shuffled.csv": csv(SHUFFLED),
        "nobody.csv": csv(without(SHUFFLED, "id")),
        "renamed.csv": csv(renamed),
    }
    put(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def done(*arguments: object) -> str:
    outcome = run(*arguments)
    assert (outcome.code, outcome.err) == (0, "")
    return outcome.out


def understood(*arguments: object) -> dict[str, Any]:
    done("check", *arguments, "--json", "check.json")
    found: dict[str, Any] = json.loads(Path("check.json").read_text())
    return found


def whats(found: dict[str, Any]) -> dict[str, str]:
    return {change["attribute"]: change["what"] for change in found["changes"]}


@pytest.mark.parametrize("released", ["released.csv", "shuffled.csv"])
def test_rows_columns_and_attributes_are_told(folder: Path, released: str) -> None:
    out = done("check", "original.csv", released, "--json", "check.json")
    assert out.startswith("Rows: 120 of 120 released records were paired with an original one, 0 stem from")
    assert "Columns: " in out
    for attribute, what in WHAT.items():
        (line,) = [line for line in out.splitlines() if line.startswith(f"{attribute} ")]
        assert what in line
        assert line.rstrip().endswith("100%")
    assert "next: add -o schema.toml" in out
    found = json.loads(Path("check.json").read_text())
    assert whats(found) == WHAT
    assert found["guessed"] is True
    assert found["rows"]["by"] == ("order" if released == "released.csv" else "key")
    assert (found["rows"]["matched"], found["rows"]["unmatched"], found["rows"]["absent"]) == (120, 0, 0)


def test_no_value_of_a_record_is_shown(folder: Path) -> None:
    told = done("check", "original.csv", "shuffled.csv", "--json", "check.json")
    told += Path("check.json").read_text()
    for secret in (SECRET_TEXT, str(SECRET_NUMBER)[:4]):
        assert secret not in told


def comparable(found: Understanding) -> list[object]:
    rest = [
        (c.attribute, c.what, c.share, c.lost, c.filled, c.kept, c.correspondence, c.size, c.codes, c.exact)
        for c in found.changes
    ]
    return [found.rows, found.columns, rest, found.leftovers, found.missing, found.kinds]


@pytest.mark.parametrize("released", ["released.csv", "shuffled.csv"])
def test_the_schema_that_is_written_gives_the_same_understanding(folder: Path, released: str) -> None:
    out = done("check", "original.csv", released, "-o", "schema.toml")
    assert f"unmask assess original.csv {released} --schema schema.toml --html risk.html" in out
    before = unmask.check("original.csv", released)
    after = unmask.check("original.csv", released, schema="schema.toml")
    assert comparable(before) == comparable(after)
    assert (before.guessed, after.guessed) == (True, False)
    schema = read_schema("schema.toml")
    assert schema.in_release("sex").missing == ("*",)  # type: ignore[union-attr]
    text = (folder / "schema.toml").read_text()
    assert "# In the release: banded; its labels read as" in text
    done("check", "original.csv", released, "--schema", "schema.toml", "-o", "again.toml")
    assert read_schema("again.toml") == schema


def test_a_confirmed_schema_gives_the_numbers_of_the_files_alone(folder: Path) -> None:
    done("check", "original.csv", "shuffled.csv", "-o", "schema.toml")
    few = {"attacks": ["dbrl", "rbrl-sum"], "measures": ["reidentification"]}
    alone = unmask.assess("original.csv", "shuffled.csv", **few)  # type: ignore[arg-type]
    told = unmask.assess("original.csv", "shuffled.csv", schema="schema.toml", **few)  # type: ignore[arg-type]
    assert alone.table().equals(told.table())


def test_a_saved_check_can_be_run(folder: Path) -> None:
    first = done("check", "original.csv", "shuffled.csv", "--role", "income=confidential",
                 "--save-request", "request.toml", "--json", "a.json", "-o", "a.toml")  # fmt: skip
    again = done("run", "request.toml", "--json", "b.json", "-o", "b.toml")
    assert again == first.replace("a.toml", "b.toml")
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()
    assert Path("a.toml").read_bytes() == Path("b.toml").read_bytes()
    refused = run("run", "request.toml", "--html", "check.html")
    assert (refused.code, refused.err) == (2, "error: 'check' has no use for --html. Hint: leave it out.\n")


def test_who_is_who_is_not_guessed(folder: Path) -> None:
    refused = run("check", "original.csv", "nobody.csv")
    assert refused.code == 2
    assert refused.err.count("\n") == 1
    assert "--truth" in refused.err
    assert understood("original.csv", "nobody.csv", "--truth", "rows")["rows"]["by"] == "asserted"
    assert understood("original.csv", "nobody.csv", "--synthetic")["kinds"] == ["synthetic"]
    kept = understood("original.csv", "nobody.csv", "--synthetic", "--truth", "rows")
    assert (kept["rows"]["by"], kept["rows"]["synthetic"]) == ("asserted", True)
    assert "synthetic" not in kept["kinds"]  # its records stand for people, attribute by attribute


def test_a_renamed_column_is_proposed_and_confirmed(folder: Path) -> None:
    unsure = run("check", "original.csv", "renamed.csv").out
    assert "new: gender" in unsure
    out = done("check", "original.csv", "renamed.csv", "--renamed", "sex=gender", "-o", "schema.toml")
    assert "renamed: sex to gender; dropped: id; new: none" in out
    assert "perhaps" not in out
    assert whats(understood("original.csv", "renamed.csv", "--schema", "schema.toml")) == WHAT


def test_what_is_said_of_single_columns_stands_in_the_next_command(folder: Path) -> None:
    said = ("--role", "income=confidential", "--missing-code", "income=9+8", "--missing-code", "77")
    out = done("check", "original.csv", "released.csv", *said)
    (line,) = [line for line in out.splitlines() if line.startswith("next: ")]
    assert "--role income=confidential --missing-code income=9+8" in line
    assert "--missing-code 77" in line


def test_the_schema_of_the_released_file_counts(folder: Path) -> None:
    groups = [("young", 40), ("middle", 65), ("old", 200)]
    named = [
        row | {"age": next(name for name, end in groups if int(str(person["age"])) < end)}
        for row, person in zip(RELEASED, ORIGINAL, strict=True)
    ]
    put(folder, {"named.csv": csv(without(named, "id"))})
    done("describe", "named.csv", "-o", "there.toml", "--missing-code", "sex=*")
    text = Path("there.toml").read_text()
    for name in ("young", "middle", "old"):
        assert name not in text.split("[[column]]", 1)[1]
    entry = 'name = "age"\nkind = "nominal"'
    assert entry in text
    put(
        folder,
        {
            "there.toml": text.replace(
                entry, 'name = "age"\nkind = "ordinal"\nlevels = ["young", "middle", "old"]'
            )
        },
    )
    session = unmask.Session(
        unmask.Request(unmask.RequestFiles("original.csv", "named.csv", released_schema="there.toml"))
    )
    age = session.files.masked.data.schema["age"]
    assert (age.kind.value, age.levels) == ("ordinal", ("young", "middle", "old"))
    assert session.files.understanding["age"].what.value == "banded"
    assert session.files.understanding["sex"].codes == ("*",)
    assert session.files.understanding.guessed


def test_assess_knowledge_mask_and_describe_take_what_is_said_of_columns(folder: Path) -> None:
    said = ("--role", "income=confidential,town=ignored", "--kind", "age=numeric")
    few = ("--attacks", "dbrl", "--measures", "reidentification")
    done("assess", "original.csv", "released.csv", *said, *few, "--json", "risk.json")
    scenario = json.loads(Path("risk.json").read_text())["scenario"]
    assert [one["name"] for one in scenario["attributes"]] == ["age", "sex"]
    done("knowledge", "original.csv", "released.csv", *said, "--size", 1, "--json", "curves.json")
    rows = json.loads(Path("curves.json").read_text())["table"]
    assert {name for row in rows for name in row["known"]} == {"age", "sex"}
    done("describe", "original.csv", *said, "-o", "schema.toml")
    schema = read_schema("schema.toml")
    assert (schema["income"].role.value, schema["town"].role.value) == ("confidential", "ignored")
    assert "# Confidential: as asked." in Path("schema.toml").read_text()
    done("mask", "original.csv", "--mask", "noise:a=0.5", *said, "-o", "masked.csv")
    header, first, *_ = Path("masked.csv").read_text().splitlines()
    cells = dict(zip(header.split(","), first.split(","), strict=True))
    assert cells["town"] == ORIGINAL[0]["town"]
    assert cells["age"] != str(ORIGINAL[0]["age"])


def test_missing_codes_make_a_column_of_numbers(folder: Path) -> None:
    rows, words = [dict(row) for row in people(60)], [f"w{letter}" for letter in "abcdefgh"]
    for row, word in zip(rows, words, strict=False):
        row["income"] = word
    put(folder, {"codes.csv": csv(rows)})
    assert 'name = "income"\nkind = "nominal"' in done("describe", "codes.csv")
    for code in (f"income={'+'.join(words)}", "+".join(words), ",".join(words)):
        told = done("describe", "codes.csv", "--missing-code", code)
        assert 'name = "income"\nkind = "numeric"\nrole = "quasi-identifier"\nmissing = ["wa", "wb",' in told


def test_a_code_can_be_a_value_after_all(folder: Path) -> None:
    rows = [row | {"hours": 999 if i % 20 == 0 else i % 30} for i, row in enumerate(ORIGINAL)]
    put(folder, {"codes.csv": csv(rows)})
    told = done("describe", "codes.csv")
    assert "# 6 values look like a code for 'missing'." in told
    assert 'name = "hours"\nkind = "numeric"\nrole = "quasi-identifier"\nmissing = ["999"]' in told
    told = done("describe", "codes.csv", "--missing-code", "hours=")
    assert "missing = [" not in told.split("[[column]]", 1)[1]
    assert "look like" not in told


def test_codes_that_are_values_in_the_release_are_values(folder: Path) -> None:
    rows = [row | {"hours": 999 if i % 20 == 0 else i % 30} for i, row in enumerate(ORIGINAL)]
    limited = [row | {"hours": min(25, int(str(row["hours"])))} for row in rows]
    put(folder, {"codes.csv": csv(rows), "limited.csv": csv(limited)})
    for said in ((), ("--missing-code", "hours=")):
        (hours,) = (
            c for c in understood("codes.csv", "limited.csv", *said)["changes"] if c["attribute"] == "hours"
        )
        assert (hours["what"], hours["share"]) == ("top/bottom coded", 1.0)
    # Who says that it is a code is told that the release has other values there.
    found = understood("codes.csv", "limited.csv", "--missing-code", "hours=999")["changes"]
    assert any("have a value where the original has none" in change["evidence"] for change in found)


def test_the_order_of_numbers_and_words_makes_a_column_ordinal(folder: Path) -> None:
    rows = [row | {"grade": 10 - i % 10, "health": ("good", "bad")[i % 2]} for i, row in enumerate(ORIGINAL)]
    put(folder, {"grades.csv": csv(rows)})
    done("describe", "grades.csv", "--kind", "grade=ordinal", "-o", "schema.toml")
    assert read_schema("schema.toml")["grade"].levels == tuple(str(i) for i in range(1, 11))
    refused = run("describe", "grades.csv", "--kind", "town=ordinal")
    assert (refused.code, "levels" in refused.err, SECRET_TEXT in refused.err) == (2, True, False)


def test_missing_values_compare_as_the_files_suggest(folder: Path) -> None:
    few = ("--attacks", "dbrl", "--measures", "reidentification", "--save-request", "request.toml")
    done("assess", "original.csv", "released.csv", *few)
    assert "missing" not in Path("request.toml").read_text()
    done("assess", "original.csv", "released.csv", *few, "--missing", "ignore")
    assert 'missing = "ignore"' in Path("request.toml").read_text()
