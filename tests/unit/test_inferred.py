"""What is inferred of a mask: right where the mask is known, and never to the intruder's loss."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import unmask
from unmask.assessment import cost, plan
from unmask.attacks import ATTACKS
from unmask.data.correspondence import ReleaseTerms
from unmask.data.example import people
from unmask.data.loading import masked_files
from unmask.data.understanding.changes import Change, What
from unmask.linkage.inferred import Inferred
from unmask.linkage.transitions import Interval, Normal, Seen, Suppressed
from unmask.masks import parse
from unmask.randomness import generator

PEOPLE = people(300)
KNOWN = ["region", "sex", "age", "education", "hours", "income"]
MASKS = {
    "noise:a=0.1": What.NOISE,
    "noise:a=1": What.NOISE,
    "rank-swapping:p=10": What.SWAPPED,
    "individual-ranking:k=5": What.NOISE,  # equal values may fall into two groups
    "microaggregation:k=5": What.NOISE,
    "multiplicative-noise:b=0.2": What.NOISE,
    "top-coding:share=0.1": What.CODED,
    "bottom-coding:share=0.2": What.CODED,
    "global-recoding:bands=5,attributes=age": What.BANDED,
    "global-recoding:bands=5,attributes=age,release=label": What.BANDED,
    "local-suppression:k=3": What.SUPPRESSED,
    "pram:p=0.7": What.NOISE,
}


def masked(text: str) -> unmask.Masked:
    mask = parse(text)
    return mask.apply(PEOPLE, generator(1, "mask", mask.name))


@pytest.mark.parametrize(("text", "what"), MASKS.items())
def test_what_a_mask_did_is_told(text: str, what: What) -> None:
    changes = masked_files(PEOPLE, masked(text)).understanding.changes
    assert what in {change.what for change in changes}
    assert {change.what for change in changes} <= {what, What.UNCHANGED, What.SUPPRESSED}


@pytest.mark.parametrize("text", MASKS)
def test_understanding_never_lowers_the_risk(text: str) -> None:
    """Beside the same release taken literally, where that can be done at all."""
    made, measures = masked(text), ["reidentification"]
    understood = unmask.assess(PEOPLE, made, known=KNOWN, measures=measures, seed=1).worst()
    if "label" in text:
        return  # numbers and texts do not compare literally
    literal = replace(made, terms=ReleaseTerms())
    taken = unmask.assess(PEOPLE, literal, known=KNOWN, measures=measures, attacks=list(ATTACKS), seed=1)
    assert understood.estimate.value >= taken.worst().estimate.value - 1e-9


def test_a_wrong_guess_takes_nothing_from_the_others() -> None:
    """Noise with rare, huge errors is not normal; the guess that it is stands beside the other attacks."""
    rng = np.random.default_rng(2)
    huge = np.where(rng.random(300) < 0.1, 50.0, 0.01) * rng.normal(size=300)
    wrong = PEOPLE.frame.with_columns(
        pl.col("income") * (1 + pl.Series(huge)), pl.col("hours") + pl.Series(rng.permutation(huge))
    )
    asked = {"known": KNOWN, "measures": ["reidentification"], "schema": PEOPLE.schema, "seed": 1}
    usual = unmask.assess(PEOPLE.frame, wrong, **asked)
    alone = unmask.assess(PEOPLE.frame, wrong, attacks=list(ATTACKS), **asked)
    assert "guessed-mechanism" in set(usual.table()["attack"])
    assert usual.worst().estimate.value >= alone.worst().estimate.value


def test_a_change_becomes_a_part_of_the_declaration() -> None:
    seen = Seen(PEOPLE, PEOPLE)
    changes = (
        Change("age", What.NOISE, "", size=2.0),
        Change("income", What.SWAPPED, "", size=0.1),
        Change("rent", What.PERMUTED, ""),
        Change("hours", What.SUPPRESSED, "", lost=0.1),
        Change("sex", What.NOISE, "", size=0.2),
    )
    parts = {type(part): part for part in Inferred(changes).declare(seen).parts}
    assert parts[Normal].attributes == ("age",)
    assert parts[Normal].covariance.tolist() == [[4.0]]
    assert parts[Suppressed].probability == 0.1
    windows = [part for part in Inferred(changes).declare(seen).parts if isinstance(part, Interval)]
    income, rent = windows
    values = PEOPLE.numbers(["income"])[:, 0]
    assert ((income.low <= values) & (values <= income.high)).all()
    assert np.isinf(rent.low).all()
    # A fifth of all people change: with probability again (1 - sum q^2).
    table = next(part for part in Inferred(changes).declare(seen).parts if hasattr(part, "transitions"))
    share = np.bincount(PEOPLE.codes("sex", table.transitions.original)) / 300
    changed = (share * (1 - np.diag(table.transitions.probability))).sum()
    assert changed == pytest.approx(0.2, abs=1e-3)


def test_a_guess_that_takes_too_long_is_tried_on_a_sample_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"known": KNOWN, "measures": ["reidentification"], "seed": 1}
    small = unmask.assess(PEOPLE, masked("noise:a=1"), **asked)
    monkeypatch.setattr(plan, "FEWEST", 50)
    monkeypatch.setattr(cost, "ATTACKS", {"guessed-mechanism": cost.Cost(0.0, 1e6, apart=True)})
    large = unmask.assess(PEOPLE, masked("noise:a=1"), **asked)
    counted = dict(large.table().select("attack", "n").rows())
    assert small.document.result("guessed-mechanism").n == counted["dbrl"] == 300
    assert counted["guessed-mechanism"] == counted["union"] == 50
    (run,) = (run for run in large.runs if run.attack == "guessed-mechanism")
    assert "taken to know nobody else" in run.notes[0]
    assert len(run.standing.closer) == len(run.places) == 50
    assert any("guessed-mechanism on 50 of 300" in note for note in large.document.notes)


@pytest.mark.parametrize("groups", [1, 3], ids=["relabelled", "recoded"])
def test_a_few_mistakes_in_a_recoding_do_not_hide_everybody(groups: int) -> None:
    """A release with names of its own leaves nothing to compare but by the rule that most pairs follow."""
    rng = np.random.default_rng(4)
    codes = rng.integers(0, 12, 600)
    original = pl.DataFrame(
        {
            "town": [f"t{c}" for c in codes],
            "age": rng.integers(18, 90, 600),
            "sex": rng.choice(["f", "m"], 600),
        }
    )
    names = np.array([f"G{c // groups}" for c in codes])
    clean = original.with_columns(town=pl.Series(names))
    wrong = original.with_columns(town=pl.Series(np.where(rng.random(600) < 0.02, "G0", names)))
    asked = {"known": ["town", "age", "sex"], "measures": ["reidentification"], "seed": 1}
    before, after = (unmask.assess(original, release, **asked) for release in (clean, wrong))
    assert before.worst().estimate.value == pytest.approx(clean.n_unique() / 600)
    assert after.worst().estimate.value >= before.worst().estimate.value - 0.04
    (town,) = (c for c in after.document.understood.changes if c.attribute == "town")
    assert 0.95 < town.share < 1
    assert any("'town' is" in note and "but not everywhere" in note for note in after.document.notes)
