"""Estimates of population uniques and of matches, beside populations that are known."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tests.flat import flat_rows
from tests.reference.loglinear import NAMES, dependent_population, full_table, proportional_fit, sample_of
from tests.shared_data import data
from unmask.data.microdata import Masked, Microdata
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.masks import PRAM
from unmask.measures.evidence import FileEvidence
from unmask.measures.uniqueness import LogLinear, Misclassified, Pitman, PopulationUniques, Quantity, Zayatz
from unmask.measures.uniqueness.decomposable import Graph, KeyTable, forward_path
from unmask.measures.uniqueness.model_search import KeySample, ModelSearch


def file_of(frame, weight=None):
    schema = [Column(name, Kind.NOMINAL) for name in NAMES]
    if weight is not None:
        frame = frame.with_columns(weight=pl.Series(weight, dtype=pl.Float64))
        schema.append(Column("weight", role=Role.WEIGHT))
    return Microdata(Schema(tuple(schema)), frame)


def case_of(file):
    return FileEvidence(file, Masked.by_order(file, file), tuple(NAMES))


def one(measure, case):
    assert measure.why_not(case) is None
    [finding] = flat_rows(measure, case)
    return finding


@pytest.mark.parametrize("seed", range(1, 5))
def test_log_linear_estimates_are_near_the_truth(seed):
    population = dependent_population(seed, 100_000, 0.8)
    sample, people, alike = sample_of(population, 0.05, seed)
    case = case_of(file_of(sample, [20.0] * len(sample)))
    unique = alike == 1
    truth = {Quantity.UNIQUES: (people[unique] == 1).sum(), Quantity.MATCHES: (1 / people[unique]).sum()}
    plain = one(LogLinear(Quantity.MATCHES, search=False), case)
    found = {quantity: one(LogLinear(quantity), case) for quantity in Quantity}
    assert found[Quantity.UNIQUES].value == pytest.approx(truth[Quantity.UNIQUES], rel=0.1)
    assert found[Quantity.MATCHES].value == pytest.approx(truth[Quantity.MATCHES], rel=0.05)
    # Independence is not the truth here, and the search mends most of its error.
    gap = abs(plain.value - truth[Quantity.MATCHES])
    assert gap > 0.07 * truth[Quantity.MATCHES]
    assert abs(found[Quantity.MATCHES].value - truth[Quantity.MATCHES]) < 0.5 * gap
    assert found[Quantity.UNIQUES].low < found[Quantity.UNIQUES].value < found[Quantity.UNIQUES].high
    assert (found[Quantity.MATCHES].per_record[~unique] == 0).all()


def test_log_linear_estimates_with_unequal_weights():
    # The first category is drawn four times as often as the others.
    population = dependent_population(11, 150_000, 0.8)
    rng = np.random.default_rng(11)
    first = (population["a3"] == 0).to_numpy()
    chance = np.where(first, 0.08, 0.02)
    rows = np.flatnonzero(rng.random(len(population)) < chance)
    counted = population.group_by(NAMES).len("people")
    sample = population[rows].join(counted, on=NAMES, how="left", maintain_order="left")
    unique = (sample.select(pl.len().over(NAMES)).to_series() == 1).to_numpy()
    truth = (1 / sample["people"].to_numpy()[unique]).sum()
    case = case_of(file_of(sample.select(NAMES), 1 / chance[rows]))
    assert one(LogLinear(Quantity.MATCHES), case).value == pytest.approx(truth, rel=0.1)


def test_the_criterion_is_positive_for_too_simple_models():
    sample, _, _ = sample_of(dependent_population(3, 100_000, 0.8), 0.05, 3)
    counted = sample.group_by(NAMES).len().sort(NAMES)
    codes = counted.select(NAMES).to_numpy().astype(np.int64)
    count = counted["len"].to_numpy().astype(float)
    table = KeyTable(codes, 20 * count)
    path = forward_path(table, 3, float(len(sample)))
    keys = KeySample(table, count)
    errors = [ModelSearch().estimated_error(keys, graph) for graph in path]
    assert errors[0] > 10 * abs(errors[-1])
    assert {(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)} <= path[-1].edges  # the chain is found
    # The draws stand for the sum over the full table.
    for graph, error in ((path[0], errors[0]), (path[-1], errors[-1])):
        lam = proportional_fit(full_table(codes, 20 * count), [clique for clique, _ in graph.cliques()])
        f = full_table(codes, count)
        gap = f - 0.05 * lam
        parts = lam * np.exp(-lam) * 0.95 * (gap + 0.95 * (gap * gap - f) / 0.1)
        assert error == pytest.approx(parts.sum(), abs=0.01 * errors[0])


def test_separators_keep_graphs_decomposable():
    path = Graph(4).joined(0, 1).joined(1, 2).joined(2, 3)
    assert path.separator(0, 3) is None  # a cycle of four
    assert path.separator(0, 2) == {1}
    assert Graph(4).separator(0, 3) == frozenset()
    assert sorted(clique for clique, _ in path.cliques()) == [(0, 1), (1, 2), (2, 3)]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_size_models_are_of_the_right_order(seed):
    # They look at sizes alone: within a factor of two, where the log-linear model is within a tenth.
    population = dependent_population(seed, 100_000, 0.8)
    sample, people, alike = sample_of(population, 0.1, seed)
    case = case_of(file_of(sample))
    truth = ((alike == 1) & (people == 1)).sum()
    assert 0.5 < one(Pitman(0.1), case).value / truth < 2
    assert one(Zayatz(0.1), case).value > truth  # it errs on the high side


@pytest.mark.parametrize("seed", [1, 2])
def test_matches_after_pram_are_near_the_truth(seed):
    population = dependent_population(seed, 100_000, 0.8)
    sample, _, _ = sample_of(population, 0.05, seed)
    original = file_of(sample)
    mask = PRAM(p=2)
    masked = mask.apply(original, np.random.default_rng(seed))
    case = FileEvidence(original, masked, tuple(NAMES))
    finding = one(Misclassified(mask.transitions(original), 0.05), case)
    # A right match: the released key is the true one, picked among the people who have it.
    released = masked.data.frame.select(pl.all().cast(pl.Int64))
    counted = population.group_by(NAMES).len("people")
    people = released.join(counted, on=NAMES, how="left", maintain_order="left")["people"].to_numpy()
    unique = (released.select(pl.len().over(NAMES)).to_series() == 1).to_numpy()
    same = (released.to_numpy() == sample.to_numpy()).all(axis=1)
    truth = (1 / people[unique & same]).sum()
    assert finding.value == pytest.approx(truth, rel=0.1)
    # Without the table the matches look far more promising than they are.
    assert one(LogLinear(Quantity.MATCHES, fraction=0.05), case).value > 2 * truth


def test_estimates_of_real_people_are_near_the_truth():
    # Adult as a population of 32,561, of which one in twenty is released, known by six attributes.
    known = ("age", "sex", "marital-status", "race", "education", "workclass")
    people = pl.read_csv(data("adult.csv"), infer_schema_length=None).select(known)
    schema = Schema(tuple(Column(name, Kind.NOMINAL) for name in known))
    population = Microdata(schema, people)
    truths, searched, independent = np.zeros(2), np.zeros(2), np.zeros(2)
    for seed in (1, 2, 3):
        rows = np.random.default_rng(seed).choice(len(people), len(people) // 20, replace=False)
        sample = population.take(rows)
        case = FileEvidence(sample, Masked.by_order(sample, sample), known, population=population)
        truth = one(PopulationUniques(), case)
        unique = sample.frame.select(pl.len().over(known)).to_series().to_numpy() == 1
        truths += [truth.value * truth.n, truth.per_record[unique].sum()]
        for search, found in ((True, searched), (False, independent)):
            found += [one(LogLinear(quantity, search=search), case).value for quantity in Quantity]
    np.testing.assert_allclose(searched, truths, rtol=0.08)
    assert (independent > 1.1 * truths).all()
