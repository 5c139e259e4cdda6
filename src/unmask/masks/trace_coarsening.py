"""Coarser traces: times to a step, coordinates to a grid, labels to their first letters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import floor, log10
from typing import ClassVar, Self

import numpy as np
import polars as pl

from unmask.about import About
from unmask.data.microdata import Floats, Microdata
from unmask.data.shapes import TraceContent
from unmask.errors import ArgumentError
from unmask.linkage.resolution import grid_of
from unmask.masks import checks
from unmask.masks.base import Masked
from unmask.masks.contents import content_of, with_content
from unmask.masks.families import TRACES
from unmask.masks.strength import STEPS, Strength
from unmask.parsing import form


@dataclass(frozen=True)
class TraceCoarsening:
    """Points with less detail: spatial and temporal generalisation (de Montjoye and others 2013).

        when' = step * floor(when / step),   x' = cell * floor(x / cell),   place' = its first letters

    Each of ``step``, ``cell`` (for x and y) and ``letters`` may be left out, not all of them. ``step`` is in
    the unit of the times: seconds, hours; days where the file writes dates. Points of a person that become
    equal are one.

    >>> left = TraceContent(np.array([0, 3]), np.array([3700.0, 7100.0, 7300.0]), np.array([0, 0, 1]),
    ...                     ("u33d1", "u33d8"))
    >>> from unmask.data.schema import Column, Schema
    >>> file = Microdata(Schema((Column("points"),)), left.summary(), content=left)
    >>> released = TraceCoarsening(step=3600, letters=4).apply(file, np.random.default_rng(1)).data
    >>> released.content.frame().rows()
    [(0, 3600.0, 'u33d'), (0, 7200.0, 'u33d')]
    """

    name: ClassVar[str] = "trace-coarsening"
    shape: ClassVar[str] = "traces"
    one_of: ClassVar[tuple[str, ...]] = ("step", "cell", "letters")
    about = About(
        title="coarser traces",
        family=TRACES,
        sentence="Times are cut to multiples of a step, coordinates to the cells of a grid, labels to their "
        "first letters.",
        source="Y.-A. de Montjoye, C. A. Hidalgo, M. Verleysen and V. D. Blondel (2013), Unique in the "
        "Crowd: the privacy bounds of human mobility, Scientific Reports 3, 1376.",
        rank=1,
    )
    strength: ClassVar[Strength | None] = None
    examples = ("trace-coarsening:step=2,letters=3",)
    step: float | None = None
    cell: float | None = None
    letters: int | None = None

    def __post_init__(self) -> None:
        if self.step is None and self.cell is None and self.letters is None:
            raise ArgumentError(
                f"{self.name} needs one of its parameters step, cell, letters",
                hint=f"write {form(self.name, type(self))}",
            )
        for parameter in ("step", "cell"):
            value = getattr(self, parameter)
            if value is not None:
                checks.number(self.name, parameter, value, 1e-9)
        if self.letters is not None:
            checks.whole(self.name, "letters", self.letters, 1)

    @classmethod
    def ladders(cls, original: Microdata) -> Iterator[tuple[Self, ...]]:
        """Coarser in time, in space, and in both, from the detail that the file has."""
        content = content_of(original, TraceContent, cls.name)
        times = tuple(cls(step=step) for step in _steps(content.when))
        places = tuple(cls(letters=letters) for letters in _letters(content.labels))
        if content.x is not None and content.y is not None:
            places = tuple(cls(cell=cell) for cell in _cells(content.x, content.y))
        yield from (ladder for ladder in (times, places) if ladder)
        rungs = max(len(times), len(places))
        pairs = (
            (times[i * len(times) // rungs], places[i * len(places) // rungs])
            for i in range(rungs if times and places else 0)
        )
        if both := tuple(replace(place, step=time.step) for time, place in pairs):
            yield both

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with coarser points; nothing is drawn at random."""
        content = content_of(original, TraceContent, self.name)
        labelled = content.x is None
        if (self.cell is not None and labelled) or (self.letters is not None and not labelled):
            given, has = ("cell", "labels") if labelled else ("letters", "coordinates")
            raise ArgumentError(
                f"{self.name}: {given} is given, and the places of {original.label} are {has}",
                hint=f"give {'letters' if labelled else 'cell'} instead",
            )
        frame = content.frame()
        if self.step is not None:
            frame = frame.with_columns(_cut("when", self.step))
        if self.cell is not None:
            frame = frame.with_columns(_cut("x", self.cell), _cut("y", self.cell))
        if self.letters is not None:
            frame = frame.with_columns(pl.col("where").str.slice(0, self.letters))
        return with_content(original, TraceContent.of(frame, len(content), content.notes))


def _cut(column: str, step: float) -> pl.Expr:
    # A multiple of the step may come out a little below itself.
    return (pl.col(column) / step + 1e-9).floor() * step


def _steps(when: Floats) -> Iterator[float]:
    """Multiples of the step that the times have, up to all the time there is."""
    span, grid = float(np.ptp(when)) if len(when) else 0.0, grid_of(when)
    own = span / 2**16 if grid is None else float(grid.step)
    for times in (*STEPS, *(STEPS[-1] * 2**k for k in range(1, 64))):
        step = own * times
        if not 0 < step <= span:
            return
        yield step


def _letters(labels: tuple[str, ...]) -> range:
    """From one letter less than the longest label has, down to one."""
    return range(max((len(label) for label in labels), default=1) - 1, 0, -1)


def _cells(x: Floats, y: Floats) -> Iterator[float]:
    """Round widths, from a thousandth of the map to half of it."""
    span = max(float(np.ptp(x)), float(np.ptp(y))) if len(x) else 0.0
    if span > 0:
        power = floor(log10(span))
        widths = (m * 10.0**e for e in range(power - 4, power + 1) for m in (1, 2, 5))
        yield from (width for width in widths if span / 1000 <= width <= span / 2)
