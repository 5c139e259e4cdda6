"""Series by which values they have, whenever they had them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from unmask.about import About
from unmask.attacks.families import SERIES
from unmask.attacks.series import SeriesCoordinates
from unmask.linkage.series import SeriesPair, Ways, quantiles


@dataclass(frozen=True)
class SeriesDistribution(SeriesCoordinates):
    """The released series whose values have the nearest distribution, whenever they were there.

    d(x, y)^2 = sum_k (x_(k) - y_(k))^2,   x_(1) <= x_(2) <= ... the values of x in ascending order

    on the common scale of ``series-values``: T times the square of the Wasserstein distance of order 2
    between the values of both series (Peyré and Cuturi 2019). Naini and others (2016) found users by
    histograms. Series whose points were shuffled or sorted, each by itself, keep all of it. A series with
    gaps counts by quantiles at the T levels (k - 1/2) / T, on straight lines between its own. A clock that is
    off changes nothing but the ends, and is looked for only if ``clock`` asks for it. For it and for
    ``normalised`` see ``series-values``.

    >>> import numpy as np
    >>> from unmask.data.microdata import Microdata
    >>> from unmask.data.schema import Column, Schema
    >>> from unmask.data.shapes import SeriesContent
    >>> from unmask.engines import LocalEngine
    >>> from unmask.intruder.dossier import Dossier
    >>> load = SeriesContent(np.arange(3.0), np.array([[1.0, 4.0, 2.0], [6.0, 5.0, 1.0], [3.0, 3.0, 8.0]]))
    >>> people = Microdata(Schema((Column("level"), Column("spread"))), load.summary(), content=load)
    >>> shuffled = load.valued(np.random.default_rng(3).permuted(load.values, axis=1))
    >>> release = people.containing(shuffled).take(np.array([2, 0, 1]))
    >>> dossier, rng = Dossier(people, release), np.random.default_rng(1)
    >>> matcher = SeriesDistribution().prepare(dossier, rng, LocalEngine())
    >>> matcher.links().belief_in(np.array([1, 2, 0]))
    array([1., 1., 1.])
    """

    about = About(
        title="series by the distribution of their values",
        family=SERIES,
        sentence="The intruder compares which values the series have, whenever they had them, and takes the "
        "released one that has the most alike: made for series whose points were shuffled or sorted.",
        source="F. M. Naini, J. Unnikrishnan, P. Thiran and M. Vetterli (2016), Where you are is who you "
        "are: user identification by matching statistics, IEEE Transactions on Information Forensics and "
        "Security 11(2), 358-372; G. Peyré and M. Cuturi (2019), Computational optimal transport, "
        "Foundations and Trends in Machine Learning 11(5-6), 355-607, section 2.6.",
        rank=9,
    )
    called: ClassVar[str] = "series-distribution"
    #: Without their order, values do not tell totals from noise.
    totals: ClassVar[bool] = False

    clock: int | None = 0

    @property
    def tried_by(self) -> Ways:
        """The other sign is tried by the values in ascending order too."""
        return (quantiles,)

    def coordinates(self, pair: SeriesPair) -> SeriesPair:
        """The values of each series in ascending order."""
        return quantiles(pair)
