"""Series by how they rise and fall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from unmask.about import About
from unmask.attacks.families import SERIES
from unmask.attacks.series import SeriesCoordinates
from unmask.linkage.series import SeriesPair, slopes


@dataclass(frozen=True)
class SeriesSlopes(SeriesCoordinates):
    """The released series at the smallest short time series distance (Möller-Levet and others 2003).

    d(x, y)^2 = sum_t ((x_{t+1} - x_t) / (t_{t+1} - t_t) - (y_{t+1} - y_t) / (t_{t+1} - t_t))^2

    on the common scale of ``series-values``. A level that was shifted does not matter, and errors that last
    matter less than errors that change from point to point. A slope is missing where either point is. For
    ``clock`` and ``normalised`` see ``series-values``.

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
    >>> matcher = SeriesSlopes().prepare(dossier, rng, LocalEngine())
    >>> matcher.links().belief_in(np.array([1, 2, 0]))
    array([1., 1., 1.])
    """

    about = About(
        title="series by their slopes",
        family=SERIES,
        sentence="The intruder compares how the series rise and fall from each point to the next, and takes "
        "the released one that does so most alike, whatever its level.",
        source="C. S. Möller-Levet, F. Klawonn, K.-H. Cho and O. Wolkenhauer (2003), Fuzzy clustering of "
        "short time-series and unevenly distributed sampling points, Advances in Intelligent Data Analysis "
        "V, LNCS 2810, 330-340.",
        rank=2,
    )
    called: ClassVar[str] = "series-slopes"

    def coordinates(self, pair: SeriesPair) -> SeriesPair:
        """From each point to the next."""
        return slopes(pair)
