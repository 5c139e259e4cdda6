"""Attacks on cells and clusters, on cases worked by hand."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tests.flat import flat_rows
from unmask.data.microdata import Masked, Microdata
from unmask.data.missing import Missing
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.errors import ArgumentError, DataError
from unmask.masks import IndividualRanking, Microaggregation, Noise, RankSwapping
from unmask.measures.attribute.aggregates import aggregates
from unmask.measures.attribute.alike import alike
from unmask.measures.attribute.cells import CellDisclosure
from unmask.measures.attribute.clusters import ClusterDisclosure
from unmask.measures.attribute.clusters_dominance import ClusterDominance
from unmask.measures.attribute.groups import GroupIntruder
from unmask.measures.base import FileMeasure
from unmask.measures.evidence import FileEvidence

EXTERNAL, INTERNAL = CellDisclosure(), CellDisclosure(GroupIntruder.INTERNAL)
CLUSTERS = (ClusterDisclosure(), ClusterDisclosure(GroupIntruder.INTERNAL), ClusterDominance())
nan = np.nan


def file(town, illness, kind=Kind.NOMINAL):
    schema = Schema((Column("town", Kind.NOMINAL), Column("illness", kind, Role.CONFIDENTIAL)))
    secret = pl.Series(illness, dtype=pl.String if kind is Kind.NOMINAL else pl.Float64)
    return Microdata(schema, pl.DataFrame({"town": pl.Series(town, dtype=pl.String), "illness": secret}))


def case(town, illness, released=None, missing=Missing.MISMATCH, kind=Kind.NOMINAL):
    original = file(town, illness, kind)
    masked = Masked.by_order(original, file(town, released or illness, kind))
    return FileEvidence(original, masked, ("town",), missing)


def hits(measure, case):
    (found,) = flat_rows(measure, case)
    return found.per_record.tolist()


@pytest.mark.parametrize("measure", [EXTERNAL, INTERNAL, *CLUSTERS])
def test_each_is_a_measure_of_the_file(measure):
    assert isinstance(measure, FileMeasure)


def test_all_share_it_or_all_but_one():
    """A town where all are ill, one where all but one are, one of two, one mixed, and a hermit."""
    town = [*"AAA", *"BBBB", *"CC", *"DDDD", "E"]
    illness = [*"fff", *"fffn", *"fn", *"ffnn", "f"]
    both = case(town, illness)
    np.testing.assert_array_equal(hits(EXTERNAL, both), [*[1] * 3, *[0] * 4, 0, 0, *[0] * 4, nan])
    # In B, the one who is not ill learns that the others are; of himself, nobody learns anything for certain.
    np.testing.assert_array_equal(hits(INTERNAL, both), [*[1] * 3, 1, 1, 1, 0, 1, 1, *[0] * 4, nan])


def test_what_is_agreed_on_must_be_true():
    """The release says flu of all three in A, which is wrong for the last."""
    both = case([*"AAA"], [*"ffn"], [*"fff"])
    assert hits(EXTERNAL, both) == [1, 1, 0]
    assert hits(INTERNAL, both) == [1, 1, 0]


def test_numbers_share_a_value_if_they_are_close():
    """The standard deviation is 10; the first town spans 0.9, the second 8, or 1.8 without its lowest."""
    pay = np.array([20.0, 20.5, 21, 30, 37, 39, 50])
    pay = 20 + (pay - 20) * 10 / pay.std(ddof=1)
    both = case([*"AAABBBC"], pay.tolist(), kind=Kind.NUMERIC)
    np.testing.assert_array_equal(hits(CellDisclosure(p=10), both), [1, 1, 1, 0, 0, 0, nan])
    internal = CellDisclosure(GroupIntruder.INTERNAL, p=20)
    np.testing.assert_array_equal(hits(internal, both), [1, 1, 1, 0, 1, 1, nan])
    (found,) = flat_rows(CellDisclosure(p=100), both)
    assert found.value == 1
    assert [point.at for point in found.curve.points] == [1, 2, 5, 10, 20, 50, 100]


def test_why_names_attributes_and_never_values():
    (found,) = flat_rows(EXTERNAL, case([*"AAAB"], [*"fffn"]))
    assert tuple(found.why) == (
        *["all 3 records that share the known attributes have the same illness"] * 3,
        "",
    )
    (found,) = flat_rows(INTERNAL, case(["Xanadu"] * 4, ["pox", "pox", "pox", "gout"]))
    texts = " ".join(found.why) + found.meaning
    assert "illness" in texts
    assert not any(value in texts for value in ("Xanadu", "pox", "gout"))
    assert found.meaning.startswith("For 3 of 4 people (75.0%) all who share the known attributes")


def test_people_alone_are_not_counted_but_told():
    (found,) = flat_rows(EXTERNAL, case([*"AABCD"], [*"ffnnn"]))
    assert (found.value, found.n) == (1, 2)
    assert "Not counted: 3 of 5 people" in found.meaning


def test_chance_is_what_dealt_out_values_give():
    """Two of three have it; two people picked at random have the same with probability (4 + 1) / 9."""
    n = 3000
    town = [f"t{i // 2}" for i in range(n)]
    illness = ["f" if i % 3 else "n" for i in range(n)]
    (found,) = flat_rows(EXTERNAL, case(town, illness))
    assert found.baseline == pytest.approx(5 / 9, abs=0.02)
    (again,) = flat_rows(EXTERNAL, case(town, illness))
    assert again.baseline == found.baseline
    # Inside a pair, each learns the other's value whatever it is.
    (found,) = flat_rows(INTERNAL, case(town, illness))
    assert found.baseline == found.value == 1
    # Where the released values were dealt out, two agree on the true one with probability (8 + 1) / 27, and a
    # member learns it with (4 + 1) / 9.
    dealt = np.random.default_rng(2).permutation(illness).tolist()
    for measure, chance in ((EXTERNAL, 1 / 3), (INTERNAL, 5 / 9)):
        (found,) = flat_rows(measure, case(town, illness, dealt))
        assert found.baseline == pytest.approx(chance, abs=0.02)


@pytest.mark.parametrize("measure", [EXTERNAL, INTERNAL])
@pytest.mark.parametrize("kind", [Kind.NUMERIC, Kind.NOMINAL])
@pytest.mark.parametrize("size", [2, 3])
def test_a_release_whose_values_are_dealt_out_at_random_gives_no_more_than_its_baseline(measure, kind, size):
    """The truth counts on both sides: a pair that agrees on a wrong value tells nobody's."""
    rng = np.random.default_rng(7)
    town = [f"t{i // size}" for i in range(5000)]
    values = rng.normal(size=5000) if kind is Kind.NUMERIC else rng.choice([*"fffno"], 5000)
    dealt = case(town, values.tolist(), rng.permutation(values).tolist(), kind=kind)
    (found,) = flat_rows(measure, dealt)
    assert found.value == pytest.approx(found.baseline, abs=3 * np.sqrt(found.baseline / 5000) + 0.001)


