"""Individual risk from a weighted sample: the negative binomial model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from unmask.about import About
from unmask.data.key_classes import classes
from unmask.data.microdata import Floats
from unmask.data.release_kind import ReleaseKind
from unmask.engines import Engine
from unmask.measures.anonymity.keys import (
    KeyClasses,
    check_alpha,
    company,
    described,
    released_keys,
    share_text,
    why_no_keys,
)
from unmask.measures.applicability import TRUE_KEYS
from unmask.measures.estimate import Curve, CurvePoint, Estimate, NotEstimable, Row
from unmask.measures.evidence import FileEvidence, Need
from unmask.measures.families import UNIQUENESS
from unmask.measures.phrases import percent
from unmask.measures.sources import FRANCONI_POLETTINI
from unmask.measures.uniqueness.design import Design, check_fraction, design

#: Risks above which records are counted.
THRESHOLDS = (0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.5)
#: With more of the records unique, in a smaller sample than this, the model expects far too few matches.
MOST_UNIQUE, LARGE_SAMPLE = 0.4, 0.5
#: Counts above it take the series, of which so many terms leave an error below 1e-16.
LARGE, TERMS = 30.0, 36


@dataclass(frozen=True)
class IndividualRisk:
    """The expected 1 / F of each record's key, given its f in the sample (Franconi and Polettini 2004).

    F, the number of people with the key, given f is negative binomial with p = f / F', F' the sum of the
    weights of the records with the key, so that

        r = E(1 / F | f) = (p / f) 2F1(1, 1; f + 1; 1 - p)

    which is p/(1-p) log(1/p) for f = 1, and 1 / f for p = 1. It holds for any f above 0, also for one that is
    not whole, as where missing keys count ``alpha`` for one another. The value is the mean of r, n times it
    the expected number of re-identifications (Benedetti and Franconi 1998). ``approximate`` takes
    p / (f - 1 + p) for f above 2, as sdcMicro does by default.

    It looks at one key at a time, and takes a sample unique to be as common as the others. Where more than
    ``MOST_UNIQUE`` of the records are unique that is far too low, and it is not estimated.

    >>> negative_binomial_risk(np.array([1.0, 2.0, 3.0]), np.array([100.0, 200.0, 3.0])).round(4)
    array([0.0465, 0.0096, 0.3333])
    """

    fraction: float | None = None
    alpha: float = 1.0
    approximate: bool = False
    says_about: ClassVar[frozenset[ReleaseKind]] = TRUE_KEYS
    about: ClassVar[About] = About(
        "individual risk, from the survey weights",
        UNIQUENESS,
        "The expected number of right matches, from how many people each record stands for.",
        FRANCONI_POLETTINI,
    )

    def __post_init__(self) -> None:
        check_fraction(self.name, self.fraction)
        check_alpha(self.name, self.alpha)

    @property
    def name(self) -> str:
        """The name in tables."""
        return "individual-risk"

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs keys, weights or a sampling fraction, and keys that recur."""
        drawn = self._design(evidence)
        return drawn if isinstance(drawn, NotEstimable) else None

    def _design(self, evidence: FileEvidence) -> Design | NotEstimable:
        return recurring_design(evidence, self.fraction, why_no_keys)

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """The mean risk, with each record's."""
        drawn = self._design(evidence)
        if isinstance(drawn, NotEstimable):
            return (Row.none(self.name, drawn),)
        keys = released_keys(evidence)
        risk = self.risks(keys, drawn)
        expected = keys.total(risk)
        value = expected / len(keys)
        points = tuple(CurvePoint(at, keys.members(risk > at) / len(keys)) for at in THRESHOLDS)
        meaning = (
            f"Given the weights, {expected:,.1f} of {len(keys):,} records ({share_text(value)}) are "
            f"expected to be re-identified by a match on {described(keys.names)} with the population; the "
            f"record most at risk has a risk of {share_text(float(risk.max()))}."
        )
        estimate = Estimate(
            value, None, None, len(keys), 1 / drawn.population, meaning=meaning,
            per_record=keys.spread(risk), why=company(keys, keys.counts(self.alpha)),
            curve=Curve("risk that a share of the records exceeds", points),
        )  # fmt: skip
        return (Row.of(self.name, estimate),)

    def risks(self, keys: KeyClasses, drawn: Design) -> Floats:
        """The risk of the records of each class, worked out once."""
        name = ("individual risks", keys.names, self)
        return keys.evidence.cache.get(keys.evidence, name, lambda: self._risks(keys, drawn))

    def _risks(self, keys: KeyClasses, drawn: Design) -> Floats:
        counts = keys.counts(self.alpha)
        people = keys.class_sums(drawn.weights, self.alpha)
        # Most classes are small and weigh alike, so there are few pairs to work out.
        pairs = classes(pl.DataFrame({"counts": counts, "people": people}))
        form = approximate_risk if self.approximate else negative_binomial_risk
        return form(counts[pairs.first], people[pairs.first])[pairs.of]


