"""The expectation step when each sampled record has one counterpart at most: beliefs add up within its row.

A row is one record beside all records of the other file. Records with the same levels, and with known values
of the same classes, are the same in every step, so a row is kept as its patterns and how many records show
each. A pattern is written as a few codes, one per part of the attributes: what the levels of a part are worth
together is then one look-up.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled
from unmask.kernels.patterns import Codes, Ints, LevelTables, level_row, slot_of

Floats = NDArray[np.float64]
PartCodes = NDArray[np.uint16]

#: Patterns are numbered below this.
LARGEST = 2**62
#: No product of many rare levels is larger.
MOST_WEIGHT = 1e250


class PatternParts(NamedTuple):
    """Consecutive attributes in parts. A part's code is in mixed radix, its first attribute the fastest.

    A digit is a class of known values and a level: class * levels + level.
    """

    start: Ints  # part k has the attributes start[k] to start[k + 1]
    radix: Ints  # digits of each attribute
    stride: Ints  # what one more of its digit adds to the part's code
    size: Ints  # codes of each part


class KnownLevels(NamedTuple):
    """What is known of each value of the known file, those of attribute j from start[j] on, missing last."""

    start: Ints
    digit: Ints  # the digit of level 0 for the value's class
    weight: Floats  # by value and level: how much rarer the level is from here than from any value


class Rows(NamedTuple):
    """The patterns of the sampled records, one row after the other."""

    parts: PatternParts
    codes: PartCodes  # one row per pattern, one column per part
    times: Floats  # the records of the other file that show the pattern, each with its values' weights
    start: Ints  # row s has the patterns start[s] to start[s + 1]
    records: int  # of the other file


@compiled
def number_keys(key: Ints, slots: Ints, first: Codes) -> int:
    """Replace keys by their numbers in the order in which they first appear, and say how many there are.

    first[g] becomes where number g appears first; slots has 2**k entries, twice the keys or more.
    """
    slots[:] = -1
    seat = np.empty(slots.size, np.int32)
    groups = 0
    for i in range(key.size):
        at = slot_of(slots, key[i])
        if slots[at] < 0:
            slots[at], seat[at], first[groups] = key[i], groups, i
            groups += 1
        key[i] = seat[at]
    return groups


@compiled
def row_patterns(
    t: LevelTables,
    parts: PatternParts,
    values: KnownLevels,
    of_known: bool,
    own: Codes,
    other: Codes,
    weight: Ints,
) -> tuple[PartCodes, Floats, Codes]:
    """The patterns of one record beside all of the other file: codes, weighted records, and records.

    Records are counted where the record's own file is the known one; else nobody asks for them.
    t has strides of 1; other has one row per attribute, and weight says how often each of its records occurs.
    The record's own file is the known one (of_known), or the other is.
    """
    records, width = weight.size, parts.size.size
    row, key, made = np.empty(t.width.max() + 1, np.int64), np.zeros(records, np.int64), np.ones(records)
    code, first = np.zeros((width, records), np.uint16), np.empty(records, np.int32)
    slots = np.empty(1 << (int(math.log2(records)) + 2), np.int64)
    reach = 1
    for k in range(width):
        for j in range(parts.start[k], parts.start[k + 1]):
            level_row(t, j, own[j], row)
            end, begin = t.width[j], values.start[j]
            # The missing value comes last, just before those of the next attribute.
            mine = begin + own[j] if own[j] >= 0 else values.start[j + 1] - 1
            for i in range(records):
                a = other[j, i] if other[j, i] >= 0 else end
                v = mine if of_known else begin + a
                code[k, i] += np.uint16((values.digit[v] + row[a]) * parts.stride[j])
                made[i] *= values.weight[v, row[a]]
        if reach > LARGEST // parts.size[k]:
            reach = number_keys(key, slots, first)
        reach *= parts.size[k]
        for i in range(records):
            key[i] = key[i] * parts.size[k] + code[k, i]
    groups = number_keys(key, slots, first)
    codes, times = np.empty((groups, width), np.uint16), np.zeros(groups)
    count = np.zeros(groups if of_known else 0, np.int32)
    for g in range(groups):
        for k in range(width):
            codes[g, k] = code[k, first[g]]
    for i in range(records):
        times[key[i]] += weight[i] * min(made[i], MOST_WEIGHT)
        if of_known:
            count[key[i]] += weight[i]
    return codes, times, count


@compiled
def part_values(parts: PatternParts, k: int, ratio: Floats, value: Floats) -> None:
    """The product of ratios for each code of part k."""
    value[0], made = 1.0, 1
    for j in range(parts.start[k], parts.start[k + 1]):
        for level in range(parts.radix[j] - 1, -1, -1):
            for c in range(made):
                value[level * made + c] = value[c] * ratio[j, level]
        made *= parts.radix[j]


@compiled
def add_by_digit(parts: PatternParts, k: int, belief: Floats, mass: Floats) -> None:
    """Add the beliefs in the codes of part k to mass[j, digit]; they are folded, and lost."""
    made = parts.size[k]
    for j in range(parts.start[k + 1] - 1, parts.start[k] - 1, -1):
        made //= parts.radix[j]
        for digit in range(parts.radix[j]):
            total = 0.0
            for c in range(made):
                total += belief[digit * made + c]
                if digit > 0:
                    belief[c] += belief[digit * made + c]
            mass[j, digit] += total


@compiled
def values_of_parts(parts: PatternParts, ratio: Floats) -> tuple[Floats, float]:
    """The product of ratios for each code of each part, relative to the best digits; the log of those.

    So no product overflows.
    """
    best, own = 0.0, np.empty(ratio.shape)
    for j in range(ratio.shape[0]):
        most = ratio[j].max()
        own[j] = ratio[j] / most
        best += math.log(most)
    value = np.empty((parts.size.size, parts.size.max()))
    for k in range(parts.size.size):
        part_values(parts, k, own, value[k])
    return value, best


@compiled
def row_products(rows: Rows, s: int, value: Floats, product: Floats) -> float:
    """The weighted records of each pattern of row s, times its ratios; and their sum."""
    begin, total = rows.start[s], 0.0
    for p in range(begin, rows.start[s + 1]):
        x = rows.times[p]
        for k in range(rows.parts.size.size):
            x *= value[k, rows.codes[p, k]]
        product[p - begin] = x
        total += x
    return total


@compiled
def row_expectation(
    rows: Rows, ratio: Floats, present: float, first: int, last: int, mass: Floats
) -> tuple[float, float]:
    """Expected matches of rows first to last by attribute and digit (into mass), in all, and the gain.

    ratio[j, digit] = m_j(l) / t_j(l), m that of the digit's class and t that of all pairs. A record has a
    counterpart with probability `present`, each of the other file alike: its row has likelihood 1 - present +
    present * mean of the weighted products of ratios, and a pair is a match with its part of that. The gain
    is the sum of the rows' log-likelihoods.
    """
    parts, begin = rows.parts, rows.start
    value, best = values_of_parts(parts, ratio)
    belief = np.zeros(value.shape)
    product = np.empty((begin[first + 1 : last + 1] - begin[first:last]).max())
    matches, gain = 0.0, 0.0
    for s in range(first, last):
        likelihood = row_products(rows, s, value, product)
        absent = (1 - present) * math.exp(min(-best, 700.0))
        # Where all products vanish beside those of the best levels, the record has no counterpart.
        row = max(absent + present * likelihood / rows.records, 1e-300)
        gain += best + math.log(row)
        scale = present / rows.records / row
        matches += scale * likelihood
        for p in range(begin[s], begin[s + 1]):
            x = scale * product[p - begin[s]]
            for k in range(parts.size.size):
                belief[k, rows.codes[p, k]] += x
    for k in range(parts.size.size):
        add_by_digit(parts, k, belief[k], mass)
    return matches, gain


@compiled
def row_shares(
    rows: Rows, ratio: Floats, least: float, first: int, last: int, kept: NDArray[np.bool_]
) -> None:
    """Which patterns of rows first to last have at least this part of their row's likelihood."""
    begin = rows.start
    value, _ = values_of_parts(rows.parts, ratio)
    product = np.empty((begin[first + 1 : last + 1] - begin[first:last]).max())
    for s in range(first, last):
        likelihood = row_products(rows, s, value, product)
        for p in range(begin[s], begin[s + 1]):
            kept[p - begin[first]] = product[p - begin[s]] >= least * likelihood
