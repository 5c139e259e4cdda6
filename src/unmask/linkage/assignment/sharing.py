"""What all best assignments have in common: how often each pair is used in them.

Least total cost is unique, the assignment often is not. By the prices, a best assignment uses only pairs
whose reduced cost is 0, and every assignment that uses only those, and fills every column of negative price,
is best (complementary slackness). Belief is the mean over all of them, so that no row order decides.

A free pair is in some best assignment exactly if its two ends are in one strongly connected component of the
moves that cost nothing. The components left are counted one by one: exactly where they have at most EXACT
columns, else by the table of largest entropy among those with the same margins, the mean that a large number
of assignments tends to (Sinkhorn's scaling, 1967). It is the exact mean wherever a component is complete.
"""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.kernels.pairing import TIE
from unmask.linkage.assignment.lists import Part

#: Places in a component up to which all its matchings are counted.
EXACT = 12
SCALINGS = 5000


def shares(part: Part) -> tuple[Ints, Ints, Floats]:
    """Pairs (row, column) of some best assignment, and how many units of the row take the column on average.

    >>> from unmask.linkage.assignment import example
    >>> shares(example([[1.0, 1.0, 9.0], [1.0, 1.0, 1.0], [9.0, 1.0, 1.0]]))[2].round(3)
    array([0.667, 0.333, 0.333, 0.333, 0.333, 0.333, 0.667])
    """
    rows, columns, optional = _usable(part)
    label = _components(rows, columns, len(part.u), len(part.v))
    mass = np.empty(len(rows))
    order = np.argsort(label, kind="stable")
    starts = np.flatnonzero(np.diff(label[order], prepend=-1))
    large = np.zeros(len(rows), bool)
    supply, capacity = part.sides.supply, part.sides.capacity
    for edges in np.split(order, starts[1:]):
        if len(edges) == 1:
            mass[edges] = supply[rows[edges]]
        elif _places(columns[edges], capacity) <= EXACT:
            mass[edges] = _counted(rows[edges], columns[edges], supply, capacity, optional)
        else:
            large[edges] = True
    if large.any():
        mass[large] = _scaled(rows[large], columns[large], label[large], supply, capacity, optional)
    return rows, columns, mass


def _usable(part: Part) -> tuple[Ints, Ints, Floats]:
    """The pairs of some best assignment, and for each column whether one leaves it a free place."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    n, m = len(part.u), len(part.v)
    scale = np.maximum(part.cost, np.maximum(np.abs(part.u[part.rows]), np.abs(part.v[part.columns])))
    free = part.cost - part.u[part.rows] - part.v[part.columns] <= TIE * scale
    rows, columns = part.rows[free], part.columns[free]
    highest = np.zeros(m)
    np.maximum.at(highest, columns, scale[free])
    spare = part.v >= -TIE * highest
    used = np.bincount(part.column, minlength=m)
    taken = np.unique(part.unit_row * m + part.column)
    # Nodes: rows, columns, and nobody, who takes the places that no row does.
    nobody = n + m
    place, has_nobody = np.flatnonzero(spare), np.flatnonzero(used < part.sides.capacity)
    sources = np.concatenate((rows, n + taken % m, np.full(len(place), nobody), n + has_nobody))
    ends = np.concatenate((n + columns, taken // m, n + place, np.full(len(has_nobody), nobody)))
    size = n + m + 1
    moves = csr_array((np.ones(len(sources), np.int8), (sources, ends)), shape=(size, size))
    _, strong = connected_components(moves, connection="strong")
    both = strong[rows] == strong[n + columns]
    optional = spare & (strong[n : n + m] == strong[nobody])
    return rows[both], columns[both], optional


def _components(rows: Ints, columns: Ints, n: int, m: int) -> Ints:
    """The connected component of each pair."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    graph = csr_array((np.ones(len(rows), np.int8), (rows, n + columns)), shape=(n + m, n + m))
    return np.asarray(connected_components(graph, directed=False)[1][rows], np.int64)


def _places(columns: Ints, capacity: Ints) -> int:
    return int(capacity[np.unique(columns)].sum())


def _counted(rows: Ints, columns: Ints, supply: Ints, capacity: Ints, optional: Floats) -> Floats:
    """The exact mean: every unit of a row and every place of a column apart."""
    from unmask.kernels.assignment_values import mean_matching

    some, row = np.unique(rows, return_inverse=True)
    places, column = np.unique(columns, return_inverse=True)
    allowed = np.zeros((len(some), len(places)), np.bool_)
    allowed[row, column] = True
    units, seats = (
        np.repeat(np.arange(len(some)), supply[some]),
        np.repeat(np.arange(len(places)), capacity[places]),
    )
    must = ~np.asarray(optional, bool)[places][seats]
    share = mean_matching(np.ascontiguousarray(allowed[np.ix_(units, seats)]), must)
    table = np.zeros((len(some), len(places)))
    np.add.at(table, (units[:, None], seats[None, :]), share)
    return np.asarray(table[row, column])


def _scaled(rows: Ints, columns: Ints, label: Ints, supply: Ints, capacity: Ints, optional: Floats) -> Floats:
    """Sinkhorn's scaling to the margins; nobody takes what a component's rows leave of optional columns."""
    some, row = np.unique(rows, return_inverse=True)
    places, column = np.unique(columns, return_inverse=True)
    kinds, kind = np.unique(label, return_inverse=True)
    of_row, of_place = np.empty(len(some), np.int64), np.empty(len(places), np.int64)
    of_row[row], of_place[column] = kind, kind
    left = np.bincount(of_place, capacity[places], len(kinds)) - np.bincount(of_row, supply[some], len(kinds))
    extra = np.flatnonzero(np.asarray(optional, bool)[places] & (left[of_place] > 0))
    a_of = np.concatenate((row, len(some) + of_place[extra]))
    b_of = np.concatenate((column, extra))
    want_a = np.concatenate((supply[some].astype(np.float64), left))
    want_b = capacity[places].astype(np.float64)
    a, b = np.ones(len(want_a)), np.ones(len(want_b))
    for _ in range(SCALINGS):
        b = want_b / np.bincount(b_of, a[a_of], len(want_b))
        sums = np.bincount(a_of, b[b_of], len(want_a))
        new = np.where(sums > 0, want_a / np.where(sums > 0, sums, 1.0), 0.0)
        still = np.abs(new - a) <= 1e-14 * new
        a = new
        if still.all():
            break
    return np.asarray((a[a_of] * b[b_of])[: len(rows)])
