"""Microdata: a file of records with its schema, immutable, and the encodings that methods read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unmask.data.schema import Kind, Schema
from unmask.data.text import plain_text, plain_texts
from unmask.errors import ArgumentError, DataError, missing_columns
from unmask.fields import instance

if TYPE_CHECKING:
    from unmask.data.correspondence import ReleaseTerms
    from unmask.data.shapes.content import Content

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: The largest number a file may hold: the squares of larger ones leave the range of floating point.
LARGEST = 1e150


@dataclass(frozen=True, eq=False)
class Microdata:
    """Records under a schema. Every schema column is in the frame and fits its kind.

    Nulls and NaN are missing values. ``origin``, where a mask or a key column tells it, is on
    :class:`Masked`, never here: the file itself does not know who its records are.

    >>> from unmask.data.schema import Column
    >>> people = Microdata(Schema((Column("age"),)), pl.DataFrame({"age": [31, None, 54]}))
    >>> people.numbers(["age"]).ravel()
    array([31., nan, 54.])
    """

    schema: Schema
    frame: pl.DataFrame
    label: str = "the file"
    #: The file that this one shows some columns of, if any: what is derived from a column serves both.
    part_of: Microdata | None = field(default=None, repr=False)
    #: What each person has beside their row: a series, a trace, a place in a graph; None in a plain table.
    content: Content | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        instance("the schema of Microdata", self.schema, Schema, "write Schema((Column('age'), ...))")
        instance("the frame of Microdata", self.frame, pl.DataFrame, "give a polars frame")
        if other := {n: plain_text(n) for n in self.frame.columns if plain_text(n) != n}:
            object.__setattr__(self, "frame", self.frame.rename(other))
        present = set(self.frame.columns)
        lost = [name for name in self.schema.names() if name not in present]
        if lost:
            raise missing_columns(lost, self.frame.columns, self.label)
        if self.frame.height == 0:
            raise DataError(f"{self.label} holds no records", hint="give a file with at least one record")
        object.__setattr__(self, "frame", self.frame.select(self.schema.names()))
        if self.part_of is not None:
            return  # its columns were checked
        for column in self.schema:
            if column.kind is Kind.NUMERIC:
                check_numeric(self.frame[column.name], self.label)
            elif column.levels:
                _check_levels(self._text(column.name), column.levels, self.label)

    def __len__(self) -> int:
        return self.frame.height

    @property
    def whole(self) -> Microdata:
        """The file with all its columns: the one that this file is part of, or itself."""
        return self if self.part_of is None else self.part_of

    @cached_property
    def _texts(self) -> dict[str, pl.Series]:
        """The categorical columns that were asked for so far, as text."""
        return {} if self.part_of is None else self.part_of._texts

    def _text(self, name: str) -> pl.Series:
        """A categorical column as text, whole floats written as integers ("1", not "1.0")."""
        if name not in self._texts:
            self._texts[name] = as_text(self.frame[name], self.label)
        return self._texts[name]

    def numbers(self, names: Sequence[str]) -> Floats:
        """These numeric columns as a matrix, NaN where missing; C order, one row per record."""
        columns = [self.frame[name].cast(pl.Float64).fill_null(np.nan).to_numpy() for name in names]
        if not columns:
            return np.empty((len(self), 0))
        return np.ascontiguousarray(np.column_stack(columns))

    def codes(self, name: str, levels: Sequence[str]) -> Ints:
        """A categorical column as positions in ``levels``; -1 where missing.

        >>> from unmask.data.schema import Column
        >>> schema = Schema((Column("sex", Kind.NOMINAL),))
        >>> Microdata(schema, pl.DataFrame({"sex": ["f", "m", None]})).codes("sex", ["m", "f"])
        array([ 1,  0, -1])
        """
        position = pl.Series(range(len(levels)), dtype=pl.Int64)
        text = self._text(name)
        return (
            text.replace_strict(pl.Series(list(levels), dtype=pl.String), position, default=None)
            .fill_null(-1)
            .to_numpy()
            .astype(np.int64)
        )

    def categories(self, name: str) -> tuple[str, ...]:
        """The categories of a column: the schema's levels, else those found, sorted."""
        levels = self.schema[name].levels
        return levels or tuple(self._text(name).drop_nulls().unique().sort().to_list())

    def take(self, rows: Ints) -> Microdata:
        """The records at these rows, in that order."""
        content = None if self.content is None else self.content.take(rows)
        return Microdata(self.schema, self.frame[rows], self.label, content=content)

    def only(self, names: Iterable[str]) -> Microdata:
        """The file with these columns alone, in that order."""
        return Microdata(self.schema.only(names), self.frame, self.label, self.whole, self.content)

    def replace(self, columns: dict[str, pl.Series]) -> Microdata:
        """The file with these columns replaced; names and order stay."""
        frame = self.frame.with_columns(**columns)
        return Microdata(self.schema, frame, self.label, content=self.content)

    def containing(self, content: Content) -> Microdata:
        """The same people with other content; what is counted of it in their rows is counted again."""
        if len(content) != len(self):
            raise DataError(
                f"{self.label} has {len(self)} rows and content of {len(content)} people",
                hint="give one for each row",
            )
        counted = content.summary()
        frame = self.frame.with_columns(counted[n] for n in counted.columns if n in self.schema)
        return Microdata(self.schema, frame, self.label, content=content)


