"""Beliefs by look-ups: for coded attributes, one row of costs per attribute serves a target for all records.

Values are sums in attribute order, as :mod:`unmask.kernels.pairs` computes them: the same bits.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled
from unmask.kernels.pairing import DISCRETE, Pairing
from unmask.kernels.together import Edges, add_excess

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Codes = NDArray[np.int32]

#: Released records in a strip: their values stay in the innermost cache.
STRIP = 1024


@compiled
def cost_rows(p: Pairing, target: int, rows: Floats) -> None:
    """The cost of each released code, one row per attribute; a missing value stands after the last code."""
    for j in range(rows.shape[0]):
        b, width = p.known[target, j], p.width[j]
        if math.isnan(b):
            rows[j, :width] = p.missing_known[j]
            rows[j, width] = p.missing_both[j]
            continue
        code = int(b)
        rows[j, width] = p.missing_released[j]
        if p.metric[j] == DISCRETE:
            rows[j, :width] = p.scale[j]
            if code < width:
                rows[j, code] = 0.0
        else:
            start = p.offset[j] + code * width
            for a in range(width):
                rows[j, a] = p.scale[j] * p.tables[start + a]


@compiled
def strip_values(rows: Floats, released: Codes, start: int, stop: int, value: Floats) -> None:
    """The values of released records start to stop; released has one row per attribute."""
    value[: stop - start] = 0.0
    for j in range(released.shape[0]):
        for i in range(start, stop):
            value[i - start] += rows[j, released[j, i]]


@compiled
def lookup_beliefs(
    p: Pairing,
    targets: Ints,
    released: Codes,
    sizes: Ints,
    top: float,
    nobody: float,
    least: float,
    edges: Edges,
    excess: Floats,
    codes: Codes,
    count: Ints,
) -> tuple[Ints, Floats]:
    """Classes with a record of belief `least` or more, and their mass; count says how many a target has.

    The weight of a pair is top - value, less the excess of its levels (where that is above 0); its likelihood
    2^weight is shared with all records and `nobody`. `codes` are those of the targets.
    """
    classes_of = released.shape[1]
    rows, value = np.empty((released.shape[0], p.width.max() + 1)), np.empty(classes_of)
    found, mass, used = np.empty(64, np.int64), np.empty(64), 0
    more = np.empty(classes_of)
    for t in range(targets.size):
        cost_rows(p, targets[t], rows)
        for start in range(0, classes_of, STRIP):
            stop = min(start + STRIP, classes_of)
            strip_values(rows, released, start, stop, value[start:])
        add_excess(edges, excess, codes[t], released, more)
        total, before = nobody, used
        for i in range(classes_of):
            value[i] = 2.0 ** min(top - value[i] - max(more[i], 0.0), 1000.0)
            total += sizes[i] * value[i]
        for i in range(classes_of):
            if value[i] / total < least:
                continue
            if used == found.size:
                longer, larger = np.empty(2 * used, np.int64), np.empty(2 * used)
                longer[:used], larger[:used] = found, mass
                found, mass = longer, larger
            found[used], mass[used] = i, sizes[i] * value[i] / total
            used += 1
        count[t] = used - before
    return found[:used].copy(), mass[:used].copy()
