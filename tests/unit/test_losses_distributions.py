"""Losses of shares, worked by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from unmask.data.schema import Kind
from unmask.errors import ArgumentError
from unmask.losses import (
    CTBIL,
    Hellinger,
    KolmogorovSmirnov,
    LossAttribute,
    LossEvidence,
    Side,
    TotalVariation,
    loss_named,
)
from unmask.losses.classes import Cuts
from unmask.losses.margins import TableShares, tables
from unmask.measures.estimate import NotEstimable

SEX = LossAttribute("sex", Kind.NOMINAL, 2)
ILL = LossAttribute("ill", Kind.NOMINAL, 2)
AGE = LossAttribute("age", Kind.NUMERIC)


def side(weights=None, **columns):
    arrays = {
        name: np.array(values, float if any(isinstance(v, float) for v in values) else np.int32)
        for name, values in columns.items()
    }
    n = len(next(iter(arrays.values())))
    return Side(arrays, np.ones(n) if weights is None else np.array(weights, float))


def evidence(attributes, original, released):
    rows = np.arange(len(released)) if len(released) == len(original) else np.full(len(released), -1)
    return LossEvidence(attributes, original, released, rows, people=len(original))


@pytest.fixture
def swapped():
    """Eight people; sex and illness went together, and the release broke it for two people of each sex."""
    x = side(sex=[0, 0, 0, 0, 1, 1, 1, 1], ill=[0, 0, 0, 0, 1, 1, 1, 1])
    y = side(sex=[0, 0, 0, 0, 1, 1, 1, 1], ill=[0, 0, 1, 1, 0, 0, 1, 1])
    return evidence((SEX, ILL), x, y)


def test_margins_may_be_right_where_pairs_are_wrong(swapped):
    found = TotalVariation().values(swapped)
    assert found["sex"] == found["ill"] == found["single attributes"] == 0
    # The two cells of 1/2 each became four of 1/4: half of the people stand in a wrong cell.
    assert found["pairs of attributes"] == found[None] == 0.5
    assert "triples of attributes" not in found
    # H^2 = 1 - sum sqrt(p q) = 1 - 2 sqrt(1/8)
    assert Hellinger().values(swapped)[None] == pytest.approx((1 - 2 * np.sqrt(1 / 8)) ** 0.5)
    # Single attributes: 4 cells without change; the pair: 4 cells, each wrong by 2 people.
    ctbil = CTBIL().values(swapped)
    assert ctbil["pairs of attributes"] == 2
    assert ctbil["single attributes"] == 0
    assert ctbil[None] == pytest.approx(8 / 8)
    assert CTBIL(k=1).values(swapped)[None] == 0


def test_ctbil_counts_people_of_the_original_whatever_the_size_of_the_release(swapped):
    half = replace(swapped, released=swapped.released.take(np.arange(0, 8, 2)), rows=np.arange(0, 8, 2))
    assert CTBIL().values(half) == CTBIL().values(swapped)
    of_many = replace(swapped, people=80)
    assert CTBIL().values(of_many)[None] == pytest.approx(10 * CTBIL().values(swapped)[None])


def test_a_missing_value_is_a_class_of_its_own():
    case = evidence((SEX, AGE), side(sex=[0, 1, 1, 0], age=[1.0, 1.0, 1.0, 1.0]),
                    side(sex=[0, 1, 1, -1], age=[1.0, 1.0, float("nan"), float("nan")]))  # fmt: skip
    found = TotalVariation().values(case)
    assert (found["sex"], found["age"]) == (0.25, 0.5)
    everything = evidence((SEX,), side(sex=[0, 1]), side(sex=[-1, -1]))
    assert TotalVariation().values(everything)[None] == 1
    assert Hellinger().values(everything)[None] == 1


def test_weights_give_shares():
    case = evidence((SEX,), side([1, 3], sex=[0, 1]), side([1, 1], sex=[0, 1]))
    assert TotalVariation().values(case)[None] == 0.25


def test_numbers_are_cut_at_quantiles_of_the_original():
    x = np.arange(100.0)
    cuts = Cuts.of(x, np.ones(100))
    assert cuts.at.tolist() == [2.5, 19.5, 22.5, 39.5, 42.5, 59.5, 62.5, 79.5, 82.5]
    assert np.bincount(cuts.classes(x)).tolist() == [0, *[3, 17] * 5]
    assert cuts.classes(np.array([-1e300, 1e300, np.nan])).tolist() == [1, 10, 0]
    # A shift by twenty moves everybody two classes up: the first two are empty, and the last holds more.
    case = evidence((AGE,), side(age=x.tolist()), side(age=(x + 20).tolist()))
    assert TotalVariation().values(case)[None] == pytest.approx(0.2)


@pytest.mark.parametrize("bands", [10, 5, 20])
def test_bands_of_equal_numbers_of_people_are_a_loss(bands):
    x = np.arange(600.0)
    middle = x // (600 // bands) * (600 // bands) + 300 // bands
    case = evidence((AGE,), side(age=x.tolist()), side(age=middle.tolist()))
    assert TotalVariation().values(case)[None] >= 0.05


def test_a_frequent_value_is_a_class_of_its_own():
    x = np.r_[np.zeros(60), -np.arange(1.0, 21.0), np.arange(1.0, 21.0)]
    cuts = Cuts.of(x, np.ones(100))
    classes = cuts.classes(x)
    assert len(set(classes[:60])) == 1
    assert classes[0] not in classes[60:]
    assert len(set(classes)) <= 10
    # Noise on the zeros is seen where it reaches halfway to the next value.
    for noise, lost in ((0.4, 0), (-0.4, 0), (0.6, 0.6), (-0.6, 0.6)):
        case = evidence((AGE,), side(age=x.tolist()), side(age=np.where(x == 0, noise, x).tolist()))
        assert TotalVariation().values(case)[None] == pytest.approx(lost)


def test_neighbours_that_have_no_number_between_them_are_told_apart():
    one, next_one = 1.0, float(np.nextafter(1.0, 2.0))
    values = np.array([one, next_one, 1.7e308, -1.7e308])
    classes = Cuts.of(values, np.ones(4)).classes(values)
    assert len(set(classes.tolist())) == 4


def test_an_attribute_without_any_value_has_one_class():
    gone = side(age=[float("nan")] * 3)
    assert TableShares.of(evidence((AGE,), gone, gone)).sizes == {"age": 1}
    moved = evidence((AGE,), gone, side(age=[1.0, 2.0, 3.0]))
    assert TotalVariation().values(moved)[None] == 1


def test_many_categories_need_no_table_of_all_cells():
    n = 3000
    many = tuple(LossAttribute(name, Kind.NOMINAL, n) for name in "abc")
    x = side(**{name: list(range(n)) for name in "abc"})
    y = Side({**x.columns, "a": np.roll(x.columns["a"], 1)}, x.weights)
    found = TotalVariation().values(evidence(many, x, y))
    assert found["a"] == pytest.approx(0)
    assert found["pairs of attributes"] == pytest.approx(2 / 3)  # b with c is as it was
    assert found["triples of attributes"] == pytest.approx(1)


def test_of_too_many_tables_some_are_drawn_the_same_for_every_release():
    attributes = tuple(LossAttribute(f"a{j}", Kind.NOMINAL, 2) for j in range(12))
    rng = np.random.default_rng(0)
    x = side(**{a.name: rng.integers(0, 2, 30).tolist() for a in attributes})
    case = evidence(attributes, x, x)
    drawn = tables(case, 3, 20)
    assert len(set(drawn)) == 20
    assert all(len(set(table)) == 3 for table in drawn)
    assert drawn == tables(case.resampled(rng), 3, 20)
    assert drawn != tables(replace(case, seed=1), 3, 20)
    assert len(tables(case, 2, 66)) == 66


def test_kolmogorov_smirnov_of_a_shift_and_of_classes():
    level = LossAttribute("class", Kind.ORDINAL, 3)
    x = side(age=[1.0, 2.0, 3.0, 4.0], **{"class": [0, 1, 2, -1]})
    y = side(age=[3.0, 4.0, 5.0, 6.0], **{"class": [2, 2, 2, -1]})
    found = KolmogorovSmirnov().values(evidence((AGE, level, SEX), x, y))
    assert found == {None: pytest.approx((0.5 + 2 / 3) / 2), "age": 0.5, "class": pytest.approx(2 / 3)}


def test_kolmogorov_smirnov_of_weights():
    case = evidence((AGE,), side([1, 1, 2], age=[1.0, 2.0, 3.0]), side([2, 1, 1], age=[1.0, 2.0, 3.0]))
    assert KolmogorovSmirnov().values(case)[None] == 0.25


def test_what_cannot_be_said_has_a_reason():
    none = evidence((SEX,), side(sex=[0, 1]), side(sex=[0, 1]))
    assert "numeric or ordinal" in KolmogorovSmirnov().why_not(none).reason
    empty = replace(none, released=none.released.take(np.empty(0, int)), rows=np.empty(0, int))
    for loss in (TotalVariation(), Hellinger(), CTBIL(), KolmogorovSmirnov()):
        assert "no records" in loss.why_not(empty).reason
        assert loss.why_not(replace(none, attributes=())) is not None
    gone = evidence((AGE,), side(age=[1.0, 2.0]), side(age=[float("nan")] * 2))
    found = KolmogorovSmirnov().values(gone)
    assert isinstance(found["age"], NotEstimable)
    assert isinstance(found[None], NotEstimable)


@pytest.mark.parametrize("text", ["total-variation:tables=0", "hellinger:tables=-1", "ctbil:k=0"])
def test_a_number_that_is_none_is_refused(text):
    with pytest.raises(ArgumentError, match="give 1 or more"):
        loss_named(text)
