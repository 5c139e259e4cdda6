"""What is known with an error: how much categories count, and where an error is declared."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unmask import Column, Kind, Microdata, Scenario, Schema
from unmask.attacks import DBRL, RBRL, Attack
from unmask.data.example import people
from unmask.data.microdata import Masked
from unmask.engines import LocalEngine
from unmask.intruder.dossier import Dossier
from unmask.intruder.sources import Source
from unmask.linkage.fallible import rank_cost, square_cost
from unmask.linkage.spaces import ranked, standardised, whitened
from unmask.masks import Microaggregation

LEVELS = ("low", "middle", "high")
SCHEMA = Schema((Column("pay"), Column("town", Kind.NOMINAL), Column("health", Kind.ORDINAL, levels=LEVELS)))


def some(n: int, seed: int) -> Microdata:
    rng = np.random.default_rng(seed)
    town, health = rng.choice(["a", "b", "c", "d"], n), rng.choice(LEVELS, n)
    return Microdata(SCHEMA, pl.DataFrame({"pay": rng.normal(size=n), "town": town, "health": health}))


@given(st.floats(1e-6, 1e6), st.integers(0, 50))
def test_costs_are_finite_and_fall_to_nothing(error: float, levels: int) -> None:
    for cost in (square_cost(error, levels), rank_cost(error, levels)):
        assert 0 <= cost < np.inf
        if error >= 1 - 1 / max(levels, 1):  # no more than a guess
            assert cost == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("space", [standardised, ranked, whitened])
def test_a_category_known_with_an_error_never_counts_more(space) -> None:
    sure = Dossier(some(200, 1), some(200, 2))
    for error in (1e-9, 0.1, 0.5, 2.0):
        doubted = replace(sure, errors={"town": error, "health": error})
        # The nominal attribute alone: an ordinal one changes its form, and Mahalanobis takes it for a number.
        j = list(sure.attributes).index("town") if space is not whitened else -1
        assert space(doubted).scale[j] <= space(sure).scale[j]
    assert space(replace(sure, errors={"pay": 0.5})).scale.tolist() == space(sure).scale.tolist()


def test_a_wrong_ordinal_value_is_no_nearer_than_another() -> None:
    files = Microdata(SCHEMA.only(["health"]), pl.DataFrame({"health": LEVELS}))
    space = standardised(Dossier(files, files, errors={"health": 0.1}))
    pairing_scale = space.scale[0]
    assert pairing_scale**2 == pytest.approx(square_cost(0.1, 3))


def test_the_dossier_says_which_attributes_are_known_with_an_error() -> None:
    original = some(20, 1)
    masked = Masked(original, np.arange(20))
    dossier, _, _ = Scenario(error=0.2).stage(original, masked, 1)
    assert dossier.errors == dict.fromkeys(SCHEMA.names(), 0.2)
    assert not Scenario().stage(original, masked, 1)[0].errors
    two = Scenario(sources=(Source(("pay", "town")), Source(("town", "health"), error=0.3)))
    # Of the town the better source is asked, but not of everybody perhaps: the larger error counts.
    assert two.stage(original, masked, 1)[0].errors == {"town": 0.3, "health": 0.3}
    alone, other, both = (dossier for dossier, _, _ in two.stage_sources(original, masked, 1))
    assert (alone.errors, other.errors) == ({}, both.errors)


@pytest.mark.parametrize("attack", [DBRL(), RBRL()])
def test_more_people_are_found_than_where_the_error_is_not_thought_of(attack: Attack) -> None:
    original, mask = people(500), Microaggregation(k=10)
    masked = mask.apply(original, np.random.default_rng(1))
    dossier, truth, _ = Scenario(error=0.1).stage(original, masked, 1)
    found = []
    for known in (dossier, replace(dossier, errors={})):
        links = attack.prepare(known, np.random.default_rng(1), LocalEngine()).links()
        found.append(float(links.belief_in(truth.row).sum()))
    assert found[0] > 1.05 * found[1]
