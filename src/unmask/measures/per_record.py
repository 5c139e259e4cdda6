"""What a measure says of each record, kept in few bytes: most say one of a few numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats

#: Fewer records are kept as they are.
LARGE = 20_000
#: Numbers that are looked at first, and how many of them may differ; then how many of all may.
SAMPLED, FEW, MOST = 4096, 1024, 1 << 16


@dataclass(frozen=True, eq=False)
class Packed:
    """A table of numbers, and which of them each record has."""

    table: Floats
    which: NDArray[np.unsignedinteger]

    def unpacked(self) -> Floats:
        """The number of each record."""
        return np.asarray(self.table[self.which])


def packed(values: Floats) -> Floats | Packed:
    """The values as a table, if they are many and few of them differ; to the bit, NaN and -0.0 included.

    >>> shares = np.tile([0.0, 1.0, 1 / 3, np.nan], 10_000)
    >>> small = packed(shares)
    >>> small.which.nbytes, np.array_equal(small.unpacked(), shares, equal_nan=True)
    (40000, True)
    """
    if len(values) < LARGE:
        return values
    bits = np.ascontiguousarray(values, dtype=np.float64).view(np.int64)
    table = np.unique(bits[:: len(bits) // SAMPLED])
    if len(table) > FEW:
        return values
    which = np.searchsorted(table, bits)
    missed = table.take(which, mode="clip") != bits
    if missed.any():
        table = np.union1d(table, bits[missed])
        if len(table) > MOST:
            return values
        which = np.searchsorted(table, bits)
    return Packed(table.view(np.float64), which.astype(np.min_scalar_type(len(table) - 1)))


class PerRecord:
    """A field of a dataclass: an array of one number per record, or None; packed while nobody looks at it."""

    @overload
    def __get__(self, owner: None, kind: type) -> None: ...
    @overload
    def __get__(self, owner: object, kind: type) -> Floats | None: ...
    def __get__(self, owner: object | None, kind: type) -> Floats | None:
        """The array as it was given; None by default."""
        kept: Floats | Packed | None = None if owner is None else owner.__dict__["per_record"]
        return kept.unpacked() if isinstance(kept, Packed) else kept

    def __set__(self, owner: object, values: Floats | None) -> None:
        """Keep it."""
        owner.__dict__["per_record"] = None if values is None else packed(values)
