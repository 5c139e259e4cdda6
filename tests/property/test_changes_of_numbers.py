"""Numbers before and after a mask: what is seen on some pairs or different values holds for all of them."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata, spearmanr

from unmask.data.understanding import numbers
from unmask.data.understanding.changes import _mean_ranks, rank_correlation
from unmask.data.understanding.numbers import _places, bands_of
from unmask.data.values.date_formats import COMPACT, FORMATS, SHORT, pattern

few = st.integers(-3, 3).map(float)
pairs = st.lists(st.tuples(few, few), min_size=1, max_size=30)


@given(found=pairs)
@settings(max_examples=150)
def test_ranks_and_their_correlation(found):
    a, b = map(np.array, zip(*found, strict=True))
    assert _mean_ranks(a).tolist() == rankdata(a).tolist()
    if len(set(a)) > 1 and len(set(b)) > 1:
        assert rank_correlation(a, b) == pytest.approx(spearmanr(a, b).statistic)
    else:
        assert rank_correlation(a, b) == 0.0


@given(found=pairs)
@settings(max_examples=100)
def test_how_many_are_less_and_not_above(found):
    among, values = map(np.array, zip(*found, strict=True))
    low, high = _places(np.sort(among), values)
    assert low.tolist() == [int((among < value).sum()) for value in values]
    assert high.tolist() == [int((among <= value).sum()) for value in values]


@given(found=pairs, screen=st.integers(1, 30))
@settings(max_examples=200)
def test_some_pairs_refuse_no_bands_that_all_have(found, screen):
    before, after = map(np.array, zip(*found, strict=True))
    levels, group = np.unique(after, return_inverse=True)
    spans = [(before[group == g].min(), before[group == g].max()) for g in range(len(levels))]
    apart = all(a[1] < b[0] or b[1] < a[0] for i, a in enumerate(spans) for b in spans[:i])
    with patch.object(numbers, "SCREEN", screen):
        assert (bands_of(before, group, [str(level) for level in levels]) is not None) == apart


@pytest.mark.parametrize("form", [*FORMATS, *COMPACT, *SHORT])
def test_no_date_is_without_digits(form):
    """Which is why a text without any is tried in no format."""
    assert not pl.Series(["", "March", "Q", "-", "--", "x/y/z"]).str.contains(pattern(form)).any()
    assert any(part in form for part in ("%d", "%m", "%Y", "%y", "%q"))
