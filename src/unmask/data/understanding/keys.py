"""Which column that both files hold tells whose record is whose?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import polars as pl

from unmask.data.column_facts import FEWEST_FOR_KEYS
from unmask.data.column_names import names_records
from unmask.data.io.table import whole_numbers
from unmask.data.proposal import NEARLY_ALL
from unmask.data.understanding.coded import coded
from unmask.data.understanding.judging import Judgement, judge
from unmask.data.understanding.key_spelling import spelling
from unmask.data.understanding.rows import stretches

#: Values that are not distinct among so many are not distinct among all.
SCREEN = 1000
#: So many candidates are judged.
MOST_CANDIDATES = 20


@dataclass(frozen=True)
class KeyColumn:
    """A column that may pair the records of both files.

    ``found`` counts the released values that the original holds. ``plausible`` says whether the other
    columns agree when records are paired by this one, ``checked`` whether there was anything to judge by.
    """

    name: str
    unique_in_original: bool
    unique_in_released: bool
    found: int
    plausible: bool
    checked: bool
    sentence: str


def key_columns(
    original: pl.DataFrame, released: pl.DataFrame, names: Sequence[str], among: Sequence[str] | None = None
) -> tuple[KeyColumn, ...]:
    """The columns that may pair the records, best first: plausible, called like a key, unique in both files.

    ``names``: the columns that both files have, by which a key is judged; ``among``: those that may be keys
    (None: all).

    A candidate holds text or whole numbers, (nearly) all distinct in either file, and the original holds
    (nearly) all released values. In files of few records its name must say that it is a key.

    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> file = pl.DataFrame({"id": np.arange(300), "age": rng.normal(size=300), "x": rng.normal(size=300)})
    >>> (key,) = key_columns(file, file.sample(fraction=0.5, shuffle=True, seed=1), file.columns)
    >>> key.name, key.found, key.plausible
    ('id', 150, True)
    """
    asked = names if among is None else among
    # Judging a candidate looks at all columns: in a wide file only the first ones are, names of keys ahead.
    candidates = (
        _candidate(original, released, name, names)
        for name in sorted(asked, key=lambda name: not names_records(name))
    )
    found = list(islice((key for key in candidates if key is not None), MOST_CANDIDATES))
    place = {name: i for i, name in enumerate(asked)}
    return tuple(sorted(found, key=lambda key: (*_rank(key), place[key.name])))


def _candidate(
    original: pl.DataFrame, released: pl.DataFrame, name: str, names: Sequence[str]
) -> KeyColumn | None:
    columns = original[name], released[name]
    # What takes least time first: most columns are no keys, and a million values take a while to compare.
    if not all(_nearly_unique(column.drop_nulls().head(SCREEN)) for column in columns):
        return None
    if not all(_like_a_key(column) and _nearly_unique(column) for column in columns):
        return None
    alike = spelling(*columns)
    left, right = alike.original, alike.released
    if not (_nearly_unique(left) and _nearly_unique(right)):
        return None
    if min(len(left), len(right)) < FEWEST_FOR_KEYS and not names_records(name):
        return None
    present = right.drop_nulls()
    found = int(present.is_in(left.drop_nulls().implode()).sum())
    if found < NEARLY_ALL * len(present):
        return None
    judged = _judged(original, released, (left, right), sorted(other for other in names if other != name))
    verdict = "fits" if judged.plausible else "does not fit"
    sentence = (
        f"Key column '{name}' {verdict if judged.checked else 'cannot be checked'}: "
        f"{found} of {len(present)} released values are in the original; "
        f"how the other columns agree when paired by it: {judged.reason}."
    )
    return KeyColumn(name, _unique(left), _unique(right), found, judged.plausible, judged.checked, sentence)


def _judged(
    original: pl.DataFrame,
    released: pl.DataFrame,
    keys: tuple[pl.Series, pl.Series],
    others: Sequence[str],
) -> Judgement:
    """Whether the other columns agree when records are paired by the key.

    The pairs stand in the order of the key: numbers given to sorted files tell no more than sorting does.
    """
    sides = (
        pl.DataFrame({"key": key}).with_row_index("row").filter(pl.col("key").is_unique()).drop_nulls()
        for key in keys
    )
    left, right = sides
    pairs = left.join(right, on="key")
    number = pl.col("key").cast(pl.Float64, strict=False)
    pairs = pairs.sort(number, "key")
    rows = stretches(pairs.height)
    at = pairs["row"].to_numpy()[rows], pairs["row_right"].to_numpy()[rows]
    return judge(coded(original[at[0]], released[at[1]], others))


def _like_a_key(series: pl.Series) -> bool:
    """Whether the column holds text or whole numbers; text that reads as fractions is a measurement."""
    if series.dtype == pl.String:
        values = series.drop_nulls().cast(pl.Float64, strict=False).drop_nulls()
        return bool((values == values.floor()).all())
    return whole_numbers(series).dtype.is_integer()


def _nearly_unique(text: pl.Series) -> bool:
    present = text.drop_nulls()
    return len(present) > 1 and present.n_unique() >= NEARLY_ALL * len(present)


def _unique(text: pl.Series) -> bool:
    present = text.drop_nulls()
    return present.n_unique() == len(present)


def _rank(key: KeyColumn) -> tuple[bool, bool, bool, int]:
    """Best first; equal ones keep the order of the file."""
    both = key.unique_in_original and key.unique_in_released
    return not key.plausible, not names_records(key.name), not both, -key.found
