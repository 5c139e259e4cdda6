"""Attacker-knowledge curves: hand-worked sets, agreement with assess, and what cannot be asked."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import unmask
from unmask import Column, Grid, Kind, Masked, Microdata, Scenario, Schema
from unmask.attacks import Guess
from unmask.documents import KNOWLEDGE
from unmask.documents.knowledge import ERROR, PATH, SETS, SHARE
from unmask.engines import LocalEngine, Watcher
from unmask.errors import ArgumentError, UnmaskError
from unmask.masks import Noise
from unmask.report.knowledge.headline import headline
from unmask.report.knowledge.minimal import minimal
from unmask.report.knowledge.sizes import sets
from unmask.studies.knowledge import knowledge_curves
from unmask.studies.knowledge.sets import fallen, full_sizes, gains, minimal_sets, sets_up_to

FOUR = pl.DataFrame({"sex": ["f", "f", "m", "m"], "town": ["A", "B", "A", "B"], "job": ["x", "x", "x", "x"]})
NOMINAL = Schema(tuple(Column(name, Kind.NOMINAL) for name in FOUR.columns))


def people(n=60, seed=0, attributes=4):
    rng = np.random.default_rng(seed)
    columns = {f"v{k}": rng.integers(0, 6, n).astype(float) for k in range(attributes)}
    return Microdata(Schema(tuple(Column(name) for name in columns)), pl.DataFrame(columns))


def quick(**more):
    """A grid of sets alone."""
    return Grid(**{"errors": (), "shares": (), **more})


def four(attack="dbrl", **more):
    return knowledge_curves(FOUR, FOUR, schema=NOMINAL, attack=attack, grid=quick(**more))


def risks(curves, curve=SETS):
    """The value of each set of a curve that one attack was tried on."""
    return {row.keys.known: row.estimate.number for row in curves.document.curve(curve)}


# --- sets ------------------------------------------------------------------------------------------------


def test_the_risk_of_every_set_by_hand():
    """Sex or town leave two of four alike, both together none; the job tells nothing."""
    assert risks(four()) == {
        ("sex",): 0.5,
        ("town",): 0.5,
        ("job",): 0.25,
        ("sex", "town"): 1.0,
        ("sex", "job"): 0.5,
        ("town", "job"): 0.5,
        ("sex", "town", "job"): 1.0,
    }


@pytest.mark.parametrize(
    ("threshold", "expected"),
    [
        (0.2, [("sex",), ("town",), ("job",)]),
        (0.5, [("sex",), ("town",)]),
        (0.6, [("sex", "town")]),
        (1.0, [("sex", "town")]),
    ],
)
def test_minimal_sets_by_hand(threshold, expected):
    curves = four(threshold=threshold)
    assert [row.keys.known for row in curves.minimal_sets()] == expected
    assert list(curves.document.minimal) == expected


def test_a_minimal_set_need_not_keep_its_risk_when_it_grows():
    risk = {("a",): 0.1, ("b",): 0.1, ("c",): 0.1, ("a", "b"): 0.5, ("a", "c"): 0.1, ("b", "c"): 0.1}
    risk[("a", "b", "c")] = 0.2
    assert minimal_sets(risk, 0.3) == [("a", "b")]
    assert minimal_sets(risk, 0.15) == [("a", "b")]
    assert fallen(risk) == (9, 1)
    assert gains({("a",): 0.5}, nothing=0.1) == {"a": 0.4}


def test_sets_are_tried_up_to_the_limit_and_single_attributes_always():
    assert full_sizes(20, 3, 5000) == 3
    assert full_sizes(40, 3, 5000) == 2  # 40 + 780 + 9,880
    assert full_sizes(2, 7, 5000) == 2
    assert full_sizes(9, 3, 1) == 1
    assert len(list(sets_up_to("abcd", 4))) == 15


def test_a_point_is_what_assess_finds_with_that_knowledge():
    original = people()
    released = Masked.by_order(original, people(seed=1))
    attacks = ["dbrl", "rbrl-sum"]
    curves = knowledge_curves(original, released, attack=attacks, seed=3, grid=quick())
    for names in (("v1",), ("v0", "v2"), ("v0", "v1", "v2", "v3")):
        risk = unmask.assess(
            original, released, known=names, attacks=attacks, measures=["reidentification"], seed=3
        )
        expected = risk.table().head(2)
        found = curves.table().filter(pl.col("known") == list(names))
        for column in ("attack", "value", "low", "high", "n", "baseline", "p_value"):
            assert found[column].to_list() == expected[column].to_list()


def test_the_error_and_share_curves_are_what_assess_finds():
    original = people()
    mask = Noise(a=0.3)
    grid = Grid(errors=(0.2, 0), shares=(1, 0.5))
    document = knowledge_curves(original, mask, grid=grid, seed=5).document
    for row, scenario in zip(
        (*document.curve(ERROR), *document.curve(SHARE)),
        (Scenario(), Scenario(error=0.2), Scenario(targets=0.5), Scenario()),
        strict=True,
    ):
        risk = unmask.assess(
            original, mask, attacks=["dbrl"], scenario=scenario, measures=["reidentification"], seed=5
        )
        assert row.estimate.value == risk.worst("reidentification").estimate.value
        assert row.keys.targets == risk.document.sizes.targets
    assert [row.keys.error for row in document.curve(ERROR)] == [0, 0.2]


def test_the_path_adds_the_attribute_that_raises_risk_most_until_all_are_known():
    curves = knowledge_curves(people(attributes=5), Noise(a=0.2), grid=quick(size=2), seed=1)
    assert curves.document.enumerated == 2
    path = curves.document.curve(PATH)
    assert [len(row.keys.known) for row in path] == [3, 4, 5]
    pairs = {known: risk for known, risk in risks(curves).items() if len(known) == 2}
    start = max(pairs, key=pairs.get)
    assert set(start) < set(path[0].keys.known)
    tried = risks(knowledge_curves(people(attributes=5), Noise(a=0.2), grid=quick(size=3), seed=1))
    larger = [risk for known, risk in tried.items() if set(known) > set(start)]
    assert path[0].estimate.value == max(larger)
    assert curves.everything() is path[-1]


def test_with_several_attacks_the_best_counts():
    curves = knowledge_curves(people(), Noise(a=0.5), attack=["guess", "dbrl"], grid=quick(threshold=0.03))
    assert {row.keys.attack for row in curves.minimal_sets()} == {"dbrl"}
    assert len(curves.document.curve(SETS)) == 2 * 14
    assert len(curves.document.curve(PATH)) == 2


def test_an_attribute_known_with_error_has_the_same_error_in_every_set():
    seen = {}

    class Spy:
        name = "spy"
        about = Guess.about

        def prepare(self, dossier, rng, engine):
            for name in dossier.known.schema.names():
                seen.setdefault(name, set()).add(dossier.known.numbers([name]).tobytes())
            return Guess().prepare(dossier, rng, engine)

    knowledge_curves(people(), people(), attack=Spy(), scenario=Scenario(error=0.3), grid=quick())
    assert [len(versions) for versions in seen.values()] == [1, 1, 1, 1]


def test_a_blocking_attribute_is_used_by_who_knows_it():
    scenario = Scenario(block=("sex",))
    curves = knowledge_curves(FOUR, FOUR, schema=NOMINAL, scenario=scenario, grid=quick())
    assert curves.document.scenario.block == ("sex",)
    assert risks(curves)["town",] == 0.5


def test_a_sample_tries_fewer_people_and_keeps_what_the_intruder_knows():
    curves = knowledge_curves(people(), Noise(a=0.3), sample=20, seed=2, grid=quick())
    rows = curves.document.curve(SETS)
    assert {row.estimate.n for row in rows} == {20}
    assert {row.keys.targets for row in rows} == {60}
    risk = unmask.assess(
        people(),
        Noise(a=0.3),
        known=["v0", "v1"],
        attacks=["dbrl"],
        measures=["reidentification"],
        sample=20,
        seed=2,
    )
    assert risks(curves)["v0", "v1"] == risk.worst("reidentification").estimate.value


def test_progress_reaches_its_total():
    told = []

    class Watch(Watcher):
        def advance(self, done, total):
            told.append((done, total))

    knowledge_curves(
        people(attributes=5),
        people(attributes=5, seed=1),
        grid=Grid(size=2, errors=(0, 1), shares=(0.5,)),
        attack=["guess", "dbrl"],
        truth="rows",
        engine=LocalEngine(watcher=Watch()),
    )
    total = 2 * (15 + (3 + 2 + 1) + 3)
    # The engine tells of targets in between; no attack has so many here as there are sets.
    assert [step for step in told if step[1] == total] == [(k + 1, total) for k in range(total)]


def test_same_seed_same_bytes():
    grid = Grid(threshold=0.1)
    one, two = (knowledge_curves(people(20), Noise(a=0.3), grid=grid, seed=4) for _ in range(2))
    assert one.to_json() == two.to_json()
    assert one.to_html() == two.to_html()


# --- odd files and questions ------------------------------------------------------------------------------


def test_one_attribute_and_one_person():
    one = pl.DataFrame({"age": [30.5]})
    curves = knowledge_curves(one, one, known=["age"], grid=Grid(size=5, threshold=1.0))
    assert risks(curves) == {("age",): 1.0}
    assert curves.document.curve(PATH) == ()
    assert curves.minimal_sets()[0].keys.known == ("age",)
    assert "1 attribute finds at most 100%" in headline(curves.document)
    assert sets(curves.document)[0] == "All 1 sets of up to 1 of the 1 attributes were tried."


def test_nobody_in_the_release_is_not_estimable_and_not_0():
    original = people(10)
    nobody = Masked(people(10, seed=1), np.full(10, -1))
    curves = knowledge_curves(original, nobody, grid=Grid(threshold=0.1))
    assert set(risks(curves).values()) == {None}
    assert curves.minimal_sets() == ()
    assert headline(curves.document) == "Risk is not estimable: no target has a released record."
    assert "not estimable" in curves.to_html()
    assert curves.by_attribute()["alone"].to_list() == [None] * 4
    assert curves.table()["value"].null_count() == curves.table().height


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 0}, "size is 0"),
        ({"threshold": 0}, "threshold is 0"),
        ({"threshold": 1.5}, "threshold is 1.5"),
        ({"threshold": float("nan")}, "threshold is nan"),
        ({"limit": 0}, "limit is 0"),
        ({"sample": 0}, "sample is 0"),
        ({"errors": (-1,)}, "error is -1"),
        ({"errors": (float("nan"),)}, "error is nan"),
        ({"shares": (0,)}, "share of targets is 0"),
        ({"shares": (5,)}, "share of targets is 5"),
        ({"attack": "dbrll"}, "no attack is called 'dbrll'"),
        ({"attack": []}, "no attack is named"),
        ({"known": ["shoe"]}, "no column 'shoe'"),
        ({"known": ["v0"], "scenario": Scenario()}, "both known and a scenario"),
    ],
)
def test_bad_questions_are_told(options, message):
    gridded = {name: value for name, value in options.items() if name in Grid.__dataclass_fields__}
    rest = {name: value for name, value in options.items() if name not in gridded}
    with pytest.raises(UnmaskError, match=message):
        knowledge_curves(people(8), people(8), grid=Grid(**gridded), **rest)


def test_an_attack_that_cannot_be_made_with_every_set_says_so():
    with pytest.raises(ArgumentError):
        knowledge_curves(people(8), people(8), attack="dbrl:weights=1+2+3+4", grid=quick())


# --- words and charts -------------------------------------------------------------------------------------


def test_a_cut_enumeration_is_told():
    data = people(8, attributes=5)
    curves = knowledge_curves(data, data, grid=quick(size=3, limit=20))
    told = " ".join(sets(curves.document))
    assert "All 15 sets of up to 2 of the 5 attributes were tried." in told
    assert "the enumeration was cut: with them it would be 25 sets, and the limit is 20." in told
    assert "were not all tried" in told


def test_noise_attributes_that_lower_risk_are_told():
    """The second attribute of the release belongs to somebody else: to trust it is to be misled."""
    rng = np.random.default_rng(0)
    original = pl.DataFrame({"age": np.arange(40.0), "pay": rng.permutation(40).astype(float)})
    released = original.with_columns(pay=pl.Series(rng.permutation(40).astype(float)))
    curves = knowledge_curves(
        original, released, known=["age", "pay"], truth="rows", grid=quick(threshold=0.9)
    )
    assert curves.minimal_sets()[0].keys.known == ("age",)
    assert curves.everything().estimate.value < 0.9
    assert "More knowledge does not always help: of 2 steps" in " ".join(sets(curves.document))
    assert curves.by_attribute().filter(attribute="pay")["gain"].item() < 0


def test_sets_over_the_threshold_in_words():
    never = knowledge_curves(people(), people(seed=9), truth="rows", grid=quick(threshold=1.0))
    assert "No set that was tried reaches" in minimal(never.document)[0]
    assert minimal(four(threshold=0.6).document) == [
        "1 set of up to 3 attributes reaches a risk of 60.0% while none of the sets within it does. For 0 of "
        "them even the lower end of the 95% interval reaches it.",
        "All sets were tried, so these are all there are.",
    ]
    late = four(threshold=0.6, size=1).document
    assert minimal(late)[0].endswith("it is reached with 2: sex, town.")
    assert minimal(four().document) == []


def test_the_document_is_plain_and_holds_no_value_of_a_record():
    secret = FOUR.with_columns(town=pl.Series(["Zq1", "Zq2", "Zq1", "Zq2"]))
    curves = knowledge_curves(secret, secret, schema=NOMINAL, grid=Grid(threshold=0.5))
    text = curves.to_json()
    assert "Zq" not in text + curves.to_html()
    document = json.loads(text)
    assert (document["format"], document["version"]) == ("unmask-knowledge", 2)
    assert len([row for row in document["table"] if row["curve"] == "sets"]) == 7
    assert document["steps"] == {"taken": 9, "fell": 0}
    assert KNOWLEDGE.text(KNOWLEDGE.read(text)) == text


def test_the_page_is_whole_and_loads_nothing():
    page = four(threshold=0.6, errors=(0, 0.5), shares=(0.5, 1), attack=["dbrl", "guess"]).to_html()
    assert page.count('id="chart-') == page.count('id="spec-') == 3
    assert "The smallest sets that reach the threshold" in page
    body = page[: page.index('<script type="application/json"')]
    assert "<svg" in body
    assert not [word for word in ("http:", "https:", "src=") if word in body.replace("http://www.w3.org", "")]