def test_who_shares_a_cell_with_whom_is_dealt_out_in_no_order_of_the_file():
    rng = np.random.default_rng(4)
    town, pay = [f"t{i // 3}" for i in range(60)], rng.normal(size=60)
    order = rng.permutation(60)
    (found,) = flat_rows(INTERNAL, case(town, pay.tolist(), pay[::-1].tolist(), kind=Kind.NUMERIC))
    moved = case([town[i] for i in order], pay[order].tolist(), pay[::-1][order].tolist(), kind=Kind.NUMERIC)
    (again,) = flat_rows(INTERNAL, moved)
    assert (again.value, again.baseline) == (found.value, found.baseline)


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        # The last has no town: alone, in a cell of its own kind, or like everybody.
        (Missing.MISMATCH, [1, 1, 1, 1, nan]),
        (Missing.CATEGORY, [1, 1, 1, 1, nan]),
        (Missing.WILDCARD, [0, 0, 1, 1, 0]),
        (Missing.SUPPRESSED, [0, 0, 1, 1, 0]),
        (Missing.IGNORE, [0, 0, 1, 1, 0]),
    ],
)
def test_a_missing_known_value_follows_the_policy(missing, expected):
    both = case(["A", "A", "B", "B", None], [*"ffnnn"], missing=missing)
    np.testing.assert_array_equal(hits(EXTERNAL, both), expected)


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        (Missing.MISMATCH, [0, 0, nan, nan, nan]),
        (Missing.CATEGORY, [0, 0, 0, 1, 1]),
        (Missing.WILDCARD, [1, 1, nan, nan, nan]),
        (Missing.SUPPRESSED, [1, 1, nan, nan, nan]),
        (Missing.IGNORE, [1, 1, nan, nan, nan]),
    ],
)
def test_a_missing_secret_follows_the_policy(missing, expected):
    both = case([*"AAABB"], ["f", "f", None, None, None], missing=missing)
    np.testing.assert_array_equal(hits(EXTERNAL, both), expected)


