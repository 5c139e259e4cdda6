"""Several attacks combined, against the slow vote over every pair."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import fusion as slow
from tests.reference import linkage
from unmask import Column, Kind, Microdata, Missing, Role, Schema, assess
from unmask.attacks import Combined, attack_named
from unmask.attacks.inner import with_distances
from unmask.data.example import people
from unmask.engines import LocalEngine
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.linkage import fusion
from unmask.masks import Noise

OF = ("dbrl", "rbrl-sum", "rbrl-max")


def dossier(seed: int) -> Dossier:
    """Small files full of ties: fewer classes of records than are listed."""
    rng = np.random.default_rng(seed)
    schema = Schema((Column("x"), Column("y"), Column("z", Kind.NOMINAL)))
    n, m = rng.integers(2, fusion.LISTED, 2)

    def file(size: int) -> Microdata:
        numbers = rng.integers(0, 4, (2, size)).astype(float)
        return Microdata(schema, pl.DataFrame([*numbers, rng.choice(list("abc"), size)], schema.names()))

    return Dossier(file(n), file(m), Missing.MISMATCH)


@given(seed=st.integers(0, 10_000))
@settings(deadline=None, max_examples=40)
def test_the_vote_is_that_over_every_pair(seed: int) -> None:
    seen, engine, rng = dossier(seed), LocalEngine(threads=1), np.random.default_rng(0)
    made = [with_distances(attack_named(name).prepare(seen, rng, engine), name) for name in OF]
    tables = [linkage.values(matcher.pairing) for matcher in made]
    vote = fusion.fuse(made, engine)
    n, m = tables[0].shape
    found = np.column_stack([vote.links.belief_in(np.full(n, r)) for r in range(m)])
    support = slow.support(tables)
    for r in range(m):
        more = (support > support[:, r, None] * (1 + 1e-9)).sum(axis=1)
        np.testing.assert_array_equal(vote.closer(np.arange(n), np.full(n, r)), more)
    assert vote.reciprocity == pytest.approx([slow.reciprocity(values) for values in tables])
    np.testing.assert_allclose(found, slow.belief(tables), atol=1e-9)


@pytest.mark.parametrize("block", [7, 50])
def test_blocks_change_nothing(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    original = people(120)
    masked = Noise(a=0.5).apply(original, np.random.default_rng(1))
    asked: Any = {"attacks": ["combined"], "measures": ["reidentification"]}
    whole = assess(original, masked, **asked).records()
    monkeypatch.setattr(fusion, "BLOCK", block)
    assert assess(original, masked, **asked).records().equals(whole)


def test_it_finds_more_than_any_of_its_attacks() -> None:
    original = people(500)
    known = [c.name for c in original.schema.columns if c.role is Role.QUASI_IDENTIFIER]
    masked = Noise(a=1.0).apply(original, np.random.default_rng(1))
    risk = assess(
        original,
        masked,
        known=known,
        attacks=["dbrl", "rbrl-sum", "prl", "combined"],
        measures=["reidentification"],
    )
    found = risk.table().filter(measure="reidentification")
    rate = dict(zip(found["attack"].to_list(), found["value"].to_list(), strict=True))
    assert rate["combined"] > max(rate["dbrl"], rate["rbrl-sum"], rate["prl"])
    assert rate["combined"] <= rate["union"]


@pytest.mark.parametrize(
    ("of", "says"),
    [
        (("dbrl",), "1 attack to combine"),
        (("dbrl", "learned-wm"), "told the truth"),
        (("dbrl", "guess"), "no distance for every pair"),
    ],
)
def test_what_cannot_be_combined(of: tuple[str, ...], says: str) -> None:
    original = people(30)
    with pytest.raises(ArgumentError, match=says):
        assess(original, original.frame, attacks=[Combined(of=of)])
