"""What intruders do with a synthetic file, on tables worked by hand, on copies and on other people."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import unmask
from tests import shared_data
from unmask.data.example import people
from unmask.data.microdata import Masked, Microdata
from unmask.data.release_kind import ReleaseKind
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.engines import LocalEngine
from unmask.engines.cache import Cache
from unmask.errors import ArgumentError
from unmask.measures import FILE_MEASURES, FileEvidence, NotEstimable, of_synthetic
from unmask.measures.applicability import unasked
from unmask.measures.membership import DensityRatio, VulnerableMembers
from unmask.measures.membership.kernel_density import log_density
from unmask.measures.synthetic import (
    CorrectAttribution,
    DiSCO,
    Linkability,
    NearestInference,
    Predicates,
    ReplicatedUniques,
    SinglingOut,
    Variant,
)
from unmask.measures.synthetic.excess import SuccessRate, excess
from unmask.measures.synthetic.linkability import splits
from unmask.measures.synthetic.predicates import Columns, multivariate, univariate
from unmask.measures.synthetic.right import share_right
from unmask.measures.synthetic.singling_out import size_factor

SECRET = Role.CONFIDENTIAL


def file(**columns) -> Microdata:
    """Numbers are known, texts too; a name in capitals is a secret."""
    schema = Schema(
        tuple(
            Column(
                name,
                Kind.NOMINAL if isinstance(values, str) else Kind.NUMERIC,
                SECRET if name.isupper() else Role.QUASI_IDENTIFIER,
            )
            for name, values in columns.items()
        )
    )
    return Microdata(schema, pl.DataFrame({name: list(values) for name, values in columns.items()}))


def evidence_of(original: Microdata, released: Microdata, **more) -> FileEvidence:
    known = tuple(c.name for c in original.schema if c.role is Role.QUASI_IDENTIFIER)
    return FileEvidence(original, Masked.of_nobody(released), **{"known": known, "seed": 5, **more})


def found(measure, evidence) -> dict[str | None, unmask.measures.Estimate]:
    return {row.keys.subject: row.estimate for row in measure.rows(evidence, LocalEngine())}


def parts(n: int = 600, seed: int = 3) -> tuple[Microdata, Microdata, Microdata]:
    """Three samples of one population, none of whom is in another."""
    everybody = people(3 * n, seed)
    order = np.random.default_rng(seed).permutation(3 * n)
    return tuple(everybody.take(order[k * n : (k + 1) * n]) for k in range(3))


COPY_FINDS = [
    (SinglingOut(Predicates.UNIVARIATE), "risk", 0.99),
    (SinglingOut(Predicates.MULTIVARIATE), "risk", 0.99),
    (Linkability(), "halves, risk", 0.9),
    (NearestInference(), "diagnosis, risk", 0.95),
    (ReplicatedUniques(), "of the uniques (repU)", 1.0),
    (DiSCO(), "diagnosis", 0.95),
    (CorrectAttribution(), "diagnosis", 0.95),
    (VulnerableMembers(), "AUC", 0.99),
]
both = pytest.mark.parametrize(("measure", "subject", "least"), COPY_FINDS, ids=lambda v: str(v)[:40])


@both
def test_of_a_copy_of_the_original_the_risk_is_high(measure, subject, least):
    original, holdout, _ = parts()
    assert found(measure, evidence_of(original, original, holdout=holdout))[subject].value >= least


@both
def test_of_other_people_the_risk_is_none(measure, subject, least):
    original, holdout, fresh = parts()
    e = found(measure, evidence_of(original, fresh, holdout=holdout))[subject]
    assert e.low <= e.baseline + 0.01
    assert e.value < 0.75 if subject == "AUC" else e.value < 0.2


@both
def test_a_file_that_repeats_some_people_lies_between(measure, subject, least):
    original, holdout, fresh = parts()
    half = Microdata(fresh.schema, pl.concat((original.frame[:300], fresh.frame[300:])))
    values = [
        found(measure, evidence_of(original, released, holdout=holdout))[subject].value
        for released in (fresh, half, original)
    ]
    assert values == sorted(values)
    assert values[0] < values[2]


@pytest.mark.parametrize(
    "measure", [SinglingOut(p) for p in Predicates] + [Linkability(), NearestInference()]
)
def test_without_a_hold_out_there_is_a_rate_beside_a_guess_and_no_risk(measure):
    original, _, fresh = parts(200)
    rows = found(measure, evidence_of(original, fresh))
    success = next(e for subject, e in rows.items() if subject.endswith("success"))
    risk = next(e for subject, e in rows.items() if subject.endswith("risk"))
    assert success.estimable
    assert 0 <= success.baseline <= 1
    assert isinstance(risk.value, NotEstimable)
    assert risk.value.reason.startswith("no hold-out file is given")


@pytest.mark.parametrize("measure", [SinglingOut(Predicates.UNIVARIATE), Linkability()])
def test_a_hold_out_that_lacks_an_attribute_is_no_control(measure):
    original, holdout, fresh = parts(200)
    lacking = holdout.only([name for name in holdout.schema.names() if name != "income"])
    rows = found(measure, evidence_of(original, fresh, holdout=lacking))
    risk = next(e for subject, e in rows.items() if subject.endswith("risk"))
    assert risk.reason == "the hold-out file has no 'income'"


def test_univariate_predicates_by_hand():
    # Of a: = 1, = 9, <= 1, >= 9; of t: = x; of m: the missing value, and the extremes select several.
    values = np.array([[1.0, 2, 2, 9], [0, 0, 0, 1], [np.nan, 3, 3, 3]])
    learned = univariate(Columns(values, (True, False, True)), 100, np.random.default_rng(1))
    assert len(learned) == 6
    assert (learned.selects(Columns(values, (True, False, True)))[0] == 1).all()


def test_singling_out_by_hand():
    # Released: = 30, <= 30, = 60, >= 60. Original: one is 30; nobody is 60, and one is older.
    evidence = evidence_of(file(age=[30, 40, 40, 70]), file(age=[30, 50, 50, 60]))
    success = found(SinglingOut(Predicates.UNIVARIATE), evidence)["success"]
    assert (success.value, success.n) == (0.75, 4)
    np.testing.assert_array_equal(success.per_record, [1, 0, 0, 1])


def test_people_alike_are_not_singled_out():
    evidence = evidence_of(file(age=[30, 30, 40, 40]), file(age=[30, 40]))
    assert found(SinglingOut(Predicates.UNIVARIATE), evidence)["success"].value == 0.0


def test_the_rate_is_of_the_predicates_that_were_found_not_of_those_wanted():
    evidence = evidence_of(file(age=[30, 40]), file(age=[30, 40]))
    success = found(SinglingOut(Predicates.UNIVARIATE, limit=1000), evidence)["success"]
    assert (success.value, success.n) == (1.0, 4)


def test_no_predicate_is_not_estimable_and_not_zero():
    evidence = evidence_of(file(town="aabb"), file(town="aabb"))
    for e in found(SinglingOut(Predicates.UNIVARIATE), evidence).values():
        assert e.reason == "no predicate that was tried holds of exactly one released record"


def test_a_category_of_quotes_selects_itself():
    quoted = Microdata(Schema((Column("t", Kind.NOMINAL),)), pl.DataFrame({"t": ["it's", 'a "b"', "c", "c"]}))
    assert found(SinglingOut(Predicates.UNIVARIATE), evidence_of(quoted, quoted))["success"].value == 1.0


def test_multivariate_predicates_take_more_attributes_where_few_single_out():
    rng = np.random.default_rng(2)
    values = rng.integers(0, 3, (8, 4000)).astype(np.float64)
    columns = Columns(values, (False,) * 8)
    learned = multivariate(columns, np.arange(4000), 2, 200, np.random.default_rng(1))
    assert learned.part.shape[1] > 2
    assert len(learned) >= 50


def test_numbers_that_rounding_parts_are_one_and_whole_numbers_are_not():
    sums, typed = file(pay=[0.1 + 0.2, 7.0, 8.0]), file(pay=[0.3, 7.0, 7.0])
    again = found(ReplicatedUniques(), evidence_of(sums, typed))["of the uniques (repU)"]
    np.testing.assert_array_equal(again.per_record, [1, 0, 0])
    numbers = file(person=[4_000_000_001, 4_000_000_002, 4_000_000_003])
    for measure, subject in (
        (ReplicatedUniques(), "of the uniques (repU)"),
        (SinglingOut(Predicates.UNIVARIATE), "success"),
    ):
        assert found(measure, evidence_of(numbers, numbers))[subject].value == 1.0


def test_replicated_uniques_stand_beside_people_of_the_hold_out_who_would_be_unique():
    # Of the hold-out, 1 and 2 are somebody's keys; of the other 40, ten have exactly one released record.
    original, holdout = file(age=[1, 2, 2, *range(100, 140)]), file(age=[1, 2, *range(10, 50)])
    released = file(age=[1, *range(10, 20), 20, 20])
    rows = found(ReplicatedUniques(), evidence_of(original, released, holdout=holdout))
    assert rows["of the uniques (repU)"].value == pytest.approx(1 / 41)
    assert rows["of the uniques (repU)"].baseline == pytest.approx(0.25)
    assert rows["of everybody (repU)"].baseline == pytest.approx(0.25 * 41 / 43)


def test_replicated_uniques_say_that_everybody_is_in_a_release_of_copies():
    ages = list(range(20, 40))
    e = found(ReplicatedUniques(), evidence_of(file(age=ages), file(age=ages * 3)))["of the uniques (repU)"]
    assert e.value == 0.0
    assert "The key of 100% of the uniques is released at all" in e.meaning


def with_gaps(data: Microdata, seed: int) -> Microdata:
    gap = np.random.default_rng(seed).random((len(data), len(data.schema))) < 0.3
    series = [
        pl.Series(one.name, [None if lost else value for value, lost in zip(one, gap[:, j], strict=True)])
        for j, one in enumerate(data.frame)
    ]
    return Microdata(data.schema, pl.DataFrame(series))


@pytest.mark.parametrize(
    ("measure", "subject", "least"),
    [
        (VulnerableMembers(), "AUC", 0.9),
        (NearestInference(), "diagnosis, risk", 0.9),
        (Linkability(), "halves, risk", 0.5),
    ],
    ids=lambda v: str(v)[:20],
)
def test_a_copy_of_people_with_missing_values_is_seen(measure, subject, least):
    original, holdout, _ = parts(400)
    original, holdout = with_gaps(original, 1), with_gaps(holdout, 2)
    assert found(measure, evidence_of(original, original, holdout=holdout))[subject].value > least


def test_many_categories_take_no_table_of_all_pairs():
    # 40,000 towns and as many secrets: a table of them all would have 1.6 thousand million cells.
    n = 40_000
    names = np.array([f"n{i}" for i in range(n)])
    schema = Schema((Column("town", Kind.NOMINAL), Column("ILL", Kind.NOMINAL, SECRET)))
    data = Microdata(schema, pl.DataFrame({"town": names, "ILL": names[::-1].copy()}))
    tracemalloc.start()
    assert found(DiSCO(), evidence_of(data, data))["ILL"].value == 1.0
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 200e6


def test_what_follows_from_one_attribute_is_left_out_beyond_what_everybody_knows():
    # In town a 24 of 25 are ill, of all people 24 of 50: two-way, not one-way.
    town, ill = "a" * 25 + "b" * 25, "y" * 24 + "n" * 26
    data = file(town=town, age=list(range(50)), ILL=ill)
    rows = found(DiSCO(groups=0), evidence_of(data, data))
    assert rows["ILL"].value == 1.0
    assert rows["ILL, beyond what everybody knows"].value == pytest.approx(1 / 50)


def test_attributes_of_one_value_and_records_alike_cost_no_tries():
    rng = np.random.default_rng(3)
    values = np.vstack((np.zeros((40, 500)), rng.permutation(500)[None, :], np.ones((40, 500))))
    learned = multivariate(Columns(values, (False,) * 81), np.arange(500), 3, 100, np.random.default_rng(1))
    assert learned.part.shape == (100, 1, 3)
    twins = Columns(np.repeat(values[:, :250], 2, axis=1), (False,) * 81)
    assert len(multivariate(twins, np.arange(500), 3, 100, np.random.default_rng(1))) == 0


def test_a_larger_control_is_cut_to_size_and_a_smaller_one_is_scaled():
    original, holdout, fresh = parts(300)
    for some in (original.take(np.arange(100)), original):
        success = found(SinglingOut(), evidence_of(some, fresh, holdout=holdout))["success"]
        assert "its rate is scaled" not in success.meaning
    fewer = found(SinglingOut(), evidence_of(original, fresh, holdout=holdout.take(np.arange(100))))[
        "success"
    ]
    assert "The control has 100 people and the original 300: its rate is scaled" in fewer.meaning


@pytest.mark.parametrize("control", [250, 500, 2000])
def test_a_smaller_control_is_scaled_to_the_size_of_the_original(control):
    # Predicates of known weights: how often they single out one of 1,000, told by a control of another size.
    rng = np.random.default_rng(7)
    weight = rng.gamma(1.5, 1 / 1000, 40_000)
    count = rng.binomial(control, np.minimum(weight, 1))
    truth = (1000 * weight * (1 - weight) ** 999).mean()
    assert (count == 1).mean() * size_factor(count, control, 1000, 1000) == pytest.approx(truth, rel=0.08)


def test_a_small_hold_out_of_the_same_people_at_large_leaves_no_risk():
    original, holdout, fresh = parts(900)
    evidence = evidence_of(original, fresh, holdout=holdout.take(np.arange(300)))
    rows = found(SinglingOut(Predicates.UNIVARIATE), evidence)
    assert rows["risk"].low <= 0 <= rows["risk"].high
    assert "The control has 300 people and the original 900" in rows["success"].meaning


def test_linkability_by_hand():
    # A = a, B = b. Person 0: record 0 by both. Person 1: record 1 by a, record 0 by b.
    original, released = file(a=[0.0, 10.0], B=[0.0, 0.0]), file(a=[0.0, 10.0], B=[0.0, 10.0])
    evidence = evidence_of(original, released)
    rows = found(Linkability(), evidence)
    assert rows["known and others, success"].value == 0.5
    assert rows["known and others, success"].baseline == 0.5
    np.testing.assert_array_equal(rows["known and others, success"].per_record, [1, 0])
    assert found(Linkability(k=2), evidence)["halves, success"].value == 1.0


@pytest.mark.parametrize("measure", [Linkability(), SinglingOut(), NearestInference()])
def test_no_order_of_rows_changes_a_number(measure):
    original, holdout, fresh = (data.only(["sex", "region", "age", "diagnosis"]) for data in parts(200))
    back = np.arange(200)[::-1]
    here = measure.rows(evidence_of(original, fresh, holdout=holdout), LocalEngine())
    turned = (data.take(back) for data in (original, fresh))
    there = measure.rows(evidence_of(*turned, holdout=holdout.take(back)), LocalEngine())
    assert [row.estimate.value for row in here[::2]] == [row.estimate.value for row in there[::2]]
    assert [row.estimate.baseline for row in here] == [row.estimate.baseline for row in there]


def test_where_people_are_dense_anyway_a_dense_release_speaks_for_nobody():
    # At 0 lie most released records, and most other people; at 10 more records than people account for.
    rng = np.random.default_rng(4)
    ages = (np.full(60, 10.0), np.repeat([0.0, 10], [60, 40]), np.repeat([0.0, 10], [110, 10]))
    original, released, holdout = (file(age=at + rng.normal(0, 0.5, len(at))) for at in ages)
    evidence = evidence_of(original, released, holdout=holdout)
    assert found(DensityRatio(), evidence)["AUC"].low > 0.5


def test_halves_do_not_hang_on_the_order_of_rows_and_use_all_attributes():
    evidence = evidence_of(*parts(60)[:2])
    first, second = splits(evidence)["halves"]
    assert not set(first) & set(second)
    assert abs(len(first) - len(second)) <= 1


def test_inference_by_hand():
    # Nearest by age: 30 -> flu (right), 41 -> 40 none (wrong); 55 lies between 50 (none) and 60 (flu): half.
    original = file(age=[30.0, 41.0, 55.0], ILL="fff")
    released = file(age=[30.0, 40.0, 50.0, 60.0], ILL="fnnf")
    success = found(NearestInference(), evidence_of(original, released))["ILL, success"]
    np.testing.assert_allclose(success.per_record, [1, 0, 0.5])
    assert success.value == 0.5
    assert success.baseline == 0.5


def test_a_number_below_zero_is_no_free_guess():
    # anonymeter divides by the guess with its sign: then -50 would be right for a truth of 100.
    truth = np.array([100.0, -100.0, 0.0])
    np.testing.assert_array_equal(share_right(np.array([-50.0]), truth, True, 0.05), [0, 0, 0])
    np.testing.assert_array_equal(share_right(np.array([-96.0]), truth, True, 0.05), [0, 1, 0])
    np.testing.assert_array_equal(share_right(np.array([0.0]), truth, True, 0.05), [0, 0, 1])


def test_without_a_secret_every_attribute_is_one_in_turn():
    rows = found(NearestInference(), evidence_of(file(a=[1.0, 2.0], b=[3.0, 9.0]), file(a=[1.0], b=[3.0])))
    assert list(rows) == ["a, success", "a, risk", "b, success", "b, risk"]
    assert rows["a, success"].value == 0.5


def test_replicated_uniques_count_near_misses_as_none():
    evidence = evidence_of(file(age=[30, 41, 58, 60, 60]), file(age=[30, 41, 41, 59]))
    rows = found(ReplicatedUniques(), evidence)
    assert rows["unique in the original (UiO)"].value == 0.6
    assert rows["of the uniques (repU)"].value == pytest.approx(1 / 3)
    np.testing.assert_array_equal(rows["of the uniques (repU)"].per_record, [1, 0, 0, np.nan, np.nan])


def test_disco_leaves_out_what_everybody_knows_and_shows_both():
    # All men lack the illness of women: whoever is a man tells it, and so does the release.
    n = 100
    original = file(sex="m" * n + "f" * n, age=[999.0] * n + list(range(n)), ILL="n" * n + "yn" * (n // 2))
    evidence = evidence_of(original, original)
    rows = found(DiSCO(groups=0), evidence)
    everybody, beyond = rows["ILL"], rows["ILL, beyond what everybody knows"]
    assert (everybody.value, beyond.value) == (1.0, 0.5)
    assert "Without 100 of whom everybody knows it" in everybody.meaning


def test_disco_of_a_number_needs_all_records_to_be_near():
    original = file(town="ab", PAY=[100.0, 100.0])
    released = file(town="aabb", PAY=[98.0, 103.0, 98.0, 120.0])
    np.testing.assert_array_equal(found(DiSCO(), evidence_of(original, released))["PAY"].per_record, [1, 0])


def test_targeted_attribution_of_a_number_is_refused():
    evidence = evidence_of(file(town="ab", PAY=[1.0, 2.0]), file(town="ab", PAY=[1.0, 2.0]))
    e = found(CorrectAttribution(Variant.TARGETED_PEOPLE), evidence)["PAY"]
    assert e.reason == "'PAY' is a number, and cap-targeted-people needs categories: group it first"


def test_numbers_of_a_key_are_grouped_so_that_keys_are_met_again():
    rng = np.random.default_rng(4)
    ages, others = rng.normal(50, 10, 400), rng.normal(50, 10, 400)
    original, released = file(age=ages.tolist(), ILL="yn" * 200), file(age=others.tolist(), ILL="yn" * 200)
    evidence = evidence_of(original, released)
    assert found(CorrectAttribution(groups=0), evidence)["ILL"].value == 0.0
    assert 0.4 < found(CorrectAttribution(), evidence)["ILL"].value < 0.6


def test_the_whole_control_reached_is_not_estimable():
    why = excess(SuccessRate(1.0, 0.9, 1.0, 50), SuccessRate(1.0, 0.9, 1.0, 50))
    assert isinstance(why, NotEstimable)


def test_few_people_of_a_control_do_not_make_the_risk_smaller():
    # Shrunk towards a half, none of ten would be 0.14, and the risk of 0.2 would read 0.07.
    attack, control = SuccessRate.of(np.repeat([1.0, 0.0], [200, 800])), SuccessRate.of(np.zeros(10))
    value, low, high = excess(attack, control)
    assert value == 0.2
    assert low < 0 < high


def test_the_same_seed_gives_the_same_rows_and_another_seed_others():
    original, holdout, fresh = parts(300)
    measure = SinglingOut()
    one, two, other = (
        found(measure, evidence_of(original, fresh, holdout=holdout, seed=seed))["success"]
        for seed in (1, 1, 2)
    )
    assert (one.value, one.baseline) == (two.value, two.baseline)
    assert (one.value, one.baseline) != (other.value, other.baseline)


def test_density_of_a_kernel_by_hand():
    # Two records at 0 and 1, one dimension: h = 2^(-1/5).
    h = 2 ** (-1 / 5)
    expected = np.log((1 + np.exp(-1 / (2 * h * h))) / 2) - np.log(h)
    assert log_density(np.array([[0.0]]), np.array([[0.0], [1.0]]))[0] == pytest.approx(expected)


def test_outliers_are_recognised_where_the_average_person_is_not():
    # The generator repeats the 30 who stand apart, and nobody else.
    rng = np.random.default_rng(6)

    def made(n):
        far = rng.normal(size=(n, 2)) * np.where(np.arange(n)[:, None] < n // 20, 12, 1)
        return file(a=far[:, 0].tolist(), b=far[:, 1].tolist())

    original, holdout, fresh = made(600), made(1200), made(600)
    released = Microdata(fresh.schema, pl.concat((original.frame[:30], fresh.frame[30:])))
    evidence = evidence_of(original, released, holdout=holdout)
    average = found(DensityRatio(), evidence)["AUC"].value
    apart = found(VulnerableMembers(), evidence)["AUC"].value
    assert apart > 0.9
    assert average < 0.7


def test_of_a_masked_file_they_are_taken_only_when_named():
    original, _, fresh = parts(60)
    evidence = evidence_of(original, fresh)
    measures = tuple(FILE_MEASURES.values())
    masked = unasked(measures, replace(evidence, kinds=frozenset({ReleaseKind.PERTURBED}), cache=Cache()))
    synthetic = unasked(measures, replace(evidence, kinds=frozenset({ReleaseKind.SYNTHETIC}), cache=Cache()))
    assert not any(of_synthetic(measure) for measure in masked)
    assert {m.name for m in synthetic} - {m.name for m in masked} == {
        m.name for m in measures if of_synthetic(m)
    }


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: SinglingOut(limit=0),
        lambda: Linkability(k=0),
        lambda: NearestInference(tolerance=-0.1),
        lambda: DiSCO(one_way=0.2),
        lambda: CorrectAttribution(tolerance=1.0),
        lambda: CorrectAttribution(groups=-1),
        lambda: DiSCO(groups=1),
        lambda: VulnerableMembers(share=0.0),
    ],
)
def test_wrong_parameters_are_refused_in_one_line(wrong):
    with pytest.raises(ArgumentError, match="Hint: ") as refused:
        wrong()
    assert "\n" not in str(refused.value)


def assessed(tmp_path, released: Microdata, original: Microdata, **more):
    paths = {}
    for name, data in {"original": original, "released": released, **more}.items():
        paths[name] = str(tmp_path / f"{name}.csv")
        data.frame.drop("person").write_csv(paths[name])
    return unmask.assess(
        paths.pop("original"), paths.pop("released"), synthetic=True, seed=1, measures=WP29, **paths
    )


WP29 = ["singling-out-univariate", "linkability", "inference", "disco", "replicated-uniques"]


def test_the_report_maps_findings_to_the_three_criteria(tmp_path):
    from unmask.report.assessment.criteria import criterion_lines

    original, holdout, _ = parts(300)
    document = assessed(tmp_path, original, original, holdout=holdout).document
    single, link, infer = criterion_lines(document)
    assert (single.name, link.name, infer.name) == ("singling out", "linkability", "inference")
    assert all(line.verdict == "more than otherwise" for line in (single, link, infer))
    assert link.by.startswith("linkability")
    page = unmask.report.html(document)
    assert "WP29 Opinion 05/2014" in page
    assert "What a synthetic file gives away" in page


def test_a_criterion_of_which_nothing_speaks_is_not_measured(tmp_path):
    from unmask.report.assessment.criteria import criterion_lines

    original, _, fresh = parts(100)
    result = assessed(tmp_path, fresh, original)
    lines = {line.name: line for line in criterion_lines(result.document)}
    assert lines["singling out"].value != "not measured"
    assert "others" not in lines["singling out"].verdict  # no hold-out is given: it stands beside a guess
    only = replace(result.document, table=result.document.table.of({"linkability"}))
    lines = {line.name: line for line in criterion_lines(only)}
    assert lines["singling out"].value == "not measured"
    assert lines["inference"].value == "not measured"


def test_a_large_value_that_may_be_chance_hides_no_sure_one(tmp_path):
    from unmask.measures.estimate import Estimate, Row
    from unmask.report.assessment.criteria import criterion_lines

    original, holdout, _ = parts(100)
    document = assessed(tmp_path, original, original, holdout=holdout).document
    rows = (
        Row.of("singling-out-univariate", Estimate(0.5, 0.1, 0.9, 4, 0.2), "success"),
        Row.of("replicated-uniques", Estimate(0.05, 0.04, 0.06, 2000, 0.01), "of the uniques (repU)"),
    )
    single = criterion_lines(replace(document, table=replace(document.table, rows=rows)))[0]
    assert (single.value, single.verdict) == ("5.0%", "more than otherwise")


def test_attacks_speak_of_singling_out_and_of_linkability():
    from unmask.report.assessment.criteria import criterion_lines

    original = people(80)
    found = unmask.assess(
        original.frame,
        original.frame,
        truth="rows",
        synthetic=True,
        attacks=["dbrl"],
        measures=["disco"],
        seed=1,
    )
    single, link, _ = criterion_lines(found.document)
    assert (single.by, link.by) == ("distance-based linkage",) * 2
    assert single.value == "100%"


@pytest.fixture(scope="module")
def adult() -> Microdata:
    names = [
        "age",
        "workclass",
        "fnlwgt",
        "education",
        "occupation",
        "race",
        "sex",
        "hours-per-week",
        "income",
    ]
    frame = pl.read_csv(shared_data.data("adult.csv")).select(names).sample(3000, seed=1)
    columns = (
        Column(
            name,
            Kind.NUMERIC if frame[name].dtype.is_numeric() else Kind.NOMINAL,
            SECRET if name == names[-1] else Role.QUASI_IDENTIFIER,
        )
        for name in names
    )
    return Microdata(Schema(tuple(columns)), frame)


@pytest.mark.parametrize(("measure", "subject", "least"), COPY_FINDS[:3], ids=lambda v: str(v)[:40])
def test_on_adult_a_copy_is_seen_and_other_people_are_not(adult, measure, subject, least):
    original, holdout, fresh = (adult.take(np.arange(k * 1000, (k + 1) * 1000)) for k in range(3))
    copy = found(measure, evidence_of(original, original, holdout=holdout))[subject]
    other = found(measure, evidence_of(original, fresh, holdout=holdout))[subject]
    assert copy.low > 0.3
    assert other.low <= 0.02
