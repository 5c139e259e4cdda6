"""assess(): what goes in, what comes out, and numbers worked by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import unmask
from unmask import Column, Kind, Masked, Microdata, Request, RequestFiles, Role, Scenario, Schema
from unmask.assessment.request_file import from_toml, to_toml
from unmask.attacks import ATTACKS, DBRL
from unmask.data.loading import original_file
from unmask.documents.sections import KnownAttribute
from unmask.errors import ArgumentError, DataError, UnmaskError
from unmask.masks import Microaggregation, Noise
from unmask.masks.release import as_released
from unmask.measures import MEASURES
from unmask.measures.estimate import NotEstimable
from unmask.randomness import generator
from unmask.report import headline

NUMBERS = ["value", "low", "high", "n", "baseline", "p_value", "unit", "reason"]
COLUMNS = ["attack", "measure", "subject", *NUMBERS, "scenario"]
#: The release is noisy, so that an intruder can guess how it was protected.
USUAL = [*ATTACKS, "guessed-mechanism"]
REAL = [name for name in USUAL if name != "guess"]


def people(n: int = 40, seed: int = 3) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(18, 90, n).astype(float) + 0.5,
            "income": np.round(rng.lognormal(7, 1, n), 2),
            "sex": np.array(["f", "m"])[rng.integers(0, 2, n)],
        }
    )


PEOPLE = people()
RELEASED = unmask.mask(PEOPLE, Noise(a=0.3), seed=2)

# One nominal attribute and four people; the released category of the second and of the last is not theirs.
#   'a' ties with three records; 'b' is as far from all four; 'c' stands alone; the last 'c' has a closer one.
TIED = Schema((Column("x", Kind.NOMINAL),))
TIED_ORIGINAL = Microdata(TIED, pl.DataFrame({"x": ["a", "b", "c", "c"]}))
TIED_RELEASED = pl.DataFrame({"x": ["a", "a", "c", "a"]})


def value(risk: unmask.Assessment, attack: str, measure: str = "reidentification") -> float:
    return float(risk.table().filter(attack=attack, measure=measure)["value"].item())


def of_attacks(risk: unmask.Assessment) -> pl.DataFrame:
    """What every attack is measured by: without the measures of the file, and of claims to be certain."""
    found = risk.table().filter(pl.col("attack").is_not_null())
    return found.filter(pl.col("measure").str.starts_with("reidentification"))


def numbers(risk: unmask.Assessment, *attacks: str) -> list[tuple[object, ...]]:
    table = of_attacks(risk)
    return table.filter(pl.col("attack").is_in(attacks)).rows() if attacks else table.rows()


@pytest.fixture(scope="module")
def everything() -> unmask.Assessment:
    """Every usual attack and measure."""
    return unmask.assess(PEOPLE, RELEASED)


# --- what goes in ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "convert",
    [pl.DataFrame.lazy, pl.DataFrame.to_pandas, pl.DataFrame.to_arrow],
    ids=["lazy", "pandas", "pyarrow"],
)
def test_every_frame_gives_the_same_numbers(convert: Callable[[pl.DataFrame], object]) -> None:
    expected = unmask.assess(PEOPLE, RELEASED, attacks=["guess", "dbrl"]).table()
    assert unmask.assess(convert(PEOPLE), RELEASED, attacks=["guess", "dbrl"]).table().equals(expected)
    assert unmask.assess(PEOPLE, convert(RELEASED), attacks=["guess", "dbrl"]).table().equals(expected)


def test_paths_and_microdata_give_the_same_numbers(tmp_path: Path) -> None:
    expected = unmask.assess(PEOPLE, RELEASED, attacks=["dbrl"]).table()
    PEOPLE.write_csv(tmp_path / "original.csv")
    RELEASED.write_parquet(tmp_path / "released.parquet")
    by_path = unmask.assess(tmp_path / "original.csv", str(tmp_path / "released.parquet"), attacks=["dbrl"])
    assert by_path.table().equals(expected)
    data = original_file(PEOPLE)
    assert unmask.assess(data, RELEASED, attacks=["dbrl"]).table().equals(expected)
    assert unmask.assess(data, original_file(RELEASED), attacks=["dbrl"]).table().equals(expected)


def test_a_mask_its_masked_file_and_its_frame_give_the_same_numbers() -> None:
    mask = Noise(a=0.3)
    by_mask = unmask.assess(PEOPLE, mask, attacks=["dbrl"], seed=2)
    original = original_file(PEOPLE)
    masked = as_released(original, mask.apply(original, generator(2, "mask", mask.name)))
    assert unmask.assess(PEOPLE, masked, attacks=["dbrl"], seed=2).table().equals(by_mask.table())
    assert unmask.assess(PEOPLE, RELEASED, attacks=["dbrl"], seed=2).table().equals(by_mask.table())


def test_attacks_are_names_or_objects(everything: unmask.Assessment) -> None:
    by_name = unmask.assess(PEOPLE, RELEASED, attacks=["dbrl"])
    assert unmask.assess(PEOPLE, RELEASED, attacks=[DBRL()]).table().equals(by_name.table())
    assert set(of_attacks(everything)["attack"]) == {*USUAL, "union"}


def test_a_schema_decides_what_is_compared() -> None:
    schema = Schema((Column("age"), Column("income", role=Role.CONFIDENTIAL)))
    risk = unmask.assess(PEOPLE, RELEASED, schema=schema, attacks=["dbrl"])
    assert risk.document.scenario.attributes == (KnownAttribute("age", "numeric"),)
    assert risk.table().equals(
        unmask.assess(PEOPLE, RELEASED, schema=schema, known=["age"], attacks=["dbrl"])
        .table()
        .with_columns(scenario=pl.lit("knows all common attributes of 40 people"))
    )


BAD: dict[str, tuple[Callable[[], object], str]] = {
    "known and scenario": (
        lambda: unmask.assess(PEOPLE, RELEASED, known=["age"], scenario=Scenario()),
        "both known and a scenario",
    ),
    "known as text": (lambda: unmask.assess(PEOPLE, RELEASED, known="age"), r"known=\['age'\]"),
    "attacks as text": (lambda: unmask.assess(PEOPLE, RELEASED, attacks="dbrl"), r"attacks=\['dbrl'\]"),
    "measures as text": (lambda: unmask.assess(PEOPLE, RELEASED, measures="x"), r"measures=\['x'\]"),
    "no attack": (lambda: unmask.assess(PEOPLE, RELEASED, attacks=[]), "no attack is named"),
    "no measure": (lambda: unmask.assess(PEOPLE, RELEASED, measures=[]), "no measure is named"),
    "unknown attack": (lambda: unmask.assess(PEOPLE, RELEASED, attacks=["dbr"]), "did you mean 'dbrl'"),
    "unknown measure": (lambda: unmask.assess(PEOPLE, RELEASED, measures=["reid"]), "reidentification"),
    "depth": (lambda: unmask.assess(PEOPLE, RELEASED, depth=0), "depth is 0"),
    "sizes": (lambda: unmask.assess(PEOPLE, RELEASED.head(3)), "40 records .* 3"),
    "no frame": (lambda: unmask.assess(PEOPLE, 3), "type int"),
    "empty frame": (lambda: unmask.assess(PEOPLE, RELEASED.head(0)), "no records"),
    "no common column": (
        lambda: unmask.assess(PEOPLE, pl.DataFrame({"z": [1.5] * 40})),
        "no column in common",
    ),
    "text against numbers": (
        lambda: unmask.assess(PEOPLE.with_columns(age=pl.Series(["x", "y"] * 20)), RELEASED),
        "'age' holds categories in the original file and numbers in the released",
    ),
    "origin beyond the file": (
        lambda: unmask.assess(PEOPLE, Masked(original_file(RELEASED), np.arange(1, 41))),
        "row 40 of 40",
    ),
    "truth beside a masked file": (
        lambda: unmask.assess(PEOPLE, Masked(original_file(RELEASED), np.arange(40)), truth="age"),
        "knows its origin",
    ),
    "too few origins": (lambda: Masked(original_file(RELEASED), np.arange(3)), "3 origins for 40"),
    "an origin twice": (lambda: Masked(original_file(RELEASED), np.zeros(40, int)), "one original record"),
}


@pytest.mark.parametrize("name", BAD)
def test_mistakes_are_said_in_one_line(name: str) -> None:
    mistake, says = BAD[name]
    with pytest.raises(UnmaskError, match=says) as caught:
        mistake()
    assert "\n" not in str(caught.value)
    assert caught.value.hint


# --- what comes out -------------------------------------------------------------------------------------


def test_the_table_has_the_promised_columns(everything: unmask.Assessment) -> None:
    assert everything.table().columns == COLUMNS
    table = of_attacks(everything)
    assert table.height == 3 * (len(USUAL) + 1)
    assert (
        table.select(pl.col("value", "low", "high", "baseline", "p_value").is_between(0, 1).all()).row(0)
        == (True,) * 5
    )
    document = everything.document
    of_losses = pl.col("measure").is_in(document.losses)
    of_file = everything.table().filter(pl.col("attack").is_null(), ~of_losses)
    measured = len(document.of_file) + len(document.table.inapplicable)
    assert of_file.height == len(everything.rows) == measured
    assert len(document.of_file) > 0
    assert set(of_file["unit"]) <= {"share", "count", "level"}
    assert table.select((pl.col("low") <= pl.col("value")).all()).item()
    assert table.select((pl.col("value") <= pl.col("high")).all()).item()
    assert table["n"].unique().to_list() == [40]


def test_the_worst_attack_is_the_highest_value(everything: unmask.Assessment) -> None:
    risk, worst = everything, everything.worst()
    assert worst.keys.measure == "reidentification"
    assert worst.estimate.value == max(value(risk, attack) for attack in USUAL)
    assert risk.document.worst == worst.keys.attack
    strict = risk.worst("reidentification-strict")
    assert strict.estimate.value == max(value(risk, attack, "reidentification-strict") for attack in USUAL)
    with pytest.raises(ArgumentError, match="no attack has a value of 'membership'"):
        risk.worst("membership")


def test_an_attack_that_does_no_better_than_a_guess_is_not_the_worst() -> None:
    constant = PEOPLE.with_columns(age=1.5, income=1.5, sex=pl.lit("f"))
    risk = unmask.assess(PEOPLE, constant, known=["age", "income"], attacks=["guess", "dbrl"])
    assert value(risk, "dbrl") == pytest.approx(1 / 40)
    assert risk.worst().keys.attack == "guess"
    assert headline(risk.document).startswith("No attack tried does better than guessing")


def test_json_and_html_are_what_is_written(tmp_path: Path) -> None:
    risk = unmask.assess(PEOPLE, RELEASED, attacks=["guess", "dbrl"], seed=4)
    text = risk.to_json(tmp_path / "risk.json")
    assert (tmp_path / "risk.json").read_text() == text
    document: dict[str, Any] = json.loads(text)
    assert (document["format"], document["version"], document["seed"]) == ("unmask-assessment", 2, 4)
    columns = COLUMNS[:-1]  # the scenario is the same for all rows: it stands beside the table
    assert [list(row) for row in risk.table(conclusion=True).select(columns).rows()] == [
        [row.get(name) for name in columns] for row in document["table"]
    ]
    assert set(risk.table()["scenario"]) == {document["scenario"]["text"]}
    assert unmask.Assessment.from_json(tmp_path / "risk.json").to_json() == text
    report = risk.to_html(tmp_path / "risk.html")
    assert (tmp_path / "risk.html").read_text() == report
    assert "<html" in report


def test_ties_are_read_strictly_in_expectation_and_leniently() -> None:
    risk = unmask.assess(TIED_ORIGINAL, TIED_RELEASED, attacks=["dbrl"])
    assert value(risk, "dbrl") == pytest.approx((1 / 3 + 1 / 4 + 1 + 0) / 4)
    assert value(risk, "dbrl", "reidentification-strict") == 1 / 4
    assert value(risk, "dbrl", "reidentification-lenient") == 3 / 4
    chance = dict(of_attacks(risk).select("measure", "baseline").rows())
    assert chance["reidentification"] == chance["reidentification-strict"] == 1 / 4
    assert chance["reidentification-lenient"] == pytest.approx((3 + 4 + 1 + 1) / 4 / 4)


def test_the_records_say_how_each_stands() -> None:
    records = unmask.assess(TIED_ORIGINAL, TIED_RELEASED, attacks=["guess", "dbrl"]).records()
    assert records["row"].to_list() == [0, 1, 2, 3]
    assert records["guess_belief"].to_list() == [1 / 4] * 4
    assert records["dbrl_belief"].to_list() == pytest.approx([1 / 3, 1 / 4, 1, 0])
    assert records["dbrl_closer"].to_list() == [0, 0, 0, 1]
    assert records["dbrl_tied"].to_list() == [3, 4, 1, 3]
    assert records["dbrl_p_value"].to_list() == [3 / 4, 1, 1 / 4, 1]
    assert records["highest_belief"].to_list() == records["dbrl_belief"].to_list()


def test_depth_bounds_what_is_counted_and_no_rate() -> None:
    deep, shallow = (unmask.assess(PEOPLE, RELEASED, attacks=["dbrl"], depth=d) for d in (40, 1))
    assert shallow.table().equals(deep.table())
    assert shallow.records()["dbrl_closer"].to_list() == deep.records()["dbrl_closer"].clip(0, 1).to_list()
    missed = shallow.records().filter(pl.col("dbrl_closer") == 1)
    assert missed["dbrl_tied"].null_count() == missed.height > 0


# --- who is in the release ------------------------------------------------------------------------------


def test_people_who_are_not_released_do_not_count() -> None:
    original = TIED_ORIGINAL.frame.with_columns(id=pl.Series(["p", "q", "r", "s"]))
    released = pl.DataFrame({"id": ["s", "nobody", "r"], "x": ["c", "c", "a"]})
    risk = unmask.assess(original, released, schema=TIED, truth="id", known=["x"], attacks=["dbrl"])
    sizes = risk.document.sizes
    assert (sizes.original, sizes.released, sizes.present) == (4, 3, 2)
    # The third person's record is an 'a', and two 'c' are closer; the last one's ties with nobody's 'c'.
    assert value(risk, "dbrl") == pytest.approx((0 + 1 / 2) / 2)
    assert of_attacks(risk)["n"].to_list() == [2, 2, 2]
    assert of_attacks(risk)["baseline"][0] == 1 / 3
    records = risk.records()
    assert records["dbrl_closer"].to_list() == [None, None, 2, 0]
    assert records["dbrl_belief"].to_list() == [None, None, 0, 1 / 2]


def test_not_estimable_is_no_zero(tmp_path: Path) -> None:
    masked = Masked(original_file(RELEASED), np.r_[0, np.full(39, -1)])
    scenario = Scenario(targets=1)
    seeds = iter(range(20))
    asked: dict[str, Any] = {"scenario": scenario, "attacks": REAL, "measures": list(MEASURES)}
    while (risk := unmask.assess(PEOPLE, masked, **asked, seed=next(seeds))).document.sizes.present:
        continue
    assert risk.table()["value"].null_count() == risk.table().height
    assert {row.estimate.reason for row in risk.document.table} == {"no target has a released record"}
    assert risk.document.worst is None
    with pytest.raises(ArgumentError, match="no attack has a value"):
        risk.worst()
    assert "not estimable" in risk.to_html()


def test_an_identifier_that_is_still_released_is_noted() -> None:
    original = PEOPLE.with_columns(passport=pl.Series([f"AB{i}" for i in range(40)]))
    schema = Schema((Column("age"), Column("passport", Kind.NOMINAL, Role.IDENTIFIER)))
    released = RELEASED.with_columns(original["passport"])
    risk = unmask.assess(original, released, schema=schema, attacks=["dbrl"])
    (note,) = (note for note in risk.document.notes if "passport" in note)
    assert note.startswith("the released file still holds 'passport': an identifier: 40 of 40 values")
    by_key = unmask.assess(original, released, schema=schema, truth="passport", attacks=["dbrl"])
    (note,) = (note for note in by_key.document.notes if "passport" in note)
    assert "the key that tells who is who" in note


def test_a_key_stored_in_another_type_is_the_same_key() -> None:
    original = PEOPLE.with_columns(id=pl.int_range(40))
    expected = unmask.assess(original, RELEASED, known=["age", "income"], attacks=["dbrl"]).table()
    for dtype in (pl.Float64, pl.String, pl.UInt8):
        released = RELEASED.with_columns(id=pl.int_range(40).cast(dtype)).reverse()
        risk = unmask.assess(original, released, truth="id", known=["age", "income"], attacks=["dbrl"])
        assert risk.table().equals(expected)


def test_a_missing_key_is_nobodys() -> None:
    original = PEOPLE.with_columns(id=pl.int_range(40))
    released = RELEASED.with_columns(id=pl.when(pl.int_range(40) < 10).then(None).otherwise(pl.int_range(40)))
    risk = unmask.assess(original, released, truth="id", attacks=["dbrl"])
    assert risk.document.sizes.present == 30


# --- many attacks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_the_union_is_never_below_the_best_attack(seed: int) -> None:
    original = people(30, seed)
    risk = unmask.assess(original, Noise(a=1.0), seed=seed)
    for measure in of_attacks(risk)["measure"].unique():
        best = max(value(risk, attack, measure) for attack in REAL)
        together = value(risk, "union", measure)
        assert best - 1e-12 <= together <= sum(value(risk, attack, measure) for attack in REAL) + 1e-12


def test_one_attack_has_no_union() -> None:
    assert "union" not in unmask.assess(PEOPLE, RELEASED, attacks=["guess", "dbrl"]).table()["attack"]


def test_adding_an_attack_moves_no_other_number() -> None:
    scenario = Scenario(targets=0.5, error=0.3)
    whole = unmask.assess(PEOPLE, Noise(a=0.3), scenario=scenario, seed=9)
    for attack in ATTACKS:
        alone = unmask.assess(PEOPLE, Noise(a=0.3), scenario=scenario, attacks=[attack], seed=9)
        assert numbers(alone) == numbers(whole, attack)
        assert alone.records()["row"].equals(whole.records()["row"])


def test_a_seed_settles_the_numbers() -> None:
    first, again, other = (unmask.assess(PEOPLE, Noise(a=0.3), seed=seed).to_json() for seed in (1, 1, 2))
    assert first == again != other


# --- mask() ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("convert", "kind"),
    [
        (lambda frame: frame, pl.DataFrame),
        (pl.DataFrame.lazy, pl.LazyFrame),
        (pl.DataFrame.to_pandas, pd.DataFrame),
        (pl.DataFrame.to_arrow, pa.Table),
    ],
    ids=["polars", "lazy", "pandas", "pyarrow"],
)
def test_mask_returns_a_frame_like_the_one_given(
    convert: Callable[[pl.DataFrame], Any], kind: type[object]
) -> None:
    masked = unmask.mask(convert(PEOPLE), Microaggregation(k=3), seed=1)
    assert type(masked) is kind
    frame = pl.DataFrame(masked.collect() if isinstance(masked, pl.LazyFrame) else masked)
    assert frame.columns == PEOPLE.columns
    assert frame["sex"].to_list() == PEOPLE["sex"].to_list()
    assert frame.group_by("age", "income").len()["len"].min() >= 3
    assert frame.drop("sex").equals(unmask.mask(PEOPLE, Microaggregation(k=3), seed=1).drop("sex"))


def test_mask_keeps_a_pandas_index_and_what_the_schema_leaves_out() -> None:
    frame = PEOPLE.to_pandas().set_index(pd.Index(range(100, 140)))
    masked = unmask.mask(frame, Noise(a=1), seed=1, schema=Schema((Column("age"),)))
    assert masked.index.equals(frame.index)
    assert masked["income"].equals(frame["income"])
    assert not masked["age"].equals(frame["age"])
    with pytest.raises(DataError, match="no column 'height'"):
        unmask.mask(frame, Noise(a=1), schema=Schema((Column("height"),)))


def test_a_synthetic_file_has_nobody_to_find_and_any_length(tmp_path: Path) -> None:
    original, others = people(200, 1), people(100, 2)
    found = unmask.assess(original, original.head(150), synthetic=True, holdout=others)
    assert found.runs == ()
    values = {row.keys.measure: row.estimate.value for row in found.rows if row.keys.subject in (None, "AUC")}
    assert values["membership-distance"] > 0.8
    assert isinstance(values["k-anonymity"], NotEstimable)
    assert not values["k-anonymity"].applicable
    found.to_html(tmp_path / "report.html")
    assert found.records().height == 200
    for wrong in ({"attacks": ["dbrl"]}, {"mechanism": "noise:a=0.1"}):
        with pytest.raises(ArgumentError, match="synthetic"):
            unmask.assess(original, original, synthetic=True, **wrong)
    with pytest.raises(ArgumentError, match="synthetic"):
        unmask.assess(original, Masked.by_order(*[original_file(original)] * 2), synthetic=True)


def synthesised(frame: pl.DataFrame) -> pl.DataFrame:
    """One attribute kept, one perturbed, and two drawn anew, with values that the original does not have."""
    rng = np.random.default_rng(8)
    n = frame.height
    return frame.with_columns(
        pl.Series("income", frame["income"].to_numpy() * rng.lognormal(0, 0.05, n)),
        pl.Series("age", rng.normal(50, 20, n)),
        pl.Series("town", [f"made-{i}" for i in rng.integers(0, 5, n)]),
    )


@pytest.mark.parametrize("truth", ["id", "rows"])
def test_a_synthetic_file_whose_synthesiser_kept_who_is_who_is_attacked(truth: str) -> None:
    rng = np.random.default_rng(4)
    original = people(200, 1).with_columns(
        pl.Series("town", rng.choice(["north", "south"], 200)), pl.Series("id", [f"p{i}" for i in range(200)])
    )
    released = synthesised(original)
    if truth == "id":
        released = released.sample(fraction=1.0, shuffle=True, seed=2)
    else:
        original, released = original.drop("id"), released.drop("id")
    asked: dict[str, Any] = {"truth": truth, "known": ["age", "income", "sex", "town"]}
    found = unmask.assess(original, released, synthetic=True, **asked)
    assert found.worst().estimate.value > 0.1
    # The attacks are those on any release; only what is said of it differs.
    plain = unmask.assess(original, released, **asked)
    assert found.worst().estimate.value == plain.worst().estimate.value
    understood = found.document.understood
    assert understood is not None
    assert understood.rows.short.startswith(
        "The release is synthetic, and the synthesiser kept who is who. R"
    )
    changes = {change.attribute: change.what for change in understood.changes}
    assert changes["sex"] == "unchanged"
    assert changes["age"] != "unchanged"
    # Who shares a synthesised key need not be that person.
    values = {row.keys.measure: row.estimate.value for row in found.rows}
    assert not values["k-anonymity"].applicable
    assert values["interval-sd"] is not None
    told = "The synthesiser kept who is who, so the attacks link"
    assert [told in one.to_html() for one in (found, plain)] == [True, False]


def test_a_request_for_links_to_a_synthetic_file_is_written_and_answered_again(tmp_path: Path) -> None:
    original = people(60, 1)
    original.write_csv(tmp_path / "original.csv")
    synthesised(original.with_columns(town=pl.lit("north"))).write_csv(tmp_path / "released.csv")
    files = RequestFiles(
        str(tmp_path / "original.csv"), str(tmp_path / "released.csv"), truth="rows", synthetic=True
    )
    request = Request(files, attacks=("dbrl",))
    written = to_toml(request)
    assert 'truth = "rows"' in written
    assert "synthetic = true" in written
    assert from_toml(written) == request
    assert [attack.name for attack in unmask.run(request).document.attacks] == ["dbrl"]
