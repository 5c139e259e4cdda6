"""Losses of statistics of numbers, worked by hand."""

from __future__ import annotations

from math import erf, sqrt

import numpy as np
import pytest

from unmask.data.schema import Kind
from unmask.losses import (
    PIL,
    Correlations,
    Covariances,
    Eigenvalues,
    InverseCorrelation,
    LossAttribute,
    LossEvidence,
    Means,
    Quantiles,
    Side,
    Variances,
    loss_named,
)
from unmask.losses.ordered import Ordered
from unmask.measures.estimate import NotEstimable

ALL = ("pil", "means", "variances", "covariances", "correlations", "quantiles", "eigenvalues",
       "inverse-correlation")  # fmt: skip


def case(original, released, weights=None, released_weights=None):
    """Two files of numbers by attribute; nobody's records where they have different lengths."""

    def side(columns, weights):
        arrays = {name: np.array(values, float) for name, values in columns.items()}
        n = len(next(iter(arrays.values())))
        return Side(arrays, np.ones(n) if weights is None else np.array(weights, float))

    here, there = side(original, weights), side(released, released_weights)
    rows = np.arange(len(there)) if len(here) == len(there) else np.full(len(there), -1)
    return LossEvidence(tuple(LossAttribute(name, Kind.NUMERIC) for name in original), here, there, rows)


def test_means_in_standard_deviations_and_without_pairs():
    found = Means().values(case({"a": [0, 2], "b": [1, 3]}, {"a": [1, 1, 4], "b": [2, 2, 2]}))
    assert found["a"] == pytest.approx(1 / sqrt(2))
    assert found["b"] == pytest.approx(0)
    assert found[None] == pytest.approx(0.5 / sqrt(2))


def test_each_file_has_its_own_weights():
    evidence = case({"a": [0, 2]}, {"a": [0, 2]}, weights=[1, 1], released_weights=[1, 3])
    assert Means().values(evidence)[None] == pytest.approx(0.5 / sqrt(2))


def test_a_variance_that_doubles_or_more_counts_one():
    x = np.array([-1.0, 1.0])
    for factor, expected in ((0, 1), (0.5, 0.75), (1.2, 0.44), (sqrt(2), 1), (100, 1)):
        assert Variances().values(case({"a": x}, {"a": factor * x}))[None] == pytest.approx(expected)


def test_quantiles_see_what_top_coding_does():
    """Of 1..20, the values from 18 on become 18: the 90% and 95% quantiles, 18 and 19, become 18."""
    x = np.arange(1.0, 21)
    found = Quantiles().values(case({"a": x}, {"a": np.minimum(x, 18)}))[None]
    assert found == pytest.approx(1 / 19 / x.std(ddof=1))


def test_a_pair_is_compared_over_those_who_have_both():
    """Without the person who lacks b, a and b are alike in both files."""
    x = {"a": [1, 2, 3, 50], "b": [1, 2, 3, np.nan]}
    y = {"a": [1, 2, 3, -50], "b": [1, 2, 3, np.nan]}
    assert Correlations().values(case(x, y))[None] == pytest.approx(0)
    assert Covariances().values(case(x, y))[None] == pytest.approx(0)
    assert Means().values(case(x, y))["a"] > 0


def test_a_relation_that_the_release_cannot_show_counts_as_none():
    a, b = [1, 2, 3], [2, 4, 6]
    for gone in ([5, 5, 5], [np.nan, np.nan, np.nan]):
        assert Correlations().values(case({"a": a, "b": b}, {"a": a, "b": gone}))[None] == pytest.approx(1)
        assert Covariances().values(case({"a": a, "b": b}, {"a": a, "b": gone}))[None] == pytest.approx(1)


def test_a_pair_without_relation_in_the_original_is_left_out():
    x = {"a": [1, 2, 3], "b": [7, 7, 7], "c": [1, 3, 2]}
    found = Correlations().values(case(x, {**x, "c": [3, 2, 1]}))
    assert isinstance(found["b"], NotEstimable)
    assert found[None] == found["a"] == found["c"] == pytest.approx(1.5)


def test_a_constant_attribute_counts_only_where_it_stays():
    for loss in (Means(), Variances(), Quantiles()):
        assert loss.values(case({"a": [0.1] * 3}, {"a": [0.1] * 7}))[None] == 0
        assert isinstance(loss.values(case({"a": [5] * 3}, {"a": [4, 7, 9]}))[None], NotEstimable)
    assert PIL().values(case({"a": [5] * 3}, {"a": [4, 7, 9]}))["means"] == 1


def test_an_attribute_without_released_values():
    evidence = case({"a": [1, 2, 3], "b": [1, 2, 4]}, {"a": [1, 2, 3], "b": [np.nan] * 3})
    for loss in (Means(), Variances(), Quantiles()):
        found = loss.values(evidence)
        assert isinstance(found["b"], NotEstimable)
        assert found[None] == pytest.approx(0)
    assert PIL().values(evidence)["means"] == 0.5
    assert PIL().values(evidence)["correlations"] == 1


