"""What the release still holds that no attack looks at, and why it may matter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from unmask.data.io.table import SourceTable
from unmask.data.proposal import propose
from unmask.data.schema import Role, Schema

#: A code that fewer records than this share is rare.
RARE = 3


@dataclass(frozen=True)
class Leftover:
    """A released column that takes no part in the attacks, and why it may matter."""

    column: str
    why: str


def leftovers(released: SourceTable, original: Schema, key: str | None = None) -> tuple[Leftover, ...]:
    """The released columns that are neither linked on nor counted as confidential.

    ``key``: the column that told who is who. A column that is constant tells nothing and is left out.

    >>> from unmask.data.io import from_any
    >>> from unmask.data.schema import Column
    >>> table = from_any(pl.DataFrame({"age": [30, 41, 52], "badge": ["x7", "x8", "x8"]}))
    >>> leftovers(table, Schema((Column("age"),)))[0].column
    'badge'
    """
    return tuple(_leftovers(released, original, key))


def _leftovers(released: SourceTable, original: Schema, key: str | None) -> Iterator[Leftover]:
    proposed = propose(released).schema
    for name in released.frame.columns:
        role = original[name].role if name in original else None
        if role in (Role.QUASI_IDENTIFIER, Role.CONFIDENTIAL) and name != key:
            continue
        values = released.frame[name].drop_nulls()
        if values.dtype.is_nested() or values.n_unique() < 2:
            continue
        why = _why(name, role, proposed[name].role, values, key)
        yield Leftover(name, why)


def _why(name: str, role: Role | None, proposed: Role, values: pl.Series, key: str | None) -> str:
    told = role or proposed
    counts = values.value_counts(name="n")["n"]
    single, rare = int((counts == 1).sum()), int(counts.filter(counts < RARE).sum())
    if name == key:
        return "the key that tells who is who: whoever holds the original finds everybody by it"
    if told is Role.IDENTIFIER:
        return f"an identifier: {single} of {len(values)} values are held by one record alone"
    if told is Role.HOUSEHOLD:
        return f"a household key: it tells which records live together ({len(counts)} groups)"
    if told is Role.WEIGHT:
        return f"a weight: {single} of {len(values)} values are unique, and it may tell stratum and size"
    where = "not in the original file" if role is None else "ignored in the schema"
    return f"{where}: {len(counts)} distinct values, {rare} records with a value that fewer than {RARE} share"
