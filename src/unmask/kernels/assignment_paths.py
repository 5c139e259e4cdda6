"""One-to-one assignment of least total cost over listed pairs, by shortest augmenting paths.

Every unit of a row takes a place in a column; a column has as many places as its capacity. The linear program

    min sum c_ij x_ij,   sum_j x_ij = supply_i (price u_i),   sum_i x_ij <= capacity_j (price v_j <= 0)

is solved together with its dual: c_ij - u_i - v_j >= 0 for every listed pair, and 0 for every pair used.
Units are placed one after the other, each along the cheapest path of moves (Dijkstra over reduced costs),
which keeps both conditions (Jonker and Volgenant 1987; Crouse 2016). A column that is not full keeps v_j = 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled, inner

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Network(NamedTuple):
    """Listed pairs, row by row: row i may take columns indices[indptr[i] : indptr[i + 1]] at these costs."""

    indptr: Ints
    indices: Ints
    cost: Floats
    row_of: Ints  # the row of each unit
    capacity: Ints


class Former(NamedTuple):
    """A solution over fewer pairs; ``stale`` are the rows that have new ones."""

    column: Ints
    u: Floats
    v: Floats
    stale: NDArray[np.bool_]


class Places(NamedTuple):
    """Who sits where: the column of each unit (-1: none), and the units of each column as a linked list."""

    column: Ints
    head: Ints
    before: Ints
    after: Ints
    used: Ints


class Search(NamedTuple):
    """Scratch of one path search; ``rows`` and ``columns`` list what it touched."""

    dist: Floats
    reached_by: Ints  # the row from which a column was reached
    heap: Ints
    place: Ints  # where a column is in the heap, -1: not there
    done: NDArray[np.bool_]
    columns: Ints
    entry: Ints  # the unit by which a row was entered, -1: not yet
    row_dist: Floats
    rows: Ints
    looks: Ints  # one number: the pairs that all searches have looked at


@inner
def sift_up(s: Search, at: int) -> None:
    """Move a column towards the root of the heap while its distance is smaller."""
    column = s.heap[at]
    while at > 0:
        parent = (at - 1) >> 1
        other = s.heap[parent]
        if s.dist[other] <= s.dist[column]:
            break
        s.heap[at] = other
        s.place[other] = at
        at = parent
    s.heap[at] = column
    s.place[column] = at


@inner
def pop(s: Search, size: int) -> int:
    """Take the nearest column from a heap of that size."""
    top, last = s.heap[0], s.heap[size - 1]
    s.place[top] = -1
    size -= 1
    if size > 0:
        at = 0
        while True:
            child = 2 * at + 1
            if child >= size:
                break
            if child + 1 < size and s.dist[s.heap[child + 1]] < s.dist[s.heap[child]]:
                child += 1
            if s.dist[last] <= s.dist[s.heap[child]]:
                break
            s.heap[at] = s.heap[child]
            s.place[s.heap[at]] = at
            at = child
        s.heap[at] = last
        s.place[last] = at
    return int(top)


@inner
def seat(places: Places, unit: int, column: int) -> None:
    """Put a unit into a column, and out of the one it had."""
    old = places.column[unit]
    if old >= 0:
        before, after = places.before[unit], places.after[unit]
        if before >= 0:
            places.after[before] = after
        else:
            places.head[old] = after
        if after >= 0:
            places.before[after] = before
        places.used[old] -= 1
    first = places.head[column]
    places.before[unit], places.after[unit] = -1, first
    if first >= 0:
        places.before[first] = unit
    places.head[column] = unit
    places.column[unit] = column
    places.used[column] += 1


@inner
def shortest(
    net: Network, places: Places, u: Floats, v: Floats, s: Search, start: int
) -> tuple[int, int, int]:
    """The nearest column with a free place, from a unit (-1: none); how many columns and rows were touched.

    Columns come off the heap by distance; those of a full column's units are then open. Units of one row
    have the same pairs and prices, so a row is entered once.
    """
    size, n_columns, n_rows = 0, 0, 1
    row, base = net.row_of[start], 0.0
    s.entry[row], s.row_dist[row], s.rows[0] = start, 0.0, row
    opened = 0
    while True:
        while opened < n_rows:
            row = s.rows[opened]
            base = s.row_dist[row]
            opened += 1
            s.looks[0] += net.indptr[row + 1] - net.indptr[row]
            for e in range(net.indptr[row], net.indptr[row + 1]):
                j = net.indices[e]
                if s.done[j]:
                    continue
                # Rounding may leave a reduced cost a hair below 0.
                d = base + max(net.cost[e] - u[row] - v[j], 0.0)
                if s.reached_by[j] < 0:
                    s.columns[n_columns] = j
                    n_columns += 1
                    s.place[j] = size
                    s.heap[size] = j
                    size += 1
                elif d >= s.dist[j]:
                    continue
                s.dist[j], s.reached_by[j] = d, row
                sift_up(s, s.place[j])
        if size == 0:
            return -1, n_columns, n_rows
        j = pop(s, size)
        size -= 1
        if places.used[j] < net.capacity[j]:
            return j, n_columns, n_rows
        s.done[j] = True
        unit = places.head[j]
        while unit >= 0:
            row = net.row_of[unit]
            if s.entry[row] < 0:
                s.entry[row], s.row_dist[row], s.rows[n_rows] = unit, s.dist[j], row
                n_rows += 1
            unit = places.after[unit]


@inner
def augment(
    places: Places, u: Floats, v: Floats, s: Search, start: int, end: int, rows: int, columns: int
) -> None:
    """New prices, so that the path is tight, and a move along it."""
    length = s.dist[end]
    for k in range(rows):
        row = s.rows[k]
        u[row] += length - s.row_dist[row]
    for k in range(columns):
        j = s.columns[k]
        if s.done[j]:
            v[j] -= length - s.dist[j]
    column = end
    while True:
        row = s.reached_by[column]
        unit = s.entry[row]
        old = places.column[unit]
        seat(places, unit, column)
        if unit == start:
            return
        column = old


@inner
def forget(s: Search, rows: int, columns: int) -> None:
    """Make the scratch ready for the next search."""
    for k in range(rows):
        s.entry[s.rows[k]] = -1
    for k in range(columns):
        j = s.columns[k]
        s.reached_by[j], s.place[j], s.done[j] = -1, -1, False


@inner
def begin(net: Network, places: Places, u: Floats, v: Floats) -> None:
    """Prices from each row's cheapest pair, and units into cheapest columns that are free."""
    for row in range(u.size):
        u[row] = np.inf
        for e in range(net.indptr[row], net.indptr[row + 1]):
            u[row] = min(u[row], net.cost[e] - v[net.indices[e]])
    for unit in range(net.row_of.size):
        row = net.row_of[unit]
        for e in range(net.indptr[row], net.indptr[row + 1]):
            j = net.indices[e]
            if net.cost[e] - v[j] <= u[row] and places.used[j] < net.capacity[j]:
                seat(places, unit, j)
                break


