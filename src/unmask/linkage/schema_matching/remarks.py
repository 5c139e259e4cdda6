"""What is said beside the pairs: columns that were not compared, and names that may mislead."""

from __future__ import annotations

from collections.abc import Sequence

from unmask.data.microdata import Microdata
from unmask.data.schema import Role
from unmask.linkage.schema_matching.column_names import says_nothing
from unmask.linkage.schema_matching.result import LIKELY, WORTH, ColumnPair

#: So many columns are named in one note.
MOST_NAMES = 12


def compared(data: Microdata, label: str, by_name: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns of a file that are compared, and what is said of those that are not.

    What names records tells nothing of people. A column that repeats another one in every record, and that no
    name tells apart, would halve the probability of both: the first stands for it.

    >>> import polars as pl
    >>> from unmask.data.schema import Column, Schema
    >>> schema = Schema((Column("id", role=Role.IDENTIFIER), Column("age"), Column("V3")))
    >>> file = Microdata(schema, pl.DataFrame({"id": [1, 2], "age": [31, 45], "V3": [31, 45]}))
    >>> kept, told = compared(file, "the first file", True)
    >>> kept, told[1]
    (('age',), "not compared in the first file, as it repeats another: 'V3'")
    """
    keys, names = data.schema.names(Role.IDENTIFIER), data.schema.names()
    first: dict[int, list[str]] = {}
    repeated = set()
    for name in sorted((n for n in names if n not in keys), key=says_nothing):
        values = data.frame[name]
        alike = first.setdefault(int(values.hash().sum()), [])
        untold = not by_name or says_nothing(name)
        if untold and values.null_count() < len(values) and any(values.equals(data.frame[n]) for n in alike):
            repeated.add(name)
        else:
            alike.append(name)
    told = (
        _listed(f"not compared in {label}, as it names records", keys),
        _listed(f"not compared in {label}, as it repeats another", [n for n in names if n in repeated]),
    )
    kept = tuple(n for n in names if n not in keys and n not in repeated)
    return kept, tuple(note for note in told if note)


def misleading(named: Sequence[ColumnPair], unnamed: Sequence[ColumnPair]) -> tuple[str, ...]:
    """Pairs that have only their names in common, where what they hold pairs them with other columns."""
    others = {pair.first: pair for pair in unnamed if pair.probability > LIKELY}
    return tuple(
        f"'{pair.first}' and '{pair.second}' are paired by their names, but '{pair.first}' of the first file "
        f"looks like '{others[pair.first].second}' of the second: see what --no-names says"
        for pair in named
        if by_name_alone(pair) and pair.first in others and others[pair.first].second != pair.second
    )


def by_name_alone(pair: ColumnPair) -> bool:
    """Whether two columns are likely by their names although their contents speak against it."""
    return pair.probability > LIKELY and pair.names >= WORTH and pair.contents < 0


def _listed(said: str, names: Sequence[str]) -> str:
    if not names:
        return ""
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"{said}: {', '.join(map(repr, names[:MOST_NAMES]))}{more}"
