"""What holds of models and regressions of any two files: beside slow references."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.reference import losses_models as slow
from unmask.data.schema import Kind
from unmask.losses import PMSE, Discriminator, IntervalOverlap, LossAttribute, LossEvidence, Side
from unmask.losses.formula import Formula
from unmask.losses.interval_overlap import overlaps
from unmask.losses.model_accuracy import score
from unmask.losses.propensity import propensity
from unmask.losses.regression import Fitted, linear, logistic
from unmask.losses.trees import person_folds
from unmask.measures.estimate import NotEstimable

AGE, SEX = LossAttribute("age", Kind.NUMERIC), LossAttribute("sex", Kind.NOMINAL, 2)
SEEDS = st.integers(0, 2**32 - 1)


def problem(seed, n=40, d=2):
    rng = np.random.default_rng(seed)
    columns = rng.normal(size=(n, d))
    weights = rng.choice([1.0, 2.0, 5.0], n)
    return rng, columns, weights, columns @ rng.normal(size=d)


@settings(deadline=None, max_examples=40)
@given(SEEDS)
def test_linear_regression(seed):
    rng, columns, weights, means = problem(seed)
    values = 3 + means + rng.normal(size=len(means))
    found, (beta, half) = linear(columns, values, weights), slow.linear(columns, values, weights)
    assert found.coefficients == pytest.approx(beta[1:], rel=1e-8)
    assert found.half_widths == pytest.approx(half[1:], rel=1e-8)
    assert found.determined.all()


@settings(deadline=None, max_examples=15)
@given(SEEDS)
def test_logistic_regression(seed):
    rng, columns, weights, means = problem(seed, d=1)
    values = (rng.random(len(means)) < 1 / (1 + np.exp(-means))).astype(float)
    low, high = (columns[values == v] for v in (0, 1))
    assume(len(low) and len(high))
    assume(low.max() > high.min() and high.max() > low.min())  # no threshold tells them apart
    found, (beta, half) = logistic(columns, values, weights), slow.logistic(columns, values, weights)
    assert found.coefficients == pytest.approx(beta[1:], rel=1e-3, abs=1e-4)
    assert found.half_widths == pytest.approx(half[1:], rel=1e-3)


@settings(deadline=None)
@given(SEEDS, st.integers(1, 3))
def test_a_column_twice_changes_nothing_but_is_not_determined(seed, times):
    rng, columns, weights, means = problem(seed)
    values = means + rng.normal(size=len(means))
    once = linear(columns, values, weights)
    more = linear(np.column_stack([columns, *[columns[:, 0] * 7 + 1] * times]), values, weights)
    assert more.determined.tolist() == [False, True, *[False] * times]
    assert more.coefficients[1] == pytest.approx(once.coefficients[1], rel=1e-6)


NUMBER = st.floats(-5, 5, allow_nan=False)
WIDTH = st.floats(0.1, 5)


@given(NUMBER, WIDTH, NUMBER, WIDTH)
def test_overlap(b, h, c, k):
    one, other = (Fitted(np.array([m]), np.array([w]), np.array([True])) for m, w in ((b, h), (c, k)))
    found = overlaps(one, other, np.array([True]))[0]
    assert found == pytest.approx(slow.overlap((b - h, b + h), (c - k, c + k)), abs=1e-9)
    assert found <= 1 + 1e-12
    assert found == pytest.approx(overlaps(other, one, np.array([True]))[0], abs=1e-9)
    if abs(b - c) > h + k:
        assert found < 0


@settings(deadline=None, max_examples=10)
@given(SEEDS)
def test_pmse_by_a_general_search(seed):
    rng = np.random.default_rng(seed)
    sides = []
    for n, shift in ((30, 0.0), (25, 0.3)):
        columns = {"age": rng.normal(size=n) + shift, "sex": rng.integers(0, 2, n).astype(np.int32)}
        sides.append(Side(columns, np.ones(n)))
    released = np.repeat([False, True], (30, 25))
    age, sex = (np.concatenate([side.columns[name] for side in sides]) for name in ("age", "sex"))
    assume(np.ptp(sex) > 0)
    columns = np.column_stack([slow.standardised(age), slow.standardised(sex.astype(float))])
    evidence = LossEvidence((AGE, SEX), *sides, np.full(25, -1))
    wanted = slow.propensities(columns, released)
    assert propensity(evidence, 1, 100).scores == pytest.approx(wanted, abs=2e-3)
    found = PMSE(order=1).values(evidence)
    whole = slow.pmse(wanted, released)
    assert found[None] == pytest.approx(whole, abs=2e-3)
    c = 25 / 55
    null = 2 * (1 - c) ** 2 * c / 55
    assert found["ratio to its null"] == pytest.approx(found[None] * c * (1 - c) / null)


@settings(deadline=None, max_examples=20)
@given(SEEDS, st.booleans())
def test_scores_of_predictions(seed, numeric):
    rng = np.random.default_rng(seed)
    truth = np.r_[0.0, 1.0, rng.integers(0, 2, 10)]
    answers = np.where(rng.random(12) < 0.3, np.nan, rng.integers(0, 2, 12))
    weights = rng.choice([1.0, 3.0], 12)
    wanted = (slow.explained if numeric else slow.right_answers)(answers, truth, weights)
    assert score(answers, truth, weights, numeric) == pytest.approx(wanted)


@settings(deadline=None)
@given(SEEDS, st.integers(1, 40), st.integers(1, 40))
def test_nobody_is_split_between_halves(seed, n, m):
    """Neither are copies, however often the people are drawn again."""
    rng = np.random.default_rng(seed)
    file = Side({"age": rng.permutation(n).astype(float)}, np.ones(n))
    drawn = rng.integers(n, size=m)
    rows = np.where(rng.random(m) < 0.5, drawn, -1)
    evidence = LossEvidence((AGE,), file, file.take(drawn), rows)
    ours, theirs = person_folds(evidence, rng)
    assert theirs.tolist() == ours[drawn].tolist()
    assert abs(int((ours == 0).sum()) - int((ours == 1).sum())) <= 1


@settings(deadline=None, max_examples=5)
@given(SEEDS)
def test_a_column_that_tells_all_is_found_by_the_trees(seed):
    rng = np.random.default_rng(seed)
    x, y = (Side({"age": rng.random(30) + shift}, np.ones(30)) for shift in (0, 2))
    assert Discriminator().values(LossEvidence((AGE,), x, y, np.arange(30)))[None] > 0.95


NAME = st.text(st.sampled_from("ab+~ c.é"), min_size=1, max_size=6).map(str.strip).filter(bool)


@given(st.lists(NAME, min_size=2, max_size=5, unique=True))
def test_a_formula_reads_what_it_writes(names):
    formula = Formula(names[0], tuple(names[1:]))
    assert Formula.parsed(formula.text) == formula


@settings(deadline=None, max_examples=20)
@given(SEEDS)
def test_units_and_references_do_not_matter(seed):
    """Numbers in another unit, in both files, lose the same."""
    rng = np.random.default_rng(seed)
    pay = LossAttribute("pay", Kind.NUMERIC)
    sides = []
    for _ in range(2):
        age = rng.normal(40, 10, 60)
        columns = {
            "age": age,
            "sex": rng.integers(0, 2, 60).astype(np.int32),
            "pay": age + rng.normal(size=60),
        }
        sides.append(Side(columns, np.ones(60)))
    loss = IntervalOverlap(formula="pay ~ age + sex")
    found = []
    for scale, shift in ((1.0, 0.0), (1000.0, -7.0)):
        changed = [
            Side(
                {**s.columns, "age": s.columns["age"] * scale + shift, "pay": s.columns["pay"] / scale},
                s.weights,
            )
            for s in sides
        ]
        found.append(loss.values(LossEvidence((AGE, SEX, pay), *changed, np.arange(60)))[None])
    assert not isinstance(found[0], NotEstimable)
    assert found[0] == pytest.approx(found[1], rel=1e-6)
