"""Attacks against slow references, on small random files full of ties."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import attacks as slow
from unmask import Column, Kind, Microdata, Missing, Role, Scenario, Schema, assess
from unmask.attacks import attack_named
from unmask.data.example import people
from unmask.data.microdata import Masked
from unmask.engines import LocalEngine
from unmask.intruder.dossier import Dossier
from unmask.kernels.pairing import DIFFERENCE
from unmask.linkage.spaces import ranked, standardised
from unmask.masks import Noise
from unmask.randomness import generator

numbers = st.integers(-3, 3)
LEVELS = ("a", "b", "c", "d")
REFERENCES = {
    "dbrl": slow.dbrl,
    "mahalanobis": slow.mahalanobis,
    "rbrl-sum": lambda b, a: slow.rbrl(b, a, np.sum),
    "rbrl-max": lambda b, a: slow.rbrl(b, a, np.max),
}


def columns(draw, n, d):
    return [draw(st.lists(numbers, min_size=n, max_size=n)) for _ in range(d)]


@st.composite
def two_files(draw):
    d = draw(st.integers(1, 4))
    n, m = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    return columns(draw, n, d), columns(draw, m, d)


def microdata(parts, kinds=None):
    names = [f"v{j}" for j in range(len(parts))]
    kinds = kinds or [Kind.NUMERIC] * len(parts)
    levels = {Kind.ORDINAL: LEVELS}
    schema = Schema(tuple(Column(n, k, levels=levels.get(k, ())) for n, k in zip(names, kinds, strict=True)))
    return Microdata(schema, pl.DataFrame(dict(zip(names, parts, strict=True))))


def ours(attack, known, released):
    """The belief matrix of the library, with the shuffle of the stage undone."""
    origin = np.full(len(released), -1)
    masked = Masked(released, origin)
    dossier, _, _ = Scenario().stage(known, masked, 1)
    links = attack_named(attack).prepare(dossier, generator(1, attack), LocalEngine(threads=1)).links()
    staged = np.column_stack([links.belief_in(np.full(len(known), r)) for r in range(len(released))])
    belief = np.empty_like(staged)
    belief[:, generator(1, "stage").permutation(len(released))] = staged
    return belief


@pytest.mark.parametrize("attack", ["dbrl", "rbrl-sum", "rbrl-max"])
@given(files=two_files())
@settings(deadline=None, max_examples=60)
def test_numeric_files_link_as_the_formula_says(attack, files):
    known, released = files
    expected = slow.belief(REFERENCES[attack](known, released))
    np.testing.assert_allclose(ours(attack, microdata(known), microdata(released)), expected)


@given(seed=st.integers(0, 10_000), d=st.integers(1, 4), dependent=st.booleans())
@settings(deadline=None, max_examples=40)
def test_mahalanobis_links_as_the_formula_says(seed, d, dependent):
    rng = np.random.default_rng(seed)
    known, released = rng.normal(size=(d, 12)), rng.normal(size=(d, 15))
    if dependent:
        known, released = np.vstack([known, known[:1] * 2]), np.vstack([released, released[:1] * 2])
    expected = slow.belief(slow.mahalanobis(list(known), list(released)))
    np.testing.assert_allclose(ours("mahalanobis", microdata(known), microdata(released)), expected)


MIXED = {
    "dbrl": slow.dbrl,
    "dbrl:scale=published": lambda b, a, levels: slow.dbrl(b, a, levels, published=True),
    "rbrl-sum": lambda b, a, levels: slow.rbrl(b, a, np.sum, levels),
    "rbrl-max": lambda b, a, levels: slow.rbrl(b, a, np.max, levels),
}


@pytest.mark.parametrize("attack", MIXED)
@given(files=two_files(), seed=st.integers(0, 100))
@settings(deadline=None, max_examples=40)
def test_mixed_files_link_as_the_formula_says(attack, files, seed):
    known, released = files
    rng = np.random.default_rng(seed)
    added = [Kind.NOMINAL, Kind.ORDINAL]
    for _ in added:
        known = [*known, list(rng.choice(LEVELS[:3], len(known[0])).astype(object))]
        released = [*released, list(rng.choice(LEVELS[1:], len(released[0])).astype(object))]
    kinds = [Kind.NUMERIC] * (len(known) - 2) + added
    levels = [[]] * (len(known) - 1) + [list(LEVELS)]
    expected = slow.belief(MIXED[attack](known, released, levels))
    np.testing.assert_allclose(ours(attack, microdata(known, kinds), microdata(released, kinds)), expected)


def of_mixed_kinds(n, rng):
    """Numbers, an ordinal and two nominal attributes; nearly everybody has one category of the last."""
    parts = [
        rng.normal(size=n),
        rng.lognormal(size=n),
        rng.choice(LEVELS, n, p=[0.1, 0.5, 0.3, 0.1]),
        rng.choice(LEVELS, n),
        rng.choice(LEVELS, n, p=[0.97, 0.01, 0.01, 0.01]),
    ]
    kinds = [Kind.NUMERIC, Kind.NUMERIC, Kind.ORDINAL, Kind.NOMINAL, Kind.NOMINAL]
    return microdata(parts, kinds)


@pytest.mark.parametrize(("make", "power", "mean"), [(standardised, 2, 2.0), (ranked, 1, 300 / 3)])
def test_unrelated_records_differ_alike_in_every_attribute(make, power, mean):
    rng = np.random.default_rng(1)
    people, others = of_mixed_kinds(300, rng), of_mixed_kinds(250, rng)
    space = make(Dossier(people, others, Missing.MISMATCH))
    for j, metric in enumerate(space.metric):
        b, a = space.known[:, j, None], space.released[None, :, j]
        differences = np.abs(b - a) if metric == DIFFERENCE else (b != a)
        assert np.mean((space.scale[j] * differences) ** power) == pytest.approx(mean, rel=0.01)


def test_categories_count_where_numbers_are_blurred():
    # With categories as published the numbers, which tell little, hide them: a third is found.
    original = people(1500)
    known = [c.name for c in original.schema.columns if c.role is Role.QUASI_IDENTIFIER]
    masked = Noise(a=1.0).apply(original, np.random.default_rng(1))
    risk = assess(original, masked, known=known, attacks=["dbrl", "dbrl:scale=published"])
    found = risk.table().filter(measure="reidentification")
    rate = dict(zip(found["attack"].to_list(), found["value"].to_list(), strict=True))
    assert rate["dbrl"] > 2 * rate["dbrl:scale=published"]
