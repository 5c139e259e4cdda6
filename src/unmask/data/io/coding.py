"""From the texts of a labelled column back to codes with labels; new texts get new codes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

import polars as pl

from unmask.data.io.stored import Code, Stored

#: Around the codes in use, so many more are looked at for each new one: declared missing codes are few.
_SPARE = 8


def coded(series: pl.Series, column: Stored) -> tuple[pl.Series, dict[Code, str]]:
    """The texts as codes, and the labels of the codes.

    A text that the file did not know, such as that of merged categories, gets a new code: the next number
    above the highest that is not declared to be missing. Where codes are texts it is its own code.

    >>> sex = Stored("SPSS", labels={1: "male", 2: "female"}, texts={"male": 1, "female": 2})
    >>> codes, labels = coded(pl.Series(["female", None, "male|female"]), sex)
    >>> codes.to_list(), labels[3]
    ([2, None, 3], 'male|female')
    """
    new = [text for text in series.drop_nulls().unique().sort() if text not in column.texts]
    codes = dict(zip(new, _new_codes(new, column), strict=True))
    texts = {**column.texts, **codes}
    values = pl.Series(list(texts.values()), strict=False)
    return (
        series.replace_strict(list(texts), values, return_dtype=values.dtype),
        {**column.labels, **{code: text for text, code in codes.items()}},
    )


def _new_codes(new: list[str], column: Stored) -> list[Code]:
    if any(isinstance(code, str) for code in column.texts.values()):
        taken = {str(code) for code in column.labels}
        return [text if text not in taken else f"{text}_" for text in new]
    used = {code for code in column.labels if not isinstance(code, str)}
    free = (code for code in _candidates(used, column, len(new)) if not column.is_missing(code))
    return list(islice((code for code in dict.fromkeys(free) if code not in used), len(new)))


def _candidates(used: Iterable[float], column: Stored, n: int) -> Iterator[int]:
    """Numbers above the highest code, then above the highest that is not missing, then below the lowest."""
    valid = [code for code in column.texts.values() if not isinstance(code, str)]
    room = n + _SPARE
    top, high, low = int(max(used)) + 1, int(max(valid)) + 1, int(min(valid)) - 1
    return chain(range(top, top + room), range(high, high + room), range(low, low - room, -1))