def recurring_design(evidence: FileEvidence, fraction: float | None, *needs: Need) -> Design | NotEstimable:
    """The design of a release whose keys recur often enough for the negative binomial model, or why not."""
    drawn = design(evidence, fraction, *needs)
    if isinstance(drawn, NotEstimable) or drawn.fraction >= LARGE_SAMPLE:
        return drawn
    keys = released_keys(evidence)
    unique = keys.members(keys.counts() == 1) / len(keys)
    if unique <= MOST_UNIQUE:
        return drawn
    return NotEstimable(
        f"{percent(unique)} of the released records are unique, and this model looks at one key at a time: "
        "there it expects far too few right matches; log-linear-matches is nearer",
        declared=True,
    )


def negative_binomial_risk(f: Floats, people: Floats) -> Floats:
    """E(1 / F | f) of the negative binomial with p = f / people, without overflow for any f.

    The textbook form p^f / f 2F1(f, f; f + 1; 1 - p) overflows for large f; Euler's transformation makes it
    (p / f) 2F1(1, 1; f + 1; 1 - p), whose factors are moderate. Where f is large its series
    sum_j j! (1 - p)^j / ((f + 1) ... (f + j)) ends soon, while the library's function fails.
    """
    from scipy.special import hyp2f1

    p = np.clip(f / people, 0.0, 1.0)
    function = np.asarray(hyp2f1(1.0, 1.0, np.minimum(f, LARGE) + 1.0, 1.0 - p))
    large = f > LARGE
    term, total = np.ones(int(large.sum())), np.zeros(int(large.sum()))
    for j in range(1, TERMS):
        total += term
        term *= j * (1 - p[large]) / (f[large] + j)
    function[large] = total
    return np.asarray(p / f * function)


def approximate_risk(f: Floats, people: Floats) -> Floats:
    """The same with p / (f - 1 + p) for f above 2, where the two differ by little."""
    p = np.clip(f / people, 0.0, 1.0)
    rough = p / np.where(f > 2, f - 1 + p, 1.0)
    return np.where(p >= 1, 1 / f, np.where(f > 2, rough, negative_binomial_risk(f, people)))


def risk_threshold(risks: Floats, most: float) -> float | None:
    """The risk to which the higher ones must be brought for the mean risk to fall below ``most``.

    It is the highest level t of the risks, below the largest, with sum_i min(r_i, t) < most n; None where
    the mean is below ``most`` already, or no level is low enough.

    >>> risk_threshold(np.array([0.5, 0.1, 0.02, 0.02]), 0.05)
    0.02
    """
    n = len(risks)
    if risks.sum() < most * n:
        return None
    ascending = np.sort(risks)
    below = np.cumsum(ascending)
    levels = np.unique(ascending)[::-1]
    upto = np.searchsorted(ascending, levels, side="right")
    total = below[upto - 1] + levels * (n - upto)
    low = levels[(total < most * n) & (levels < levels[0])]
    return float(low[0]) if len(low) else None
