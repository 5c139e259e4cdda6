"""What a file stores about its columns beyond their values, so that a release can be written like it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf

import polars as pl

from unmask.data.microdata import Ints, as_text

#: A code of a statistical package: a number or a text. ".a" to ".z" are the special missing values of Stata
#: and SAS.
Code = int | float | str

#: A range of so few whole numbers is listed code by code.
_LISTED = 20


@dataclass(frozen=True, eq=False)
class Stored:
    """One column as a statistical package stores it.

    ``labels`` are the value labels by code, as they stand in the file. ``texts`` are the codes behind the
    texts of the frame, where the frame holds labels instead of codes. ``missing`` are the codes declared to
    be missing, each as (lowest, highest), and ``codes`` says which record has which of them; the frame holds
    nothing in those cells. ``format`` and ``measure`` are words of the ``package``.

    >>> Stored("SPSS", missing=((9, 9), (97, 99), (-inf, 0))).missing_codes
    ('9', '97', '98', '99', 'lowest to 0')
    """

    package: str
    label: str = ""
    labels: Mapping[Code, str] = field(default_factory=dict)
    texts: Mapping[str, Code] = field(default_factory=dict)
    missing: tuple[tuple[Code, Code], ...] = ()
    codes: pl.Series | None = None
    format: str = ""
    measure: str = ""

    @property
    def missing_codes(self) -> tuple[str, ...]:
        """The codes declared to be missing, as text; a long range by its ends."""
        return tuple(text for low, high in self.missing for text in _listed(low, high))

    def is_missing(self, code: Code) -> bool:
        """Whether a code is declared to be missing."""
        return any(within(code, bounds) for bounds in self.missing)

    def of_rows(self, origin: Ints) -> Stored:
        """The column of a release whose records stem from these rows, -1 for nobody."""
        if self.codes is None:
            return self
        rows = pl.Series(origin)
        return replace(self, codes=self.codes.gather(rows.set(rows < 0, None)))


@dataclass(frozen=True, eq=False)
class Template:
    """The file that a release takes its form from.

    ``stored`` is what that file stores about its columns, ``origin`` its row behind each released record (-1
    for nobody; by default the two have one order), ``sheet`` the sheet of a workbook.
    """

    stored: Mapping[str, Stored] = field(default_factory=dict)
    origin: Ints | None = None
    sheet: str | None = None

    def column(self, name: str) -> Stored:
        """What is stored about a column, for the records of the release."""
        found = self.stored.get(name, Stored(""))
        return found if self.origin is None else found.of_rows(self.origin)


def within(code: Code, bounds: tuple[Code, Code]) -> bool:
    """Whether a code is between two codes of its type.

    >>> within(98, (97, 99)), within("98", (97, 99))
    (True, False)
    """
    low, high = bounds
    if isinstance(code, str):
        return isinstance(low, str) and isinstance(high, str) and low <= code <= high
    return not isinstance(low, str) and not isinstance(high, str) and low <= code <= high


def plain(code: Code) -> Code:
    """A code with whole numbers as integers: the formats store all numbers as floats."""
    return int(code) if isinstance(code, float) and code.is_integer() else code


def _listed(low: Code, high: Code) -> list[str]:
    if low == high:
        return [_shown(low)]
    if isinstance(low, int) and isinstance(high, int) and high - low < _LISTED:
        return [str(code) for code in range(low, high + 1)]
    return [f"{_shown(low)} to {_shown(high)}"]


def _shown(code: Code) -> str:
    if code in (inf, -inf):
        return "highest" if code == inf else "lowest"
    return str(as_text(pl.Series([code]))[0])
