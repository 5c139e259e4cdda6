"""Scenario: what the intruder holds. Staging turns two files into what he sees and what is true."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import polars as pl

from unmask.errors import ArgumentError, missing_columns
from unmask.links import Truth
from unmask.microdata import Floats, Ints, Masked, Microdata
from unmask.schema import Kind, Role

#: Far beyond it, what the intruder knows leaves the range of floating point; at it, he knows nothing.
LARGEST_ERROR = 1e6


class Missing(StrEnum):
    """How a missing value compares, in every method.

    ``mismatch``: as far away as the attribute allows, even from another missing value;
    ``ignore``: the attribute does not count for the pair, the others stand for it;
    ``wildcard``: it agrees with everything;
    ``category``: a value of its own, equal to itself and far from all others.
    """

    MISMATCH = "mismatch"
    IGNORE = "ignore"
    WILDCARD = "wildcard"
    CATEGORY = "category"


@dataclass(frozen=True, eq=False)
class Dossier:
    """What the intruder sees: his knowledge about his targets, and the released file, shuffled."""

    known: Microdata
    released: Microdata
    missing: Missing = Missing.MISMATCH
    block: tuple[str, ...] = ()

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attributes that he can compare: those that he knows and finds in the release."""
        common = tuple(name for name in self.known.schema.names() if name in self.released.schema)
        if not common:
            raise ArgumentError(
                "the two files share no quasi-identifier",
                hint="name the attributes the intruder knows, or make an attack that needs none in common "
                "(--attacks structural)",
            )
        return common


