"""Codes cut to a prefix, the rest masked: ``12***``, ``130xx``, as ARX and Datafly write them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

_MASKED = re.compile(r"(?P<stem>[^*#?]+)(?P<mask>\*+|#+|\?+)")
# A letter masks only after a digit and twice: "Essex" and "12x" are words.
_CROSSED = re.compile(r"(?P<stem>.*\d)(?P<mask>x{2,}|X{2,})")
_NOTHING_LEFT = re.compile(r"\*+|#+|\?+|x{2,}|X{2,}")


@dataclass(frozen=True)
class Prefix:
    """A code of which ``stem`` is left; a code that is not ``masked`` is whole.

    How many signs are masked says nothing: some programs pad all codes to one length.
    """

    label: str
    stem: str
    masked: bool

    def matches(self, codes: pl.Series) -> pl.Series:
        """Which codes, as text, could stand behind the label; a missing one does not.

        >>> Prefix("130**", "130", True).matches(pl.Series(["13053", "14850", None])).to_list()
        [True, False, False]
        """
        found = codes.str.starts_with(self.stem) if self.masked else codes == self.stem
        return found.fill_null(False)


def parse_prefixes(labels: Iterable[str]) -> tuple[Prefix, ...] | None:
    """The masked and whole codes among the labels; None where no code is cut to a prefix.

    A label that is masked as a whole matches every code. Some label must keep a part of its code, all must
    be masked with one sign, and a sign in the middle of a code is none that can be read.

    >>> [p.stem for p in parse_prefixes(["12***", "123**", "12345", "*****"])]
    ['12', '123', '12345', '']
    >>> parse_prefixes(["12***", "1*3**"]) is None, parse_prefixes(["Essex", "Sussex"]) is None
    (True, True)
    """
    distinct = {label: label.strip() for label in labels}
    if not any(label[-1:] in "*#?xX" for label in distinct.values()):
        return None
    for pattern in (_MASKED, _CROSSED):
        cut = {label: match for label, code in distinct.items() if (match := pattern.fullmatch(code))}
        if len({match["mask"][0] for match in cut.values()}) == 1:
            found = tuple(_prefix(label, code, cut.get(label)) for label, code in distinct.items())
            return (
                found if all(prefix.masked or not set(prefix.stem) & set("*#?") for prefix in found) else None
            )
    return None


def _prefix(label: str, code: str, cut: re.Match[str] | None) -> Prefix:
    if cut:
        return Prefix(label, cut["stem"], masked=True)
    return (
        Prefix(label, "", masked=True) if _NOTHING_LEFT.fullmatch(code) else Prefix(label, code, masked=False)
    )
