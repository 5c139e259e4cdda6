"""Losses of single values beside slow references, whatever the files."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import losses_records as slow
from unmask.data.schema import Kind
from unmask.losses import LossAttribute, LossEvidence, Side, loss_named
from unmask.measures.estimate import NotEstimable

LEVELS = 3
code = st.integers(-1, LEVELS - 1)
records = st.lists(
    st.tuples(code, code, st.integers(0, 5), st.sampled_from([0.5, 1.0, 3.0])), min_size=1, max_size=15
)


def seen(codes):
    return [None if code < 0 else int(code) for code in codes]


def case(rows, kind=Kind.NOMINAL, own=None, **more):
    original, released, _, weights = (np.array(column) for column in zip(*rows, strict=True))
    detail = 0 if own is None else 6
    return LossEvidence(
        (LossAttribute("a", kind, LEVELS, detail),),
        Side({"a": original.astype(np.int32)}, weights),
        Side({"a": released.astype(np.int32)}, weights),
        np.arange(len(rows)),
        own={} if own is None else {"a": own},
        **more,
    )


def check(name, evidence, expected):
    found = loss_named(name).values(evidence)[None]
    if expected is None:
        assert isinstance(found, NotEstimable)
    else:
        assert found == pytest.approx(expected, abs=1e-12)


@given(records, st.booleans())
@settings(max_examples=60)
def test_direct_comparison(rows, ordinal):
    x, y, _, w = zip(*rows, strict=True)
    expected = slow.direct_comparison(seen(x), seen(y), w, LEVELS, ordinal)
    check("direct-comparison", case(rows, Kind.ORDINAL if ordinal else Kind.NOMINAL), expected)


@given(records)
@settings(max_examples=60)
def test_suppression(rows):
    x, y, _, w = zip(*rows, strict=True)
    check("suppression", case(rows), slow.suppression(seen(x), seen(y), w))


@given(records, st.booleans())
@settings(max_examples=60)
def test_detail(rows, merged):
    """In the release's terms, or in finer ones of the original."""
    x, y, finer, w = zip(*rows, strict=True)
    own = np.array([-1 if code < 0 else fine for code, fine in zip(x, finer, strict=True)])
    check("detail", case(rows, own=own if merged else None),
          slow.detail(seen(own if merged else x), seen(y), w))  # fmt: skip


@given(records, st.integers(0, 10**6), st.booleans())
@settings(max_examples=60)
def test_ebil(rows, seed, sparse):
    rng = np.random.default_rng(seed)
    table = rng.random((LEVELS, LEVELS + 1)) * (rng.random((LEVELS, LEVELS + 1)) < (0.5 if sparse else 1.1))
    table /= np.maximum(table.sum(axis=1, keepdims=True), 1e-300)
    x, y, _, w = zip(*rows, strict=True)
    expected = slow.ebil(seen(x), seen(y), w, lambda v, u: table[v, -1 if u is None else u])
    check("ebil", case(rows, tables={"a": table}), expected)
