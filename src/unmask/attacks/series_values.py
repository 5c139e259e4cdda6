"""Series point by point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from unmask.about import About
from unmask.attacks.families import SERIES
from unmask.attacks.series import NIN_TORRA_2009, SeriesCoordinates
from unmask.linkage.series import SeriesPair


@dataclass(frozen=True)
class SeriesValues(SeriesCoordinates):
    """The released series at the smallest Euclidean distance, point by point (Nin and Torra 2009).

    d(x, y)^2 = sum_t ((x_t - mean_A) / sd_A - (y_t - mean_B) / sd_B)^2

    with the mean and deviation of all values of each file, so that a release in another unit is no escape.
    A point that the intruder did not see counts for nobody; a gap in a released series speaks neither for nor
    against a target (:func:`~unmask.linkage.series.space.series_space`). Grids of times that differ are
    aligned (:func:`~unmask.linkage.series.alignment.aligned`). ``clock=3``: the clocks may be 3 steps apart;
    ``normalised=yes``: every series is brought to mean 0 and deviation 1 first, and only its form counts.

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
    >>> matcher = SeriesValues().prepare(dossier, rng, LocalEngine())
    >>> matcher.links().belief_in(np.array([1, 2, 0]))
    array([1., 1., 1.])
    """

    about = About(
        title="series by their values",
        family=SERIES,
        sentence="The intruder takes the released series that is nearest point by point, both files brought "
        "to one scale.",
        source=f"{NIN_TORRA_2009}.",
        rank=1,
    )
    called: ClassVar[str] = "series-values"

    def coordinates(self, pair: SeriesPair) -> SeriesPair:
        """The points as they are."""
        return pair
