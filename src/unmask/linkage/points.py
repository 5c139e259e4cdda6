"""Points that two files of traces share: one code for each, at the resolution that both have.

A point is a time and a place, and it is shared where both agree. A release may be coarser than what the
intruder saw (times to the hour, coordinates to a cell, labels by their first letters), or what they saw may
be coarser than the release. Both show in the files, so the finer one is cut as the coarser one is:

- numbers that are all multiples of a larger step than chance explains are on that grid
  (:mod:`unmask.linkage.resolution`); the other file's numbers go to the grid line below them, or to the
  nearest one, whichever finds more known points in the release;
- numbers of few different values, with no point between them, may be on the grid of these, and times within a
  day those of one day, or of all: people decide (:mod:`unmask.linkage.point_votes`);
- times that are all first days of months (quarters, years) are months, and the other file's go to theirs;
- where the longest label of a file is shorter than that of the other, the other's are cut to that length, and
  labels may be spelt in two ways (leading zeros, the case of letters), if that finds clearly more known
  points;
- the two files may count time from two zeros, or by the clocks of two zones (:mod:`unmask.linkage.zeros`),
  or one of them may tell the hour of the day only;
- where fewer than one known point in twenty is found at all, every other way to a coarser grid is tried.

Cutting a point at a resolution that the other file does not reach takes away no point that was shared. Where
many points are known and none is found, whatever is tried, the files are refused: a mistake in how they are
read looks the same as a release in which nobody is found.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Ints
from unmask.data.shapes import TraceContent
from unmask.errors import ArgumentError
from unmask.linkage.point_choice import chosen_reading
from unmask.linkage.point_readings import LabelReading, NumberReading, PointReading, paired

NOWHERE = "no point is in both files"


@dataclass(frozen=True, eq=False)
class CodedTraces:
    """Person i left the points ``codes[indptr[i] : indptr[i + 1]]``, ascending, each once."""

    indptr: Ints
    codes: Ints

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @staticmethod
    def of(owner: Ints, codes: Ints, people: int) -> CodedTraces:
        """The traces of points in any order, some of them left twice."""
        return CodedTraces.of_items(owner, [codes], people)

    @staticmethod
    def of_items(owner: Ints, items: list[Ints], people: int) -> CodedTraces:
        """The same where each point has several codes: one of each item."""
        size = len(owner)
        width = np.int64(1 + max((int(codes.max()) for codes in items if size), default=0))
        both = np.concatenate(items)  # changed in its place from here on: there may be a billion of them
        for item in range(len(items)):
            both[item * size : (item + 1) * size] += owner * width
        both.sort()
        both = both[np.concatenate(([True], both[1:] != both[:-1]))] if len(both) else both
        indptr = np.searchsorted(both, np.arange(people + 1, dtype=np.int64) * width).astype(np.int64)
        both %= width
        return CodedTraces(indptr, both)


@dataclass(frozen=True, eq=False)
class CommonPoints:
    """Both files in the same codes, from 0 to ``count`` - 1; and how they were brought together."""

    known: CodedTraces
    released: CodedTraces
    count: int
    notes: tuple[str, ...]


def common_points(known: TraceContent, released: TraceContent, tolerance: int = 0) -> CommonPoints:
    """The points of both files in the same codes, at the resolution that both have.

    ``tolerance``: a released trace counts as holding every known point that is no more than so many steps of
    time from one of its own; the step is that in which times are compared.

    >>> seen = TraceContent(np.array([0, 2]), np.array([8.2, 9.7]), np.array([0, 1]), ("oak", "elm"))
    >>> kept = TraceContent(np.array([0, 1, 2]), np.array([8.0, 9.0]), np.array([0, 1]), ("oak", "elm"))
    >>> both = common_points(seen, kept)
    >>> both.known.codes, both.released.codes, both.notes
    (array([0, 1]), array([0, 1]), ('times are compared in steps of 1',))
    """
    check_kinds(known, released)
    reading = chosen_reading(known, released)
    times, places = reading.time.codes(known.when, released.when), reading.places(known, released)
    owner = released.owner
    if tolerance:
        shifts = np.arange(-tolerance, tolerance + 1, dtype=np.int64)
        times = times[0], (times[1][:, None] + shifts).ravel()
        places, owner = (places[0], places[1].repeat(len(shifts))), owner.repeat(len(shifts))
    shared = np.isin(*paired(times, places)).any()
    notes = reading.notes if shared else (*reading.notes, NOWHERE)
    owners = known.owner, owner
    return in_common([(times, places)], owners, (len(known), len(released)), notes)


def check_kinds(known: TraceContent, released: TraceContent) -> None:
    """Refuse two files of which one tells labels, the other coordinates."""
    if (known.x is None) != (released.x is None):
        raise ArgumentError(
            "places are labels in one file and coordinates in the other",
            hint="read both files by the same columns, or make labels of the coordinates",
        )


def in_common(
    items: list[tuple[tuple[Ints, Ints], tuple[Ints, Ints]]],
    owners: tuple[Ints, Ints],
    people: tuple[int, int],
    notes: tuple[str, ...],
) -> CommonPoints:
    """Both files as sets: for each of these times and places the points of both, apart from the others'."""
    sides: tuple[list[Ints], list[Ints]] = ([], [])
    count = 0
    for times, places in items:
        left, right = paired(times, places)
        codes = np.unique(np.concatenate((left, right)), return_inverse=True)[1].ravel().astype(np.int64)
        sides[0].append(codes[: len(left)] + count)
        sides[1].append(codes[len(left) :] + count)
        count += int(codes.max()) + 1 if len(codes) else 0
    known, released = (
        CodedTraces.of_items(owner, codes, size)
        for owner, codes, size in zip(owners, sides, people, strict=True)
    )
    return CommonPoints(known, released, count, notes)


def own_points(content: TraceContent) -> tuple[CodedTraces, int]:
    """The points of one file in codes, and how many codes there are.

    >>> left = TraceContent(np.array([0, 2, 3]), np.array([8.0, 9.0, 9.0]), np.array([0, 1, 1]), ("a", "b"))
    >>> own_points(left)[0].codes
    array([0, 1, 1])
    """
    codes = point_codes(content)
    return CodedTraces.of(content.owner, codes, len(content)), int(codes.max()) + 1 if len(codes) else 0


def point_codes(content: TraceContent) -> Ints:
    """The code of each point of one file, in the order of its points."""
    plain = NumberReading()
    reading = PointReading(plain, LabelReading() if content.x is None else (plain, plain))
    nobody = content.take(np.empty(0, np.int64))
    times, places = reading.time.codes(nobody.when, content.when), reading.places(nobody, content)
    return np.unique(paired(times, places)[1], return_inverse=True)[1].ravel().astype(np.int64)
