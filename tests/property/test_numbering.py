"""Rows are numbered, sorted and looked up as by hand, and what is kept small comes back as it was."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import numbering as slow
from unmask.kernels.counting import counting_order, places_within
from unmask.linkage.encodings import ColumnPlaces
from unmask.measures import numbering, per_record
from unmask.measures.dependence import Moves, _codes, _exchanged
from unmask.measures.numbering import dense, first_of, labels

codes = st.integers(0, 6)
numbers = st.sampled_from([-1.5, -0.0, 0.0, 1 / 3, 2.0, 7.0, np.nan])


@given(found=st.lists(codes, max_size=30))
@settings(deadline=None, max_examples=100)
def test_counting_sorts_and_keeps_the_order_of_equals(found):
    assert counting_order(np.array(found, dtype=np.int32), 7).tolist() == slow.order_of(found)


@given(values=st.lists(st.integers(0, 9), min_size=1, max_size=20), draws=st.data())
@settings(deadline=None, max_examples=100)
def test_places_are_sought_within_their_range(values, draws):
    values = sorted(values)
    end = draws.draw(st.integers(0, len(values) - 1))
    begin = draws.draw(st.integers(0, end))
    sought = draws.draw(st.integers(-1, 10))
    found = places_within(
        np.array(values, dtype=np.float64), np.array([begin]), np.array([end]), np.array([float(sought)])
    )
    assert found.tolist() == [slow.place_within(values, begin, end, sought)]
    clipped = np.clip(np.searchsorted(values, sought, side="right"), begin, end)
    assert found[0] == clipped


@given(
    rows=st.lists(st.tuples(codes, codes, codes), min_size=1, max_size=30), few=st.sampled_from([1, 10, 1000])
)
@settings(deadline=None, max_examples=150)
def test_rows_are_numbered_in_their_order(rows, few):
    """By a table or by counting: gaps may differ, the numbers without gaps do not."""
    table = np.array(rows)
    with patch.object(numbering, "FEW", few), patch.object(numbering, "PER_ROW", 0):
        label, size = dense(*labels(table.T, len(table)))
    expected = slow.numbers_of(rows)
    assert label.tolist() == expected
    assert size == max(expected) + 1
    assert first_of(label, size).tolist() == [expected.index(number) for number in range(size)]


@given(mine=st.lists(numbers, min_size=1, max_size=20), theirs=st.lists(numbers, min_size=1, max_size=20))
@settings(deadline=None, max_examples=150)
def test_places_give_values_and_ranks_back(mine, theirs):
    own, other = ColumnPlaces.of(np.array(mine)), ColumnPlaces.of(np.array(theirs))
    np.testing.assert_array_equal(own.records(), mine)
    there = [x for x in theirs if not np.isnan(x)]
    n = 12
    expected = [slow.mid_rank(x, there) * (n / max(len(there), 1)) for x in mine]
    expected = np.where(np.isnan(mine), np.nan, expected)
    np.testing.assert_array_equal(own.mid_ranks(other, n), expected)


@given(moves=st.lists(st.tuples(codes, codes), min_size=1, max_size=12), swapped=st.booleans())
@settings(deadline=None, max_examples=200)
def test_exchanges_are_found_with_their_partners(moves, swapped):
    moves = moves + [(after, before) for before, after in moves] if swapped else moves
    before, after = (pl.Series(side) for side in zip(*moves, strict=True))
    found, expected = _exchanged(*_codes(before, after)), slow.partners_of(moves)
    assert (found is None) == (expected is None)
    if isinstance(found, Moves):
        by_move = dict(zip(moves, found.there.tolist(), strict=True))
        assert [by_move[move] for move in moves] == found.there.tolist()
        back = found.opposite[found.there]
        assert back.tolist() == [by_move[after, before] for before, after in moves]
        assert (found.people[back] - (back == found.there)).tolist() == expected


@given(few=st.lists(numbers, min_size=1, max_size=7), seed=st.integers(0, 99), odd=st.integers(0, 40))
@settings(deadline=None, max_examples=60)
def test_what_is_packed_comes_back_to_the_bit(few, seed, odd):
    rng = np.random.default_rng(seed)
    values = rng.choice(np.array(few), 300)
    values[rng.integers(0, 300, odd)] = rng.random(odd)
    with patch.multiple(per_record, LARGE=100, SAMPLED=30, FEW=25, MOST=30):
        kept = per_record.packed(values)
    back = kept.unpacked() if isinstance(kept, per_record.Packed) else kept
    assert back.tobytes() == values.tobytes()
