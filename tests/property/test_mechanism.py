"""What holds of the attack that knows the mask, whatever the file."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import mechanism as reference
from unmask import Column, Kind, Microdata, Missing, Scenario, Schema
from unmask.attacks.mechanism import KnownMechanism
from unmask.engines import LocalEngine
from unmask.errors import UnmaskError
from unmask.kernels.mechanism_kinds import MATCH, OVERLAP
from unmask.linkage.mechanism import Belief, MechanismMatcher, Term, field, no_rivals, rivals
from unmask.linkage.mechanism.long_tables import long_costs
from unmask.linkage.mechanism.tables import Codes, transition_costs
from unmask.linkage.mechanism.terms import Encoded
from unmask.linkage.redrawn import Redrawn
from unmask.linkage.transitions import Published, Transitions
from unmask.masks import PRAM, parse
from unmask.masks.release import as_released

ENGINE = LocalEngine(threads=1)
LEVELS = ("none", "some", "more", "most")
SCHEMA = Schema(
    (
        Column("age"),
        Column("income"),
        Column("town", Kind.NOMINAL),
        Column("school", Kind.ORDINAL, levels=LEVELS),
    )
)
MASKS = [
    "noise:a=0",
    "noise:a=0.5",
    "noise:a=5,attributes=age",
    "correlated-noise:a=0.5",
    "multiplicative-noise:b=0",
    "multiplicative-noise:b=0.4",
    "multiplicative-noise:b=1",
    "rank-swapping:p=0",
    "rank-swapping:p=7",
    "rank-swapping:p=40",
    "p-distribution-rank-swapping:p=0",
    "p-distribution-rank-swapping:p=15",
    "individual-ranking:k=2",
    "individual-ranking:k=5,attributes=income",
    "microaggregation:k=2",
    "microaggregation:k=2+3,groups=age|income",
    "top-coding:share=0.3",
    "top-coding:share=0.3,replacement=mean",
    "top-coding:limit=3,attributes=age",
    "top-coding:limit=3,replacement=mean,attributes=age",
    "top-coding:p=2",
    "bottom-coding:share=0.3",
    "bottom-coding:share=0.3,replacement=mean",
    "bottom-coding:limit=2,attributes=age",
    "bottom-coding:p=2",
    "global-recoding:bands=3",
    "global-recoding:breaks=1+2+4,attributes=age",
    "global-recoding:p=2",
    "global-recoding:width=2",
    "pram:p=8",
    "pram:pd=0.2",
    "local-suppression:k=3",
    # Masks one after the other: of different attributes, of the same ones, and with values made missing.
    "noise:a=0.5,attributes=age then pram:p=8",
    "rank-swapping:p=20,attributes=income then top-coding:share=0.3,attributes=age then pram:pd=0.2",
    "noise:a=0.5 then local-suppression:k=3",
    "rank-swapping:p=20 then local-suppression:k=3",
    "local-suppression:k=3 then rank-swapping:p=20",
    "microaggregation:k=2,attributes=age+income then local-suppression:k=2",
    "individual-ranking:k=2 then local-suppression:k=3",
    "multiplicative-noise:b=0.4 then local-suppression:k=3",
    "global-recoding:bands=3 then global-recoding:p=2 then local-suppression:k=3",
    "local-suppression:k=3 then global-recoding:p=2",
    "local-suppression:k=3 then top-coding:share=0.3,replacement=mean then bottom-coding:p=2",
    "noise:a=0.5 then rank-swapping:p=20",
    "pram:p=8 then global-recoding:p=2",
    "global-recoding:p=2 then pram:p=8",
    "noise:a=0.5,attributes=age then microaggregation:k=2",
]


@st.composite
def files(draw):
    """Small files with many ties, negative numbers, zeros and (mostly) missing values."""
    n = draw(st.integers(6, 24))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    coarse = draw(st.booleans())
    income = rng.integers(-3, 4, n) * 10.0 if coarse else rng.normal(0, 50, n).round(draw(st.integers(0, 9)))
    if draw(st.booleans()):  # what noise would bring below 0 is released as 0
        income = np.abs(income)
    columns = {
        "age": rng.integers(0, 5, n).astype(float).tolist(),
        "income": income.tolist(),
        "town": rng.choice(["A", "B", "C"], n).tolist(),
        "school": rng.choice(LEVELS, n).tolist(),
    }
    if draw(st.booleans()):
        for values in columns.values():
            for i in np.flatnonzero(rng.random(n) < 0.15):
                values[i] = None
    types = {"age": pl.Float64, "income": pl.Float64, "town": pl.String, "school": pl.String}
    return Microdata(SCHEMA, pl.DataFrame(columns, schema=types))


@pytest.mark.parametrize("text", MASKS)
@settings(max_examples=12, deadline=None)
@given(
    file=files(),
    seed=st.integers(0, 1000),
    targets=st.sampled_from([None, 0.5, 1]),
    missing=st.sampled_from(list(Missing)),
    published=st.booleans(),
    exact=st.booleans(),
)
def test_what_the_mask_did_is_possible(text, file, seed, targets, missing, published, exact):
    mask = parse(text)
    try:
        masked = as_released(file, mask.apply(file, np.random.default_rng(seed)), exact=exact)
    except UnmaskError:  # a file that the mask refuses
        return
    scenario = Scenario(targets=targets, missing=missing)
    dossier, truth, _ = scenario.stage(file, masked, seed + 1)
    known = Published(mask, file) if published else mask
    attack = KnownMechanism(known)
    matcher = attack.prepare(dossier, np.random.default_rng(0), LocalEngine(threads=1))
    standing = matcher.standing(truth, 100)
    assert (standing.tied > 0).all()
    assert (matcher.candidates() >= 1).all()


def test_a_category_that_left_the_release_may_have_become_any():
    levels = Schema((Column("town", Kind.NOMINAL),))
    file = Microdata(levels, pl.DataFrame({"town": ["A", "B", "B", "C"]}))
    mask = PRAM(matrix={"town": [[0, 1, 0], [0, 1, 0], [0, 0, 1]]})
    masked = mask.apply(file, np.random.default_rng(1))
    dossier, truth, _ = Scenario().stage(file, masked, 2)
    matcher = KnownMechanism(mask).prepare(dossier, np.random.default_rng(0), LocalEngine())
    assert sorted(matcher.candidates().tolist()) == [1, 3, 3, 3]
    assert (matcher.standing(truth, 5).closer == 0).all()


@st.composite
def encodings(draw):
    """Terms of every kind, with missing values, coarse enough for ties."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, m = draw(st.integers(1, 9)), draw(st.integers(1, 12))
    nan = float("nan")
    costs = draw(st.sampled_from([(3.0, 2.0, 0.0), (0.0, 0.0, 0.0), (nan, nan, nan)]))
    terms = []
    for kind in draw(st.lists(st.integers(0, 4), min_size=1, max_size=5)):
        known, released = rng.integers(0, 4, (n, 1)) * 1.0, rng.integers(0, 4, (m, 1)) * 1.0
        wide = rng.integers(0, 3, (m, 1)) if kind in (0, 3) else np.zeros((m, 1))
        known, released = np.hstack((known, known)), np.hstack((released, released + wide))
        if kind == 4:
            known[:, 1] = rng.integers(1, 3, n)
        if draw(st.booleans()):
            known[rng.random(n) < 0.2], released[rng.random(m) < 0.2] = nan, nan
        shape = {2: (4, 4), 4: (4, 3)}.get(kind)
        table = None if shape is None else -np.log(rng.integers(1, 4, shape) / 8)
        if table is not None:
            table[rng.random(shape) < 0.2] = np.inf
        soft = 0.7 if kind == 3 else 0.0
        code = {3: OVERLAP, 4: MATCH}.get(kind, kind)
        terms.append(Term("x", code, known, released, table, soft, *costs))
    density = rng.normal(0, 1, n) if draw(st.booleans()) else np.zeros(n)
    return Encoded(tuple(terms), density)