@dataclass(frozen=True)
class Scenario:
    """Which attributes the intruder knows, of whom, and how well.

    ``known``: attribute names (None: every quasi-identifier that both files have);
    ``targets``: how many people he knows, drawn at random: a count, a share between 0 and 1, or everybody;
    ``error``: numbers he knows are off by normal noise of that many standard deviations, and each category
    is, with that probability, another one of the file's;
    ``missing``: how missing values compare;
    ``block``: attributes on which he compares only records that agree.

    >>> Scenario(known=("age", "sex"), targets=0.1).describe(100)
    'knows 2 attributes of 10 people'
    """

    known: tuple[str, ...] | None = None
    targets: int | float | None = None
    error: float = 0.0
    missing: Missing = Missing.MISMATCH
    block: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.error <= LARGEST_ERROR:
            raise ArgumentError(
                f"error is {self.error:g}",
                hint=f"give a number of standard deviations, from 0 to {LARGEST_ERROR:g}",
            )
        if isinstance(self.known, str):
            raise ArgumentError("known is a text, not names", hint=f"write known=({self.known!r},)")
        if self.known is not None and not self.known:
            raise ArgumentError("the intruder knows no attribute", hint="name at least one")
        if self.known is not None and len(set(self.known)) != len(self.known):
            raise ArgumentError("a known attribute is named twice", hint="name each once")
        if len(set(self.block)) != len(self.block):
            raise ArgumentError("a blocking attribute is named twice", hint="name each once")
        if isinstance(self.targets, float) and not 0 < self.targets <= 1:
            raise ArgumentError(
                f"the share of targets is {self.targets}", hint="give a share above 0, at most 1"
            )
        if isinstance(self.targets, int) and self.targets < 1:
            raise ArgumentError(f"the number of targets is {self.targets}", hint="give at least 1")

    def count(self, n: int) -> int:
        """How many of n people the intruder knows."""
        if self.targets is None:
            return n
        if isinstance(self.targets, float):
            return max(1, round(self.targets * n))
        if self.targets > n:
            raise ArgumentError(f"{self.targets} targets of {n} people", hint="give at most the file's size")
        return self.targets

    def describe(self, n: int) -> str:
        """The scenario in words."""
        attributes = "all common attributes" if self.known is None else _counted(len(self.known), "attribute")
        error = f", with an error of {self.error:g} sd" if self.error else ""
        block = f", compares only records that agree on {', '.join(self.block)}" if self.block else ""
        people = _counted(self.count(n), "person", "people")
        return f"knows {attributes} of {people}{error}{block}"

    def attributes(self, original: Microdata, released: Microdata) -> tuple[str, ...]:
        """The attributes he knows: those named, else every quasi-identifier that the release has too.

        If the release has none of them, they are all he has to go by; only attacks that need no common
        attribute can then be made.
        """
        names = self.known or original.schema.names(Role.QUASI_IDENTIFIER)
        if not names:
            raise ArgumentError(
                "the two files share no quasi-identifier",
                hint="name the attributes the intruder knows, or mend the roles in the schema",
            )
        lost = [name for name in names if name not in original.schema]
        if lost:
            raise missing_columns(lost, original.schema.names(), original.label)
        common = tuple(name for name in names if name in released.schema)
        if self.known is None or not common:
            return common or names
        lost = [name for name in names if name not in common]
        if lost:
            raise missing_columns(lost, released.schema.names(), released.label)
        return names

    def stage(
        self, original: Microdata, masked: Masked, rng: np.random.Generator
    ) -> tuple[Dossier, Truth, Ints]:
        """What the intruder sees, what is true, and the original row of each target.

        The released file is always shuffled, so that no attack can lean on row order, and stripped of
        identifiers. Quasi-identifiers and confidential attributes stay.
        """
        names = self.attributes(original, masked.data)
        strange = [name for name in self.block if name not in names]
        if strange:
            raise ArgumentError(
                f"the intruder blocks on '{strange[0]}', which he does not know",
                hint=f"block on attributes that he knows: {', '.join(names)}",
            )
        for name in names:
            if name not in masked.data.schema:
                continue
            known_as, released_as = original.schema[name].kind, masked.data.schema[name].kind
            if Kind.NUMERIC in (known_as, released_as) and known_as is not released_as:
                raise ArgumentError(
                    f"'{name}' is {known_as.value} in the original file, {released_as.value} in the release",
                    hint="release numbers as numbers, such as the mean of a band, or leave the attribute out",
                )
        order = rng.permutation(len(masked.data))
        visible = [
            c.name
            for c in masked.data.schema
            if c.name in names or c.role in (Role.QUASI_IDENTIFIER, Role.CONFIDENTIAL)
        ]
        released = masked.data.only(visible).take(order)
        n = len(original)
        targets = (
            np.arange(n) if self.targets is None else np.sort(rng.choice(n, self.count(n), replace=False))
        )
        place = np.full(n, -1, dtype=np.int64)
        origin = masked.origin[order]
        place[origin[origin >= 0]] = np.flatnonzero(origin >= 0)
        known = original.only(names).take(targets)
        if self.error:
            known = _with_error(known, original, self.error, rng)
        return Dossier(known, released, self.missing, self.block), Truth(place[targets]), targets


def _with_error(known: Microdata, original: Microdata, error: float, rng: np.random.Generator) -> Microdata:
    columns: dict[str, pl.Series] = {}
    for column in known.schema:
        if column.kind is Kind.NUMERIC:
            values = known.numbers([column.name])[:, 0]
            spread = float(np.nanstd(original.numbers([column.name]))) if np.isfinite(values).any() else 0.0
            columns[column.name] = _numbers(
                column.name, values + rng.normal(0.0, 1.0, len(values)) * error * spread
            )
        else:
            levels = original.categories(column.name)
            codes = known.codes(column.name, levels)
            wrong = (rng.random(len(codes)) < error) & (codes >= 0) & (len(levels) > 1)
            shift = rng.integers(1, max(len(levels), 2), len(codes))
            codes = np.where(wrong, (codes + shift) % max(len(levels), 1), codes)
            texts = [levels[code] if code >= 0 else None for code in codes]
            columns[column.name] = pl.Series(column.name, texts, dtype=pl.String)
    return known.replace(columns)


def _counted(n: int, one: str, many: str | None = None) -> str:
    return f"{n} {one if n == 1 else many or one + 's'}"


def _numbers(name: str, values: Floats) -> pl.Series:
    return pl.Series(name, values, nan_to_null=True)
