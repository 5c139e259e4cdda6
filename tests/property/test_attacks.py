"""Attacks against slow references, on small random files full of ties."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import attacks as slow
from unmask import Column, Kind, Microdata, Scenario, Schema
from unmask.attacks import ATTACKS
from unmask.data.microdata import Masked
from unmask.engines import LocalEngine
from unmask.randomness import generator

numbers = st.integers(-3, 3)
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
    schema = Schema(tuple(Column(name, kind) for name, kind in zip(names, kinds, strict=True)))
    return Microdata(schema, pl.DataFrame(dict(zip(names, parts, strict=True))))


def ours(attack, known, released):
    """The belief matrix of the library, with the shuffle of the stage undone."""
    origin = np.full(len(released), -1)
    masked = Masked(released, origin)
    dossier, _, _ = Scenario().stage(known, masked, 1)
    links = ATTACKS[attack].prepare(dossier, generator(1, attack), LocalEngine(threads=1)).links()
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


@given(files=two_files(), seed=st.integers(0, 100))
@settings(deadline=None, max_examples=40)
def test_mixed_files_link_as_the_formula_says(files, seed):
    known, released = files
    rng = np.random.default_rng(seed)
    known = [*known, list(rng.choice(list("abc"), len(known[0])).astype(object))]
    released = [*released, list(rng.choice(list("bcd"), len(released[0])).astype(object))]
    kinds = [Kind.NUMERIC] * (len(known) - 1) + [Kind.NOMINAL]
    expected = slow.belief(slow.dbrl(known, released))
    np.testing.assert_allclose(ours("dbrl", microdata(known, kinds), microdata(released, kinds)), expected)
