"""Spectrum: whether series still have the same rhythms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats
from unmask.linkage.series.scale import interpolated
from unmask.losses.base import Values
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import SERIES
from unmask.losses.series import BothSeries, why_not_series
from unmask.measures.estimate import NotEstimable, Unit


@dataclass(frozen=True)
class SeriesSpectrum:
    """The share of the mean spectrum that is at other frequencies (Schuster 1898; Nin and Torra 2009).

        1/2 sum_f |p_f - q_f|,   p_f = mean over people of |X_f|^2 / sum_g |X_g|^2,   f, g = 1, ..., T/2

    with X the Fourier coefficients of a series of the original, and q the same of the release: 0 is the same
    rhythms, 1 no rhythm in common. Nobody need have a record of their own. Series that do not vary have no
    rhythm and are left out; a release of which none varies has lost all: 1. Gaps are filled on straight
    lines, and a released value stands from its time to the next one. With weights, means are weighted.

    >>> from unmask.data.shapes import SeriesContent
    >>> from unmask.losses.evidence import Side
    >>> slow, quick = np.array([[1.0, 1.0, 0.0, 0.0]]), np.array([[1.0, 0.0, 1.0, 0.0]])
    >>> x, y = (Side({}, np.ones(1), SeriesContent(np.arange(4.0), v)) for v in (slow, quick))
    >>> SeriesSpectrum().values(LossEvidence((), x, y, np.arange(1)))[None]
    1.0
    """

    name: ClassVar[str] = "series-spectrum"
    shape: ClassVar[str] = "series"
    unit: ClassVar[Unit] = Unit.SHARE
    about = About(
        title="difference of spectra",
        family=SERIES,
        sentence="Which share of the movements of series is in other rhythms than before.",
        source="A. Schuster (1898), On the investigation of hidden periodicities, Terrestrial Magnetism 3, "
        "13-41; J. Nin and V. Torra (2009), Towards the evaluation of time series protection methods, "
        "Information Sciences 179(11), 1663-1677.",
        rank=3,
    )

    def why_not(self, evidence: LossEvidence) -> NotEstimable | None:
        """It needs series."""
        return why_not_series(evidence)

    def values(self, evidence: LossEvidence) -> Values:
        """The distance of the two mean spectra."""
        both = BothSeries.of(evidence)
        if isinstance(both, NotEstimable):
            return {None: both}
        before = mean_spectrum(both.times, both.original, both.weights)
        after = mean_spectrum(both.times, both.released, both.released_weights)
        if before is None:
            return {None: NotEstimable("no series varies in the original")}
        return {None: 1.0 if after is None else min(1.0, float(np.abs(before - after).sum() / 2))}


def mean_spectrum(times: Floats, values: Floats, weights: Floats) -> Floats | None:
    """The mean over people of the share of each frequency; None where no series varies."""
    full = interpolated(times, values)
    there = np.flatnonzero(~np.isnan(full).any(axis=1))
    # What rounding leaves of a constant series is no rhythm.
    there = there[np.ptp(full[there], axis=1) > 1e-10 * np.abs(full[there]).max(axis=1)]
    if not len(there):
        return None
    power = np.abs(np.fft.rfft(full[there], axis=1)[:, 1:]) ** 2
    if values.shape[1] % 2 == 0:
        power[:, -1] /= 2  # the last frequency stands for one coefficient, every other for two
    shares = power / power.sum(axis=1, keepdims=True)
    return np.asarray(np.average(shares, axis=0, weights=weights[there]))
