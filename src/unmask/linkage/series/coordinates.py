"""Coordinates of series: what of two series is compared, as columns whose squared differences add up.

Each function takes both files on one scale and gives them as coordinates, one row per person.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from unmask.data.microdata import Floats
from unmask.linkage.axes import FEW
from unmask.linkage.series.pair import SeriesPair
from unmask.linkage.series.sampled import places
from unmask.linkage.series.scale import filled

#: A level of quantiles is the middle of its share of the values.
HALF = 0.5


def slopes(pair: SeriesPair) -> SeriesPair:
    """(x_{t+1} - x_t) / (time from t to t+1), the latter in usual steps; missing where either point is.

    >>> x = np.array([[1.0, 3.0, 3.0]])
    >>> slopes(SeriesPair(np.array([0.0, 1.0, 3.0]), x, x)).known
    array([[3., 0.]])
    """
    steps = np.diff(pair.times)
    steps = steps / np.median(steps)
    known, released = (np.diff(side, axis=1) / steps for side in (pair.known, pair.released))
    return replace(pair, known=known, released=released, times=pair.times[:-1])


def fourier(pair: SeriesPair, coefficients: int) -> SeriesPair:
    """Real and imaginary parts of the first Fourier coefficients, so that all of them keep distances.

    X_f = T^(-1/2) sum_t x_t exp(-2 pi i f t / T), f = 0, 1, ...; every f that stands for two of the T
    coefficients is multiplied by the root of 2 (Parseval's equation).

    >>> x = np.array([[1.0, 3.0, 2.0, 2.0]])
    >>> fourier(SeriesPair(np.arange(4.0), x, x), 2).known.round(3) + 0.0
    array([[ 4.   , -0.707, -0.707]])
    """

    def coordinates(values: Floats) -> Floats:
        found = _spectrum(values, coefficients)
        parts = np.stack((found.real, found.imag), axis=2).reshape(len(values), -1)
        # The level has no imaginary part, nor has the last coefficient of a series of even length.
        alone = [1] + ([2 * found.shape[1] - 1] if _last_alone(values, found.shape[1]) else [])
        return np.delete(parts, alone, axis=1)

    return _changed(filled(pair), coordinates)


def amplitudes(pair: SeriesPair, coefficients: int) -> SeriesPair:
    """The absolute values of the first Fourier coefficients: a series that begins later has the same.

    >>> x = np.array([[1.0, 3.0, 2.0, 2.0], [3.0, 2.0, 2.0, 1.0]])
    >>> amplitudes(SeriesPair(np.arange(4.0), x, x), 3).known.round(3)
    array([[4., 1., 1.],
           [4., 1., 1.]])
    """
    return _changed(filled(pair), lambda values: np.abs(_spectrum(values, coefficients)))


def _spectrum(values: Floats, coefficients: int) -> np.ndarray[tuple[int, ...], np.dtype[np.complex128]]:
    found = np.fft.rfft(values, axis=1, norm="ortho")
    twice = np.full(found.shape[1], np.sqrt(2.0))
    twice[0] = 1.0
    if _last_alone(values, found.shape[1]):
        twice[-1] = 1.0
    return np.asarray(found * twice, np.complex128)[:, :coefficients]


def _last_alone(values: Floats, found: int) -> bool:
    """Whether the last of so many coefficients stands for one of the T only."""
    points = int(values.shape[1])
    return points % 2 == 0 and found == points // 2 + 1


def wavelets(pair: SeriesPair, coefficients: int) -> SeriesPair:
    """The first coefficients of the orthonormal Haar transform, from the coarsest on.

    Sums and differences of neighbours, over the root of 2, then of the sums, and so on. Series are filled
    up with zeros (the mean, on a common scale) to a power of 2, so that all coefficients keep distances.

    >>> x = np.array([[1.0, 3.0, 2.0, 2.0]])
    >>> wavelets(SeriesPair(np.arange(4.0), x, x), 4).known.round(3)
    array([[ 4.   ,  0.   , -1.414,  0.   ]])
    """

    def coordinates(values: Floats) -> Floats:
        size = 1 << int(values.shape[1] - 1).bit_length()
        rest = np.pad(values, ((0, 0), (0, size - values.shape[1])))
        details: list[Floats] = []
        while rest.shape[1] > 1:
            left, right = rest[:, ::2], rest[:, 1::2]
            details.append((left - right) / np.sqrt(2.0))
            rest = (left + right) / np.sqrt(2.0)
        return np.hstack([rest, *reversed(details)])[:, :coefficients]

    return _changed(filled(pair), coordinates)


def shortened(pair: SeriesPair, most: int) -> SeriesPair:
    """Series of at most so many points: the means of as many successive points, the last of the rest.

    >>> x = np.array([[1.0, 3.0, 2.0, 2.0, 5.0]])
    >>> shortened(SeriesPair(np.arange(5.0), x, x), 3).known
    array([[2., 2., 5.]])
    """
    points = len(pair.times)
    if points <= most:
        return pair
    first = np.arange(0, points, -(-points // most))
    length = np.diff(np.append(first, points))
    known, released = (np.add.reduceat(side, first, axis=1) / length for side in (pair.known, pair.released))
    means = replace(pair, times=pair.times[first], known=known, released=released)
    return means.noted(f"series of {points:,} points are warped by the means of {length[0]} successive ones")


def ranks(pair: SeriesPair) -> SeriesPair:
    """The place of each value among those of its file at the same time: mid-rank over their number.

    The few people whom an intruder knows (see FEW) get the places that they would have in the release.

    >>> x = np.array([[1.0, 9.0], [5.0, 9.0], [3.0, np.nan]])
    >>> ranks(SeriesPair(np.arange(2.0), x, x)).known.round(3)
    array([[0.167, 0.5  ],
           [0.833, 0.5  ],
           [0.5  ,   nan]])
    """
    few = len(pair.known) < min(FEW, len(pair.released))
    known, released = np.empty_like(pair.known), np.empty_like(pair.released)
    for t in range(known.shape[1]):
        there = np.sort(pair.released[:, t][~np.isnan(pair.released[:, t])])
        here = there if few else np.sort(pair.known[:, t][~np.isnan(pair.known[:, t])])
        known[:, t] = places(pair.known[:, t], here)
        released[:, t] = places(pair.released[:, t], there)
    return replace(pair, known=known, released=released)


def quantiles(pair: SeriesPair) -> SeriesPair:
    """The values of each series in ascending order: quantiles at the levels (k - 1/2) / T.

    A series with gaps has fewer values; its quantiles lie on straight lines between them (definition 5 of
    Hyndman and Fan 1996), and before the first and after the last that one stands.

    >>> x = np.array([[1.0, 4.0, 2.0, 3.0], [3.0, np.nan, 1.0, np.nan]])
    >>> quantiles(SeriesPair(np.arange(4.0), x, x)).known
    array([[1. , 2. , 3. , 4. ],
           [1. , 1.5, 2.5, 3. ]])
    """
    known, released = (_quantiles(side) for side in (pair.known, pair.released))
    return replace(pair, known=known, released=released)


def _quantiles(values: Floats) -> Floats:
    """The quantiles of each series, as many as there are times; an empty one has none."""
    ordered = np.sort(values, axis=1)  # gaps come last
    points, count = values.shape[1], (~np.isnan(values)).sum(axis=1)
    for row in np.flatnonzero((count > 0) & (count < points)):
        levels = (np.arange(points) + HALF) * count[row] / points - HALF
        ordered[row] = np.interp(levels, np.arange(count[row]), ordered[row, : count[row]])
    return ordered


def _changed(pair: SeriesPair, change: Callable[[Floats], Floats]) -> SeriesPair:
    """Filled series as coordinates; an empty series has none, whatever the change makes of gaps."""
    known, released = (
        np.where(np.isnan(side).any(axis=1, keepdims=True), np.nan, change(side))
        for side in (pair.known, pair.released)
    )
    return replace(pair, known=known, released=released, times=np.arange(float(known.shape[1])))
