"""Losses of models and analyses: examples worked by hand, rules, and errors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.reference import losses_models as slow
from unmask.data.schema import Kind
from unmask.errors import ArgumentError
from unmask.losses import (
    PMSE,
    SPECKS,
    Discriminator,
    IntervalOverlap,
    LossAttribute,
    LossEvidence,
    ModelAccuracy,
    Side,
    loss_named,
)
from unmask.losses import design as design_module
from unmask.losses.design import coded, design
from unmask.losses.formula import usual_formulas, usual_targets
from unmask.losses.propensity import propensity
from unmask.losses.regression import logistic
from unmask.measures.estimate import NotEstimable

ATTRIBUTES = (
    LossAttribute("age", Kind.NUMERIC),
    LossAttribute("pay", Kind.NUMERIC),
    LossAttribute("ill", Kind.NOMINAL, 2),
    LossAttribute("town", Kind.NOMINAL, 4),
)


def people(n=400, seed=0):
    rng = np.random.default_rng(seed)
    age = rng.normal(40, 10, n)
    columns = {
        "age": age,
        "pay": 50 * age + rng.normal(0, 300, n),
        "ill": (rng.random(n) < 1 / (1 + np.exp(-(age - 40) / 10))).astype(np.int32),
        "town": rng.choice(4, n, p=[0.1, 0.2, 0.6, 0.1]).astype(np.int32),
    }
    return Side(columns, np.ones(n))


def evidence(original, released=None, **more):
    released = original if released is None else released
    rows = np.arange(len(released)) if len(released) == len(original) else np.full(len(released), -1)
    return LossEvidence(ATTRIBUTES, original, released, rows, **more)


def with_column(side, **columns):
    return Side({**side.columns, **columns}, side.weights)


# Telling the files apart


def test_pmse_of_one_category_is_the_chi_square_of_its_table():
    """With one attribute of two categories the propensities are shares: 40 of 50 and 10 of 50 released."""
    sex = LossAttribute("sex", Kind.NOMINAL, 2)
    x = Side({"sex": np.repeat([0, 1], (10, 40)).astype(np.int32)}, np.ones(50))
    y = Side({"sex": np.repeat([0, 1], (40, 10)).astype(np.int32)}, np.ones(50))
    case = LossEvidence((sex,), x, y, np.full(50, -1))
    found = PMSE().values(case)
    assert found[None] == pytest.approx(0.3**2 / 0.25, rel=1e-3)
    assert found["ratio to its null"] == pytest.approx(0.09 / (0.125 / 100), rel=1e-3)
    assert SPECKS().values(case)[None] == pytest.approx(0.6)


def test_people_drawn_again_have_the_expected_ratio_and_copies_none():
    case = evidence(people(2000))
    again = [
        PMSE(order=1).values(case.resampled(np.random.default_rng(seed)))["ratio to its null"]
        for seed in range(20)
    ]
    assert np.mean(again) == pytest.approx(1, abs=0.35)
    assert PMSE().values(case)["ratio to its null"] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("loss", [PMSE(), SPECKS(), Discriminator()])
def test_lost_relations_are_seen(loss):
    case = evidence(people(1000))
    again, apart = (
        loss.values(found)[None]
        for found in (case.resampled(np.random.default_rng(1)), case.independent(np.random.default_rng(1)))
    )
    assert apart > 2 * again + 0.05


def test_without_products_lost_relations_are_not_seen():
    case = evidence(people(1000)).independent(np.random.default_rng(1))
    assert PMSE(order=1).values(case)[None] == pytest.approx(0, abs=1e-9)
    assert PMSE(order=2).values(case)[None] > 0.1


def test_terms_are_those_that_can_be_told_apart():
    original = people(300)
    case = evidence(original)
    assert propensity(case, 1, 300).terms == 1 + 2 + 1 + 3
    twice = with_column(original, pay=2 * original.columns["age"] + 1)
    assert propensity(evidence(twice), 1, 300).terms == 1 + 1 + 1 + 3


def test_columns_of_attributes():
    original = people(40)
    age = original.columns["age"].copy()
    age[:4] = np.nan
    case = evidence(with_column(original, age=age))
    number, town = coded(case, "age"), coded(case, "town")
    assert (number.columns, town.columns) == (2, 3)
    assert number.column(1).sum() == 8  # missing in both files
    assert np.isfinite(number.column(0)).all()
    # The most frequent category has no column, the next has the first.
    counts = np.bincount(original.columns["town"])
    assert town.column(0).sum() == 2 * np.sort(counts)[-2]
    columns = design(case, 1, case.rng("test"))
    assert columns.mean(axis=0) == pytest.approx(0, abs=1e-12)
    assert columns.std(axis=0) == pytest.approx(1)


def test_rare_categories_share_a_column():
    job = LossAttribute("job", Kind.NOMINAL, 300)
    file = Side({"job": np.arange(300, dtype=np.int32)}, np.ones(300))
    assert coded(LossEvidence((job,), file, file, np.arange(300)), "job").columns == 20


def test_a_wide_file_has_no_more_columns_than_a_model_can_bear(monkeypatch):
    monkeypatch.setattr(design_module, "MOST_COLUMNS", 12)
    rng = np.random.default_rng(0)
    names = [f"x{j}" for j in range(30)]
    file = Side({name: rng.normal(size=500) for name in names}, np.ones(500))
    case = LossEvidence(tuple(LossAttribute(n, Kind.NUMERIC) for n in names), file, file, np.arange(500))
    assert design(case, 2, case.rng("test")).shape == (1000, 12)
    few = case.of(np.arange(30), np.arange(30))
    assert design(few, 2, case.rng("test")).shape == (60, 6)  # ten records per column


def test_where_nothing_varies_nothing_is_told_apart():
    flat = Side({"age": np.full(20, 3.0)}, np.ones(20))
    case = LossEvidence(ATTRIBUTES[:1], flat, flat, np.arange(20))
    found = PMSE().values(case)
    assert found[None] == 0
    assert found["ratio to its null"].reason == "no attribute varies"
    assert SPECKS().values(case)[None] == 0
    assert Discriminator().values(case)[None] == 0


def test_extreme_numbers_are_no_error():
    original = people(60)
    huge = with_column(original, age=np.where(np.arange(60) % 7 == 0, 1.7e308, original.columns["age"]))
    for one, other in ((original, huge), (huge, original), (huge, huge)):
        for loss in (PMSE(), SPECKS(), Discriminator(), IntervalOverlap(), ModelAccuracy()):
            for value in loss.values(evidence(one, other)).values():
                assert isinstance(value, NotEstimable) or np.isfinite(value)


def test_a_larger_release_is_sampled_too():
    original, released = people(50), people(3000, 1)
    some = evidence(original, released).fewer(300, np.random.default_rng(0))
    assert len(some.released) == 300
    assert len(some.original) == 5
    case = evidence(people(3000), people(3000, 1))
    some = case.fewer(300, np.random.default_rng(0))
    assert (len(some.original), len(some.released)) == (300, 300)


@pytest.mark.parametrize("loss", [PMSE(), SPECKS(), Discriminator(), ModelAccuracy()])
def test_a_model_of_a_few_records_says_so(loss):
    assert "fewer than 10 records" in loss.why_not(evidence(people(9), people(9, 1))).reason
    assert loss.why_not(replace(evidence(people(20)), attributes=())) is not None


# Regressions


def test_logistic_regression_of_a_table():
    """The coefficient of a yes-or-no attribute is the log odds ratio, its error that of Woolf (1955)."""
    x = np.repeat([0.0, 0.0, 1.0, 1.0], (30, 10, 15, 25))
    y = np.repeat([0.0, 1.0, 0.0, 1.0], (30, 10, 15, 25))
    found, (coefficient, error) = logistic(x[:, None], y, np.ones(80)), slow.log_odds(30, 10, 15, 25)
    assert found.coefficients[0] == pytest.approx(coefficient)
    assert found.half_widths[0] == pytest.approx(1.959963984540054 * error)


def test_a_separating_term_is_not_determined_and_leaves_the_others():
    rng = np.random.default_rng(0)
    age, y = rng.normal(size=200), rng.integers(0, 2, 200).astype(float)
    never = np.where(y == 0, rng.random(200) < 0.1, False).astype(float)
    found = logistic(np.column_stack((age, never)), y, np.ones(200))
    assert found.determined.tolist() == [True, False]
    alone = logistic(age[never == 0][:, None], y[never == 0], np.ones(int((never == 0).sum())))
    assert found.coefficients[0] == pytest.approx(alone.coefficients[0], rel=1e-3)


def test_overlap_by_hand():
    """Half of each interval is shared: the release moved the slope by one half width of equal intervals."""
    rng = np.random.default_rng(0)
    x, noise = rng.normal(size=100), rng.normal(size=100)
    noise -= np.polyval(np.polyfit(x, noise, 1), x)
    beta, half = slow.linear(x[:, None], x + noise, np.ones(100))
    pair = ATTRIBUTES[:2]
    one, other = (
        Side({"age": x, "pay": slope * x + noise}, np.ones(100)) for slope in (beta[1], beta[1] + half[1])
    )
    found = IntervalOverlap("pay ~ age").values(LossEvidence(pair, one, other, np.arange(100)))
    assert found == {None: pytest.approx(0.5), "pay ~ age": pytest.approx(0.5)}
    far = Side({"age": x, "pay": (beta[1] + 4 * half[1]) * x + noise}, np.ones(100))
    apart = IntervalOverlap("pay ~ age").values(LossEvidence(pair, one, far, np.arange(100)))
    assert apart[None] == pytest.approx(2)  # apart by two half widths: an overlap of -1


def test_weights_count_people_in_regressions():
    original = people(200)
    weighted = Side(original.columns, np.where(original.columns["age"] > 40, 3.0, 1.0))
    shifted = with_column(
        weighted, pay=np.where(weighted.columns["age"] > 40, 1.5, 1.0) * original.columns["pay"]
    )
    loss = IntervalOverlap("pay ~ age")
    plain = loss.values(evidence(original, Side(shifted.columns, original.weights)))[None]
    assert loss.values(evidence(weighted, shifted))[None] != pytest.approx(plain, rel=1e-3)


def test_a_release_that_says_nothing_of_a_coefficient_overlaps_by_nothing():
    original = people(300)
    for gone in (
        with_column(original, age=np.full(300, 40.0)),
        with_column(original, age=np.full(300, np.nan)),
        with_column(original, pay=np.zeros(300)),
    ):
        assert IntervalOverlap("pay ~ age").values(evidence(original, gone))[None] == 1
    # Of two coefficients one is as it was.
    flat = with_column(original, age=np.full(300, 40.0))
    found = IntervalOverlap("pay ~ age + ill").values(evidence(original, flat))[None]
    assert found > 0.5


def test_what_the_original_does_not_say_is_not_asked():
    original = people(300)
    twice = LossAttribute("twice", Kind.NUMERIC)
    both = with_column(original, twice=2 * original.columns["age"])
    noisy = with_column(both, twice=both.columns["twice"] + np.random.default_rng(0).normal(size=300))
    case = LossEvidence((*ATTRIBUTES, twice), both, noisy, np.arange(300))
    assert isinstance(IntervalOverlap("pay ~ age + twice").values(case)[None], NotEstimable)
    assert IntervalOverlap("pay ~ age + twice + ill").values(case)[None] < 0.2
    exact = with_column(original, pay=3 * original.columns["age"])
    assert "without error" in IntervalOverlap("pay ~ age").values(evidence(exact))[None].reason
    assert "does not vary" in IntervalOverlap("pay ~ age").values(
        evidence(with_column(original, pay=np.ones(300)))
    )[None].reason  # fmt: skip
    one = with_column(original, town=np.zeros(300, np.int32))
    assert isinstance(IntervalOverlap("pay ~ town").values(evidence(one))[None], NotEstimable)
    alike = with_column(original, one=np.zeros(300, np.int32))
    attributes = ATTRIBUTES[1], LossAttribute("one", Kind.NOMINAL, 1)
    none = LossEvidence(attributes, alike, alike, np.arange(300))
    assert isinstance(IntervalOverlap("pay ~ one").values(none)[None], NotEstimable)


def test_a_category_that_the_release_lost_overlaps_by_nothing():
    original = people(400)
    merged = with_column(original, town=np.where(original.columns["town"] == 0, 1, original.columns["town"]))
    found = IntervalOverlap("pay ~ town").values(evidence(original, merged.take(np.arange(400))))[None]
    assert 1 / 3 <= found < 1


# What is explained without a formula


def test_usual_formulas():
    case = evidence(people(50))
    assert list(usual_targets(case)) == ["age", "pay"]
    asked = replace(case, confidential=("town", "ill", "pay"))
    assert list(usual_targets(asked)) == ["ill", "pay"]
    assert [formula.text for formula in usual_formulas(asked)] == [
        "ill ~ age + pay + town",
        "pay ~ age + ill + town",
    ]
    wide = tuple(LossAttribute(f"my x{j}", Kind.NUMERIC) for j in range(30))
    formulas = usual_formulas(replace(case, attributes=wide))
    assert len(formulas) == 5
    assert all(len(formula.terms) == 10 for formula in formulas)
    assert formulas[0].text.startswith("`my x0` ~ `my x1` + ")
    many = (ATTRIBUTES[0], LossAttribute("job", Kind.NOMINAL, 11))
    assert not usual_formulas(replace(case, attributes=many))
    assert IntervalOverlap().why_not(replace(case, attributes=many)) is not None
    assert "to predict" in ModelAccuracy().why_not(replace(case, attributes=ATTRIBUTES[2:])).reason
    assert "only one attribute" in ModelAccuracy().why_not(replace(case, attributes=many[:1])).reason


def test_a_formula_is_written_as_a_parameter():
    loss = loss_named('interval-overlap:formula="pay ~ age + `home town`",sample=100')
    assert loss == IntervalOverlap("pay ~ age + `home town`", 100)
    assert loss.about.title.endswith('formula="pay ~ age + `home town`",sample=100')


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("pay", "is no formula"),
        ("pay ~", "is no formula"),
        ("~ age", "is no formula"),
        ("pay ~ age +", "is no formula"),
        ("pay + age", "is no formula"),
        ("pay ~ age ~ ill", "is no formula"),
        ("pay ~ `age", "is no formula"),
        ("pay ~ ``", "is no formula"),
        ("", "is no formula"),
        ("pay ~ age + age", "names an attribute twice"),
        ("pay ~ pay", "names an attribute twice"),
    ],
)
def test_what_is_no_formula_is_refused_at_once(formula, message):
    with pytest.raises(ArgumentError, match=message):
        IntervalOverlap(formula)


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("pay ~ agee", "'agee'.*did you mean 'age'"),
        ("wage ~ age", "'wage'"),
        ("town ~ age", "the target 'town' has 4 categories"),
        ("pay ~ job", "'job' has more than 50 categories"),
    ],
)
def test_what_the_files_cannot_answer_is_refused_with_a_hint(formula, message):
    job = LossAttribute("job", Kind.NOMINAL, 51)
    case = replace(evidence(people(20)), attributes=(*ATTRIBUTES, job))
    for ask in (IntervalOverlap(formula).why_not, IntervalOverlap(formula).values):
        with pytest.raises(ArgumentError, match=message) as caught:
            ask(case)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["pmse:order=3", "pmse:sample=1", "specks:order=0", "discriminator:sample=0", "interval-overlap:sample=1",
     "model-accuracy:sample=5"],
)  # fmt: skip
def test_parameters_out_of_range_are_refused(text):
    with pytest.raises(ArgumentError, match="give"):
        loss_named(text)


# Predictions


def test_a_release_without_relation_predicts_nothing():
    original = people(600)
    rng = np.random.default_rng(0)
    mixed = with_column(original, pay=rng.permutation(original.columns["pay"]))
    found = ModelAccuracy().values(evidence(original, mixed, confidential=("pay",)))
    # Age explains 50^2 10^2 / (50^2 10^2 + 300^2) = 74% of the variance of pay.
    assert 0.5 < found["pay"] < 0.74
    assert found[None] == found["pay"]


def test_a_release_without_the_attribute_predicts_nothing():
    original = people(300)
    gone = with_column(original, pay=np.full(300, np.nan), ill=np.full(300, -1, np.int32))
    found = ModelAccuracy().values(evidence(original, gone, confidential=("pay", "ill")))
    assert 0.4 < found["pay"] < 0.74
    assert found["ill"] > 0.5  # the share of right answers that the original gives


def test_what_does_not_vary_is_not_predicted():
    flat = with_column(people(60), pay=np.ones(60))
    found = ModelAccuracy().values(evidence(flat, confidential=("pay",)))
    assert isinstance(found["pay"], NotEstimable)
    assert isinstance(found[None], NotEstimable)
