"""The assignment of least total cost, over lists of near pairs that grow until prices prove it the best."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints
from unmask.linkage.assignment.sides import Sides

Flags = NDArray[np.bool_]

#: Near records that the lists begin with, on each side.
LISTED = 10
#: Where prices cannot be tried on all pairs, lists stop growing at this length.
LONGEST_LIST = 160
#: Rounds after which a solution is taken as it is, with its gap.
ROUNDS = 200


@dataclass(frozen=True, eq=False)
class Part:
    """A solved part: every row has its places. Pairs are listed by row.

    ``column`` is that of each unit (row ``unit_row``); ``total`` the cost of all places taken and ``bound``
    what no assignment of this part can be below.
    """

    sides: Sides
    rows: Ints
    columns: Ints
    cost: Floats
    u: Floats
    v: Floats
    unit_row: Ints
    column: Ints
    total: float
    bound: float


def solve(sides: Sides) -> list[Part]:
    """As many places taken as can be, at the least total cost.

    Rows are the side with fewer records. Where possible pairs do not suffice for every row, some rows can
    only take columns that are too few: they and those columns are a problem of their own, with the sides
    exchanged, for in every largest assignment these columns are all taken, and by these rows (the
    decomposition of Dulmage and Mendelsohn 1958).
    """
    if not len(sides.supply) or not len(sides.capacity):
        return []
    if sides.supply.sum() > sides.capacity.sum():
        sides = sides.turned()
    lists = _Lists(sides)
    while True:
        column, u, v, short_rows, short_columns = lists.assigned()
        if (column < 0).any():
            if lists.reach_out(short_rows, short_columns, column):
                continue
            rest = sides.restrict(np.flatnonzero(~short_rows), np.flatnonzero(~short_columns))
            tight = sides.restrict(np.flatnonzero(short_rows), np.flatnonzero(short_columns))
            return solve(rest) + solve(tight.turned())
        if not lists.grow(u, v):
            return [lists.part(column, u, v)]


class _Lists:
    """The pairs considered so far, and what is known of the others."""

    def __init__(self, sides: Sides) -> None:
        self.sides = sides
        n, m = len(sides.supply), len(sides.capacity)
        self.every_row, self.every_column = np.arange(n), np.arange(m)
        self.unit_row = np.repeat(self.every_row, sides.supply)
        self.pair, self.cost = np.empty(0, np.int64), np.empty(0)
        self.k, self.rounds = LISTED, 0
        #: The last solution, which the next one starts from, and the rows that have new pairs since.
        self.former: tuple[Ints, Floats, Floats] = (np.empty(0, np.int64), np.empty(0), np.empty(0))
        self.stale = np.zeros(n, bool)
        #: For each row, what the reduced cost of an unlisted pair is not below at the last prices.
        self.least = np.full(n, -np.inf)
        self.near = sides.among(self.every_column)
        rows, columns, self.last = self.near.nearest(self.every_row, LISTED)
        others, back, _ = sides.turned().among(self.every_row).nearest(self.every_column, LISTED)
        self._add(np.concatenate((rows, back)), np.concatenate((columns, others)))

    def _add(self, rows: Ints, columns: Ints) -> int:
        """Add pairs to the lists, and how many of them are new and possible."""
        pair = np.setdiff1d(rows * len(self.every_column) + columns, self.pair)
        cost = self.sides.costs(pair // len(self.every_column), pair % len(self.every_column))
        pair, cost = pair[np.isfinite(cost)], cost[np.isfinite(cost)]
        both = np.concatenate((self.pair, pair))
        order = np.argsort(both, kind="stable")
        self.pair, self.cost = both[order], np.concatenate((self.cost, cost))[order]
        self.stale[pair // len(self.every_column)] = True
        return len(pair)

    @property
    def columns(self) -> Ints:
        return self.pair % len(self.every_column)

    @property
    def indptr(self) -> Ints:
        return np.searchsorted(self.pair, np.arange(len(self.every_row) + 1) * len(self.every_column))

    def assigned(self) -> tuple[Ints, Floats, Floats, Flags, Flags]:
        """The best assignment over the lists, its prices, and where places are short."""
        from unmask.kernels.assignment_paths import Former, Network, assign_units

        net = Network(
            self.indptr, self.columns, self.cost, self.unit_row, self.sides.capacity.astype(np.int64)
        )
        found: tuple[Ints, Floats, Floats, Flags, Flags] = assign_units(net, Former(*self.former, self.stale))
        if len(self.unit_row) == self.sides.capacity.sum():
            self.former, self.stale = found[:3], np.zeros(len(self.every_row), bool)
        return found

    def reach_out(self, short_rows: Flags, short_columns: Flags, column: Ints) -> bool:
        """Pairs that lead out of where places are short: to free columns if possible, else to others."""
        rows, used = (
            np.flatnonzero(short_rows),
            np.bincount(column[column >= 0], minlength=len(short_columns)),
        )
        free = used < self.sides.capacity
        for columns in (free, ~short_columns):
            left, right, _ = self.sides.among(np.flatnonzero(columns)).nearest(rows, LISTED)
            if self._add(left, right):
                return True
        return False

    def grow(self, u: Floats, v: Floats) -> bool:
        """Add the pairs that the prices make too cheap or a tie; whether there were any."""
        self.rounds += 1
        found = self.sides.unlisted(self.indptr, self.columns, u, v)
        if found is not None:
            rows, columns, self.least = found
            return self.rounds < ROUNDS and self._add(rows, columns) > 0
        # A pair that is not listed is at least as far as the last listed one, and no price is above 0.
        self.least = self.last**self.sides.power - u
        open_rows = np.flatnonzero(self.least < 0)
        if not len(open_rows) or 2 * self.k > LONGEST_LIST:
            return False
        self.k *= 2
        rows, columns, self.last[open_rows] = self.near.nearest(open_rows, self.k)
        self._add(rows, columns)
        return True

    def part(self, column: Ints, u: Floats, v: Floats) -> Part:
        """The solution as it stands, with what its prices prove."""
        sides = self.sides
        at = np.searchsorted(self.pair, self.unit_row * len(self.every_column) + column)
        total = float(self.cost[at].sum())
        floor = u + np.minimum(np.where(self.least < -_rounding(u), self.least, 0.0), 0.0)
        bound = float(floor @ sides.supply + v @ sides.capacity)
        rows = self.pair // len(self.every_column)
        return Part(
            sides, rows, self.columns, self.cost, u, v, self.unit_row, column, total, min(bound, total)
        )


def _rounding(u: Floats) -> Floats:
    return np.asarray(1e-9 * np.abs(u))
