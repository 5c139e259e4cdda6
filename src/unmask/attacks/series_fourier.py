"""Series by their slow movements: the first Fourier coefficients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from unmask.about import About
from unmask.attacks.families import SERIES
from unmask.attacks.series import SeriesCoordinates, at_least
from unmask.linkage.series import SeriesPair, fourier


@dataclass(frozen=True)
class SeriesFourier(SeriesCoordinates):
    """The nearest released series in the first Fourier coefficients (Agrawal, Faloutsos and Swami 1993).

    d(x, y)^2 = sum_{f < k} c_f |X_f - Y_f|^2,   X_f = T^(-1/2) sum_t x_t exp(-2 pi i f t / T)

    on the common scale of ``series-values``, with c_f = 2 where f stands for two of the T coefficients; all
    of them give the Euclidean distance (Parseval). ``coefficients``: k, from the level (f = 0) on. Noise from
    point to point spreads over all coefficients, and what people do lies mostly in the first. Gaps are
    filled on straight lines. For ``clock`` and ``normalised`` see ``series-values``.

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
    >>> matcher = SeriesFourier().prepare(dossier, rng, LocalEngine())
    >>> matcher.links().belief_in(np.array([1, 2, 0]))
    array([1., 1., 1.])
    """

    about = About(
        title="series by Fourier coefficients",
        family=SERIES,
        sentence="The intruder compares the slow movements of the series, in which noise from point to point "
        "averages out, and takes the released one that is nearest in them.",
        source="R. Agrawal, C. Faloutsos and A. Swami (1993), Efficient similarity search in sequence "
        "databases, Foundations of Data Organization and Algorithms (FODO 1993), LNCS 730, 69-84.",
        rank=3,
    )
    called: ClassVar[str] = "series-fourier"

    coefficients: int = 8

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least(self.called, "coefficients", self.coefficients, 1)

    def coordinates(self, pair: SeriesPair) -> SeriesPair:
        """Real and imaginary parts of the first coefficients."""
        return fourier(pair, self.coefficients)
