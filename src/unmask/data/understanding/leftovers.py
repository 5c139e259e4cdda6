"""What the release still holds that no attack looks at, and why it may matter."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

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


def leftovers(
    released: SourceTable, original: Schema, columns: Collection[str] = (), key: str | None = None
) -> tuple[Leftover, ...]:
    """The released columns that are neither linked on nor counted as confidential.

    ``columns``: those of the original file, also where its schema leaves them out; ``key``: the column that
    told who is who. A column that is constant tells nothing and is left out.

    >>> import polars as pl
    >>> from unmask.data.io import from_any
    >>> from unmask.data.schema import Column
    >>> table = from_any(pl.DataFrame({"age": [30, 41, 52], "badge": ["x7", "x8", "x8"]}))
    >>> leftovers(table, Schema((Column("age"),)))[0].column
    'badge'
    """
    found = []
    for name in released.frame.columns:
        if name != key and _takes_part(original, name):
            continue
        values = released.frame[name].drop_nulls()
        if not values.dtype.is_nested() and values.n_unique() > 1:
            found.append(Leftover(name, KEY if name == key else _why(released, name, original, columns)))
    return tuple(found)


KEY = "the key that tells who is who: whoever holds the original finds everybody by it"


def _takes_part(original: Schema, name: str) -> bool:
    return name in original and original[name].role in (Role.QUASI_IDENTIFIER, Role.CONFIDENTIAL)


def _why(released: SourceTable, name: str, original: Schema, columns: Collection[str]) -> str:
    if name in original:
        role, where = original[name].role, "ignored"
    else:
        (item,) = propose(replace(released, frame=released.frame.select(name))).columns
        role, where = item.column.role, "not in the schema" if name in columns else "not in the original file"
    values = released.frame[name].drop_nulls()
    counts = values.value_counts(name="n")["n"]
    single, rare = int((counts == 1).sum()), int(counts.filter(counts < RARE).sum())
    if role is Role.IDENTIFIER:
        return f"an identifier: {single} of {len(values)} values are held by one record alone"
    if role is Role.HOUSEHOLD:
        return f"a household key: it tells which records live together ({len(counts)} groups)"
    if role is Role.WEIGHT:
        return f"a weight: {single} of {len(values)} values are unique, and it may tell stratum and size"
    return f"{where}: {len(counts)} distinct values, {rare} records with a value that fewer than {RARE} share"
