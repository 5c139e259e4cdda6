"""Frequencies, individual risk, SUDA, l-diversity and log-linear risk beside sdcMicro 5.8.1.

Where sdcMicro is wrong, the test says so and holds us to the definition.
"""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from tests.flat import flat_rows
from tests.reference.loglinear import main_effects, skinner_shlomo
from tests.reference.suda import contributions, minimal_uniques, scores
from tests.shared_data import data, golden
from unmask.data.microdata import Masked, Microdata
from unmask.data.missing import Missing
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.measures.anonymity import (
    SUDA,
    AttackerModel,
    Diversity,
    KAnonymity,
    LDiversity,
    LinkageRisk,
    Score,
    SmallClasses,
)
from unmask.measures.anonymity.keys import released_keys
from unmask.measures.anonymity.special_uniques import minimal_sample_uniques
from unmask.measures.evidence import FileEvidence
from unmask.measures.uniqueness import (
    DisSUDA,
    HouseholdRisk,
    IndividualRisk,
    LogLinear,
    Quantity,
    risk_threshold,
)
from unmask.measures.uniqueness.design import design
from unmask.measures.uniqueness.individual_risk import negative_binomial_risk

KEYS = ("urbrur", "roof", "walls", "water", "electcon", "relat", "sex")


def read(path):
    return pl.read_csv(path, infer_schema_length=None, null_values=["", "NA"])


def a_case(frame, keys, *, weight=None, household=None, confidential=(), missing=Missing.MISMATCH):
    columns = [Column(name, Kind.NOMINAL) for name in keys]
    columns += [Column(name, Kind.NOMINAL, Role.CONFIDENTIAL) for name in confidential]
    if weight:
        columns.append(Column(weight, role=Role.WEIGHT))
    if household:
        columns.append(Column(household, Kind.NOMINAL, Role.HOUSEHOLD))
    file = Microdata(Schema(tuple(columns)), frame)
    return FileEvidence(file, Masked.by_order(file, file), tuple(keys), missing)


def found(measure, case):
    assert measure.why_not(case) is None
    return flat_rows(measure, case)


@pytest.fixture(scope="module")
def testdata():
    return read(data("sdcmicro_testdata.csv"))


@pytest.fixture(scope="module")
def people(testdata):
    return a_case(testdata, KEYS, weight="sampling_weight", household="ori_hid")


def test_frequencies(people):
    stored = json.loads(golden("freq_risk.json").read_text())["testdata"]
    fk = read(golden("freqcalc_indivrisk_testdata.csv"))["fk"].to_numpy()
    [k] = flat_rows(KAnonymity(), people)
    np.testing.assert_allclose(1 / k.per_record, fk, rtol=1e-12)
    assert k.value == 1
    [small] = flat_rows(SmallClasses(), people)
    n = len(people.original)
    assert [round(point.value * n) for point in small.curve.points[:3]] == [
        stored["n1"],
        stored["n_fk_lt3"],
        stored["n_fk_lt5"],
    ]
    [marketer] = found(LinkageRisk(AttackerModel.MARKETER), people)
    assert marketer.value * n == pytest.approx(stored["sum_rk_nosurvey"], rel=1e-12)


@pytest.mark.parametrize("alpha", [1.0, 0.5, 0.0])
def test_frequencies_with_missing_values_as_wildcards(alpha):
    case = a_case(
        read(golden("inputs/testdata600_na.csv")), KEYS, weight="sampling_weight", missing=Missing.WILDCARD
    )
    stored = read(golden("freqcalc_na_alpha.csv"))
    fk, Fk, rk = (stored[f"{name}_alpha{alpha:g}"].to_numpy() for name in ("fk", "Fk", "rk"))
    keys = released_keys(case)
    np.testing.assert_allclose(keys.counts(alpha)[keys.classes.of], fk, rtol=1e-12)
    np.testing.assert_allclose(keys.class_sums(np.full(600, 100.0), alpha)[keys.classes.of], Fk, rtol=1e-12)
    ours = flat_rows(IndividualRisk(alpha=alpha, approximate=True), case)[0].per_record
    right = rk > 0
    np.testing.assert_allclose(ours[right], rk[right], rtol=1e-9)
    # sdcMicro gives a risk of 0 to counts strictly between 1 and 2; the formula holds for them all the same.
    between = ~right
    assert between.sum() == (12 if alpha == 0.5 else 0)
    assert ((fk[between] > 1) & (fk[between] < 2)).all()
    one, two = (negative_binomial_risk(np.array([f]), np.array([100 * f]))[0] for f in (1.0, 2.0))
    assert ((ours[between] > two) & (ours[between] < one)).all()


def risks(case, approximate):
    """The risk of each record by the formula, also where too many are unique for it to be given."""
    keys, drawn = released_keys(case), design(case, None)
    return keys.spread(IndividualRisk(approximate=approximate).risks(keys, drawn))


