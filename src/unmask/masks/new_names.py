"""New names of people in a masked file of series, traces or ties, and who is who."""

from __future__ import annotations

from collections.abc import Sequence
from random import SystemRandom

import polars as pl

from unmask.errors import ArgumentError


def renamed(frame: pl.DataFrame, columns: Sequence[str]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The file with other names of people, and the pairs of names: that of the original, that of the release.

    ``columns``: those that name people; the two ends of ties that have no direction come in the order of the
    new names. New names are the numbers 1 to n, dealt by the randomness of the system and by no seed: whoever
    has the list of names and the seed could deal them again. The rows are put in the order of the new names,
    as that of the old ones would tell them.

    >>> ties = pl.DataFrame({"a": ["ann", "bob"], "b": ["bob", "eve"]})
    >>> released, pairs = renamed(ties, ("a", "b"))
    >>> sorted(pairs["released"]), pairs["original"].to_list()
    ([1, 2, 3], ['ann', 'bob', 'eve'])
    >>> bool((released["a"] < released["b"]).all()), released.equals(released.sort("a", "b"))
    (True, True)
    """
    if not columns:
        raise ArgumentError(
            "the people of this file have no names that others could take the place of",
            hint="leave the file of pairs out; rows of people without names pair by their order",
        )
    old = pl.concat([frame[name].cast(pl.String).alias("original") for name in columns]).unique().sort()
    numbers = list(range(1, len(old) + 1))
    SystemRandom().shuffle(numbers)
    new = pl.Series("released", numbers, dtype=pl.Int64)
    named = frame.with_columns(
        frame[name].cast(pl.String).replace_strict(old, new, return_dtype=pl.Int64) for name in columns
    )
    if len(columns) == 2:
        named = named.with_columns(
            pl.min_horizontal(columns).alias(columns[0]), pl.max_horizontal(columns).alias(columns[1])
        )
    others = [name for name in named.columns if name not in columns]
    return named.sort(*columns, *others), pl.DataFrame([old, new])
