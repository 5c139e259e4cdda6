"""Samples are random also where many people are alike, and the order of the rows changes nothing."""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl
import pytest
from sklearn.tree import DecisionTreeClassifier

from unmask.data.microdata import Masked, Microdata
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.engines import LocalEngine
from unmask.intruder.dossier import Dossier
from unmask.linkage.agreement import comparisons
from unmask.linkage.fellegi_sunter import rows
from unmask.linkage.fellegi_sunter.em import setting
from unmask.measures.attribute.model_disclosure import ModelDisclosure
from unmask.measures.attribute.models import Modelling
from unmask.measures.attribute.models_order import orders
from unmask.measures.attribute.models_run import sampled
from unmask.measures.evidence import FileEvidence
from unmask.measures.membership import candidates
from unmask.measures.membership.released_file import MembershipInFile, Signal

#: 24 profiles of what is known, each with a secret that is 1 for 27%, or for 73% of its people: 48 in all.
PROFILES, BEST = 24, 0.73
SCHEMA = Schema(
    (
        Column("person", Kind.NOMINAL, Role.IDENTIFIER),
        Column("a", Kind.NOMINAL),
        Column("b", Kind.NOMINAL),
        Column("ill", Kind.NOMINAL, Role.CONFIDENTIAL),
    )
)


def people(n: int, seed: int) -> Microdata:
    """N people of 48 kinds, each equally frequent but for what is drawn; half of them are ill."""
    rng = np.random.default_rng(seed)
    profile = rng.integers(PROFILES, size=n)
    ill = rng.random(n) < np.where(profile % 2 == 0, 1 - BEST, BEST)
    frame = pl.DataFrame(
        {"person": np.arange(n), "a": profile % 6, "b": profile // 6, "ill": np.where(ill, "yes", "no")}
    ).cast({"person": pl.String, "a": pl.String, "b": pl.String})
    return Microdata(SCHEMA, frame)


@cache
def evidence(seed: int) -> FileEvidence:
    """6,000 people, released as they are, and an independent hold-out."""
    original = people(6000, 1)
    masked = Masked.by_order(original, original)
    return FileEvidence(original, masked, ("a", "b"), holdout=people(3000, 2), seed=seed)


def shuffled(found: FileEvidence, seed: int) -> tuple[FileEvidence, np.ndarray]:
    """The same people in other orders, and the old row of each."""
    rng = np.random.default_rng(seed)
    n, m = len(found.original), len(found.released)
    rows, records = rng.permutation(n), rng.permutation(m)
    back = np.argsort(rows)
    origin = found.masked.origin[records]
    masked = Masked(found.released.take(records), np.where(origin >= 0, back[origin], -1))
    original = found.original.take(rows)
    return FileEvidence(original, masked, found.known, holdout=found.holdout, seed=found.seed), rows


@pytest.mark.parametrize("seed", range(4))
def test_a_sample_of_people_alike_is_like_the_file(seed: int) -> None:
    found = sampled(evidence(seed), "ill", 500)
    codes = found.value
    assert abs(codes.mean() - 0.5) < 0.1  # half of everybody
    kinds = evidence(seed).original.frame[found.people].select("a", "b", "ill").n_unique()
    assert kinds > 40  # and not four of the 48 kinds, one after the other
    records = evidence(seed).released.frame[found.records].select("a", "b", "ill").n_unique()
    assert records > 40


@pytest.mark.parametrize("seed", range(4))
def test_the_interval_of_a_prediction_holds_what_can_be_reached(seed: int) -> None:
    modelling = Modelling(classifier=DecisionTreeClassifier(min_samples_leaf=5), folds=2, limit=2000)
    (row,) = ModelDisclosure(modelling=modelling).rows(evidence(seed), LocalEngine())
    counts = evidence(seed).original.frame.group_by("a", "b", "ill").len()
    best = counts.group_by("a", "b").agg(pl.col("len").max())["len"].sum() / 6000
    assert abs(best - BEST) < 0.02
    assert row.estimate.low <= best <= row.estimate.high


@pytest.mark.parametrize("seed", range(4))
def test_nobody_is_recognised_in_a_file_of_others(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "MOST", 500)
    original, synthetic = people(6000, 1), people(6000, 3)
    masked = Masked(synthetic, np.full(6000, -1))
    found = FileEvidence(original, masked, ("a", "b"), holdout=people(3000, 2), seed=seed)
    drawn = candidates.draw(found)
    assert original.frame[drawn.members].select("a", "b", "ill").n_unique() > 40
    assert people(3000, 2).frame[drawn.others].select("a", "b", "ill").n_unique() > 40
    first, *_ = MembershipInFile(Signal.DENSITY).rows(found, LocalEngine())
    assert first.keys.subject == "AUC"
    assert first.estimate.low <= 0.5 <= first.estimate.high


def coarse(original: Microdata) -> FileEvidence:
    """A release in which people alike differ, and people who differ are alike; some are not in it."""
    rng = np.random.default_rng(5)
    frame = original.frame.with_columns(a=pl.Series(rng.integers(3, size=len(original))).cast(pl.String))
    kept = np.sort(rng.permutation(len(original))[: len(original) * 9 // 10])
    return FileEvidence(original, Masked(Microdata(SCHEMA, frame[kept]), kept), ("a", "b"), seed=1)


def test_the_order_of_the_rows_changes_nobody_s_place() -> None:
    found = coarse(people(400, 1))
    other, place = shuffled(found, 7)
    (order, fill), (again, filled) = orders(found), orders(other)
    assert np.array_equal(order, place[again])  # the very same people, told apart by who they are
    told = [data.frame[list(rows)].drop("person").rows() for data, rows in
            ((found.released, fill), (other.released, filled))]  # fmt: skip
    assert told[0] == told[1]
    both = [sampled(each, "ill", 50) for each in (found, other)]
    assert np.array_equal(both[0].people, place[both[1].people])
    learned = [each.released.frame[list(s.records)].drop("person").rows()
               for each, s in zip((found, other), both, strict=True)]  # fmt: skip
    assert learned[0] == learned[1]


def test_people_come_in_one_order_for_all_releases() -> None:
    original = people(400, 1)
    other = FileEvidence(original, Masked.by_order(original, original), ("a", "b"), seed=1)
    told = [original.frame[list(orders(each)[0])].drop("person").rows() for each in (coarse(original), other)]
    assert told[0] == told[1]


def test_who_m_is_learned_from_is_drawn_from_the_whole_of_a_sorted_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rows, "PATTERNS", 100)  # so few that 100 of the 900 people must do
    schema = Schema((Column("town", Kind.NOMINAL),))
    town = np.sort(np.arange(900) % 30)
    towns = Microdata(schema, pl.DataFrame({"town": np.char.mod("%02d", town)}))
    compared = comparisons(Dossier(towns, towns))
    found = rows.sampled_rows(setting(compared), compared, True, np.random.default_rng(1), LocalEngine())
    assert len(found.sampled) == 100
    assert len(np.unique(found.sampled)) > 20  # and not the first four towns
