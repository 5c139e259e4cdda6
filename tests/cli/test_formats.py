"""Masked files in the format of the original, and results that do not depend on a format."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pyreadstat
import pytest

from tests.cli.console import Outcome, content, people, run

LABELS = {"sex": {1: "male", 2: "female", 8: "other", 9: "refused"}}
MISSING = {"sex": [9], "age": [{"lo": -9, "hi": -1}]}
REGIONS = {"region": {1: "north", 2: "south", 3: "east", 4: "west"}}


@pytest.fixture(autouse=True)
def _survey(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An SPSS file of 40 people: three refused to tell their sex, two their age, one has no age at all."""
    monkeypatch.chdir(tmp_path)
    rows = people()
    age = [int(str(row["age"]).split(".")[0]) for row in rows]
    sex = [1 if row["sex"] == "m" else 2 for row in rows]
    region = [(1, 1, 1, 2, 2, 2, 3, 4)[i % 8] for i in range(len(rows))]
    sex[3] = sex[4] = sex[5] = 9
    age[0], age[1], age[2] = -9, -8, None  # type: ignore[call-overload]
    frame = pl.DataFrame(
        {"sex": sex, "age": age, "region": region, "income": [row["income"] for row in rows]}
    )
    pyreadstat.write_sav(
        frame,
        tmp_path / "original.sav",
        variable_value_labels=LABELS | REGIONS | {"age": {-9: "refused", -8: "unknown"}},
        missing_ranges=MISSING,
        column_labels={"age": "Age in years"},
        variable_format={"age": "F3.0"},
    )


def done(*arguments: object) -> str:
    outcome = run(*arguments)
    assert (outcome.code, outcome.err) == (0, ""), outcome
    return outcome.out


def raw(name: str) -> tuple[pl.DataFrame, object]:
    frame, meta = pyreadstat.read_sav(name, user_missing=True, output_format="polars")
    return frame, meta


def test_a_described_file_tells_the_codes_that_it_declares_to_be_missing() -> None:
    told = done("describe", "original.sav").split("[[column]]")
    notes = [[line for line in entry.splitlines() if "declares as missing" in line] for entry in told[1:]]
    assert [len(found) for found in notes] == [1, 1, 0, 0]
    assert notes[0][0].endswith("The file declares as missing: 9.")


def test_a_masked_spss_file_is_an_spss_file() -> None:
    done("mask", "original.sav", "--mask", "noise:a=0.1,attributes=income", "-o", "out.sav")
    (before, meta), (after, written) = raw("original.sav"), raw("out.sav")
    assert after.drop("income").equals(before.drop("income"))
    assert not after["income"].equals(before["income"])
    for field in ("variable_value_labels", "missing_ranges", "column_names", "column_labels"):
        assert getattr(written, field) == getattr(meta, field), field
    assert written.original_variable_types["age"] == "F3.0"  # type: ignore[attr-defined]


def test_what_a_mask_suppressed_is_just_missing() -> None:
    done("mask", "original.sav", "--mask", "local-suppression:k=4,attributes=sex+age", "-o", "out.sav")
    (before, _), (after, _) = raw("original.sav"), raw("out.sav")
    suppressed = 0
    for name, codes in (("sex", [9.0]), ("age", [-9.0, -8.0])):
        code = before[name].is_in(codes)
        assert after[name].filter(code).equals(before[name].filter(code))
        lost = after[name].is_null() & before[name].is_not_null()
        suppressed += lost.sum()
        assert not after[name].filter(~code).is_in(codes).any()
        kept = ~lost
        assert after[name].filter(kept).equals(before[name].filter(kept))
    assert suppressed > 0


def test_merged_categories_have_codes_and_labels() -> None:
    done("mask", "original.sav", "--mask", "global-recoding:p=2,attributes=region", "-o", "out.sav")
    (before, _), (after, meta) = raw("original.sav"), raw("out.sav")
    labels = meta.variable_value_labels["region"]  # type: ignore[attr-defined]
    assert labels.items() >= REGIONS["region"].items()
    assert list(labels) == [1, 2, 3, 4, 5]
    assert "|" in labels[5]
    merged = [code for code, label in REGIONS["region"].items() if label in labels[5].split("|")]
    assert len(merged) == 2
    assert after["region"].equals(before["region"].replace(merged, [5.0] * 2))
    assert after["sex"].equals(before["sex"])


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".xlsx", ".sav", ".zsav", ".dta", ".xpt"])
def test_a_format_changes_no_number(suffix: str) -> None:
    """The same original and the same release, as SPSS files and in another format, give one table."""
    mask = "individual-ranking:k=3,attributes=age+income"
    done("mask", "original.sav", "--mask", mask, "-o", "released.sav")
    done("mask", "original.sav", "--mask", "noise:a=0", "-o", "same.sav")
    done("mask", "same.sav", "--mask", "noise:a=0", "-o", f"original{suffix}") if suffix != ".sav" else None
    done("mask", "original.sav", "--mask", mask, "-o", f"released{suffix}")
    schema = ("--schema", "schema.toml")
    done("describe", "original.sav", "-o", "schema.toml")
    wanted = assessed("original.sav", "released.sav", *schema)
    assert wanted
    for original in ("original.sav", f"original{suffix}"):
        for released in ("released.sav", f"released{suffix}"):
            assert assessed(original, released, *schema) == wanted
    assert assessed(f"original{suffix}", f"released{suffix}") == assessed("original.sav", "released.sav")


def assessed(original: str, released: str, *options: object) -> object:
    done(
        "assess", original, released, "--attacks", "guess,dbrl,rbrl-max,prl", *options, "--json", "risk.json"
    )
    return json.loads(Path("risk.json").read_text())["table"]


def test_a_label_is_a_name_alone(tmp_path: Path) -> None:
    """Other codes behind the same labels, and other labels of columns, change no number."""
    mask = "individual-ranking:k=3,attributes=age+income"
    done("mask", "original.sav", "--mask", mask, "-o", "released.sav")
    frame, meta = raw("released.sav")
    codes = {1.0: 20.0, 2.0: 10.0, 9.0: 99.0}
    pyreadstat.write_sav(
        frame.with_columns(pl.col("sex").replace(codes)),
        tmp_path / "recoded.sav",
        variable_value_labels=meta.variable_value_labels  # type: ignore[attr-defined]
        | {"sex": {20: "male", 10: "female", 99: "refused"}},
        missing_ranges={"sex": [99], "age": [{"lo": -9, "hi": -1}]},
    )
    assert assessed("original.sav", "recoded.sav") == assessed("original.sav", "released.sav")


def test_describe_tells_the_missing_codes() -> None:
    described = done("describe", "original.sav")
    assert "The file declares as missing: 9." in described
    assert "The file declares as missing: -9, -8, -7, -6, -5, -4, -3, -2, -1." in described


def refused(outcome: Outcome, *says: str) -> None:
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    for text in says:
        assert text in outcome.err


def test_what_does_not_fit_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "towns.csv").write_text("home town,age\nReus,31.5\nSalt,42\nOlot,50\n")
    before = content(tmp_path)
    refused(run("mask", "towns.csv", "--mask", "noise:a=1", "-o", "out.dta"), "'home town'", "rename it")
    refused(run("mask", "towns.csv", "--mask", "noise:a=1", "-o", "out.sav"), "'home town'", "rename it")
    assert content(tmp_path) == before
    done("mask", "towns.csv", "--mask", "noise:a=1", "-o", "out.xlsx")