@dataclass(frozen=True, eq=False)
class Masked:
    """A released file and where its records come from.

    ``origin[i]`` is the row of the original file that released record i stems from, -1 for nobody.
    An original record has at most one released record. ``terms``: how its values stand for the original's
    (None: every value is taken for what it says).
    """

    data: Microdata
    origin: Ints
    terms: ReleaseTerms | None = None

    def __post_init__(self) -> None:
        instance("the data of a masked file", self.data, Microdata, "write Microdata(schema, frame)")
        origin = np.asarray(self.origin)
        if origin.ndim != 1 or not np.issubdtype(origin.dtype, np.integer):
            raise ArgumentError(
                "the origin is not a list of whole numbers", hint="give the original row of each record"
            )
        object.__setattr__(self, "origin", origin)
        if len(self.origin) != len(self.data):
            raise ArgumentError(
                f"{len(self.origin)} origins for {len(self.data)} released records", hint="give one for each"
            )
        real = self.origin[self.origin >= 0]
        if len(np.unique(real)) != len(real):
            raise ArgumentError(
                "two released records stem from one original record", hint="keep one released record a person"
            )

    @staticmethod
    def by_order(original: Microdata, released: Microdata) -> Masked:
        """Released record i stems from original record i: both files have one order and one length."""
        if len(original) != len(released):
            raise DataError(
                f"{original.label} has {len(original)} records and {released.label} has {len(released)}, "
                "so row order cannot tell which belong together",
                hint="name a key column that is in both files (--truth COLUMN), or say that the release is "
                "synthetic (--synthetic)",
            )
        return Masked(released, np.arange(len(released), dtype=np.int64))

    @staticmethod
    def of_nobody(released: Microdata) -> Masked:
        """A synthetic file: no record stems from a person, however near it comes."""
        return Masked(released, np.full(len(released), -1, dtype=np.int64))

    @staticmethod
    def by_key(original: pl.Series, released: pl.Series, data: Microdata) -> Masked:
        """Released records stem from the original record with the same key; a key not found is nobody's.

        >>> from unmask.data.schema import Column
        >>> data = Microdata(Schema((Column("age"),)), pl.DataFrame({"age": [30, 40, 50]}))
        >>> Masked.by_key(pl.Series("id", [7, 8]), pl.Series("id", [8, 9, 7]), data).origin
        array([ 1, -1,  0])
        """
        return Masked(data, key_origin(original, released))


def key_origin(original: pl.Series, released: pl.Series) -> Ints:
    """The row of the original with the same key, for each value of the released key column; -1: none.

    >>> key_origin(pl.Series("id", [7, 8]), pl.Series("id", [8, 9, 7]))
    array([ 1, -1,  0])
    """
    left, right = as_text(original, "the original file"), as_text(released, "the released file")
    for text, label in ((left, "the original file"), (right, "the released file")):
        present = text.drop_nulls()
        if present.n_unique() != len(present):
            raise DataError(
                f"key column '{text.name}' is not unique in {label}",
                hint="name a column with one value per person",
            )
    rows = pl.DataFrame({"key": left, "row": np.arange(len(left))}).drop_nulls("key")
    found = pl.DataFrame({"key": right}).join(rows, on="key", how="left", maintain_order="left")
    origin = found["row"].fill_null(-1).to_numpy().astype(np.int64)
    if (origin < 0).all():
        raise DataError(
            f"no value of key column '{right.name}' is in both files",
            hint="check that the column means the same person in both",
        )
    return origin


def _stripped(texts: pl.Series) -> pl.Series:
    """The texts without blanks around them; themselves, not a copy, where there are none."""
    found = texts.str.strip_chars()
    return texts if bool((found.str.len_bytes() == texts.str.len_bytes()).all()) else found


def as_text(series: pl.Series, label: str = "the file") -> pl.Series:
    """Categories as text: a whole number reads the same whether it is stored as 1, 1.0 or "1".

    Texts have one spelling, however a file composes its accents (:mod:`unmask.data.text`), and blanks around
    one are no part of it.

    >>> as_text(pl.Series([1.0, None, 3.0])).to_list()
    ['1', None, '3']
    """
    if series.dtype.is_float():
        series = series.fill_nan(None)
        whole = series.drop_nulls()
        if (whole == whole.round(0)).all() and (whole.is_empty() or bool((whole.abs() < 2**53).all())):
            series = series.cast(pl.Int64)
    if isinstance(series.dtype, pl.Duration):
        series = series.to_physical()
    try:
        return _stripped(plain_texts(series.cast(pl.String)))
    except pl.exceptions.PolarsError:
        # The library's message may quote a value.
        raise DataError(
            f"column '{series.name}' of {label} holds {series.dtype.base_type()} values, "
            "which do not compare as categories",
            hint="drop the column, or make its role 'ignored' in the schema",
        ) from None


def check_numeric(series: pl.Series, label: str) -> None:
    """Refuse a column that does not hold numbers, or such as no computation survives."""
    if not (series.dtype.is_numeric() or series.dtype in (pl.Boolean, pl.Null)):
        raise DataError(
            f"column '{series.name}' of {label} is numeric in the schema but holds {series.dtype} values",
            hint="make it nominal or ordinal in the schema, or mend the values that are not numbers",
        )
    values = series.cast(pl.Float64)
    # NaN is missing, and greater than any number to polars.
    if (values.fill_nan(None).abs() > LARGEST).any():
        raise DataError(
            f"column '{series.name}' of {label} holds infinite values, or some beyond {LARGEST:g}",
            hint="replace them by a number or by a missing value",
        )


def _check_levels(text: pl.Series, levels: tuple[str, ...], label: str) -> None:
    if not levels:
        return
    unknown = text.drop_nulls().unique()
    unknown = unknown.filter(~unknown.is_in(list(levels)))
    if len(unknown):
        raise DataError(
            f"column '{text.name}' of {label} holds {len(unknown)} categories that are not among its "
            f"{len(levels)} levels in the schema",
            hint="add them to the column's 'levels', in order if it is ordinal",
        )
