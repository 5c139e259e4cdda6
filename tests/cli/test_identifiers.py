"""A masked file goes out without identifiers, says so, and can still be assessed."""

from __future__ import annotations

import tomllib
from pathlib import Path

import polars as pl
import pytest

import unmask
from tests.cli.console import run
from unmask.data.example import people
from unmask.data.io import write
from unmask.errors import UnmaskError
from unmask.masks import PRAM, Noise
from unmask.masks.frames import IdentifiersLeftOutWarning
from unmask.studies.releases import assess_releases

MASK = ("--mask", "noise:a=0.3", "--seed", "1")
FEW = ("--known", "age,income", "--attacks", "dbrl", "--measures", "reidentification")
KEEPING = "(--keep-identifiers keeps them, in a file that is assessed and not published)"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(people(80).frame, tmp_path / "people.csv")
    return tmp_path


def went(*arguments: object) -> str:
    done = run(*arguments)
    assert done.code == 0, done.err
    return done.out


def test_identifiers_are_left_out_and_named(folder: Path) -> None:
    told = went("mask", "people.csv", *MASK, "-o", "out.csv", "--write-schema", "schema.toml")
    assert told == f"identifiers left out: person {KEEPING}\n"
    before, after = pl.read_csv("people.csv"), pl.read_csv("out.csv")
    assert after.columns == [name for name in before.columns if name != "person"]
    for schema in ("out.csv.unmask.toml", "schema.toml"):
        listed = tomllib.loads((folder / schema).read_text())["column"]
        assert [column["name"] for column in listed] == after.columns


def test_they_are_kept_where_asked(folder: Path) -> None:
    saved = ("--save-request", "request.toml")
    told = went("mask", "people.csv", *MASK, "-o", "out.csv", "--keep-identifiers", *saved)
    assert told == "identifiers kept: person: assess this file, but do not publish it\n"
    assert pl.read_csv("out.csv").columns == pl.read_csv("people.csv").columns
    assert "keep_identifiers = true" in (folder / "request.toml").read_text()
    assert went("run", "request.toml", "-o", "again.csv") == told
    assert (folder / "again.csv").read_bytes() == (folder / "out.csv").read_bytes()


def test_a_file_without_identifiers_is_masked_without_a_word(folder: Path) -> None:
    write(people(80).frame.drop("person"), "nameless.csv")
    assert went("mask", "nameless.csv", *MASK, "-o", "out.csv") == ""
    assert went("mask", "nameless.csv", *MASK, "-o", "out.csv", "--keep-identifiers") == ""


@pytest.mark.parametrize("mask", ["noise:a=0.5", "rank-swapping:p=20", "microaggregation:k=5", "pram:p=5"])
def test_a_masked_file_is_assessed_by_the_order_of_its_rows(folder: Path, mask: str) -> None:
    went("mask", "people.csv", "--mask", mask, "-o", "out.csv")
    told = went("assess", "people.csv", "out.csv", *FEW)
    assert "Row i of one file is row i of the other: the values agree." in told


def test_where_no_order_tells_the_advice_is_to_keep_them(folder: Path) -> None:
    went("mask", "people.csv", *MASK, "-o", "out.csv")
    pl.read_csv("out.csv").head(50).write_csv("fewer.csv")
    done = run("assess", "people.csv", "fewer.csv", *FEW)
    assert done.code == 2
    assert "unmask mask --keep-identifiers" in done.err
    went("mask", "people.csv", *MASK, "-o", "out.csv", "--keep-identifiers")
    pl.read_csv("out.csv").head(50).write_csv("fewer.csv")
    assert "Records were paired by the key 'person'" in went("assess", "people.csv", "fewer.csv", *FEW)


def test_a_schema_decides_what_an_identifier_is(folder: Path) -> None:
    told = went("mask", "people.csv", *MASK, "-o", "out.csv", "--role", "person=ignored,region=identifier")
    assert told == f"identifiers left out: region {KEEPING}\n"
    assert "person" in pl.read_csv("out.csv").columns


def test_nothing_but_identifiers_is_refused(folder: Path) -> None:
    write(people(80).frame.select("person"), "names.csv")
    mask = ("--mask", "pram:p=2,attributes=person", "--kind", "person=nominal")
    done = run("mask", "names.csv", *mask, "-o", "out.csv")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "every column is an identifier" in done.err
    assert not (folder / "out.csv").exists()


def test_a_frame_is_masked_without_them_and_with_a_warning() -> None:
    frame = people(80).frame
    with pytest.warns(IdentifiersLeftOutWarning, match="identifiers left out: person .keep_identifiers=True"):
        masked = unmask.mask(frame, "noise:a=0.3", seed=1)
    assert masked.columns == [name for name in frame.columns if name != "person"]
    assert unmask.mask(frame, "noise:a=0.3", seed=1, keep_identifiers=False).equals(masked)
    kept = unmask.mask(frame, "noise:a=0.3", seed=1, keep_identifiers=True)
    assert kept.drop("person").equals(masked)
    assert kept["person"].equals(frame["person"])
    risk = unmask.assess(
        frame, masked, known=["age", "income"], attacks=["dbrl"], measures=["reidentification"]
    )
    assert risk.document.sizes.present == 80


FEW_IN_PYTHON = {"known": ["age", "income"], "attacks": ["dbrl"], "measures": ["reidentification"], "seed": 1}


def test_a_mask_that_is_assessed_leaves_them_out_as_a_masked_file_does() -> None:
    frame = people(80).frame
    made = unmask.mask(frame, "noise:a=0.3", seed=1, keep_identifiers=False)
    by_file, by_mask = (
        unmask.assess(frame, released, **FEW_IN_PYTHON).document  # type: ignore[arg-type]
        for released in (made, Noise(a=0.3))
    )
    assert "person" in by_mask.understood.columns.dropped
    assert by_mask.understood.columns == by_file.understood.columns
    assert by_mask.understood.leftovers == by_file.understood.leftovers
    assert not any("still holds 'person'" in note for note in by_mask.notes)
    numbers = [[row.estimate.number for row in one.table] for one in (by_file, by_mask)]
    assert numbers[0] == numbers[1] != []


def test_an_identifier_by_which_releases_are_followed_goes_out_with_them() -> None:
    mask = Noise(a=0.3)
    asked = FEW_IN_PYTHON | {"measures": None}
    found = assess_releases(people(80), mask, [mask], follow="key:person", **asked)  # type: ignore[arg-type]
    assert [left.column for left in found.document.understood.leftovers if left.column == "person"]
    found = assess_releases(people(80), mask, [mask], follow="order", **asked)  # type: ignore[arg-type]
    assert not [left.column for left in found.document.understood.leftovers if left.column == "person"]


def test_a_mask_leaves_nothing_where_every_column_names_people() -> None:
    names = people(80).frame.select("person")
    with pytest.raises(UnmaskError, match="every column is an identifier"):
        unmask.assess(names, PRAM(p=2, attributes=("person",)), kinds={"person": "nominal"})


def test_no_other_verb_takes_the_option() -> None:
    with pytest.raises(UnmaskError, match="'assess' has no use for 'keep_identifiers'"):
        unmask.Request(unmask.RequestFiles("a.csv", "b.csv"), keep_identifiers=True)
