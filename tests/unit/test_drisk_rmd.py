"""dRiskRMD: the definition written out, its borders, and files that it says nothing about."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tests.flat import flat_rows
from unmask.data.microdata import Masked, Microdata
from unmask.data.missing import Missing
from unmask.data.schema import Column, Kind, Schema
from unmask.errors import ArgumentError
from unmask.measures.attribute import DRiskRMD
from unmask.measures.attribute.robust_distance import robust_covariance
from unmask.measures.evidence import FileEvidence

ONE = ((1.0,),)


def file(**columns):
    return Microdata(Schema(tuple(Column(name) for name in columns)), pl.DataFrame(columns))


def case_of(original, released, missing=Missing.MISMATCH):
    return FileEvidence(original, Masked.by_order(original, released), original.schema.names(), missing)


def found_in(case, **options):
    return {f.subject: f for f in flat_rows(DRiskRMD(**options), case)}


def two_files(n=150, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 3)) @ np.array([[1, 0.5, 0], [0, 1, 0.3], [0, 0, 1]])
    y = x + rng.normal(0, 0.1, x.shape)
    y[: n // 3] = y[: n // 3].round(0)  # many released records share their place
    names = ("a", "b", "c")
    return (file(**{name: side[:, j] for j, name in enumerate(names)}) for side in (x, y))


@pytest.mark.parametrize("k", [0.01, 0.1, 0.7])
def test_the_definition_written_out(k):
    original, released = two_files()
    covariance = np.cov(original.numbers(["a", "b", "c"]).T)
    found = found_in(case_of(original, released), k=k, k2=0.3, covariance=tuple(map(tuple, covariance)))
    x, y = (side.numbers(["a", "b", "c"]) for side in (original, released))
    x, y = ((side - side.mean(axis=0)) / side.std(axis=0, ddof=1) for side in (x, y))
    n = len(x)
    near, alone, r = np.zeros(n, bool), np.ones(n, bool), np.zeros(n)
    for i in range(n):
        r[i] = 0.05 * np.sqrt(x[i] @ np.linalg.inv(covariance) @ x[i])
        near[i] = any(abs(x[i, j] - y[i, j]) < k * r[i] for j in range(3))
        alone[i] = not any(np.linalg.norm(y[i] - y[h]) <= 0.3 for h in range(n) if h != i)
    assert 0 < near.sum() < n or k > 0.5
    assert 0 < alone.sum() < n
    assert found["risk1"].per_record.tolist() == near.tolist()
    assert found["risk2"].per_record.tolist() == (near & alone).tolist()
    assert found["wrisk1"].value == pytest.approx(near.sum() * r[near].sum() / n)
    assert found["wrisk2"].value == pytest.approx((near & alone).sum() * r[near & alone].sum() / n)


def test_the_order_of_neither_file_matters():
    original, released = two_files(400, seed=3)
    rng = np.random.default_rng(1)
    people, records = rng.permutation(400), rng.permutation(400)
    place = np.empty(400, dtype=np.int64)
    place[people] = np.arange(400)
    mixed = FileEvidence(
        original.take(people), Masked(released.take(records), place[records]), original.schema.names()
    )
    one, two = found_in(case_of(original, released), k=0.3), found_in(mixed, k=0.3)
    for subject, finding in one.items():
        assert two[subject].value == pytest.approx(finding.value, rel=1e-12)
        assert two[subject].baseline == finding.baseline
    assert two["risk1"].per_record.tolist() == one["risk1"].per_record[people].tolist()


def test_a_value_on_the_border_of_its_interval_is_outside_and_a_record_on_the_circle_is_near():
    original = file(pay=[-1.0, 0.0, 1.0])
    # z-scores of both files are -1, 0, 1; the first two are exchanged: |z - z'| = 1, r = 0.05.
    exchanged = case_of(original, file(pay=[0.0, -1.0, 1.0]))
    assert found_in(exchanged, k=20.0, covariance=ONE)["risk1"].per_record.tolist() == [0, 0, 1]
    assert found_in(exchanged, k=20.1, covariance=ONE)["risk1"].per_record.tolist() == [1, 0, 1]
    same = case_of(original, original)
    assert found_in(same, k2=1.0, covariance=ONE)["risk2"].per_record.tolist() == [0, 0, 0]
    assert found_in(same, k2=0.99, covariance=ONE)["risk2"].per_record.tolist() == [1, 0, 1]
    assert found_in(same, k=0.0, covariance=ONE)["risk1"].value == 0


def test_chance_is_read_from_records_dealt_at_random():
    original, released = two_files(600, seed=5)
    rng = np.random.default_rng(2)
    strangers = FileEvidence(
        original, Masked(released, rng.permutation(600)), original.schema.names()
    )  # nobody's record is their own
    found = found_in(strangers, k=0.5)
    for subject in ("risk1", "risk2"):
        assert found[subject].low < found[subject].baseline < found[subject].high
    assert found_in(case_of(original, released), k=0.5)["risk1"].low > found["risk1"].baseline


@pytest.mark.parametrize("missing", Missing)
def test_missing_values(missing):
    original = file(pay=[-1.0, 0.5, 1.0, None, 2.0, -2.0], rent=[1.0, 2.0, 4.0, 3.0, 1.5, 2.5])
    released = file(pay=[-1.0, 0.5, None, 1.0, 2.0, None], rent=[1.0, 2.0, 4.0, 3.0, 1.5, None])
    found = found_in(case_of(original, released, missing), k=50.0, covariance=((1.0, 0.0), (0.0, 1.0)))
    per_record = found["risk1"].per_record
    assert np.isnan(per_record[3])  # without one of the numbers there is no robust distance
    assert per_record[:3].tolist() == [1, 1, 1]  # a close rent suffices
    nothing_told = per_record[5]
    assert np.isnan(nothing_told) if missing is Missing.IGNORE else nothing_told == 0
    assert found["risk1"].n == (4 if missing is Missing.IGNORE else 5)


@pytest.mark.parametrize(
    ("original", "released", "reason"),
    [
        ({"a": [1.0]}, {"a": [1.0]}, "takes two values"),
        ({"a": [1.0, 1, 1, 1]}, {"a": [1.0, 2, 3, 4]}, "takes two values"),
        ({"a": [1.0, 2, 3, 4]}, {"a": [1.0, 1, 1, 1]}, "takes two values"),
        ({"a": [1.0, 2, 3], "b": [1.0, 5, 2]}, {"a": [1.0, 2, 3], "b": [1.0, 5, 2]}, "needs more than 4"),
        ({"a": [0.0] * 9 + [5.0]}, {"a": [0.0] * 9 + [4.0]}, "singular"),
        ({"a": [1.0, 2, 3, None]}, {"a": [None, None, 1.0, 3]}, None),
    ],
)
def test_what_cannot_be_estimated_says_why(original, released, reason):
    found = flat_rows(DRiskRMD(), case_of(file(**original), file(**released)))
    if reason is None:
        assert all(f.value is not None for f in found)
    else:
        assert [f.value for f in found] == [None]
        assert reason in found[0].reason


def test_nobody_whose_values_can_be_compared():
    original = file(a=[1.0, 2.0, 3.0, None, None], b=[None, None, None, 1.0, 2.0])
    found = flat_rows(DRiskRMD(covariance=((1.0, 0.0), (0.0, 1.0))), case_of(original, original))
    assert "nobody has all numbers" in found[0].reason
    strangers = FileEvidence(original, Masked(original, np.full(5, -1)), ("a", "b"))
    assert "stems from" in flat_rows(DRiskRMD(), strangers)[0].reason


def test_it_needs_numbers_in_both_files():
    words = Microdata(Schema((Column("a", Kind.NOMINAL),)), pl.DataFrame({"a": ["1", "2"]}))
    assert "no numeric attribute" in DRiskRMD().why_not(case_of(file(a=[1.0, 2.0]), words)).reason


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"k": -1.0}, "k is -1"),
        ({"k2": float("nan")}, "k2 is nan"),
        ({"covariance": ((1.0, 0.0),)}, "no square matrix"),
        ({"covariance": ((1.0, 1.0), (1.0, 1.0))}, "no inverse"),
        ({"covariance": ((1.0, float("nan")), (0.0, 1.0))}, "no inverse"),
        ({"covariance": ()}, "no square matrix"),
    ],
)
def test_bad_parameters(options, says):
    with pytest.raises(ArgumentError, match=says):
        DRiskRMD(**options)


def test_a_covariance_of_other_attributes_is_refused():
    original, released = two_files()
    with pytest.raises(ArgumentError, match="1 rows for 3 attributes"):
        found_in(case_of(original, released), covariance=ONE)


def test_a_large_file_is_sampled_for_its_covariance():
    values = np.random.default_rng(1).normal(size=(30_000, 2)) * (1.0, 5.0)
    found = robust_covariance(values, np.random.default_rng(1))
    assert found.diagonal() == pytest.approx([1, 25], rel=0.1)
