"""Times since each person's own first point: what a clock of their own cannot hide."""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Floats
from unmask.data.shapes.series import SeriesContent

#: Times since a start are the same to this share of a step.
SAME_TIME = 1e-6
#: More times than so many times those of the file are no common grid.
MOST = 2


def from_own_start(
    known: SeriesContent, released: SeriesContent
) -> tuple[SeriesContent, SeriesContent] | None:
    """Both files by the time since the first point of each series; None where released ones begin together.

    Moving the dates of each person by a number of days of their own (Hripcsak and others 2016) leaves the
    times between their points. It is one reading of several, and counts where it brings the files nearer.

    >>> nan = np.nan
    >>> visits = SeriesContent(np.arange(4.0), np.array([[1.0, 3.0, 2.0, nan], [nan, 5.0, 6.0, 4.0]]))
    >>> from_own_start(visits, visits)[1].values
    array([[1., 3., 2.],
           [5., 6., 4.]])
    """
    starts = [_starts(side) for side in (known, released)]
    if len(np.unique(starts[1][starts[1] >= 0])) < 2:
        return None
    moved = [_moved(side, start) for side, start in zip((known, released), starts, strict=True)]
    return None if moved[0] is None or moved[1] is None else (moved[0], moved[1])


def _starts(content: SeriesContent) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """The place of the first point of each series; -1 for none."""
    present = ~np.isnan(content.values)
    return np.where(present.any(axis=1), present.argmax(axis=1), -1)


def _moved(content: SeriesContent, start: Floats | np.ndarray) -> SeriesContent | None:
    """Each series by the time since its start, on the grid of all these times; None where there is none."""
    step = float(np.median(np.diff(content.times)))
    row, column = np.nonzero(~np.isnan(content.values))
    since = np.round((content.times[column] - content.times[start[row]]) / step / SAME_TIME) * SAME_TIME
    grid, place = np.unique(since, return_inverse=True)
    if not 2 <= len(grid) <= MOST * len(content.times):
        return None
    values = np.full((len(content), len(grid)), np.nan)
    values[row, place] = content.values[row, column]
    return SeriesContent(grid * step, values)