@pytest.mark.parametrize("name", ["testdata", "free1", "francdat"])
def test_individual_risk(name):
    stored = read(golden(f"freqcalc_indivrisk_{name}.csv")) if name != "free1" else None
    if stored is None:
        case = a_case(read(data("sdcmicro_free1.csv")), ("REGION", "SEX", "AGE", "MARSTAT"), weight="WEIGHT")
        sums = json.loads(golden("freq_risk.json").read_text())["free1"]
        for approximate, total in ((True, sums["sum_rk_approx"]), (False, sums["sum_rk_exact"])):
            assert risks(case, approximate).sum() == pytest.approx(total, rel=1e-9)
        return
    if name == "testdata":
        case = a_case(read(data("sdcmicro_testdata.csv")), KEYS, weight="sampling_weight")
    else:
        frame = read(golden("inputs/francdat.csv"))
        case = a_case(frame, ("Key1", "Key2", "Key3", "Key4"), weight="w")
    approximate, exact = (risks(case, flag) for flag in (True, False))
    np.testing.assert_allclose(approximate, stored["rk_approx"].to_numpy(), rtol=1e-10)
    theirs = stored["rk_exact"].cast(pl.Float64).to_numpy()
    finite = np.isfinite(theirs)
    # Their series overflows for large counts (176 records); ours is defined for all of them.
    assert (~finite).sum() == (176 if name == "testdata" else 0)
    np.testing.assert_allclose(exact[finite], theirs[finite], rtol=1e-6)
    assert ((exact > 0) & (exact <= 1)).all()
    np.testing.assert_allclose(exact[~finite], approximate[~finite], rtol=1e-3)


def test_global_and_household_risk(people):
    stored = json.loads(golden("freq_risk.json").read_text())["measure_risk"]
    n = len(people.original)
    [single] = flat_rows(IndividualRisk(approximate=True), people)
    assert single.value == pytest.approx(stored["global_risk"], rel=1e-11)
    assert single.per_record.sum() == pytest.approx(stored["global_risk_ER"], rel=1e-11)
    [household] = flat_rows(HouseholdRisk(approximate=True), people)
    assert household.value * n == pytest.approx(stored["hier_risk_ER"], rel=1e-10)
    hier = read(golden("measure_risk_testdata.csv"))["hier_risk"].to_numpy()
    np.testing.assert_allclose(household.per_record, hier, rtol=1e-9)
    for most, level in zip(stored["threshold_max_global_risk"], stored["threshold_value"], strict=True):
        ours = risk_threshold(single.per_record, most)
        assert ours == (None if level is None else pytest.approx(level, rel=1e-12))


SUDA_RUNS = [
    ("testdata_DisFraction0.01_orig", KEYS, 0.01, Score.ORIGINAL),
    ("testdata_DisFraction0.01_ihsn", KEYS, 0.01, Score.IHSN),
    ("testdata_DisFraction0.1_orig", KEYS, 0.1, Score.ORIGINAL),
    ("testdata_DisFraction0.1_ihsn", KEYS, 0.1, Score.IHSN),
    ("testdata2", KEYS, 0.01, Score.ORIGINAL),
    ("testdata2_4keys", KEYS[:4], 0.01, Score.ORIGINAL),
    ("testdata600_na", KEYS, 0.01, Score.ORIGINAL),
    ("synth3000_8keys", tuple(f"k{i}" for i in range(1, 9)), 0.01, Score.ORIGINAL),
    ("synth3000_5keys", ("k5", "k6", "k7", "k8", "k10"), 0.01, Score.ORIGINAL),
]


def suda_input(run):
    for name in ("testdata2", "testdata600_na"):
        if run.startswith(name):
            return read(golden(f"inputs/{name}.csv"))
    if run.startswith("synth3000"):
        return read(golden("inputs/suda_synth3000.csv"))
    return read(data("sdcmicro_testdata.csv"))


@pytest.mark.parametrize(("run", "keys", "fraction", "score"), SUDA_RUNS, ids=[r[0] for r in SUDA_RUNS])
def test_suda(run, keys, fraction, score):
    stored = read(golden(f"suda2_{run}.csv"))
    case = a_case(suda_input(run), keys)
    special, *attributes = flat_rows(SUDA(score), case)
    theirs = stored["score"].to_numpy()
    np.testing.assert_allclose(special.per_record, theirs, rtol=1e-12)
    [dis] = flat_rows(DisSUDA(fraction, score), case)
    # They keep the fraction in single precision.
    np.testing.assert_allclose(dis.per_record, stored["disScore"].to_numpy(), rtol=3e-7)
    parts = np.column_stack([stored[f"{name}_contribution"].to_numpy() for name in keys])
    expected = (parts * theirs[:, None]).sum(axis=0) / theirs.sum()
    ours = np.array([finding.value for finding in attributes])
    if run == "synth3000_5keys":
        # k10 is a copy of k8, to which they give parts of the other's share: only the sum is right.
        assert ours[3] == ours[4]
        ours, expected = (np.append(shares[:3], shares[3:].sum()) for shares in (ours, expected))
    np.testing.assert_allclose(ours, expected, rtol=1e-9)


