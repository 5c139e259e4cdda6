"""Uniqueness in the population: known populations, samples of them, and what cannot be estimated."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tests.flat import flat_rows
from unmask.data.microdata import Masked, Microdata
from unmask.data.missing import Missing
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.engines import LocalEngine
from unmask.errors import ArgumentError
from unmask.linkage.transitions import Transitions
from unmask.measures.anonymity import AttackerModel, LinkageRisk
from unmask.measures.base import FileMeasure
from unmask.measures.estimate import NotEstimable
from unmask.measures.evidence import FileEvidence
from unmask.measures.uniqueness import (
    DisSUDA,
    HouseholdRisk,
    IndividualRisk,
    LogLinear,
    Misclassified,
    Pitman,
    PopulationUniques,
    Quantity,
    Zayatz,
    risk_threshold,
)
from unmask.measures.uniqueness.individual_risk import approximate_risk, negative_binomial_risk
from unmask.measures.uniqueness.pitman import parameters
from unmask.measures.uniqueness.sizes import ClassSizes

TABLE = Transitions(("x", "y"), ("x", "y"), np.array([[0.9, 0.1], [0.2, 0.8]]))
SAMPLED = [
    DisSUDA(),
    HouseholdRisk(),
    IndividualRisk(),
    LogLinear(Quantity.UNIQUES),
    LogLinear(Quantity.MATCHES),
    Misclassified({"k": TABLE}),
    Pitman(),
    Zayatz(),
]


def file_of(columns, weight=None, household=None):
    schema = [Column(name, Kind.NOMINAL) for name in columns]
    frame = pl.DataFrame(columns)
    if weight is not None:
        frame = frame.with_columns(weight=pl.Series(weight, dtype=pl.Float64))
        schema.append(Column("weight", role=Role.WEIGHT))
    if household is not None:
        frame = frame.with_columns(household=pl.Series(household))
        schema.append(Column("household", Kind.NOMINAL, Role.HOUSEHOLD))
    return Microdata(Schema(tuple(schema)), frame)


def case_of(original, known, released=None, **more):
    return FileEvidence(original, Masked.by_order(original, released or original), tuple(known), **more)


def one(measure, case):
    assert measure.why_not(case) is None
    [finding] = flat_rows(measure, case)
    return finding


def test_every_measure_keeps_the_protocol():
    every = [*SAMPLED, PopulationUniques()]
    assert all(isinstance(measure, FileMeasure) for measure in every)
    assert len({measure.name for measure in every}) == len(every)


def test_population_uniques_by_hand():
    case = case_of(file_of({"k": list("xxyzw")}), ["k"], population=file_of({"k": list("xxxyyzzzw")}))
    finding = one(PopulationUniques(), case)
    assert finding.value == pytest.approx(1 / 3)  # y, z and w are sample uniques; w is unique among all
    assert finding.n == 3
    np.testing.assert_allclose(finding.per_record, [1 / 3, 1 / 3, 1 / 2, 1 / 3, 1])
    assert finding.why[4] == "unique on k in the population"
    assert "1 (33%)" in finding.meaning


def test_population_uniques_need_sample_uniques():
    case = case_of(file_of({"k": list("xx")}), ["k"], population=file_of({"k": list("xxy")}))
    [finding] = flat_rows(PopulationUniques(), case)
    assert finding.value is None
    assert "no released record is unique" in finding.reason


def test_suppressed_keys_match_whom_they_may():
    original = file_of({"k": ["x", "y", "y"], "l": ["u", "v", "v"]})
    released = file_of({"k": [None, "y", "y"], "l": ["u", "v", "v"]})
    population = file_of({"k": ["x", "y", "y", "y", "z"], "l": ["u", "v", "v", "u", "u"]})
    known = ["k", "l"]
    wild = one(
        PopulationUniques(),
        case_of(original, known, released, population=population, missing=Missing.WILDCARD),
    )
    np.testing.assert_allclose(wild.per_record, [1 / 3, 1 / 2, 1 / 2])
    strict = one(PopulationUniques(), case_of(original, known, released, population=population))
    np.testing.assert_allclose(strict.per_record, [0, 1 / 2, 1 / 2])


@pytest.mark.parametrize("p", [0.9, 0.3, 0.01, 1e-3])
@pytest.mark.parametrize("f", [1.0, 1.5, 2.0, 3.0, 29.5, 31.0, 100.0])
def test_negative_binomial_risk_is_the_series(f, p):
    # sum over F >= f of 1/F times C(F-1, f-1) p^f (1-p)^(F-f), f whole or not, in logarithms.
    from scipy.special import gammaln

    F = f + np.arange(0, int((f + 12 * np.sqrt(f) + 40) / p))
    log_p = gammaln(F) - gammaln(f) - gammaln(F - f + 1) + f * np.log(p) + (F - f) * np.log1p(-p)
    expected = (np.exp(log_p) / F).sum()
    assert negative_binomial_risk(np.array([f]), np.array([f / p]))[0] == pytest.approx(expected, rel=1e-7)


def test_risk_falls_with_the_count_and_meets_its_ends():
    f = np.array([1, 1.2, 1.9, 2, 2.5, 3, 10, 29, 30, 31, 1000, 1e6])
    risk = negative_binomial_risk(f, f * 50)
    assert (np.diff(risk) < 0).all()
    np.testing.assert_allclose(negative_binomial_risk(f, f), 1 / f)
    np.testing.assert_allclose(approximate_risk(f, f), 1 / f)
    np.testing.assert_allclose(approximate_risk(f, f * 50), risk, rtol=0.03)


def test_individual_risk_by_hand():
    case = case_of(file_of({"k": list("xyy")}, weight=[10, 5, 15]), ["k"])
    finding = one(IndividualRisk(), case)
    p, q = 1 / 10, 2 / 20
    expected = [p / (1 - p) * np.log(1 / p), *[q / (1 - q) - (q / (1 - q)) ** 2 * np.log(1 / q)] * 2]
    np.testing.assert_allclose(finding.per_record, expected)
    assert finding.value == pytest.approx(np.mean(expected))
    assert finding.baseline == pytest.approx(1 / 30)
    equal = one(IndividualRisk(fraction=0.1), case_of(file_of({"k": list("xyy")}), ["k"]))
    np.testing.assert_allclose(equal.per_record, finding.per_record)


def test_household_risk_by_hand():
    file = file_of({"k": list("xyyyyzy")}, weight=[4] * 7, household=["h", "h", *[None] * 5])
    single, household = (
        one(IndividualRisk(), case_of(file, ["k"])),
        one(HouseholdRisk(), case_of(file, ["k"])),
    )
    r = single.per_record
    both = 1 - (1 - r[0]) * (1 - r[1])
    np.testing.assert_allclose(household.per_record, [both, both, *r[2:]])
    certain = file_of({"k": list("xyyy")}, weight=[1, 5, 5, 5], household=["h", "h", None, None])
    np.testing.assert_allclose(one(HouseholdRisk(), case_of(certain, ["k"])).per_record[:2], 1)


def test_weights_and_households_of_the_original_serve_for_the_release():
    original = file_of({"k": list("xyyyz")}, weight=[2, 4, 8, 2, 4], household=list("hhiij"))
    released = file_of({"k": list("zyyy")})
    case = FileEvidence(original, Masked(released, np.array([4, 1, 2, 3])), ("k",))
    finding = one(HouseholdRisk(), case)
    y, z = negative_binomial_risk(np.array([3.0, 1.0]), np.array([14.0, 4.0]))
    both = 1 - (1 - y) ** 2
    np.testing.assert_allclose(finding.per_record, [np.nan, y, both, both, z])


def test_individual_risk_is_not_given_where_keys_hardly_recur():
    # 5 of 10 unique in a sample of one in fifty; the same file as most of its population is fine.
    keys, household = {"k": list("abcdexxxxx")}, list("hhhhhhhhhh")
    for measure in (IndividualRisk(), HouseholdRisk()):
        few = case_of(file_of(keys, weight=[50] * 10, household=household), ["k"])
        why = measure.why_not(few)
        assert why.declared
        assert why.applicable
        assert why.reason.startswith("50.0% of the released records are unique, and this model looks at one")
        (row,) = measure.rows(few, LocalEngine())
        assert not row.estimate.estimable
        assert row.estimate.per_record is None, "a floor for every record would be read as its risk"
        assert measure.why_not(case_of(file_of(keys, weight=[1.5] * 10, household=household), ["k"])) is None
    recurring = file_of({"k": list("abcdxxxxxx")}, weight=[50] * 10)
    assert IndividualRisk().why_not(case_of(recurring, ["k"])) is None


def test_threshold_of_the_mean_risk():
    risks = np.array([0.5, 0.1, 0.1, 0.02])
    assert risk_threshold(risks, 0.2) is None  # the mean is 0.18 already
    assert risk_threshold(risks, 0.1) == 0.1  # 0.02 + 3 * 0.1 = 0.32 < 0.4
    assert risk_threshold(risks, 0.05) == 0.02  # 0.32 is too much for 0.2
    assert risk_threshold(risks, 0.001) is None


def test_a_census_is_known():
    case = case_of(file_of({"k": list("xyyz")}), ["k"])
    for measure in (
        LogLinear(fraction=1.0),
        LogLinear(Quantity.MATCHES, fraction=1.0),
        Zayatz(1.0),
        Pitman(1.0),
    ):
        assert one(measure, case).value == pytest.approx(2)


def test_pitman_parameters_maximise_the_likelihood():
    found = ClassSizes(np.array([1, 2, 3, 7]), np.array([40, 12, 5, 3]), 5000.0)

    def likelihood(alpha, theta):
        u, n = int(found.classes.sum()), found.records
        value = sum(np.log(theta + i * alpha) for i in range(1, u))
        value -= sum(np.log(theta + i) for i in range(1, n))
        for size, count in zip(found.size, found.classes, strict=True):
            value += count * sum(np.log(i - alpha) for i in range(1, size))
        return value

    alpha, theta = parameters(found)
    best = likelihood(alpha, theta)
    for a in np.linspace(0.05, 0.95, 19):
        for t in np.geomspace(0.1, 1000, 30):
            assert likelihood(a, t) <= best + 1e-6
    assert best >= likelihood(alpha * 1.01, theta)
    assert best >= likelihood(alpha, theta * 1.01)


def test_pitman_recovers_a_pitman_population():
    rng = np.random.default_rng(5)
    alpha, theta, people = 0.4, 50.0, 20_000
    size = np.zeros(people, dtype=np.int64)
    of = np.empty(people, dtype=np.int64)
    known = 0
    for i in range(people):  # the Chinese restaurant of Pitman and Yor
        if rng.random() < (theta + known * alpha) / (theta + i):
            of[i], known = known, known + 1
        else:
            other = of[rng.integers(i)]
            while rng.random() < alpha / size[other]:  # joins a class in proportion to its size less alpha
                other = of[rng.integers(i)]
            of[i] = other
        size[of[i]] += 1
    sample = rng.choice(people, 2000, replace=False)
    drawn = np.bincount(of[sample], minlength=known)
    truth = ((drawn[of[sample]] == 1) & (size[of[sample]] == 1)).sum()
    case = case_of(file_of({"k": of[sample].tolist()}), ["k"])
    assert one(Pitman(0.1), case).value == pytest.approx(truth, rel=0.2)


def test_every_record_unique_says_nothing_about_recurrence():
    [finding] = flat_rows(Pitman(0.1), case_of(file_of({"k": list("xyz")}), ["k"]))
    assert finding.value is None
    assert "every released record is unique" in finding.reason


def test_no_uniques_no_population_uniques():
    case = case_of(file_of({"k": list("xxyy")}), ["k"])
    for measure in (Pitman(0.1), Zayatz(0.1), LogLinear(fraction=0.1), Misclassified({"k": TABLE}, 0.1)):
        finding = one(measure, case)
        assert finding.value == 0
        assert finding.n == 0
        assert "No released record is unique" in finding.meaning


def test_misclassification_tables_that_do_not_serve():
    case = case_of(file_of({"k": list("xyy")}), ["k"])
    assert "no transition table" in Misclassified(None, 0.1).why_not(case).reason
    recoded = Misclassified({"k": Transitions.of({"x": "x|y", "y": "x|y"})}, 0.1)
    assert "recoding is no misclassification" in flat_rows(recoded, case)[0].reason
    strange = Misclassified({"k": Transitions.identity(["x"])}, 0.1)
    assert "lacks" in flat_rows(strange, case)[0].reason


@pytest.mark.parametrize("measure", SAMPLED, ids=lambda measure: measure.name)
def test_what_a_design_needs_is_said(measure):
    def reason(file, **more):
        case = case_of(file, ["k"], **more)
        [finding] = flat_rows(measure, case)
        assert finding.value is None
        assert measure.why_not(case).reason == finding.reason
        return finding.reason

    def home(n):
        return list(range(n))

    assert "sampling fraction is not known" in reason(file_of({"k": list("xyy")}, household=home(3)))
    assert "below 1" in reason(file_of({"k": list("xyy")}, weight=[0.5, 2, 2], household=home(3)))
    assert "no weight" in reason(file_of({"k": list("xyy")}, weight=[None, 2, 2], household=home(3)))
    assert "missing" in reason(file_of({"k": [None, None]}, weight=[2, 2], household=home(2)))
    double = file_of({"k": list("xyy")}, weight=[2, 2, 2], household=home(3))
    both = Microdata(
        Schema((*double.schema.columns, Column("other", role=Role.WEIGHT))),
        double.frame.with_columns(other=pl.lit(2.0)),
    )
    assert "declare one" in reason(both)
    if measure.name not in ("dis-suda", "household-risk", "individual-risk"):
        assert "one record" in reason(file_of({"k": ["x"]}, weight=[5], household=home(1)))


def test_synthetic_records_have_no_weight_of_an_original():
    original = file_of({"k": list("xy")}, weight=[2, 2])
    case = FileEvidence(original, Masked(file_of({"k": list("xy")}), np.array([-1, 0])), ("k",))
    assert "stem from nobody" in IndividualRisk().why_not(case).reason


def test_the_population_tells_the_fraction_where_nothing_else_does():
    case = case_of(file_of({"k": list("xyy")}), ["k"], population=file_of({"k": list("xyxyxyxyy")}))
    finding = one(IndividualRisk(), case)
    x, y = negative_binomial_risk(np.array([1.0, 2.0]), np.array([3.0, 6.0]))
    np.testing.assert_allclose(finding.per_record, [x, y, y])


def test_households_must_be_declared():
    case = case_of(file_of({"k": list("xy")}, weight=[2, 2]), ["k"])
    assert "no column is declared as the household" in HouseholdRisk().why_not(case).reason


def test_bad_parameters():
    for make in (
        lambda: IndividualRisk(fraction=0),
        lambda: Pitman(fraction=1.5),
        lambda: LogLinear(largest_clique=1),
        lambda: Misclassified(largest_clique=1),
        lambda: IndividualRisk(alpha=-1),
        lambda: HouseholdRisk(alpha=2),
    ):
        with pytest.raises(ArgumentError, match="Hint"):
            make()


def test_weights_that_cannot_be_used_are_told_and_absent_ones_are_not():
    keys = {"k": list("xxyyz"), "l": list("ababa")}
    spoilt = file_of(keys, weight=[9.0, 9.0, None, 9.0, 9.0], household=list("aabbb"))
    plain = file_of(keys)
    unusable = NotEstimable("1 records have no weight in 'weight'", declared=True)
    for measure in (DisSUDA(), HouseholdRisk(), IndividualRisk(), LogLinear(), Pitman(), Zayatz()):
        assert measure.why_not(case_of(spoilt, keys)) == unusable
        assert not measure.why_not(case_of(plain, keys)).declared


def test_a_population_that_cannot_be_used_is_told():
    sample = file_of({"k": list("xyz"), "l": list("abc")})
    case = case_of(sample, ["k", "l"], population=file_of({"k": list("xxyyzz")}))
    reason = "the population file lacks the known attribute 'l'"
    for measure in (PopulationUniques(), LinkageRisk(AttackerModel.JOURNALIST)):
        assert measure.why_not(case).declared
    (marketer,) = flat_rows(LinkageRisk(AttackerModel.MARKETER), case)
    assert marketer.meaning.endswith(f"The population file was not used: {reason}.")


def test_persons_without_a_household_stand_alone_and_are_counted():
    file = file_of({"k": list("xxyy")}, weight=[9.0] * 4, household=["a", "a", None, None])
    (finding,) = flat_rows(HouseholdRisk(), case_of(file, ["k"]))
    assert finding.meaning.endswith("2 records without a household stand alone.")
