"""From what a mask declares to terms: numbers of both files that a kernel compares, one term per column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.data.missing import Missing
from unmask.data.schema import Kind
from unmask.engines.holding import held, side_by_side
from unmask.engines.room import Room
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.kernels.mechanism_kinds import MATCH, OVERLAP, QUADRATIC, TABLE
from unmask.kernels.pairing import TIE
from unmask.linkage.mechanism.long_tables import long_costs
from unmask.linkage.mechanism.rounded import (
    WrittenChances,
    coarse_chances,
    cut_off,
    in_order,
    limit_chances,
    one_by_one,
    only,
    smoothed,
)
from unmask.linkage.mechanism.tables import cell_costs, known_codes, transition_costs
from unmask.linkage.redrawn import Redrawn, tabulates
from unmask.linkage.transitions import (
    Categories,
    Cells,
    Declaration,
    Image,
    Interval,
    Normal,
    Part,
    Suppressed,
    Transitions,
)

#: The cost of a missing value where the policy calls it far: a chance of one in a million.
FAR = float(np.log(1e6))
#: The cost of a value that the release hides under ``suppressed``, where no chance of that is declared: as if
#: one value in three were hidden, odds of 2 to 1 for a record that shows a value that agrees. It is more than
#: agreement costs and less than a value that is impossible.
GONE = float(np.log(2))
#: A direction with less than this share of the largest variance is not masked.
SINGULAR = 1e-10
#: Unmasked directions agree up to this share of the attributes' deviations.
ROUNDING = 1e-7


@dataclass(frozen=True, eq=False)
class Term:
    """One comparison: two numbers for each known and each released record (NaN: missing), and costs."""

    attribute: str
    kind: int
    known: Floats  # n x 2
    released: Floats  # m x 2
    table: Floats | None = None
    soft: float = 0.0
    gone: float = 0.0
    unknown: float = 0.0
    both: float = 0.0


@dataclass(frozen=True, eq=False)
class Encoded:
    """The terms of a declaration, and the log density of what each known person's values allow."""

    terms: tuple[Term, ...]
    log_density: Floats


def encode(dossier: Dossier, declaration: Declaration, error: float, room: Room | None = None) -> Encoded:
    """The terms of what a mask declared, for an intruder whose knowledge has that error."""
    room = room or Room()
    builder = _Builder(dossier, error, room)
    names = dossier.attributes
    parts = [part for part in declaration.parts if _attributes(part, names)]
    spoken = {name for part in parts if not isinstance(part, Suppressed) for name in _attributes(part, names)}
    terms: list[Term] = []
    density = np.zeros(len(dossier.known))
    for part in parts:
        terms += held(builder.terms(part), room)
        if isinstance(part, Interval) and part.log_density is not None:
            density += part.log_density
    for name in names:
        if name not in spoken:
            terms.append(held(builder.unmasked(name), room))
    chances = {part.attribute: part.probability for part in parts if isinstance(part, Suppressed)}
    return Encoded(tuple(_missing(terms, dossier.missing, chances)), density)


def _attributes(part: Part, names: Sequence[str]) -> tuple[str, ...]:
    """The attributes of a part that the intruder can compare."""
    said = part.attributes if isinstance(part, Normal) else (part.attribute,)
    return tuple(name for name in said if name in names)


