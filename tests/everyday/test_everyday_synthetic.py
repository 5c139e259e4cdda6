"""Synthetic files as they come: a control of the original's people, other words, other units, few people.

A release that repeats three in ten people must be found to do so, however its files are written.
"""

from __future__ import annotations

import functools

import numpy as np
import polars as pl
import pytest

import unmask
from unmask.data.example import people
from unmask.measures import NotEstimable
from unmask.report.assessment.criteria import criterion_lines
from unmask.report.decision.answer import answer

KNOWN = ("age", "sex", "region", "occupation", "hours")
#: Three in ten people of the original are in the release.
COPIED = 0.3


@functools.cache
def files() -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """The original; a release of which three in ten records are copies, of the first people; a hold-out."""
    everybody = people(1800).frame.drop("person", "household", "weight")
    rows = np.random.default_rng(1).permutation(1800)
    original, holdout, others = (everybody[rows[k : k + 600]] for k in (0, 600, 1200))
    released = pl.concat([others[:420], original[:180]])
    return original, released[np.random.default_rng(2).permutation(600)], holdout


def assessed(
    original: pl.DataFrame,
    released: pl.DataFrame,
    holdout: pl.DataFrame | None,
    *measures: str,
) -> unmask.Assessment:
    return unmask.assess(
        original,
        released,
        synthetic=True,
        holdout=holdout,
        roles={"diagnosis": "confidential"},
        known=KNOWN,
        measures=list(measures),
    )


def value(found: unmask.Assessment, measure: str, subject: str) -> float | NotEstimable:
    (row,) = [
        row for row in found.document.of_file if (row.keys.measure, row.keys.subject) == (measure, subject)
    ]
    return row.estimate.value


def number(found: unmask.Assessment, measure: str, subject: str) -> float:
    told = value(found, measure, subject)
    assert not isinstance(told, NotEstimable)
    return told


def linked(found: unmask.Assessment) -> float:
    return number(found, "linkability", "halves, risk")


def why_not_linked(found: unmask.Assessment) -> str:
    told = value(found, "linkability", "halves, risk")
    assert isinstance(told, NotEstimable)
    return told.reason


def contaminated(share: float) -> pl.DataFrame:
    """A hold-out so large a share of which are people of the original, the copied ones first."""
    original, _, holdout = files()
    many = int(share * len(holdout))
    both = pl.concat([original[:many], holdout[many:]])
    return both[np.random.default_rng(3).permutation(len(both))]


@pytest.mark.parametrize("share", [0.1, 0.25, 0.6])
def test_people_of_the_original_in_the_hold_out_are_no_control(share: float) -> None:
    original, released, _ = files()
    found = assessed(original, released, contaminated(share), "linkability", "membership-distance")
    assert linked(found) == pytest.approx(COPIED, abs=0.03)  # with them: 22%, 7%, 0%
    assert any("hold-out" in note and "as well" in note for note in found.document.notes)


def test_people_of_the_original_are_known_again_where_one_attribute_has_changed() -> None:
    original, released, _ = files()
    later = contaminated(0.25).with_columns(pl.col("income") + 120.0)
    assert linked(assessed(original, released, later, "linkability")) == pytest.approx(COPIED, abs=0.03)


def test_a_hold_out_that_is_the_original_gives_no_risk_and_no_membership() -> None:
    original, released, _ = files()
    found = assessed(original, released, original[::-1], "linkability", "membership-distance", "disco")
    assert "600 of 600" in why_not_linked(found)


def test_people_alike_by_chance_stay_in_the_control() -> None:
    few = ["sex", "region", "age", "diagnosis"]
    original, released, holdout = (file.select(few) for file in files())
    found = unmask.assess(
        original,
        released,
        synthetic=True,
        holdout=holdout,
        roles={"diagnosis": "confidential"},
        measures=["linkability"],
    )
    assert abs(linked(found)) <= 1  # it has a number
    assert not any("hold-out" in note for note in found.document.notes)


