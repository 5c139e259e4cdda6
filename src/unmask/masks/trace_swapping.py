"""Trajectories that people who meet exchange (SwapMob)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import polars as pl

from unmask.about import About
from unmask.data.microdata import Ints, Microdata
from unmask.data.shapes import TraceContent
from unmask.errors import ArgumentError
from unmask.masks import checks
from unmask.masks.base import Masked
from unmask.masks.contents import content_of, with_content
from unmask.masks.families import TRACES
from unmask.masks.strength import Strength


@dataclass(frozen=True)
class TraceSwapping:
    """People who meet go on with each other's trace: SwapMob (Salas, Megías and Torra 2018).

    People meet who are at one place at one time; with ``step`` within the same step of time, and with
    ``cell`` in the same cell of a grid. At each meeting, with the probability ``share``, the traces of all
    who are there are dealt out among them at random, and what each leaves afterwards stands in the trace that
    they got. No point is changed or lost, so that counts by time and place stay as they were.

    A released trace is put down as that of the person who left the most of it, as far as nobody left more of
    theirs in it: the hardest reading of "found".

    >>> left = TraceContent(np.array([0, 2, 4]), np.array([8.0, 9.0, 8.0, 9.0]), np.array([0, 1, 0, 2]),
    ...                     ("oak", "elm", "ash"))
    >>> from unmask.data.schema import Column, Schema
    >>> file = Microdata(Schema((Column("points"),)), left.summary(), content=left)
    >>> TraceSwapping(share=1).apply(file, np.random.default_rng(2)).data.content.points
    4
    """

    name: ClassVar[str] = "trace-swapping"
    shape: ClassVar[str] = "traces"
    about = About(
        title="swapped trajectories",
        family=TRACES,
        sentence="People who are at one place at one time go on with each other's trace.",
        source="J. Salas, D. Megías and V. Torra (2018), SwapMob: swapping trajectories for mobility "
        "anonymization, Privacy in Statistical Databases, LNCS 11126, 331-346.",
        rank=3,
    )
    strength: ClassVar[Strength | None] = None
    examples = ("trace-swapping:share=0.5",)
    share: float
    step: float | None = None
    cell: float | None = None

    def __post_init__(self) -> None:
        checks.number(self.name, "share", self.share, 0, 1)
        for parameter in ("step", "cell"):
            if getattr(self, parameter) is not None:
                checks.number(self.name, parameter, getattr(self, parameter), 1e-9)

    @classmethod
    def ladders(cls, original: Microdata) -> Iterator[tuple[Self, ...]]:
        """From one meeting in a hundred on to all; none where no time is told."""
        if content_of(original, TraceContent, cls.name).when.any():
            yield tuple(cls(share=share) for share in (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0))

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with trajectories swapped at meetings."""
        from unmask.kernels.trajectories import swapped

        content = content_of(original, TraceContent, self.name)
        if self.cell is not None and content.x is None:
            raise ArgumentError(
                f"{self.name}: cell is given, and the places of {original.label} are labels",
                hint="leave it out",
            )
        if not content.when.any():
            raise ArgumentError(
                f"{self.name} works along time, and {original.label} tells none",
                hint="name the column of the times, or take another mask",
            )
        frame = content.frame()
        meeting, met = self._meetings(frame)
        order = np.argsort(meeting, kind="stable")
        swaps = met & (rng.random(len(met)) < self.share)
        if not met.any():
            raise ArgumentError(
                f"{self.name}: nobody in {original.label} meets anybody",
                hint="give a step of time, or a cell for coordinates, within which people meet",
            )
        goes = np.empty(len(order), np.int64)
        goes[order] = swapped(
            content.owner[order], meeting[order], len(content), swaps, rng.random(len(order))
        )
        owner = _named_after(content.owner, goes, len(content))
        found = TraceContent.of(frame.with_columns(pl.Series("owner", owner)), len(content), content.notes)
        return with_content(original, found)

    def _meetings(self, frame: pl.DataFrame) -> tuple[Ints, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
        """The meeting that each point belongs to, numbered along time; and where more than one person is."""
        when = pl.col("when") if self.step is None else (pl.col("when") / self.step + 1e-9).floor()
        places = [c for c in ("where", "x", "y") if c in frame.columns]
        where = [pl.col(c) if self.cell is None else (pl.col(c) / self.cell + 1e-9).floor() for c in places]
        points = frame.select("owner", when.alias("when"), *where).with_row_index("point")
        points = points.sort("when", *places)
        points = points.with_columns(pl.struct("when", *places).rle_id().alias("meeting"))
        met = points.group_by("meeting").agg(pl.col("owner").n_unique()).sort("meeting")
        meeting = np.empty(points.height, np.int64)
        meeting[points["point"].to_numpy()] = points["meeting"].to_numpy()
        return meeting, met["owner"].to_numpy() > 1


def _named_after(owner: Ints, trace: Ints, people: int) -> Ints:
    """Whose each point is said to be: the person who left the most of the trace that it is in."""
    from unmask.kernels.trajectories import most_of

    pairs, counts = np.unique(owner * np.int64(people) + trace, return_counts=True)
    pairs = pairs[np.argsort(-counts, kind="stable")]
    return most_of(pairs // people, pairs % people, people)[trace]
