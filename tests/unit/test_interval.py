"""Interval disclosure on cases worked by hand."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tests.flat import flat_rows
from unmask.data.microdata import Masked, Microdata
from unmask.data.missing import Missing
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.errors import ArgumentError
from unmask.measures.attribute.drisk import DRisk
from unmask.measures.attribute.interval_rank import RankInterval
from unmask.measures.attribute.interval_sd import SdInterval
from unmask.measures.base import FileMeasure
from unmask.measures.evidence import FileEvidence

ALL = (RankInterval(), SdInterval(), DRisk())
nan = np.nan


def file(columns, **kinds):
    frame = pl.DataFrame({name: pl.Series(values, strict=False) for name, values in columns.items()})
    return Microdata(Schema(tuple(Column(n, kinds.get(n, Kind.NUMERIC)) for n in columns)), frame)


def case(original, released, missing=Missing.MISMATCH, origin=None):
    a, b = file({"v": original}), file({"v": released})
    masked = Masked.by_order(a, b) if origin is None else Masked(b, np.array(origin))
    return FileEvidence(a, masked, ("v",), missing)


def hits(measure, case):
    return flat_rows(measure, case)[0].per_record.tolist()


@pytest.mark.parametrize("measure", ALL)
def test_each_is_a_measure_of_the_file(measure):
    assert isinstance(measure, FileMeasure)


def test_ranks_count_people_not_distances():
    """Sorted 1 2 3 4 1000; a window of 40% is one position to each side."""
    values = [1, 2, 3, 4, 1000]
    # 4 is next to 1000, and 1 is not next to 3.
    assert hits(RankInterval(p=40), case(values, [3, 2, 4, 1000, 4])) == [0, 1, 1, 1, 1]


def test_a_window_at_the_edge_is_cut_not_extended():
    """The lowest window reaches from the first value to i + w, not to the whole file."""
    values = list(range(10))
    released = [0, 0, 0, 9, *values[4:]]
    assert hits(RankInterval(p=20), case(values, released))[:4] == [1, 1, 0, 0]


def test_a_released_value_among_ties_has_their_middle_position():
    """Sorted 5 5 5 5 6 7 8 9: position of 5 is 1.5; a window of 50% is two to each side, to position 3."""
    values = [5, 5, 5, 5, 6, 7, 8, 9]
    assert hits(RankInterval(p=50), case(values, [5] * 8)) == [1, 1, 1, 1, 0, 0, 0, 0]
    # 62.5% reaches position 4, the first 6.
    assert hits(RankInterval(p=62.5), case(values, [5] * 8)) == [1, 1, 1, 1, 1, 0, 0, 0]


def test_a_released_value_between_two_stands_half_way():
    """Between positions 1 and 2 of ten: half a position, that is 10%, reaches both and no other."""
    released = [1.5] * 10
    assert hits(RankInterval(p=10), case(list(range(10)), released)) == [0, 1, 1, *[0] * 7]
    assert hits(RankInterval(p=9), case(list(range(10)), released)) == [0] * 10


def test_beyond_the_largest_is_at_the_largest():
    assert hits(RankInterval(p=20), case(list(range(10)), [99] * 10)) == [0] * 8 + [1, 1]
    assert hits(RankInterval(p=20), case(list(range(10)), [-99] * 10)) == [1, 1] + [0] * 8


def test_values_that_differ_by_rounding_are_ties():
    values = [0.1 + 0.2, 0.5, 0.7, 0.9]
    assert hits(RankInterval(p=1), case(values, [0.3, 0.5, 0.7, 0.9])) == [1, 1, 1, 1]


def test_standard_deviations_are_those_of_the_original_or_of_the_release():
    """sd of the original is 1, that of the release 2."""
    both = case([-1, 0, 1], [-2, 0, 2])
    assert hits(SdInterval(p=60), both) == [0, 1, 0]
    assert hits(SdInterval(p=100), both) == [1, 1, 1]
    assert hits(DRisk(k=0.5), both) == [1, 1, 1]
    assert hits(DRisk(k=0.4), both) == [0, 1, 0]


def test_the_baseline_names_one_interval_for_everybody():
    """The standard deviation is 8.12, so 10% of it are 0.8 to each side, which hold 1, 2 and 2."""
    values = [1, 2, 2, 10, 20]
    (found,) = flat_rows(SdInterval(p=10), case(values, [0] * 5))
    assert found.baseline == 3 / 5
    (found,) = flat_rows(RankInterval(p=20), case(values, [0] * 5))
    assert found.baseline == 2 / 5  # half a position: the two that tie


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        # both present and equal; original missing; released missing; both missing
        (Missing.MISMATCH, [1, nan, 0, nan]),
        (Missing.WILDCARD, [1, nan, 0, nan]),
        (Missing.SUPPRESSED, [1, nan, 0, nan]),
        (Missing.IGNORE, [1, nan, nan, nan]),
        (Missing.CATEGORY, [1, 0, 0, 1]),
    ],
)
@pytest.mark.parametrize("measure", ALL)
def test_missing_values_follow_the_policy(measure, missing, expected):
    both = case([1, None, 3, None, 9], [1, 5, None, None, 9], missing)
    np.testing.assert_array_equal(hits(measure, both)[:4], expected)


def test_jointly_only_values_that_a_person_has_count():
    a = file({"v": [1, 2, None, 4], "w": [1, 2, 3, None]})
    b = file({"v": [1, 9, 3, 4], "w": [1, 2, 3, 4]})
    joint = flat_rows(SdInterval(), FileEvidence(a, Masked.by_order(a, b), ("v",)))[-1]
    assert joint.subject is None
    assert joint.per_record.tolist() == [1, 0, 1, 1]
    assert "every one of the 2 numeric values" in joint.meaning


def test_people_without_a_released_record_are_not_concerned():
    both = case([1, 2, 3, 4], [4, 1, 7], origin=[3, 0, -1])
    for measure in ALL:
        np.testing.assert_array_equal(hits(measure, both), [1, nan, nan, 1])
        assert flat_rows(measure, both)[0].n == 2


@pytest.mark.parametrize("measure", ALL)
def test_nothing_to_compare_is_said_not_counted(measure):
    synthetic = case([1, 2, 3], [1, 2, 3], origin=[-1, -1, -1])
    assert "stems from" in flat_rows(measure, synthetic)[0].reason
    for original, released in (([7], [7]), ([None, None], [1, 2]), ([1, 2], [None, None])):
        finding = flat_rows(measure, case(original, released, Missing.IGNORE))[0]
        assert finding.value is None
        assert finding.reason
        assert finding.reason in finding.meaning


def test_a_constant_is_no_secret():
    for measure in (RankInterval(), SdInterval()):
        (found,) = flat_rows(measure, case([3, 3, 3], [3, 4, 3]))
        assert "constant" in found.reason


def test_numbers_released_as_bands_cannot_be_compared():
    a, b = file({"v": [1, 2], "w": [1, 2]}), file({"v": ["1-5", "1-5"], "w": [1, 2]}, v=Kind.NOMINAL)
    both = FileEvidence(a, Masked.by_order(a, b), ("v",))
    v, w, joint = flat_rows(RankInterval(), both)
    assert "released as categories" in v.reason
    assert joint.value == w.value == 1


def test_files_without_common_numbers_are_not_concerned():
    a, b = file({"v": ["x", "y"]}, v=Kind.NOMINAL), file({"v": ["x", "y"]}, v=Kind.NOMINAL)
    for measure in ALL:
        assert (
            "no numeric attribute" in measure.why_not(FileEvidence(a, Masked.by_order(a, b), ("v",))).reason
        )


def test_identifiers_and_weights_are_no_attributes_of_people():
    schema = Schema((Column("v"), Column("w", role=Role.WEIGHT), Column("id", role=Role.IDENTIFIER)))
    people = Microdata(schema, pl.DataFrame({"v": [1, 2], "w": [1, 2], "id": [1, 2]}))
    both = FileEvidence(people, Masked.by_order(people, people), ("v",))
    assert [f.subject for f in flat_rows(SdInterval(), both)] == ["v"]


@pytest.mark.parametrize("bad", [-1.0, np.inf, nan])
def test_widths_are_numbers_of_at_least_0(bad):
    for wrong in (lambda: RankInterval(p=bad), lambda: SdInterval(curve=(bad,)), lambda: DRisk(k=bad)):
        with pytest.raises(ArgumentError, match="at least 0"):
            wrong()
