"""Series by their rhythms: the amplitudes of Fourier coefficients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from unmask.about import About
from unmask.attacks.families import SERIES
from unmask.attacks.series import SeriesCoordinates, at_least
from unmask.linkage.series import SeriesPair, amplitudes


@dataclass(frozen=True)
class SeriesAmplitudes(SeriesCoordinates):
    """The nearest released series in the amplitudes of the first Fourier coefficients.

    d(x, y)^2 = sum_{f < k} c_f (|X_f| - |Y_f|)^2,   X_f as in ``series-fourier`` (Agrawal and others 1993)

    A series that is moved along a closed clock has the same amplitudes, however far each person's was moved;
    one that is moved off the end has nearly the same. ``coefficients``: k, from the level (f = 0) on. Gaps
    are filled on straight lines. For ``clock`` and ``normalised`` see ``series-values``.

    >>> import numpy as np
    >>> from unmask.data.microdata import Microdata
    >>> from unmask.data.schema import Column, Schema
    >>> from unmask.data.shapes import SeriesContent
    >>> from unmask.engines import LocalEngine
    >>> from unmask.intruder.dossier import Dossier
    >>> load = SeriesContent(np.arange(3.0), np.array([[1.0, 4.0, 2.0], [6.0, 5.0, 1.0], [3.0, 3.0, 8.0]]))
    >>> people = Microdata(Schema((Column("level"), Column("spread"))), load.summary(), content=load)
    >>> release = people.containing(load.valued(np.roll(load.values, 1, axis=1))).take(np.array([2, 0, 1]))
    >>> dossier, rng = Dossier(people, release), np.random.default_rng(1)
    >>> matcher = SeriesAmplitudes().prepare(dossier, rng, LocalEngine())
    >>> matcher.links().belief_in(np.array([1, 2, 0]))
    array([1., 1., 1.])
    """

    about = About(
        title="series by amplitudes",
        family=SERIES,
        sentence="The intruder compares how strong each rhythm of the series is, whenever it begins, and "
        "takes the released one that is nearest in that: made for series whose time was shifted.",
        source="R. Agrawal, C. Faloutsos and A. Swami (1993), Efficient similarity search in sequence "
        "databases, Foundations of Data Organization and Algorithms (FODO 1993), LNCS 730, 69-84.",
        rank=4,
    )
    called: ClassVar[str] = "series-amplitudes"

    coefficients: int = 16

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least(self.called, "coefficients", self.coefficients, 1)

    def coordinates(self, pair: SeriesPair) -> SeriesPair:
        """The absolute values of the first coefficients."""
        return amplitudes(pair, self.coefficients)
