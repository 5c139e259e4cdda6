"""Population uniques and expected matches among the sample uniques, by a Poisson log-linear model."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats
from unmask.data.release_kind import ReleaseKind
from unmask.data.sums import total
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
from unmask.measures.numbering import dense, first_of, labels
from unmask.measures.uniqueness.decomposable import Graph, KeyTable
from unmask.measures.uniqueness.design import Design, check_fraction, sample_design
from unmask.measures.uniqueness.model_search import KeySample, ModelSearch, expected_inverse
from unmask.measures.uniqueness.search_error import SearchError, search_error


class Quantity(StrEnum):
    """What is expected of the sample uniques: how many are population uniques, or are matched rightly."""

    UNIQUES = "uniques"
    MATCHES = "matches"


#: A sentence where the interval was measured to hold less often than it should.
_DENSE = (
    " The model links attributes three by three, where the interval may hold in only eight of ten samples, "
    "and the truth is rather higher."
)
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
    """A fitted model: how many others are expected with the key of each class, and how far it may miss."""

    graph: Graph
    others: Floats
    error: SearchError

    @property
    def dense(self) -> bool:
        """Whether attributes are linked three by three, where the interval holds less often."""
        return any(len(clique) >= 3 for clique, _ in self.graph.cliques())

    def expected(self, quantity: Quantity) -> Floats:
        """P(F = 1 | f = 1) or E(1 / F | f = 1) of each class."""
        if quantity is Quantity.UNIQUES:
            return np.asarray(np.exp(-self.others))
        return expected_inverse(self.others)


def check_clique(measure: str, largest_clique: int) -> None:
    """A model that links attributes has cliques of two at least."""
    if largest_clique < 2:
        raise ArgumentError(
            f"{measure}: largest_clique is {largest_clique}", hint="give a number of at least 2"
        )


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
    independence. Numeric keys are used by value, and a missing key is one more value. The interval is that of
    the true number, by a bootstrap that makes the search again (:func:`search_error`).

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
        keys, fit = released_keys(evidence), self.model(evidence, drawn)
        unique = keys.counts() == 1
        risk = np.where(unique, fit.expected(self.quantity), 0.0)
        value, uniques = total(risk), int(unique.sum())
        low, high = fit.error.interval(value, list(Quantity).index(self.quantity), float(uniques))
        estimate = Estimate(
            value, low, high, uniques, unit=Unit.COUNT, meaning=self._meaning(keys, fit, value),
            per_record=keys.spread(risk), why=company(keys, keys.counts()),
        )  # fmt: skip
        return (Row.of(self.name, estimate),)

    def model(self, evidence: FileEvidence, drawn: Design) -> LogLinearFit:
        """The fitted model, one for both quantities, worked out once."""
        search = ModelSearch(self.search, self.largest_clique, evidence.seed)
        name = ("log-linear fit", self.fraction, search)
        return evidence.cache.get(evidence, name, lambda: fit_model(released_keys(evidence), drawn, search))

    def _meaning(self, keys: KeyClasses, fit: LogLinearFit, value: float) -> str:
        uniques = int((keys.counts() == 1).sum())
        if uniques == 0:
            return "No released record is unique on the known attributes, so none can be in the population."
        what = (
            "are expected to be unique in the population too"
            if self.quantity is Quantity.UNIQUES
            else "are expected to be matched correctly with the population"
        )
        return (
            f"Of {records(uniques)} that {are(uniques)} unique in the release, {value:,.1f} "
            f"({share_text(value / uniques)}) {what}; the model {_links(keys.names, fit.graph)} of the known "
            f"attributes.{_DENSE if fit.dense else ''}{_misfit(fit.error.misfit(uniques))}"
        )


def _links(names: tuple[str, ...], graph: Graph) -> str:
    """What the model links, the first pairs of many."""
    pairs = ", ".join(f"{names[a]} with {names[b]}" for a, b in sorted(graph.edges)[:3])
    more = len(graph.edges) - 3
    return f"links {pairs}{f' and {more} more pairs' if more > 0 else ''}" if pairs else "links none"


def _misfit(times: float) -> str:
    """A sentence where the sample is not as the model makes it."""
    if times == 1:
        return ""
    return (
        f" The model does not fit: the release has {times:.2f} times as many unique records as it makes, so "
        "the truth may lie outside the interval."
    )


def fit_model(keys: KeyClasses, drawn: Design, search: ModelSearch) -> LogLinearFit:
    """The model of the released keys, what it expects of each of them, and how far it may miss."""
    groups = keys.classes
    codes = np.empty(keys.codes.shape, dtype=np.int32, order="F")
    np.subtract(keys.codes, np.minimum(keys.codes.min(axis=0), 0), out=codes, casting="same_kind")
    weight = groups.sums(drawn.weights)
    # By key, so that the order of the records does not matter.
    order = first_of(*dense(*labels(codes.T, len(codes))))
    table = KeyTable(np.asfortranarray(codes[order]), weight[order])
    sample = KeySample(table, groups.size[order].astype(np.float64))
    models = search.candidates(sample)
    others = np.empty(len(groups))
    others[order] = sample.others(models[0].graph)
    return LogLinearFit(models[0].graph, others, search_error(sample, models, search))
