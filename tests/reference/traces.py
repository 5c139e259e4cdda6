"""Traces as plain sets of points: scores over all pairs, and who is the only one with some points."""

from __future__ import annotations

from itertools import product
from math import log

TIE = 1e-9

Trace = frozenset


def weights(released: list[Trace]) -> dict[object, float]:
    points = set().union(*released) if released else set()
    return {p: log((len(released) + 1) / sum(p in trace for trace in released)) for p in points}


def score(known: Trace, released: Trace, weight: dict[object, float], power: float) -> float:
    total = sum(weight[p] for p in sorted(known & released))
    return total / sum(weight[p] for p in sorted(released)) ** power if total else 0.0


def scores(known: list[Trace], released: list[Trace], power: float) -> list[list[float]]:
    weight = weights(released)
    return [[score(a, b, weight, power) for b in released] for a in known]


def beliefs(values: list[float]) -> list[float]:
    """The belief of one target in each released trace: ties share, no shared point is no belief."""
    best = max(values)
    ties = [best > 0 and value * (1 + TIE) >= best for value in values]
    return [tie / sum(ties) if tie else 0.0 for tie in ties]


def standing(values: list[float], true: int, depth: int) -> tuple[int, int]:
    own, best = values[true], max(values)
    if best == 0:
        return depth, 0
    closer = sum(value > own * (1 + TIE) for value in values)
    if closer >= depth:
        return depth, 0
    bar = best if closer == 0 else own
    return closer, sum(bar <= value * (1 + TIE) for value in values) - closer * (closer > 0)


def only_one(seen: Trace, released: list[Trace], true: int) -> bool:
    """Whether the true trace is the only released one that holds all these points."""
    return [i for i, trace in enumerate(released) if seen <= trace] == [true]


def unicity(known: list[Trace], released: list[Trace], truth: list[int], p: int) -> list[float]:
    """Of each person the share of all sets of p of their points that single out their own trace."""
    from itertools import combinations

    found = []
    for trace, true in zip(known, truth, strict=True):
        sets = list(combinations(sorted(trace), min(p, len(trace))))
        found.append(sum(only_one(frozenset(seen), released, true) for seen in sets) / len(sets))
    return found


def flows(original, released) -> float:
    """The mean of :func:`elsewhere` over ways of 1, 2, 4 and 8 steps, as far as the original has them."""
    lost = [elsewhere(original, released, steps) for steps in (1, 2, 4, 8) if _ways(original, steps)]
    return sum(lost) / len(lost)


def elsewhere(original, released, steps: int) -> float:
    """Half the summed differences of the shares of ways of so many steps (0: places); both are TraceContents.

    A label of the release that the original does not have is shared out among those that begin with it.
    """
    before, after = (_ways(one, steps) for one in (original, released))
    places = {label for _, _, label in original.frame().rows()}
    told = {label for _, _, label in released.frame().rows()}

    def meaning(label: str) -> list[str]:
        if label in places:
            return [label]
        return [place for place in places if place.startswith(label) and place not in told]

    spread: dict[tuple[str, ...], float] = {}
    for way, share in after.items():
        options = list(product(*map(meaning, way)))
        for option in options or [("nowhere", *way)]:
            spread[option] = spread.get(option, 0.0) + share / max(len(options), 1)
    lost = sum(abs(before.get(way, 0.0) - spread.get(way, 0.0)) for way in before.keys() | spread.keys())
    return lost / 2 + (1 - sum(spread.values())) / 2


def _ways(trace, steps: int) -> dict[tuple[str, ...], float]:
    points: dict[int, list[str]] = {}
    for owner, _, label in trace.frame().rows():
        points.setdefault(owner, []).append(label)
    ends = (0, steps) if steps else (0,)
    found = [
        tuple(labels[i + end] for end in ends)
        for labels in points.values()
        for i in range(len(labels) - steps)
    ]
    return {way: found.count(way) / len(found) for way in found}


def visits(trace: list[tuple[float, str]]) -> set[tuple[str, int]]:
    """Of each place the levels that its visits v = 1, 2, ... reach: 2 log2(v), rounded down."""
    places = [place for _, place in trace]
    return {
        (place, max(level for level in range(200) if 2**level <= visit**2))
        for place in set(places)
        for visit in range(1, places.count(place) + 1)
    }


def shared_cells(one: list[float], other: list[float], low: float, high: float, scales, shifts) -> int:
    """How many cells of a line two sets of numbers share, over grids that cut the span into 4^scale parts."""
    count = 0
    for scale in scales:
        step = (high - low) / 4**scale
        for shift in shifts:
            cells = [{(number / step + shift) // 1 for number in side} for side in (one, other)]
            count += len(cells[0] & cells[1])
    return count