@settings(max_examples=150, deadline=None)
@given(
    encoded=encodings(),
    competed=st.booleans(),
    presence=st.sampled_from([1.0, 0.7, 0.25]),
    seed=st.integers(0, 100),
)
def test_beliefs_are_those_of_the_reference(encoded, competed, presence, seed):
    ready = field(encoded)
    n, m = len(ready.known), len(ready.class_of)
    others = rivals(ready, ENGINE, presence) if competed else no_rivals(ready)
    costs = reference.pair_costs(encoded.terms)
    expected = reference.posterior(costs, encoded.log_density, competed, presence=presence)
    matcher = MechanismMatcher(ready, others, competed, Belief.POSTERIOR, ENGINE, np.arange(n))
    matcher = matcher if presence == 1 else matcher.reckoning(presence)
    links = matcher.posterior(least=1e-300)
    dense = np.column_stack([links.belief_in(np.full(n, r)) for r in range(m)])
    np.testing.assert_allclose(dense, expected, rtol=1e-6, atol=1e-9)
    truth = np.random.default_rng(seed).integers(0, m, n)
    found = matcher._verdicts(None, truth, 100)
    np.testing.assert_allclose(found.share, expected[np.arange(n), truth], rtol=1e-6, atol=1e-9)
    np.testing.assert_array_equal(found.candidates, np.isfinite(costs).sum(axis=1))
    np.testing.assert_allclose(found.confidence, expected.max(axis=1), rtol=1e-6, atol=1e-9)
    true = expected[np.arange(n), truth][:, None]
    closer = (expected > true * (1 + 3e-9)).sum(axis=1)
    possible = true[:, 0] > 1e-9
    np.testing.assert_array_equal(found.closer[possible], closer[possible])
    assert (found.closer[true[:, 0] == 0] == 100).all()


