"""What holds of losses of shares for any two files: arrays beside slow references."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import losses_distributions as slow
from unmask.data.schema import Kind
from unmask.losses import (
    CTBIL,
    Hellinger,
    KolmogorovSmirnov,
    LossAttribute,
    LossEvidence,
    Side,
    TotalVariation,
    margins,
)
from unmask.measures.estimate import NotEstimable

ATTRIBUTES = (
    LossAttribute("pay", Kind.NUMERIC),
    LossAttribute("class", Kind.ORDINAL, 3),
    LossAttribute("town", Kind.NOMINAL, 4),
    LossAttribute("age", Kind.NUMERIC),
)
NUMBER = st.sampled_from([*map(float, range(-2, 15)), 0.0, 0.0, 0.0, float("nan")])
ROW = st.tuples(NUMBER, st.integers(-1, 2), st.integers(-1, 3), NUMBER, st.sampled_from([1.0, 2.0, 5.0]))


def side(rows, count):
    columns = {}
    for j, attribute in enumerate(ATTRIBUTES[:count]):
        kind = float if attribute.kind is Kind.NUMERIC else np.int32
        columns[attribute.name] = np.array([row[j] for row in rows], kind)
    return Side(columns, np.array([row[4] for row in rows]))


@st.composite
def files(draw):
    """Two files of one to four attributes, of any sizes, with weights and missing values."""
    count = draw(st.integers(1, 4))
    original, released = (draw(st.lists(ROW, min_size=1, max_size=25)) for _ in range(2))
    rows = np.full(len(released), -1)
    return LossEvidence(ATTRIBUTES[:count], side(original, count), side(released, count), rows, weighted=True)


@settings(deadline=None)
@given(files(), st.sampled_from([(TotalVariation(), slow.total_variation), (Hellinger(), slow.hellinger)]))
def test_tables_of_one_two_and_three(case, methods):
    loss, distance = methods
    found = loss.values(case)
    for order, words in margins.ORDERS.items():
        if order <= len(case.attributes):
            wanted = slow.mean_over_tables(case, order, distance)
            assert found[words] == pytest.approx(wanted, abs=1e-9)
        else:
            assert words not in found
    for attribute in case.attributes:
        wanted = distance(slow.both_shares(case, (attribute.name,)))
        assert found[attribute.name] == pytest.approx(wanted, abs=1e-9)
    lead = margins.ORDERS[min(2, len(case.attributes))]
    assert found[None] == found[lead]


@settings(deadline=None)
@given(files(), st.integers(1, 5))
def test_ctbil(case, k):
    assert CTBIL(k=k).values(case)[None] == pytest.approx(slow.ctbil(case, k), abs=1e-9)


@settings(deadline=None)
@given(files())
def test_kolmogorov_smirnov(case):
    found = KolmogorovSmirnov().values(case)
    for name in case.names(Kind.NUMERIC, Kind.ORDINAL):
        x, y = (side.columns[name].astype(float) for side in (case.original, case.released))
        lowest = 0 if case.by_name[name].kind is Kind.ORDINAL else -np.inf
        here, there = x >= lowest, y >= lowest
        if not here.any() or not there.any():
            assert isinstance(found[name], NotEstimable)
            continue
        v, w = case.original.weights[here], case.released.weights[there]
        assert found[name] == pytest.approx(slow.kolmogorov_smirnov(x[here], v, y[there], w), abs=1e-9)


@settings(deadline=None)
@given(files())
def test_distances_keep_their_inequalities(case):
    tv, h = (loss.values(case) for loss in (TotalVariation(), Hellinger()))
    for attribute in case.attributes:
        a, b = tv[attribute.name], h[attribute.name]
        assert b**2 <= a + 1e-9
        assert a <= 2**0.5 * b + 1e-9
    # A table with more attributes is never nearer.
    if len(case.attributes) >= 3:
        assert tv[margins.ORDERS[1]] <= tv[margins.ORDERS[2]] + 1e-9 <= tv[margins.ORDERS[3]] + 2e-9


@settings(deadline=None)
@given(files())
def test_cells_that_occur_give_what_all_cells_give(case):
    whole = [loss.values(case) for loss in (TotalVariation(), Hellinger(), CTBIL())]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(margins, "MOST_CELLS", 3)
        few = [loss.values(case) for loss in (TotalVariation(), Hellinger(), CTBIL())]
    for one, other in zip(whole, few, strict=True):
        assert one.keys() == other.keys()
        assert list(one.values()) == pytest.approx(list(other.values()), abs=1e-12)