@dataclass(frozen=True, eq=False)
class _Builder:
    dossier: Dossier
    error: float
    room: Room

    def terms(self, part: Part) -> list[Term]:
        """The terms of one part; none for a suppression, which only says what missing values cost."""
        if isinstance(part, Normal):
            return self._normal(part)
        if isinstance(part, Categories):
            return [self._categories(part.attribute, part.transitions)]
        if isinstance(part, Interval):
            return [self._interval(part)]
        if isinstance(part, Image):
            return [self._image(part)]
        if isinstance(part, Cells):
            return [] if self.error else [self._cells(part)]
        return []

    def unmasked(self, name: str) -> Term:
        """The term of an attribute that is released as it is."""
        if self.dossier.known.schema[name].kind is Kind.NUMERIC:
            values = self._numbers(name)[1]
            return self._interval(Interval(name, values, values))
        files = self.dossier.known, self.dossier.released
        both = tuple(dict.fromkeys(category for file in files for category in file.categories(name)))
        if not tabulates(len(both), len(both)):
            return self._long(name, Redrawn.identity(both))
        return self._categories(name, Transitions.identity(both))

    def _numbers(self, name: str) -> tuple[Floats, Floats]:
        if self.dossier.known.schema[name].kind is not Kind.NUMERIC:
            raise ArgumentError(
                f"the mask declares numbers for '{name}', which is not numeric",
                hint="declare its categories, or mend the kind in the schema",
            )
        return self.dossier.known.numbers([name])[:, 0], self.dossier.released.numbers([name])[:, 0]

    def _deviation(self, name: str) -> float:
        """The deviation of the error in what is known of a number: as in the scenario, of its spread."""
        known, released = self._numbers(name)
        values = known if len(known) > 1 else released
        return self.error * float(np.nanstd(values)) if np.isfinite(values).any() else 0.0

    def _interval(self, part: Interval) -> Term:
        known, released = self._numbers(part.attribute)
        if len(part.low) != len(released) or len(part.high) != len(released):
            raise ArgumentError(
                f"the mask declares {len(part.low)} intervals of '{part.attribute}' for {len(released)} "
                "released records",
                hint="declare one per released record",
            )
        soft = self._deviation(part.attribute)
        if soft and np.array_equal(part.low, part.high, equal_nan=True):
            return Term(part.attribute, QUADRATIC, _twice(known / soft), _twice(part.low / soft))
        low = np.where(np.isnan(released), np.nan, part.low - TIE * np.abs(np.nan_to_num(part.low)))
        high = np.where(np.isnan(released), np.nan, part.high + TIE * np.abs(np.nan_to_num(part.high)))
        return Term(part.attribute, OVERLAP, _twice(known), np.column_stack((low, high)), soft=soft)

    def _image(self, part: Image) -> Term:
        known, released = self._numbers(part.attribute)
        low = np.where(np.isnan(part.low), -np.inf, part.low)
        high = np.where(np.isnan(part.high), np.inf, part.high)
        low, high = (np.where(np.isnan(known), np.nan, bound) for bound in (low, high))
        slack = TIE * np.abs(released)
        around = np.column_stack((released - slack, released + slack))
        soft = self._deviation(part.attribute)
        return Term(part.attribute, OVERLAP, np.column_stack((low, high)), around, soft=soft)

    def _cells(self, part: Cells) -> Term:
        known, released = (
            np.where(code < 0, np.nan, code.astype(np.float64)) for code in (part.known, part.released)
        )
        return Term(part.attribute, TABLE, _twice(known), _twice(released), cell_costs(part.probability))

    def _categories(self, name: str, transitions: Transitions | Redrawn) -> Term:
        if isinstance(transitions, Redrawn):
            return self._long(name, transitions)
        codes = known_codes(self.dossier, name, transitions)
        costs, released = transition_costs(codes, transitions, self.error)
        return Term(name, TABLE, _twice(codes.known), _twice(released), costs)

    def _long(self, name: str, chances: Redrawn) -> Term:
        """Too many categories for a table: what each becomes is compared for equality."""
        codes = known_codes(self.dossier, name, chances)
        found, released = long_costs(codes, chances, self.error), _twice(codes.released)
        if found.hard:  # as an interval without length, by which pairs can be screened
            return Term(name, OVERLAP, _twice(found.known[:, 0]), released)
        return Term(name, MATCH, found.known, released, found.costs)

    def _normal(self, part: Normal) -> list[Term]:
        """Coordinates in which the noise is independent with variance 1, and those without noise."""
        part = only(part, _attributes(part, self.dossier.attributes))
        names = part.attributes
        known = side_by_side((self._numbers(name)[0] for name in names), len(names), self.room)
        released = side_by_side((self._numbers(name)[1] for name in names), len(names), self.room)
        error = np.diag([self._deviation(name) ** 2 for name in names])
        part = replace(part, covariance=part.covariance + error)
        if part.written and (terms := self._written(part, known, released)):
            return terms
        covariance = smoothed(part).covariance if part.written else part.covariance
        size = np.sqrt(np.diag(covariance))
        size = np.where(size > 0, size, _spreads(released))
        values, vectors = np.linalg.eigh(covariance / np.outer(size, size))
        terms = []
        known, released = _shares(known, size, self.room), _shares(released, size, self.room)
        for value, vector in zip(values, vectors.T, strict=True):
            b, a = known @ vector, released @ vector
            if value > SINGULAR * max(values[-1], 1.0):
                b, a = b / np.sqrt(value), a / np.sqrt(value)
                terms.append(held(Term(names[0], QUADRATIC, _twice(b), _twice(a)), self.room))
                continue
            slack = ROUNDING * (np.abs(released) @ np.abs(vector) + 1.0)
            terms.append(Term(names[0], OVERLAP, _twice(b), np.column_stack((a - slack, a + slack))))
        return terms

    def _written(self, part: Normal, known: Floats, released: Floats) -> list[Term]:
        """The terms of noise whose sum was rounded coarsely, or cut off; none where it was neither.

        A value that was cut off has a chance of its own; the coordinates that would need it are left out for
        that record, as if the value was missing.
        """
        deviations = np.sqrt(np.diag(part.covariance))
        if len(part.attributes) == 1:
            table = coarse_chances(known[:, 0], released[:, 0], float(deviations[0]), part.written[0])
            if table is not None:
                return [_chances(part.attributes[0], table)]
        part = smoothed(part)
        order = in_order(part, released)
        limited = [i for i in order if part.written[i].limited and deviations[i] > 0]
        if not limited or not (deviations > 0).all():
            return []
        terms, shown = [], released.copy()
        for i in limited:
            cut = limit_chances(known[:, i], released[:, i], float(deviations[i]), part.written[i])
            terms.append(_chances(part.attributes[i], cut))
            shown[cut_off(released[:, i], part.written[i]), i] = np.nan
        covariance = part.covariance[np.ix_(order, order)]
        b, a = (one_by_one(values[:, order], covariance) for values in (known, shown))
        first = part.attributes[order[0]]
        for j, i in enumerate(order):
            name = part.attributes[i] if i in limited else first
            terms.append(Term(name, QUADRATIC, _twice(b[:, j]), _twice(a[:, j])))
        return terms


