"""Are claims honest? Mean claim against the share that is right, for every mask that declares what it does.

A small form of ``python -m bench.calibration``, whose tables are on docs/evidence/known-mechanisms.md.
"""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from bench.calibration import CATEGORIES, NUMBERS, WHO, Claimed, pooled

from unmask import Column, Kind, Masked, Microdata, Scenario, Schema
from unmask.attacks.mechanism import KnownMechanism
from unmask.engines import LocalEngine
from unmask.errors import ArgumentError
from unmask.intruder.truth import Truth
from unmask.kernels.swapping import swap_once
from unmask.linkage.mechanism.absence import log_absence
from unmask.linkage.transitions import Seen
from unmask.masks import MASKS as MASK_NAMES
from unmask.masks import PRAM, RankSwapping
from unmask.measures import ClaimedPrecision, KnownReidentification, LinkEvidence

#: How far a bin of claims may be from what is right, beyond three times the error of chance.
USUAL = 0.1
#: Masks whose claims are known to be off, and by how much: what docs/evidence/known-mechanisms.md says.
OFF = {
    "microaggregation by blocks:k=10": 0.35,
    "local-suppression:k=3": 0.2,
    "multiplicative-noise:b=0.3": 0.25,
    "top-coding:share=0.5": 0.2,
    "bottom-coding:share=0.5": 0.2,
}
EDGES = (0.0, 0.2, 0.5, 0.8, 1.0)


def excess(found: Claimed) -> float:
    """The largest difference of a bin between claim and truth beyond what chance explains."""
    worst = 0.0
    for n, claim, right in found.bins(EDGES):
        if n >= 20:
            chance = 3 * np.sqrt(max(claim * (1 - claim), 0.01) / n)
            worst = max(worst, abs(claim - right) - chance)
    return worst


def test_every_mask_that_declares_itself_is_calibrated():
    # Where anything may become anything, nothing is claimed; the others say nothing of themselves.
    silent = {"cart", "exec", "independent"}
    tried = {text.partition(":")[0].partition(" ")[0] for text in (*NUMBERS, *CATEGORIES)}
    tables = {name for name, kind in MASK_NAMES.items() if not hasattr(kind, "shape")}
    assert tried == tables - silent


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("mask", [*NUMBERS, *CATEGORIES])
def test_claims_are_right_as_often_as_they_say(mask, who):
    found = pooled(mask, who, 1, size=0.4)
    assert excess(found) < OFF.get(mask, USUAL)


def test_at_the_rim_of_the_window_swaps_are_likeliest():
    """Cells that the window cuts: what is within it has all of their chance."""
    n, window = 1000, 100
    rng, times = np.random.default_rng(0), 1000
    moved = np.zeros((n, n))
    for _ in range(times):
        moved[swap_once(window, rng.random(n)), np.arange(n)] += 1 / times
    file = Microdata(Schema((Column("x"),)), pl.DataFrame({"x": np.arange(n) * 1.0}))
    _, cells = RankSwapping(p=10).declare(Seen(file, file)).parts
    declared = cells.probability[cells.known][:, cells.released]
    distance = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    for low, high in ((1, 20), (40, 60), (75, 95), (90, 100)):
        part = (distance >= low) & (distance <= high)
        assert declared[part].mean() == pytest.approx(moved[part].mean(), rel=0.1)
    rim = distance == window
    assert np.median(declared[rim]) == pytest.approx(moved[rim].mean(), rel=0.2)


def register(n: int, released: int, seed: int = 1):
    """People with six categorical attributes, and a PRAM release of some of them."""
    rng = np.random.default_rng(seed)
    sizes = (3, 5, 7, 9, 11, 13)
    columns = {f"c{j}": [f"{v:02d}" for v in rng.integers(0, k, n)] for j, k in enumerate(sizes)}
    schema = Schema(tuple(Column(name, Kind.NOMINAL) for name in columns))
    original = Microdata(schema, pl.DataFrame(columns))
    chosen = np.sort(rng.choice(n, released, replace=False))
    mask = PRAM(p=3)
    made = mask.apply(original.take(chosen), rng)
    return original, mask, Masked(made.data, chosen)


def sure_links(scenario: Scenario, seed: int = 1):
    original, mask, masked = register(1200, 360, seed)
    dossier, truth, _ = scenario.stage(original, masked, seed)
    matcher = KnownMechanism(mask).prepare(dossier, np.random.default_rng(0), LocalEngine())
    standing = matcher.standing(truth, 1)
    return matcher, LinkEvidence("m", 360, truth, standing, lambda: 1.0, claims=matcher.claims)


def test_people_who_are_not_in_the_release_count_against_claims():
    matcher, evidence = sure_links(Scenario())
    absent = evidence.truth.row < 0
    assert absent.sum() == 840
    claims = evidence.claims()
    precision = ClaimedPrecision().estimate(evidence)
    sure = claims >= 0.95
    assert precision.n == sure.sum() > 0
    assert precision.value == pytest.approx(evidence.standing.belief()[sure].sum() / sure.sum())
    assert precision.value > 0.9  # honest: the probability of absence is in the claims
    assert any("30% of the people they know" in note for note in matcher.notes)
    known = KnownReidentification().estimate(evidence)
    assert known.n == 360
    assert known.value == pytest.approx(precision.value * precision.n / 360)


def test_an_intruder_who_believes_that_everybody_is_there_is_refuted_by_the_number_of_records():
    """1,200 people cannot be in 360 records, whatever the scenario says."""
    believing, informed = (sure_links(Scenario(presence=p))[1].claims() for p in (1.0, None))
    np.testing.assert_allclose(believing, informed)


def test_claims_shrink_with_the_probability_of_presence():
    claims = [sure_links(Scenario(presence=p))[1].claims() for p in (0.3, 0.1, 0.01)]
    assert (claims[0] >= claims[1] - 1e-12).all()
    assert (claims[1] >= claims[2] - 1e-12).all()
    assert claims[2].sum() == pytest.approx(0.01 * 1200, rel=0.3)


def test_a_probability_of_presence_is_one():
    for presence in (0.0, -0.1, 1.5):
        with pytest.raises(ArgumentError, match="presence"):
            Scenario(presence=presence)


def test_the_weight_of_absence_gives_the_share_that_is_there():
    evidence = np.random.default_rng(0).normal(0, 5, 400)
    evidence[:100] = -np.inf
    for presence in (0.05, 0.4, 0.7):
        weight = log_absence(evidence, presence)
        assert (1 / (1 + np.exp(weight - evidence))).mean() == pytest.approx(presence)
    assert log_absence(evidence, 0.75) == -np.inf  # all who have a possible record


def test_the_share_of_presence_is_told_to_the_intruder():
    original, _, masked = register(100, 40)
    dossier, truth, _ = Scenario().stage(original, masked, 0)
    assert dossier.presence == len(Truth(truth.row).present) / 100 == 0.4
    assert Scenario(presence=0.2).stage(original, masked, 0)[0].presence == 0.2
