"""Standing by sets of attributes, against every pair tried one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.property.test_search import CODES, some_params
from tests.reference import linkage as reference
from unmask.engines import LocalEngine, Watcher
from unmask.engines import equality as sets
from unmask.kernels.pairing import DISCRETE, SUM, Pairing


def equal_or_not(rng: np.random.Generator, code: int, n: int, m: int, d: int) -> Pairing:
    known, released = (rng.integers(0, 4, (rows, d)).astype(float) for rows in (n, m))
    scale, none, one = rng.choice([0.0, 1.0, 0.3, rng.random()], d), np.zeros(d, np.int64), np.ones(d)
    return Pairing(
        known, released, none + DISCRETE, scale, np.empty(0), none, none + 4, one, one, one,
        int(rng.integers(1, 3)), code, some_params(rng, code, d),
    )  # fmt: skip


@given(
    seed=st.integers(0, 10_000), code=st.sampled_from(CODES), d=st.integers(1, 5), depth=st.integers(1, 30)
)
@settings(deadline=None, max_examples=100)
def test_standing_by_sets_is_that_of_all_pairs(seed, code, d, depth):
    rng = np.random.default_rng(seed)
    n, m = (int(size) for size in rng.integers(1, 40, 2))
    p = equal_or_not(rng, code, n, m, d)
    truth = rng.integers(-1, m, n)
    rows = rng.permutation(n)[: int(rng.integers(1, n + 1))]
    expected = LocalEngine(threads=1).index(p).standing(truth, depth, rows)
    for threads in (1, 3):
        found = sets.standing_by_sets(LocalEngine(threads), sets.coded(p), truth[rows], depth, rows)
        assert [part.tolist() for part in found] == [part.tolist() for part in expected]
    value = sets.coded(p).value
    apart = (p.known[:, None, :] != p.released[None, :, :]) @ (1 << np.arange(d))
    assert (value[apart] == reference.values(p)).all()


@pytest.mark.parametrize("spoil", ["missing", "fraction", "negative", "impossible", "wide"])
def test_other_values_are_left_to_the_search(spoil):
    p = equal_or_not(np.random.default_rng(1), SUM, 20, 20, 3)
    assert sets.coded(p) is not None
    if spoil == "impossible":
        p = p._replace(scale=np.array([np.inf, 1.0, 1.0]), params=np.ones(3))
    else:
        known = p.known.copy()
        known[3, 1] = {"missing": np.nan, "fraction": 0.5, "negative": -1.0, "wide": 2.0**62}[spoil]
        p = p._replace(known=known)
    assert sets.coded(p) is None


def test_the_engine_counts_sets_where_there_are_many_records(monkeypatch):
    monkeypatch.setattr(sets, "MANY_TARGETS", 100)
    monkeypatch.setattr(sets, "WORTH_COUNTING", 1)
    p = equal_or_not(np.random.default_rng(2), SUM, 400, 300, 3)
    truth = np.random.default_rng(3).integers(-1, 300, 400)
    said: list[str] = []
    watcher = Watcher()
    watcher.log = said.append
    found = LocalEngine(watcher=watcher).index(p).standing(truth, 5)
    assert said == ["8 sets of attributes: 64 distinct targets, 64 distinct records"]
    monkeypatch.setattr(sets, "MANY_TARGETS", 1000)
    expected = LocalEngine().index(p).standing(truth, 5)
    assert [part.tolist() for part in found] == [part.tolist() for part in expected]
