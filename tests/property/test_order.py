"""Sorting by counting gives what a stable sort gives."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unmask.kernels.order import counting_order


@given(st.lists(st.integers(0, 6), max_size=40))
def test_counting_sorts_as_a_stable_sort_does(keys: list[int]) -> None:
    array = np.array(keys, np.int64)
    assert np.array_equal(counting_order(array, 7), np.argsort(array, kind="stable"))
