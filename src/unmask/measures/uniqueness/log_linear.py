"""Population uniques and expected matches among the sample uniques, by a Poisson log-linear model."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats
from unmask.data.release_kind import ReleaseKind
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.measures.anonymity.keys import (
    KeyClasses,
    are,
    company,
    records,
    released_keys,
    share_text,
    why_no_keys,
)
from unmask.measures.applicability import COMPLETE_KEYS
from unmask.measures.estimate import Estimate, NotEstimable, Row, Unit
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import UNIQUENESS
from unmask.measures.uniqueness.decomposable import Graph, KeyTable, drawn_fits, fitted, forward_path
from unmask.measures.uniqueness.design import Design, check_fraction, sample_design
from unmask.randomness import generator

#: Cells drawn from a model for the sums over its whole table.
DRAWS = 100_000


class Quantity(StrEnum):
    """What is expected of the sample uniques: how many are population uniques, or are matched rightly."""

    UNIQUES = "uniques"
    MATCHES = "matches"


_SOURCE = (
    "E. A. H. Elamir and C. J. Skinner (2006), Record level measures of disclosure risk for survey "
    "microdata, Journal of Official Statistics 22, 525-539."
)
_ABOUT = {
    Quantity.UNIQUES: About(
        "unique in the population, by a log-linear model",
        UNIQUENESS,
        "How many people who are unique in the sample are expected to be unique in the population (tau 1).",
        _SOURCE,
        rank=7,
    ),
    Quantity.MATCHES: About(
        "right matches, by a log-linear model",
        UNIQUENESS,
        "How many matches of sample uniques with the population are expected to be right (tau 2).",
        _SOURCE,
    ),
}


@dataclass(frozen=True, eq=False)
class LogLinearFit:
    """A fitted model: for each class, how many others of the population are expected to have its key."""

    graph: Graph
    others: Floats

    def probability_unique(self) -> Floats:
        """P(F = 1 | f = 1) of each class."""
        return np.asarray(np.exp(-self.others))

    def expected_match(self) -> Floats:
        """E(1 / F | f = 1) of each class."""
        return expected_inverse(self.others)


def check_clique(measure: str, largest_clique: int) -> None:
    """A model that links attributes has cliques of two at least."""
    if largest_clique < 2:
        raise ArgumentError(
            f"{measure}: largest_clique is {largest_clique}", hint="give a number of at least 2"
        )


def expected_inverse(mean: Floats) -> Floats:
    """E(1 / (1 + X)) of X, Poisson with this mean: (1 - exp(-mean)) / mean.

    >>> expected_inverse(np.array([0.0, 1.0])).round(4)
    array([1.    , 0.6321])
    """
    return np.where(mean > 1e-9, -np.expm1(-mean) / np.where(mean > 1e-9, mean, 1.0), 1.0)


@dataclass(frozen=True)
class LogLinear:
    """tau_1 and tau_2 of a Poisson log-linear model (Elamir and Skinner 2006; Skinner and Shlomo 2008).

    F_k, the number of people with key k, is Poisson with mean lambda_k, of whom each is in the sample with
    probability pi_k. Given a sample unique, F_k - 1 is Poisson with mean v_k = (1 - pi_k) lambda_k, and

        tau_1 = sum over sample uniques of P(F_k = 1 | f_k = 1) = exp(-v_k)
        tau_2 = sum over sample uniques of E(1 / F_k | f_k = 1) = (1 - exp(-v_k)) / v_k

    lambda_k is on the scale of the *population*: the model is fitted to the weighted counts (pseudo maximum
    likelihood), so with equal weights lambda = mu / pi. Models are decomposable: fitted counts are products
    of margins, and the full table of all combinations is never built. The search starts at independence and
    adds the pair of attributes that gains most by AIC, with cliques of up to ``largest_clique`` attributes;
    of the models on the way it takes the one with the smallest estimated error (Skinner and Shlomo 2008)

        B = sum_k lambda exp(-lambda) (1 - pi) {(f - pi lambda) + (1 - pi) [(f - pi lambda)^2 - f] / (2 pi)}

    positive for models that are too simple, negative for those that fit noise. ``search`` = False stays at
    independence. Numeric keys are used by value, and a missing key is one more value.

    >>> LogLinear(Quantity.MATCHES).name
    'log-linear-matches'
    """

    quantity: Quantity = Quantity.UNIQUES
    fraction: float | None = None
    search: bool = True
    largest_clique: int = 3
    says_about: ClassVar[frozenset[ReleaseKind]] = COMPLETE_KEYS  # to the model, missing is one more value

    def __post_init__(self) -> None:
        check_fraction(self.name, self.fraction)
        check_clique(self.name, self.largest_clique)

    @property
    def name(self) -> str:
        """The name in tables."""
        return f"log-linear-{self.quantity.value}"

    @property
    def about(self) -> About:
        """What it is called, says and comes from."""
        return _ABOUT[self.quantity]

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs keys, weights or a sampling fraction, and more than one record."""
        drawn = sample_design(evidence, self.fraction, why_no_keys)
        return drawn if isinstance(drawn, NotEstimable) else None

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """The expected count, with each sample unique's part in it (0 for the other records)."""
        drawn = sample_design(evidence, self.fraction, why_no_keys)
        if isinstance(drawn, NotEstimable):
            return (Row.none(self.name, drawn, Unit.COUNT),)
        keys, fit = released_keys(evidence), self._fit(evidence, drawn)
        unique = keys.counts() == 1
        expected = fit.probability_unique() if self.quantity is Quantity.UNIQUES else fit.expected_match()
        risk = np.where(unique, expected, 0.0)
        value, low, high = float(risk.sum()), None, None
        if self.quantity is Quantity.UNIQUES:
            spread = 1.96 * float(np.sqrt((risk * (1 - risk)).sum()))
            low, high = max(0.0, value - spread), min(float(unique.sum()), value + spread)
        estimate = Estimate(
            value, low, high, int(unique.sum()), unit=Unit.COUNT,
            meaning=self._meaning(keys, fit.graph, value, int(unique.sum())),
            per_record=keys.spread(risk), why=company(keys, keys.counts()),
        )  # fmt: skip
        return (Row.of(self.name, estimate),)

    def _fit(self, evidence: FileEvidence, drawn: Design) -> LogLinearFit:
        """The fitted model, one for both quantities."""

        def made() -> LogLinearFit:
            keys = released_keys(evidence)
            return fit_model(keys, drawn, self.search, self.largest_clique, evidence.seed)

        name = ("log-linear fit", self.fraction, self.search, self.largest_clique)
        return evidence.cache.get(evidence, name, made)

    def _meaning(self, keys: KeyClasses, graph: Graph, value: float, uniques: int) -> str:
        if uniques == 0:
            return "No released record is unique on the known attributes, so none can be in the population."
        what = (
            "are expected to be unique in the population too"
            if self.quantity is Quantity.UNIQUES
            else "are expected to be matched correctly with the population"
        )
        pairs = ", ".join(f"{keys.names[a]} with {keys.names[b]}" for a, b in sorted(graph.edges)[:3])
        more = len(graph.edges) - 3
        linked = f"links {pairs}{f' and {more} more pairs' if more > 0 else ''}" if pairs else "links none"
        return (
            f"Of {records(uniques)} that {are(uniques)} unique in the release, {value:,.1f} "
            f"({share_text(value / uniques)}) {what}; the model {linked} of the known attributes."
        )


