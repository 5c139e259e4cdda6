"""What is released of what a mask made: in the type, on the grid and within the limits of the original.

:meth:`Mask.apply <unmask.masks.base.Mask.apply>` is the method as its source defines it, to the last digit;
published tables are made with it. Nobody releases an age of 26.3 or of -2 years. So whatever leaves unmask,
or is assessed as if it had, goes through here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import polars as pl

from unmask.data.microdata import Floats, Masked, Microdata, as_text
from unmask.data.schema import Column, Kind, Role, Schema, ValueForm
from unmask.data.values.grid import NumberGrid
from unmask.errors import DataError

#: Stretches of numbers that mean 'missing' in a file, from the lowest to the highest of each.
Ranges = Sequence[tuple[float, float]]


def as_released(
    original: Microdata,
    masked: Masked,
    *,
    exact: bool = False,
    reserved: Mapping[str, Ranges] = MappingProxyType({}),
) -> Masked:
    """The masked file as it is released: numbers on the grid of the original's, within their limits.

    Whole numbers stay whole, multiples of 10 stay multiples of 10, two decimals stay two. A number beyond
    the schema's ``minimum`` or ``maximum`` becomes that limit; where the schema names none, a number below
    0 of an attribute that has none becomes 0. ``exact`` keeps every digit and every sign. ``reserved``:
    numbers that mean 'missing' in the file, beside the codes of the schema; rounding leads to none of them.

    >>> from unmask.masks import Noise
    >>> ages = Microdata(Schema((Column("age"),)), pl.DataFrame({"age": [1, 26, 54]}))
    >>> masked = Noise(a=0.5).apply(ages, np.random.default_rng(3))
    >>> masked.data.frame["age"].round(1).to_list(), as_released(ages, masked).data.frame["age"].to_list()
    ([28.1, -7.9, 59.5], [28, 0, 60])
    """
    columns = {}
    for column in masked.data.schema:
        name = column.name
        if name in original.schema and _are_numbers(column) and _are_numbers(original.schema[name]):
            after, before = masked.data.frame[name], original.frame[name]
            if not after.equals(before):
                grid = None if exact else _grid(before, original.schema[name])
                codes = (*_codes(original.schema[name]), *reserved.get(name, ()))
                columns[name] = _written(after, before, grid, codes)
                _check_reserved(columns[name], reserved.get(name, ()))
    return replace(masked, data=masked.data.replace(columns))


def without_identifiers(original: Microdata, masked: Masked, keep: Collection[str] = ()) -> Masked:
    """The masked file as it goes out: without what names people, also where the mask named it so.

    ``keep``: identifiers that go out all the same, such as a pseudonym by which releases are followed.

    >>> schema = Schema((Column("id", Kind.NOMINAL, Role.IDENTIFIER), Column("age")))
    >>> people = Microdata(schema, pl.DataFrame({"id": ["a", "b"], "age": [31, 54]}))
    >>> without_identifiers(people, Masked.by_order(people, people)).data.schema.names()
    ('age',)
    """
    data = masked.data
    lost = check_identifiers(original.schema, data.schema, data.frame.columns) - set(keep)
    if not lost:
        return masked
    rest = data.schema.only(name for name in data.schema.names() if name not in lost)
    return replace(masked, data=Microdata(rest, data.frame, data.label))


def check_identifiers(original: Schema, released: Schema, columns: Collection[str]) -> set[str]:
    """The identifiers of either schema among these columns, unless all are: then nothing could go out."""
    found = {*original.names(Role.IDENTIFIER), *released.names(Role.IDENTIFIER)} & set(columns)
    if found == set(columns):
        raise DataError(
            "nothing is left to release: every column is an identifier",
            hint="mend the roles in the schema, or keep the identifiers (--keep-identifiers)",
        )
    return found


def _are_numbers(column: Column) -> bool:
    return column.kind is Kind.NUMERIC and column.form is ValueForm.PLAIN


def _written(after: pl.Series, before: pl.Series, grid: NumberGrid | None, codes: Ranges) -> pl.Series:
    values = _floats(after) if grid is None else _on_grid(_floats(after), grid, codes)
    shown = pl.Series(after.name, values, nan_to_null=True)
    if not before.dtype.is_numeric():
        return shown
    typed = shown.cast(before.dtype, strict=False)
    kept = typed.cast(pl.Float64).equals(shown) or (before.dtype.is_float() and grid is not None)
    return typed if kept else _whole(shown)


def _whole(shown: pl.Series) -> pl.Series:
    """Whole numbers that left the type of the original, such as one of small numbers, as the widest."""
    typed = shown.cast(pl.Int64, strict=False)
    return typed if typed.cast(pl.Float64).equals(shown) else shown


def _floats(values: pl.Series) -> Floats:
    return values.cast(pl.Float64).fill_null(np.nan).to_numpy()


def _grid(before: pl.Series, column: Column) -> NumberGrid:
    original = _floats(before)
    grid = NumberGrid.of(original, column.minimum, column.maximum)
    if (original < grid.low).any() or (original > grid.high).any():
        raise DataError(
            f"column '{column.name}' of the original file has values beyond its minimum or maximum",
            hint="mend the limits in the schema, or the values",
        )
    return grid


def _codes(column: Column) -> Ranges:
    """The codes of the schema that are numbers."""
    numbers = pl.Series(column.missing, dtype=pl.String).cast(pl.Float64, strict=False).drop_nulls()
    return [(code, code) for code in numbers]


def _on_grid(values: Floats, grid: NumberGrid, codes: Ranges) -> Floats:
    """The values on the grid; one that rounding alone made a code is released at the next number beyond it.

    A code that the mask itself gives is left, and refused.
    """
    shown = grid.nearest(values)
    for low, high in sorted(codes) if grid.units else ():
        met = (shown >= low) & (shown <= high) & (shown != values)
        shown = np.where(met, grid.nearest(np.float64(high + grid.step)), shown)
    return shown


def _check_reserved(released: pl.Series, reserved: Ranges) -> None:
    """Refuse values that whoever reads the file would take for missing."""
    clash = sum(int(released.is_between(low, high).sum()) for low, high in reserved)
    if clash:
        raise DataError(
            f"{clash} released values of column '{released.name}' are among the file's missing codes, "
            "and would be read as missing",
            hint="choose another parameter of the mask, or write another format",
        )


def released_schema(original: Microdata, masked: Masked) -> Schema:
    """The schema of the file that is released: of the levels of the original, those that are left.

    Levels keep their order. Two truth values that became one category are truth values no more.

    >>> from unmask.masks import GlobalRecoding
    >>> health = Column("health", Kind.ORDINAL, levels=("poor", "fair", "good"))
    >>> people = Microdata(Schema((health,)), pl.DataFrame({"health": ["poor", "fair", "good"]}))
    >>> masked = GlobalRecoding(p=2).apply(people, np.random.default_rng(1))
    >>> released_schema(people, masked)["health"].levels
    ('poor', 'good')
    """
    return Schema(tuple(_released(column, original, masked.data) for column in masked.data.schema))


def _released(column: Column, original: Microdata, released: Microdata) -> Column:
    name = column.name
    if name not in original.schema or Kind.NUMERIC in (column.kind, original.schema[name].kind):
        return column
    if not column.levels and column.form is not ValueForm.BOOLEAN:
        return column  # nothing that could change; nor can lists, which have no text, be asked
    before, after = (
        set(as_text(file.frame[name]).drop_nulls().unique().to_list()) for file in (original, released)
    )
    left = tuple(level for level in column.levels if level in after or level not in before)
    form = column.form
    if form is ValueForm.BOOLEAN and not after <= before:
        form = ValueForm.PLAIN
    return replace(column, levels=left, form=form)
