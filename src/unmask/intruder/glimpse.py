"""Glimpse: how much of a series, a trace or a graph the intruder has seen, and how well."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.data.shapes import Content, GraphContent, SeriesContent, TraceContent
from unmask.errors import ArgumentError
from unmask.fields import settle


@dataclass(frozen=True)
class Glimpse:
    """What the intruder saw of the content of people; by default all of it.

    ``points``: so many points of each person's series or trace, drawn at random (None: all; who has fewer
    shows them all); ``coarse``: they know the time of a point only to multiples of this (a trace), or means
    over so many successive points (a series); ``clock``: their clock is ahead by so much, in the unit of the
    times; ``edges``: the share of the edges of a graph that they know; ``seeds``: how many people they have
    found already, by other means, and go on from.

    >>> load = SeriesContent(np.arange(4.0), np.array([[1.0, 2.0, 3.0, 4.0]]))
    >>> Glimpse(points=2).of(load, 0.0, np.random.default_rng(1)).values
    array([[ 1., nan,  3., nan]])
    >>> Glimpse(coarse=2).of(load, 0.0, np.random.default_rng(1)).values
    array([[1.5, 1.5, 3.5, 3.5]])
    """

    points: int | None = None
    coarse: float | None = None
    clock: float = 0.0
    edges: float = 1.0
    seeds: int = 0

    def __post_init__(self) -> None:
        settle(self)
        for wrong, what, hint in (
            (self.points is not None and self.points < 1, f"they saw {self.points} points", "at least 1"),
            (self.coarse is not None and not self.coarse > 0, f"coarse is {self.coarse}", "a step above 0"),
            (not 0 < self.edges <= 1, f"the share of edges is {self.edges:g}", "above 0, at most 1"),
            (self.seeds < 0, f"they have {self.seeds} seeds", "0 or more"),
            (not np.isfinite(self.clock), "the clock is off by no number", "a number"),
        ):
            if wrong:
                raise ArgumentError(what, hint=f"give {hint}")

    @property
    def partial(self) -> bool:
        """Whether something of the content is not known, or not well."""
        return self != Glimpse(seeds=self.seeds)

    def describe(self) -> str:
        """In words, "" where they saw everything."""
        parts = []
        if self.points is not None:
            parts.append(f"{self.points} point{'' if self.points == 1 else 's'} of each person")
        if self.coarse is not None:
            parts.append(f"to multiples of {self.coarse:g}")
        if self.clock:
            parts.append(f"by a clock that is off by {self.clock:g}")
        if self.edges < 1:
            parts.append(f"{self.edges:.0%} of the edges")
        if self.seeds:
            parts.append(f"{self.seeds} people found already")
        return ", ".join(parts)

    def of(self, content: Content, error: float, rng: np.random.Generator) -> Content:
        """What they know of this content, with an ``error`` as attributes have it.

        Numbers are off by normal noise of so many standard deviations of the file; a point, or an edge, is
        with that probability another one of the file's.
        """
        if isinstance(content, SeriesContent):
            return self._series(content, error, rng)
        if isinstance(content, TraceContent):
            return self._traces(content, error, rng)
        if isinstance(content, GraphContent):
            return self._graph(content, error, rng)
        return content

    def _series(self, content: SeriesContent, error: float, rng: np.random.Generator) -> SeriesContent:
        self._check_use(content, ("edges",))
        values = content.values.copy()
        if error:
            values += rng.standard_normal(values.shape) * error * np.nanstd(values)
        if self.coarse is not None:
            values = _block_means(values, max(1, round(self.coarse)))
        if self.points is not None:
            drawn = np.where(np.isnan(values), np.inf, rng.random(values.shape))
            places = np.argsort(np.argsort(drawn, axis=1), axis=1)
            values[places >= self.points] = np.nan
        return replace(content, times=content.times + self.clock, values=values, clock=self.clock)

    def _traces(self, content: TraceContent, error: float, rng: np.random.Generator) -> TraceContent:
        self._check_use(content, ("edges",))
        frame = content.frame()
        if error:
            wrong, other = rng.random(frame.height) < error, rng.integers(0, frame.height, frame.height)
            at = np.where(wrong, other, np.arange(frame.height))
            frame = frame.with_columns(frame[c].gather(at) for c in frame.columns if c != "owner")
        when = frame["when"] + self.clock
        if self.coarse is not None:
            when = (when / self.coarse).floor() * self.coarse
        seen = TraceContent.of(frame.with_columns(when.alias("when")), len(content), content.notes)
        seen = replace(seen, clock=self.clock)
        if self.points is None:
            return seen
        return seen.chosen(_drawn(seen.indptr, self.points, rng))

    def _graph(self, content: GraphContent, error: float, rng: np.random.Generator) -> GraphContent:
        self._check_use(content, ("points", "coarse", "clock"))
        source, target = content.edges()
        kept = rng.random(len(source)) < self.edges
        source, target = source[kept], target[kept]
        if error:
            wrong, other = rng.random(len(source)) < error, rng.integers(0, content.order, len(source))
            target = np.where(wrong, other, target)
        return content.with_edges(source, target)

    def _check_use(self, content: Content, unused: tuple[str, ...]) -> None:
        usual = Glimpse()
        for name in unused:
            if getattr(self, name) != getattr(usual, name):
                raise ArgumentError(
                    f"the glimpse says '{name}', which files of the shape '{content.shape}' have none of",
                    hint="leave it out",
                )


def _drawn(indptr: Ints, points: int, rng: np.random.Generator) -> Ints:
    """So many points of each person, drawn at random, by their ascending place among all points."""
    owner = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    order = np.lexsort((rng.random(len(owner)), owner))
    place = np.arange(len(owner)) - indptr[owner]  # owners ascend, sorted or not
    return np.sort(order[place < points])


def _block_means(values: Floats, size: int) -> Floats:
    """Every value as the mean of its block of successive points."""
    block = np.arange(values.shape[1]) // size
    found = np.empty_like(values)
    for one in range(int(block[-1]) + 1):
        part = values[:, block == one]
        there = ~np.isnan(part)
        mean = np.where(there, part, 0.0).sum(axis=1) / np.maximum(there.sum(axis=1), 1)
        found[:, block == one] = np.where(there, mean[:, None], np.nan)
    return found
