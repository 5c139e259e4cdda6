"""Losses of single values, worked by hand; and how two files become their evidence."""

from __future__ import annotations

from math import log

import numpy as np
import polars as pl
import pytest

from unmask.data.microdata import Masked, Microdata
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.linkage.transitions import Transitions
from unmask.losses import (
    EBIL,
    Detail,
    DirectComparison,
    LossAttribute,
    LossEvidence,
    Side,
    Suppression,
    loss_evidence,
    loss_rows,
)
from unmask.measures.estimate import NotEstimable
from unmask.measures.evidence import FileEvidence

SEX = LossAttribute("sex", Kind.NOMINAL, 2)
SCHOOL = LossAttribute("school", Kind.ORDINAL, 5)


def side(weights=None, **columns):
    arrays = {name: np.array(values, np.int32) for name, values in columns.items()}
    n = len(next(iter(arrays.values())))
    return Side(arrays, np.ones(n) if weights is None else np.array(weights, float))


def pair(attributes, original, released, **more):
    return LossEvidence(attributes, original, released, np.arange(len(original)), **more)


def test_direct_comparison_counts_changes_and_steps():
    """Sex: one of four changed. School: 2 of 4 steps and a value made missing, of three who have one."""
    found = DirectComparison().values(
        pair(
            (SEX, SCHOOL),
            side(sex=[0, 0, 1, 1], school=[0, 4, 1, -1]),
            side(sex=[0, 1, 1, 1], school=[2, -1, 1, 3]),
        )
    )
    assert found["sex"] == 0.25
    assert found["school"] == pytest.approx((2 / 4 + 1 + 0) / 3)
    assert found[None] == pytest.approx((0.25 + 0.5) / 2)


def test_weights_of_people_count():
    released = side(sex=[1, 1])
    assert DirectComparison().values(pair((SEX,), side([3, 1], sex=[0, 1]), released))[None] == 0.75


def test_an_ordinal_attribute_of_one_level_cannot_move():
    one = LossAttribute("school", Kind.ORDINAL, 1)
    assert DirectComparison().values(pair((one,), side(school=[0, 0]), side(school=[0, -1])))[None] == 0.5


def test_a_constant_attribute_has_no_detail_to_lose():
    found = Detail().values(pair((SEX,), side(sex=[1, 1]), side(sex=[0, 1])))[None]
    assert isinstance(found, NotEstimable)


def test_a_renamed_category_loses_no_detail():
    assert Detail().values(pair((SEX,), side(sex=[0, 1, 1]), side(sex=[1, 0, 0])))[None] == 0


def test_suppression_without_pairs_compares_shares():
    original, released = side(sex=[0, 1, 1, -1]), side(sex=[0, -1])
    evidence = LossEvidence((SEX,), original, released, np.full(2, -1), absent=("income",))
    assert dict(Suppression().values(evidence)) == {None: 0.625, "sex": 0.25, "income": 1.0}
    more = LossEvidence((SEX,), released, original, np.full(4, -1))
    assert Suppression().values(more)[None] == 0


def test_suppression_of_an_empty_release():
    evidence = LossEvidence((SEX,), side(sex=[0, -1]), side(sex=[]), np.empty(0, np.int64))
    assert Suppression().values(evidence)[None] == 0.5


def test_ebil_of_a_suppressed_value_is_all_that_it_told():
    """Half of the men's values are made missing, none of the women's: missing tells that it is a man."""
    table = {"sex": np.array([[0.5, 0.0, 0.5], [0.0, 1.0, 0.0]])}
    told = pair((SEX,), side(sex=[0, 0, 1, 1]), side(sex=[0, -1, 1, 1]), tables=table)
    assert EBIL().values(told)[None] == 0
    alike = {"sex": np.array([[0.5, 0.0, 0.5], [0.0, 0.5, 0.5]])}
    untold = pair((SEX,), side(sex=[0, 0, 1, 1]), side(sex=[0, -1, 1, 1]), tables=alike)
    assert EBIL().values(untold)[None] == pytest.approx(1 / 4)


