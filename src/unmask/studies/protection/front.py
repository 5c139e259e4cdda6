"""The front: the candidates that no other one clearly beats."""

from __future__ import annotations

from collections.abc import Mapping

from unmask.measures.estimate import Estimate, clearly_less

#: Risk and loss of a candidate.
Place = tuple[Estimate, Estimate]


def front(places: Mapping[str, Place]) -> frozenset[str]:
    """The candidates that no other one dominates.

    One candidate dominates another if it is *clearly* better in risk or in loss, with intervals that do not
    overlap, and no worse in the other (Pareto, where intervals separate). A candidate without a number is not
    on the front, and dominates none.

    >>> about = lambda value, by: Estimate(value, value - by, value + by, 100)
    >>> at = lambda risk, loss: (about(risk, 0.02), about(loss, 0.0))
    >>> sorted(front({"a": at(0.1, 0.5), "b": at(0.2, 0.5), "c": at(0.11, 0.6), "d": at(0.12, 0.5)}))
    ['a', 'd']
    """
    known = {name: place for name, place in places.items() if all(e.estimable for e in place)}
    return frozenset(
        name
        for name, place in known.items()
        if not any(dominates(other, place) for rival, other in known.items() if rival != name)
    )


def dominates(one: Place, other: Place) -> bool:
    """Whether one candidate is clearly better in risk or loss and no worse in the other."""
    no_worse = all((a.number or 0.0) <= (b.number or 0.0) for a, b in zip(one, other, strict=True))
    return no_worse and any(clearly_less(a, b) for a, b in zip(one, other, strict=True))