RECODED = {
    "initials": pl.col("sex").replace({"female": "F", "male": "M"}),
    "numbers": pl.col("sex").replace({"female": "2", "male": "1"}),
    "nothing": pl.lit(None, pl.String).alias("sex"),
    "minutes": pl.col("hours") * 60 + 60,
}


@pytest.mark.parametrize("words", RECODED)
def test_an_attribute_in_other_words_hides_no_copies(words: str) -> None:
    original, released, holdout = files()
    told = assessed(original, released.with_columns(RECODED[words]), holdout, "replicated-uniques", "disco")
    plain = assessed(original, released, holdout, "replicated-uniques", "disco")
    for measure, subject in (("replicated-uniques", "of the uniques (repU)"), ("disco", "diagnosis")):
        usual = number(plain, measure, subject)
        assert number(told, measure, subject) == pytest.approx(usual, abs=0.1)  # and not 0
        assert usual > 0.2
    name = "hours" if words == "minutes" else "sex"
    assert any(note.startswith(f"'{name}': the release has no value") for note in told.document.notes)


def test_a_secret_in_other_words_is_not_estimable() -> None:
    original, released, holdout = files()
    coarse = released.with_columns(
        pl.when(pl.col("diagnosis") == "none").then(pl.lit("N")).otherwise(pl.lit("Y")).alias("diagnosis")
    )
    assert isinstance(value(assessed(original, coarse, holdout, "disco"), "disco", "diagnosis"), NotEstimable)


def test_a_hold_out_in_other_words_gives_no_risk_and_tells_no_members() -> None:
    original, _, holdout = files()
    other = files()[1]
    words = holdout.with_columns(RECODED["initials"])
    found = assessed(original, other, words, "linkability", "membership-distance")
    assert "in other words" in why_not_linked(found)
    usual = number(assessed(original, other, holdout, "membership-distance"), "membership-distance", "AUC")
    assert number(found, "membership-distance", "AUC") == pytest.approx(usual, abs=0.05)  # else 0.8
    assert any("'sex': the people of the hold-out" in note for note in found.document.notes)


def test_a_hold_out_of_other_people_is_told_of() -> None:
    original, released, holdout = files()
    older = holdout.with_columns(pl.col("age") + 12)
    assert any(
        "another kind" in note for note in assessed(original, released, older, "linkability").document.notes
    )
    notes = assessed(original, released, holdout, "linkability").document.notes
    assert not any("another kind" in note or "no value" in note for note in notes)


def test_a_release_made_from_the_hold_out_too_has_no_control() -> None:
    original, _, holdout = files()
    both = pl.concat([original[:180], holdout[:420]])
    found = assessed(original, both, holdout, "linkability")
    assert "made from the control as well" in why_not_linked(found)  # and not -130%


def test_the_answer_names_the_measure_that_finds_most() -> None:
    """Noise hides people from replicated uniques, and not from linkability."""
    original, released, holdout = files()
    shaken = released.with_columns(pl.col("age") + 1)
    found = assessed(original, shaken, holdout, "linkability", "replicated-uniques")
    assert number(found, "replicated-uniques", "of the uniques (repU)") < 0.1
    told = " ".join(answer(found.document))
    assert "gives away most" in told  # and not "no more than would be known anyway"
    assert "linkability" in told
    singling, linkability, _ = criterion_lines(found.document)
    assert "unique in the original" not in singling.by
    assert linkability.verdict == "more than otherwise"


def test_nothing_is_found_in_other_people() -> None:
    original, _, holdout = files()
    everybody = people(1800).frame.drop("person", "household", "weight")
    others = everybody[np.random.default_rng(1).permutation(1800)[1200:]]
    found = assessed(original, others, holdout, "linkability", "replicated-uniques")
    assert abs(linked(found)) < 0.02
    assert "no more of single people" in " ".join(answer(found.document))
