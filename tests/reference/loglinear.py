"""Log-linear models on the full table, by iterative proportional fitting, and populations to try them on."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import polars as pl

NAMES = [f"a{j}" for j in range(6)]
LEVELS = (8, 6, 10, 5, 7, 4)


def full_table(codes, weight):
    """The full cross table of the keys."""
    table = np.zeros(codes.max(axis=0) + 1)
    np.add.at(table, tuple(codes.T), weight)
    return table


def proportional_fit(table, cliques, rounds=500):
    """The fit that has the table's margins over the cliques; attributes in no clique are uniform."""
    fit = np.full(table.shape, table.sum() / table.size)
    axes = range(table.ndim)
    for _ in range(rounds):
        before = fit.copy()
        for clique in cliques:
            others = tuple(a for a in axes if a not in clique)
            have = fit.sum(axis=others, keepdims=True)
            want = table.sum(axis=others, keepdims=True)
            fit = fit * np.divide(want, have, out=np.zeros_like(want), where=have > 0)
        if np.abs(fit - before).max() < 1e-12 * table.sum():
            break
    return fit


def main_effects(codes, weight):
    """The fitted counts of the keys under independence, from the margins."""
    total = weight.sum()
    fit = np.full(len(codes), float(total))
    for column in codes.T:
        fit *= (np.bincount(column, weight) / total)[column]
    return fit


def skinner_shlomo(mean, fraction):
    """The sums tau_1 and tau_2 of sample uniques in cells of these means."""
    v = (1 - fraction) * mean
    return float(np.exp(-v).sum()), float(((1 - np.exp(-v)) / v).sum())


def dependent_population(seed, people, strength):
    """People whose attributes form a chain: each depends on the one before, as strongly as said."""
    rng = np.random.default_rng(seed)
    columns = [rng.choice(LEVELS[0], people, p=rng.dirichlet(np.full(LEVELS[0], 1.5)))]
    for before, k in pairwise(LEVELS):
        shares = strength * rng.dirichlet(np.full(k, 0.6), before)
        shares += (1 - strength) * rng.dirichlet(np.full(k, 1.5))
        draws = rng.random(people)
        columns.append((draws[:, None] > np.cumsum(shares[columns[-1]], axis=1)[:, :-1]).sum(axis=1))
    return pl.DataFrame(np.column_stack(columns), schema=NAMES)


def sample_of(population, fraction, seed):
    """A sample, and of each its number of people with the same values."""
    rows = np.random.default_rng(seed).choice(len(population), round(fraction * len(population)), False)
    counted = population.group_by(NAMES).len("people")
    sample = population[rows].join(counted, on=NAMES, how="left", maintain_order="left")
    alike = sample.select(pl.len().over(NAMES)).to_series().to_numpy()
    return sample.select(NAMES), sample["people"].to_numpy(), alike
