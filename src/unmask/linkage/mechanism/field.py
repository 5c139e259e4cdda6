"""Both files made ready for a search: alike records collapsed, and sorted so that few pairs are looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.engines.holding import side_by_side, taken
from unmask.engines.room import Room
from unmask.kernels.mechanism_kinds import LIMIT, MATCH, OVERLAP, TABLE
from unmask.linkage.mechanism.terms import Encoded, Term

if TYPE_CHECKING:
    from unmask.engines.prepare import Distinct
    from unmask.kernels.mechanism_pairs import Terms

#: Records by which the terms are put in order, and the one chosen that both files are sorted by.
SAMPLE = 256
#: Hard terms by which pairs are screened before they are looked at one by one.
SCREENED = 4


@dataclass(frozen=True, eq=False)
class Bounds:
    """Where a record of one file looks for records of the other, which are sorted by ``low``."""

    low: Floats
    reach: Floats  # the running maximum of high

    @staticmethod
    def of(low: Floats, high: Floats) -> Bounds:
        """The bounds of records in the order of their lower ends."""
        return Bounds(low, np.maximum.accumulate(high))

    def slices(self, low: Floats, high: Floats) -> tuple[Ints, Ints]:
        """From where to where records are that may meet the interval."""
        start = np.searchsorted(self.reach, low, side="left")
        stop = np.searchsorted(self.low, high, side="right")
        return start.astype(np.int64), np.maximum(start, stop).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Field:
    """The search field. ``released`` and ``size`` are classes of alike records, in the order of the lead."""

    terms: Terms
    lead: int  # the term that both files are sorted by; -1: none
    known: Floats  # every known person
    log_density: Floats
    released: Floats
    columns: Floats  # the same by column
    size: Ints
    class_of: Ints  # the class of each released record
    bounds: Bounds | None

    def slices(self, known: Floats) -> tuple[Ints, Ints]:
        """From where to where in ``released`` the possible records of these people are."""
        if self.bounds is None:
            return np.zeros(len(known), np.int64), np.full(len(known), len(self.released), np.int64)
        return self.bounds.slices(*known_span(known, self.lead))


def field(encoded: Encoded, room: Room | None = None) -> Field:
    """The field of these terms: the most telling first, sorted by the one that leaves fewest records."""
    from unmask.engines.prepare import distinct
    from unmask.kernels.mechanism_pairs import mean_costs

    terms = list(encoded.terms)
    packed = pack(terms)
    room = room or Room()
    known, released = (stacked([t.known for t in terms], room), stacked([t.released for t in terms], room))
    telling = mean_costs(packed, some(known), some(released), LIMIT)
    terms = [terms[j] for j in np.argsort(-telling, kind="stable")]
    packed = pack(terms)
    known, released = (stacked([t.known for t in terms], room), stacked([t.released for t in terms], room))
    classes = distinct(released)
    rows = taken(released, classes.first, room)
    lead, order, bounds = _lead(terms, known, rows)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    rows = taken(rows, order, room)
    columns = room.empty(rows.shape[::-1], np.float64)
    columns[...] = rows.T
    return Field(
        packed,
        lead,
        known,
        encoded.log_density,
        rows,
        columns,
        classes.size[order].astype(np.int64),
        place[classes.group],
        bounds,
    )


def _telling(terms: Sequence[Term]) -> int:
    """How many of the first terms can be screened; four hard ones leave few pairs, quadratic ones do not."""
    count = 0
    for term in terms:
        if term.kind in (TABLE, MATCH) or term.soft > 0 or (term.kind == OVERLAP and count >= SCREENED):
            break
        count += 1
    return count


def alike(known: Floats, log_density: Floats, label: Ints | None = None) -> Distinct:
    """People whom the attack cannot tell apart (and whose labels are equal)."""
    from unmask.engines.prepare import distinct

    return distinct(np.column_stack((known, log_density)), label)


def pack(terms: Sequence[Term]) -> Terms:
    """What the kernels read of the terms; equal tables are stored once."""
    from unmask.kernels.mechanism_pairs import Terms

    telling = _telling(terms)
    parts: list[Floats] = []
    places: dict[tuple[object, bytes], int] = {}
    offset, width, used = [], [], 0
    for term in terms:
        table = np.empty((0, 0)) if term.table is None else np.ascontiguousarray(term.table)
        key = (table.shape, table.tobytes())
        if key not in places:
            places[key] = used
            parts.append(table.ravel())
            used += table.size
        offset.append(places[key])
        width.append(table.shape[1])
    return Terms(
        np.array([t.kind for t in terms], np.int64),
        np.array([t.soft for t in terms], np.float64),
        np.array([t.gone for t in terms], np.float64),
        np.array([t.unknown for t in terms], np.float64),
        np.array([t.both for t in terms], np.float64),
        np.array(offset, np.int64),
        np.array(width, np.int64),
        np.concatenate(parts),
        telling,
        telling == len(terms)
        and not any(np.isnan(t.known).any() or np.isnan(t.released).any() for t in terms),
    )


def stacked(columns: Sequence[Floats], room: Room) -> Floats:
    """One row per record: the first numbers of all terms, then the second ones."""
    return side_by_side((c[:, k] for k in (0, 1) for c in columns), 2 * len(columns), room)


def known_span(known: Floats, lead: int) -> tuple[Floats, Floats]:
    """The ends of the lead term of known people; a missing value meets everything."""
    d = known.shape[1] // 2
    low, high = known[:, lead], known[:, d + lead]
    return np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)


def released_span(released: Floats, lead: int, kind: int, soft: float) -> tuple[Floats, Floats]:
    """The ends of the lead term of released records, wide enough for every cost up to the limit."""
    d = released.shape[1] // 2
    # A soft interval is widened by half a deviation; the rest is the normal tail.
    reach = soft * (np.sqrt(2 * LIMIT) + 1) if kind == OVERLAP else np.sqrt(2 * LIMIT) * (1 + 1e-9)
    low, high = released[:, lead] - reach, released[:, d + lead] + reach
    return np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)


def _lead(terms: Sequence[Term], known: Floats, released: Floats) -> tuple[int, Ints, Bounds | None]:
    """The term whose order leaves the fewest pairs, that order of the released classes, and its bounds."""
    best: tuple[int, Ints, Bounds | None] = (-1, in_one_order(released), None)
    fewest, asked = float(len(released)), some(known)
    for j, term in enumerate(terms):
        if term.kind in (TABLE, MATCH):
            continue
        low, high = released_span(released, j, term.kind, term.soft)
        order = np.argsort(low, kind="stable")
        start, stop = Bounds.of(low[order], high[order]).slices(*known_span(asked, j))
        if float((stop - start).mean()) < fewest:
            fewest = float((stop - start).mean())
            order = in_one_order(released, low)
            best = j, order, Bounds.of(low[order], high[order])
    return best


def in_one_order(rows: Floats, first: Floats | None = None) -> Ints:
    """The order of rows by ``first``, then by all their columns: what is summed over them adds up alike.

    >>> in_one_order(np.array([[2.0, 1.0], [1.0, 5.0], [1.0, 3.0]]), np.array([0.0, 0.0, 0.0]))
    array([2, 1, 0])
    """
    leading = () if first is None else (first,)
    return np.lexsort((*rows.T[::-1], *leading))


def some(rows: Floats) -> Floats:
    """A sample of rows, drawn by what they hold, so that the order of the file does not matter."""
    chosen = rows
    if len(rows) > SAMPLE:
        mixed = np.zeros(len(rows), np.uint64)
        for column in rows.T:
            bits = (column + 0.0).view(np.uint64)  # minus zero becomes zero
            mixed = (mixed ^ bits) * np.uint64(0x9E3779B97F4A7C15)
            mixed ^= mixed >> np.uint64(29)
        chosen = rows[np.argsort(mixed, kind="stable")[:SAMPLE]]
    return np.ascontiguousarray(chosen[in_one_order(chosen)])
