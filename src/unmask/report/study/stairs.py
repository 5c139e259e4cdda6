"""The front as a line: down in risk as the loss goes up, drawn only where intervals separate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from unmask.measures.estimate import Estimate, clearly_less
from unmask.report.study.places import MapPlaces


@dataclass(frozen=True, eq=False)
class Stair:
    """A mask on the front that leaves less to find than every cheaper one on it."""

    mask: str
    risk: Estimate
    loss: Estimate


def stairs(places: MapPlaces) -> tuple[Stair, ...]:
    """The masks of the front from cheap to dear, without those that a cheaper one equals in risk."""
    found: list[Stair] = []
    members = (
        Stair(one.mask, risk, loss)
        for one in places.ordered
        if one.front
        and (risk := places.found(one.mask, places.who[0])) is not None
        and (loss := places.lost(one.mask)) is not None
        and risk.number is not None
        and loss.number is not None
    )
    for member in sorted(members, key=lambda one: (one.loss.number or 0.0, one.risk.number or 0.0)):
        if not found or (member.risk.number or 0.0) < (found[-1].risk.number or 0.0):
            found.append(member)
    return tuple(found)


def steps(found: tuple[Stair, ...]) -> Iterator[tuple[tuple[float, float], ...]]:
    """The corners (loss, risk) of each step between neighbours whose intervals separate in both.

    >>> at = lambda risk, loss: Stair("", *(Estimate(v, v - 0.01, v + 0.01, 9) for v in (risk, loss)))
    >>> list(steps((at(0.5, 0.1), at(0.2, 0.3), at(0.19, 0.4))))
    [((0.1, 0.5), (0.3, 0.5), (0.3, 0.2))]
    """
    for one, other in pairwise(found):
        if clearly_less(other.risk, one.risk) and clearly_less(one.loss, other.loss):
            left, right = one.loss.number or 0.0, other.loss.number or 0.0
            upper, lower = one.risk.number or 0.0, other.risk.number or 0.0
            yield (left, upper), (right, upper), (right, lower)
