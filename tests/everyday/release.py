"""What an everyday release is: who made what of which file, and what is to be understood of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import numpy as np
import polars as pl

from tests.everyday.counting import Possible, Rows, becomes, exact_risk, nearest_risk, same


class Expected(StrEnum):
    """How the risk that unmask finds stands to exact counting."""

    EQUAL = "equal"  # DBRL finds what counting finds, and no attack less
    AT_LEAST = "at least"  # the best attack finds what counting finds, or more
    ABOUT = "about"  # values were drawn: the best attack finds about as much
    NEAREST = "nearest"  # nothing can be counted: the best attack finds what the nearest record does
    REFUSED = "refused"  # it cannot be known whose record is whose: no number at all


@dataclass(frozen=True, eq=False)
class Handed:
    """What the user has: two files; and ``origin``, the original row of each released record."""

    original: pl.DataFrame
    released: pl.DataFrame
    origin: Rows


@dataclass(frozen=True, eq=False)
class Change:
    """What was done to an attribute: what may have become of its values, and the words that are right for it.

    ``name``: its name in the release, where it has another one.
    """

    possible: Possible = same
    understood: tuple[str, ...] = ("unchanged",)
    name: str | None = None


@dataclass(frozen=True, eq=False)
class EverydayRelease:
    """One release: ``people`` reads the original, ``make`` does to it what the user did.

    ``what``: in the user's words; ``file``: the reference file; ``changes``: of the known attributes that
    were touched (all others must be understood as unchanged); ``truth``: what the user says of the rows;
    ``write``: how the released file is written (its suffix says the format).
    """

    name: str
    what: str
    file: str
    people: Callable[[], pl.DataFrame]
    make: Callable[[pl.DataFrame, np.random.Generator], Handed]
    known: tuple[str, ...]
    changes: Mapping[str, Change] = field(default_factory=dict)
    expected: Expected = Expected.EQUAL
    truth: str | None = None
    suffix: str = ".csv"

    def handed(self) -> Handed:
        """The two files; the same ones at every call."""
        return self.make(self.people(), np.random.default_rng(20240501))

    def change(self, attribute: str) -> Change:
        """What was done to an attribute."""
        return self.changes.get(attribute, Change())

    def rules(self) -> dict[tuple[str, str], Possible]:
        """What counting goes by: each known attribute by its two names."""
        changes = {name: self.change(name) for name in self.known}
        return {(name, change.name or name): change.possible for name, change in changes.items()}

    def risk(self) -> float | None:
        """What exact counting finds (the nearest record, where nothing can be counted); None if refused."""
        handed = self.handed()
        if self.expected is Expected.REFUSED:
            return None
        if self.expected is Expected.NEAREST:
            return nearest_risk(handed.original, handed.released, handed.origin, self.known)
        return exact_risk(handed.original, handed.released, handed.origin, self.rules())

    def write(self, folder: Path) -> tuple[Path, Path]:
        """Both files, as the user has them."""
        handed = self.handed()
        paths = folder / "original.csv", folder / f"released{self.suffix}"
        handed.original.write_csv(paths[0])
        WRITERS[self.suffix](handed.released, paths[1])
        return paths


#: How a release is written, by its suffix. ".txt" is what a German or Spanish spreadsheet exports.
WRITERS: dict[str, Callable[[pl.DataFrame, Path], object]] = {
    ".csv": lambda frame, path: frame.write_csv(path),
    ".txt": lambda frame, path: frame.write_csv(path, separator=";", decimal_comma=True),
    ".parquet": lambda frame, path: frame.write_parquet(path),
    ".xlsx": lambda frame, path: frame.write_excel(path),
}


def in_order(original: pl.DataFrame, released: pl.DataFrame) -> Handed:
    """Row i of the one file is row i of the other."""
    return Handed(original, released, np.arange(released.height))


def changed(values: pl.Series, recode: Callable) -> pl.Series:
    """A column after a function; what is missing stays missing."""
    return pl.Series(values.name, [None if value is None else recode(value) for value in values.to_list()])


def recoding(*recodes: tuple[str, Callable, tuple[str, ...] | str]) -> dict:
    """``make`` and ``changes`` of a release in which functions were applied to columns.

    Each is an attribute, its function, and the word (or words) that are right for it.
    """

    def make(people: pl.DataFrame, rng: np.random.Generator) -> Handed:
        columns = [changed(people[name], recode) for name, recode, _ in recodes]
        return in_order(people, people.with_columns(columns))

    words = {name: (one,) if isinstance(one, str) else one for name, _, one in recodes}
    changes = {name: Change(becomes(recode), words[name]) for name, recode, _ in recodes}
    return {"make": make, "changes": changes}
