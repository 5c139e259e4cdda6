"""Anchors: the zero and the unit in which floating point keeps the numbers of an attribute apart.

A float has 53 binary digits, so that whole numbers beyond 2^53 merge with their neighbours; and the squares
of numbers below 1e-154 vanish. What matters to every comparison are differences. So a common number is taken
off large whole numbers while they are still integers, and extreme numbers are brought near 1 by a power of
two, which changes no digit. The anchor of an attribute comes from the original file alone and serves every
file that is compared with it. Nobody sees anchored values: they live behind the boundary
(:mod:`unmask.data.coding`), as days of dates do.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import frexp

import numpy as np
import polars as pl

from unmask.errors import DataError

#: Whole numbers up to this are floats without loss.
EXACT = 2**53
#: The zero is a multiple of this, so that numbers that were rounded stay multiples of their step.
ROUND = 10**15
#: Numbers whose largest is beyond 2^100 or below 2^-100 get another unit.
REACH = 100


@dataclass(frozen=True)
class Anchor:
    """How the numbers of an attribute are held: (value - zero) * 2**power.

    >>> Anchor(zero=10**17).apply(pl.Series([10**17 + 1, None, 10**17 + 2])).to_list()
    [1, None, 2]
    >>> Anchor(power=10).apply(pl.Series([0.5, None])).to_list()
    [512.0, None]
    """

    zero: int = 0
    power: int = 0

    def __bool__(self) -> bool:
        return bool(self.zero or self.power)

    def apply(self, series: pl.Series) -> pl.Series:
        """The numbers as they are held; what is no number stays as it is."""
        if not self or not series.dtype.is_numeric():
            return series
        if self.zero:
            series = _less(series, self.zero)
        if self.power:
            held = np.ldexp(series.cast(pl.Float64).fill_null(np.nan).to_numpy(), self.power)
            series = pl.Series(series.name, held, nan_to_null=True)
        return series

    def number(self, value: float) -> float:
        """One number as it is held."""
        return float(np.ldexp(value - self.zero, self.power))

    def size(self, value: float) -> float:
        """A difference as it is held."""
        return float(np.ldexp(value, self.power))

    @property
    def back(self) -> Anchor:
        """The anchor that undoes this one."""
        return Anchor(-self.zero, -self.power)


#: Numbers that are held as they stand.
NO_ANCHOR = Anchor()


def _less(series: pl.Series, zero: int) -> pl.Series:
    if not series.dtype.is_integer():
        return series.cast(pl.Float64) - float(zero)
    # The difference may need more than 64 bits; no integer is rounded before it is taken.
    wide = series.to_frame().select(pl.first().cast(pl.Int128) - pl.lit(zero, dtype=pl.Int128)).to_series()
    held = wide.cast(pl.Int64, strict=False)
    return held if held.null_count() == series.null_count() else wide.cast(pl.Float64)


def anchor_of(values: pl.Series) -> Anchor:
    """The anchor that an attribute with these values needs; none, where floats hold them as they are.

    >>> anchor_of(pl.Series([10**17 + 1, 10**17 + 5])), anchor_of(pl.Series([1.0, 2.5]))
    (Anchor(zero=100000000000000000, power=0), Anchor(zero=0, power=0))
    >>> anchor_of(pl.Series([1e-170, 3e-170])).power
    563
    """
    if values.dtype.is_integer():
        low, high = values.min(), values.max()
        if not isinstance(low, int) or not isinstance(high, int) or max(-low, high) < EXACT:
            return NO_ANCHOR
        zero = low // ROUND * ROUND
        return Anchor(zero) if high - zero < EXACT else NO_ANCHOR
    if not values.dtype.is_float():
        return NO_ANCHOR
    largest = values.fill_nan(None).abs().max()
    if not isinstance(largest, float) or largest == 0 or not np.isfinite(largest):
        return NO_ANCHOR
    exponent = frexp(largest)[1]
    return Anchor(power=-exponent) if abs(exponent) > REACH else NO_ANCHOR


def check_apart(values: pl.Series, label: str) -> None:
    """Refuse whole numbers that are different, and the same as floats: people would merge without a word.

    >>> check_apart(pl.Series("key", [0, 2**62, 2**62 + 1]), "the file")
    Traceback (most recent call last):
    unmask.errors.DataError: column 'key' of the file holds whole numbers of so many digits that ...
    """
    if not values.dtype.is_integer():
        return
    low, high = values.min(), values.max()
    if not isinstance(low, int) or not isinstance(high, int) or max(-low, high) < EXACT:
        return
    if values.cast(pl.Float64).n_unique() < values.n_unique():
        raise DataError(
            f"column '{values.name}' of {label} holds whole numbers of so many digits that some would be "
            "taken for equal",
            hint=f"if they are codes, say so (--kind {values.name}=nominal); else take a common number off "
            "them in both files, or leave their last digits out",
        )