def test_suda_contributions_of_a_duplicated_key():
    # A copy of a key changes nothing of what each of the two tells: sdcMicro gives the copy 0.
    frame = read(data("sdcmicro_testdata.csv")).head(490).select("urbrur", "roof", "relat", "sex")
    frame = frame.with_columns(copy=pl.col("relat"))
    keys = released_keys(a_case(frame, frame.columns))
    ours = minimal_sample_uniques(keys)
    rows = frame.rows()
    sets = minimal_uniques(rows)
    np.testing.assert_allclose(ours.scores()[keys.classes.of], scores(sets, 5), rtol=1e-12)
    shares = ours.contributions()[keys.classes.of]
    np.testing.assert_allclose(shares, contributions(sets, 5), rtol=1e-12)
    np.testing.assert_array_equal(shares[:, 2], shares[:, 4])


def test_dis_suda_without_pairs_is_certain():
    # With sdcMicro, NaN: two records, both unique, no pairs.
    case = a_case(pl.DataFrame({"a": ["x", "y"], "b": ["u", "v"]}), ("a", "b"))
    assert flat_rows(DisSUDA(0.01), case)[0].per_record.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("c", [1, 2, 3])
def test_l_diversity(testdata, c):
    keys, confidential = ("urbrur", "water", "relat", "sex"), ("hhcivil", "roof")
    case = a_case(testdata, keys, confidential=confidential)
    stored = read(golden(f"ldiversity_testdata_c{c}.csv"))
    for kind in Diversity:
        findings = flat_rows(LDiversity(kind, c), case)
        for finding in findings[:2]:
            theirs = stored[f"{finding.subject}_{kind.value.title()}_Ldiversity"].to_numpy()
            np.testing.assert_allclose(1 / finding.per_record, theirs, rtol=1e-11)
        # Both attributes together: sdcMicro says 0, which no diversity can be.
        together = findings[2]
        assert together.subject is None
        if kind is not Diversity.DISTINCT:
            assert (stored[f"Multi{kind.value.title()}_Ldiversity"] == 0).all()
        for name, other in (confidential, confidential[::-1]):
            alone = flat_rows(LDiversity(kind, c), a_case(testdata, (*keys, other), confidential=(name,)))[0]
            assert (together.per_record >= alone.per_record - 1e-12).all()
        assert together.value >= 1


def test_log_linear_risk_by_simulation():
    truth = json.loads(golden("modrisk_simulation_truth.json").read_text())[0]
    case = a_case(
        read(golden("inputs/modrisk_sim_seed1.csv")), tuple(f"v{i}" for i in range(1, 6)), weight="w"
    )
    for search in (True, False):
        for quantity, tau in ((Quantity.UNIQUES, "tau1"), (Quantity.MATCHES, "tau2")):
            [finding] = flat_rows(LogLinear(quantity, search=search), case)
            assert finding.n == truth["n_uniques"]
            assert finding.value == pytest.approx(truth[f"true_{tau}"], rel=0.1)
            assert finding.value == pytest.approx(
                truth[f"skinner_shlomo_{tau}"], rel=0.05 if search else 1e-9
            )
            # sdcMicro takes the mean of the sample for that of the population, and is far off.
            assert truth[f"sdc_{tau}"] > 2.5 * truth[f"true_{tau}"]


def test_log_linear_fit_is_theirs_on_the_sample_scale(testdata):
    stored = json.loads(golden("modrisk.json").read_text())["factor|main7|default"]
    case = a_case(testdata, KEYS, weight="sampling_weight")
    keys = released_keys(case)
    mu = main_effects(keys.codes, keys.classes.size)
    unique = keys.classes.size == 1
    gr1, gr2 = skinner_shlomo(mu[unique], 0.01)
    kept = stored["n_nonempty"]
    assert gr1 / kept == pytest.approx(stored["gr1"], rel=1e-9)
    assert gr2 / kept == pytest.approx(stored["gr2"], rel=1e-9)
    # The same fit on the scale of the population, as the model has it.
    tau1, tau2 = skinner_shlomo(mu[unique] / 0.01, 0.01)
    assert flat_rows(LogLinear(Quantity.UNIQUES, search=False), case)[0].value == pytest.approx(
        tau1, rel=1e-9
    )
    assert flat_rows(LogLinear(Quantity.MATCHES, search=False), case)[0].value == pytest.approx(
        tau2, rel=1e-9
    )
