"""The expectation step when each sampled record has one counterpart at most: beliefs add up within its row.

A row is one record beside all records of the other file. Records with the same levels are the same in every
step, so a row is kept as its agreement patterns and how many records show each. A pattern is written as a few
codes, one per part of the attributes: what the levels of a part are worth together is then one look-up.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from unmask.kernels.patterns import Codes, Ints, LevelTables, level_row, slot_of

Floats = NDArray[np.float64]
PartCodes = NDArray[np.uint16]

#: Patterns are numbered below this.
LARGEST = 2**62


class Parts(NamedTuple):
    """Consecutive attributes in parts. A part's code is in mixed radix, its first attribute the fastest."""

    start: Ints  # part k has the attributes start[k] to start[k + 1]
    radix: Ints  # levels of each attribute
    size: Ints  # codes of each part


class Rows(NamedTuple):
    """The patterns of the sampled records, one row after the other."""

    parts: Parts
    codes: PartCodes  # one row per pattern, one column per part
    times: Floats  # how many records of the other file show the pattern
    start: Ints  # row s has the patterns start[s] to start[s + 1]
    records: int  # of the other file


@njit(cache=True, nogil=True)
def level_counts(
    t: LevelTables, known: Codes, held: Ints, start: Ints, first: int, last: int, out: Floats
) -> None:
    """How many records of the other file are at each level from each sampled value; held counts them by code.

    The counts of attribute j begin at start[j], the missing value last; t has strides of 1.
    """
    row = np.empty(t.width.max() + 1, np.int64)
    for s in range(first, last):
        for j in range(known.shape[1]):
            level_row(t, j, known[s, j], row)
            for a in range(t.width[j] + 1):
                out[s, j, row[a]] += held[start[j] + a]


@njit(cache=True, nogil=True)
def number_keys(key: Ints, slots: Ints, first: Ints) -> int:
    """Replace keys by their numbers in the order in which they first appear, and say how many there are.

    first[g] becomes where number g appears first; slots has 2**k entries, twice the keys or more.
    """
    slots[:] = -1
    seat = np.empty(slots.size, np.int64)
    groups = 0
    for i in range(key.size):
        at = slot_of(slots, key[i])
        if slots[at] < 0:
            slots[at], seat[at], first[groups] = key[i], groups, i
            groups += 1
        key[i] = seat[at]
    return groups


@njit(cache=True, nogil=True)
def row_patterns(
    t: LevelTables, parts: Parts, own: Codes, other: Codes, weight: Ints
) -> tuple[PartCodes, Floats]:
    """The patterns of one record beside all of the other file, and how many records show each.

    t has the strides of the parts; other has one row per attribute, and weight says how often each occurs.
    """
    records, width = weight.size, parts.size.size
    row, key = np.empty(t.width.max() + 1, np.int64), np.zeros(records, np.int64)
    code, first = np.zeros((width, records), np.uint16), np.empty(records, np.int64)
    slots = np.empty(1 << (int(math.log2(records)) + 2), np.int64)
    reach = 1
    for k in range(width):
        for j in range(parts.start[k], parts.start[k + 1]):
            level_row(t, j, own[j], row)
            end = t.width[j]
            for i in range(records):
                a = other[j, i]
                code[k, i] += np.uint16(row[a if a >= 0 else end])
        if reach > LARGEST // parts.size[k]:
            reach = number_keys(key, slots, first)
        reach *= parts.size[k]
        for i in range(records):
            key[i] = key[i] * parts.size[k] + code[k, i]
    groups = number_keys(key, slots, first)
    codes, times = np.empty((groups, width), np.uint16), np.zeros(groups)
    for g in range(groups):
        for k in range(width):
            codes[g, k] = code[k, first[g]]
    for i in range(records):
        times[key[i]] += weight[i]
    return codes, times


@njit(cache=True, nogil=True)
def part_values(parts: Parts, k: int, ratio: Floats, value: Floats) -> None:
    """The product of ratios for each code of part k."""
    value[0], made = 1.0, 1
    for j in range(parts.start[k], parts.start[k + 1]):
        for level in range(parts.radix[j] - 1, -1, -1):
            for c in range(made):
                value[level * made + c] = value[c] * ratio[j, level]
        made *= parts.radix[j]


