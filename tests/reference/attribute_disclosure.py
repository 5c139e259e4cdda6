"""Attribute disclosure written out: one person after the other, straight from the definitions."""

from __future__ import annotations

from math import ceil, floor, inf, isnan, nan

TIE = 1e-9


def equal(a, b):
    return abs(a - b) <= TIE * abs(b)


def rank_disclosed(values, original, released, p):
    """Is the original value in the window of p% of the sorted values around the released one?"""
    ordered = sorted(values)
    same = [i for i, v in enumerate(ordered) if equal(v, released)]
    position = (same[0] + same[-1]) / 2 if same else sum(v < released for v in ordered) - 0.5
    position = min(max(position, 0), len(ordered) - 1)
    half = p * len(ordered) / 200
    bottom = ceil(max(position - half, 0) - TIE)
    top = floor(min(position + half, len(ordered) - 1) + TIE)
    return ordered[bottom] <= original <= ordered[top]


def fullest_rank_window(values, p):
    """The most people whom one window of p%, around one of the values, holds."""
    return max(sum(rank_disclosed(values, v, guess, p) for v in values) for guess in values)


def densest_interval(values, half):
    """The most people whom one interval of that half-width holds."""
    return max(sum(low <= v <= low + 2 * half * (1 + TIE) for v in values) for low in values)


def agree(one, other, missing):
    """Do two values of a known attribute agree?"""
    if one is None or other is None:
        if missing in ("wildcard", "ignore", "suppressed"):
            return True
        return missing == "category" and one is None and other is None
    return one == other


def members(keys, row, missing):
    """The rows that look like this one, itself among them."""
    return [
        other
        for other in range(len(keys))
        if other == row or all(agree(a, b, missing) for a, b in zip(keys[row], keys[other], strict=True))
    ]


def span(values, truth, missing):
    """How far the values lie apart with the true one among them; infinite if one differs by being missing."""
    seen = []
    for value in values:
        if value is None or isnan(value):
            if missing in ("wildcard", "ignore", "suppressed"):
                continue
            if missing == "category" and truth is None:
                continue
            return inf
        seen.append(value)
    if truth is None:  # a category of its own
        return 0.0 if not seen and values else inf
    if not seen:
        return inf
    return max(*seen, truth) - min(*seen, truth)


def cell_width(keys, released, truths, row, internal, missing):
    """The width from which on the cell of a row gives its true value away; None: not concerned."""
    cell = members(keys, row, missing)
    truth = truths[row]
    if len(cell) < 2 or (truth is None and missing != "category"):
        return None
    width = span([released[i] for i in cell], truth, missing)
    if internal:
        for intruder in cell:
            if intruder == row:
                continue
            rest = [released[i] for i in cell if i != intruder]
            width = min(width, span(rest, truth, missing))
    return width


def dominated(group, value):
    """By how many percent another member overestimates a value from the group's total (a list with it)."""
    others = list(group)
    others.remove(value)
    rest = max(sum(group) - value - max(others), 0)
    if rest <= TIE * sum(group):
        return 0.0
    return inf if value == 0 else 100 * rest / value


def two_ends(values):
    """The two lowest and the two highest of some values; one value stands for all four, none for NaN."""
    values = sorted(values)
    if not values:
        return [nan] * 4
    return [values[0], values[min(1, len(values) - 1)], values[max(len(values) - 2, 0)], values[-1]]
