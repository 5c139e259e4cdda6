"""How an intruder follows records from one release to another, and the wide file that follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from unmask.data.microdata import Ints, Masked, Microdata, as_text
from unmask.data.missing import Missing
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.errors import ArgumentError, DataError, missing_columns
from unmask.intruder.dossier import Dossier


@dataclass(frozen=True, eq=False)
class Release:
    """A release of the same people: its records, where they come from, and the key it goes out with."""

    masked: Masked
    key: pl.Series | None = None


def by_order(this: Release, earlier: Release) -> Ints:
    """The row of the earlier release that each record of this one is followed to: the same row."""
    n, m = len(this.masked.data), len(earlier.masked.data)
    if n != m:
        raise DataError(
            f"this release has {n} records and an earlier one {m}, so row order cannot follow them",
            hint="follow by a key column (key:COLUMN), or by nothing (none)",
        )
    return np.arange(n, dtype=np.int64)


def by_key(this: Release, earlier: Release) -> Ints:
    """The row of the earlier release with the same key, -1 where it has none.

    >>> data = Microdata(Schema((Column("age"),)), pl.DataFrame({"age": [30, 40]}))
    >>> masked = Masked(data, np.array([0, 1]))
    >>> by_key(Release(masked, pl.Series("id", [7, 8])), Release(masked, pl.Series("id", [8, 9])))
    array([-1,  0])
    """
    texts = []
    for release, label in ((this, "this release"), (earlier, "an earlier release")):
        if release.key is None:
            raise ArgumentError(f"{label} has no key to follow records by", hint="follow by nothing (none)")
        text = as_text(release.key, label)
        if text.drop_nulls().n_unique() != len(text.drop_nulls()):
            raise DataError(
                f"key column '{text.name}' is not unique in {label}",
                hint="name a column with one value per person",
            )
        texts.append(text)
    there = pl.DataFrame({"key": texts[1], "row": np.arange(len(texts[1]))}).drop_nulls("key")
    found = pl.DataFrame({"key": texts[0]}).join(there, on="key", how="left", maintain_order="left")
    return found["row"].fill_null(-1).to_numpy().astype(np.int64)


def common_confidential(this: Microdata, earlier: Microdata, columns: Sequence[str] = ()) -> tuple[str, ...]:
    """The confidential attributes that both releases have, or those named of them."""
    both = [
        c.name
        for c in this.schema
        if c.role is Role.CONFIDENTIAL and _is_confidential(earlier.schema, c.name)
    ]
    lost = [name for name in columns if name not in both]
    if lost:
        raise missing_columns(lost, both or ["no confidential attribute"], "what both releases have")
    return tuple(columns) or tuple(both)


def by_confidential(this: Microdata, earlier: Microdata, names: Sequence[str], missing: Missing) -> Ints:
    """The row of the earlier release with the same confidential values, if these are unique in both files.

    All that the intruder sees are the two files: a join may be wrong. A record that lacks one of the values
    is not followed, unless missing values are a category of their own.

    >>> schema = Schema((Column("income", role=Role.CONFIDENTIAL),))
    >>> this = Microdata(schema, pl.DataFrame({"income": [5.0, 7.0, 7.0, 9.0]}))
    >>> earlier = Microdata(schema, pl.DataFrame({"income": [9.0, 5.0, 7.0]}))
    >>> by_confidential(this, earlier, ["income"], Missing.MISMATCH)
    array([ 1, -1, -1,  0])
    """
    left, right = value_codes(this, earlier, names)
    if missing is not Missing.CATEGORY:
        keep = (left >= 0).all(axis=1), (right >= 0).all(axis=1)
    else:
        keep = np.ones(len(left), dtype=bool), np.ones(len(right), dtype=bool)
    _, both = np.unique(np.vstack((left, right)), axis=0, return_inverse=True)
    both = both.ravel()
    mine, theirs = both[: len(left)], both[len(left) :]
    size = int(both.max()) + 1
    here, there = np.bincount(mine, minlength=size), np.bincount(theirs, minlength=size)
    row = np.full(size, -1, dtype=np.int64)
    row[theirs] = np.where(keep[1], np.arange(len(theirs)), -1)
    row[(here != 1) | (there != 1)] = -1
    return np.where(keep[0], row[mine], -1)


def value_codes(this: Microdata, earlier: Microdata, names: Sequence[str]) -> tuple[Ints, Ints]:
    """Equal codes for equal values, one column per attribute, -1 where missing."""
    left = np.empty((len(this), len(names)), dtype=np.int64)
    right = np.empty((len(earlier), len(names)), dtype=np.int64)
    for j, name in enumerate(names):
        kinds = {this.schema[name].kind, earlier.schema[name].kind}
        if kinds == {Kind.NUMERIC}:
            values = [data.numbers([name])[:, 0] for data in (this, earlier)]
            levels = np.unique(np.concatenate(values))
            left[:, j], right[:, j] = (np.where(np.isnan(v), -1, np.searchsorted(levels, v)) for v in values)
        else:
            texts = [as_text(data.frame[name], data.label) for data in (this, earlier)]
            levels_ = pl.concat(texts).drop_nulls().unique().sort()
            place = pl.Series(range(len(levels_)), dtype=pl.Int64)
            left[:, j], right[:, j] = (
                t.replace_strict(levels_, place, default=None).fill_null(-1).to_numpy() for t in texts
            )
    return left, right


def widened(this: Dossier, earlier: Sequence[tuple[str, Dossier, Ints]]) -> Dossier:
    """One wide dossier: this release's records with what the earlier ones say of them.

    An earlier release has a name, and the row of it that each record of this one is followed to. An attribute
    that two releases have stands twice, as ``income`` and ``income (earlier 1)``, and what is known of it is
    compared with both, so that the attribute differences of all releases add up. A record that cannot be
    followed has nothing there. That nothing is no value: where there are such records, missing values are
    compared under ``ignore``.
    """
    known, released, exact = _Wide(this.known), _Wide(this.released), set(this.exact)
    errors = dict(this.errors)
    for release, dossier, row in earlier:
        taken = pl.Series(row).replace(-1, None)
        for name in dossier.attributes:
            alias = f"{name} ({release})" if name in known.names | released.names else name
            known.add(dossier.known.schema[name], dossier.known.frame[name], alias)
            values = dossier.released.frame[name].gather(taken)
            released.add(dossier.released.schema[name], values, alias)
            if name in dossier.errors:
                errors[alias] = dossier.errors[name]
            if name in dossier.exact:
                exact.add(alias)
            else:
                exact.discard(alias)
    gaps = any((row < 0).any() for _, _, row in earlier)
    missing = Missing.IGNORE if gaps else this.missing
    return Dossier(
        known.data(),
        released.data(),
        missing,
        this.block,
        exact=frozenset(exact),
        presence=this.presence,
        errors=errors,
    )


def averaged(
    this: Dossier, earlier: Sequence[tuple[str, Dossier, Ints]], weights: Sequence[float]
) -> Dossier | None:
    """As :func:`widened`, but numbers that several releases have are averaged; None where there are none.

    Independent noise shrinks in the mean, which adding up differences does not achieve: (x - y)^2 + (x - z)^2
    is 2 (x - (y + z) / 2)^2 + (y - z)^2 / 2, and the last term only disturbs. ``weights``: of this release,
    then of the earlier ones; best the inverse of their noise's variance. A record that cannot be followed
    keeps the numbers it has.
    """
    numbers = [name for name in this.attributes if this.known.schema[name].kind is Kind.NUMERIC]
    columns = {name: [(this.released.frame[name], weights[0])] for name in numbers}
    rest = []
    for (release, dossier, row), weight in zip(earlier, weights[1:], strict=True):
        taken = pl.Series(row).replace(-1, None)
        for name in numbers:
            if name in dossier.attributes:
                columns[name].append((dossier.released.frame[name].gather(taken), weight))
        left = [name for name in dossier.attributes if name not in numbers]
        if left:
            rest.append((release, replace(dossier, known=dossier.known.only(left)), row))
    means = {name: _mean(values) for name, values in columns.items() if len(values) > 1}
    if not means:
        return None
    # A mean is no value of the original any more.
    return widened(
        replace(this, released=this.released.replace(means), exact=this.exact - means.keys()), rest
    )


def _mean(columns: Sequence[tuple[pl.Series, float]]) -> pl.Series:
    """The weighted mean of the values that are there."""
    largest = max(weight for _, weight in columns)
    values = np.stack([column.cast(pl.Float64).fill_null(np.nan).to_numpy() for column, _ in columns])
    weight = np.array([weight / largest for _, weight in columns])[:, None] * ~np.isnan(values)
    total = weight.sum(axis=0)
    mean = np.where(total > 0, np.nansum(values * weight, axis=0) / np.where(total > 0, total, 1.0), np.nan)
    return pl.Series(columns[0][0].name, mean, nan_to_null=True)


class _Wide:
    """A file that columns are added to."""

    def __init__(self, data: Microdata) -> None:
        self.label = data.label
        self.columns = list(data.schema)
        self.series = data.frame.get_columns()

    @property
    def names(self) -> set[str]:
        return {column.name for column in self.columns}

    def add(self, column: Column, values: pl.Series, alias: str) -> None:
        self.columns.append(replace(column, name=alias))
        self.series.append(values.alias(alias))

    def data(self) -> Microdata:
        return Microdata(Schema(tuple(self.columns)), pl.DataFrame(self.series), self.label)


def _is_confidential(schema: Schema, name: str) -> bool:
    return name in schema and schema[name].role is Role.CONFIDENTIAL
