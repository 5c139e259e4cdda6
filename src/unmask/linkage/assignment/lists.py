"""The assignment of least total cost, over lists of near pairs that grow until prices prove it the best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints
from unmask.errors import UnmaskError
from unmask.linkage.assignment.sides import ADDED, Neighbours, Sides, tie

if TYPE_CHECKING:
    from unmask.kernels.assignment_paths import Network

Flags = NDArray[np.bool_]

#: Near records that the lists begin with, on each side.
LISTED = 10
#: Where prices cannot be tried on all pairs, lists stop growing at this length.
LONGEST_LIST = 160
#: Pairs that the searches for paths look at before they give up: minutes, not hours.
MOST_LOOKS = 5_000_000_000
#: Rounds after which a solution is taken as it is, with its gap.
ROUNDS = 200


class LongAssignmentError(UnmaskError):
    """An assignment that takes more work than anybody would wait for; counted, so it is the same anywhere."""

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__(
            f"the one-to-one assignment of {rows} and {columns} distinct records is too much work",
            hint="block on an attribute, take fewer targets, or use the attack dbrl, which links each alone",
        )


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
        self.k, self.rounds, self.looks = LISTED, 0, 0
        #: As many units as places: every column is full in the end, so the last prices are a start.
        self.full = len(self.unit_row) == int(sides.capacity.sum())
        #: The last solution, which the next one starts from, and the rows that have new pairs since.
        self.former: tuple[Ints, Floats, Floats] = (np.empty(0, np.int64), np.empty(0), np.empty(0))
        self.stale = np.zeros(n, bool)
        #: For each row, what cost - v of an unlisted pair is not below, at the last prices or higher ones.
        self.beyond = np.full(n, -np.inf)
        self.near = sides.among(self.every_column)
        rows, columns, self.last = _nearest(self.near, sides.supply, sides.capacity)
        others, back, _ = _nearest(sides.turned().among(self.every_row), sides.capacity, sides.supply)
        self._add(np.concatenate((rows, back)), np.concatenate((columns, others)))

    def _add(self, rows: Ints, columns: Ints) -> Ints:
        """Add pairs to the lists; which places of them are new and possible."""
        m = len(self.every_column)
        pair = np.unique(rows * m + columns)
        if len(self.pair):
            pair = pair[self.pair[np.minimum(np.searchsorted(self.pair, pair), len(self.pair) - 1)] != pair]
        cost = self.sides.costs(pair // m, pair % m)
        pair, cost = pair[np.isfinite(cost)], cost[np.isfinite(cost)]
        at = np.searchsorted(self.pair, pair)
        self.pair, self.cost = np.insert(self.pair, at, pair), np.insert(self.cost, at, cost)
        return at + np.arange(len(pair))

    @property
    def columns(self) -> Ints:
        return self.pair % len(self.every_column)

    @property
    def indptr(self) -> Ints:
        return np.searchsorted(self.pair, np.arange(len(self.every_row) + 1) * len(self.every_column))

    @property
    def network(self) -> Network:
        from unmask.kernels.assignment_paths import Network

        capacity = self.sides.capacity.astype(np.int64)
        return Network(self.indptr, self.columns, self.cost, self.unit_row, capacity)

    def assigned(self) -> tuple[Ints, Floats, Floats, Flags, Flags]:
        """The best assignment over the lists, its prices, and where places are short."""
        from unmask.kernels.assignment_paths import Former, assign_units

        start, left = Former(*self.former, self.stale), MOST_LOOKS - self.looks
        column, u, v, short_rows, short_columns, looks = assign_units(self.network, start, left)
        self.looks += looks
        if self.looks > MOST_LOOKS:
            raise LongAssignmentError(len(self.every_row), len(self.every_column))
        if self.full:
            self.former = column, u, v
        self.stale = np.zeros(len(self.every_row), bool)
        return column, u, v, short_rows, short_columns

    def reach_out(self, short_rows: Flags, short_columns: Flags, column: Ints) -> bool:
        """Pairs that lead out of where places are short: to free columns if possible, else to others."""
        rows, used = (
            np.flatnonzero(short_rows),
            np.bincount(column[column >= 0], minlength=len(short_columns)),
        )
        free = used < self.sides.capacity
        for columns in (free, ~short_columns):
            left, right, _ = self.sides.among(np.flatnonzero(columns)).nearest(rows, LISTED)
            new = self._add(left, right)
            if len(new):
                self.stale[self.pair[new] // len(self.every_column)] = True
                return True
        return False

    def grow(self, u: Floats, v: Floats) -> bool:
        """Add the pairs that the prices make too cheap or a tie; whether there were any."""
        self.rounds += 1
        if self.sides.searchable:
            return self._grow_by_search(u, v) and self.rounds < ROUNDS
        found = self.sides.unlisted(self.indptr, self.columns, u, v)
        if found is not None:
            rows, columns, least = found
            self.beyond = least + u
            new = self._add(rows, columns)
            self.stale[self.pair[new] // len(self.every_column)] = True
            return self.rounds < ROUNDS and len(new) > 0
        # A pair that is not listed is at least as far as the last listed one, and no price is above 0.
        self.beyond = self.last**self.sides.power
        open_rows = np.flatnonzero(self.beyond < u)
        if not len(open_rows) or 2 * self.k > LONGEST_LIST:
            return False
        self.k *= 2
        rows, columns, self.last[open_rows] = self.near.nearest(open_rows, self.k)
        new = self._add(rows, columns)
        self.stale[self.pair[new] // len(self.every_column)] = True
        return True

    def _grow_by_search(self, u: Floats, v: Floats) -> bool:
        """Search from the rows of which a pair that is not listed may be too cheap or a tie.

        A solution that is resumed lowers prices v only, so what was beyond a row's last search still is.
        """
        if not self.full:
            self.beyond[:] = -np.inf  # prices started from 0 again: some may have risen
        rows, k, more = self._open(self.every_row, u, v), ADDED, False
        near = self.sides.among(self.every_column, v)
        while len(rows):
            left, right, last = near.nearest(rows, k)
            self.beyond[rows] = last - v.max()  # the search shifts all prices, so that none is negative
            new = self._add(left, right)
            row, column = self.pair[new] // len(v), self.pair[new] % len(v)
            cheap = self.cost[new] - u[row] - v[column] <= tie(self.cost[new], u[row], v[column])
            self.stale[row[cheap]] = True
            more |= bool(cheap.any())
            # Rows of which only listed pairs came are searched further.
            rows, k = self._open(rows[~self.stale[rows]], u, v), 2 * k
        return more

    def _open(self, rows: Ints, u: Floats, v: Floats) -> Ints:
        """Those of the rows of which a pair that is not listed may be too cheap or a tie."""
        beyond = self.beyond[rows]
        size = np.where(np.isfinite(beyond), np.abs(beyond), 0.0)
        return rows[beyond <= u[rows] + tie(size, u[rows], float(v.min()))]

    def part(self, column: Ints, u: Floats, v: Floats) -> Part:
        """The solution as it stands, with what its prices prove."""
        sides = self.sides
        at = np.searchsorted(self.pair, self.unit_row * len(self.every_column) + column)
        total = float(self.cost[at].sum())
        least = self.beyond - u
        floor = u + np.minimum(np.where(least < -_rounding(u), least, 0.0), 0.0)
        bound = float(floor @ sides.supply + v @ sides.capacity)
        rows = self.pair // len(self.every_column)
        return Part(
            sides, rows, self.columns, self.cost, u, v, self.unit_row, column, total, min(bound, total)
        )


def _nearest(near: Neighbours, supply: Ints, capacity: Ints) -> tuple[Ints, Ints, Floats]:
    """Lists to begin with: longer ones, by powers of two, for rows whose units need many columns."""
    wanted = LISTED + 2 * supply // max(1, int(capacity.mean()))
    size = np.where(supply > 1, 1 << np.ceil(np.log2(wanted)).astype(np.int64), LISTED)
    rows, columns, last = [], [], np.empty(len(supply))
    for k in np.unique(size):
        some = np.flatnonzero(size == k)
        left, right, last[some] = near.nearest(some, int(k))
        rows.append(left)
        columns.append(right)
    return np.concatenate(rows), np.concatenate(columns), last


def _rounding(u: Floats) -> Floats:
    return np.asarray(1e-9 * np.abs(u))
