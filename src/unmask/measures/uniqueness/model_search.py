"""The search of a log-linear model for the keys of a sample, and the criterion by which it chooses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats
from unmask.data.sums import totals
from unmask.measures.numbering import Codes, Labels, dense, first_of, labels
from unmask.measures.uniqueness.decomposable import Graph, KeyTable, drawn_cells, fitted, forward_path
from unmask.randomness import generator

#: Cells drawn from a model for the sums over its whole table.
DRAWS = 100_000


@dataclass(frozen=True, eq=False)
class KeySample:
    """The distinct keys of a sample, weighted to the population, and how often each is in the sample."""

    table: KeyTable
    count: Floats

    @staticmethod
    def of(codes: Codes, weights: Floats) -> tuple[KeySample, Labels]:
        """The sample of records with these codes and weights, and the first record of each distinct key.

        >>> sample, first = KeySample.of(np.array([[1], [0], [1]]), np.array([2.0, 2.0, 2.0]))
        >>> sample.count, sample.table.weight, first
        (array([1., 2.]), array([2., 4.]), array([1, 0], dtype=int32))
        """
        label, size = dense(*labels(codes.T, len(codes)))
        first = first_of(label, size)
        distinct = np.asfortranarray(codes[first], dtype=np.int32)
        count = np.bincount(label, minlength=size).astype(np.float64)
        return KeySample(KeyTable(distinct, totals(label, weights, size)), count), first

    @cached_property
    def fraction(self) -> float:
        """The share of the population that is in the sample."""
        return self.records / float(self.table.weight.sum())

    @property
    def records(self) -> int:
        """How many records the sample has."""
        return int(self.count.sum())

    @property
    def unique(self) -> NDArray[np.bool_]:
        """Which keys are sample uniques."""
        return np.asarray(self.count == 1)

    def expected(self, graph: Graph) -> tuple[float, float]:
        """tau_1 and tau_2 by a model."""
        others = self.others(graph)[self.unique]
        return float(np.exp(-others).sum()), float(expected_inverse(others).sum())

    def others(self, graph: Graph) -> Floats:
        """How many others of the population are expected to have each key, by a model."""
        return np.asarray((1 - self.count / self.table.weight) * fitted(self.table, graph))


@dataclass(frozen=True)
class Candidate:
    """A model on the way of a search, and its estimated error B (0 where there is no other to choose)."""

    graph: Graph
    error: float


@dataclass(frozen=True)
class ModelSearch:
    """From independence on the pair of attributes that gains most; of those models the one of least |B|.

    ``search``: False stays at independence; ``draws``: how many cells stand for a model's whole table.
    """

    search: bool = True
    largest_clique: int = 3
    seed: int = 0
    draws: int = DRAWS

    def candidates(self, sample: KeySample) -> list[Candidate]:
        """The models on the way from independence, the chosen one first."""
        if not self.search:
            return [Candidate(Graph(sample.table.codes.shape[1]), 0.0)]
        path = forward_path(sample.table, self.largest_clique, float(sample.records))
        if len(path) == 1:
            return [Candidate(path[0], 0.0)]
        found = [Candidate(graph, self.estimated_error(sample, graph)) for graph in path]
        return sorted(found, key=lambda candidate: abs(candidate.error))

    def chosen(self, sample: KeySample) -> Graph:
        """The model with the smallest estimated error."""
        return self.candidates(sample)[0].graph

    def estimated_error(self, sample: KeySample, graph: Graph) -> float:
        """The criterion B: a sum over the full table, of which the empty cells are estimated by draws."""
        rng = generator(self.seed, "log-linear", "cells")
        fraction, lam = sample.fraction, fitted(sample.table, graph)
        _, drawn = drawn_cells(sample.table, graph, self.draws, rng)
        share = _part(np.zeros(self.draws), drawn, fraction) / drawn
        empty = float(sample.table.weight.sum()) * float(share.mean())
        present = _part(sample.count, lam, fraction) - _part(np.zeros(len(lam)), lam, fraction)
        return empty + float(present.sum())


def _part(count: Floats, lam: Floats, fraction: float) -> Floats:
    gap = count - fraction * lam
    second = (1 - fraction) * (gap * gap - count) / (2 * fraction)
    return np.asarray(lam * np.exp(-lam) * (1 - fraction) * (gap + second))


def expected_inverse(mean: Floats) -> Floats:
    """E(1 / (1 + X)) of X, Poisson with this mean: (1 - exp(-mean)) / mean.

    >>> expected_inverse(np.array([0.0, 1.0])).round(4)
    array([1.    , 0.6321])
    """
    return np.where(mean > 1e-9, -np.expm1(-mean) / np.where(mean > 1e-9, mean, 1.0), 1.0)
