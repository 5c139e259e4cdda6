"""What a mask makes possible: which original value may become which released one, and how likely.

A mask that is :class:`Transparent` says so in a :class:`Declaration`, made of a few kinds of parts; an attack
that knows the mask is built from that alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np

from unmask.data.microdata import Floats, Ints, Microdata
from unmask.data.schema import Kind, Role, ValueForm
from unmask.data.values.date_steps import COARSE, date_step, nearest_starts
from unmask.data.values.dates import DateUnit
from unmask.data.values.grid import NumberGrid, common_grid
from unmask.errors import ArgumentError
from unmask.linkage.redrawn import Redrawn, tabulates


@dataclass(frozen=True, eq=False)
class Transitions:
    """The probability that a category of the original becomes one of the release; 0 is impossible.

    Row i is ``original[i]``, column j ``released[j]``. What a row lacks to 1 is the probability that the
    value is made missing.

    >>> Transitions.of({"1": "1|2", "2": "1|2", "3": "3"}).probability
    array([[1., 0.],
           [1., 0.],
           [0., 1.]])
    """

    original: tuple[str, ...]
    released: tuple[str, ...]
    probability: Floats

    def __post_init__(self) -> None:
        if self.probability.shape != (len(self.original), len(self.released)):
            raise ArgumentError(
                f"a transition table of shape {self.probability.shape} for {len(self.original)} original and "
                f"{len(self.released)} released categories",
                hint="give one row per original and one column per released category",
            )

    @staticmethod
    def of(recoding: Mapping[str, str]) -> Transitions:
        """The table of a recoding: every category becomes one other, or stays."""
        released = tuple(dict.fromkeys(recoding.values()))
        place = {category: j for j, category in enumerate(released)}
        probability = np.zeros((len(recoding), len(released)))
        probability[np.arange(len(recoding)), [place[c] for c in recoding.values()]] = 1.0
        return Transitions(tuple(recoding), released, probability)

    @staticmethod
    def identity(categories: Sequence[str]) -> Transitions:
        """The table of an attribute that the mask leaves alone."""
        return Transitions(tuple(categories), tuple(categories), np.eye(len(categories)))


def recoding_chances(recoding: Mapping[str, str]) -> Transitions | Redrawn:
    """What a recoding declares: a table, unless it would be too large."""
    fits = tabulates(len(recoding), len(set(recoding.values())))
    return Transitions.of(recoding) if fits else Redrawn.of(recoding)


@runtime_checkable
class Declares(Protocol):
    """A mask that says what it makes possible, for attacks that know it."""

    def transitions(self, original: Microdata) -> dict[str, Transitions]:
        """The table of each categorical attribute of the file, those left alone included.

        One with so many categories that they have no table (:func:`~unmask.linkage.redrawn.tabulates`) is
        left out.

        Where it depends on the data (which categories are rare), it is that of the file given: the original,
        or what an intruder knows of it.
        """
        ...


@dataclass(frozen=True, eq=False)
class Declared:
    """The tables that a mask declared for one file: what an office that documents its mask would publish.

    An intruder who knows only a sample of people cannot work out every table from them; with these
    they need not.
    """

    name: str
    tables: Mapping[str, Transitions]

    def transitions(self, original: Microdata) -> dict[str, Transitions]:
        """The tables, whatever file is given."""
        return dict(self.tables)


@dataclass(frozen=True, eq=False)
class Seen:
    """What an intruder can work out a mask's parameters from: what they know, and the released file.

    ``original`` is there only where the office publishes the figures of the original on which parameters
    depend (see :class:`Published`); a mask takes moments, limits and frequencies from it, never records.
    """

    known: Microdata
    released: Microdata
    original: Microdata | None = None

    @property
    def whole(self) -> Microdata | None:
        """A file with the figures of the original: the published ones, or what is known of everybody."""
        if self.original is not None:
            return self.original
        return self.known if len(self.known) == len(self.released) else None

    def as_written(self, name: str, values: Floats) -> Floats:
        """Masked values as they are released: on the grid that the released ones are written in."""
        if self.released.schema[name].form is not ValueForm.DATE:
            return self._grid(name).rounded(values)
        step = self._date_step(name)
        if isinstance(step, DateUnit):
            return nearest_starts(values, step)
        return np.rint(values / step) * step if step else values

    def rounding(self, name: str) -> float:
        """How far a released value may be from the masked one, because it was rounded to be written."""
        if self.released.schema[name].form is not ValueForm.DATE:
            return self._grid(name).step / 2
        step = self._date_step(name)
        return (COARSE[step][1] if isinstance(step, DateUnit) else step) / 2

    def _grid(self, name: str) -> NumberGrid:
        """The grid of the released numbers, which is that of the original, and so of what is known.

        Numbers that are known with an error have no grid; then the release alone tells it.
        """
        released = self.released.numbers([name])[:, 0]
        known = self.known.numbers([name])[:, 0] if name in self.known.schema else released
        both = common_grid(np.concatenate((known, released)))
        return both if both.units else common_grid(released)

    def _date_step(self, name: str) -> DateUnit | float:
        """What released dates are written in."""
        return date_step(self.released.numbers([name])[:, 0])

    def limits(self, name: str) -> tuple[float, float]:
        """Where released values end because what lay beyond was released as the limit.

        The limits are those of the schema. Without them 0 is one where the release reaches it and goes no
        further: masks keep the sign of an attribute.
        """
        column, released = self.released.schema[name], self.released.numbers([name])[:, 0]
        if column.form is ValueForm.DATE or np.isnan(released).all():
            return -np.inf, np.inf
        low, high = float(np.nanmin(released)), float(np.nanmax(released))
        bottom = 0.0 if column.minimum is None else column.minimum
        top = 0.0 if column.maximum is None else column.maximum
        return bottom if low == bottom else -np.inf, top if high == top and low < high else np.inf

    def written_as(self, name: str) -> WrittenAs:
        """How the values of an attribute were written; as they are where it holds no numbers here."""
        files = [file for file in (self.known, self.released) if name in file.schema]
        if len(files) < 2 or any(file.schema[name].kind is not Kind.NUMERIC for file in files):
            return WrittenAs(0.0)
        return WrittenAs(2 * self.rounding(name), *self.limits(name))

    def targets(self, attributes: Sequence[str] | None, kinds: Sequence[Kind]) -> tuple[str, ...]:
        """The masked attributes that can be compared: those named, else quasi-identifiers of these kinds."""
        return tuple(
            column.name
            for column in self.known.schema
            if column.kind in kinds
            and column.name in self.released.schema
            and (self.released.schema[column.name].kind is Kind.NUMERIC) == (column.kind is Kind.NUMERIC)
            and (column.role is Role.QUASI_IDENTIFIER if attributes is None else column.name in attributes)
        )


@dataclass(frozen=True, eq=False)
class Categories:
    """A category of the attribute becomes another one as the table says."""

    attribute: str
    transitions: Transitions | Redrawn


@dataclass(frozen=True, eq=False)
class Interval:
    """The original value of each released record lies between ``low`` and ``high`` (one a released record).

    All released values that an original one allows are equally likely, with a density that may depend on
    the original value: ``log_density`` has its logarithm for each known person (None: 0 for everybody).
    """

    attribute: str
    low: Floats
    high: Floats
    log_density: Floats | None = None


@dataclass(frozen=True, eq=False)
class Image:
    """The released value of each known person lies between ``low`` and ``high`` (NaN: it may be any)."""

    attribute: str
    low: Floats
    high: Floats


@dataclass(frozen=True, eq=False)
class Cells:
    """The chance that a value in one cell is released in another: ``probability[known, released]``.

    Cells are whatever the mask goes by, ranks for instance: the cell of each known person and of each
    released record is given, -1 where the value is missing.
    """

    attribute: str
    known: Ints
    released: Ints
    probability: Floats


@dataclass(frozen=True)
class WrittenAs:
    """How a number was written: as a multiple of ``step`` (0: of nothing), and as a limit beyond it."""

    step: float
    low: float = -np.inf
    high: float = np.inf

    @property
    def limited(self) -> bool:
        """Whether some values may have been cut off."""
        return bool(np.isfinite(self.low) or np.isfinite(self.high))


@dataclass(frozen=True, eq=False)
class Normal:
    """Released minus original values are normal, with mean 0 and this covariance matrix.

    A direction without variance is not masked: both files agree in it. ``written``: how the sum of both was
    written, attribute by attribute; with all digits where it is empty.
    """

    attributes: tuple[str, ...]
    covariance: Floats
    written: tuple[WrittenAs, ...] = ()

    def __post_init__(self) -> None:
        d = len(self.attributes)
        if self.covariance.shape != (d, d) or not np.isfinite(self.covariance).all():
            raise ArgumentError(
                f"a covariance matrix of shape {self.covariance.shape} for {d} attributes",
                hint="give one finite row and column per attribute",
            )


@dataclass(frozen=True, eq=False)
class Suppressed:
    """A value of the attribute is made missing with this probability, whatever else happens to it."""

    attribute: str
    probability: float


Part = Categories | Interval | Image | Cells | Normal | Suppressed


def _wider(part: Part, seen: Seen) -> Part:
    if isinstance(part, Normal):
        return replace(part, written=tuple(seen.written_as(name) for name in part.attributes))
    if not isinstance(part, Interval | Image):
        return part
    half = seen.written_as(part.attribute).step / 2
    return replace(part, low=part.low - half, high=part.high + half) if half else part


@dataclass(frozen=True, eq=False)
class Declaration:
    """What a mask does, part by part. An attribute that no part names is released as it is.

    Several parts may speak of one attribute: a pair of records is possible if all of them allow it, and
    its likelihood is the product of theirs. ``impossible``: the share of the released records that the mask
    cannot have made, whoever is behind them.
    """

    parts: tuple[Part, ...]
    notes: tuple[str, ...] = ()
    impossible: float = 0.0

    def as_written(self, seen: Seen) -> Declaration:
        """The same of a file whose values were rounded to be written: intervals are half a step wider."""
        return replace(self, parts=tuple(_wider(part, seen) for part in self.parts))

    @property
    def attributes(self) -> frozenset[str]:
        """The attributes that a part speaks of, other than to say that values go missing."""
        told = (part for part in self.parts if not isinstance(part, Suppressed))
        return frozenset(
            name
            for part in told
            for name in (part.attributes if isinstance(part, Normal) else (part.attribute,))
        )


@runtime_checkable
class Transparent(Protocol):
    """A mask that says what it does to every attribute, for an intruder who knows its parameters."""

    def declare(self, seen: Seen) -> Declaration:
        """What is possible, and how likely, from what the intruder sees.

        Nothing that the mask can do may be declared impossible: where a parameter depends on the original
        file and cannot be told from what is seen, the widest that is consistent with it is declared.
        """
        ...


@dataclass(frozen=True, eq=False)
class Published:
    """A mask whose data-dependent parameters (deviations, limits, frequencies) the office publishes.

    >>> from unmask.masks import Noise
    >>> import polars as pl
    >>> from unmask.data.schema import Column, Schema
    >>> def ages(*values):
    ...     return Microdata(Schema((Column("age"),)), pl.DataFrame({"age": values}))
    >>> seen = Seen(known=ages(30.0), released=ages(29.0, 45.0, 61.0))
    >>> published = Published(Noise(a=0.5), original=ages(30.0, 40.0, 50.0))
    >>> published.declare(seen).parts[0].covariance
    array([[25.]])
    """

    mask: Transparent
    original: Microdata

    @property
    def name(self) -> str:
        """The name of the mask."""
        return str(getattr(self.mask, "name", type(self.mask).__name__))

    def declare(self, seen: Seen) -> Declaration:
        """What the mask declares with the figures of the original."""
        return self.mask.declare(replace(seen, original=self.original))
