"""What attacks on series share: both files on one grid, one clock and one scale; then the nearest series."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.attacks.base import Usual
from unmask.data.shapes.series import SeriesContent
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.linkage.aggregations import Sum
from unmask.linkage.decisions import NearestRecord, nearest_record
from unmask.linkage.series import (
    SeriesPair,
    Ways,
    aligned,
    as_it_is,
    as_meant,
    of_one_form,
    on_one_clock,
    on_one_scale,
    series_space,
)
from unmask.parsing import written

NIN_TORRA_2009 = (
    "J. Nin and V. Torra (2009), Towards the evaluation of time series protection methods, Information "
    "Sciences 179(11), 1663-1677"
)


@dataclass(frozen=True)
class SeriesAttack:
    """An attack on series; how they are compared, a subclass says.

    ``clock``: the two clocks may be so many steps apart, and the intruder finds out how many
    (:func:`~unmask.linkage.series.clock.on_one_clock`); 0: they agree. ``normalised``: every series is
    brought to mean 0 and deviation 1 first.
    """

    shape: ClassVar[str] = "series"
    called: ClassVar[str]
    usual: ClassVar[Usual] = Usual.CONTENT
    #: Whether values of one file may be running totals of the other.
    totals: ClassVar[bool] = True

    clock: int | None = None
    normalised: bool = False

    def __post_init__(self) -> None:
        if self.clock is not None:
            at_least(self.called, "clock", self.clock, 0)

    @property
    def name(self) -> str:
        """The name in tables."""
        return written(self.called, self)

    def pair(self, dossier: Dossier) -> SeriesPair:
        """The series of both files on one grid, one clock and one scale."""
        known, released = dossier.contents(SeriesContent, self.name)
        meant = as_meant(aligned(known, released), self.tried_by, self.totals)
        return on_one_scale(on_one_clock(meant, self.clock, self.tried_by), each=self.normalised)

    @property
    def tried_by(self) -> Ways:
        """What is compared where meanings and clocks are tried: points, then forms where only these count."""
        return (as_it_is, of_one_form) if self.normalised else (as_it_is,)


@dataclass(frozen=True)
class SeriesCoordinates(SeriesAttack):
    """An attack that compares coordinates of series."""

    def coordinates(self, pair: SeriesPair) -> SeriesPair:
        """What of the series is compared, as columns."""
        raise NotImplementedError

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> NearestRecord:
        """Bring both files to one scale; coordinates; sum of squares; nearest."""
        space = series_space(self.coordinates(self.pair(dossier)), engine.room)
        return nearest_record(dossier, space, Sum(power=2), engine)


def at_least(attack: str, parameter: str, value: object, least: int) -> None:
    """An error where a parameter is no whole number of at least so many."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ArgumentError(
            f"{attack}: {parameter} is no whole number of at least {least}",
            hint=f"write {attack}:{parameter}={least + 1}",
        )