@njit(cache=True, nogil=True)
def add_by_level(parts: Parts, k: int, belief: Floats, scale: float, cls: Ints, mass: Floats) -> None:
    """Add the beliefs in the codes of part k to mass[j, class, level]; they are folded, and lost."""
    made = parts.size[k]
    for j in range(parts.start[k + 1] - 1, parts.start[k] - 1, -1):
        made //= parts.radix[j]
        for level in range(parts.radix[j]):
            total = 0.0
            for c in range(made):
                total += belief[level * made + c]
                if level > 0:
                    belief[c] += belief[level * made + c]
            mass[j, cls[j], level] += scale * total


@njit(cache=True, nogil=True)
def row_products(rows: Rows, s: int, ratio: Floats, value: Floats, product: Floats) -> tuple[float, float]:
    """How many records show each pattern of row s, times its ratios; their sum, and the log of their scale.

    Ratios are taken relative to the best levels, so that no product overflows; value is room to work in.
    """
    parts = rows.parts
    best, total = 0.0, 0.0
    own = np.empty((ratio.shape[1], ratio.shape[2]))
    for j in range(ratio.shape[1]):
        most = ratio[s, j].max()
        own[j] = ratio[s, j] / most
        best += math.log(most)
    for k in range(parts.size.size):
        part_values(parts, k, own, value[k])
    begin = rows.start[s]
    for p in range(begin, rows.start[s + 1]):
        x = rows.times[p]
        for k in range(parts.size.size):
            x *= value[k, rows.codes[p, k]]
        product[p - begin] = x
        total += x
    return total, best


@njit(cache=True, nogil=True)
def row_expectation(
    rows: Rows, ratio: Floats, cls: Ints, present: float, first: int, last: int, mass: Floats
) -> tuple[float, float]:
    """Expected matches of rows first to last by attribute, class and level (into mass), in all, and the gain.

    ratio[s, j, l] = m_j(l) / u_j(l) for the value of sampled record s, and cls[s, j] the class of that value.
    A record has a counterpart with probability `present`, each of the other file alike: its row has
    likelihood 1 - present + present * mean of the products of ratios, and a pair is a match with its part of
    that. The gain is the sum of the rows' log-likelihoods.
    """
    parts, begin = rows.parts, rows.start
    width = parts.size.size
    value, belief = np.empty((width, parts.size.max())), np.empty((width, parts.size.max()))
    product = np.empty((begin[first + 1 : last + 1] - begin[first:last]).max())
    matches, gain = 0.0, 0.0
    for s in range(first, last):
        likelihood, best = row_products(rows, s, ratio, value, product)
        belief[:] = 0.0
        for p in range(begin[s], begin[s + 1]):
            for k in range(width):
                belief[k, rows.codes[p, k]] += product[p - begin[s]]
        absent = (1 - present) * math.exp(min(-best, 700.0))
        # Where all products vanish beside those of the best levels, the record has no counterpart.
        row = max(absent + present * likelihood / rows.records, 1e-300)
        gain += best + math.log(row)
        scale = present / rows.records / row
        matches += scale * likelihood
        for k in range(width):
            add_by_level(parts, k, belief[k], scale, cls[s], mass)
    return matches, gain


@njit(cache=True, nogil=True)
def row_shares(
    rows: Rows, ratio: Floats, least: float, first: int, last: int, kept: NDArray[np.bool_]
) -> None:
    """Which patterns of rows first to last have at least this part of their row's likelihood."""
    begin, parts = rows.start, rows.parts
    value = np.empty((parts.size.size, parts.size.max()))
    product = np.empty((begin[first + 1 : last + 1] - begin[first:last]).max())
    for s in range(first, last):
        likelihood, _ = row_products(rows, s, ratio, value, product)
        for p in range(begin[s], begin[s + 1]):
            kept[p - begin[first]] = product[p - begin[s]] >= least * likelihood
