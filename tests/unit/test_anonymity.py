"""k-anonymity, l-diversity, t-closeness and linkage risk on tables worked by hand."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

from tests.flat import flat_rows
from unmask.data.microdata import Masked, Microdata
from unmask.data.missing import Missing
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.engines import LocalEngine
from unmask.errors import ArgumentError, DataError
from unmask.measures.anonymity import (
    SUDA,
    AttackerModel,
    Diversity,
    KAnonymity,
    LDiversity,
    LinkageRisk,
    Score,
    SmallClasses,
    TCloseness,
)
from unmask.measures.base import FileMeasure, abouts
from unmask.measures.evidence import FileEvidence

EVERY = [
    KAnonymity(),
    SmallClasses(),
    LDiversity(),
    LDiversity(Diversity.ENTROPY),
    LDiversity(Diversity.RECURSIVE),
    TCloseness(),
    SUDA(),
    *(LinkageRisk(intruder) for intruder in AttackerModel),
]

# Li, Li and Venkatasubramanian (2007), tables 3 and 5: the 3-diverse version of a salary and disease table.
ZIP = ["476**"] * 3 + ["4790*"] * 3 + ["476**"] * 3
AGE = ["2*"] * 3 + [">=40"] * 3 + ["3*"] * 3
SALARY = [3, 4, 5, 6, 11, 8, 7, 9, 10]
DISEASE = [
    "gastric ulcer", "gastritis", "stomach cancer", "gastritis", "flu", "bronchitis",
    "bronchitis", "pneumonia", "stomach cancer",
]  # fmt: skip


def file_of(columns, *, numeric=(), confidential=(), ordinal=None, roles=None, label="the file"):
    schema = []
    for name in columns:
        role = Role.CONFIDENTIAL if name in confidential else (roles or {}).get(name, Role.QUASI_IDENTIFIER)
        levels = (ordinal or {}).get(name, ())
        kind = Kind.NUMERIC if name in numeric else Kind.ORDINAL if levels else Kind.NOMINAL
        schema.append(Column(name, kind, role, levels))
    return Microdata(Schema(tuple(schema)), pl.DataFrame(columns), label)


def case_of(original, known, released=None, origin=None, **more):
    released = released or original
    masked = (
        Masked.by_order(original, released)
        if origin is None
        else Masked(released, np.array(origin, dtype=np.int64))
    )
    return FileEvidence(original, masked, tuple(known), **more)


def one(measure, case):
    [finding] = flat_rows(measure, case)
    return finding


@pytest.fixture
def salaries():
    file = file_of(
        {"zip": ZIP, "age": AGE, "salary": SALARY, "disease": DISEASE},
        numeric=("salary",),
        confidential=("salary", "disease"),
    )
    return case_of(file, ("zip", "age"))


def test_every_measure_keeps_the_protocol():
    assert all(isinstance(measure, FileMeasure) for measure in EVERY)
    assert len({measure.name for measure in EVERY}) == len(EVERY)


def test_the_salary_example_of_li_and_others(salaries):
    assert one(KAnonymity(), salaries).value == 3
    assert [f.value for f in flat_rows(LDiversity(), salaries)] == [3, 3, 1]
    salary, _ = flat_rows(TCloseness(), salaries)
    # The paper prints 0.375 for {3, 4, 5} and 0.167 for {6, 8, 11}; {7, 9, 10} is by hand.
    np.testing.assert_allclose(salary.per_record[[0, 3, 6]], [0.375, 1 / 6, 17 / 72], atol=1e-12)
    assert salary.value == pytest.approx(0.375)
    assert "for 6 records of 9 it is more than 0.2" in salary.meaning


def test_equal_distance_by_hand(salaries):
    disease = flat_rows(TCloseness(ordered=False), salaries)[1]
    # The first class has three of the six diseases: gastric ulcer (1 of 9), gastritis (2) and cancer (2).
    assert disease.per_record[0] == pytest.approx(1 - 5 / 9)


def test_only_what_has_an_order_is_called_ordered(salaries):
    rows = TCloseness().rows(salaries, LocalEngine())
    assert [(row.keys.measure, row.keys.subject) for row in rows] == [
        ("t-closeness", "salary"),
        ("t-closeness-equal", "disease"),
    ]
    told = abouts(TCloseness())
    assert "unordered" in told["t-closeness-equal"].title
    assert {row.keys.measure for row in TCloseness(ordered=False).rows(salaries, LocalEngine())} == {
        "t-closeness-equal"
    }


def test_classes_are_those_of_the_release_for_the_original_records():
    original = file_of({"town": ["a", "a", "b", "c", "d"]})
    released = file_of({"town": ["x", "y", "x", "x"]})
    case = case_of(original, ["town"], released, origin=[3, 0, -1, 2])
    finding = one(KAnonymity(), case)
    np.testing.assert_array_equal(finding.per_record, [1.0, np.nan, 1 / 3, 1 / 3, np.nan])
    assert finding.value == 1
    assert finding.n == 4
    assert tuple(finding.why) == (
        "unique on town in the release",
        "",
        "one of 3 or 4 on town",
        finding.why[2],
        "",
    )


def test_small_classes_and_their_curve():
    case = case_of(file_of({"a": list("xxxyyz")}), ["a"])
    finding = one(SmallClasses(), case)
    assert finding.value == pytest.approx(0.5)
    assert [(p.at, p.value) for p in finding.curve.points] == [(2, 1 / 6), (3, 0.5), (5, 1.0), (10, 1.0)]
    uniques = one(SmallClasses(k=2), case)
    # The uniques are the first point of that curve: the same curve is not drawn twice.
    assert (uniques.value, uniques.curve) == (pytest.approx(1 / 6), None)
    assert "3 records of 6" in finding.meaning


def test_numeric_keys_count_by_value_and_zero_has_no_sign():
    case = case_of(file_of({"x": [0.0, -0.0, 1.5, 1.5000001]}, numeric=("x",)), ["x"])
    np.testing.assert_array_equal(1 / one(KAnonymity(), case).per_record, [2, 2, 1, 1])


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        (Missing.MISMATCH, [1, 1, 2, 2]),
        (Missing.CATEGORY, [1, 1, 2, 2]),
        (Missing.WILDCARD, [4, 2, 4, 4]),
        (Missing.IGNORE, [4, 2, 4, 4]),
        (Missing.SUPPRESSED, [4, 2, 4, 4]),
    ],
)
def test_missing_keys_follow_the_policy(missing, expected):
    file = file_of({"a": [None, "y", "x", "x"], "b": ["u", "u", "u", "u"]})
    case = case_of(file, ["a", "b"], missing=missing)
    if missing not in (Missing.MISMATCH, Missing.CATEGORY):
        expected = [4, 2, 3, 3]
    np.testing.assert_allclose(1 / one(KAnonymity(), case).per_record, expected)


def test_nan_is_missing_too():
    case = case_of(file_of({"x": [float("nan"), None, 1.0]}, numeric=("x",)), ["x"])
    np.testing.assert_allclose(1 / one(KAnonymity(), case).per_record, [2, 2, 1])


def test_several_confidential_attributes_together():
    # On the keys alone both attributes have two values; who knows one of them knows the other.
    file = file_of({"k": list("xxxx"), "s": list("aabb"), "t": list("uuvv")}, confidential=("s", "t"))
    alone_s, alone_t, together = flat_rows(LDiversity(), case_of(file, ["k"]))
    assert (alone_s.value, alone_t.value, together.value) == (2, 2, 1)
    assert together.subject is None
    free = file_of({"k": list("xxxx"), "s": list("aabb"), "t": list("uvuv")}, confidential=("s", "t"))
    assert flat_rows(LDiversity(), case_of(free, ["k"]))[2].value == 2


def test_diversities_by_hand():
    file = file_of({"k": list("xxxxxyy"), "s": list("aaabcaa")}, confidential=("s",))
    case = case_of(file, ["k"])
    entropy = one(LDiversity(Diversity.ENTROPY), case)
    shares = np.array([0.6, 0.2, 0.2])
    assert 1 / entropy.per_record[0] == pytest.approx(math.exp(-(shares * np.log(shares)).sum()))
    assert entropy.value == pytest.approx(1)
    whole = np.array([5, 1, 1]) / 7
    assert entropy.baseline == pytest.approx(math.exp(-(whole * np.log(whole)).sum()))
    # r = (3, 1, 1): 3 < c (1 + 1) needs c > 1.5, 3 < c needs c > 3.
    levels = [1 / one(LDiversity(Diversity.RECURSIVE, c), case).per_record[0] for c in (1.5, 1.6, 3.0, 3.1)]
    np.testing.assert_allclose(levels, [1, 2, 2, 3])
    assert one(LDiversity(), case).why[-1] == "no diversity of 's' in its class"


def test_a_confidential_attribute_that_the_intruder_knows_is_not_at_stake():
    file = file_of({"k": list("xy"), "s": list("ab")}, confidential=("s",))
    assert "does not know" in LDiversity().why_not(case_of(file, ["k", "s"])).reason
    assert "declared confidential" in TCloseness().why_not(case_of(file_of({"k": ["x"]}), ["k"])).reason


def test_ordinal_levels_have_their_places_whether_used_or_not():
    file = file_of(
        {"k": list("xy"), "s": ["low", "high"]}, confidential=("s",), ordinal={"s": ("low", "mid", "high")}
    )
    # Half of everybody is at each end; all of a class at one end: half the way.
    assert one(TCloseness(), case_of(file, ["k"])).value == pytest.approx(0.5)


def test_missing_confidential_values():
    file = file_of({"k": list("xxyy"), "s": [1.0, None, None, None]}, numeric=("s",), confidential=("s",))
    finding = one(TCloseness(), case_of(file, ["k"]))
    np.testing.assert_array_equal(finding.per_record, [0, 0, np.nan, np.nan])
    blank = file_of({"k": list("xy"), "s": [None, None]}, numeric=("s",), confidential=("s",))
    finding = one(TCloseness(), case_of(blank, ["k"]))
    assert finding.value is None
    assert "missing" in finding.reason
    assert one(LDiversity(), case_of(blank, ["k"])).value is None


def test_linkage_risks_by_hand():
    sample = file_of({"k": list("xxyz")})
    population = file_of({"k": list("xxxxyyz")}, label="the population")
    case = case_of(sample, ["k"], population=population)
    prosecutor, journalist, marketer = (one(LinkageRisk(i), case) for i in AttackerModel)
    assert prosecutor.value == 1
    np.testing.assert_allclose(prosecutor.per_record, [0.5, 0.5, 1, 1])
    np.testing.assert_allclose(journalist.per_record, [0.25, 0.25, 0.5, 1])
    assert journalist.value == 1
    assert marketer.value == pytest.approx(0.5)
    assert marketer.baseline == pytest.approx(1 / 7)
    alone = case_of(sample, ["k"])
    assert one(LinkageRisk(AttackerModel.MARKETER), alone).value == pytest.approx(0.75)
    assert "no file of the population" in LinkageRisk(AttackerModel.JOURNALIST).why_not(alone).reason


def test_a_population_is_compared_across_types():
    sample = file_of({"k": [1, 2, 2]})
    population = file_of({"k": ["1", "1", "2", "2", "3"]})
    case = case_of(sample, ["k"], population=population)
    np.testing.assert_allclose(one(LinkageRisk(AttackerModel.JOURNALIST), case).per_record, [0.5, 0.5, 0.5])


def test_a_population_that_does_not_fit():
    sample = file_of({"k": list("xxy"), "l": list("uuu")})
    journalist = LinkageRisk(AttackerModel.JOURNALIST)
    lacking = case_of(sample, ["k", "l"], population=file_of({"k": list("xxyy")}))
    assert "lacks the known attribute 'l'" in journalist.why_not(lacking).reason
    small = case_of(sample, ["k"], population=file_of({"k": list("xy")}))
    with pytest.raises(DataError, match="fewer than the 3"):
        journalist.why_not(small)
    other = case_of(sample, ["k"], population=file_of({"k": list("xyyyy")}))
    with pytest.raises(DataError, match="no sample of the other"):
        journalist.why_not(other)
    recoded = case_of(sample, ["k"], file_of({"k": ["x or y"] * 3}), population=file_of({"k": list("xxyy")}))
    assert "code both alike" in journalist.why_not(recoded).reason
    assert one(journalist, recoded).value is None
    # The marketer does without: the matches are then among the released records.
    assert one(LinkageRisk(AttackerModel.MARKETER), recoded).value == pytest.approx(1 / 3)


def test_a_key_that_the_mask_made_matches_nobody():
    sample = file_of({"k": list("xy"), "l": list("uv")})
    swapped = file_of({"k": list("xy"), "l": list("vu")})
    population = file_of({"k": list("xyx"), "l": list("uvu")})
    finding = one(
        LinkageRisk(AttackerModel.JOURNALIST), case_of(sample, ["k", "l"], swapped, population=population)
    )
    assert finding.value == 0
    assert tuple(finding.why) == ("", "")


@pytest.mark.parametrize("measure", EVERY, ids=lambda measure: measure.name)
def test_cases_without_keys_say_why(measure):
    file = file_of({"k": [None, None], "s": list("ab")}, confidential=("s",))
    blank = case_of(file, ["k"], population=file)
    gone = case_of(file, ["k"], file.only(["s"]), population=file)
    for case, word in ((blank, "missing in the release"), (gone, "none of the attributes")):
        assert word in measure.why_not(case).reason
        [finding] = flat_rows(measure, case)
        assert finding.value is None
        assert word in finding.reason
        assert finding.per_record is None


@pytest.mark.parametrize("measure", EVERY, ids=lambda measure: measure.name)
def test_one_record_is_a_file_too(measure):
    file = file_of({"k": ["x"], "s": ["a"]}, confidential=("s",))
    for finding in flat_rows(measure, case_of(file, ["k"], population=file)):
        assert finding.value is not None
        assert np.isfinite(finding.value)
        assert finding.meaning.endswith(".")


def test_bad_parameters():
    for make in (
        lambda: KAnonymity(alpha=2),
        lambda: SmallClasses(k=1),
        lambda: SmallClasses(alpha=-1),
        lambda: LDiversity(c=0),
        lambda: SUDA(largest=0),
    ):
        with pytest.raises(ArgumentError, match="Hint"):
            make()


def test_why_names_attributes_and_no_values():
    columns = {"region": ["secret1", "secret1", "secret2"], "age": ["secret3", "secret4", "secret3"]}
    case = case_of(file_of(columns, confidential=()), ["region", "age"])
    special, *_ = flat_rows(SUDA(), case)
    assert tuple(special.why) == ("unique on region x age", "unique on age", "unique on region")
    for measure in (KAnonymity(), SmallClasses(), SUDA(Score.IHSN), LinkageRisk()):
        for finding in flat_rows(measure, case):
            assert "secret" not in " ".join((finding.meaning, *(finding.why or ())))


def test_an_attribute_without_any_value_has_no_diversity_and_no_distance():
    file = file_of(
        {"k": list("xxyy"), "s": [None] * 4, "t": list("abab"), "u": list("aabb")},
        confidential=("s", "t", "u"),
    )
    file = Microdata(file.schema, file.frame.with_columns(pl.col("s").cast(pl.String)))
    case = case_of(file, ["k"])
    for measure in (LDiversity(), LDiversity(Diversity.ENTROPY), TCloseness()):
        found = {finding.subject: finding for finding in flat_rows(measure, case)}
        assert found["s"].value is None
        assert found["s"].reason == "every value of 's' is missing in the release"
        assert found["t"].value is not None
    together = {finding.subject: finding for finding in flat_rows(LDiversity(), case)}[None]
    assert together.value == 1
