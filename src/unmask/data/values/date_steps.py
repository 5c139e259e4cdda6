"""The steps in which dates are written: years, quarters, months, days, minutes, seconds."""

from __future__ import annotations

import numpy as np
import polars as pl

from unmask.data.values.dates import DateUnit, Floats

#: The units that are no fixed number of days, the longest first: as polars calls them, and their most days.
COARSE = {DateUnit.YEAR: ("1y", 366.0), DateUnit.QUARTER: ("1q", 92.0), DateUnit.MONTH: ("1mo", 31.0)}
#: How many steps of the others make a day.
FINE = (1, 1440, 86_400)


def nearest_starts(days: Floats, unit: DateUnit) -> Floats:
    """The first day of a month, quarter or year that is nearest to each day.

    >>> nearest_starts(np.array([3.0, 15.6, np.nan]), DateUnit.MONTH)
    array([ 0., 31., nan])
    """
    moments = pl.Series((days * 86_400e3), nan_to_null=True).round().cast(pl.Int64).cast(pl.Datetime("ms"))
    before = moments.dt.truncate(COARSE[unit][0])
    # The library's own rounding does not always take the nearer one: months differ in length.
    both = (before, before.dt.offset_by(COARSE[unit][0]))
    low, high = ((s.to_physical() / 86_400_000).cast(pl.Float64).fill_null(np.nan).to_numpy() for s in both)
    return np.where(days - low <= high - days, low, high)


def are_starts(days: Floats, unit: DateUnit) -> bool:
    """Whether every day is the first of its month, quarter or year."""
    present = days[~np.isnan(days)]
    return bool((nearest_starts(present, unit) == present).all())


def date_step(days: Floats) -> DateUnit | float:
    """What dates are written in: the unit whose first days all are, else a share of a day; 0: any time.

    >>> date_step(np.array([0.0, 31.0])), date_step(np.array([0.0, 30.0])), date_step(np.array([0.123456789]))
    (<DateUnit.MONTH: 'month'>, 1.0, 0.0)
    """
    present = days[~np.isnan(days)]
    for unit in COARSE:
        if are_starts(present, unit):
            return unit
    whole = (1 / n for n in FINE if np.allclose(present * n, np.rint(present * n), rtol=0, atol=1e-3))
    return next(whole, 0.0)
