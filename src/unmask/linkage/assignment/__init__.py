"""One-to-one linkage: the assignment of least total value over any pairing, exactly or with its gap stated.

Pairs are priced instead of listed: an assignment over short lists of near records comes with a price for
every record, and the prices tell which of the pairs that are not listed could lower the total. Those are
added and the assignment is made again, until none is left: the total is then the least over *all* pairs,
although only a few of them were ever held. Where not all pairs can be priced, prices still give a bound, and
the gap is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.engines import Engine, LocalEngine
from unmask.kernels.pairing import SUM, TABLE, Pairing
from unmask.linkage.assignment.lists import LongAssignmentError, Part, solve
from unmask.linkage.assignment.sharing import shares
from unmask.linkage.assignment.sides import Sides, two_sides
from unmask.linkage.blocking import Blocks
from unmask.linkage.links import Links

__all__ = ["Assignment", "LongAssignmentError", "Part", "Sides", "assign", "shares", "solve"]


@dataclass(frozen=True, eq=False)
class Assignment:
    """A best assignment's cost, and belief: the mean over all best assignments.

    ``pairs``: how many records are linked; ``total``: their cost; ``bound``: no assignment of as many pairs
    costs less. Where the two differ by no more than rounding, the assignment is ``proven`` the best.
    """

    links: Links
    pairs: int
    total: float
    bound: float

    @property
    def gap(self) -> float:
        """By how much the total may be above the least possible."""
        return max(self.total - self.bound, 0.0)

    @property
    def proven(self) -> bool:
        """Whether the total is the least possible, up to rounding."""
        return self.gap <= 1e-9 * max(abs(self.total), abs(self.bound))


def assign(pairing: Pairing, engine: Engine, power: float = 1.0, blocks: Blocks | None = None) -> Assignment:
    """Link as many pairs as can be, each record once, at the least total of value ** power.

    Pairs from two ``blocks`` are impossible.

    >>> found = assign(pairing_of([[4.0, 1.0, 3.0], [2.0, 0.0, 5.0], [3.0, 2.0, 2.0]]), LocalEngine())
    >>> found.total, found.proven
    (5.0, True)
    >>> found.links.belief_in(np.array([1, 0, 2]))
    array([1., 1., 1.])
    """
    whole, known_class, released_class = two_sides(pairing, engine, power, blocks)
    parts = solve(whole)
    known, released, mass = [], [], []
    for part in parts:
        rows, columns, units = shares(part)
        left, right = part.sides.row[rows], part.sides.column[columns]
        known.append(right if part.sides.flipped else left)
        released.append(left if part.sides.flipped else right)
        mass.append(units)
    links = _links(whole, known_class, released_class, known, released, mass)
    return Assignment(
        links,
        sum(len(part.column) for part in parts),
        float(sum(part.total for part in parts)),
        float(sum(part.bound for part in parts)),
    )


def _links(
    whole: Sides,
    known_class: Ints,
    released_class: Ints,
    known: Sequence[Ints],
    released: Sequence[Ints],
    mass: Sequence[Floats],
) -> Links:
    """Belief of each class of targets over the classes of released records."""
    empty = np.empty(0, np.int64)
    left, right = np.concatenate([empty, *known]), np.concatenate([empty, *released])
    belief = np.concatenate([np.empty(0), *mass]) / whole.supply[left]
    order = np.lexsort((right, left))
    left, right, belief = left[order], right[order], belief[order]
    indptr = np.searchsorted(left, np.arange(len(whole.supply) + 1))
    linked = np.diff(indptr) > 0
    row = np.where(linked[known_class], known_class, -1)
    return Links(row, indptr, right, belief, released_class, whole.capacity)


def pairing_of(costs: Sequence[Sequence[float]]) -> Pairing:
    """A pairing whose values are given: row i and column j, infinity where the pair is impossible."""
    table = np.array(costs, dtype=np.float64)
    n, m = table.shape
    one = np.ones(1)
    return Pairing(
        np.arange(n, dtype=np.float64)[:, None],
        np.arange(m, dtype=np.float64)[:, None],
        np.array([TABLE]),
        one,
        table.ravel(),
        np.zeros(1, np.int64),
        np.array([m]),
        one,
        one,
        one,
        1,
        SUM,
        one,
    )


def example(costs: Sequence[Sequence[float]]) -> Part:
    """The solved assignment of a table of costs, for examples."""
    return solve(two_sides(pairing_of(costs), LocalEngine())[0])[0]
