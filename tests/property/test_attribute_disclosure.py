"""What an intruder learns without linking, against the definitions written out person by person."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.flat import flat_rows
from tests.reference import attribute_disclosure as reference
from unmask.data.microdata import Masked, Microdata
from unmask.data.missing import Missing
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.measures.attribute.alike import Alike, Link
from unmask.measures.attribute.categorical import SimpleDisclosure
from unmask.measures.attribute.cells import CellDisclosure
from unmask.measures.attribute.clusters import ClusterDisclosure
from unmask.measures.attribute.clusters_dominance import bounds
from unmask.measures.attribute.drisk import DRisk
from unmask.measures.attribute.groups import GroupIntruder, extremes, labels
from unmask.measures.attribute.interval_rank import RankInterval
from unmask.measures.attribute.interval_sd import SdInterval
from unmask.measures.evidence import FileEvidence

FEW = settings(deadline=None, max_examples=60)
WIDTHS = (1.0, 7.0, 10.0, 25.0, 60.0, 150.0)

values = st.integers(-6, 6).map(float)
pairs = st.lists(st.tuples(values, st.one_of(values, st.floats(-8, 8))), min_size=2, max_size=25)


def numbers(**columns):
    frame = pl.DataFrame(columns, strict=False)
    return Microdata(Schema(tuple(Column(name) for name in columns)), frame)


def both(original, released, missing=Missing.MISMATCH):
    a, b = numbers(v=list(original)), numbers(v=list(released))
    return FileEvidence(a, Masked.by_order(a, b), ("v",), missing)


@given(pairs=pairs, p=st.sampled_from(WIDTHS))
@FEW
def test_rank_intervals_person_by_person(pairs, p):
    original, released = zip(*pairs, strict=True)
    (found,) = flat_rows(RankInterval(p=p), both(original, released))
    if len(set(original)) == 1:
        assert found.value is None
        assert "constant" in found.reason
        return
    wanted = [reference.rank_disclosed(original, v, w, p) for v, w in pairs]
    assert found.per_record.tolist() == [float(hit) for hit in wanted]
    assert found.value == pytest.approx(np.mean(wanted))
    assert found.baseline == pytest.approx(reference.fullest_rank_window(original, p) / len(pairs))


@given(pairs=pairs, p=st.sampled_from(WIDTHS))
@FEW
def test_intervals_by_standard_deviation_person_by_person(pairs, p):
    original, released = (np.array(side) for side in zip(*pairs, strict=True))
    (found,) = flat_rows(SdInterval(p=p), both(original, released))
    if len(set(original)) == 1:
        assert found.value is None
        return
    half = p * original.std(ddof=1) / 100
    wanted = np.abs(original - released) <= half * (1 + 1e-9)
    assert found.per_record.tolist() == wanted.astype(float).tolist()
    assert found.baseline == pytest.approx(reference.densest_interval(original, half) / len(pairs))


@given(pairs=pairs, other=st.data())
@FEW
def test_curves_rise_and_joint_disclosure_is_the_rarest(pairs, other):
    n = len(pairs)
    more = other.draw(st.lists(st.tuples(values, values), min_size=n, max_size=n))
    a = numbers(v=[x for x, _ in pairs], w=[x for x, _ in more])
    b = numbers(v=[y for _, y in pairs], w=[y for _, y in more])
    case = FileEvidence(a, Masked.by_order(a, b), ("v",))
    for measure in (RankInterval(), SdInterval()):
        found = [f for f in flat_rows(measure, case) if f.value is not None]
        for finding in found:
            shares = [point.value for point in finding.curve.points]
            assert shares == sorted(shares)
            assert all(point.low <= point.value <= point.high for point in finding.curve.points)
        single = [f for f in found if f.subject]
        if len(single) == 2:
            joint = next(f for f in found if not f.subject)
            np.testing.assert_array_equal(
                joint.per_record, np.minimum(single[0].per_record, single[1].per_record)
            )
    (drisk,) = flat_rows(DRisk(k=0.3), case)
    x, y = a.numbers(["v", "w"]), b.numbers(["v", "w"])
    wanted = (np.abs(x - y) <= 0.3 * y.std(axis=0, ddof=1) * (1 + 1e-9)).all(axis=1)
    assert drisk.per_record.tolist() == wanted.astype(float).tolist()


maybe = st.one_of(st.none(), st.integers(0, 2))
secret = st.one_of(st.none(), st.integers(0, 3))
records = st.lists(st.tuples(maybe, maybe, secret, secret), min_size=1, max_size=14)


@pytest.mark.parametrize("missing", list(Missing))
@pytest.mark.parametrize("numeric", [True, False])
@given(rows=records, p=st.sampled_from([0.0, 50.0, 120.0]))
@settings(deadline=None, max_examples=25)
def test_cells_person_by_person(missing, numeric, rows, p):
    """Any pattern of missing values, in what is known and in what is secret, masked secrets included."""
    a, b, truth, released = (list(column) for column in zip(*rows, strict=True))
    kind = Kind.NUMERIC if numeric else Kind.NOMINAL
    secret_type = pl.Float64 if numeric else pl.String
    columns = Schema((Column("a"), Column("b", Kind.NOMINAL), Column("s", kind, Role.CONFIDENTIAL)))

    def file(values):
        frame = pl.DataFrame(
            {
                "a": pl.Series(a, dtype=pl.Float64),
                "b": pl.Series(b, dtype=pl.Int64),
                "s": pl.Series(values, dtype=pl.Int64).cast(secret_type),
            }
        )
        return Microdata(columns, frame)

    original = file(truth)
    case = FileEvidence(original, Masked.by_order(original, file(released)), ("a", "b"), missing)
    present = [t for t in truth if t is not None]
    spread = np.std(present, ddof=1) if len(present) > 1 else 0.0
    # Categories are equal or not, wherever their codes stand.
    code = (lambda v: v) if numeric else (lambda v: None if v is None else v * 1e6)
    keys = list(zip(a, b, strict=True))
    for intruder in GroupIntruder:
        (found,) = flat_rows(CellDisclosure(intruder, p=p), case)
        if numeric and spread == 0:
            assert found.value is None
            continue
        limit = p * spread / 100 * (1 + 1e-9) if numeric else 0.0
        wanted = []
        for row in range(len(rows)):
            width = reference.cell_width(
                keys,
                [code(v) for v in released],
                [code(v) for v in truth],
                row,
                intruder is GroupIntruder.INTERNAL,
                missing.value,
            )
            wanted.append(np.nan if width is None else float(width <= limit))
        if np.isnan(wanted).all():
            assert found.value is None
            assert found.reason
        else:
            np.testing.assert_array_equal(found.per_record, wanted)
            assert [bool(text) for text in found.why] == [hit == 1 for hit in wanted]


groups = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9).map(float)), min_size=2, max_size=16)


@given(rows=groups, p=st.sampled_from([5.0, 40.0, 100.0]))
@FEW
def test_clusters_person_by_person(rows, p):
    group = [g for g, _ in rows]
    original = [v for _, v in rows]
    released = [100.0 + g for g in group]
    case = both(original, released)
    spread = np.std(original, ddof=1)
    for intruder in GroupIntruder:
        measure = ClusterDisclosure(intruder, p=p, attributes=("v",))
        if len(set(group)) == len(group):
            assert measure.why_not(case) is not None
            continue
        assert measure.why_not(case) is None
        (found,) = flat_rows(measure, case)
        if spread == 0:
            assert found.value is None
            continue
        keys = [(g,) for g in group]
        widths = [
            reference.cell_width(keys, original, original, i, intruder is GroupIntruder.INTERNAL, "mismatch")
            for i in range(len(rows))
        ]
        limit = p * spread / 100 * (1 + 1e-9)
        wanted = [np.nan if w is None else float(w <= limit) for w in widths]
        np.testing.assert_array_equal(found.per_record, wanted)


@given(rows=groups)
@FEW
def test_dominance_person_by_person(rows):
    label, amounts = np.array([g for g, _ in rows]), np.array([v for _, v in rows])
    found = bounds(amounts, label, 4)
    for i, value in enumerate(amounts):
        members = amounts[label == label[i]].tolist()
        if len(members) == 1:
            assert np.isnan(found[i])
        else:
            assert found[i] == pytest.approx(reference.dominated(members, value))


@given(rows=records, seed=st.integers(0, 2**31))
@settings(deadline=None, max_examples=30)
def test_the_order_of_the_files_never_shows(rows, seed):
    a, b, truth, released = (list(column) for column in zip(*rows, strict=True))
    schema = Schema((Column("a"), Column("b", Kind.NOMINAL), Column("s", role=Role.CONFIDENTIAL)))

    def file(values):
        columns = {"a": pl.Series(a, dtype=pl.Float64), "b": pl.Series(b, dtype=pl.Int64)}
        return Microdata(schema, pl.DataFrame({**columns, "s": pl.Series(values, dtype=pl.Float64)}))

    original, masked = file(truth), file(released)
    rng = np.random.default_rng(seed)
    people, records_order = rng.permutation(len(rows)), rng.permutation(len(rows))
    place = np.argsort(people)
    moved = Masked(masked.take(records_order), place[records_order])
    before = FileEvidence(original, Masked.by_order(original, masked), ("a", "b"))
    after = FileEvidence(original.take(people), moved, ("a", "b"))
    measures = (
        RankInterval(), SdInterval(), DRisk(), SimpleDisclosure(),
        CellDisclosure(), CellDisclosure(GroupIntruder.INTERNAL), ClusterDisclosure(),
    )  # fmt: skip
    for measure in measures:
        for one, two in zip(flat_rows(measure, before), flat_rows(measure, after), strict=True):
            assert (one.value, one.low, one.n, one.reason) == (two.value, two.low, two.n, two.reason)
            assert one.baseline == pytest.approx(two.baseline)
            if one.per_record is not None:
                np.testing.assert_array_equal(one.per_record[people], two.per_record)


grouped = st.lists(st.tuples(st.integers(0, 4), st.one_of(values, st.just(np.nan), st.just(np.inf))))


def held(rows, label):
    return [value for group, value in rows if group == label and not np.isnan(value)]


@FEW
@given(grouped)
def test_the_extremes_of_groups(rows):
    label, value = (np.array([row[k] for row in rows], dtype) for k, dtype in enumerate((np.int64, float)))
    found = extremes(label, value, 6)
    for group in range(6):
        own = held(rows, group)
        assert found.count[group] == len(own)
        np.testing.assert_array_equal(found.ends[group], reference.two_ends(own))


@FEW
@given(grouped, st.lists(st.integers(0, 2), min_size=6, max_size=6))
def test_linked_groups_have_each_others_values(rows, keys):
    """Groups 0 to 2 get the values of the groups 3 to 5 that have their key."""
    label, value = (np.array([row[k] for row in rows], dtype) for k, dtype in enumerate((np.int64, float)))
    link = Link(np.arange(3), np.arange(3, 6), np.array(keys[:3]), np.array(keys[3:]), 3)
    found = Alike(label, np.ones(6, dtype=np.int64), (link,)).extremes(value)
    for group in range(6):
        own = held(rows, group)
        if group < 3:
            own += [v for other in range(3, 6) if keys[other] == keys[group] for v in held(rows, other)]
        assert found.count[group] == len(own)
        np.testing.assert_array_equal(found.ends[group], reference.two_ends(own))


@FEW
@given(st.lists(st.tuples(*[st.sampled_from([0, 1, 2, 2**33, 2**33 + 1])] * 3), min_size=1))
def test_labels_are_in_the_order_of_the_codes(rows):
    place = {row: k for k, row in enumerate(sorted(set(rows)))}
    assert labels(np.array(rows)).tolist() == [place[row] for row in rows]
