"""Ways to compare the points of two files: each gives equal codes to what it takes for the same."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.data.shapes import TraceContent
from unmask.linkage.resolution import StepGrid, equal_places, months_of

AT_CHANCE = (
    "known points are in the release no more often than if each had another one's time: check that times "
    "mean the same in both files, or read these without (then only places count)"
)


#: A whole number that was stored as a fraction.
_WHOLE = re.compile(r"^([0-9]+)[.,]0+$")


@dataclass(frozen=True)
class NumberReading:
    """Numbers of both files on one grid; without one, they are equal or not.

    ``nearest``: they go to the nearest line, not to the one below; ``above``: to the one above (who cuts
    digits off negative numbers raises them); ``uneven``: the steps of the other file do not divide those of
    the grid; ``told``: False where they are not compared. ``calendar``: they are days, compared by so many
    months of the calendar; ``period``: they begin anew after so many; ``zero``: what the release adds;
    ``unit``: how many of the known unit one of the release is.
    """

    grid: StepGrid | None = None
    nearest: bool = False
    uneven: bool = False
    told: bool = True
    above: bool = False
    calendar: int | None = None
    period: int | None = None
    zero: float = 0.0
    unit: float = 1.0

    def codes(self, known: Floats, released: Floats) -> tuple[Ints, Ints]:
        """Equal codes where the numbers agree."""
        if not self.told:
            return np.zeros(len(known), np.int64), np.zeros(len(released), np.int64)
        released = self.brought(released)
        if self.calendar is not None:
            return months_of(known) // self.calendar, months_of(released) // self.calendar
        if self.period is not None:
            known, released = known % self.period, released % self.period
        if self.grid is None:
            return equal_places(known, released)
        if self.above:
            return self.grid.steps_above(known), self.grid.steps_above(released)
        return self.grid.steps(known, self.nearest), self.grid.steps(released, self.nearest)

    def brought(self, released: Floats) -> Floats:
        """The numbers of the release by the unit and from the zero of the known ones."""
        return released * self.unit - self.zero

    @property
    def metric(self) -> bool:
        """Whether numbers themselves are compared, not their place in a period or on the calendar."""
        return self.told and self.calendar is None and self.period is None

    def note(self, what: str) -> tuple[str, ...]:
        """How they are compared, where it is not as they are."""
        if not self.told:
            return (f"{what} are not compared: a file does not tell them, or only one",)
        added = f"{what} of the release are taken to be {self.zero:g} ahead of the known ones"
        unit = f"{what} of the release are taken to be in units of {self.unit:g} of the known ones"
        brought = *((added,) if self.zero else ()), *((unit,) if self.unit != 1 else ())
        return (*brought, *self._resolution(what))

    def _resolution(self, what: str) -> tuple[str, ...]:
        if self.calendar is not None:
            return (
                f"{what} are compared by {'months' if self.calendar == 1 else f'{self.calendar} months'}",
            )
        if self.period is not None:
            return (f"{what} of the release are taken to begin anew after every {self.period}",)
        if self.grid is None:
            return ()
        missed = ", which the other file's do not divide: some points are missed" if self.uneven else ""
        return (f"{what} are compared in steps of {float(self.grid.step):g}{missed}",)


@dataclass(frozen=True)
class LabelReading:
    """Labels of both files by their first ``letters``, or whole.

    ``respelt``: without leading zeros, an ending ".0" and the case of letters.
    """

    letters: int | None = None
    respelt: bool = False

    def codes(self, known: TraceContent, released: TraceContent) -> tuple[Ints, Ints]:
        """Equal codes where the labels agree."""
        cut = [[self._read(label) for label in content.labels] for content in (known, released)]
        number = {label: code for code, label in enumerate(sorted({*cut[0], *cut[1]}))}
        left, right = (np.array([number[label] for label in labels], np.int64) for labels in cut)
        at, to = (content.place.astype(np.int64) for content in (known, released))
        return left[at], right[to]

    def _read(self, label: str) -> str:
        plain = _WHOLE.sub(r"\1", label.lower()).lstrip("0") or "0" if self.respelt else label
        return plain[: self.letters]

    def note(self) -> tuple[str, ...]:
        """How they are compared, where it is not as they are."""
        if self.respelt:
            return ("labels are compared without leading zeros and the case of letters",)
        return () if self.letters is None else (f"labels are compared by their first {self.letters} letters",)


PlaceReading: TypeAlias = LabelReading | tuple[NumberReading, NumberReading]


@dataclass(frozen=True)
class PointReading:
    """A way to compare the points of two files."""

    time: NumberReading
    place: PlaceReading
    doubtful: bool = False  # points are found by chance alone

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user must know of it."""
        return (*self.time.note("times"), *self.place_notes, *((AT_CHANCE,) if self.doubtful else ()))

    @property
    def place_notes(self) -> tuple[str, ...]:
        """What the user must know of how places are compared."""
        return (
            self.place.note() if isinstance(self.place, LabelReading) else self.place[0].note("coordinates")
        )

    def places(self, known: TraceContent, released: TraceContent) -> tuple[Ints, Ints]:
        """Codes of the places of both files."""
        if isinstance(self.place, LabelReading):
            return self.place.codes(known, released)
        x, y = self.place
        return paired(
            x.codes(numbers_of(known.x), numbers_of(released.x)),
            y.codes(numbers_of(known.y), numbers_of(released.y)),
        )


def numbers_of(values: Floats | None) -> Floats:
    assert values is not None  # whoever asks has made sure
    return values


def paired(one: tuple[Ints, Ints], other: tuple[Ints, Ints]) -> tuple[Ints, Ints]:
    """One code for each pair of codes, in both files."""
    (a, width_a), (b, width_b) = _from_zero(*one), _from_zero(*other)
    if width_a * width_b >= 2**62:
        a, b = (np.unique(codes, return_inverse=True)[1].ravel().astype(np.int64) for codes in (a, b))
        width_b = int(b.max()) + 1
    both = a * np.int64(width_b) + b
    return both[: len(one[0])], both[len(one[0]) :]


def _from_zero(known: Ints, released: Ints) -> tuple[Ints, int]:
    """Codes of both files from 0 on, and how many are needed."""
    both = np.concatenate((known, released))
    if not len(both):
        return both, 1
    both = both - both.min()
    return both, int(both.max()) + 1