def _chances(name: str, table: WrittenChances) -> Term:
    return Term(name, TABLE, _twice(table.known), _twice(table.released), cell_costs(table.probability))


def _twice(values: Floats) -> Floats:
    return np.column_stack((values, values))


def _shares(values: Floats, size: Floats, room: Room) -> Floats:
    """The values in units of the size of each column."""
    out: Floats = room.empty(values.shape, np.float64)
    np.divide(values, size, out=out)
    return out


def _spreads(values: Floats) -> Floats:
    """The range of each column, 1 where it has none."""
    spread = np.ones(values.shape[1])
    for j, column in enumerate(values.T):
        present = column[~np.isnan(column)]
        if len(present) and np.ptp(present) > 0:
            spread[j] = np.ptp(present)
    return spread


def _missing(terms: Sequence[Term], missing: Missing, chances: dict[str, float]) -> list[Term]:
    """The terms with the costs of missing values: the declared chance of one, else the policy's.

    Terms that speak of one attribute together pay once.
    """
    nan = float("nan")
    unknown, hidden, both = {
        Missing.MISMATCH: (FAR, FAR, FAR),
        Missing.CATEGORY: (FAR, FAR, 0.0),
        Missing.WILDCARD: (0.0, 0.0, 0.0),
        Missing.IGNORE: (nan, nan, nan),
        Missing.SUPPRESSED: (FAR, GONE, 0.0),
    }[missing]
    rest = nan if missing is Missing.IGNORE else 0.0
    paid: set[str] = set()
    result = []
    for term in terms:
        if term.attribute in paid:
            result.append(replace(term, gone=rest, unknown=rest, both=rest))
            continue
        paid.add(term.attribute)
        gone = hidden
        if term.attribute in chances:
            chance = min(max(chances[term.attribute], np.exp(-FAR)), 1.0)
            # Against the chance that the value stays; a lost value that is likelier than a kept one is free.
            gone = max(-float(np.log(chance)) + float(np.log(max(1 - chance, np.exp(-FAR)))), 0.0)
        result.append(replace(term, gone=gone, unknown=unknown, both=both))
    return result


def blocking(encoded: Encoded, known: Ints, released: Ints) -> Encoded:
    """The terms with one more: only records of one block are compared (-1: a block of one's own)."""
    left = _twice(known.astype(np.float64))
    right = _twice(np.where(released < 0, -2.0, released.astype(np.float64)))
    return Encoded((Term("", OVERLAP, left, right), *encoded.terms), encoded.log_density)
