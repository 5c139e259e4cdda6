"""The most records that any parameters re-identify, by trying every set of records: slow and obvious."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

Floats = NDArray[np.float64]
TIE = 1e-9
STRICT = 1e-9


def choquet_steps(c: Floats) -> Floats:
    """What each set's measure is multiplied by in the Choquet integral of c (sets by their bits)."""
    steps = np.zeros(1 << len(c))
    below = 0.0
    for level in sorted(set(c.tolist())):
        held = sum(1 << j for j in range(len(c)) if c[j] >= level)
        steps[held] += level - below
        below = level
    return steps


def features(form: str, c: Floats) -> Floats:
    """The value of a pair is linear in the parameters: the numbers that they are multiplied by."""
    if form == "wm":
        return c
    return np.sort(c)[::-1] if form == "owa" else choquet_steps(c)


def valid(form: str, d: int) -> tuple[Floats, Floats, Floats, Floats]:
    """(A, b, E, e): parameters are valid if A theta <= b and E theta = e."""
    if form in ("wm", "owa"):
        return -np.eye(d), np.zeros(d), np.ones((1, d)), np.ones(1)
    rows = []
    for s in range(1 << d):
        for j in range(d):
            if not s >> j & 1:
                row = np.zeros(1 << d)
                row[s], row[s | 1 << j] = 1.0, -1.0
                rows.append(row)
    ends = np.zeros((2, 1 << d))
    ends[0, 0] = ends[1, -1] = 1.0
    return np.array(rows), np.zeros(len(rows)), ends, np.array([0.0, 1.0])


def together(
    form: str, costs: Floats, truth: list[int], records: tuple[int, ...], twins: list[set[int]]
) -> bool:
    """Whether some parameters re-identify all these records. costs: known x released x attributes.

    twins: for each released record those that are no rivals when it is the true one, itself included.
    """
    a, b, e, f = valid(form, costs.shape[2])
    p = a.shape[1]
    rows = []
    for i in records:
        own = features(form, costs[i, truth[i]])
        for j in range(costs.shape[1]):
            if j not in twins[truth[i]]:
                row = features(form, costs[i, j]) - (1 + TIE) * own
                rows.append(row / max(np.abs(row).max(), 1e-300))
    lines = np.array(rows).reshape(-1, p)
    # max t such that every line is at least t.
    upper = np.vstack([np.hstack([-lines, np.ones((len(lines), 1))]), np.hstack([a, np.zeros((len(a), 1))])])
    found = linprog(
        np.append(np.zeros(p), -1.0),
        A_ub=upper,
        b_ub=np.concatenate([np.zeros(len(lines)), b]),
        A_eq=np.hstack([e, np.zeros((len(e), 1))]),
        b_eq=f,
        bounds=[(None, None)] * p + [(-10.0, 1.0)],
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    return bool(found.status == 0 and found.x[-1] > STRICT)


def widest(lines: Floats) -> float:
    """The largest margin by which weights of 0 or more that add up to 1 satisfy all lines."""
    p = lines.shape[1]
    found = linprog(
        np.append(np.zeros(p), -1.0),
        A_ub=np.hstack([-lines, np.ones((len(lines), 1))]),
        b_ub=np.zeros(len(lines)),
        A_eq=np.append(np.ones(p), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0.0, None)] * p + [(None, None)],
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    return float(found.x[-1])


def most(form: str, costs: Floats, truth: list[int], twins: list[set[int]] | None = None) -> int:
    """The size of the largest set of records that can be re-identified together; twins: none by default."""
    twins = [{j} for j in range(costs.shape[1])] if twins is None else twins
    for size in range(len(costs), 0, -1):
        for records in combinations(range(len(costs)), size):
            if together(form, costs, truth, records, twins):
                return size
    return 0


def identical(rows: Floats) -> list[set[int]]:
    """For each row the rows with the same values, itself included."""
    return [{j for j in range(len(rows)) if (rows[j] == row).all()} for row in rows]


def expected(form: str, costs: Floats, truth: list[int], theta: Floats) -> float:
    """The right links on average under these parameters: 1/t where t records tie for the nearest."""
    total = 0.0
    for i, own in enumerate(truth):
        value = np.array([features(form, c) @ theta for c in costs[i]])
        if (value >= value[own] * (1 - TIE)).all():
            total += 1 / (np.abs(value - value[own]) <= TIE * np.maximum(value, value[own])).sum()
    return total


def most_expected(form: str, costs: Floats, truth: list[int], step: float = 1e-4) -> float:
    """The most right links on average under any parameters, where these are a triangle or a square.

    Everything changes on lines only, on which a rival ties with the true record. So all that can be is seen
    at the points where two lines (or sides) cross, and a small step from them along and between the lines.
    """
    corners, sides = _plane(form, costs.shape[2])
    lines = list(sides)
    for i, own in enumerate(truth):
        for j in range(costs.shape[1]):
            change = features(form, costs[i, j]) - features(form, costs[i, own])
            lines.append(corners.T @ change)
    size = [np.abs(line[:2]).max() for line in lines]
    lines = [line / s for line, s in zip(lines, size, strict=True) if s > 1e-9]
    best = 0.0
    for x in _crossings(lines):
        turn = [np.arctan2(-line[0], line[1]) for line in lines if abs(line @ x) < 1e-9]
        around = np.sort(np.concatenate([turn, np.add(turn, np.pi)]) % (2 * np.pi))
        along = around[np.diff(around, prepend=-1.0) > 1e-9]
        between = along + np.diff(along, append=along[0] + 2 * np.pi) / 2
        points = [x] + [x + step * np.array([np.cos(t), np.sin(t), 0]) for t in [*along, *between]]
        for point in points:
            if all(side @ point >= -1e-12 for side in sides):
                theta = corners @ point
                theta[np.abs(theta) < 1e-12] = 0.0  # a weight that rounding leaves at the side is none
                best = max(best, expected(form, costs, truth, theta))
    return best


def _plane(form: str, d: int) -> tuple[Floats, list[Floats]]:
    """theta as a linear function of (u, v, 1), and the sides: lines that are 0 or more within."""
    u, v, one = np.eye(3)
    if form == "choquet":
        assert d == 2
        return np.array([0 * one, u, v, one]), [u, v, one - u, one - v]
    assert d == 3
    return np.array([u, v, one - u - v]), [u, v, one - u - v]


def _crossings(lines: list[Floats]) -> list[Floats]:
    """Where two of these lines cross."""
    found = {}
    for a, b in combinations(lines, 2):
        if abs(a[0] * b[1] - a[1] * b[0]) > 1e-9:
            x = np.append(np.linalg.solve(np.array([a[:2], b[:2]]), -np.array([a[2], b[2]])), 1.0)
            if (np.abs(x) < 2).all():
                found[tuple(np.round(x, 9))] = x
    return list(found.values())
