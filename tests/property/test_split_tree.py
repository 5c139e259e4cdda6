"""The tree of cuts: no bound exceeds what it bounds, and every record is in one leaf and its boxes."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from tests.property.test_search import some_pairing
from tests.reference.boxes import cheapest
from unmask.engines import LocalEngine, Strategy
from unmask.engines.box_search import BoxSearch
from unmask.engines.prepare import distinct, frozen
from unmask.engines.question import Question
from unmask.engines.split_search import SplitSearch
from unmask.engines.split_tree import build_splits
from unmask.kernels import lanes
from unmask.kernels.collect import CLOSEST, NEAREST, STANDING
from unmask.kernels.envelope import fill_envelope, fill_mates
from unmask.kernels.groups import ALL, NONE
from unmask.kernels.pairing import MAXIMUM, SUM

quick = settings(deadline=None, max_examples=25)
numbers = st.lists(
    st.one_of(st.sampled_from([0.0, 1.0, -2.0, float("inf")]), st.floats(-10, 10, width=32)),
    min_size=8,
    max_size=8,
)


@njit
def every_operation(a, b, x, out):
    """Each operation of two rows of lanes and a number, one row of `out` each; returns the bits."""
    v, w = lanes.load(a, 0, 0), lanes.load(b, 0, 0)
    lanes.store(lanes.distances(v, x), out[0])
    lanes.store(lanes.product(v, w), out[1])
    lanes.store(lanes.plus(v, w), out[2])
    lanes.store(lanes.larger(v, w), out[3])
    lanes.store(lanes.smaller(v, w), out[4])
    lanes.store(lanes.where_equal(v, x, lanes.spread(x), w), out[5])
    lanes.store(lanes.clamped(x, lanes.smaller(v, w), lanes.larger(v, w)), out[6])
    return lanes.within(v, x)


@quick
@given(a=numbers, b=numbers, x=st.floats(-10, 10, width=32))
def test_lanes_do_what_numpy_does(a, b, x):
    a, b, x = np.array(a, np.float32), np.array(b, np.float32), np.float32(x)
    out = np.empty((7, 8), np.float32)
    bits = every_operation(a.reshape(1, 1, 8), b.reshape(1, 1, 8), x, out)
    with np.errstate(invalid="ignore"):
        expected = [np.abs(a - x), a * b, a + b, np.maximum(a, b), np.minimum(a, b), np.where(a == x, x, b)]
        expected += [np.clip(x, np.minimum(a, b), np.maximum(a, b))]
    for mine, other in zip(out, expected, strict=True):
        np.testing.assert_array_equal(mine, other)
    assert bits == sum(1 << i for i in range(8) if a[i] <= x)


@njit
def entries_and_bits(table, start, v, bits, out):
    lanes.store(lanes.looked_up(table, start, lanes.load(v, 0, 0)), out)
    return lanes.first_bit(bits)


def test_lanes_are_looked_up_and_bits_found():
    table, out = np.arange(20, dtype=np.float32) * 2, np.empty(8, np.float32)
    v = np.array([0, 3, 1, np.inf, 9, 2, 2, 7], np.float32)
    assert entries_and_bits(table, 5, v.reshape(1, 1, 8), 40, out) == 3
    assert out.tolist() == [10, 16, 12, 10, 28, 14, 14, 24]


@quick
@given(known=st.integers(1, 5), width=st.integers(1, 9), seed=st.integers(0, 10_000))
def test_an_envelope_bounds_every_range(known, width, seed):
    rng = np.random.default_rng(seed)
    table = rng.choice([0.0, 1.0, 2.0, 5.0, np.inf], (known, width)).astype(np.float32)
    least, middle, mate = (
        np.empty(table.size, np.float32),
        np.empty(known, np.float32),
        np.empty(width, np.int32),
    )
    fill_envelope(table.ravel(), width, least, middle)
    fill_mates(table.ravel(), width, mate)
    for b in range(known):
        assert table[b, int(middle[b])] == table[b].min()
        for low in range(width):
            for high in range(low, width):
                at = int(np.clip(middle[b], low, high))
                assert least[b * width + at] <= cheapest(table[b].tolist(), low, high)
        # A range that reaches to the end of the codes is bounded exactly.
        for at in range(width):
            low, high = (at, width - 1) if at > middle[b] else (0, at) if at < middle[b] else (0, width - 1)
            assert least[b * width + at] == cheapest(table[b].tolist(), low, high)
    assert [table[b, a] for a, b in enumerate(mate)] == table.min(axis=0).tolist()


@quick
@given(
    seed=st.integers(0, 10_000),
    m=st.integers(1, 400),
    d=st.integers(1, 5),
    holes=st.sampled_from([0.0, 0.3]),
    code=st.sampled_from([SUM, MAXIMUM]),
)
def test_every_record_is_in_one_leaf_and_its_boxes(seed, m, d, holes, code):
    p = frozen(some_pairing(seed, code, 3, m, d, holes, (1.0, 1.0, 0.0)))
    released = distinct(p.released)
    tree = build_splits(LocalEngine(threads=1), p, released)
    groups, records = tree.groups, len(released.first)
    assert sorted(tree.cls[tree.cls >= 0].tolist()) == list(range(records))
    assert tree.cls[tree.place].tolist() == list(range(records))
    reached = []

    def visit(at, boxes):
        if at >= 0:
            for lane in range(groups.filled[at]):
                visit(groups.child[at, lane], [*boxes, (at, lane)])
            return
        leaf = -1 - at
        for i in range(groups.start[leaf + 1] - groups.start[leaf]):
            row, lane = groups.row[leaf] + i // 8, i % 8
            reached.append(row * 8 + lane)
            values = groups.rows[row, :, lane]
            missing = np.isinf(values)
            for group, box in boxes:
                low, high = groups.low[group, :, box], groups.high[group, :, box]
                assert ((low <= values) & (values <= high))[~missing].all()
                if groups.holes.size:
                    assert (groups.holes[group, missing, box] != NONE).all()
                    assert (groups.holes[group, ~missing, box] != ALL).all()

    visit(0, [])
    assert sorted(reached) == sorted(tree.place.tolist())


@pytest.mark.parametrize("mode", [STANDING, NEAREST, CLOSEST])
@quick
@given(
    seed=st.integers(0, 10_000),
    m=st.integers(200, 600),
    d=st.integers(1, 4),
    holes=st.sampled_from([0.0, 0.3]),
    code=st.sampled_from([SUM, MAXIMUM]),
)
def test_large_boxes_find_what_the_tree_of_cuts_finds(mode, seed, m, d, holes, code):
    p = frozen(some_pairing(seed, code, 20, m, d, holes, (0.5, 2.5, 1.0)))
    released, engine = distinct(p.released), LocalEngine(threads=1)
    truth = np.random.default_rng(seed).integers(0, len(released.first), 20)
    known = (released.first[truth], truth) if mode == STANDING else ()
    ask = Question(mode, 3, np.arange(20), *known)
    found = [search(engine, p, released, Strategy.TREE).answers(ask) for search in (SplitSearch, BoxSearch)]
    names = ("closer", "tied") if mode == STANDING else ("least", "beyond", "count")
    for name in names:
        assert getattr(found[0], name).tolist() == getattr(found[1], name).tolist()
    for i in range(0 if mode == STANDING else 20):
        sets = [sorted(f.classes[f.start[i] : f.start[i] + f.count[i]].tolist()) for f in found]
        assert sets[0] == sets[1]


@quick
@given(
    seed=st.integers(0, 10**6), m=st.integers(1, 300), d=st.integers(1, 5), holes=st.sampled_from([0.0, 0.2])
)
def test_both_sides_of_the_first_cut_make_the_tree_of_all(seed, m, d, holes):
    p = frozen(some_pairing(seed, SUM, 3, m, d, holes, (1.0, 1.0, 0.0)))
    released = distinct(p.released)
    whole = build_splits(LocalEngine(), p, released)
    with patch("unmask.engines.split_tree.MANY", 1):
        sides = build_splits(LocalEngine(), p, released)
    for mine, other in zip(whole.groups, sides.groups, strict=True):
        np.testing.assert_array_equal(mine, other)
    np.testing.assert_array_equal(whole.cls, sides.cls)
    np.testing.assert_array_equal(whole.place, sides.place)
