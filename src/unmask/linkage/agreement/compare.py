"""Both files as codes, attribute by attribute, with the agreement level of every pair of codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats
from unmask.data.missing import Missing
from unmask.data.schema import Kind
from unmask.engines import Cache
from unmask.errors import ArgumentError, missing_columns
from unmask.intruder.dossier import Dossier
from unmask.linkage.agreement.levels import (
    Agreement,
    Bands,
    Exact,
    Levels,
    Positions,
    Similarity,
    default_agreement,
)
from unmask.linkage.spaces import standardised

Codes = NDArray[np.int32]

#: Entries of a table of levels: beyond it, strings must be compared for equality.
MOST_ENTRIES = 2**27


@dataclass(frozen=True, eq=False)
class AttributeComparison:
    """One attribute of both files: codes (-1: missing), and the agreement level of every pair of codes.

    Without a ``table`` the level is 0 for equal codes and 1 for others. ``missing_known``,
    ``missing_released`` and ``missing_both`` are the levels where the known value alone, the released one
    alone or both are missing; ``weightless`` is the level that says nothing for or against a match (of every
    missing value under the policy ``ignore``, of a missing released one under ``suppressed``).
    """

    name: str
    known: Codes
    released: Codes
    known_codes: int
    released_codes: int
    labels: tuple[str, ...]
    table: Levels | None
    missing_known: int
    missing_released: int
    missing_both: int
    weightless: int | None = None
    #: The first ``ordered`` levels go from the best agreement to none; a level after them stands alone.
    ordered: int = 2

    @property
    def levels(self) -> int:
        """How many levels there are."""
        return len(self.labels)

    @property
    def by_equality(self) -> bool:
        """Whether the level is 0 for equal codes and 1 for others, missing values included."""
        if self.table is not None:
            return False
        return self.whole or (self.missing_known == self.missing_released == 1 and self.levels == 2)

    @property
    def whole(self) -> bool:
        """Whether no value is missing."""
        return bool(self.known.min() >= 0 and self.released.min() >= 0)

    def equality_codes(self) -> tuple[Codes, Codes, int]:
        """Codes from 0 that are equal where the level is 0, and how many codes there are."""
        apart = self.missing_both != 0  # a missing value agrees with nothing
        size = max(self.known_codes, self.released_codes)
        if self.whole:
            return self.known, self.released, size
        left = np.where(self.known < 0, size, self.known)
        right = np.where(self.released < 0, size + apart, self.released)
        return left.astype(np.int32), right.astype(np.int32), size + 1 + apart

    def turned(self) -> AttributeComparison:
        """The same comparison with the files in each other's places."""
        return replace(
            self,
            known=self.released,
            released=self.known,
            known_codes=self.released_codes,
            released_codes=self.known_codes,
            table=None if self.table is None else np.ascontiguousarray(self.table.T),
            missing_known=self.missing_released,
            missing_released=self.missing_known,
        )

    def level_shares(self, known: NDArray[np.int64], released: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many pairs have each level, exactly, from how many records have each code (missing last)."""
        total = np.zeros(self.levels, np.int64)
        b, a = known[:-1], released[:-1]
        total[self.missing_both] += known[-1] * released[-1]
        total[self.missing_known] += known[-1] * a.sum()
        total[self.missing_released] += b.sum() * released[-1]
        if self.table is None:
            equal = int((b * a).sum())
            total[0] += equal
            total[1] += int(b.sum()) * int(a.sum()) - equal
        else:
            for level in range(self.levels):
                total[level] += int((((self.table == level).astype(np.int64) @ a) * b).sum())
        return total

    def histograms(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """How many records of each file have each code, those with a missing value last."""
        known = np.bincount(self.known + 1, minlength=self.known_codes + 1)
        released = np.bincount(self.released + 1, minlength=self.released_codes + 1)
        return np.append(known[1:], known[0]), np.append(released[1:], released[0])


def with_itself(
    dossier: Dossier,
    compared: Sequence[AttributeComparison],
    agreements: Mapping[str, Agreement],
    missing_level: bool,
    cache: Cache | None = None,
) -> tuple[tuple[AttributeComparison, ...], tuple[AttributeComparison, ...]]:
    """The known file compared with itself, and the released one, as the two are with each other.

    Each pair of records is compared in both orders, so that each of them once stands for the known one: under
    ``suppressed``, the file's own missing values are then hidden in one order and unknown in the other.
    """
    if all(c.table is None for c in compared):  # one list of codes serves both files
        return (
            tuple(replace(c, released=c.known, released_codes=c.known_codes) for c in compared),
            tuple(replace(c, known=c.released, known_codes=c.released_codes) for c in compared),
        )
    released = dossier.released.only(dossier.attributes)
    left, right = (Dossier(data, data, dossier.missing) for data in (dossier.known, released))
    of_known = comparisons(left, agreements, missing_level, cache)
    return of_known, comparisons(right, agreements, missing_level, cache)


def comparisons(
    dossier: Dossier,
    agreements: Mapping[str, Agreement] | None = None,
    missing_level: bool = False,
    cache: Cache | None = None,
) -> tuple[AttributeComparison, ...]:
    """Every known attribute made ready, by the agreements given and the defaults of its kind.

    Missing values follow the dossier's policy: ``mismatch`` is no agreement, ``wildcard`` full agreement,
    ``category`` full agreement of two missing values and none of one, ``ignore`` a level without weight;
    under ``suppressed`` a missing released value has that level too, and a missing known one agrees fully
    with such a value and with no other.
    With ``missing_level`` they are a level of their own, whose weight is estimated like any other.
    ``cache``: where encodings are kept between calls.
    """
    given = dict(agreements or {})
    strange = [name for name in given if name not in dossier.attributes]
    if strange:
        raise missing_columns(strange, dossier.attributes, "what the intruder knows")
    found = []
    for name in dossier.attributes:
        agreement = given.get(name) or default_agreement(dossier.known.schema[name])
        _check(dossier, name, agreement)
        found.append(_comparison(dossier, name, agreement, missing_level, cache))
    return tuple(found)


def _check(dossier: Dossier, name: str, agreement: Agreement) -> None:
    """Whether an attribute of this kind can be compared that way."""
    kind = dossier.known.schema[name].kind
    if isinstance(agreement, Bands) and kind is not Kind.NUMERIC:
        raise ArgumentError(
            f"'{name}' is {kind}, not numeric", hint="compare it by Exact, Positions or Similarity"
        )
    if isinstance(agreement, Positions) and kind is not Kind.ORDINAL:
        raise ArgumentError(
            f"'{name}' is {kind}, not ordinal", hint="compare it by Exact, Bands or Similarity"
        )
    if isinstance(agreement, Similarity) and kind is Kind.NUMERIC:
        raise ArgumentError(f"'{name}' is numeric, not text", hint="compare it by Exact or Bands")


def _comparison(
    dossier: Dossier, name: str, agreement: Agreement, missing_level: bool, cache: Cache | None
) -> AttributeComparison:
    known, released, table, sizes = _encoded(dossier, name, agreement, cache)
    if cache is not None:
        known, released = cache.room.keep(known), cache.room.keep(released)
    labels, last = agreement.labels, len(agreement.labels) - 1
    holes = bool((known < 0).any() or (released < 0).any())
    missing = {  # the known value alone, the released one alone, both
        Missing.MISMATCH: (last, last, last),
        Missing.WILDCARD: (0, 0, 0),
        Missing.CATEGORY: (last, last, 0),
        Missing.IGNORE: (last + 1, last + 1, last + 1),
        Missing.SUPPRESSED: (last, last + 1, 0),
    }[dossier.missing]
    weightless = None
    if not holes:
        missing = (last, last, last)
    elif missing_level:
        missing = (last + 1, last + 1, last + 1)
    elif last + 1 in missing:
        weightless = last + 1
    if last + 1 in missing:
        labels = (*labels, "missing")
    return AttributeComparison(name, known, released, *sizes, labels, table, *missing, weightless, last + 1)


def _encoded(
    dossier: Dossier, name: str, agreement: Agreement, cache: Cache | None
) -> tuple[Codes, Codes, Levels | None, tuple[int, int]]:
    """The codes of both files, the table of levels (None: equality), and how many codes there are."""
    if isinstance(agreement, Bands):
        files = dossier.known.only([name]), dossier.released.only([name])
        alone = standardised(Dossier(*files, dossier.missing, exact=dossier.exact), cache=cache)
        left, right = agreement.rounded(alone.known[:, 0], alone.released[:, 0])
        (known, values), (released, others) = _codes(left), _codes(right)
        return known, released, agreement.table(values, others), (len(values), len(others))
    if dossier.known.schema[name].kind is Kind.NUMERIC:
        raw = [data.numbers([name])[:, 0] for data in (dossier.known, dossier.released)]
        both, values = _codes(np.concatenate(raw))
        n = len(dossier.known)
        return both[:n], both[n:], None, (len(values), len(values))
    if isinstance(agreement, Positions):
        levels = dossier.known.schema[name].levels
        known, released = (
            agreement.grouped(d.codes(name, levels), len(levels)).astype(np.int32)
            for d in (dossier.known, dossier.released)
        )
        size = int(agreement.grouped(np.array([len(levels) - 1]), len(levels))[0]) + 1
        return known, released, agreement.table(size), (size, size)
    if isinstance(agreement, Similarity):
        names = dossier.known.categories(name), dossier.released.categories(name)
        if len(names[0]) * len(names[1]) > MOST_ENTRIES:
            raise ArgumentError(
                f"'{name}' has {len(names[0])} and {len(names[1])} distinct values: too many to compare each "
                "with each",
                hint="compare it by Exact, or block on another attribute and compare smaller files",
            )
        known, released = (
            d.codes(name, c).astype(np.int32)
            for d, c in zip((dossier.known, dossier.released), names, strict=True)
        )
        table = agreement.table(list(names[0]), list(names[1]))
        return known, released, table, (len(names[0]), len(names[1]))
    assert isinstance(agreement, Exact)
    common = sorted({*dossier.known.categories(name), *dossier.released.categories(name)})
    known, released = (d.codes(name, common).astype(np.int32) for d in (dossier.known, dossier.released))
    return known, released, None, (len(common), len(common))


def _codes(values: Floats) -> tuple[Codes, Floats]:
    """Numbers as positions among their distinct values, -1 for NaN."""
    distinct = np.unique(values[~np.isnan(values)])
    place = np.searchsorted(distinct, values)
    return np.where(np.isnan(values), -1, place).astype(np.int32), distinct
