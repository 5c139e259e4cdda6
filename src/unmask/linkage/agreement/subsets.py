"""Pattern counts of attributes compared for equality: a group-by for each set of them, then inversion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Ints
from unmask.engines import Engine, joined, listed
from unmask.kernels.projections import Keyed, agreeing_pairs, invert, project_far, project_near

#: Lower digits beyond which a group-by sorts; and how many times more keys there may be than occur.
LARGEST_RUN = 2**22
ROOM = 1024


@dataclass(frozen=True, eq=False)
class Node:
    """The files grouped by the attributes that are kept; ``last`` is the attribute left out last."""

    keyed: Keyed
    kept: tuple[int, ...]
    left_out: int  # as bits
    last: int

    def without(self, i: int, radix: Sequence[int]) -> Node:
        """The node with attribute i left out as well."""
        kept = tuple(k for k in self.kept if k != i)
        stride = int(np.prod([radix[k] for k in self.kept if k > i], dtype=np.int64))
        domain = int(np.prod([radix[k] for k in kept], dtype=np.int64))
        near = stride <= LARGEST_RUN and domain <= ROOM * max(len(self.keyed.key), 1024)
        keyed = (project_near if near else project_far)(self.keyed, stride, radix[i])
        return Node(keyed, kept, self.left_out | 1 << i, i)


def pattern_counts(
    engine: Engine, keyed: Keyed, radix: Sequence[int], order: Sequence[int]
) -> tuple[NDArray[np.uint8], Ints]:
    """Patterns (0 equal, 1 different; one column per attribute) and their counts, from keyed files.

    The three columns of the counts: pairs between the files, within the known, within the released one.
    Digit i of a key, of radix[i], the most significant first, belongs to attribute order[i].
    """
    d = len(radix)
    root = Node(keyed, tuple(range(d)), 0, -1)
    # Two steps down the tree of sets, then one task for each subtree: enough of them to share out.
    children = engine.map(ChildrenTask(root, tuple(radix)), d, listed, 1, quiet=True)
    pairs = [(child, i) for child in children for i in range(child.last + 1, d)]
    left_out, count = engine.map(SubtreesTask(pairs, tuple(radix)), len(pairs), joined, 1)
    total = np.zeros((1 << d, 3), np.int64)
    for node in (root, *children):
        total[node.left_out] = agreeing_pairs(node.keyed)
    total[left_out] = count
    invert(total, d)
    pattern = np.flatnonzero(total[:, 0])
    levels = np.empty((len(pattern), d), np.uint8)
    for i, j in enumerate(order):
        levels[:, j] = pattern >> i & 1
    return levels, total[pattern]


@dataclass(frozen=True, eq=False)
class ChildrenTask:
    """The nodes with one attribute less."""

    node: Node
    radix: tuple[int, ...]

    def __call__(self, start: int, stop: int) -> list[Node]:
        """Those without these attributes."""
        return [self.node.without(i, self.radix) for i in range(start, stop)]


@dataclass(frozen=True, eq=False)
class SubtreesTask:
    """All sets at and below nodes that are given by their parents and the attribute left out of them."""

    nodes: list[tuple[Node, int]]
    radix: tuple[int, ...]

    def __call__(self, start: int, stop: int) -> tuple[Ints, Ints]:
        """The sets (attributes left out, as bits) below these nodes, and the pairs that agree on the rest."""
        sets: list[int] = []
        counts: list[tuple[int, int, int]] = []
        for parent, i in self.nodes[start:stop]:
            self._visit(parent.without(i, self.radix), sets, counts)
        return np.array(sets, np.int64), np.array(counts, np.int64).reshape(-1, 3)

    def _visit(self, node: Node, sets: list[int], counts: list[tuple[int, int, int]]) -> None:
        """A node, and all below it, each from its parent's group-by."""
        sets.append(node.left_out)
        counts.append(agreeing_pairs(node.keyed))
        for i in range(node.last + 1, len(self.radix)):
            self._visit(node.without(i, self.radix), sets, counts)