def test_too_many_combinations_of_missing_values_are_said():
    rng = np.random.default_rng(1)
    names = [f"k{j}" for j in range(10)]
    frame = pl.DataFrame({name: [None if x else 1.0 for x in rng.random(2000) < 0.5] for name in names})
    frame = frame.with_columns(s=pl.Series(["a", "b"] * 1000))
    schema = Schema((*(Column(name) for name in names), Column("s", Kind.NOMINAL, Role.CONFIDENTIAL)))
    people = Microdata(schema, frame)
    both = FileEvidence(people, Masked.by_order(people, people), tuple(names), Missing.WILDCARD)
    assert alike(both, names, Missing.WILDCARD) is None
    (found,) = flat_rows(EXTERNAL, both)
    assert "combinations" in found.reason


def test_without_groups_nothing_is_estimated():
    (found,) = flat_rows(EXTERNAL, case([*"ABC"], [*"fff"]))
    assert found.value is None
    assert "no two released records" in found.reason
    (found,) = flat_rows(EXTERNAL, case(["A"], ["f"]))
    assert found.value is None
    (found,) = flat_rows(EXTERNAL, case([*"AA"], [3.0, 3.0], kind=Kind.NUMERIC))
    assert "no secret" in found.reason


def test_cells_need_a_released_secret_and_something_known():
    both = case([*"AA"], [*"fn"])
    assert EXTERNAL.why_not(both) is None
    hidden = both.masked.data.only(["town"])
    assert (
        "no confidential"
        in EXTERNAL.why_not(FileEvidence(both.original, Masked(hidden, both.masked.origin), ())).reason
    )
    plain = both.original.only(["town"])
    assert (
        "declared" in EXTERNAL.why_not(FileEvidence(plain, Masked.by_order(plain, plain), ("town",))).reason
    )
    assert "none of" in EXTERNAL.why_not(FileEvidence(both.original, both.masked, ("shoe size",))).reason


def numbers(**columns):
    return Microdata(Schema(tuple(Column(name) for name in columns)), pl.DataFrame(columns))


def test_microaggregation_groups_are_found_in_the_release():
    rng = np.random.default_rng(3)
    original = numbers(a=rng.normal(size=90), b=rng.normal(size=90), c=rng.normal(size=90))
    masked = Microaggregation(3, attributes=("a", "b")).apply(original, rng)
    both = FileEvidence(original, masked, ("a",))
    external, internal, dominance = (flat_rows(measure, both) for measure in CLUSTERS)
    assert [f.subject for f in external] == ["a", "b"]  # c was left as it is
    assert all(f.n == 90 for f in external)
    for out, inn in zip(external, internal, strict=True):
        assert inn.value >= out.value
        assert out.value > out.baseline  # groups are made of like people
    assert all("negative" in f.reason for f in dominance)


def test_a_group_of_two_hides_nothing_from_its_members():
    original = numbers(pay=[10.0, 90.0, 29.0, 69.0])
    both = FileEvidence(original, Masked.by_order(original, numbers(pay=[50.0, 50.0, 49.0, 49.0])), ("pay",))
    assert [hits(measure, both) for measure in CLUSTERS] == [[0] * 4, [1] * 4, [1] * 4]


