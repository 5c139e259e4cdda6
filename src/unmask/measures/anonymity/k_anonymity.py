"""k-anonymity, and the records in small classes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.measures.anonymity.keys import (
    Keys,
    are,
    check_alpha,
    company,
    described,
    records,
    released_keys,
    share_text,
    why_no_keys,
)
from unmask.measures.findings import Case, Curve, Finding, Point, Unit, not_estimable

#: The sizes below which records are counted; of classes of fewer than 2, 3, 5 and 10 records.
SIZES = (2, 3, 5, 10)


@dataclass(frozen=True)
class KAnonymity:
    """The smallest number of released records that share a key: k = min_i f_i (Samarati 2001; Sweeney 2002).

    f_i is the number of released records with the key of record i, itself included. A missing value is a
    value of its own under ``mismatch`` and ``category``; under ``wildcard`` and ``ignore`` it agrees with
    everything, and a compatible record that owes it to a missing value of its own counts ``alpha`` (Templ,
    Kowarik and Meindl 2015; 1: fully, 0: not at all). The risk of a record is 1 / f_i.

    >>> import polars as pl
    >>> from unmask.engines import LocalEngine
    >>> from unmask.data.microdata import Masked, Microdata
    >>> from unmask.data.schema import Column, Kind, Schema
    >>> file = Microdata(Schema((Column("town", Kind.NOMINAL),)), pl.DataFrame({"town": list("AABBB")}))
    >>> finding = KAnonymity().findings(Case(file, Masked.by_order(file, file), ("town",)), LocalEngine())[0]
    >>> finding.value, finding.per_record[0]
    (2.0, np.float64(0.5))
    """

    alpha: float = 1.0

    def __post_init__(self) -> None:
        check_alpha(self.name, self.alpha)

    @property
    def name(self) -> str:
        """The name in tables."""
        return "k-anonymity"

    def why_not(self, case: Case) -> str | None:
        """It needs attributes that the intruder knows."""
        return why_no_keys(case)

    def findings(self, case: Case, engine: Engine) -> tuple[Finding, ...]:
        """k, and for each record one over the number of those like it."""
        reason = self.why_not(case)
        if reason:
            return (not_estimable(self.name, "", Unit.LEVEL, reason),)
        keys = released_keys(case)
        counts = keys.counts(self.alpha)
        k = float(counts.min())
        first, *others = [keys.members(counts < size) for size in SIZES[:3]]
        few = f"{first:,} of {records(len(keys))} are alone with theirs, " + ", ".join(
            f"{many:,} share them with fewer than {size - 1} others"
            for many, size in zip(others, SIZES[1:3], strict=True)
        )
        lead = (
            f"Every released record shares its values of {described(keys.names)} with at least "
            f"{records(k - 1, 'other', 'others')}"
            if k > 1
            else f"Some released records have values of {described(keys.names)} that no other has"
        )
        meaning = f"{lead}; {few}."
        finding = Finding(
            self.name, "", k, None, None, len(keys), None, Unit.LEVEL, meaning,
            per_record=keys.spread(1 / counts), why=company(keys, counts),
        )  # fmt: skip
        return (finding,)


@dataclass(frozen=True)
class SmallClasses:
    """The share of released records whose key fewer than k records share: #{i: f_i < k} / n.

    With k = 2 these are the sample uniques (Skinner and Elliot 2002). Missing values and ``alpha``: as for
    :class:`KAnonymity`.

    >>> SmallClasses(k=2).name
    'sample-uniques'
    """

    k: int = 3
    alpha: float = 1.0

    def __post_init__(self) -> None:
        if self.k < 2:
            raise ArgumentError(f"small-classes: k is {self.k}", hint="give a whole number of at least 2")
        check_alpha(self.name, self.alpha)

    @property
    def name(self) -> str:
        """The name in tables; those who share with nobody have one of their own."""
        return "sample-uniques" if self.k == 2 else "small-classes"

    def why_not(self, case: Case) -> str | None:
        """It needs attributes that the intruder knows."""
        return why_no_keys(case)

    def findings(self, case: Case, engine: Engine) -> tuple[Finding, ...]:
        """The share, and how it grows with k."""
        reason = self.why_not(case)
        if reason:
            return (not_estimable(self.name, "", Unit.SHARE, reason),)
        keys = released_keys(case)
        counts = keys.counts(self.alpha)
        points = tuple(
            Point(float(k), keys.members(counts < k) / len(keys)) for k in sorted({*SIZES, self.k})
        )
        return (self._finding(keys, counts, Curve("number of records alike that is too small", points)),)

    def _finding(self, keys: Keys, counts: Floats, curve: Curve) -> Finding:
        few = keys.members(counts < self.k)
        alike = "no other" if self.k == 2 else f"fewer than {self.k - 1} others"
        meaning = (
            f"{records(few)} of {len(keys):,} ({share_text(few / len(keys))}) {are(few, 'shares', 'share')} "
            f"{are(few, 'its', 'their')} values of {described(keys.names)} with {alike} in the release."
        )
        return Finding(
            self.name, "", few / len(keys), None, None, len(keys), None, Unit.SHARE, meaning,
            per_record=keys.spread((counts < self.k).astype(np.float64)),
            why=company(keys, counts), curve=curve,
        )  # fmt: skip
