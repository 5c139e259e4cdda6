"""Slow, obvious bounds: the least cost of a code over a range of released codes."""

from __future__ import annotations

from collections.abc import Sequence


def cheapest(costs: Sequence[float], low: int, high: int) -> float:
    """The least cost of the codes from low to high."""
    return min(costs[low : high + 1])
