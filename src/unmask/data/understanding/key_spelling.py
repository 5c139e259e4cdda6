"""Keys that two files spell in different ways: leading zeros, blanks, the case of letters, "7" and "7.0"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from unmask.data.microdata import as_text
from unmask.errors import DataError

#: What programs do to a key when they read and write it, and how it is undone; each after those before it.
_SPELLINGS: tuple[tuple[str, Callable[[pl.Series], pl.Series]], ...] = (
    ("blanks around them", lambda keys: keys.str.strip_chars()),
    ("the case of letters", lambda keys: keys.str.to_lowercase()),
    ("an ending '.0'", lambda keys: keys.str.replace(r"^([+-]?\d+)[.,]0+$", "${1}")),
    ("leading zeros", lambda keys: keys.str.replace("^0+(.)", "${1}")),
)


@dataclass(frozen=True, eq=False)
class Spelling:
    """The keys of two files as text that compares.

    ``respelt``: released keys that are in the original under another spelling; ``released`` has them as the
    original does. ``ways``: the differences that, undone one after the other, made keys meet. ``ambiguous``:
    released keys that could be several people's then; they are left as they are.
    """

    original: pl.Series
    released: pl.Series
    respelt: int = 0
    ways: tuple[str, ...] = ()
    ambiguous: int = 0

    def checked(self) -> Spelling:
        """Itself, unless keys could be several people's: who is whose would be a guess."""
        if self.ambiguous:
            raise DataError(
                f"key column '{self.released.name}': {self.ambiguous} released values are spelt otherwise in "
                "the original, and could be those of several people there",
                hint="write the keys of both files in the same way (leading zeros, blanks, case of letters)",
            )
        return self


def spelling(original: pl.Series, released: pl.Series) -> Spelling:
    """Both key columns as text, with released keys spelt as in the original where that tells who is who.

    A key that both files spell alike stays as it is. Another one is respelt where what is left without blanks
    around it, leading zeros, an ending ".0" and the case of letters is one key in either file.

    >>> found = spelling(pl.Series("id", ["007", "012", "A1"]), pl.Series("id", ["12", "7", "a1", "99"]))
    >>> found.released.to_list(), found.respelt
    (['012', '007', 'A1', '99'], 3)
    >>> found.ways
    ('the case of letters', 'leading zeros')
    """
    left, right = as_text(original, "the original file"), as_text(released, "the released file")
    lost = _lost(left, right)
    if not lost.any():
        return Spelling(left, right)
    plain, ways = (left, right), []
    unmatched = int(lost.sum())
    for way, undo in _SPELLINGS:
        plain = undo(plain[0]), undo(plain[1])
        still = int((_lost(*plain) & lost).sum())
        if still < unmatched:
            ways.append(way)
        unmatched = still
    if not ways:
        return Spelling(left, right)
    people = pl.DataFrame({"plain": plain[0], "key": left}).drop_nulls()
    people = people.group_by("plain").agg(pl.len().alias("people"), pl.first("key"))
    keys = pl.DataFrame({"plain": plain[1]}).with_columns(times=pl.len().over("plain"), lost=lost)
    found = keys.join(people, on="plain", how="left", maintain_order="left")
    there = found["lost"] & found["people"].is_not_null()
    one = there & (found["people"] == 1).fill_null(False) & (found["times"] == 1)
    respelt = right.zip_with(~one, found["key"])
    return Spelling(left, respelt, int(one.sum()), tuple(ways), int((there & ~one).sum()))


def _lost(left: pl.Series, right: pl.Series) -> pl.Series:
    """Which released keys the original does not hold; a missing key is none."""
    return ~right.is_in(left.drop_nulls().implode()) & right.is_not_null()
