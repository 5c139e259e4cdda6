"""The keys of the released file: what the known attributes say about each record that goes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unmask.data.key_classes import (
    Classes,
    KeyFrame,
    comparable,
    compatible_sums,
    place_codes,
)
from unmask.data.microdata import Floats, Ints, Microdata
from unmask.data.missing import Missing
from unmask.data.sums import dot
from unmask.errors import ArgumentError
from unmask.measures.estimate import NotEstimable, Reasons
from unmask.measures.evidence import FileEvidence


@dataclass(frozen=True, eq=False)
class KeyClasses:
    """The released records by their keys, and how they map to the original ones."""

    evidence: FileEvidence
    keys: KeyFrame

    def __len__(self) -> int:
        return len(self.classes.of)

    @property
    def data(self) -> Microdata:
        """The released file."""
        return self.evidence.released

    @property
    def missing(self) -> Missing:
        """How a missing value is read, unless it was suppressed."""
        return self.evidence.missing

    @property
    def names(self) -> tuple[str, ...]:
        """The attributes that make the key."""
        return self.keys.names

    @property
    def classes(self) -> Classes:
        """The released records that share a key."""
        return self.keys.classes

    @cached_property
    def codes(self) -> Ints:
        """The codes of each class's key; -1 where missing.

        Where only some attributes may be anything when missing, a missing value of another is one more value.
        """
        return _with_wildcards(self.keys.codes, self.names, self.wild) if self.wild else self.keys.codes

    @property
    def wild(self) -> tuple[str, ...]:
        """The attributes in which a missing value agrees with every other."""
        return self.evidence.wildcards(self.names)

    @cached_property
    def place(self) -> Ints:
        """The class of each original record; one more than there are for those not released."""
        origin, originals = self.evidence.masked.origin, len(self.evidence.original)
        if len(origin) == originals and np.array_equal(origin, np.arange(originals)):
            return self.classes.of
        place = np.full(originals, len(self.classes), dtype=np.int64)
        real = origin >= 0
        place[origin[real]] = self.classes.of[real]
        return place

    @property
    def wildcards(self) -> bool:
        """Whether a value is missing that agrees with every other."""
        return _lacks(self.keys.distinct, self.wild)

    def class_sums(self, values: Floats, alpha: float = 1.0) -> Floats:
        """The sum of a value over the records that share the key of each class, or are compatible with it."""
        return self._compatible(self.classes.sums(values), alpha)

    def counts(self, alpha: float = 1.0) -> Floats:
        """How many records share the key of each class, or are compatible with it."""

        def made() -> Floats:
            return self._compatible(self.classes.size.astype(np.float64), alpha)

        name = ("key counts", self.names, self.wild, alpha)
        return self.evidence.cache.get(self.data, name, made)

    def _compatible(self, sums: Floats, alpha: float) -> Floats:
        if not self.wildcards:
            return sums
        return compatible_sums(self.codes, self.codes, sums[:, None], alpha)[:, 0]

    def members(self, which: NDArray[np.bool_]) -> int:
        """How many released records are in these classes."""
        return int(self.classes.size[which].sum())

    def total(self, values: Floats) -> float:
        """The sum over the released records of what each class has."""
        return dot(self.classes.size, values)

    def spread(self, values: Floats) -> Floats:
        """What each class has, for each original record; NaN for those not released."""
        return np.append(values, np.nan)[self.place]

    def tell(self, kind: Ints, phrases: Sequence[str]) -> Reasons:
        """For each original record the phrase for the kind of its class; "" for those not released."""
        return Reasons((*phrases, ""), np.append(kind, len(phrases)).astype(np.int32)[self.place])


def why_no_keys(evidence: FileEvidence) -> NotEstimable | None:
    """Why the released file has no keys; None if it has."""
    names = evidence.released_known
    if not names:
        return NotEstimable("the release has none of the attributes that the intruder knows")
    if evidence.released.frame.select(pl.col(names).is_not_null().any()).row(0).count(True):
        return None
    reason = "every value of the attributes that the intruder knows is missing in the release"
    return NotEstimable(reason, declared=True)


def released_keys(evidence: FileEvidence, beside: Sequence[str] = ()) -> KeyClasses:
    """The keys of the released records (of a release that has some), with these attributes beside them."""
    return KeyClasses(evidence, evidence.keys(evidence.released, (*evidence.released_known, *beside)))


def population_counts(evidence: FileEvidence) -> Floats:
    """How many people of the population share the key of each released class, or are compatible with it."""
    population = evidence.population
    assert population is not None  # who asks has made sure

    def made() -> Floats:
        keys = released_keys(evidence).keys
        return people_with(comparable(keys.distinct, evidence.released), evidence, population)

    return evidence.cache.get(evidence, ("population counts",), made)


def people_with(asked: pl.DataFrame, evidence: FileEvidence, population: Microdata) -> Floats:
    """How many people of the population have each of these distinct keys, made comparable."""
    theirs = evidence.keys(population, asked.columns)
    base = comparable(theirs.distinct, population)
    size = theirs.classes.size.astype(np.float64)
    wild = evidence.wildcards(asked.columns)
    if _lacks(asked, wild) or _lacks(base, wild):
        codes = _with_wildcards(place_codes(pl.concat((asked, base))), asked.columns, wild)
        return compatible_sums(codes[: len(asked)], codes[len(asked) :], size[:, None])[:, 0]
    counted = base.with_columns(pl.Series("\x00count", size))
    found = asked.join(counted, on=asked.columns, how="left", nulls_equal=True, maintain_order="left")
    return found["\x00count"].fill_null(0.0).to_numpy()


def _lacks(keys: pl.DataFrame, names: Sequence[str]) -> bool:
    """Whether a value of these attributes is missing."""
    return any(keys[name].null_count() for name in names)


def _with_wildcards(codes: Ints, names: Sequence[str], wild: Sequence[str]) -> Ints:
    """The codes with -1 only where a missing value may be anything; elsewhere it is one more value.

    >>> _with_wildcards(np.array([[-1, -1], [0, 0]]), ("age", "town"), ("town",))
    array([[ 1, -1],
           [ 0,  0]])
    """
    settled = np.array([name not in wild for name in names])
    return np.where((codes < 0) & settled, codes.max(axis=0) + 1, codes)


def check_alpha(measure: str, alpha: float) -> None:
    """What a match through a missing value counts is a share."""
    if not 0 <= alpha <= 1:
        raise ArgumentError(f"{measure}: alpha is {alpha}", hint="give a number from 0 to 1")


def described(names: Sequence[str], most: int = 4) -> str:
    """Attributes in a few words.

    >>> described(("region", "age")), described(tuple("abcdefg"))
    ('region x age', 'all 7 known attributes')
    """
    if len(names) <= most:
        return " x ".join(names)
    return f"all {len(names)} known attributes"


def company(keys: KeyClasses, counts: Floats, among: str = "the release") -> Reasons:
    """For each original record, whether it is alone or nearly so with its key, given the classes' counts."""
    on = described(keys.names)
    kind = np.digitize(counts, (1.5, 2.5, 4.5)).astype(np.int64)
    return keys.tell(kind, (f"unique on {on} in {among}", f"one of 2 on {on}", f"one of 3 or 4 on {on}", ""))


def share_text(share: float) -> str:
    """A share for a sentence: a percentage with two digits that tell.

    >>> share_text(0.03428), share_text(0.0), share_text(0.00002)
    ('3.4%', '0%', '0.0020%')
    """
    if share == 0:
        return "0%"
    digits = max(0, 1 - int(np.floor(np.log10(abs(share) * 100))))
    return f"{100 * share:.{digits}f}%"


def are(n: float, one: str = "is", many: str = "are") -> str:
    """The verb for a number of records.

    >>> are(1), are(4580), are(1, "shares", "share")
    ('is', 'are', 'shares')
    """
    return one if n == 1 else many


def records(n: float, one: str = "record", many: str = "records") -> str:
    """A number of records, in words.

    >>> records(1), records(4580), records(2.34)
    ('1 record', '4,580 records', '2.3 records')
    """
    if n == 1:
        return f"1 {one}"
    return f"{n:,.0f} {many}" if n == round(n) or n >= 100 else f"{n:.1f} {many}"
