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
    classes,
    comparable,
    compatible_sums,
    key_frame,
    place_codes,
    wild,
)
from unmask.data.microdata import Floats, Ints, Microdata
from unmask.data.missing import Missing
from unmask.errors import ArgumentError
from unmask.measures.findings import Case, Reasons, Unusable


@dataclass(frozen=True, eq=False)
class Keys:
    """The released records by their keys, and how they map to the original ones."""

    data: Microdata
    names: tuple[str, ...]
    frame: pl.DataFrame
    classes: Classes
    missing: Missing
    origin: Ints
    originals: int

    def __len__(self) -> int:
        return len(self.classes.of)

    @cached_property
    def place(self) -> Ints:
        """The class of each original record; one more than there are for those not released."""
        if len(self.origin) == self.originals and np.array_equal(self.origin, np.arange(self.originals)):
            return self.classes.of
        place = np.full(self.originals, len(self.classes), dtype=np.int64)
        real = self.origin >= 0
        place[self.origin[real]] = self.classes.of[real]
        return place

    @cached_property
    def codes(self) -> Ints:
        """The codes of each class's key; -1 where missing."""
        return place_codes(self.frame[self.classes.first])

    def wildcards(self) -> bool:
        """Whether a value is missing that agrees with every other."""
        return wild(self.missing) and any(self.frame.null_count().row(0))

    def class_sums(self, values: Floats, alpha: float = 1.0) -> Floats:
        """The sum of a value over the records that share the key of each class, or are compatible with it."""
        sums = self.classes.sums(values)
        if not self.wildcards():
            return sums
        return compatible_sums(self.codes, self.codes, sums[:, None], alpha)[:, 0]

    def counts(self, alpha: float = 1.0) -> Floats:
        """How many records share the key of each class, or are compatible with it."""
        sums = self.classes.size.astype(np.float64)
        if not self.wildcards():
            return sums
        return compatible_sums(self.codes, self.codes, sums[:, None], alpha)[:, 0]

    def members(self, which: NDArray[np.bool_]) -> int:
        """How many released records are in these classes."""
        return int(self.classes.size[which].sum())

    def total(self, values: Floats) -> float:
        """The sum over the released records of what each class has."""
        return float((self.classes.size * values).sum())

    def spread(self, values: Floats) -> Floats:
        """What each class has, for each original record; NaN for those not released."""
        return np.append(values, np.nan)[self.place]

    def tell(self, kind: Ints, phrases: Sequence[str]) -> Reasons:
        """For each original record the phrase for the kind of its class; "" for those not released."""
        return Reasons((*phrases, ""), np.append(kind, len(phrases)).astype(np.int32)[self.place])


def why_no_keys(case: Case) -> str | None:
    """Why the released file has no keys; None if it has."""
    names = [name for name in case.known if name in case.masked.data.schema]
    if not names:
        return "the release has none of the attributes that the intruder knows"
    if case.masked.data.frame.select(pl.col(names).is_not_null().any()).row(0).count(True):
        return None
    return Unusable("every value of the attributes that the intruder knows is missing in the release")


def released_keys(case: Case, beside: Sequence[str] = ()) -> Keys:
    """The keys of the released records (of a case with keys), with these attributes beside them."""
    data = case.masked.data
    names = (*(name for name in case.known if name in data.schema), *beside)
    frame = key_frame(data, names)
    return Keys(data, names, frame, classes(frame), case.missing, case.masked.origin, len(case.original))


def population_counts(keys: Keys, population: Microdata) -> Floats:
    """How many people of the population share each class's key, or are compatible with it."""
    theirs = key_frame(population, keys.names)
    groups = classes(theirs)
    asked = comparable(keys.frame[keys.classes.first], keys.data)
    base = comparable(theirs[groups.first], population)
    size = groups.size.astype(np.float64)
    if wild(keys.missing) and any((*keys.frame.null_count().row(0), *theirs.null_count().row(0))):
        codes = place_codes(pl.concat((asked, base)))
        return compatible_sums(codes[: len(asked)], codes[len(asked) :], size[:, None])[:, 0]
    counted = base.with_columns(pl.Series("\x00count", size))
    found = asked.join(counted, on=keys.names, how="left", nulls_equal=True, maintain_order="left")
    return found["\x00count"].fill_null(0.0).to_numpy()


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


def company(keys: Keys, counts: Floats, among: str = "the release") -> Reasons:
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
