"""Pattern counts of attributes compared for equality: a group-by for each set of them, then inversion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Ints
from unmask.engines.blocks import run_blocks
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


def pattern_counts(
    keyed: Keyed,
    radix: Sequence[int],
    order: Sequence[int],
    threads: int,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[NDArray[np.uint8], Ints]:
    """Patterns (0 equal, 1 different; one column an attribute) and their counts, from keyed files.

    The three columns of the counts: pairs between the files, within the known, within the released one.
    Digit i of a key, of radix[i], the most significant first, belongs to attribute order[i].
    """
    d = len(radix)
    total = np.zeros((1 << d, 3), np.int64)
    total[0] = agreeing_pairs(keyed)
    root = Node(keyed, tuple(range(d)), 0, -1)

    def first(i: int, _: int) -> Node:
        return _without(root, i, radix, total)

    # Two steps down the tree of sets, then one task a subtree: enough tasks for all threads.
    children = run_blocks(first, d, 1, threads)
    pairs = [(child, i) for child in children for i in range(child.last + 1, d)]

    def subtree(at: int, _: int) -> None:
        child, i = pairs[at]
        _visit(_without(child, i, radix, total), radix, total)

    run_blocks(subtree, len(pairs), 1, threads, progress)
    invert(total, d)
    pattern = np.flatnonzero(total[:, 0])
    levels = np.empty((len(pattern), d), np.uint8)
    for i, j in enumerate(order):
        levels[:, j] = pattern >> i & 1
    return levels, total[pattern]


def _visit(node: Node, radix: Sequence[int], total: Ints) -> None:
    """All sets below a node, each from its parent's group-by."""
    for i in range(node.last + 1, len(radix)):
        _visit(_without(node, i, radix, total), radix, total)


def _without(node: Node, i: int, radix: Sequence[int], total: Ints) -> Node:
    """The node with attribute i left out as well; its pairs are entered into total."""
    kept = tuple(k for k in node.kept if k != i)
    stride = int(np.prod([radix[k] for k in node.kept if k > i], dtype=np.int64))
    domain = int(np.prod([radix[k] for k in kept], dtype=np.int64))
    near = stride <= LARGEST_RUN and domain <= ROOM * max(len(node.keyed.key), 1024)
    keyed = (project_near if near else project_far)(node.keyed, stride, radix[i])
    left_out = node.left_out | 1 << i
    total[left_out] = agreeing_pairs(keyed)
    return Node(keyed, kept, left_out, i)
