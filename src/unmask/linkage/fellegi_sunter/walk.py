"""The best links of large files whose attributes are equal or not: agreement patterns by falling weight.

For each set of attributes, the heaviest first, the targets that still have no link look up which released
records agree with them on the set. Nothing agrees on a heavier set, so those that agree here are the nearest.
The work grows with the sets, not with the pairs.
"""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Ints
from unmask.kernels.pairing import TIE, Pairing
from unmask.linkage.links import Links

#: Attributes beyond which there are too many sets.
MOST_ATTRIBUTES = 14


def links_by_sets(pairing: Pairing, targets: Ints | None = None) -> Links | None:
    """The nearest records of each target; None where this way does not serve.

    It serves where every attribute is equal or not, nothing is missing, a record fits 62 bits, and no two
    sets of attributes have the same weight.
    """
    from unmask.engines.equality import coded  # compiled code: only where it is needed
    from unmask.kernels.agreeing import agreeing_classes

    chosen = np.arange(len(pairing.known)) if targets is None else np.asarray(targets, np.int64)
    files = coded(_used(pairing), MOST_ATTRIBUTES)
    if files is None:
        return None
    sets = np.argsort(files.value, kind="stable")
    if (files.value[sets[1:]] <= files.value[sets[:-1]] * (1 + TIE)).any():
        return None
    known, asked = np.unique(files.known[chosen], return_inverse=True)
    classes, cls_of, cls_size = np.unique(files.released, return_inverse=True, return_counts=True)
    row, rows, waiting = np.full(len(known), -1, np.int64), 0, np.arange(len(known))
    lengths, entries = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for apart in sets.tolist():
        group, indptr, found = agreeing_classes(known[waiting], classes, files.bits(apart))
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
    return Links.shared(row[asked], indptr, cls, cls_of, cls_size)


def _used(p: Pairing) -> Pairing:
    """Without the attributes that cost nothing, which would make ties of all sets."""
    keep = np.flatnonzero(p.scale > 0)
    part = {name: getattr(p, name)[keep] for name in ("metric", "scale", "offset", "width", "params")}
    return p._replace(known=p.known[:, keep], released=p.released[:, keep], **part)
