"""Series by their form: each at a level and a spread of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from unmask.about import About
from unmask.attacks.families import SERIES
from unmask.attacks.series import SeriesCoordinates
from unmask.linkage.series import SeriesPair, Ways, as_it_is, of_one_form


@dataclass(frozen=True)
class SeriesForm(SeriesCoordinates):
    """The released series at the smallest Euclidean distance of normal forms (Goldin and Kanellakis 1995).

    d(x, y)^2 = sum_t ((x_t - mean_x) / sd_x - (y_t - mean_y) / sd_y)^2

    with the mean and deviation of each series by itself, over the points that it shows: a release of shares
    of each person's mean, or in which each series was moved or stretched by a factor of its own, keeps every
    form. It is ``series-values:normalised=yes``, made without being named. For gaps and ``clock`` see there.

    >>> import numpy as np
    >>> from unmask.data.microdata import Microdata
    >>> from unmask.data.schema import Column, Schema
    >>> from unmask.data.shapes import SeriesContent
    >>> from unmask.engines import LocalEngine
    >>> from unmask.intruder.dossier import Dossier
    >>> load = SeriesContent(np.arange(3.0), np.array([[1.0, 4.0, 2.0], [6.0, 5.0, 1.0], [3.0, 3.0, 8.0]]))
    >>> people = Microdata(Schema((Column("level"), Column("spread"))), load.summary(), content=load)
    >>> shares = load.valued(load.values / load.values.mean(axis=1, keepdims=True))
    >>> release = people.containing(shares).take(np.array([2, 0, 1]))
    >>> dossier, rng = Dossier(people, release), np.random.default_rng(1)
    >>> matcher = SeriesForm().prepare(dossier, rng, LocalEngine())
    >>> matcher.links().belief_in(np.array([1, 2, 0]))
    array([1., 1., 1.])
    """

    about = About(
        title="series by their form",
        family=SERIES,
        sentence="The intruder brings each series to the same level and spread, and takes the released one "
        "that is nearest point by point then: made for series that were moved or stretched, each by itself.",
        source="D. Q. Goldin and P. C. Kanellakis (1995), On similarity queries for time-series data: "
        "constraint specification and implementation, Principles and Practice of Constraint Programming "
        "(CP 1995), LNCS 976, 137-153.",
        rank=8,
    )
    called: ClassVar[str] = "series-form"

    @property
    def tried_by(self) -> Ways:
        """Meanings and clocks are tried by forms where points do not tell."""
        return (as_it_is, of_one_form)

    def coordinates(self, pair: SeriesPair) -> SeriesPair:
        """The points of each series, at mean 0 and deviation 1."""
        return of_one_form(pair)