@inner
def resume(net: Network, places: Places, u: Floats, v: Floats, former: Former) -> None:
    """Everybody as before, but for rows with new pairs, which are priced anew and have no place."""
    for j in range(v.size):
        v[j] = former.v[j]
    for row in range(u.size):
        u[row] = former.u[row]
        if former.stale[row]:
            u[row] = np.inf
            for e in range(net.indptr[row], net.indptr[row + 1]):
                u[row] = min(u[row], net.cost[e] - v[net.indices[e]])
    for unit in range(net.row_of.size):
        if former.column[unit] >= 0 and not former.stale[net.row_of[unit]]:
            seat(places, unit, former.column[unit])


@compiled
def assign_units(
    net: Network, former: Former, most: int
) -> tuple[Ints, Floats, Floats, NDArray[np.bool_], NDArray[np.bool_], int]:
    """The column of each unit, prices u and v, and the rows and columns in which places are short.

    Where some units find no place (column -1), no set of places for all units exists: the rows marked, which
    they lead to, may take the marked columns only, and those are full. A former solution (empty: none) is
    resumed; that is for as many units as places, else a column could be left with a place and a price.

    The last number counts the pairs that were looked at. Beyond ``most`` the search ends, and what it gives
    is of no use.
    """
    n_units, n, m = net.row_of.size, net.indptr.size - 1, net.capacity.size
    places = Places(
        np.full(n_units, -1),
        np.full(m, -1),
        np.full(n_units, -1),
        np.full(n_units, -1),
        np.zeros(m, np.int64),
    )
    s = Search(
        np.empty(m),
        np.full(m, -1),
        np.empty(m, np.int64),
        np.full(m, -1),
        np.zeros(m, np.bool_),
        np.empty(m, np.int64),
        np.full(n, -1),
        np.empty(n),
        np.empty(n, np.int64),
        np.zeros(1, np.int64),
    )
    u, v = np.empty(n), np.zeros(m)
    short_rows, short_columns = np.zeros(n, np.bool_), np.zeros(m, np.bool_)
    if former.column.size > 0:
        resume(net, places, u, v, former)
    else:
        begin(net, places, u, v)
    for unit in range(n_units):
        if places.column[unit] >= 0 or short_rows[net.row_of[unit]]:
            continue
        end, columns, rows = shortest(net, places, u, v, s, unit)
        if end >= 0:
            augment(places, u, v, s, unit, end, rows, columns)
        else:
            for k in range(rows):
                short_rows[s.rows[k]] = True
            for k in range(columns):
                short_columns[s.columns[k]] = True
        forget(s, rows, columns)
        if s.looks[0] > most:
            break
    return places.column, u, v, short_rows, short_columns, s.looks[0]
