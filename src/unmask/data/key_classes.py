"""Equivalence classes: the records that share a key, a combination of values of the known attributes.

Without wildcards the classes are a partition of the file (Sweeney 2002). Where a missing value stands for
anything, keys are *compatible* rather than equal, which is no equivalence: the records compatible with each
of two others need not be compatible with one another, so only counts are defined then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints, Microdata, as_text
from unmask.data.missing import Missing
from unmask.data.ranks import dense_ranks
from unmask.data.schema import Kind
from unmask.data.sums import totals
from unmask.engines.cache import Once, in_place
from unmask.errors import ArgumentError

#: Bits of a word that hold values; the sign stays out of it.
WORD = 62


@dataclass(frozen=True, eq=False)
class Classes:
    """A partition of the records, numbered by first appearance.

    ``of``: the class of each record; ``size``: how many records a class has; ``first``: its first record.
    """

    of: Ints
    size: Ints
    first: Ints

    def __len__(self) -> int:
        return len(self.size)

    @property
    def members(self) -> Ints:
        """The records, class by class, ascending in each."""
        from unmask.kernels.classes import by_class

        return by_class(self.of, self.start)

    @property
    def start(self) -> Ints:
        """Where the members of each class begin, with one more for the end."""
        return np.append(0, np.cumsum(self.size)).astype(np.int64)

    def sums(self, values: Floats) -> Floats:
        """The sum of a value over the records of each class."""
        return totals(self.of, values, len(self))


@dataclass(frozen=True, eq=False)
class KeyFrame:
    """The keys of a file: these columns, every missing value as null, and the classes of equal rows."""

    frame: pl.DataFrame
    classes: Classes

    @property
    def names(self) -> tuple[str, ...]:
        """The attributes that make the key."""
        return tuple(self.frame.columns)

    @property
    def distinct(self) -> pl.DataFrame:
        """The key of each class; not kept, since in a large file nearly every record is a class."""
        return self.frame[self.classes.first]

    @cached_property
    def codes(self) -> Ints:
        """The codes of each class's key; -1 where missing."""
        return place_codes(self.distinct)


def key_frame(
    data: Microdata,
    names: Sequence[str],
    ranks: Callable[[str], Ints] | None = None,
    once: Once = in_place,
) -> KeyFrame:
    """The keys that these attributes make; a missing value is a value of its own.

    ``ranks``: those of a column, where somebody keeps them (:func:`unmask.data.ranks.dense_ranks`);
    ``once``: how the group-by is done.

    >>> from unmask.data.schema import Column, Schema
    >>> file = Microdata(Schema((Column("age"),)), pl.DataFrame({"age": [30.0, float("nan"), 30.0, None]}))
    >>> keys = key_frame(file, ["age"])
    >>> keys.classes.of
    array([0, 1, 0, 1])
    """
    series = [data.frame[name] for name in names]
    # A column without NaN stays the file's own, and takes no memory.
    frame = pl.DataFrame([s.fill_nan(None) if s.dtype.is_float() and s.is_nan().any() else s for s in series])
    columns = tuple(dense_ranks(frame[n]) if ranks is None else ranks(n) for n in names)
    return KeyFrame(frame, once(ClassesOf(columns)))


@dataclass(frozen=True, eq=False)
class ClassesOf:
    """A piece of work: the group-by of records."""

    columns: tuple[NDArray[np.integer], ...]

    def __call__(self, _: object) -> Classes:
        """The classes of equal rows."""
        return same_rows(self.columns)


def classes(keys: pl.DataFrame) -> Classes:
    """The records grouped by their key; a missing value is a value of its own.

    >>> found = classes(pl.DataFrame({"sex": ["f", "m", "f"], "age": [30, 41, 30]}))
    >>> found.of, found.size
    (array([0, 1, 0]), array([2, 1]))
    """
    return same_rows([dense_ranks(keys[name]) for name in keys.columns])


def same_rows(columns: Sequence[NDArray[np.integer]]) -> Classes:
    """The records grouped by their numbers in these columns, none of which is below 0.

    >>> same_rows([np.array([1, 0, 1]), np.array([2, 2, 2])]).of
    array([0, 1, 0])
    """
    from unmask.kernels.classes import number_rows

    if not columns:
        raise ArgumentError("no attribute makes a key", hint="name the attributes that the intruder knows")
    of, first = number_rows(_packed(columns)[0])
    return Classes(of, np.bincount(of, minlength=len(first)), first)


