"""Series by their coarse form: the first Haar wavelet coefficients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from unmask.about import About
from unmask.attacks.families import SERIES
from unmask.attacks.series import SeriesCoordinates, at_least
from unmask.linkage.series import SeriesPair, wavelets


@dataclass(frozen=True)
class SeriesWavelets(SeriesCoordinates):
    """The nearest released series in the coarsest Haar wavelet coefficients (Chan and Fu 1999).

    d(x, y)^2 = sum_{j < k} (W_j(x) - W_j(y))^2,   W the orthonormal Haar transform

    on the common scale of ``series-values``: the level, then how the halves differ, then how the quarters do,
    and so on; all coefficients give the Euclidean distance. ``coefficients``: k. A change at one time moves
    few of them, where it moves all of Fourier's. Gaps are filled on straight lines. For ``clock`` and
    ``normalised`` see ``series-values``.

    >>> import numpy as np
    >>> from unmask.data.microdata import Microdata
    >>> from unmask.data.schema import Column, Schema
    >>> from unmask.data.shapes import SeriesContent
    >>> from unmask.engines import LocalEngine
    >>> from unmask.intruder.dossier import Dossier
    >>> load = SeriesContent(np.arange(3.0), np.array([[1.0, 4.0, 2.0], [6.0, 5.0, 1.0], [3.0, 3.0, 8.0]]))
    >>> people = Microdata(Schema((Column("level"), Column("spread"))), load.summary(), content=load)
    >>> release = people.containing(load.valued(np.round(1.7 * load.values + 0.2))).take(np.array([2, 0, 1]))
    >>> dossier, rng = Dossier(people, release), np.random.default_rng(1)
    >>> matcher = SeriesWavelets().prepare(dossier, rng, LocalEngine())
    >>> matcher.links().belief_in(np.array([1, 2, 0]))
    array([1., 1., 1.])
    """

    about = About(
        title="series by wavelets",
        family=SERIES,
        sentence="The intruder compares the level of the series and how its halves, quarters and eighths "
        "differ, in which short disturbances count little, and takes the released one that is nearest.",
        source="K.-P. Chan and A. W.-C. Fu (1999), Efficient time series matching by wavelets, Proceedings "
        "of the 15th International Conference on Data Engineering (ICDE 1999), 126-133.",
        rank=5,
    )
    called: ClassVar[str] = "series-wavelets"

    coefficients: int = 16

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least(self.called, "coefficients", self.coefficients, 1)

    def coordinates(self, pair: SeriesPair) -> SeriesPair:
        """The coarsest coefficients."""
        return wavelets(pair, self.coefficients)