def fit_model(keys: KeyClasses, drawn: Design, search: bool, largest_clique: int, seed: int) -> LogLinearFit:
    """The model of the released keys, and what it expects of each of them."""
    groups = keys.classes
    codes = keys.codes - np.minimum(keys.codes.min(axis=0), 0)
    weight = groups.sums(drawn.weights)
    order = np.lexsort(codes.T[::-1])  # by key, so that the order of the records does not matter
    table = KeyTable(codes[order], weight[order])
    count = groups.size[order].astype(np.float64)
    graph = chosen_model(table, count, drawn.fraction, search, largest_clique, seed)
    others = np.empty(len(groups))
    others[order] = (1 - count / weight[order]) * fitted(table, graph)
    return LogLinearFit(graph, others)


def chosen_model(
    table: KeyTable, count: Floats, fraction: float, search: bool, largest_clique: int, seed: int
) -> Graph:
    """The model with the smallest estimated error on the way from independence, or independence itself."""
    if not search:
        return Graph(table.codes.shape[1])
    path = forward_path(table, largest_clique, float(count.sum()))
    errors = [abs(estimated_error(table, graph, count, fraction, seed)) for graph in path]
    return path[int(np.argmin(errors))]


def estimated_error(table: KeyTable, graph: Graph, count: Floats, fraction: float, seed: int) -> float:
    """The criterion B: a sum over the full table, of which the empty cells are estimated by draws."""
    rng = generator(seed, "log-linear", "cells")
    lam = fitted(table, graph)
    drawn = drawn_fits(table, graph, DRAWS, rng)
    empty = float(table.weight.sum()) * float((_part(np.zeros(DRAWS), drawn, fraction) / drawn).mean())
    return empty + float((_part(count, lam, fraction) - _part(np.zeros(len(lam)), lam, fraction)).sum())


def _part(count: Floats, lam: Floats, fraction: float) -> Floats:
    gap = count - fraction * lam
    second = (1 - fraction) * (gap * gap - count) / (2 * fraction)
    return np.asarray(lam * np.exp(-lam) * (1 - fraction) * (gap + second))
