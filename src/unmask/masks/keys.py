"""Records as keys: combinations of values, packed into bits, and the sets of values that may be given up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints, Microdata
from unmask.data.schema import Kind

if TYPE_CHECKING:
    from unmask.kernels.suppression import Choices, PackedKeys

Flags = NDArray[np.bool_]

#: Bits of a word that hold values; the sign stays out of it.
WORD = 62

#: The largest set of values that the cover considers at once, and the most (key, set) pairs it lists.
LARGEST_SET = 3
MOST_PAIRS = 20_000_000


def key_codes(data: Microdata, names: Sequence[str]) -> Ints:
    """One row per record: the place of each value among the column's sorted values, -1 where missing."""
    columns = []
    for name in names:
        if data.schema[name].kind is Kind.NUMERIC:
            values = data.numbers([name])[:, 0]
            present = ~np.isnan(values)
            codes = np.full(len(values), -1, dtype=np.int64)
            codes[present] = np.unique(values[present], return_inverse=True)[1]
        else:
            codes = data.codes(name, data.categories(name))
        columns.append(codes)
    return np.column_stack(columns)


@dataclass(frozen=True, eq=False)
class Packing:
    """Where each attribute's value lies in the words: ``fields[j]`` has ones at its bits."""

    fields: Ints
    word: Ints
    shift: Ints

    @staticmethod
    def of(codes: Ints) -> Packing:
        """The packing of these codes: 0 is left for a missing value."""
        word, shift, fields = [], [], []
        at, used = 0, 0
        for column in codes.T:
            bits = int(column.max() + 1).bit_length()
            if used + bits > WORD:
                at, used = at + 1, 0
            word.append(at)
            shift.append(used)
            fields.append((at, ((1 << bits) - 1) << used))
            used += bits
        table = np.zeros((len(fields), at + 1), dtype=np.int64)
        for j, (place, bits) in enumerate(fields):
            table[j, place] = bits
        return Packing(table, np.array(word), np.array(shift))

    def keys(self, codes: Ints, present: Flags, size: Ints) -> PackedKeys:
        """The keys with these codes, of which the values in ``present`` are kept."""
        from unmask.kernels.suppression import PackedKeys

        packed = np.zeros((len(codes), self.fields.shape[1]), dtype=np.int64)
        keep = np.zeros_like(packed)
        for j in range(codes.shape[1]):
            packed[:, self.word[j]] |= (codes[:, j] + 1) << self.shift[j]
            keep |= np.where(present[:, j, None], self.fields[j], 0)
        return PackedKeys(packed, keep, size, np.flatnonzero(~present.all(axis=1)))

    def present(self, keep: Ints) -> Flags:
        """Which attributes the bits keep: one row per key."""
        return np.asarray((keep[:, None, :] & self.fields[None, :, :]).any(axis=2))


def choices(keys: PackedKeys, packing: Packing, rare: Ints, importance: Floats) -> Choices:
    """The sets of up to three attributes that the records of rare keys may give up."""
    from unmask.kernels.suppression import Choices

    d = len(importance)
    sets: list[tuple[int, ...]] = []
    for size in range(1, min(LARGEST_SET, d - 1) + 1):
        more = list(combinations(range(d), size))
        if sets and (len(sets) + len(more)) * len(rare) > MOST_PAIRS:
            break
        sets += more
    place = {chosen: s for s, chosen in enumerate(sets)}
    without = np.full((len(sets), d), -1, dtype=np.int64)
    rests = np.empty((len(sets), packing.fields.shape[1]), dtype=np.int64)
    group = np.full((len(rare), len(sets)), -1, dtype=np.int64)
    agreeing = np.zeros((len(rare), len(sets)), dtype=np.int64)
    groups = 0
    for s, chosen in enumerate(sets):
        for j in chosen:
            without[s, j] = place.get(tuple(i for i in chosen if i != j), -1)
        given = np.bitwise_or.reduce(packing.fields[list(chosen)], axis=0)
        rests[s] = np.bitwise_or.reduce(packing.fields, axis=0) & ~given
        label = _labels(keys.packed & rests[s])
        agreeing[:, s] = np.bincount(label, weights=keys.size)[label[rare]]
        # A record gives up what it has, and never all of it.
        able = (keys.keep[rare] & rests[s]).any(axis=1) & ((keys.keep[rare] & given) == given).all(axis=1)
        group[able, s] = groups + np.unique(label[rare[able]], return_inverse=True)[1]
        groups += len(rare)
    cost = np.array([importance[list(chosen)].sum() for chosen in sets])
    return Choices(rare, rests, cost, without, group, agreeing)


def _labels(rows: Ints) -> Ints:
    """Equal rows get one number."""
    order = np.lexsort(rows.T)
    new = np.r_[False, (np.diff(rows[order], axis=0) != 0).any(axis=1)]
    label = np.empty(len(rows), dtype=np.int64)
    label[order] = np.cumsum(new)
    return label
