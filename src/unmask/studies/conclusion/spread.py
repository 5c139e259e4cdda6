"""How the risk is spread over people: who carries it, and how many carry most of it."""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Floats
from unmask.documents.conclusion import SpreadPoint, SpreadSection
from unmask.measures.chance import ROUNDING

#: The curve has a point at every fiftieth of the people, and one at nobody.
STEPS = 50

#: The shares of all that is found, whose fewest carriers are counted.
HALF, MOST = 0.5, 0.8


def spread(attack: str, belief: Floats) -> SpreadSection:
    """How an attack's belief in the truth is spread over people who are in the release.

    The curve is Lorenz's (1905), from the riskiest person on: the first k of n people carry
    sum_{i<=k} b_(i) / sum b. Where nobody is found there is nothing to spread: ``half`` and ``most`` are 0
    and there are no points.

    >>> section = spread("dbrl", np.array([0.0, 1.0, 0.5, 0.0, 0.5]))
    >>> section.certain, section.likely, section.possible, section.none, section.half, section.most
    (1, 0, 2, 2, 1, 3)
    >>> [(point.people, point.risk) for point in section.points]
    [(0.0, 0.0), (0.2, 0.5), (0.4, 0.75), (0.6, 1.0), (0.8, 1.0), (1.0, 1.0)]
    >>> spread("dbrl", np.zeros(3)).points
    ()
    """
    n = len(belief)
    certain, likely = belief >= 1 - ROUNDING, belief > 0.5 + ROUNDING
    possible = belief > 0
    upto = np.cumsum(np.sort(belief)[::-1])
    whole = float(upto[-1])
    return SpreadSection(
        attack=attack,
        people=n,
        certain=int(certain.sum()),
        likely=int((likely & ~certain).sum()),
        possible=int((possible & ~likely).sum()),
        none=int((~possible).sum()),
        half=_fewest(upto, HALF),
        most=_fewest(upto, MOST),
        points=_points(upto / whole) if whole > 0 else (),
    )


def _fewest(upto: Floats, share: float) -> int:
    """The fewest people who carry that share of all that is found."""
    whole = float(upto[-1])
    return int(np.searchsorted(upto, whole * share * (1 - ROUNDING))) + 1 if whole > 0 else 0


def _points(carried: Floats) -> tuple[SpreadPoint, ...]:
    n = len(carried)
    places = np.unique(np.ceil(np.arange(1, STEPS + 1) * n / STEPS).astype(np.int64))
    points = [SpreadPoint(int(k) / n, min(1.0, float(carried[k - 1]))) for k in places]
    return (SpreadPoint(0.0, 0.0), *points)