def test_ebil_by_bayes():
    """Shares 3/4 and 1/4, one fifth changed: a released 0 is a 0 with 12 to 1, a 1 is a 1 with 4 to 3."""
    table = {"sex": np.array([[0.8, 0.2, 0.0], [0.2, 0.8, 0.0]])}
    evidence = pair((SEX,), side(sex=[0, 0, 0, 1]), side(sex=[0, 0, 0, 1]), tables=table)

    def h(*odds):
        return -sum(p / sum(odds) * log(p / sum(odds)) for p in odds)

    assert EBIL().values(evidence)[None] == pytest.approx((3 * h(12, 1) + h(4, 3)) / (4 * h(3, 1)))


def test_ebil_says_why_not():
    assert "no mask declares" in EBIL().why_not(pair((SEX,), side(sex=[0, 1]), side(sex=[0, 1]))).reason
    never = {"sex": np.array([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])}
    found = EBIL().values(pair((SEX,), side(sex=[0, 1]), side(sex=[0, 1]), tables=never))
    assert "cannot have made" in found["sex"].reason
    unsaid = {"sex": np.array([[1.0, 0.0, 0.0], [np.nan] * 3])}
    found = EBIL().values(pair((SEX,), side(sex=[0, 1]), side(sex=[0, 1]), tables=unsaid))
    assert "does not say" in found["sex"].reason


def files(own, released_values, recoded=None):
    """A file of one nominal attribute and one that is not released; ``recoded``: in the release's terms."""
    schema = Schema((Column("town", Kind.NOMINAL), Column("pay", Kind.NUMERIC, Role.CONFIDENTIAL)))
    original = Microdata(schema, pl.DataFrame({"town": own, "pay": range(len(own))}))
    town = Schema((Column("town", Kind.NOMINAL),))
    released = Microdata(town, pl.DataFrame({"town": released_values}))
    conformed = original if recoded is None else original.replace({"town": pl.Series("town", recoded)})
    return original, FileEvidence(conformed, Masked.by_order(conformed, released), ("town",))


def test_merged_categories_lose_detail_and_the_declared_table_says_as_much():
    merged = ["x|y", "x|y", "z", "z"]
    own, both = files(["x", "y", "z", "z"], merged, merged)
    evidence = loss_evidence(both, own, {"town": Transitions.of({"x": "x|y", "y": "x|y", "z": "z"})})
    expected = 0.5 * log(2) / (1.5 * log(2))
    assert Detail().values(evidence)[None] == pytest.approx(expected)
    assert EBIL().values(evidence)[None] == pytest.approx(expected)
    assert DirectComparison().values(evidence)[None] == 0
    assert dict(Suppression().values(evidence)) == {None: 0.5, "town": 0.0, "pay": 1.0}


def test_merging_into_a_name_that_stays_is_seen():
    """As many categories before and after, and yet y became x."""
    own, both = files(["x", "y", "z", "z"], ["x", "x", "z", "w"], ["x", "x", "z", "z"])
    assert loss_evidence(both, own).by_name["town"].detail == 3


@pytest.mark.parametrize("loss", [Detail(), EBIL(), Suppression()], ids=lambda loss: loss.name)
def test_references_are_the_original_in_one_set_of_terms(loss):
    """Drawing people again loses nothing, and columns without relation all but what is not released."""
    own, both = files(
        [*"xxyyzz"] * 20, ["a", "a", "a", "a", "z", "z"] * 20, ["a", "a", "a", "a", "z", "z"] * 20
    )
    evidence = loss_evidence(both, own, {"town": Transitions.of({"x": "a", "y": "a", "z": "z"})})
    *_, resampled, independent = loss_rows(loss, evidence)
    assert resampled.estimate.value == pytest.approx(0, abs=1e-12)
    assert independent.estimate.value == (0 if loss.name == "suppression" else pytest.approx(1, abs=0.05))


def test_a_table_with_unknown_categories_is_not_taken_for_certain():
    own, both = files(["x", "y"], ["x", "y"])
    evidence = loss_evidence(both, own, {"town": Transitions.identity(("x",))})
    np.testing.assert_array_equal(evidence.tables["town"], [[1, 0, 0], [np.nan] * 3])


def test_a_released_category_that_no_file_has_is_no_missing_value():
    own, both = files(["x", "y"], ["x", "x"])
    table = Transitions(("x", "y"), ("x", "w"), np.array([[0.5, 0.25], [1.0, 0.0]]))
    evidence = loss_evidence(both, own, {"town": table})
    np.testing.assert_allclose(evidence.tables["town"], [[0.5, 0, 0.25], [1, 0, 0]])