def place_codes(keys: pl.DataFrame) -> Ints:
    """One row per key: the place of each value among the column's sorted values, -1 where missing.

    >>> place_codes(pl.DataFrame({"town": ["B", None, "A"], "age": [30, 41, 30]}))
    array([[ 1,  0],
           [-1,  1],
           [ 0,  0]])
    """
    return np.column_stack([dense_ranks(keys[name]) - 1 for name in keys.columns])


def comparable(keys: pl.DataFrame, data: Microdata) -> pl.DataFrame:
    """Keys of one file made comparable with another's: numbers as floats, categories as text."""
    return pl.DataFrame(
        [
            keys[name].cast(pl.Float64) if data.schema[name].kind is Kind.NUMERIC else as_text(keys[name])
            for name in keys.columns
        ]
    )


def wild(missing: Missing) -> bool:
    """Whether a missing value of a release agrees with every value: as a wildcard, ignored or suppressed."""
    return missing in (Missing.WILDCARD, Missing.IGNORE, Missing.SUPPRESSED)


def compatible_sums(asked: Ints, base: Ints, values: Floats, alpha: float = 1.0) -> Floats:
    """For each asked key the sums of the values of the base keys that are compatible with it.

    Keys are rows of codes, -1 where missing, distinct in each array; ``values`` has one row per base key.
    Two keys are compatible when they agree wherever both have a value. A base key that is identical or
    complete counts once, another with a missing value ``alpha`` times; one without any value counts nothing
    for complete keys, as it would cover for the whole file, and an asked key without any value is compatible
    with every record. That is the count of sdcMicro's ``freqCalc`` (Templ, Kowarik and Meindl 2015).

    >>> keys = np.array([[0, 0], [0, -1], [1, 1]])
    >>> compatible_sums(keys, keys, np.array([[2.0], [1.0], [1.0]])).ravel()
    array([3., 3., 1.])
    """
    from unmask.kernels.classes import add_agreeing

    order = np.lexsort(base.T)  # by key, so that sums are the same in whatever order the records come
    base, values = base[order], values[order]
    both = np.vstack((asked, base))
    words, fields = _packed([column + 1 for column in both.T])
    patterns, of = _patterns(both)
    asking, giving = _rows(of[: len(asked)], len(patterns)), _rows(of[len(asked) :], len(patterns))
    sums = np.zeros((len(asked), values.shape[1]))
    for p, here in asking.items():
        if not patterns[p].any():
            sums[here] = values.sum(axis=0)
            continue
        found = np.zeros((len(here), values.shape[1]))
        for q, there in giving.items():
            factor = 1.0 if p == q or patterns[q].all() else alpha
            if not factor or (patterns[p].all() and not patterns[q].any()):
                continue
            keep = np.bitwise_or.reduce(fields[patterns[p] & patterns[q]], axis=0, initial=0)
            add_agreeing(words[here], words[len(asked) + there], keep, values[there], factor, found)
        sums[here] = found
    return sums


def _patterns(codes: Ints) -> tuple[NDArray[np.bool_], Ints]:
    """Which values are present: the distinct patterns, and that of each key."""
    present = codes >= 0
    label = np.zeros(len(codes), dtype=np.int64)
    for column in present.T:  # numbered anew after each attribute, however many there are
        label = np.unique(2 * label + column, return_inverse=True)[1]
    first = np.unique(label, return_index=True)[1]
    return present[first], label


def _rows(of: Ints, patterns: int) -> dict[int, Ints]:
    """The rows of each pattern that has some."""
    order = np.argsort(of, kind="stable")
    start = np.searchsorted(of[order], np.arange(patterns + 1))
    return {p: order[start[p] : start[p + 1]] for p in range(patterns) if start[p] < start[p + 1]}


def _packed(columns: Sequence[NDArray[np.integer]]) -> tuple[Ints, Ints]:
    """Rows of numbers from 0 on as words, and for each column the words with ones at its bits."""
    at, used, places = 0, 0, []
    for column in columns:
        bits = int(column.max(initial=1)).bit_length()
        if used + bits > WORD:
            at, used = at + 1, 0
        places.append((at, used, bits))
        used += bits
    words = np.zeros((len(columns[0]), at + 1), dtype=np.int64)
    fields = np.zeros((len(places), at + 1), dtype=np.int64)
    for j, (word, shift, bits) in enumerate(places):
        words[:, word] |= columns[j].astype(np.int64, copy=False) << shift
        fields[j, word] = ((1 << bits) - 1) << shift
    return words, fields
