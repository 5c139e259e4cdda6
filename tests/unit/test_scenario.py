"""Scenario: what the intruder sees, of whom and how well, and how missing values compare."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import unmask
from unmask import Column, Kind, Masked, Microdata, Missing, Role, Scenario, Schema, Source
from unmask.data.correspondence import ReleaseTerms
from unmask.data.loading import pair
from unmask.errors import ArgumentError, DataError
from unmask.masks import Noise

N = 60
SCHEMA = Schema(
    (
        Column("passport", Kind.NOMINAL, Role.IDENTIFIER),
        Column("age"),
        Column("income"),
        Column("sex", Kind.NOMINAL),
        Column("health", Kind.ORDINAL, levels=("bad", "fair", "good")),
        Column("diagnosis", Kind.NOMINAL, Role.CONFIDENTIAL),
        Column("weight", role=Role.WEIGHT),
        Column("household", Kind.NOMINAL, Role.HOUSEHOLD),
        Column("note", Kind.NOMINAL, Role.IGNORED),
    )
)


def file(n: int = N) -> Microdata:
    rng = np.random.default_rng(5)
    frame = pl.DataFrame(
        {
            "passport": [f"AB{i}" for i in range(n)],
            "age": rng.normal(50, 10, n),
            "income": rng.lognormal(7, 1, n),
            "sex": np.array(["f", "m"])[rng.integers(0, 2, n)],
            "health": np.array(["bad", "fair", "good"])[rng.integers(0, 3, n)],
            "diagnosis": np.array(["none", "asthma"])[rng.integers(0, 2, n)],
            "weight": rng.uniform(1, 9, n),
            "household": [f"H{i // 2}" for i in range(n)],
            "note": ["x"] * n,
        }
    )
    return Microdata(SCHEMA, frame)


ORIGINAL = file()
SAME = Masked(ORIGINAL, np.arange(N))
KNOWN = ("age", "income", "sex", "health")


def rate(
    scenario: Scenario, original: object = ORIGINAL, released: object = SAME, attack: str = "dbrl"
) -> float:
    risk = unmask.assess(
        original, released, scenario=scenario, attacks=[attack], measures=["reidentification"]
    )
    found = risk.worst().estimate.number
    assert found is not None
    return found


# --- what the intruder sees -----------------------------------------------------------------------------


def test_the_dossier_holds_what_an_intruder_may_see() -> None:
    dossier, _, _ = Scenario().stage(ORIGINAL, SAME, 0)
    assert dossier.attributes == KNOWN
    assert dossier.known.frame.columns == list(KNOWN)
    assert set(dossier.released.frame.columns) == {*KNOWN, "diagnosis"}


@pytest.mark.parametrize("in_schema", [True, False])
def test_the_dossier_never_holds_the_key(in_schema: bool) -> None:
    schema = SCHEMA if in_schema else SCHEMA.only(["age", "sex"])
    frame = ORIGINAL.frame.with_columns(key=pl.int_range(N))
    with_key = Schema((*schema, Column("key"))) if in_schema else schema
    files = pair(frame, frame, with_key, "key")
    dossier, _, _ = Scenario().stage(files.original, files.masked, 0)
    for data in (dossier.known, dossier.released):
        assert {"key", "passport"}.isdisjoint(data.frame.columns)


def test_the_release_is_shuffled_and_the_truth_follows() -> None:
    dossier, truth, targets = Scenario().stage(ORIGINAL, SAME, 0)
    assert targets.tolist() == list(range(N))
    assert truth.row.tolist() != list(range(N))
    assert sorted(truth.row.tolist()) == list(range(N))
    names = list(KNOWN)
    assert dossier.released.frame[truth.row].select(names).equals(dossier.known.frame.select(names))
    _, other, _ = Scenario().stage(ORIGINAL, SAME, 1)
    assert other.row.tolist() != truth.row.tolist()


def test_the_truth_knows_who_is_missing_and_who_is_nobody() -> None:
    origin = np.array([7, -1, 3, -1, 0])
    masked = Masked(ORIGINAL.take(np.array([7, 8, 3, 9, 0])), origin)
    dossier, truth, _ = Scenario().stage(ORIGINAL, masked, 0)
    assert truth.present.tolist() == [0, 3, 7]
    found = dossier.released.frame[truth.row[truth.present]]
    assert found["age"].to_list() == ORIGINAL.frame["age"][[0, 3, 7]].to_list()


def test_known_attributes_are_those_named_in_that_order() -> None:
    dossier, _, _ = Scenario(known=("sex", "age")).stage(ORIGINAL, SAME, 0)
    assert dossier.attributes == ("sex", "age")
    few, more = rate(Scenario(known=("sex",))), rate(Scenario(known=("sex", "health")))
    assert few < more < rate(Scenario(known=("sex", "health", "age"))) == 1


def test_what_is_not_released_is_not_known() -> None:
    masked = Masked(ORIGINAL.only(["age", "sex"]), np.arange(N))
    assert Scenario().attributes(ORIGINAL, masked.data) == ("age", "sex")
    with pytest.raises(DataError, match="no column 'income'"):
        Scenario(known=("age", "income")).attributes(ORIGINAL, masked.data)


# --- of whom --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("targets", "count"), [(10, 10), (0.25, 15), (None, N), (0.001, 1), (1, 1)])
def test_the_intruder_knows_so_many_people(targets: float | None, count: int) -> None:
    dossier, truth, rows = Scenario(targets=targets).stage(ORIGINAL, SAME, 0)
    assert len(dossier.known) == len(truth.row) == len(rows) == count
    assert len(np.unique(rows)) == count
    assert dossier.known.frame["age"].to_list() == ORIGINAL.frame["age"][rows].to_list()
    assert len(dossier.released) == N


def test_the_people_they_know_are_drawn_by_the_seed() -> None:
    drawn = [Scenario(targets=10).stage(ORIGINAL, SAME, seed)[2].tolist() for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_only_the_people_they_know_are_counted() -> None:
    risk = unmask.assess(ORIGINAL, SAME, scenario=Scenario(targets=20), attacks=["guess", "dbrl"])
    assert risk.table().drop_nulls("attack")["n"].unique().to_list() == [20]
    assert risk.records().height == 20
    assert risk.document.sizes.targets == risk.document.sizes.present == 20
    assert "20 people" in risk.document.scenario.text


# --- how well -------------------------------------------------------------------------------------------


def test_no_error_changes_nothing() -> None:
    dossier, _, _ = Scenario(error=0).stage(ORIGINAL, SAME, 0)
    assert dossier.known.frame.equals(ORIGINAL.frame.select(KNOWN))
    plain = unmask.assess(ORIGINAL, Noise(a=0.2), attacks=["dbrl"])
    assert (
        unmask.assess(ORIGINAL, Noise(a=0.2), scenario=Scenario(error=0.0), attacks=["dbrl"])
        .table()
        .equals(plain.table())
    )


def test_error_touches_their_knowledge_alone() -> None:
    dossier, truth, _ = Scenario(error=0.5).stage(ORIGINAL, SAME, 0)
    assert dossier.released.frame[truth.row]["age"].to_list() == ORIGINAL.frame["age"].to_list()
    known = dossier.known.frame
    off = known["age"].to_numpy() - ORIGINAL.frame["age"].to_numpy()
    assert 0.3 < off.std() / ORIGINAL.frame["age"].to_numpy().std() < 0.7
    wrong = int((known["sex"] != ORIGINAL.frame["sex"]).sum())
    assert 15 < wrong < 45
    assert set(known["health"].unique()) <= {"bad", "fair", "good"}


def test_more_error_finds_fewer_people() -> None:
    rates = [rate(Scenario(known=("age", "income"), error=error)) for error in (0, 0.2, 2)]
    assert rates[0] == 1
    assert rates[0] > rates[1] > rates[2]


def test_error_leaves_missing_values_missing() -> None:
    frame = ORIGINAL.frame.with_columns(
        age=pl.when(pl.int_range(N) < 5).then(None).otherwise("age"),
        sex=pl.when(pl.int_range(N) < 7).then(None).otherwise("sex"),
        income=pl.lit(None, pl.Float64),
    )
    data = Microdata(SCHEMA, frame)
    dossier, _, _ = Scenario(error=1).stage(data, Masked(data, np.arange(N)), 0)
    counts = dossier.known.frame.null_count().row(0, named=True)
    assert (counts["age"], counts["sex"], counts["income"]) == (5, 7, N)


# --- missing values -------------------------------------------------------------------------------------

# Three people, two nominal attributes; a difference counts 1. The values of the pairs, one row per target:
#
#   known    released:  (a, u)   (-, u)   (a, v)
#   (a, u)              0        0 + m    1
#   (-, u)              0 + m    0 + m    1 + m
#   (b, v)              2        1 + m    1
#
# with m = 1 under mismatch, m = 1 (0 for two missing values) under category, m = 0 under wildcard; under
# ignore the attribute that is there counts twice: (a, u) to (-, u) is 0, (b, v) to (-, u) is 2. Under
# suppressed m is nearly 0 in the second column (0 for two missing values), and 1 elsewhere in the second row.
ATTRIBUTES = Schema((Column("x", Kind.NOMINAL), Column("y", Kind.NOMINAL)))
KNOWN_THREE = Microdata(ATTRIBUTES, pl.DataFrame({"x": ["a", None, "b"], "y": ["u", "u", "v"]}))
RELEASED_THREE = pl.DataFrame({"x": ["a", None, "a"], "y": ["u", "u", "v"]})
BELIEFS = {
    Missing.MISMATCH: [1, 1 / 2, 1],
    Missing.CATEGORY: [1, 1, 1],
    Missing.IGNORE: [1 / 2, 1 / 2, 1],
    Missing.WILDCARD: [1 / 2, 1 / 2, 1 / 2],
    Missing.SUPPRESSED: [1, 1, 1],
}


@pytest.mark.parametrize("attack", ["dbrl", "rbrl-sum", "dbrl:scale=published"])
@pytest.mark.parametrize("missing", Missing)
def test_every_policy_for_missing_values(missing: Missing, attack: str) -> None:
    # Taken literally: three records would show that "b" became "a".
    literal = Masked(Microdata(ATTRIBUTES, RELEASED_THREE), np.arange(3), ReleaseTerms())
    risk = unmask.assess(KNOWN_THREE, literal, scenario=Scenario(missing=missing), attacks=[attack])
    beliefs = BELIEFS[missing]
    if missing is Missing.WILDCARD and attack != "dbrl:scale=published":
        beliefs = [1 / 2, 1 / 2, 1]  # x is the same for all in the release: y, the record's own, counts more
    assert risk.records()[f"{attack}_belief"].to_list() == beliefs
    assert risk.document.scenario.missing == missing.value


@pytest.mark.parametrize("missing", Missing)
def test_every_policy_serves_numbers_too(missing: Missing) -> None:
    numbers = pl.DataFrame({"x": [1.5, None, 3.5]})
    data = Microdata(Schema((Column("x"),)), numbers)
    belief = {
        Missing.MISMATCH: [1, 1 / 3, 1],  # a missing value is the range away from everything
        Missing.CATEGORY: [1, 1, 1],
        Missing.WILDCARD: [1 / 2, 1 / 3, 1 / 2],
        Missing.IGNORE: [1 / 2, 1 / 3, 1 / 2],  # a pair without any attribute differs in none
        Missing.SUPPRESSED: [1, 1, 1],  # what is hidden agrees less than what agrees
    }
    risk = unmask.assess(data, numbers, scenario=Scenario(missing=missing), attacks=["dbrl"])
    assert risk.records()["dbrl_belief"].to_list() == pytest.approx(belief[missing])


# --- mistakes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"known": ()}, "no attribute"),
        ({"known": ("age", "age")}, "twice"),
        ({"known": "age"}, "not names"),
        ({"targets": 0}, "at least 1"),
        ({"targets": -3}, "at least 1"),
        ({"targets": 0.0}, "above 0"),
        ({"targets": 1.5}, "below 1"),
        ({"targets": 1.0}, "1 is one person"),
        ({"targets": float("nan")}, "share"),
        ({"error": -0.1}, "error is -0.1"),
        ({"error": float("nan")}, "error is nan"),
        ({"error": float("inf")}, "error is inf"),
        ({"error": 1e300}, "error is 1e"),
    ],
    ids=str,
)
def test_a_scenario_checks_itself(fields: dict[str, object], says: str) -> None:
    with pytest.raises(ArgumentError, match=says) as caught:
        Scenario(**fields)  # type: ignore[arg-type]
    assert caught.value.hint


def test_they_cannot_know_more_people_than_there_are() -> None:
    with pytest.raises(ArgumentError, match="61 targets of 60 people"):
        Scenario(targets=61).stage(ORIGINAL, SAME, 0)


def test_files_without_a_common_quasi_identifier_cannot_be_compared() -> None:
    masked = Masked(ORIGINAL.only(["weight", "diagnosis"]), np.arange(N))
    dossier, _, _ = Scenario().stage(ORIGINAL, masked, 0)
    with pytest.raises(ArgumentError, match="share no quasi-identifier"):
        _ = dossier.attributes


def test_the_scenario_in_words() -> None:
    assert Scenario().describe(10) == "knows all common attributes of 10 people"
    words = Scenario(known=("age",), targets=0.5, error=0.25).describe(10)
    assert words == "knows 1 attribute of 5 people, with an error of 0.25 sd"
    assert Scenario(known=("age", "sex"), targets=1).describe(10) == "knows 2 attributes of 1 person"


def test_a_release_that_drops_rows_is_held_against_the_same_people():
    fewer = Masked(ORIGINAL.take(np.arange(50)), np.arange(50))
    scenario = Scenario(targets=20, error=0.3)
    whole, part = scenario.stage(ORIGINAL, SAME, 3), scenario.stage(ORIGINAL, fewer, 3)
    assert whole[2].tolist() == part[2].tolist()
    assert whole[0].known.frame.equals(part[0].known.frame)


def test_who_knows_more_people_or_attributes_knows_the_rest_as_before():
    few, many = (Scenario(targets=n, error=0.3).stage(ORIGINAL, SAME, 3) for n in (10, 40))
    assert set(few[2]) <= set(many[2])
    place = np.searchsorted(many[2], few[2])
    assert many[0].known.take(place).frame.equals(few[0].known.frame)
    one, _, _ = Scenario(known=("age",), targets=10, error=0.3).stage(ORIGINAL, SAME, 3)
    assert one.known.frame["age"].equals(few[0].known.frame["age"])


def test_sources_are_drawn_apart():
    both = Scenario(sources=(Source(("age",), targets=10), Source(("sex",), targets=10)))
    first, second = both.hold(ORIGINAL, SAME.data.schema, 3)
    alone = Scenario(known=("age",), targets=10).hold(ORIGINAL, SAME.data.schema, 3)[0]
    assert first.people.tolist() == alone.people.tolist()
    assert first.people.tolist() != second.people.tolist()


def test_names_may_be_given_as_lists() -> None:
    assert Scenario(known=["age", "sex"], block=["sex"]) == Scenario(known=("age", "sex"), block=("sex",))
    assert hash(Scenario(known=["age"])) == hash(Scenario(known=("age",)))
