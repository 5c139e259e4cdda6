"""SUDA on tables worked by hand."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tests.flat import flat_rows
from unmask.data.microdata import Masked, Microdata
from unmask.data.missing import Missing
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.measures.anonymity import SUDA, Score, special_uniques
from unmask.measures.anonymity.keys import released_keys
from unmask.measures.anonymity.special_uniques import dis_scores, minimal_sample_uniques
from unmask.measures.evidence import FileEvidence
from unmask.measures.uniqueness import DisSUDA


def case_of(columns, missing=Missing.MISMATCH, weight=None):
    frame = pl.DataFrame(columns)
    schema = [Column(name, Kind.NOMINAL) for name in columns]
    if weight is not None:
        frame = frame.with_columns(weight=pl.Series(weight, dtype=pl.Float64))
        schema.append(Column("weight", role=Role.WEIGHT))
    file = Microdata(Schema(tuple(schema)), frame)
    return FileEvidence(file, Masked.by_order(file, file), tuple(columns), missing)


def sets_of(case, **more):
    keys = released_keys(case)
    found = minimal_sample_uniques(keys, **more)
    return [sorted(found.mask[found.of == c].tolist()) for c in keys.classes.of]


COLUMNS = {"a": ["x", "x", "y", "y"], "b": ["u", "v", "u", "u"], "c": ["p", "p", "p", "q"]}


def test_minimal_sets_by_hand():
    # Record 1 alone has v; record 3 alone has q; 0 and 2 need two attributes each.
    assert sets_of(case_of(COLUMNS)) == [[0b011], [0b010], [0b101], [0b100]]


def test_scores_and_contributions_by_hand():
    special, a, b, c = found = flat_rows(SUDA(), case_of(COLUMNS))
    assert [f.measure for f in found] == ["special-uniques", *3 * ["special-uniques-contribution"]]
    np.testing.assert_array_equal(special.per_record, [1, 2, 1, 2])  # (3 - 2)! and (3 - 1)!
    assert special.value == 1
    assert special.why[0] == "unique on a x b"
    assert [(p.at, p.value) for p in special.curve.points] == [(1, 0.5), (2, 1.0), (3, 1.0)]
    np.testing.assert_allclose([a.value, b.value, c.value], [2 / 6, 3 / 6, 3 / 6])
    ihsn, *_ = flat_rows(SUDA(Score.IHSN), case_of(COLUMNS))
    np.testing.assert_allclose(
        ihsn.per_record, [1 / 3, 1, 1 / 3, 1]
    )  # (2^1 - 1) 2! 1! / 3!, (2^2 - 1) 2! / 3!


def test_a_set_of_all_attributes_is_not_special():
    case = case_of({"a": list("xxyy"), "b": list("uvuv")})
    special, *rest = flat_rows(SUDA(), case)
    assert special.value == 0
    assert special.per_record.tolist() == [1, 1, 1, 1]
    ihsn, *attributes = flat_rows(SUDA(Score.IHSN), case)
    assert ihsn.per_record.tolist() == [0, 0, 0, 0]
    assert all(finding.value is None and "unique" in finding.reason for finding in attributes)
    assert all(finding.value == 1 for finding in rest)


def test_records_with_a_twin_have_no_score():
    assert sets_of(case_of({"a": list("xxy"), "b": list("uuv")})) == [[], [], [0b01, 0b10]]


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        (Missing.MISMATCH, [[0b01], [0b10], []]),  # what is missing is part of no set, and hides nothing
        (Missing.CATEGORY, [[0b01], [0b10], [0b11]]),
        (Missing.WILDCARD, [[], [0b10], []]),  # the third record may have x
        (Missing.SUPPRESSED, [[], [0b10], []]),
    ],
)
def test_missing_values_follow_the_policy(missing, expected):
    case = case_of({"a": ["x", None, None], "b": ["u", "v", "u"]}, missing)
    assert sets_of(case) == expected


def test_sets_beyond_the_largest_are_left_out():
    assert sets_of(case_of(COLUMNS), largest=1) == [[], [0b010], [], [0b100]]


def test_too_many_sets_are_limited_by_size(monkeypatch):
    monkeypatch.setattr(special_uniques, "MOST_VISITS", 12)  # four keys: three sets of one attribute
    special, *_ = flat_rows(SUDA(), case_of(COLUMNS))
    assert "sets of up to 1 were tried" in special.meaning
    assert special.value == 0.5


def test_more_attributes_than_a_word_has_bits():
    case = case_of({f"k{j}": ["x", "y"] for j in range(70)})
    assert "70 attributes" in SUDA().why_not(case).reason
    assert "70 attributes" in flat_rows(DisSUDA(0.1), case)[0].reason


def test_many_attributes_with_few_records():
    columns = {f"k{j}": ["x", "x", "y"] for j in range(20)}
    special, *_ = flat_rows(SUDA(), case_of(columns))
    assert special.value == pytest.approx(1 / 3)
    assert special.per_record[0] == 0


def test_dis_suda_by_hand():
    # 3 uniques, 2 records in a pair; with 8 attributes the exponent would be 1.
    scores, size = np.array([4.0, 1.0, 0.0, 1.0]), np.array([1, 1, 2, 1])
    total = 0.25 + 1 + 1
    expected = [1 / (1 + 2 * 9 / (s * total)) if s else 0 for s in scores]
    np.testing.assert_allclose(dis_scores(scores, size, 8, 0.1), expected)


def test_dis_suda_takes_the_fraction_from_the_weights():
    weighted = case_of(COLUMNS, weight=[50.0] * 4)
    plain = case_of(COLUMNS)
    one, other = flat_rows(DisSUDA(), weighted)[0], flat_rows(DisSUDA(0.02), plain)[0]
    np.testing.assert_allclose(one.per_record, other.per_record)
    assert "sampling fraction is not known" in DisSUDA().why_not(plain).reason