def test_pil_is_the_probability_that_chance_moves_less():
    """A mean moved by two standard errors, and a variance by the factor 1.1, by the formulas."""
    x = np.random.default_rng(1).normal(size=400)
    n, mu2, mu4 = 400, ((x - x.mean()) ** 2).mean(), ((x - x.mean()) ** 4).mean()
    moved = PIL().values(case({"a": x}, {"a": x + 2 * sqrt(mu2 / n)}))
    assert moved["means"] == pytest.approx(erf(sqrt(2)))
    assert moved["variances"] == pytest.approx(0, abs=1e-9)
    assert isinstance(moved["correlations"], NotEstimable)
    wider = PIL().values(case({"a": x}, {"a": x.mean() + (x - x.mean()) * sqrt(1.1)}))
    se = sqrt((mu4 - mu2**2) / n)
    assert wider["variances"] == pytest.approx(erf(0.1 * x.var(ddof=1) / se / sqrt(2)))


def test_pil_of_people_drawn_again_is_about_one_half():
    x = np.random.default_rng(2).multivariate_normal([0, 0, 0], [[1, 0.6, 0], [0.6, 1, 0], [0, 0, 1]], 1000)
    evidence = case(dict(zip("abc", x.T, strict=True)), dict(zip("abc", x.T, strict=True)))
    drawn = [PIL().values(evidence.resampled(np.random.default_rng(seed))) for seed in range(40)]
    for part in drawn[0]:
        assert np.mean([values[part] for values in drawn]) == pytest.approx(0.5, abs=0.1)


def test_pil_grows_with_the_file_and_the_others_do_not():
    x = np.random.default_rng(3).normal(size=(2, 100))
    few = case({"a": x[0], "b": x[1]}, {"a": x[0] + 0.05, "b": x[1]})
    wide = np.tile(x, 50)
    many = case({"a": wide[0], "b": wide[1]}, {"a": wide[0] + 0.05, "b": wide[1]})
    assert PIL().values(many)["means"] > 2 * PIL().values(few)["means"]
    assert Means().values(many)[None] == pytest.approx(Means().values(few)[None], rel=0.01)


def test_the_effective_number_counts_where_weights_differ():
    """Half of the weight on one of a hundred people: their mean is known as badly as that of four."""
    x = np.random.default_rng(4).normal(size=100)
    weights = np.r_[99.0, np.ones(99)]
    even, uneven = (PIL().values(case({"a": x}, {"a": x + 0.1}, w, w)) for w in (np.ones(100), weights))
    assert uneven["means"] < even["means"] / 2


def test_the_error_of_a_quantile_is_that_of_a_normal_sample():
    """sqrt(q (1 - q) / n) / phi(z), within a tenth, for the median and the 90% quantile."""
    x = np.random.default_rng(5).normal(size=50_000)
    found = Ordered.of(x, np.ones(len(x))).errors(np.array([0.5, 0.9]))
    assert found == pytest.approx([0.5 / 0.39894 / sqrt(50_000), 0.3 / 0.17550 / sqrt(50_000)], rel=0.1)


def test_rounded_numbers_have_an_error_too():
    ages = np.repeat(np.arange(20.0, 70), 100)
    assert (Ordered.of(ages, np.ones(len(ages))).errors(np.array([0.1, 0.5])) > 0.05).all()


def test_singular_correlations_are_not_estimable():
    rng = np.random.default_rng(6)
    a, b, c = rng.normal(size=(3, 20))
    bound, free = {"a": a, "b": b, "c": a + b}, {"a": a, "b": b, "c": c}
    assert "in the original" in Eigenvalues().values(case(bound, free))[None].reason
    assert "in the original" in InverseCorrelation().values(case(bound, free))[None].reason
    assert "in the release" in InverseCorrelation().values(case(free, bound))[None].reason
    assert Eigenvalues().values(case(free, bound))[None] > 0.5


def test_two_attributes_say_nothing_of_inverse_correlations():
    two = case({"a": [1, 2, 3], "b": [1, 3, 2]}, {"a": [1, 2, 3], "b": [3, 2, 1]})
    assert "three" in InverseCorrelation().why_not(two).reason


def test_attributes_never_present_together_have_no_matrix():
    gaps = {"a": [1, 2, 3, np.nan, np.nan, np.nan], "b": [np.nan, np.nan, np.nan, 1, 2, 3]}
    assert "together" in Eigenvalues().values(case(gaps, gaps))[None].reason


@pytest.mark.parametrize("name", ALL)
def test_nothing_is_said_without_numbers(name):
    town = LossAttribute("town", Kind.NOMINAL, 2)
    file = Side({"town": np.array([0, 1], np.int32)}, np.ones(2))
    assert loss_named(name).why_not(LossEvidence((town,), file, file, np.arange(2))) is not None


@pytest.mark.parametrize("name", ["il1s", *ALL])
@pytest.mark.parametrize("size", [1e300, 1.7e308, 1e-300])
def test_very_large_and_very_small_numbers(name, size):
    """Warnings are errors here: nothing leaves the range of numbers unseen."""
    x = np.random.default_rng(7).uniform(0.1, 1, (3, 30))
    y = x + np.random.default_rng(8).uniform(-0.05, 0, (3, 30))
    original, released = (dict(zip("abc", file, strict=True)) for file in (x, y))
    large = [{n: size * v for n, v in file.items()} for file in (original, released)]
    loss = loss_named(name)
    found = loss.values(case(*large))[None]
    if not (name == "il1s" and size > 1e308):
        assert found == pytest.approx(loss.values(case(original, released))[None], rel=1e-6)
    far = loss.values(case(original, large[1]))[None]
    assert isinstance(far, NotEstimable) or np.isfinite(far)
