"""Series under a clock that may run faster or slower: dynamic time warping."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.attacks.families import SERIES
from unmask.attacks.series import SeriesAttack, at_least
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.linkage.blocking import blocks_of
from unmask.linkage.series import filled, shortened
from unmask.linkage.warping import WarpingMatcher, nearest_warped


@dataclass(frozen=True)
class SeriesDTW(SeriesAttack):
    """The released series at the least distance under dynamic time warping (Sakoe and Chiba 1978).

    D(s, t) = (x_s - y_t)^2 + min(D(s-1, t), D(s, t-1), D(s-1, t-1)),   |s - t| <= w,   d(x, y)^2 = D(T, T)

    on the common scale of ``series-values``: the least sum of squares when either series may wait for the
    other, up to w steps. ``window``: w as a share of the T points, rounded up; 0 is the Euclidean distance.
    The search is exact: series are left out only by bounds from below (Keogh and Ratanamahatana 2005). A
    table of T points takes w T steps, so longer series than ``points`` are warped by the means of successive
    points (Keogh and Pazzani 2000), and a note says so. Gaps are filled on straight lines. For
    ``clock`` and ``normalised`` see ``series-values``.

    >>> import numpy as np
    >>> from unmask.data.microdata import Microdata
    >>> from unmask.data.schema import Column, Schema
    >>> from unmask.data.shapes import SeriesContent
    >>> from unmask.engines import LocalEngine
    >>> load = SeriesContent(np.arange(4.0), np.array([[0.0, 9.0, 0.0, 0.0], [4.0, 4.0, 0.0, 0.0]]))
    >>> people = Microdata(Schema((Column("level"), Column("spread"))), load.summary(), content=load)
    >>> later = load.valued(np.array([[0.0, 0.0, 9.0, 0.0], [4.0, 4.0, 4.0, 0.0]]))
    >>> dossier = Dossier(people, people.containing(later))
    >>> matcher = SeriesDTW().prepare(dossier, np.random.default_rng(1), LocalEngine())
    >>> matcher.links().belief_in(np.array([0, 1]))
    array([1., 1.])
    """

    about = About(
        title="series under a warped clock",
        family=SERIES,
        sentence="The intruder lets each series run a little faster or slower so that it fits the other one "
        "best, and takes the released one that is nearest then.",
        source="H. Sakoe and S. Chiba (1978), Dynamic programming algorithm optimization for spoken word "
        "recognition, IEEE Transactions on Acoustics, Speech, and Signal Processing 26(1), 43-49; E. Keogh "
        "and C. A. Ratanamahatana (2005), Exact indexing of dynamic time warping, Knowledge and Information "
        "Systems 7, 358-386; E. J. Keogh and M. J. Pazzani (2000), Scaling up dynamic time warping for "
        "datamining applications, KDD 2000, 285-289.",
        rank=7,
    )
    called: ClassVar[str] = "series-dtw"

    window: float = 0.1
    points: int = 400

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least(self.called, "points", self.points, 2)
        if not 0 <= self.window <= 1:
            raise ArgumentError(
                f"{self.called}: window is out of range",
                hint="give a share of the length from 0 to 1, such as window=0.1",
            )

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> WarpingMatcher:
        """Bring both files to one scale; warp; nearest."""
        pair = shortened(filled(self.pair(dossier)), self.points)
        # What rounding adds to a share of the points is no step.
        window = ceil(self.window * len(pair.times) - 1e-9)
        return nearest_warped(pair, window, blocks_of(dossier), engine)
