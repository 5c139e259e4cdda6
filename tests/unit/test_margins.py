"""Links without a probability: how clearly the nearest record is the nearest, and how often that is right."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import unmask
from unmask import Column, Masked, Microdata, Scenario, Schema
from unmask.assessment.stage import drawn_targets
from unmask.attacks import ATTACKS
from unmask.engines import LocalEngine
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.intruder.truth import Truth
from unmask.linkage.links import Standing
from unmask.masks import Noise
from unmask.measures import ClaimedPrecision, KnownReidentification, LinkEvidence

SCHEMA = Schema((Column("x"), Column("y")))


def numbers(x, y) -> Microdata:
    return Microdata(SCHEMA, pl.DataFrame({"x": np.asarray(x, float), "y": np.asarray(y, float)}))


def test_margins_are_ratios_of_distances():
    """Against all distances, worked out one by one."""
    rng = np.random.default_rng(3)
    known, released = rng.normal(size=(40, 2)), rng.normal(size=(60, 2))
    released[1] = released[0]
    dossier = Dossier(numbers(*known.T), numbers(*released.T))
    matcher = ATTACKS["dbrl"].prepare(dossier, rng, LocalEngine())
    pairing = matcher.pairing
    apart = np.linalg.norm(pairing.known[:, None] - pairing.released[None], axis=2)
    apart.sort(axis=1)
    expected = np.where(apart[:, 1] <= apart[:, 0] * (1 + 1e-9), 1.0, apart[:, 1] / apart[:, 0])
    np.testing.assert_allclose(matcher.margins(), expected, rtol=1e-6)
    some = np.array([7, 2])
    np.testing.assert_array_equal(matcher.margins(some), matcher.margins()[some])


def test_a_record_at_distance_0_has_every_margin_and_a_tie_has_none():
    file = numbers([1, 2, 2, 9], [1, 5, 5, 3])
    matcher = ATTACKS["dbrl"].prepare(Dossier(file, file), np.random.default_rng(0), LocalEngine())
    assert matcher.margins().tolist() == [np.inf, 1.0, 1.0, np.inf]


def evidence(margins, row, closer):
    standing = Standing(np.asarray(closer), np.where(np.asarray(row) >= 0, 1, 0), depth=5)
    truth = Truth(np.asarray(row))
    return LinkEvidence("dbrl", 10, truth, standing, lambda: 1.0, margins=lambda: np.asarray(margins))


def test_the_margin_decides_what_is_sure_and_the_truth_what_is_right():
    """Two sure and right, one sure and wrong, one right without a margin, one sure who is not there."""
    found = evidence([2.0, np.inf, 3.0, 1.5, 4.0], [0, 1, 2, 3, -1], [0, 0, 2, 0, -1])
    known, precision = KnownReidentification().estimate(found), ClaimedPrecision().estimate(found)
    assert (known.value, known.n) == (0.5, 4)
    assert (precision.value, precision.n) == (0.5, 4)
    assert "1 link of people who are not in the release" in precision.meaning
    assert "2 times nearer" in known.meaning
    assert KnownReidentification(margin=3.5).estimate(found).value == 0.25
    assert ClaimedPrecision(margin=3.5).name == "claimed-precision:margin=3.5"


def test_targets_without_a_margin_do_not_count():
    found = evidence([2.0, np.nan, 1.0, np.nan], [0, 1, 2, -1], [0, 0, 0, -1])
    known = KnownReidentification().estimate(found)
    assert (known.value, known.n) == (0.5, 2)
    assert np.isnan(known.per_record[[1, 3]]).all()
    assert KnownReidentification().estimate(evidence([np.nan], [0], [0])).number is None


def test_nobody_without_a_margin_is_not_estimable():
    found = ClaimedPrecision().estimate(evidence([1.0, 1.2], [0, 1], [0, 0]))
    assert found.number is None
    assert "2 times nearer" in found.reason


def test_a_margin_is_above_1():
    for margin in (1.0, 0.5, float("nan")):
        with pytest.raises(ArgumentError, match="margin"):
            KnownReidentification(margin=margin)


def test_every_attack_with_distances_says_what_it_is_sure_of():
    rng = np.random.default_rng(1)
    people = pl.DataFrame({name: rng.normal(size=150) for name in "abcd"})
    known = [*"abcd"]
    risk = unmask.assess(people, Noise(a=0.1), known=known, attacks=["dbrl", "prl", "guess", "learned-wm"])
    rows = {(row.keys.attack, row.keys.measure): row.estimate for row in risk.document.table.attacks}
    sure, right = rows["dbrl", "known-reidentification"], rows["dbrl", "claimed-precision"]
    assert 0 < sure.value <= rows["dbrl", "reidentification"].value
    assert right.value > 0.9
    for attack in ("guess", "learned-wm", "learned-wm-holdout"):  # the truth informed the learned ones
        assert (attack, "known-reidentification") not in rows


def test_precision_has_no_union_because_each_attack_is_sure_of_others():
    rng = np.random.default_rng(1)
    people = pl.DataFrame({name: rng.normal(size=150) for name in "ab"})
    risk = unmask.assess(people, Noise(a=0.3), known=["a", "b"], attacks=["dbrl", "rbrl-max"])
    of_union = {row.keys.measure for row in risk.document.table.attacks if row.keys.attack == "union"}
    assert "known-reidentification" in of_union
    assert "claimed-precision" not in of_union


def test_people_who_are_not_there_make_margins_less_precise():
    rng = np.random.default_rng(2)
    values = rng.normal(size=(400, 2))
    original = numbers(*values.T)
    chosen = np.arange(0, 400, 4)
    made = Noise(a=0.05).apply(original.take(chosen), rng)
    masked = Masked(made.data, chosen)
    risk = unmask.assess(original, masked, scenario=Scenario(known=("x", "y")), attacks=["dbrl"])
    rows = {row.keys.measure: row.estimate for row in risk.document.table.attacks}
    assert rows["reidentification"].n == 100
    assert rows["claimed-precision"].n > 100  # links of people who are not there
    assert rows["claimed-precision"].value < 0.6


def test_a_sample_of_the_targets_has_its_share_of_who_is_not_there():
    row = np.where(np.arange(1000) % 4 == 0, np.arange(1000), -1)
    tried = drawn_targets(Truth(row), 50, seed=3)
    assert (row[tried] >= 0).sum() == 50
    assert (row[tried] < 0).sum() == 150
    assert len(drawn_targets(Truth(row), 250, seed=3)) == 1000
