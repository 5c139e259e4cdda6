"""Measures of synthetic files against their slow references, on files that hypothesis makes up."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import synthetic_files as slow
from unmask.data.microdata import Masked, Microdata
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.engines import LocalEngine
from unmask.measures.evidence import FileEvidence
from unmask.measures.synthetic import CorrectAttribution, DiSCO, ReplicatedUniques, Variant
from unmask.measures.synthetic.excess import SuccessRate, excess
from unmask.measures.synthetic.keyed import Secrets
from unmask.measures.synthetic.predicates import Columns, PredicateSet

SCHEMA = Schema(
    (
        Column("town", Kind.NOMINAL),
        Column("job", Kind.NOMINAL),
        Column("ill", Kind.NOMINAL, Role.CONFIDENTIAL),
    )
)
ROW = st.tuples(*(st.sampled_from("abc") for _ in range(3)))
ROWS = st.lists(ROW, min_size=1, max_size=14)
NUMBER = st.one_of(st.just(float("nan")), st.integers(-3, 3).map(float))


def file(rows):
    return Microdata(SCHEMA, pl.DataFrame(rows, schema=["town", "job", "ill"], orient="row"))


def evidence_of(original, released):
    return FileEvidence(file(original), Masked.of_nobody(file(released)), ("town", "job"))


def split(rows):
    return [((town, job), ill) for town, job, ill in rows]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(NUMBER, NUMBER), min_size=1, max_size=12),
    st.lists(
        st.lists(st.tuples(st.sampled_from([0, 1]), NUMBER, NUMBER), min_size=2, max_size=2),
        min_size=1,
        max_size=8,
    ),
)
def test_predicates_select_what_the_reference_selects(records, predicates):
    parts = np.array(predicates, dtype=np.float64)
    values = np.ascontiguousarray(np.array(records).T)
    file, learned = Columns(values, (True, True)), PredicateSet(parts)
    count, one = learned.selects(file, most=99)
    capped, _ = learned.selects(file)
    for p, predicate in enumerate(predicates):
        chosen = [i for i, record in enumerate(records) if slow.selects(predicate, record)]
        assert count[p] == len(chosen)
        assert capped[p] == min(2, len(chosen))
        assert one[p] in (chosen or [-1])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), NUMBER), min_size=1, max_size=15),
    st.lists(st.tuples(st.integers(0, 3), NUMBER), min_size=1, max_size=8),
    st.sampled_from([0.0, 0.05, 0.5]),
)
def test_records_that_tell_the_truth_are_counted(records, people, tolerance):
    key, value = (np.array(part) for part in zip(*records, strict=True))
    asked, truth = (np.array(part) for part in zip(*people, strict=True))
    found = Secrets(key, value, 4, True, tolerance).of(asked, truth)
    for i, (k, t) in enumerate(people):
        there = [v for other, v in records if other == k]
        assert found.size[i] == len(there)
        assert found.right[i] == sum(slow.right(v, t, tolerance) for v in there)


@settings(max_examples=60, deadline=None)
@given(ROWS, ROWS)
def test_replicated_uniques(original, released):
    evidence = evidence_of(original, released)
    rows = {row.keys.subject: row.estimate for row in ReplicatedUniques().rows(evidence, LocalEngine())}
    unique, again = slow.replicated_uniques(*([key for key, _ in split(r)] for r in (original, released)))
    assert rows["unique in the original (UiO)"].value == pytest.approx(unique / len(original))
    if unique:
        assert rows["of the uniques (repU)"].value == pytest.approx(again / unique)
        assert rows["of everybody (repU)"].value == pytest.approx(again / len(original))
    else:
        assert not rows["of the uniques (repU)"].estimable


@settings(max_examples=60, deadline=None)
@given(ROWS, ROWS)
def test_disco(original, released):
    row = DiSCO().rows(evidence_of(original, released), LocalEngine())[0]
    expected = slow.disco(split(original), split(released))
    np.testing.assert_array_equal(row.estimate.per_record, expected)
    assert row.estimate.value == pytest.approx(np.mean(expected))


REFERENCES = {
    Variant.ZERO: lambda people, records: np.nan_to_num(slow.cap(people, records)),
    Variant.MATCHED: slow.cap,
    Variant.GENERALISED: slow.generalised_cap,
    Variant.TARGETED_RECORDS: slow.targeted_records,
    Variant.TARGETED_PEOPLE: slow.targeted_people,
    Variant.TARGETED_ORIGINAL: slow.targeted_original,
    Variant.WITHIN: lambda _, records: slow.within(records),
}


@pytest.mark.parametrize("variant", Variant)
@settings(max_examples=40, deadline=None)
@given(ROWS, ROWS)
def test_correct_attribution(variant, original, released):
    (row,) = CorrectAttribution(variant).rows(evidence_of(original, released), LocalEngine())
    expected = np.array(REFERENCES[variant](split(original), split(released)), dtype=np.float64)
    expected = expected[~np.isnan(expected)]
    assert row.estimate.estimable == (len(expected) > 0)
    if len(expected):
        assert row.estimate.value == pytest.approx(expected.mean())
        assert row.estimate.n == len(expected)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 40), st.integers(1, 40), st.integers(0, 39), st.integers(1, 40))
def test_the_risk_beyond_the_control_lies_in_its_interval(hits, n, others, m):
    attack, control = (
        SuccessRate.of((np.arange(size) < min(part, size)).astype(np.float64))
        for part, size in ((hits, n), (others, m))
    )
    found = excess(attack, control)
    if control.value == 1:
        assert not isinstance(found, tuple)
        return
    value, low, high = found
    assert low <= value <= high <= 1
    assert value == pytest.approx((attack.value - control.value) / (1 - control.value))
    # The interval is one of both rates: with the control as it is, the attack's own limits lie inside.
    assert low <= (attack.low - control.value) / (1 - control.value) + 1e-12
    assert high >= min(1.0, (attack.high - control.value) / (1 - control.value)) - 1e-12
