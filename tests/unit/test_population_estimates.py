"""Which estimate of the population holds, in samples of known populations: a small bench/population.py."""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl
import pytest
from bench.population import FIRST, Compared, compared, covered, made_population

from tests.flat import flat_rows
from unmask.data.example import people
from unmask.data.microdata import Masked, Microdata
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.measures.evidence import FileEvidence
from unmask.measures.uniqueness import LogLinear, Quantity
from unmask.measures.uniqueness.decomposable import Graph
from unmask.measures.uniqueness.model_search import Candidate, KeySample, ModelSearch
from unmask.measures.uniqueness.search_error import EASIER, REPLICATES, SearchError, search_error

RARE = ("region", "sex", "education", "occupation", "health", "age")
NEARLY_UNIQUE = ("region", "sex", "education", "occupation", "age", "hours", "commute", "rent")
FEW = ("region", "sex", "education", "occupation", "health")


@cache
def sampled(known: tuple[str, ...], fraction: float) -> Compared:
    return compared(people(40_000), known, fraction, 1)


CASES = [(FEW, 0.05), (FEW, 0.2), (RARE, 0.05), (RARE, 0.1), (RARE, 0.2), (NEARLY_UNIQUE, 0.05)]


@pytest.mark.parametrize(("known", "fraction"), CASES)
def test_the_leading_estimate_is_the_nearest(known, fraction):
    c = sampled(known, fraction)
    assert c.log_linear[0] == pytest.approx(c.true_uniques, rel=0.25, abs=10)
    assert c.matches[0] == pytest.approx(c.true_matches, rel=0.2, abs=10)
    others = [value for value in (c.pitman, c.zayatz) if value is not None]
    miss = abs(c.log_linear[0] - c.true_uniques)
    assert all(miss <= abs(value - c.true_uniques) + 0.05 * c.true_uniques for value in others)


@pytest.mark.parametrize(("known", "fraction"), CASES)
def test_individual_risk_is_given_only_where_it_is_of_the_right_order(known, fraction):
    c = sampled(known, fraction)
    if c.individual_given:
        assert c.individual > 0.75 * c.true_matches
    else:
        assert c.individual < 0.75 * c.true_matches


def test_some_samples_are_on_either_side_of_the_rule():
    assert {sampled(*case).individual_given for case in CASES} == {True, False}


@pytest.mark.parametrize(("kind", "at_least"), [("independent", 7), ("chain", 7), ("cliques", 6)])
def test_intervals_have_the_truth_also_where_a_model_is_searched(kind, at_least):
    found = [covered(kind, 0.05, seed, 30_000) for seed in range(FIRST, FIRST + 8)]
    assert sum(c.uniques for c in found) >= at_least
    assert sum(c.matches for c in found) >= at_least
    if kind == "cliques":
        assert sum(c.alone for c in found) < at_least, "given the model, the interval is too narrow"


def test_the_interval_is_that_of_the_replicates_around_all_models_alike():
    errors = np.array([[-10.0, 0.0], [-20.0, 0.0], [-30.0, 0.0]])
    error = SearchError(np.array([[100.0, 50.0], [120.0, 50.0]]), errors, np.array([5.0, 6.0, 7.0]))
    low, high = error.interval(100, 0, 1000)
    wide = EASIER * 4.302652729911275 * np.sqrt(4 / 3) * 10  # Student's t, two degrees of freedom
    assert (low, high) == pytest.approx((100 - (wide - 20), 120 + 20 + wide))
    assert error.interval(50, 1, 1000) == (50, 50)
    assert error.interval(100, 0, 125) == (pytest.approx(low), 125), "no more than there are uniques"
    wider = SearchError(error.alike, errors, error.uniques, spread=2.0)
    assert wider.interval(100, 0, 1000)[1] == pytest.approx(140 + 2 * wide)
    half = error.interval(50, 0, 1000)
    assert (50 - half[0], half[1] - 50) == pytest.approx(((100 - low) / 2, (high - 100) / 2)), (
        "of some uniques"
    )
    assert error.misfit(6) == 1
    assert error.misfit(12) == 2


def test_unequal_weights_widen_the_interval():
    codes = made_population("chain", 3, 1000)
    equal, _ = KeySample.of(codes, np.full(1000, 20.0))
    unequal, _ = KeySample.of(codes, np.where(codes[:, 0] % 2, 5.0, 35.0))
    models = [Candidate(Graph(6), 0.0)]
    alone = ModelSearch(search=False)
    assert search_error(equal, models, alone).spread == 1
    assert search_error(unequal, models, alone).spread == pytest.approx(
        np.sqrt(1 + np.var(np.where(codes[:, 0] % 2, 5, 35)) / np.mean(np.where(codes[:, 0] % 2, 5, 35)) ** 2)
    )
    assert len(search_error(equal, models, alone).errors) == REPLICATES


def case_of(codes, weight=20.0):
    names = [f"a{j}" for j in range(codes.shape[1])]
    columns = (*(Column(name, Kind.NOMINAL) for name in names), Column("weight", role=Role.WEIGHT))
    frame = pl.DataFrame(codes, schema=names).with_columns(weight=pl.lit(weight))
    file = Microdata(Schema(columns), frame)
    return FileEvidence(file, Masked.by_order(file, file), tuple(names))


def test_the_order_of_the_records_moves_nothing():
    codes = made_population("chain", 5, 1500)
    shuffled = codes[np.random.default_rng(1).permutation(len(codes))]
    one, other = (flat_rows(LogLinear(), case_of(c))[0] for c in (codes, shuffled))
    # Sums over the classes are in the order of the file, hence the last digit.
    assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high), rel=1e-12)


def test_a_model_that_does_not_fit_says_so():
    # The last attribute is the sum of the others: dependence of all six at once, which no pair shows.
    codes = np.random.default_rng(2).integers(0, 4, (1500, 6))
    codes[:, 5] = codes[:, :5].sum(axis=1) % 4
    [finding] = flat_rows(LogLinear(Quantity.MATCHES), case_of(codes))
    assert "The model does not fit: the release has 0." in finding.meaning
    [fine] = flat_rows(LogLinear(Quantity.MATCHES), case_of(made_population("independent", 2, 1500)))
    assert "does not fit" not in fine.meaning


def test_a_dense_model_does_not_promise_its_interval():
    told = "eight of ten samples"
    [dense] = flat_rows(LogLinear(), case_of(made_population("cliques", 5, 3000)))
    [chain] = flat_rows(LogLinear(largest_clique=2), case_of(made_population("cliques", 5, 3000)))
    assert told in dense.meaning
    assert told not in chain.meaning
