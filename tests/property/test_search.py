"""Both searches against every pair tried one by one, for every aggregation, metric and missing policy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.reference import linkage as reference
from unmask.engines import LocalEngine, Strategy
from unmask.kernels.pairing import (
    CHOQUET,
    DIFFERENCE,
    DISCRETE,
    MAXIMUM,
    OWA,
    SUGENO,
    SUM,
    TABLE,
    Pairing,
)

CODES = [SUM, MAXIMUM, OWA, CHOQUET, SUGENO]
STRATEGIES = [Strategy.TREE, Strategy.BRUTE, Strategy.AUTO]
quick = settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))


def fuzzy_measure(rng: np.random.Generator, d: int) -> np.ndarray:
    """A random monotone measure; zero for many sets, so that weights vanish."""
    mu = np.zeros(1 << d)
    for subset in range(1, 1 << d):
        below = max(mu[subset & ~(1 << j)] for j in range(d) if subset >> j & 1)
        mu[subset] = below + rng.choice([0.0, rng.random()])
    return mu


def some_params(rng: np.random.Generator, code: int, d: int) -> np.ndarray:
    if code in (CHOQUET, SUGENO):
        return fuzzy_measure(rng, d)
    return np.where(rng.random(d) < 0.2, 0.0, rng.choice([1.0, 0.5, rng.random()], d))


def column(rng: np.random.Generator, rows: int, metric: int, style: int) -> np.ndarray:
    """Values with heavy ties (style 0), constant (1), few decimals (2), continuous (3), heavy-tailed (4)."""
    if metric != DIFFERENCE:
        return rng.integers(0, 3, rows).astype(float)
    styles = [rng.integers(0, 3, rows), np.full(rows, 7.0), rng.normal(size=rows).round(1)]
    styles += [rng.normal(size=rows) + 1e4, np.exp(3 * rng.normal(size=rows)) * (rng.random(rows) < 0.5)]
    return np.asarray(styles[style], float)


#: What a missing value costs: the known one alone, the released one alone, both.
MISSING = [
    (1.0, 1.0, 0.0),  # category
    (0.0, 0.0, 0.0),  # wildcard
    (np.nan, np.nan, np.nan),  # ignore
    (2.5, 2.5, 2.5),  # mismatch
    (2.5, 2.5e-3, 0.0),  # suppressed
    (2.5e-3, 2.5, 0.0),  # suppressed, the files exchanged
    (0.5, 2.5, 1.0),
]


def some_pairing(
    seed: int, code: int, n: int, m: int, d: int, holes: float, missing: tuple[float, ...]
) -> Pairing:
    rng = np.random.default_rng(seed)
    metric = (
        rng.choice([DIFFERENCE, DIFFERENCE, DISCRETE, TABLE], d) if rng.random() < 0.6 else np.zeros(d, int)
    )
    both = [column(rng, n + m, kind, rng.integers(5)) for kind in metric]
    rows = np.column_stack(both) if d else np.zeros((n + m, 0))
    rows[rng.random(rows.shape) < holes] = np.nan
    if rng.random() < 0.5:  # released records that are known ones, and duplicates
        rows[n:] = rows[rng.integers(0, n + m, m)]
    tables = np.where(rng.random(9 * d) < 0.3, np.inf, rng.choice([0.0, 1.0, rng.random()], 9 * d))
    return Pairing(
        np.ascontiguousarray(rows[:n]),
        np.ascontiguousarray(rows[n:]),
        metric.astype(np.int64),
        rng.choice([1.0, 0.3, 2.0], d),
        tables,
        9 * np.arange(d),
        np.full(d, 3),
        *(np.full(d, cost) for cost in missing),
        int(rng.integers(1, 3)),
        code,
        some_params(rng, code, d),
    )


@st.composite
def pairings(draw: Any, code: int) -> Pairing:
    big = draw(st.booleans())
    n, m = draw(st.integers(1, 12)), draw(st.integers(65, 200) if big else st.integers(1, 12))
    d = draw(st.integers(1, 5))
    holes = draw(st.sampled_from([0.0, 0.0, 0.2, 0.7]))
    missing = draw(st.sampled_from(MISSING))
    return some_pairing(draw(st.integers(0, 10**6)), code, n, m, d, holes, missing)


def links_of(found: Any, i: int, records: int) -> set[int]:
    """The records that target i is linked to."""
    if found.row[i] < 0:
        return set()
    classes = found.cls[found.indptr[found.row[i]] : found.indptr[found.row[i] + 1]]
    return set(np.flatnonzero(np.isin(found.cls_of, classes)).tolist())


def same(a: Any, b: Any) -> None:
    np.testing.assert_allclose(a, b, rtol=1e-12, atol=0)


@pytest.mark.parametrize("code", CODES)
@quick
@given(data=st.data())
def test_every_search_agrees_with_every_pair(code: int, data: Any) -> None:
    p = data.draw(pairings(code))
    depth, k = data.draw(st.sampled_from([1, 1, 3, 1000])), data.draw(st.integers(1, 5))
    truth = np.array(
        data.draw(
            st.lists(st.integers(-1, len(p.released) - 1), min_size=len(p.known), max_size=len(p.known))
        )
    )
    table = reference.values(p)
    expected = [reference.standing(row, t, depth) for row, t in zip(table, truth, strict=True)]
    for strategy in STRATEGIES:
        index = LocalEngine(strategy=strategy, threads=1).index(p)
        closer, tied = index.standing(truth, depth)
        assert list(zip(closer.tolist(), tied.tolist(), strict=True)) == expected
        found = index.nearest()
        rows, best = index.k_nearest(k)
        for i, row in enumerate(table):
            records, least, beyond = reference.nearest(row)
            assert links_of(found, i, len(p.released)) == records
            same(found.value[i], least)
            same(found.runner_up[i], beyond)
            near, near_values = reference.k_nearest(row, k)
            same(best[i], near_values)
            same(np.where(rows[i] < 0, np.inf, row[rows[i]]), near_values)
            assert len(set(near)) == len(set(rows[i].tolist()))