def test_attributes_that_were_averaged_one_by_one_have_groups_of_their_own():
    rng = np.random.default_rng(3)
    original = numbers(a=rng.normal(50, 9, size=90), b=rng.normal(50, 9, size=90), c=rng.normal(size=90))
    masked = IndividualRanking(3, attributes=("a", "b")).apply(original, rng)
    both = FileEvidence(original, masked, ("a",))
    for measure in CLUSTERS:
        assert measure.why_not(both) is None
        found = flat_rows(measure, both)
        assert [f.subject for f in found] == ["a", "b"]
        assert [f.n for f in found] == [90, 90]
    for found in flat_rows(CLUSTERS[0], both):
        assert found.value > found.baseline + 0.5  # three neighbours in rank
    # Moved and rounded: equal numbers in one attribute are no means of anything.
    rounded = original.replace({name: (original.frame[name] + 3).round(0) for name in "ab"})
    moved = FileEvidence(original, Masked.by_order(original, rounded), ("a",))
    assert aggregates(moved, None) == []


def test_a_recoded_number_is_no_total_that_a_member_could_take_apart():
    original = numbers(pay=[10.0, 90.0, 12.0, 95.0])
    floored = FileEvidence(original, Masked.by_order(original, numbers(pay=[0.0, 80.0, 0.0, 80.0])), ("pay",))
    assert [measure.why_not(floored) is None for measure in CLUSTERS] == [False] * 3
    named = {"attributes": ("pay",)}
    (found,) = flat_rows(ClusterDominance(**named), floored)
    assert found.value is None
    assert "not the mean" in found.reason
    # Who says that they were averaged together asks for the range within the group, mean or not.
    assert hits(ClusterDisclosure(**named), floored) == [1, 0, 1, 0]


@pytest.mark.parametrize("mask", [RankSwapping(10), Noise(0.1)])
def test_what_was_not_averaged_has_no_averaged_groups(mask):
    """Ages have few values, so that many share a released one, which is the mean of nobody."""
    rng = np.random.default_rng(5)
    original = numbers(age=rng.integers(20, 60, 300).astype(float))
    masked = mask.apply(original, rng)
    rounded = Masked.by_order(original, masked.data.replace({"age": masked.data.frame["age"].round(0)}))
    both = FileEvidence(original, rounded, ("age",))
    for measure in CLUSTERS:
        assert "averages" in measure.why_not(both).reason


def test_groups_that_share_their_median_were_averaged_too():
    original = numbers(pay=[10.0, 11.0, 30.0, 40.0, 50.0, 90.0, 95.0, 99.0])
    medians = numbers(pay=[11.0, 11.0, 11.0, 50.0, 50.0, 50.0, 97.0, 97.0])
    both = FileEvidence(original, Masked.by_order(original, medians), ("pay",))
    assert hits(ClusterDisclosure(p=25), both) == [0, 0, 0, 0, 0, 0, 1, 1]
    (found,) = flat_rows(ClusterDominance(), both)
    assert "not the mean" in found.reason


def test_a_constant_is_no_secret_whatever_rounding_makes_of_its_deviation():
    """The standard deviation of equal numbers may come out above 0."""
    assert np.full(3, 0.1).std(ddof=1) > 0
    constant = case([*"AAA"], [0.1] * 3, kind=Kind.NUMERIC)
    for measure in (EXTERNAL, INTERNAL):
        (found,) = flat_rows(measure, constant)
        assert found.value is None
        assert "constant" in found.reason


def test_releases_without_averages_are_not_concerned():
    original = numbers(pay=[1.0, 2.0, 3.0])
    for measure in CLUSTERS:
        assert measure.why_not(FileEvidence(original, Masked.by_order(original, original), ("pay",))).reason
        noisy = numbers(pay=[1.1, 2.2, 3.3])
        assert measure.why_not(FileEvidence(original, Masked.by_order(original, noisy), ("pay",))).reason
        nobody = FileEvidence(original, Masked(numbers(pay=[1.0, 1.0]), np.array([-1, -1])), ("pay",))
        assert measure.why_not(nobody) is not None
        (found,) = flat_rows(measure, nobody)
        assert found.value is None


def test_bad_parameters():
    for wrong in (
        lambda: CellDisclosure(p=-1),
        lambda: ClusterDisclosure(p=nan),
        lambda: ClusterDominance(-2),
    ):
        with pytest.raises(ArgumentError, match="at least 0"):
            wrong()
    original = numbers(pay=[1.0, 2.0])
    with pytest.raises(DataError, match="no column 'pya'"):
        ClusterDominance(attributes=("pya",)).why_not(
            FileEvidence(original, Masked.by_order(original, original), ("pay",))
        )
