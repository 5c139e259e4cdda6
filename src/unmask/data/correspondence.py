"""Correspondences: how an original value of an attribute becomes a released one, where no chance is in it.

An intruder who knows a person's age and reads "35-44" in the release does not compare a number with a text:
they put the age into the release's bands first. A correspondence does that to what is known, for every
attack and measure alike, so that the value of the person's own record differs by nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from unmask.data.anchor import Anchor
from unmask.data.microdata import Floats, Ints, Microdata, as_text
from unmask.data.missing import Missing
from unmask.data.schema import Column, Kind, Schema
from unmask.data.text import plain_text
from unmask.data.values.bands import Band

if TYPE_CHECKING:
    from unmask.data.understanding.changes import Change

#: Two numbers are the same up to this, relative to the larger: files are written with so many digits.
SAME = 1e-9


@dataclass(frozen=True)
class Recode:
    """Every category becomes another one; a category that is not listed stays as it is.

    >>> Recode((("A", "A|B"), ("B", "A|B"))).image(pl.Series(["A", "C", None])).to_list()
    ['A|B', 'C', None]
    """

    pairs: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        pairs = tuple((plain_text(x).strip(), plain_text(y).strip()) for x, y in self.pairs)
        object.__setattr__(self, "pairs", pairs)

    def image(self, values: pl.Series) -> pl.Series:
        """What the release makes of these categories."""
        before, after = ([pair[i] for pair in self.pairs] for i in (0, 1))
        return as_text(values).replace(before, after)

    def describe(self) -> str:
        """In words."""
        groups = len({after for _, after in self.pairs})
        return f"{len(self.pairs)} categories become {groups}"


@dataclass(frozen=True)
class Banding:
    """Numbers become the band that they lie in: its label, or the number that stands for it.

    A number in no band has no image.

    >>> ages = Banding((Band("0-17", 0, 18, high_open=True), Band("18+", 18)))
    >>> ages.image(pl.Series([4.0, 18.0, None, -1.0])).to_list()
    ['0-17', '18+', None, None]
    """

    bands: tuple[Band, ...]
    numeric: bool = False

    def image(self, values: pl.Series) -> pl.Series:
        """The bands of these numbers."""
        place = self.place(values.cast(pl.Float64).fill_null(np.nan).to_numpy())
        labels = pl.Series([band.label for band in self.bands], dtype=pl.String)
        found = labels.gather(pl.Series(np.where(place < 0, 0, place))).set(pl.Series(place < 0), None)
        return (found.cast(pl.Float64) if self.numeric else found).alias(values.name)

    def place(self, numbers: Floats) -> Ints:
        """The band of each number; -1 where there is none."""
        lows, highs = (np.array([getattr(band, end) for band in self.bands]) for end in ("low", "high"))
        low_open, high_open = (
            np.array([getattr(band, end) for band in self.bands]) for end in ("low_open", "high_open")
        )
        place = np.searchsorted(lows, numbers, "right") - 1
        place -= (numbers == lows[place]) & low_open[place]
        inside = np.where(high_open[place], numbers < highs[place], numbers <= highs[place])
        return np.where(inside & (place >= 0), place, -1).astype(np.int64)

    def describe(self) -> str:
        """In words."""
        return f"numbers become one of {len(self.bands)} bands"


class RoundingTo(StrEnum):
    """Which multiple of the step a number is rounded to; the first three differ in what a half becomes."""

    NEAREST = "nearest"  # the even one
    HALF_UP = "half-up"
    HALF_AWAY = "half-away"  # from zero, as spreadsheets do
    DOWN = "down"
    UP = "up"


_TURNS: Mapping[RoundingTo, Callable[[Floats], Floats]] = {
    RoundingTo.NEAREST: np.rint,
    RoundingTo.HALF_UP: lambda x: np.floor(x + 0.5),
    RoundingTo.HALF_AWAY: lambda x: np.sign(x) * np.floor(np.abs(x) + 0.5),
    RoundingTo.DOWN: np.floor,
    RoundingTo.UP: np.ceil,
}


@dataclass(frozen=True)
class Rounding:
    """Numbers become multiples of a step (0: they keep their digits), and stop at a bottom and a top.

    A number beyond ``bottom`` or ``top`` becomes ``bottom_as`` or ``top_as`` (by default the limit itself).

    >>> Rounding(step=10.0, top=50.0).image(pl.Series([14.0, 26.0, 81.0])).to_list()
    [10.0, 30.0, 50.0]
    """

    step: float = 0.0
    to: RoundingTo = RoundingTo.NEAREST
    bottom: float | None = None
    top: float | None = None
    bottom_as: float | None = None
    top_as: float | None = None

    def image(self, values: pl.Series) -> pl.Series:
        """What the release makes of these numbers."""
        numbers = values.cast(pl.Float64).fill_null(np.nan).to_numpy()
        return pl.Series(values.name, self.images(numbers), nan_to_null=True)

    def images(self, numbers: Floats) -> Floats:
        """The same of an array, NaN where missing: rules are tried by the hundred, and a frame takes long."""
        result = self.rounded(numbers)
        if self.top is not None:
            result = np.where(numbers > self.top, self.top if self.top_as is None else self.top_as, result)
        if self.bottom is not None:
            instead = self.bottom if self.bottom_as is None else self.bottom_as
            result = np.where(numbers < self.bottom, instead, result)
        return np.asarray(result)

    def rounded(self, numbers: Floats) -> Floats:
        """The numbers as multiples of the step."""
        if not self.step:
            return numbers
        share = numbers / self.step
        # A multiple that is stored with a rounding error stays where it is.
        near = np.rint(share)
        share = np.where(np.abs(share - near) <= SAME * np.maximum(np.abs(share), 1.0), near, share)
        return np.asarray(_TURNS[self.to](share) * self.step)

    def describe(self) -> str:
        """In words."""
        parts = [f"rounded {self.to.value} to multiples of {self.step:g}"] if self.step else []
        parts += [] if self.bottom is None else ["bottom coded"]
        parts += [] if self.top is None else ["top coded"]
        return "numbers are " + " and ".join(parts or ["kept"])


Correspondence = Recode | Banding | Rounding


def anchored_bands(bands: tuple[Band, ...], anchor: Anchor) -> tuple[Band, ...]:
    """The same bands of numbers as an anchor holds them."""
    if not anchor:
        return bands
    return tuple(replace(b, low=anchor.number(b.low), high=anchor.number(b.high)) for b in bands)


def anchored_rule(rule: Correspondence, anchor: Anchor) -> Correspondence:
    """The same rule for numbers as an anchor holds them; categories have none.

    >>> anchored_rule(Rounding(step=10.0, top=50.0), Anchor(zero=20)).top
    30.0
    """
    if not anchor or isinstance(rule, Recode):
        return rule
    if isinstance(rule, Banding):
        return replace(rule, bands=anchored_bands(rule.bands, anchor))
    limits = {key: getattr(rule, key) for key in ("bottom", "top", "bottom_as", "top_as")}
    held = {key: None if end is None else anchor.number(end) for key, end in limits.items()}
    return Rounding(anchor.size(rule.step), rule.to, **held)


@dataclass(frozen=True)
class ReleasedColumn:
    """What a user says of an attribute in the released file, where that differs from the original.

    ``name``: its name there; ``missing``: codes there that mean no value; ``kind`` and ``levels``: how its
    values compare there; ``correspondence``: how original values become released ones.
    """

    attribute: str
    name: str | None = None
    missing: tuple[str, ...] = ()
    kind: Kind | None = None
    levels: tuple[str, ...] = ()
    correspondence: Correspondence | None = None


@dataclass(frozen=True, eq=False)
class ReleaseTerms:
    """How the values of a release stand for those of the original.

    ``correspondences``: of the attributes that were recoded without chance; ``exact``: those and the ones
    left as they were, for which a person's own record has the very value that theirs becomes; ``missing``:
    how missing values compare, where the scenario does not say; ``changes``: what happened to each attribute,
    as one guesses it who sees both files.
    """

    correspondences: Mapping[str, Correspondence] = field(default_factory=dict)
    exact: frozenset[str] = frozenset()
    missing: Missing = Missing.MISMATCH
    changes: tuple[Change, ...] = ()

    def apply(self, data: Microdata, released: Schema, *, numbers: bool = True) -> Microdata:
        """A file of the original's people with its attributes as the release has them.

        ``numbers``: False leaves alone what is a number in both, for a measure that asks how near it is.

        >>> people = Microdata(Schema((Column("age"),)), pl.DataFrame({"age": [4, 40]}))
        >>> bands = Banding((Band("0-17", 0, 18, high_open=True), Band("18+", 18)))
        >>> release = Schema((Column("age", Kind.ORDINAL, levels=("0-17", "18+")),))
        >>> ReleaseTerms({"age": bands}).apply(people, release).frame["age"].to_list()
        ['0-17', '18+']
        """
        names = [
            name
            for name in data.schema.names()
            if name in self.correspondences
            and name in released
            and (numbers or released[name].kind is not Kind.NUMERIC)
        ]
        if not names:
            return data
        columns = {name: self.correspondences[name].image(data.frame[name]) for name in names}
        schema = Schema(tuple(_as_released(column, released, columns) for column in data.schema))
        return Microdata(schema, data.frame.with_columns(**columns), data.label)


def _as_released(column: Column, released: Schema, images: Mapping[str, pl.Series]) -> Column:
    """The column of an attribute in the release's terms, with its role; levels cover every image."""
    if column.name not in images or column.name not in released:
        return column
    there = released[column.name]
    if there.kind is not Kind.NUMERIC and there.levels:
        found = images[column.name].drop_nulls().unique().to_list()
        if not set(found) <= set(there.levels):
            return replace(there, role=column.role, kind=Kind.NOMINAL, levels=())
    return replace(there, role=column.role)