@st.composite
def redrawn(draw):
    """A long attribute in short, the same as a table, and codes of both files; stays below 1: no new ones."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    k, m = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    stays = draw(st.sampled_from([1.0, 0.7, 0.0]))
    more = (0, 0) if stays < 1 else (draw(st.integers(0, 2)), draw(st.integers(0, 2)))
    share = np.zeros(m) if stays == 1 else rng.dirichlet(np.ones(m)) * 0.99 + 0.01 / m
    original, released = tuple("abcde"[:k]), tuple("uvwxy"[:m])
    short = Redrawn(original, released, rng.integers(0, m, k), stays, share)
    table = stays * (short.image[:, None] == np.arange(m)) + (1 - stays) * share
    rows, columns = original + tuple("rs"[: more[0]]), released + tuple("rt"[: more[1]])
    known, shown = (rng.integers(0, len(side), 6) for side in (rows, columns))
    counts = (np.bincount(codes, minlength=len(s)) for codes, s in ((shown, columns), (known, rows)))
    codes = Codes(rows, columns, known.astype(float), shown.astype(float), *counts)
    return codes, short, Transitions(original, released, table)


@settings(max_examples=200, deadline=None)
@given(case=redrawn(), error=st.sampled_from([0.0, 0.2, 0.9]))
def test_a_long_attribute_costs_what_its_table_would(case, error):
    codes, short, table = case
    dense, _ = transition_costs(codes, table, error)
    found = long_costs(codes, short, error)
    known, shown = codes.known.astype(int), codes.released.astype(int)
    expected = dense[np.ix_(known, shown)]
    same = found.known[:, :1] == shown
    costs = np.where(same, found.costs[shown, 0], found.costs[shown, found.known[:, 1:].astype(int)])
    np.testing.assert_array_equal(np.isinf(costs), np.isinf(expected))
    finite = np.isfinite(costs)
    # One number for all pairs may differ: no posterior sees it.
    difference = costs[finite] - expected[finite]
    np.testing.assert_allclose(difference, np.median(difference) if finite.any() else 0.0, atol=1e-9)
