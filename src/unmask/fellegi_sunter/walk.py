"""The best links of large files whose attributes are equal or not: agreement patterns by falling weight.

For each set of attributes, the heaviest first, the targets that still have no link look up which released
records agree with them on the set. Nothing agrees on a heavier set, so those that agree here are the nearest.
The work grows with the sets, not with the pairs.
"""

from __future__ import annotations

import numpy as np

from unmask.kernels.pairing import DISCRETE, TIE, Pairing
from unmask.links import Links
from unmask.microdata import Floats, Ints

#: Attributes beyond which there are too many sets.
MOST_ATTRIBUTES = 14


def links_by_sets(pairing: Pairing, targets: Ints | None = None) -> Links | None:
    """The nearest records of each target; None where this way does not serve.

    It serves where every attribute is equal or not, nothing is missing, a record fits 62 bits, and no two
    sets of attributes have the same weight.
    """
    chosen = np.arange(len(pairing.known)) if targets is None else np.asarray(targets, np.int64)
    order = _order(pairing)
    if order is None:
        return None
    from unmask.kernels.agreeing import agreeing_classes

    sets, keys, fields = order
    known, asked = np.unique(keys[0][chosen], return_inverse=True)
    classes, cls_of, cls_size = np.unique(keys[1], return_inverse=True, return_counts=True)
    row, rows, waiting = np.full(len(known), -1, np.int64), 0, np.arange(len(known))
    lengths, entries = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for apart in sets:
        mask = sum(field for j, field in enumerate(fields) if not apart >> j & 1)
        group, indptr, found = agreeing_classes(known[waiting], classes, mask)
        count = np.diff(indptr)
        number = np.cumsum(count > 0) - 1 + rows
        linked = count[group] > 0
        row[waiting[linked]] = number[group[linked]]
        lengths.append(count[count > 0])
        entries.append(found)
        rows += int((count > 0).sum())
        waiting = waiting[~linked]
        if len(waiting) == 0:
            break
    indptr = np.concatenate(([0], np.cumsum(np.concatenate(lengths)))).astype(np.int64)
    cls = np.concatenate(entries)
    size = cls_size[cls].astype(np.float64)
    running = np.concatenate(([0.0], np.cumsum(size)))
    total = running[indptr[1:]] - running[indptr[:-1]]
    return Links(row[asked], indptr, cls, size / np.repeat(total, np.diff(indptr)), cls_of, cls_size)


def _order(p: Pairing) -> tuple[list[int], tuple[Ints, Ints], list[int]] | None:
    """Sets of attributes that disagree by rising cost, both files as keys, and the bits of each attribute."""
    if not (p.metric == DISCRETE).all() or np.isnan(p.known).any() or np.isnan(p.released).any():
        return None
    used = np.flatnonzero(p.scale > 0)
    bits = [int(max(p.known[:, j].max(), p.released[:, j].max())).bit_length() for j in used]
    if len(used) > MOST_ATTRIBUTES or sum(bits) > 62:
        return None
    cost = _costs(p.scale[used])
    order = np.argsort(cost, kind="stable")
    if (cost[order[1:]] <= cost[order[:-1]] * (1 + TIE)).any():
        return None
    start = [sum(bits[:i]) for i in range(len(bits))]
    keys = [np.zeros(len(f), np.int64) for f in (p.known, p.released)]
    for j, at in zip(used, start, strict=True):
        keys = [
            key | f[:, j].astype(np.int64) << at for key, f in zip(keys, (p.known, p.released), strict=True)
        ]
    fields = [(1 << width) - 1 << at for width, at in zip(bits, start, strict=True)]
    return order.tolist(), (keys[0], keys[1]), fields


def _costs(scale: Floats) -> Floats:
    """The cost of each set of disagreeing attributes (bit j: attribute j), added up in attribute order."""
    cost = np.zeros(1 << len(scale))
    sets = np.arange(len(cost))
    for j, c in enumerate(scale):
        cost += np.where(sets >> j & 1, c, 0.0)
    return cost
