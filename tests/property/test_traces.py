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
from unmask.linkage.point_scales import CELLS, GRIDS, INNER, scaled_points
from unmask.linkage.point_visits import visited_places
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
    left, right = _sets(both)
    if any(known) and any(released) and not (_told(known) ^ _told(released)):
        for a, one in zip(left, known, strict=True):
            for b, two in zip(right, released, strict=True):
                assert len(a & b) >= len(one & two)


places = st.lists(st.sampled_from("abc"), min_size=1, max_size=20)


@settings(max_examples=60, deadline=None)
@given(st.lists(places, min_size=1, max_size=4), st.lists(places, min_size=1, max_size=4))
def test_visits_are_shared_where_plain_counts_reach_the_same_levels(known, released):
    sides = [
        [[(float(i), place) for i, place in enumerate(one)] for one in side] for side in (known, released)
    ]
    both = visited_places(*(_content(side) for side in sides))
    left, right = _sets(both)
    for a, one in zip(left, sides[0], strict=True):
        assert len(a) == len(reference.visits(one))
        for b, two in zip(right, sides[1], strict=True):
            assert len(a & b) == len(reference.visits(one) & reference.visits(two))


numbers = st.lists(st.integers(0, 4000), min_size=1, max_size=5)


@settings(max_examples=60, deadline=None)
@given(st.lists(numbers, min_size=1, max_size=4), st.lists(numbers, min_size=1, max_size=4))
def test_cells_are_shared_at_every_scale_as_plain_division_has_it(known, released):
    """Points on a line, all at one time: only the cells of the map tell them apart."""
    sides = [[sorted(set(one)) for one in side] for side in (known, released)]
    every = [number for side in sides for one in side for number in one]
    low, high = np.quantile(every, INNER)
    if high == low:
        low, high = (min(every), max(every)) if max(every) > min(every) else (0.0, 1.0)
    left, right = _sets(scaled_points(*(_on_a_line(side) for side in sides)))
    for a, one in zip(left, sides[0], strict=True):
        for b, two in zip(right, sides[1], strict=True):
            assert len(a & b) == reference.shared_cells(one, two, low, high, CELLS, GRIDS)


def _content(side):
    rows = [(i, when, place) for i, trace in enumerate(side) for when, place in trace]
    kinds = {"owner": pl.Int64, "when": pl.Float64, "where": pl.String}
    return TraceContent.of(pl.DataFrame(rows, schema=kinds, orient="row"), len(side))


def _on_a_line(side):
    rows = [(i, 0.0, float(x), 0.0) for i, trace in enumerate(side) for x in trace]
    kinds = dict.fromkeys(("when", "x", "y"), pl.Float64)
    return TraceContent.of(pl.DataFrame(rows, schema={"owner": pl.Int64, **kinds}, orient="row"), len(side))


def _sets(both):
    return [
        [set(part.codes[a:b].tolist()) for a, b in zip(part.indptr[:-1], part.indptr[1:], strict=True)]
        for part in (both.known, both.released)
    ]


def _told(sets):
    return any(n // 3 for points in sets for n in points)
