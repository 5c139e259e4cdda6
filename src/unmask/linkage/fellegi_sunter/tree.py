"""The strongest dependences of agreement among non-matches: a tree of attributes.

Two people who agree on tenure mostly agree on the kind of building too: the second agreement is no new
evidence. With the attributes joined by a tree T,

    u(l) = prod_j u_j(l_j) * prod over edges (i, j) of T of u_ij(l_i, l_j) / (u_i(l_i) u_j(l_j)),

and T the tree of the largest mutual information, no tree is nearer to the true distribution (Chow and Liu
1968). Winkler (1993) has such interactions in record linkage, Ravikumar and Cohen (2004) such graphs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints
from unmask.engines import Engine, joined
from unmask.linkage.agreement import AttributeComparison
from unmask.linkage.agreement.counting import distinct_records, level_tables
from unmask.linkage.fellegi_sunter.em import LEAST_REST

if TYPE_CHECKING:
    from unmask.kernels.patterns import LevelTables
    from unmask.kernels.together import Edges

#: Look-ups (pairs of records times pairs of attributes) from which dependences are learned, and how many
#: known records they take at most and at least.
LOOKUPS, MOST_KNOWN, LEAST_KNOWN = 100_000_000, 1000, 50
#: Known records counted at once: one number, so that sums are the same on every engine.
TOGETHER = 16


@dataclass(frozen=True, eq=False)
class AgreementTree:
    """The edges, and log2 of how much oftener non-matches have two levels together than independence says."""

    first: Ints
    second: Ints
    excess: Floats

    def of_patterns(self, levels: NDArray[np.uint8]) -> Floats:
        """What independence counts twice in the weight of each pattern; never below 0."""
        more = np.zeros(len(levels))
        for i, j, table in zip(self.first, self.second, self.excess, strict=True):
            more += table[levels[:, i], levels[:, j]]
        return np.maximum(more, 0.0)

    def edges(self, comparisons: Sequence[AttributeComparison]) -> Edges:
        """The edges as the kernels read them."""
        from unmask.kernels.together import Edges

        return Edges(_tables(comparisons), self.first, self.second)


def agreement_tree(
    comparisons: Sequence[AttributeComparison], matched: Floats, share: float, engine: Engine
) -> AgreementTree:
    """The tree of these comparisons, with the matches taken out of the pairs.

    ``matched`` is m, and ``share`` the share of matches among all pairs.
    Large files are counted over known records at equal steps. An edge must pay for its parameters (Schwarz
    1978); of so many pairs it does even where the dependence is slight, and then it takes little away.
    """
    found, d = [], len(comparisons)
    # One attribute has nobody to depend on: nothing is counted.
    pairs, size = _pair_tables(comparisons, engine) if d > 1 else (np.empty(0), 0)
    for j in range(d):
        for i in range(j):
            rest = _unmatched(pairs[i, j], share * np.outer(matched[i], matched[j]))
            excess, information = _dependence(rest)
            cells = np.prod([np.count_nonzero(rest.any(axis=axis)) - 1 for axis in (0, 1)])
            gain = 2 * size * information - cells * np.log(size)
            if gain > 0:
                found.append((gain, i, j, excess))
    # The largest gain first; those that would close a circle are left out (Kruskal 1956).
    part, kept = list(range(d)), []
    for _, i, j, excess in sorted(found, key=lambda edge: (-edge[0], edge[1], edge[2])):
        if part[i] != part[j]:
            part = [part[i] if p == part[j] else p for p in part]
            kept.append((i, j, excess))
    levels = matched.shape[1]
    return AgreementTree(
        np.array([i for i, _, _ in kept], np.int64),
        np.array([j for _, j, _ in kept], np.int64),
        np.array([excess for _, _, excess in kept]).reshape(-1, levels, levels),
    )


def _pair_tables(comparisons: Sequence[AttributeComparison], engine: Engine) -> tuple[Floats, int]:
    """The share of pairs by two attributes' levels, and how many pairs were counted."""
    released, times = distinct_records(comparisons, of_known=False, room=engine.room)
    n, d = len(comparisons[0].known), len(comparisons)
    wanted = LOOKUPS // (len(times) * max(d * (d - 1) // 2, 1))
    size = min(n, max(LEAST_KNOWN, min(MOST_KNOWN, wanted)))
    rows = np.arange(size) * n // size
    task = JointTask(
        _tables(comparisons),
        np.ascontiguousarray(np.column_stack([c.known[rows] for c in comparisons])),
        np.ascontiguousarray(released.T),
        times.astype(np.float64),
        max(c.levels for c in comparisons),
    )
    total = engine.map(task, -(-size // TOGETHER), joined, 1, quiet=True)[0].sum(axis=0)
    counted = size * int(times.sum())
    return total / counted, counted


@dataclass(frozen=True, eq=False)
class JointTask:
    """How many pairs of groups of TOGETHER known records have each two levels of each two attributes."""

    tables: LevelTables
    known: NDArray[np.int32]
    released: NDArray[np.int32]
    weight: Floats
    levels: int

    def __call__(self, start: int, stop: int) -> tuple[Floats]:
        """One entry for each of these groups."""
        from unmask.kernels.together import joint_levels

        d = len(self.released)
        out = np.zeros((stop - start, d, d, self.levels, self.levels))
        for i, group in enumerate(range(start, stop)):
            first, last = group * TOGETHER, min((group + 1) * TOGETHER, len(self.known))
            joint_levels(self.tables, self.known, self.released, self.weight, first, last, out[i])
        return (out,)


def _tables(comparisons: Sequence[AttributeComparison]) -> LevelTables:
    return level_tables(comparisons)._replace(stride=np.ones(len(comparisons), np.int64))


def _unmatched(share: Floats, matches: Floats) -> Floats:
    """The shares of non-matches, of which a part is always left."""
    rest = np.maximum(share - matches, LEAST_REST * share)
    return np.asarray(rest / rest.sum(), np.float64)


def _dependence(share: Floats) -> tuple[Floats, float]:
    """log2 of the shares over the products of their margins, and the mutual information in nats.

    >>> excess, information = _dependence(np.array([[0.3, 0.2], [0.2, 0.3]]))
    >>> excess.round(2), round(information, 3)
    (array([[ 0.26, -0.32],
           [-0.32,  0.26]]), 0.02)
    """
    product = np.outer(share.sum(axis=1), share.sum(axis=0))
    # Levels that never meet say nothing: no pair shows them.
    ratio = np.log(np.where(share > 0, share, 1.0) / np.where(share > 0, product, 1.0))
    return np.asarray(ratio / np.log(2), np.float64), float((share * ratio).sum())
