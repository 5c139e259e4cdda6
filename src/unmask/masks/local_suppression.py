"""Local suppression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import polars as pl

from unmask.about import About
from unmask.data.microdata import Floats, Ints, Microdata
from unmask.data.schema import Kind
from unmask.errors import ArgumentError
from unmask.linkage.transitions import Declaration, Seen, Suppressed, Transitions
from unmask.masks import checks
from unmask.masks.base import Masked, targets
from unmask.masks.categories import frequencies, untouched
from unmask.masks.families import NON_PERTURBATIVE
from unmask.masks.keys import Flags, Packing, choices, key_codes
from unmask.masks.strength import Strength


@dataclass(frozen=True)
class LocalSuppression:
    """Single values made missing until every record's key is shared by k records.

    The key of a record is its combination of values of the ``attributes`` (every quasi-identifier where
    none are named). Two keys are compatible when they agree wherever both have a value, and the count of a
    record is the number of records compatible with it; a record without any value left adds nothing to
    the counts of the others. That is the frequency count of Templ, Kowarik and Meindl (2015) with a
    missing value as a full wildcard; k-anonymity is a count of k for everybody (Samarati 2001).

    A suppression raises the count of the record that gives up a value, and that of every other record with
    which it becomes compatible. So the least loss is a covering problem. It is solved greedily: of all
    sets of up to three values that bring a record with too low a count to k, the one that lowers the total
    shortfall of the file most for its cost; larger sets only where these do not do. A record gives up
    values only for its own sake. Fewer suppressions would do if a few records gave up nearly all of their
    values, as they would then count for everybody; but such a cover deceives nobody.

    ``importance`` is the cost of a suppression, one number per attribute (all 1: the number of
    suppressions). Which values go depends on neither the order of the records nor on chance, but for the
    choice among records with one key.

    >>> from unmask.data.schema import Column, Kind, Schema
    >>> schema = Schema((Column("town", Kind.NOMINAL), Column("sex", Kind.NOMINAL)))
    >>> people = Microdata(schema, pl.DataFrame({"town": ["A", "A", "B", "B"], "sex": ["f", "f", "f", "m"]}))
    >>> LocalSuppression(k=2).apply(people, np.random.default_rng(1)).data.frame["sex"].to_list()
    ['f', 'f', None, 'm']
    """

    name: ClassVar[str] = "local-suppression"
    kinds: ClassVar[tuple[Kind, ...]] = tuple(Kind)
    about = About(
        title="local suppression",
        family=NON_PERTURBATIVE,
        sentence="Single values are made missing, as few as possible, until every combination is shared by "
        "k records.",
        source="P. Samarati (2001), Protecting respondents' identities in microdata release, IEEE "
        "Transactions on Knowledge and Data Engineering 13, 1010-1027; M. Templ, A. Kowarik and B. Meindl "
        "(2015), Statistical disclosure control for micro-data using the R package sdcMicro, Journal of "
        "Statistical Software 67(4).",
        rank=4,
    )
    strength: ClassVar[Strength | None] = Strength(
        "k", (2, 3, 4, 5, 7, 10, 15, 20, 30, 40, 50, 75, 100), tuple(Kind)
    )
    examples = ("local-suppression:k=9",)
    k: int
    importance: tuple[float, ...] | None = None
    attributes: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        checks.group_size(self.name, self.k)
        object.__setattr__(self, "attributes", checks.names(self.name, "attributes", self.attributes))
        if self.importance is not None:
            object.__setattr__(self, "importance", _importance(self.name, self.importance))

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with as many values missing as a count of k needs."""
        names = targets(original, self.attributes)
        weights = self._weights(len(names))
        if self.k > len(original):
            raise ArgumentError(
                f"{self.name}: k={self.k} exceeds the {len(original)} records of the file",
                hint=f"choose k of at most {len(original)}",
            )
        kept = suppressed(key_codes(original, names), self.k, weights, rng)
        columns = {
            name: pl.select(pl.when(pl.Series(kept[:, j])).then(original.frame[name])).to_series().alias(name)
            for j, name in enumerate(names)
        }
        return Masked(original.replace(columns), np.arange(len(original), dtype=np.int64))

    def transitions(self, original: Microdata) -> dict[str, Transitions]:
        """Every category stays or is made missing, as often as in this file; one more of each is added.

        The addition keeps possible what happened to no record of this file.
        """
        names = targets(original, self.attributes)
        released = self.apply(original, np.random.default_rng(0)).data
        tables = untouched(original)
        for name in tables.keys() & set(names):
            categories = tables[name].original
            before, after = (frequencies(data, name, categories) for data in (original, released))
            tables[name] = Transitions(categories, categories, np.diag((after + 1) / (before + 2)))
        return tables

    def declare(self, seen: Seen) -> Declaration:
        """Every value stays or is made missing, as often as values are missing in the release.

        One more of each is added, so that what did not happen stays possible. Where the original is known,
        the values that it lacks itself do not count.
        """
        parts = []
        for name in seen.targets(self.attributes, tuple(Kind)):
            present = int(seen.released.frame[name].is_not_null().sum())
            before = len(seen.released)
            if seen.whole is not None and name in seen.whole.schema:
                before = int(seen.whole.frame[name].is_not_null().sum())
            parts.append(Suppressed(name, (max(before - present, 0) + 1) / (max(before, present) + 2)))
        return Declaration(tuple(parts))

    def _weights(self, d: int) -> Floats:
        if self.importance is None:
            return np.ones(d)
        if len(self.importance) != d:
            raise ArgumentError(
                f"{self.name}: {len(self.importance)} importances for {d} attributes",
                hint="give one number per attribute",
            )
        return np.array(self.importance, dtype=np.float64)


