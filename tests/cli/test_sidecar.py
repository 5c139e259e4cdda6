"""What 'unmask mask' leaves beside its output, and what 'unmask assess' makes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import unmask
from tests.cli.console import SECRET_NUMBER, SECRET_TEXT, content, csv, people, put, run
from unmask.assessment import cost, plan
from unmask.assessment.inputs import sha256
from unmask.data.io.schema_file import read_schema
from unmask.data.io.sidecar import parse_sidecar, read_sidecar, sidecar_path
from unmask.data.schema import Kind
from unmask.errors import DataError

N = 300
KNOWN = ["age", "town", "job", "zone"]
SAYS = "the file beside the release says that unmask made it by"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = np.random.default_rng(5)
    days = pl.Series("born", rng.integers(0, 15_000, N)).cast(pl.Int32).cast(pl.Date)
    frame = {
        "born": days.dt.strftime("%d/%m/%Y"),
        "age": rng.integers(18, 90, N),
        "pay": rng.normal(2000, 500, N).round(1),
        **{name: rng.choice(list(letters), N) for name, letters in
           (("town", "ABCDEFG"), ("job", "tuvwxyz"), ("zone", "klmnopqrs"))},
    }  # fmt: skip
    pl.DataFrame(frame).write_csv(tmp_path / "original.csv")
    return tmp_path


def masked(folder: Path, mask: str, *more: str) -> Path:
    released = folder / "released.csv"
    done = run("mask", folder / "original.csv", "--mask", mask, "--seed", 77_177, "-o", released, *more)
    assert done.code == 0, done.err
    return released


def assessed(folder: Path, **asked: Any) -> unmask.Assessment:
    asked = {"measures": ["reidentification"], "known": KNOWN, **asked}
    return unmask.assess(str(folder / "original.csv"), str(folder / "released.csv"), **asked)


def found(risk: unmask.Assessment) -> dict[str, float]:
    return dict(risk.table().select("attack", "value").iter_rows())


def test_the_file_beside_the_release_says_how_it_was_made(folder: Path) -> None:
    released = masked(folder, "global-recoding:breaks=30+50,release=label,attributes=age")
    beside = read_sidecar(sidecar_path(released))
    assert beside.mask == "global-recoding:breaks=30+50,release=label,attributes=age"
    assert beside.released == sha256(released)
    assert beside.schema.names() == tuple(pl.read_csv(released).columns)
    assert beside.schema["age"].kind is Kind.ORDINAL
    assert beside.schema["age"].levels == ("<=30", "(30,50]", ">50")
    assert beside.seed is None
    assert "77177" not in sidecar_path(released).read_text()


def test_the_seed_is_kept_only_where_asked(folder: Path) -> None:
    released = masked(folder, "noise:a=0.1", "--keep-seed")
    assert read_sidecar(sidecar_path(released)).seed == 77_177
    assert "undo" in sidecar_path(released).read_text()
    refused = run(
        "mask", folder / "original.csv", "--mask", "noise:a=1", "-o", released, "--keep-seed", "--no-sidecar"
    )
    assert refused.code == 2


def test_no_sidecar_and_no_value_in_one(tmp_path: Path) -> None:
    put(tmp_path, {"original.csv": csv(people())})
    run("mask", tmp_path / "original.csv", "--mask", "noise:a=0.1", "-o", tmp_path / "r.csv", "--no-sidecar")
    assert "r.csv.unmask.toml" not in content(tmp_path)
    run("mask", tmp_path / "original.csv", "--mask", "noise:a=0.1", "-o", tmp_path / "r.csv")
    text = (tmp_path / "r.csv.unmask.toml").read_text()
    assert SECRET_TEXT not in text
    assert str(SECRET_NUMBER)[:3] not in text.replace(sha256(tmp_path / "r.csv"), "")


def test_it_is_not_written_over_an_input(folder: Path) -> None:
    put(folder, {"released.csv.unmask.toml": "[[column]]\nname = 'age'\n"})
    schema = folder / "released.csv.unmask.toml"
    done = run(
        "mask",
        folder / "original.csv",
        "--mask",
        "noise:a=1",
        "--schema",
        schema,
        "-o",
        folder / "released.csv",
    )
    assert done.code == 2
    assert "released.csv" not in content(folder)


def test_a_known_mask_is_attacked_as_if_it_was_named(folder: Path) -> None:
    masked(folder, "rank-swapping:p=20,attributes=age")
    by_sidecar, by_hand = (
        assessed(folder),
        assessed(folder, mechanism="rank-swapping:p=20,attributes=age", sidecar=False),
    )
    assert found(by_sidecar) == found(by_hand)
    assert (
        f"{SAYS} 'rank-swapping:p=20,attributes=age': the intruder is taken to know that"
        in by_sidecar.document.notes
    )
    without = assessed(folder, sidecar=False)
    assert "guessed-mechanism" in found(without)
    assert not any(SAYS in note for note in without.document.notes)


def test_who_names_attacks_or_a_mechanism_gets_those(folder: Path) -> None:
    masked(folder, "noise:a=0.1,attributes=age")
    assert set(found(assessed(folder, attacks=["guess", "dbrl"]))) <= {"guess", "dbrl", "union"}
    named = found(assessed(folder, mechanism="noise:a=0.2,attributes=age"))
    assert [a for a in named if a.startswith("mechanism")] == ["mechanism:noise:a=0.2,attributes=age"]


def test_a_sidecar_of_another_file_is_not_used(folder: Path) -> None:
    released = masked(folder, "noise:a=0.1,attributes=age")
    pl.read_csv(released).with_columns(pl.col("age") + 1).write_csv(released)
    risk = assessed(folder)
    assert not any(attack.startswith("mechanism") for attack in found(risk))
    assert any("belongs to another file" in note for note in risk.document.notes)


@pytest.mark.parametrize("mask", ["of-another-package:x=1", "noise:a=nonsense"])
def test_a_mask_that_does_not_declare_itself_gives_only_a_note(folder: Path, mask: str) -> None:
    path = sidecar_path(masked(folder, "noise:a=0.1,attributes=age"))
    put(folder, {path.name: path.read_text().replace("noise:a=0.1,attributes=age", mask)})
    risk = assessed(folder)
    assert not any(attack.startswith("mechanism") for attack in found(risk))
    assert any("no attack uses it" in note for note in risk.document.notes)


def test_the_attack_on_a_large_file_is_tried_on_a_sample(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    masked(folder, "rank-swapping:p=20,attributes=age")
    name = "mechanism:rank-swapping:p=20,attributes=age"
    monkeypatch.setattr(plan, "FEWEST", 10)
    monkeypatch.setattr(cost, "ATTACKS", {"mechanism": cost.Cost(0.0, 1e9, apart=True)})
    risk = assessed(folder)
    assert risk.document.result(name).n == 10
    assert any(f"{name} on 10 of {N}" in note for note in risk.document.notes)
    assert risk.document.result("dbrl").n == N


def test_check_and_knowledge_read_it(folder: Path) -> None:
    masked(folder, "rank-swapping:p=20,attributes=age")
    files = str(folder / "original.csv"), str(folder / "released.csv")
    understood = unmask.check(*files)
    assert any(SAYS in note for note in understood.notes)
    assert understood.guessed
    # Curves are drawn for the attack that is named, but a file that does not belong here is told.
    with (folder / "released.csv").open("a") as stream:
        stream.write("\n")
    grid = unmask.Grid(size=1, errors=(), shares=())
    curves = unmask.knowledge_curves(*files, known=["age", "town"], grid=grid)
    assert any("belongs to another file" in note for note in curves.document.notes)


def test_rerun_sees_a_sidecar_that_changed_or_went(folder: Path) -> None:
    path = sidecar_path(masked(folder, "noise:a=0.1,attributes=age"))
    risk = folder / "risk.json"
    assessed(folder).to_json(risk)
    assert "sidecar" in {one.role for one in unmask.Assessment.from_json(risk).document.provenance.inputs}
    assert run("rerun", risk).code == 0
    text = path.read_text()
    put(folder, {path.name: text.replace("a=0.1", "a=0.2")})
    changed = run("rerun", risk)
    assert changed.code == 1
    assert "(sidecar)" in changed.out
    path.unlink()
    gone = run("rerun", risk)
    assert gone.code == 1
    assert "which is gone" in gone.out


def test_a_saved_mask_request_leaves_the_same_files(folder: Path) -> None:
    masked(folder, "noise:a=0.1", "--save-request", str(folder / "mask.toml"))
    assert run("run", folder / "mask.toml", "-o", folder / "again.csv").code == 0
    files = content(folder)
    assert files["again.csv"] == files["released.csv"]
    assert files["again.csv.unmask.toml"] == files["released.csv.unmask.toml"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense =", "not TOML"),
        ("", "has no format"),
        ('format = "unmask-sidecar"\nversion = 2', "format version"),
        ('format = "unmask-sidecar"\nversion = 1\nreleased = "a"\nunmask = "0"', "lacks 'mask'"),
        (
            'format = "unmask-sidecar"\nversion = 1\nmask = "a"\nreleased = "a"\nunmask = "0"',
            "lists no columns",
        ),
    ],
)
def test_a_sidecar_that_is_none_is_refused(text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        parse_sidecar(text, "released.csv.unmask.toml")


# What unmask makes itself, it must understand.


@pytest.mark.parametrize("sidecar", [True, False])
def test_bands_by_label_are_understood(folder: Path, sidecar: bool) -> None:
    released = masked(folder, "global-recoding:bands=6,release=label,attributes=age+pay+born")
    understood = unmask.check(str(folder / "original.csv"), str(released), sidecar=sidecar)
    assert {name: understood[name].what.value for name in ("age", "pay", "born")} == dict.fromkeys(
        ("age", "pay", "born"), "banded"
    )
    risk = assessed(folder, known=["age", "pay", "born"], sidecar=sidecar)
    keys = pl.read_csv(released).select("age", "pay", "born").n_unique()
    assert found(risk)["dbrl"] == pytest.approx(keys / N)


def test_partial_recodes_are_as_if_the_mask_was_known(folder: Path) -> None:
    released = masked(folder, "global-recoding:p=5,attributes=town+job+zone")
    known = ["town", "job", "zone"]
    default, by_sidecar = (
        found(assessed(folder, known=known, sidecar=False)),
        found(assessed(folder, known=known)),
    )
    mechanism = by_sidecar.pop("mechanism:global-recoding:p=5,attributes=town+job+zone")
    keys = pl.read_csv(released).select(known).n_unique()
    assert default["dbrl"] == pytest.approx(mechanism) == pytest.approx(keys / N)
    assert default == pytest.approx(by_sidecar)


@pytest.mark.parametrize("mask", ["noise:a=0.1", "rank-swapping:p=10", "multiplicative-noise:b=0.1"])
def test_masked_dates_stay_dates_and_are_understood(folder: Path, mask: str) -> None:
    released = masked(folder, f"{mask},attributes=born")
    texts = pl.read_csv(released)["born"]
    assert texts.str.contains(r"^\d\d/\d\d/\d{4}$").all()
    change = unmask.check(str(folder / "original.csv"), str(released))["born"]
    assert change.what.value == {"r": "swapped"}.get(mask[0], "noise")
    risk = assessed(folder, known=["born", "town"])
    assert risk.document.worst is not None
    assert not any("no possible record" in note for attack in risk.document.attacks for note in attack.notes)


def test_group_means_of_dates_are_recognised_though_rounded(folder: Path) -> None:
    masked(folder, "microaggregation:k=3,attributes=born+age")
    risk = assessed(folder, known=["born", "age"])
    (attack,) = (one for one in risk.document.attacks if one.name.startswith("mechanism"))
    # Whoever groups everybody again is left with the three of each group.
    assert found(risk)[attack.name] == pytest.approx(1 / 3, abs=0.03)


# A schema with levels, and masks that make others of them.

LEVELS = """
[[column]]
name = "age"
[[column]]
name = "pay"
minimum = 0
[[column]]
name = "health"
kind = "ordinal"
levels = ["poor", "fair", "good", "great"]
[[column]]
name = "town"
kind = "nominal"
levels = ["A", "B", "C", "D"]
[[column]]
name = "own"
kind = "boolean"
[[column]]
name = "area"
kind = "nominal"
role = "ignored"
levels = ["k", "l", "m"]
[[column]]
name = "size"
kind = "ordinal"
role = "household"
levels = [1, 2, 3]
"""
CHANGING = [
    "global-recoding:p=2,attributes=health+town+own+area+size",
    "global-recoding:bands=3,release=label",
    "top-coding:p=2,attributes=health+town+area",
    "bottom-coding:p=2",
    "pram:p=9",
    "local-suppression:k=5,attributes=health+town",
    "individual-ranking:k=3",
    "correlated-noise:a=0.5",
]


@pytest.fixture
def levelled(tmp_path: Path) -> Path:
    rng, n = np.random.default_rng(4), 60
    frame = {
        "age": rng.integers(0, 90, n),
        "pay": rng.lognormal(3, 1, n).round(2),
        "health": rng.choice(["poor", "fair", "good", "great"], n),
        "town": rng.choice(list("ABCD"), n),
        "own": rng.choice(["yes", "no"], n),
        "area": rng.choice(list("klm"), n),
        "size": rng.integers(1, 4, n),
    }
    (tmp_path / "schema.toml").write_text(LEVELS)
    pl.DataFrame(frame).write_csv(tmp_path / "original.csv")
    pl.DataFrame(frame).write_parquet(tmp_path / "original.parquet")
    return tmp_path


def went(*arguments: object) -> str:
    done = run(*arguments)
    assert done.code == 0, done.err
    return done.out


@pytest.mark.parametrize("mask", CHANGING)
@pytest.mark.parametrize("beside", [(), ("--no-sidecar",)])
def test_a_masked_file_is_assessed_with_the_schema_it_was_masked_with(
    levelled: Path, mask: str, beside: tuple[str, ...]
) -> None:
    suffix = ".parquet" if beside else ".csv"
    original, released = levelled / f"original{suffix}", levelled / f"released{suffix}"
    schema = ("--schema", levelled / "schema.toml")
    went("mask", original, *schema, "--mask", mask, "-o", released, "--seed", 3, *beside)
    assert "what happened" in went("check", original, released, *schema, *beside)
    few = ("--attacks", "dbrl", "--measures", "reidentification", "--json", levelled / "risk.json")
    went("assess", original, released, *schema, *few, *beside)


def test_the_schema_of_a_release_makes_no_other_scale(levelled: Path) -> None:
    original, released = levelled / "original.csv", levelled / "released.csv"
    schema = levelled / "schema.toml"
    went("mask", original, "--schema", schema, "--mask", "top-coding:p=2,attributes=health", "-o", released)
    assert read_sidecar(sidecar_path(released)).schema["health"].levels == ("poor", "fair", "good")
    asked = {
        "schema": schema,
        "measures": ["reidentification"],
        "attacks": ["dbrl", "prl"],
        "known": ["health"],
    }
    with_it, without = (
        unmask.assess(str(original), str(released), sidecar=sidecar, **asked) for sidecar in (True, False)
    )
    assert found(with_it) == found(without)


def test_the_report_shows_both_schemas(levelled: Path) -> None:
    original, released = levelled / "original.csv", levelled / "released.csv"
    schema = ("--schema", levelled / "schema.toml")
    went("mask", original, *schema, "--mask", "global-recoding:p=3,attributes=town", "-o", released)
    few = ("--attacks", "dbrl", "--measures", "reidentification", "--html", levelled / "risk.html")
    went("assess", original, released, *schema, *few)
    both = "nominal with 4 levels in the original, nominal with 2 levels in the release"
    assert both in (levelled / "risk.html").read_text()


def test_the_file_beside_a_release_is_its_schema(levelled: Path) -> None:
    original, released = levelled / "original.csv", levelled / "released.csv"
    schema = ("--schema", levelled / "schema.toml")
    written = levelled / "released.toml"
    went("mask", original, *schema, "--mask", CHANGING[0], "-o", released, "--write-schema", written)
    assert read_schema(written) == read_schema(sidecar_path(released))
    assert "global-recoding" not in written.read_text()
    went("mask", released, "--schema", sidecar_path(released), "--mask", "pram:p=1", "-o", levelled / "2.csv")
    copy = levelled / "copy.csv"
    copy.write_bytes(released.read_bytes())
    few = ("--attacks", "dbrl", "--measures", "reidentification", "--released-schema", sidecar_path(released))
    went("assess", original, copy, *schema, *few)


def test_noise_makes_no_age_negative_unless_it_is_exact(levelled: Path) -> None:
    original, released = levelled / "original.csv", levelled / "released.csv"
    asked = ("mask", original, "--schema", levelled / "schema.toml", "--mask", "noise:a=1", "-o", released)
    went(*asked, "--save-request", levelled / "mask.toml")
    frame = pl.read_csv(released)
    assert frame.schema == pl.read_csv(original).schema
    assert frame["age"].min() == 0
    assert frame["pay"].min() == 0
    went(*asked, "--exact", "--save-request", levelled / "exact.toml")
    exact = pl.read_csv(released)
    assert (exact["age"] < 0).any()
    went("run", levelled / "exact.toml", "-o", levelled / "again.csv")
    assert pl.read_csv(levelled / "again.csv").equals(exact)
