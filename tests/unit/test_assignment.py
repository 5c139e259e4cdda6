"""One-to-one linkage: hand-worked cases, what it promises as an attack, and bad input."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import unmask
from tests.contract import methods as contract
from unmask import Column, Microdata, Schema
from unmask.attacks.guess import Guess
from unmask.attacks.one_to_one import OneToOne
from unmask.engines import LocalEngine
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.intruder.truth import Truth
from unmask.linkage.assignment import LongAssignmentError, assign, lists, pairing_of, sides

ENGINE = LocalEngine()
ATTACKS = [OneToOne(), OneToOne("rbrl-sum"), OneToOne("rbrl-max", power=0.5), OneToOne("mahalanobis")]
attacks = pytest.mark.parametrize("attack", ATTACKS, ids=lambda a: a.name)
inf = np.inf


def belief(cost):
    found = assign(pairing_of(cost), ENGINE)
    n, m = np.array(cost).shape
    return np.column_stack([found.links.belief_in(np.full(n, j)) for j in range(m)]), found


def numbers(values):
    return Microdata(Schema((Column("x"),)), pl.DataFrame({"x": list(map(float, values))}))


def test_people_compete_for_records():
    """Both are nearest to record 0; one of them must take the other."""
    shares, found = belief([[1, 2], [1, 5]])
    assert shares.tolist() == [[0, 1], [1, 0]]
    assert found.total == 3
    assert found.proven


def test_the_best_total_may_take_nobodys_nearest():
    shares, found = belief([[0, 1, 9], [0, 9, 1], [0, 9, 9]])
    assert shares.tolist() == [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    assert found.total == 2


def test_a_tie_is_shared_by_all_best_assignments():
    """Three assignments cost 3; two of them link 0 to 0."""
    shares, found = belief([[1, 1, 2], [1, 1, 1], [2, 1, 1]])
    assert found.total == 3
    np.testing.assert_allclose(shares, [[2 / 3, 1 / 3, 0], [1 / 3, 1 / 3, 1 / 3], [0, 1 / 3, 2 / 3]])


def test_more_people_than_records():
    shares, found = belief([[1, 9], [2, 9], [9, 1]])
    assert shares.tolist() == [[1, 0], [0, 0], [0, 1]]
    assert found.pairs == 2


def test_who_is_left_out_is_shared_too():
    shares, _ = belief([[1], [1], [1], [2]])
    np.testing.assert_allclose(shares.ravel(), [1 / 3, 1 / 3, 1 / 3, 0])


def test_more_records_than_people():
    shares, _ = belief([[3, 1, 1, 5]])
    np.testing.assert_allclose(shares, [[0, 0.5, 0.5, 0]])


def test_impossible_pairs_leave_people_without_a_record():
    shares, found = belief([[inf, 1, inf], [inf, 2, inf], [4, 7, 5]])
    np.testing.assert_allclose(shares, [[0, 1, 0], [0, 0, 0], [1, 0, 0]])
    assert (found.pairs, found.total) == (2, 5)


def test_as_many_pairs_as_can_be_come_before_a_small_total():
    shares, found = belief([[0, 50], [1, inf]])
    assert shares.tolist() == [[0, 1], [1, 0]]
    assert found.total == 51


def test_nothing_is_possible():
    shares, found = belief([[inf, inf], [inf, inf]])
    assert not shares.any()
    assert found.pairs == 0
    assert found.proven


def test_large_components_share_evenly_too():
    """Twenty people, twenty records, all alike: beyond what is counted one by one."""
    shares, _ = belief(np.ones((20, 25)))
    np.testing.assert_allclose(shares, 1 / 25)


def test_a_cost_that_no_search_can_price_states_its_gap(monkeypatch):
    monkeypatch.setattr(sides, "EVERY_PAIR", 0)
    monkeypatch.setattr(lists, "LISTED", 3)
    monkeypatch.setattr(lists, "LONGEST_LIST", 5)
    rng = np.random.default_rng(0)
    known, released = (numbers(rng.normal(size=300).round(2)) for _ in range(2))
    found = OneToOne(power=0.5).prepare(Dossier(known, released), rng, ENGINE)
    assert not found.assignment.proven
    assert any("not proven the best" in note and "%" in note for note in found.notes)


def test_too_much_work_is_refused_by_count_and_says_what_to_do(monkeypatch):
    rng = np.random.default_rng(0)
    known, released = (numbers(rng.normal(size=300).round(2)) for _ in range(2))
    monkeypatch.setattr(lists, "MOST_LOOKS", 100)
    with pytest.raises(LongAssignmentError, match=r"distinct records is too much work.*block on"):
        OneToOne().prepare(Dossier(known, released), rng, ENGINE)


def test_standing_is_the_share_of_best_assignments():
    known, released = numbers([0, 10, 21, 22]), numbers([0, 10, 20, 20])
    matcher = OneToOne().prepare(Dossier(known, released), np.random.default_rng(0), ENGINE)
    standing = matcher.standing(Truth(np.array([0, 2, 2, -1])), 10)
    np.testing.assert_allclose(standing.belief(), [1, 0, 0.5, 0])
    assert standing.closer.tolist() == [0, 2, 0, -1]
    assert standing.tied[[0, 2]].tolist() == [1, 2]
    some = matcher.standing(Truth(np.array([0, 2, 2, -1])), 10, np.array([2]))
    np.testing.assert_allclose(some.belief(), [0.5])


def test_fewer_records_than_people_is_told():
    matcher = OneToOne().prepare(
        Dossier(numbers([1, 2, 3]), numbers([1, 3])), np.random.default_rng(0), ENGINE
    )
    assert matcher.notes[-1].startswith("1 of 3 people get no record")


def test_names_and_bad_parameters():
    assert [attack.name for attack in ATTACKS[:3]] == [
        "one-to-one",
        "one-to-one:over=rbrl-sum",
        "one-to-one:over=rbrl-max,power=0.5",
    ]
    with pytest.raises(ArgumentError, match="power is 0"):
        OneToOne(power=0)
    with pytest.raises(ArgumentError, match="no attack is called"):
        OneToOne("dbrll").inner()
    with pytest.raises(ArgumentError, match="no distance for every pair"):
        OneToOne(Guess()).prepare(Dossier(numbers([1]), numbers([1])), np.random.default_rng(0), ENGINE)


def test_blocks_make_pairs_impossible():
    original = contract.people()
    masked = contract.released_of(original)
    scenario = unmask.Scenario(block=("town",))
    belief, *_ = contract.dense(OneToOne(), original, masked, scenario=scenario)
    towns = original.frame["town"].to_numpy()
    assert not belief[towns[:, None] != masked.data.frame["town"].to_numpy()].any()
    assert (belief.sum(axis=0) <= 1 + 1e-9).all()


def test_each_released_record_is_given_away_once_at_most():
    original = contract.people()
    belief, *_ = contract.dense(OneToOne(), original, contract.released_of(original))
    np.testing.assert_allclose(belief.sum(axis=0), 1)
    np.testing.assert_allclose(belief.sum(axis=1), 1)