def _importance(mask: str, value: Any) -> tuple[float, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise ArgumentError(
            f"{mask}: importance is not a tuple of numbers", hint="write importance=(1, 2, 1)"
        )
    numbers = tuple(checks.number(mask, "importance", number, 0) for number in value)
    if 0 in numbers:
        raise ArgumentError(f"{mask}: an importance is 0", hint="give numbers above 0, one per attribute")
    return numbers


def suppressed(codes: Ints, k: int, importance: Floats, rng: np.random.Generator) -> Flags:
    """Which values stay: one row per record, False where a value is missing or suppressed."""
    from unmask.kernels.suppression import counts, cover, descend

    unique, key, size = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
    packing = Packing.of(codes)
    keys = packing.keys(unique, unique >= 0, size)
    count = counts(keys)
    rare = np.flatnonzero(count < k)
    kept = codes >= 0
    if not len(rare):
        return kept
    # The records of each key in random order: which of them is suppressed says nothing about the file.
    rows = rng.permutation(len(key))
    rows = rows[np.argsort(key[rows], kind="stable")]
    start = np.cumsum(size) - size
    used = np.zeros(len(size), dtype=np.int64)
    if codes.shape[1] > 1:
        options = choices(keys, packing, rare, importance)
        rests = packing.present(options.rests)
        for place, chosen in zip(*cover(k, keys, options, count), strict=True):
            u = rare[place]
            kept[rows[start[u] + used[u]]] &= rests[chosen]
            used[u] += 1
    for u in rare[(count[rare] < k) & (used[rare] < size[rare])]:
        left = packing.present(descend(k, keys, u, packing.fields, importance)[None, :])[0]
        kept[rows[start[u] + used[u] : start[u] + size[u]]] &= left
    return _blank_the_rest(codes, kept, packing, k)


def _blank_the_rest(codes: Ints, kept: Flags, packing: Packing, k: int) -> Flags:
    """Records that lost the cover of others, which had to give up everything, give up everything too."""
    from unmask.kernels.suppression import counts

    while True:
        unique, key, size = np.unique(
            np.where(kept, codes, -1), axis=0, return_inverse=True, return_counts=True
        )
        low = (counts(packing.keys(unique, unique >= 0, size)) < k)[key]
        if not low.any():
            return kept
        kept = kept & ~low[:, None]
