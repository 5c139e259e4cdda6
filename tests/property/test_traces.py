"""Traces against plain sets: scores, ties, standing, equal traces, and who is singled out."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import traces as reference
from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Schema
from unmask.data.shapes import TraceContent
from unmask.engines import LocalEngine
from unmask.intruder.truth import Truth
from unmask.kernels.postings import postings
from unmask.kernels.unicity import singled_out
from unmask.linkage.points import CodedTraces, CommonPoints, common_points
from unmask.linkage.trace_matcher import alike_traces, as_lists, trace_matcher

SCHEMA = Schema((Column("points"), Column("places")))
trace = st.frozensets(st.integers(0, 9), max_size=6)
POWERS = st.sampled_from((0.0, 0.25, 0.5))
files = st.lists(trace, min_size=1, max_size=8)


def content(sets, step=1.0):
    """A trace is a set of whole numbers n: place n % 3 at the time n // 3."""
    rows = [(i, step * (n // 3), f"place {n % 3}") for i, points in enumerate(sets) for n in sorted(points)]
    kinds = {"owner": pl.Int64, "when": pl.Float64, "where": pl.String}
    return TraceContent.of(pl.DataFrame(rows, schema=kinds, orient="row"), len(sets))


def people(sets):
    held = content(sets)
    return Microdata(SCHEMA, held.summary(), content=held)


def coded(sets):
    indptr = np.concatenate(([0], np.cumsum([len(points) for points in sets]))).astype(np.int64)
    return CodedTraces(indptr, np.array([n for points in sets for n in sorted(points)], np.int64))


def ready(known, released, power, block=None):
    points = CommonPoints(coded(known), coded(released), 10, ())
    return trace_matcher(points, power, LocalEngine(threads=1, block=block))


@settings(max_examples=150, deadline=None)
@given(files, files, POWERS)
def test_links_are_those_of_all_pairs(known, released, power):
    values = reference.scores(known, released, power)
    for block in (None, 2):
        links = ready(known, released, power, block).links()
        for j in range(len(released)):
            believed = links.belief_in(np.full(len(known), j))
            np.testing.assert_allclose(believed, [reference.beliefs(row)[j] for row in values], atol=1e-12)


@settings(max_examples=150, deadline=None)
@given(files, files, POWERS, st.integers(1, 9), st.data())
def test_standing_is_that_of_all_pairs(known, released, power, depth, data):
    values = reference.scores(known, released, power)
    truth = data.draw(st.lists(st.integers(-1, len(released) - 1), min_size=len(known), max_size=len(known)))
    matcher = ready(known, released, power)
    found = matcher.standing(Truth(np.array(truth)), depth)
    for i, true in enumerate(truth):
        expected = (-1, 0) if true < 0 else reference.standing(values[i], true, depth)
        assert (found.closer[i], found.tied[i]) == expected
    np.testing.assert_allclose(found.belief(), matcher.links().belief_in(np.array(truth)), atol=1e-12)


@settings(max_examples=80, deadline=None)
@given(files)
def test_equal_traces_are_one_class(sets):
    found = alike_traces(coded(sets))
    for i, one in enumerate(sets):
        assert sets[found.first[found.of[i]]] == one
        assert found.size[found.of[i]] == sets.count(one)
    assert len(found.first) == len(set(sets))


@settings(max_examples=80, deadline=None)
@given(files, files, st.integers(0, 2**32))
def test_singled_out_is_that_of_plain_sets(known, released, seed):
    most = 4
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, len(released), len(known))
    draws = rng.random((len(known), 30, most))
    index = postings(as_lists(coded(released)), 10)
    found = singled_out(as_lists(coded(known)), truth, index, len(released), draws, np.arange(len(known)))
    for p in range(1, most + 1):
        exact = np.array(reference.unicity(known, released, list(truth), p))
        share = found[:, p - 1] / 30
        # A share of 30 draws is within five standard errors, and none or all of them where it is certain.
        assert (np.abs(share - exact) <= 5 * np.sqrt(exact * (1 - exact) / 30)).all()


@settings(max_examples=80, deadline=None)
@given(st.lists(trace, min_size=1, max_size=6), st.lists(trace, min_size=1, max_size=6))
def test_points_are_shared_where_sets_are(known, released):
    both = common_points(content(known), content(released))
    left, right = (
        [set(part.codes[a:b]) for a, b in zip(part.indptr[:-1], part.indptr[1:], strict=True)]
        for part in (both.known, both.released)
    )
    if any(known) and any(released) and not (_told(known) ^ _told(released)):
        for a, one in zip(left, known, strict=True):
            for b, two in zip(right, released, strict=True):
                assert len(a & b) >= len(one & two)


def _told(sets):
    return any(n // 3 for points in sets for n in points)
