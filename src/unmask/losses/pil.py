"""PIL: whether statistics moved by more than chance would move them."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats
from unmask.losses.base import Values, averaged
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import MOMENTS
from unmask.losses.ordered import QUANTILES, Ordered
from unmask.losses.pair_moments import PairMoments
from unmask.losses.scaled import NO_NUMBERS, Scaled
from unmask.measures.estimate import NotEstimable, Unit

#: A difference below this, in standard deviations, is what rounding leaves.
ROUNDING = 1e-12


@dataclass(frozen=True)
class PIL:
    """The probabilistic information loss of statistics (Mateo-Sanz, Domingo-Ferrer and Sebe 2005).

    For a statistic with the value t in the original, t' in the release and the standard error se:

        PIL = 2 Phi(|t' - t| / se) - 1

    the probability that chance alone moves the statistic by less than the mask did. Averaged over the means,
    the variances, the covariances, the correlations and the quantiles (5%, 10%, ..., 95%), then over these
    five. 0 is nothing lost, 1 is a difference that a sample of this size would never show; drawing the
    people again gives about one half (less of coarse numbers, whose quantiles stay where they are).

    Since se shrinks with the number of records n, PIL judges what a file of *this size* can tell: in a large
    file a small difference counts in full. No distribution is assumed: se of a mean is sqrt(mu2 / n), of a
    covariance sqrt((mu22 - mu11^2) / n) and of a correlation by the delta method, with the moments found; of
    a quantile sqrt(q (1 - q) / n) / f, with the density f in a box around it. n is the number of
    original records that have the value, or both; with weights the effective one of Kish (1965). Where se is
    0, as where nothing varies, any difference counts 1, and so does a statistic that the release
    cannot give. One that the original cannot give is left out.

    >>> from unmask.data.schema import Kind
    >>> from unmask.losses.evidence import LossAttribute, Side
    >>> x = np.arange(100.0)
    >>> both = (Side({"age": x}, np.ones(100)), Side({"age": x + 2.9}, np.ones(100)))
    >>> lost = PIL().values(LossEvidence((LossAttribute("age", Kind.NUMERIC),), *both, np.arange(100)))
    >>> round(lost["means"], 3), round(lost["variances"], 3)  # moved by one standard error; not at all
    (0.685, 0.0)
    """

    name: ClassVar[str] = "pil"
    unit: ClassVar[Unit] = Unit.SHARE
    about = About(
        title="probabilistic information loss (PIL)",
        family=MOMENTS,
        sentence="How likely chance alone moves means, variances, correlations and quantiles by less than "
        "they moved: about one half is what drawing the people again gives.",
        source="J. M. Mateo-Sanz, J. Domingo-Ferrer and F. Sebe (2005), Probabilistic information loss "
        "measures in confidentiality protection of continuous microdata, Data Mining and Knowledge "
        "Discovery 11(2), 181-193.",
        rank=1,
    )

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs numbers."""
        return None if evidence.numeric else NO_NUMBERS

    def values(self, evidence: LossEvidence) -> Values:
        """The mean over the kinds of statistics, and each."""
        scaled = Scaled.of(evidence)
        x, y = PairMoments.of(scaled.original, scaled.weights[0], 4), scaled.after
        pairs = np.triu_indices(len(scaled.names), 1)
        of_covariance, of_correlation = _covariance_error(x), _correlation_error(x)
        parts = {
            "means": _moved(x.means, y.means, np.sqrt(np.diag(x.central(1, 1)) / np.diag(x.size))),
            "variances": _moved(*(np.diag(a) for a in (x.covariance, y.covariance, of_covariance))),
            "covariances": _moved(*(a[pairs] for a in (x.covariance, y.covariance, of_covariance))),
            "correlations": _moved(*(a[pairs] for a in (x.correlation, y.correlation, of_correlation))),
            "quantiles": _moved(*_quantiles(scaled)),
        }
        return averaged(parts, "no statistic can be computed from the original")


def _moved(before: Floats, after: Floats, error: Floats) -> float | NotEstimable:
    """The mean of 2 Phi(|t' - t| / se) - 1 over the statistics that the original gives."""
    from scipy.special import erf

    known = ~np.isnan(before)
    if not known.any():
        return NotEstimable("the original gives no such statistic")
    moved, error = np.abs(after - before)[known], error[known]
    # No error and any difference at all: as unlikely as can be. So is a statistic that is gone.
    unlikely = np.ones(len(moved))
    some = (error > 0) & ~np.isnan(moved)
    unlikely[some] = erf(moved[some] / error[some] / sqrt(2))
    return float(np.where(moved <= ROUNDING, 0.0, unlikely).mean())


def _root(variance: Floats) -> Floats:
    """Rounding may leave a variance of 0 below it."""
    return np.asarray(np.sqrt(np.maximum(variance, 0.0)))


def _covariance_error(x: PairMoments) -> Floats:
    return _root((x.central(2, 2) - x.central(1, 1) ** 2) / x.size)


def _correlation_error(x: PairMoments) -> Floats:
    """By the delta method: the variance of u v - r (u^2 + v^2) / 2, with u and v standardised."""
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = x.central(2, 0)
        deviation, r = np.sqrt(spread), x.correlation
        both = x.central(2, 2) / (spread * spread.T)
        skew = x.central(3, 1) / (deviation**3 * deviation.T)
        tail = x.central(4, 0) / spread**2
        return _root((both - r * (skew + skew.T) + r**2 / 4 * (tail + 2 * both + tail.T)) / x.size)


def _quantiles(scaled: Scaled) -> tuple[Floats, Floats, Floats]:
    """The quantiles of all attributes in both files, and their errors."""
    here = [Ordered.of(x, scaled.weights[0]) for x in scaled.original.T]
    there = [Ordered.of(y, scaled.weights[1]) for y in scaled.released.T]
    return (
        np.concatenate([one.quantiles(QUANTILES) for one in here]),
        np.concatenate([one.quantiles(QUANTILES) for one in there]),
        np.concatenate([one.errors(QUANTILES) for one in here]),
    )
