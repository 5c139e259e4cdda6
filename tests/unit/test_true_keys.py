"""Whether released keys are still those of their people, and what measures of keys say then."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from unmask.assessment.asked import Given
from unmask.assessment.request import Request, RequestFiles
from unmask.assessment.session import Session
from unmask.data.example import people
from unmask.data.microdata import Masked, Microdata
from unmask.data.release_kind import ReleaseKind
from unmask.intruder.scenario import Scenario
from unmask.masks import (
    PRAM,
    GlobalRecoding,
    Microaggregation,
    Noise,
    RankSwapping,
    TopCoding,
)
from unmask.measures import NotEstimable, measure_named, why_not
from unmask.measures.applicability import changed_keys_note, kinds_of_keys
from unmask.measures.true_keys import true_key_share

PEOPLE = people(500)
CATEGORIES = ("region", "sex", "education", "occupation", "health")
KNOWN = (*CATEGORIES, "age")
OF_POPULATIONS = (
    "individual-risk", "household-risk", "log-linear-uniques", "log-linear-matches", "pitman", "zayatz",
    "marketer-risk", "prosecutor-risk", "k-anonymity", "dis-suda", "population-uniques", "journalist-risk",
    "unique-in-population",
)  # fmt: skip


def evidence_of(frame: pl.DataFrame, known=KNOWN, population: Microdata | None = PEOPLE):
    release = Microdata(PEOPLE.schema, frame)
    given = {"original": PEOPLE, "released": release}
    if population is not None:
        given["population"] = population
    files = RequestFiles("(in memory)", "(in memory)", truth="rows")
    request = Request(files, scenario=Scenario(known=known), attacks=("guess",))
    return Session(request, Given(given)).evidence


def released_by(mask) -> pl.DataFrame:
    return mask.apply(PEOPLE, np.random.default_rng(1)).data.frame


def with_changes(share: float, names, seed=1) -> pl.DataFrame:
    """The file with so many values of each attribute replaced by somebody else's."""
    rng, frame = np.random.default_rng(seed), PEOPLE.frame
    columns = {}
    for name in names:
        rows = np.arange(len(frame))
        moved = rng.choice(len(frame), round(share * len(frame)), replace=False)
        rows[moved] = rng.choice(len(frame), len(moved))
        columns[name] = frame[name][rows]
    return frame.with_columns(**columns)


@pytest.mark.parametrize(
    "mask", [Microaggregation(k=5), RankSwapping(p=5), Noise(a=0.1), PRAM(p=5)], ids=lambda mask: mask.name
)
@pytest.mark.parametrize("population", [None, PEOPLE], ids=["sample", "population"])
def test_after_a_perturbing_mask_no_measure_of_the_population_gives_a_number(mask, population):
    evidence = evidence_of(released_by(mask), population=population)
    share = true_key_share(evidence)
    assert share < 0.95
    for name in OF_POPULATIONS:
        why = why_not(measure_named(name), evidence)
        assert isinstance(why, NotEstimable), name
        if population is not None or not name.startswith(("population", "journalist")):
            assert why.reason.startswith("not applicable: the release changed attributes"), name
            assert why.reason.endswith("of the released records still have their person's values"), name
    assert changed_keys_note(evidence) == ()


ROUNDED = PEOPLE.frame.with_columns((pl.col("age") / 10).floor() * 10)


@pytest.mark.parametrize(
    "frame",
    [released_by(GlobalRecoding(p=2)), released_by(TopCoding(p=5)), ROUNDED],
    ids=["groups", "top", "tens"],
)
def test_recoded_keys_are_true(frame):
    evidence = evidence_of(frame, population=None)
    assert true_key_share(evidence) == 1
    assert why_not(measure_named("log-linear-uniques"), evidence) is None
    assert changed_keys_note(evidence) == ()


def test_a_few_changed_values_leave_the_numbers_and_a_note():
    evidence = evidence_of(with_changes(0.02, ["region"]), population=None)
    assert evidence.perturbed == ("region",)
    assert 0.97 < true_key_share(evidence) < 1
    assert ReleaseKind.PERTURBED not in kinds_of_keys(evidence)
    for name in ("k-anonymity", "log-linear-uniques", "marketer-risk"):
        assert why_not(measure_named(name), evidence) is None
    (note,) = changed_keys_note(evidence)
    assert note.startswith(f"{100 * (1 - true_key_share(evidence)):.1f}% of the released records do not have")
    assert note.endswith("err on the high side")


def test_a_few_in_each_of_many_attributes_are_many():
    evidence = evidence_of(with_changes(0.04, CATEGORIES), population=None)
    assert true_key_share(evidence) < 0.95
    # Each attribute alone has nearly all of its values left.
    for name in CATEGORIES:
        assert true_key_share(replace(evidence, known=(name,))) > 0.95
    assert ReleaseKind.PERTURBED in kinds_of_keys(evidence)
    assert not why_not(measure_named("log-linear-uniques"), evidence).applicable


def test_swapped_keys_exist_and_are_not_true():
    frame = PEOPLE.frame.with_columns(PEOPLE.frame["age"].shuffle(seed=3))
    evidence = evidence_of(frame, known=("age",), population=None)
    assert set(frame["age"]) == set(PEOPLE.frame["age"])
    assert true_key_share(evidence) < 0.1
    assert not why_not(measure_named("individual-risk"), evidence).applicable


def test_what_counts_as_true():
    released = PEOPLE.frame.with_columns(
        pl.when(pl.int_range(pl.len()) < 50).then(None).otherwise(pl.col("region")).alias("region")
    )
    evidence = evidence_of(released, population=None)
    assert true_key_share(evidence) == 1, "a suppressed value may be anything"
    filled = replace(
        evidence, original=Microdata(PEOPLE.schema, released), masked=plain(evidence, PEOPLE.frame)
    )
    assert true_key_share(filled) == 0.9, "one in the place of a missing one is nobody's"
    nobody = replace(evidence.masked, origin=np.where(np.arange(500) < 100, -1, np.arange(500)))
    assert true_key_share(replace(evidence, masked=nobody)) == 0.8
    assert true_key_share(replace(evidence, masked=replace(evidence.masked, terms=None))) is None
    assert true_key_share(replace(evidence, known=())) is None


def plain(evidence, frame) -> Masked:
    return replace(evidence.masked, data=Microdata(PEOPLE.schema, frame))


def test_the_assessment_notes_changed_keys():
    given = Given({"original": PEOPLE, "released": Microdata(PEOPLE.schema, with_changes(0.02, ["region"]))})
    files = RequestFiles("(in memory)", "(in memory)", truth="rows")
    asked = {"scenario": Scenario(known=KNOWN), "attacks": ("guess",)}
    noted = Session(Request(files, measures=("k-anonymity",), **asked), given)
    assert any("err on the high side" in note for note in noted.notes)
    without = Session(Request(files, measures=("reidentification",), **asked), given)
    assert not any("err on the high side" in note for note in without.notes)


def test_a_declared_mask_keeps_the_measure_that_knows_it():
    given = Given({"original": PEOPLE, "released": Microdata(PEOPLE.schema, released_by(PRAM(p=5)))})
    files = RequestFiles("(in memory)", "(in memory)", truth="rows")
    asked = Request(files, scenario=Scenario(known=CATEGORIES), attacks=("guess",), mechanism="pram:p=5")
    session = Session(asked, given)
    measures = {measure.name: measure for measure in session.file_measures}
    assert why_not(measures["misclassified-matches"], session.evidence) is None
    assert not why_not(measures["log-linear-matches"], session.evidence).applicable
