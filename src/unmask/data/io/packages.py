"""What the formats of SPSS, Stata and SAS can hold: names, texts, labels, and times as numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from unmask.errors import DataError

_SPSS_WORDS = ("ALL", "AND", "BY", "EQ", "GE", "GT", "LE", "LT", "NE", "NOT", "OR", "TO", "WITH")
_STATA_WORDS = (
    "_all", "_b", "byte", "_coef", "_cons", "double", "float", "if", "in", "int", "long", "_n", "_N", "_pi",
    "_pred", "_rc", "_skip", "strL", "using", "with",
)  # fmt: skip
#: The days from the first day of SPSS (14 October 1582), and of Stata and SAS (1 January 1960), to 1970.
_SPSS_DAYS, _STATA_DAYS = 141_428, 3_653
_DAY = 86_400


@dataclass(frozen=True)
class Package:
    """The limits of one format. Lengths are in bytes of UTF-8; ``label`` is (characters, bytes).

    ``value_label`` is 0 where there are no value labels. ``second`` is how a second is counted, ``day`` how a
    date is, from ``epoch`` days before 1970. ``formats`` show a date, a date with a time, and a time.
    """

    name: str
    names: re.Pattern[str]
    longest_name: int
    one_case: bool
    reserved: frozenset[str]
    text: int
    label: tuple[int, int]
    value_label: int
    second: int
    day: int
    epoch: int
    formats: tuple[str, str, str]

    def check_names(self, names: Iterable[str]) -> None:
        """Refuse names of columns that the format has no room for.

        >>> STATA.check_names(["home town"])
        Traceback (most recent call last):
        unmask.errors.DataError: 'home town' cannot be the name of a column in a file of Stata. Hint: ...
        """
        names = list(names)
        for name in names:
            fits = len(name.encode()) <= self.longest_name and self.names.fullmatch(name)
            if not fits or (name.upper() if self.one_case else name) in self.reserved:
                raise DataError(
                    f"'{name}' cannot be the name of a column in a file of {self.name}",
                    hint=f"rename it to at most {self.longest_name} letters, digits and '_', beginning with "
                    "a letter, or write another format",
                )
        if self.one_case:
            twice = [name for name, n in Counter(name.upper() for name in names).items() if n > 1]
            if twice:
                raise DataError(
                    f"two columns differ only in the case of '{twice[0].lower()}', and {self.name} does not "
                    "tell them apart",
                    hint="rename one of the two, or write another format",
                )

    def check_texts(self, series: pl.Series) -> None:
        """Refuse texts that the format would cut."""
        longest = series.str.len_bytes().max()
        if isinstance(longest, int) and longest > self.text:
            raise DataError(
                f"column '{series.name}' has texts of more than {self.text} bytes, too many for {self.name}",
                hint="drop the column, or write another format",
            )

    def check_labels(self, name: str, label: str, values: Iterable[str]) -> None:
        """Refuse labels that the format would cut: two of them might become one."""
        characters, size = self.label
        if len(label) > characters or len(label.encode()) > size:
            raise DataError(
                f"the label of column '{name}' has more than the {characters} characters that {self.name} "
                "holds",
                hint="shorten it in the original file, or write another format",
            )
        if any(len(text.encode()) > self.value_label for text in values):
            raise DataError(
                f"a value label of column '{name}' has more than the {self.value_label} bytes that "
                f"{self.name} holds",
                hint="merge fewer categories or give them shorter labels, or write another format",
            )

    def temporal(self, series: pl.Series) -> tuple[pl.Series, str]:
        """Dates and times as the numbers that stand for them in the format, and how they are shown."""
        date, moment, time = self.formats
        if series.dtype == pl.Date:
            return (series.cast(pl.Int64) + self.epoch) * self.day, date
        if series.dtype == pl.Time:
            return series.cast(pl.Int64) / 1e9 * self.second, time
        local = series.dt.replace_time_zone(None).dt.epoch("us")
        return (local / 1e6 + self.epoch * _DAY) * self.second, moment


SPSS = Package(
    name="SPSS",
    names=re.compile(r"[^\W\d_](?:[\w.$#@]*[\w$#@])?"),
    longest_name=64,
    one_case=True,
    reserved=frozenset(_SPSS_WORDS),
    text=32_767,
    label=(256, 256),
    value_label=120,
    second=1,
    day=_DAY,
    epoch=_SPSS_DAYS,
    formats=("DATE11", "DATETIME20", "TIME8"),
)
STATA = Package(
    name="Stata",
    names=re.compile(r"(?!str\d+$)[^\W\d]\w*"),
    longest_name=32,
    one_case=False,
    reserved=frozenset(_STATA_WORDS),
    text=2_000_000_000,
    label=(80, 320),
    value_label=32_000,
    second=1000,
    day=1,
    epoch=_STATA_DAYS,
    formats=("%td", "%tc", "%tcHH:MM:SS"),
)
SAS = Package(
    name="SAS",
    names=re.compile(r"[A-Za-z_]\w*", re.ASCII),
    longest_name=32,
    one_case=True,
    reserved=frozenset(),
    text=32_767,
    label=(256, 256),
    value_label=0,
    second=1,
    day=1,
    epoch=_STATA_DAYS,
    formats=("DATE9", "DATETIME20", "TIME8"),
)
