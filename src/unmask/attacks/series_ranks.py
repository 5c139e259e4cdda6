"""Series by the places of their points in the file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from unmask.about import About
from unmask.attacks.families import SERIES
from unmask.attacks.series import SeriesCoordinates
from unmask.linkage.series import SeriesPair, ranks


@dataclass(frozen=True)
class SeriesRanks(SeriesCoordinates):
    """The nearest released series in the ranks of its points, time by time.

    d(x, y)^2 = sum_t (r_t(x) - s_t(y))^2

    with r_t and s_t the mid-rank among the values of each file at time t, over their number: rank-based
    linkage (Muralidhar and Domingo-Ferrer 2016) of series. Values that were stretched or bent, time by time,
    keep their places. For gaps, ``clock`` and ``normalised`` see ``series-values``.

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
    >>> matcher = SeriesRanks().prepare(dossier, rng, LocalEngine())
    >>> matcher.links().belief_in(np.array([1, 2, 0]))
    array([1., 1., 1.])
    """

    about = About(
        title="series by ranks",
        family=SERIES,
        sentence="The intruder compares at each time the place of a series among all of its file, and takes "
        "the released one whose places differ least: made for points that were swapped with near ones.",
        source="K. Muralidhar and J. Domingo-Ferrer (2016), Rank-based record linkage for re-identification "
        "risk assessment, Privacy in Statistical Databases (PSD 2016), Springer.",
        rank=6,
    )
    called: ClassVar[str] = "series-ranks"

    def coordinates(self, pair: SeriesPair) -> SeriesPair:
        """The place of each point among those of its time."""
        return ranks(pair)
