"""Attributes that are equal or not: sets of attributes are counted instead of pairs of records.

The value of a pair depends only on the set of attributes in which the two differ, and a hash table tells how
many released records agree with a target on the others. The work grows with the sets, not with the pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unmask.engines.base import Engine, Floats, Ints
from unmask.engines.merge import added
from unmask.kernels.pairing import DISCRETE, TIE, Pairing
from unmask.kernels.sets import set_values

#: Targets from which, and attributes up to which, sets are counted, if there are so many times more pairs.
MANY_TARGETS, MOST_COUNTED, WORTH_COUNTING = 10_000, 10, 50


@dataclass(frozen=True, eq=False)
class Coded:
    """Both files as keys of one word, the bits of each attribute in it, and the value of each set apart."""

    known: Ints
    released: Ints
    fields: list[int]
    value: Floats

    def bits(self, apart: int) -> int:
        """The bits of the attributes that agree where these (bit j: attribute j) are apart."""
        return sum(field for j, field in enumerate(self.fields) if not apart >> j & 1)

    @cached_property
    def classes(self) -> tuple[Ints, Ints]:
        """The distinct released keys, and how many records have each."""
        keys, size = np.unique(self.released, return_counts=True)
        return keys, size

    def worth(self, targets: int, records: int) -> bool:
        """Whether counting sets takes less than searching, with so many distinct ones of each."""
        return (targets + records << len(self.fields)) * WORTH_COUNTING <= targets * records


def many(rows: Ints) -> bool:
    """Whether there are so many targets that counting may pay."""
    return len(rows) >= MANY_TARGETS


def coded(p: Pairing, most: int = MOST_COUNTED) -> Coded | None:
    """The files as keys, if attributes are few and equal or not, no value is missing and none impossible."""
    d = p.known.shape[1]
    if d > most or not (p.metric == DISCRETE).all() or not len(p.known) or not len(p.released):
        return None
    if not all((file >= 0).all() and (file == np.floor(file)).all() for file in (p.known, p.released)):
        return None  # a missing value (NaN), or no code
    bits = [int(max(p.known[:, j].max(), p.released[:, j].max())).bit_length() for j in range(d)]
    value = set_values(p) if sum(bits) <= 62 else np.array([np.inf])
    if not np.isfinite(value).all():
        return None
    start = [sum(bits[:j]) for j in range(d)]
    keys = [np.zeros(len(f), np.int64) for f in (p.known, p.released)]
    for key, file in zip(keys, (p.known, p.released), strict=True):
        for j in range(d):
            key |= file[:, j].astype(np.int64) << start[j]
    fields = [(1 << width) - 1 << at for width, at in zip(bits, start, strict=True)]
    return Coded(keys[0], keys[1], fields, value)


def standing_by_sets(engine: Engine, files: Coded, true: Ints, depth: int, rows: Ints) -> tuple[Ints, Ints]:
    """How many records are nearer than each target's ``true`` one (up to ``depth``), and how many tie.

    With N(E) the records that differ from a target on attributes of E only, those that differ on exactly D
    are sum_{E in D} (-1)^{|D - E|} N(E), so the records of all cheaper sets are a sum over E of N(E), with
    coefficients that depend on what the true record differs in. Everything is whole numbers, so the order of
    adding does not matter.
    """
    there = np.flatnonzero(true >= 0)
    own = files.known[rows[there]]
    differ = own ^ files.released[true[there]]
    apart = np.zeros(len(there), np.int64)
    for j, field in enumerate(files.fields):
        apart |= ((differ & field) != 0).astype(np.int64) << j
    nearer, level = coefficients(files.value)
    needed = np.flatnonzero(((nearer != 0) | (level != 0))[np.unique(apart)].any(axis=0))
    task = SetsTask(
        files.classes, np.array([files.bits(e) for e in needed.tolist()]), needed, own, apart, nearer, level
    )
    near, tied = engine.map(task, len(needed), added)
    closer, ties = np.full(len(rows), -1, np.int64), np.zeros(len(rows), np.int64)
    closer[there] = np.minimum(near, depth)
    ties[there] = np.where(near >= depth, 0, tied)
    return closer, ties


@dataclass(frozen=True, eq=False)
class SetsTask:
    """What sets of attributes add to the nearer and to the tied records of each target (two rows)."""

    classes: tuple[Ints, Ints]  # the distinct released keys, and how many records have each
    bits: Ints  # of the attributes that agree where those of a set are apart
    sets: Ints
    own: Ints  # the key of each target
    apart: Ints  # what the true record of each differs in
    nearer: Ints
    level: Ints

    def __call__(self, start: int, stop: int) -> Ints:
        """The sum over these sets."""
        from unmask.kernels.agreeing import agreeing_counts

        total = np.zeros((2, len(self.own)), np.int64)
        for within, bits in zip(self.sets[start:stop], self.bits[start:stop].tolist(), strict=True):
            nearer, level = self.nearer[self.apart, within], self.level[self.apart, within]
            concerned = np.flatnonzero((nearer != 0) | (level != 0))
            records = agreeing_counts(self.own[concerned], *self.classes, bits)
            total[0, concerned] += nearer[concerned] * records
            total[1, concerned] += level[concerned] * records
        return total


def coefficients(value: Floats) -> tuple[Ints, Ints]:
    """What N(E), in columns, counts towards nearer and tied records, by what the truth differs in (rows).

    >>> nearer, level = coefficients(np.array([0.0, 1.0]))
    >>> nearer.tolist(), level.tolist()
    ([[0, 0], [1, 0]], [[1, 0], [-1, 1]])
    """
    cheaper = value[None, :] * (1 + TIE) < value[:, None]
    same = (value[None, :] <= value[:, None] * (1 + TIE)) & ~cheaper
    both = cheaper.astype(np.int64), same.astype(np.int64)
    sets = np.arange(len(value))
    for j in range(len(value).bit_length() - 1):
        without = sets[sets >> j & 1 == 0]
        for part in both:
            part[:, without] -= part[:, without | 1 << j]
    return both
