"""What an intruder holds of people: drawn from the original file, source by source, and put together."""

# (This module was src/unmask/knowledge.py; that name belongs to the knowledge curves.)

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from unmask.data.microdata import Floats, Ints, Microdata, as_text
from unmask.data.schema import Kind, Schema
from unmask.data.text import plain_text
from unmask.errors import ArgumentError, clipped
from unmask.fields import settle

#: Far beyond it, what the intruder knows leaves the range of floating point; at it, they know nothing.
LARGEST_ERROR = 1e6


@dataclass(frozen=True)
class Source:
    """One source of an intruder's knowledge: which attributes it has, of how many people, and how well.

    ``known``: attribute names (None: every quasi-identifier that both files have);
    ``targets``: how many people it covers, drawn at random: a count, a share below 1, or everybody
    (None);
    ``error``: numbers are off by normal noise of that many standard deviations, and each category is, with
    that probability, another one of the file's.

    >>> Source(known=("age", "sex"), targets=0.1, error=0.2).describe(100)
    '2 attributes of 10 people, with an error of 0.2 sd'
    """

    known: tuple[str, ...] | None = None
    targets: int | float | None = None
    error: float = 0.0

    def __post_init__(self) -> None:
        if isinstance(self.known, str):
            raise ArgumentError("known is a text, not names", hint=f"write known=({clipped(self.known)!r},)")
        settle(self)
        if not 0 <= self.error <= LARGEST_ERROR:
            raise ArgumentError(
                f"error is {self.error:g}",
                hint=f"give a number of standard deviations, from 0 to {LARGEST_ERROR:g}",
            )
        if self.known is not None:
            object.__setattr__(self, "known", tuple(map(plain_text, self.known)))
        if self.known is not None and not self.known:
            raise ArgumentError("the intruder knows no attribute", hint="name at least one")
        if self.known is not None and len(set(self.known)) != len(self.known):
            raise ArgumentError("a known attribute is named twice", hint="name each once")
        if self.targets is not None:
            check_targets(self.targets)

    def count(self, n: int) -> int:
        """How many of n people it covers."""
        if self.targets is None:
            return n
        if isinstance(self.targets, float):
            return max(1, round(self.targets * n))
        if self.targets > n:
            raise ArgumentError(f"{self.targets} targets of {n} people", hint="give at most the file's size")
        return self.targets

    def describe(self, n: int) -> str:
        """The source in words."""
        attributes = "all common attributes" if self.known is None else _counted(len(self.known), "attribute")
        error = f", with an error of {self.error:g} sd" if self.error else ""
        return f"{attributes} of {_counted(self.count(n), 'person', 'people')}{error}"


def check_targets(targets: float, what: str = "targets") -> None:
    """Refuse a number of people that is none: a count is whole, and a share has a point and is below 1.

    1.0 could mean one person, or everybody.
    """
    if isinstance(targets, int) and targets < 1:
        raise ArgumentError(
            f"{what} is {targets}", hint="give at least 1 person, or leave it out for everybody"
        )
    if isinstance(targets, int) or 0 < targets < 1:
        return
    if targets == 1:
        raise ArgumentError(
            f"{what} is {targets}, which could be one person or everybody",
            hint=f"1 is one person; leave {what} out for everybody",
        )
    raise ArgumentError(
        f"{what} is {targets}", hint="give a whole number of people, or a share above 0 and below 1"
    )


@dataclass(frozen=True, eq=False)
class Knowledge:
    """What is held of some people: their rows in the original file, and a file with one record each.

    ``gaps``: whether some of them lack attributes because no source that has these attributes covers them.
    A gap is not a missing value of the data: nobody looked. ``errors``: the attributes that are known with an
    error, and how large it is at most.
    """

    people: Ints
    data: Microdata
    gaps: bool = False
    errors: Mapping[str, float] = field(default_factory=dict)


#: The generator of one purpose, named by what it draws for.
Streams = Callable[..., np.random.Generator]


def draw(source: Source, names: Sequence[str], original: Microdata, streams: Streams) -> Knowledge:
    """The people that a source covers, and these attributes of them, with its error.

    People and errors come from streams of their own, one for each attribute's error, and an error is drawn
    for everybody: a source that covers more people, or has an attribute more, says of the others what it said
    before, and one that covers fewer covers a part of the same people.
    """
    n = len(original)
    everybody = source.targets is None
    people = np.arange(n) if everybody else np.sort(streams("people").permutation(n)[: source.count(n)])
    known = original.only(names)
    if source.error:
        known = with_error(known, source.error, streams)
    errors = dict.fromkeys(names, source.error) if source.error else {}
    return Knowledge(people, known if everybody else known.take(people), errors=errors)


def combine(parts: Sequence[Knowledge], errors: Sequence[float]) -> Knowledge:
    """What several sources hold together: the intruder knows of whom each of them speaks.

    An attribute that two sources have is taken from the one with the smaller error (of equals, the first),
    and from the other for people whom that one lacks. Nothing is averaged.

    >>> from unmask.data.schema import Column
    >>> register = Microdata(Schema((Column("age"),)), pl.DataFrame({"age": [31, 54]}))
    >>> told = pl.DataFrame({"age": [5, 9], "pay": [1, 2]})
    >>> gossip = Microdata(Schema((Column("age"), Column("pay"))), told)
    >>> both = combine([Knowledge(np.array([0, 1]), register), Knowledge(np.array([1, 2]), gossip)], [0, 0.5])
    >>> both.data.frame.rows(), both.gaps
    ([(31.0, None), (54.0, 1.0), (9.0, 2.0)], True)
    """
    people = np.unique(np.concatenate([part.people for part in parts]))
    columns = {column.name: column for part in reversed(parts) for column in part.data.schema}
    order = list(dict.fromkeys(name for part in parts for name in part.data.schema.names()))
    ranked = [part for _, part in sorted(zip(errors, parts, strict=True), key=lambda pair: pair[0])]
    series, gaps = [], False
    for name in order:
        holders = [part for part in ranked if name in part.data.schema]
        covered = np.unique(np.concatenate([part.people for part in holders]))
        gaps = gaps or len(covered) < len(people)
        values = [_spread(part, name, people) for part in holders]
        series.append(pl.select(pl.coalesce(values).alias(name)).to_series())
    schema = Schema(tuple(columns[name] for name in order))
    data = Microdata(schema, pl.DataFrame(series), parts[0].data.label)
    worst = {name: max(part.errors.get(name, 0.0) for part in parts) for name in order}
    return Knowledge(people, data, gaps, {name: error for name, error in worst.items() if error})


def with_error(known: Microdata, error: float, streams: Streams) -> Microdata:
    """Knowledge of everybody with an error, measured by the spread and the categories of the file."""
    columns: dict[str, pl.Series] = {}
    for column in known.schema:
        rng = streams("error", column.name)
        if column.kind is Kind.NUMERIC:
            values = known.numbers([column.name])[:, 0]
            spread = float(np.nanstd(values)) if np.isfinite(values).any() else 0.0
            columns[column.name] = _numbers(
                column.name, values + rng.normal(0.0, 1.0, len(values)) * error * spread
            )
        else:
            levels = known.categories(column.name)
            codes = known.codes(column.name, levels)
            wrong = (rng.random(len(codes)) < error) & (codes >= 0) & (len(levels) > 1)
            shift = rng.integers(1, max(len(levels), 2), len(codes))
            codes = np.where(wrong, (codes + shift) % max(len(levels), 1), codes)
            texts = [levels[code] if code >= 0 else None for code in codes]
            columns[column.name] = pl.Series(column.name, texts, dtype=pl.String)
    return known.replace(columns)


def _spread(part: Knowledge, name: str, people: Ints) -> pl.Series:
    """An attribute of one source over all people, null for those whom it does not cover."""
    if part.data.schema[name].kind is Kind.NUMERIC:
        held = _numbers(name, part.data.numbers([name])[:, 0])
    else:
        held = as_text(part.data.frame[name], part.data.label)
    place = np.searchsorted(part.people, people)
    inside = part.people[np.minimum(place, len(part.people) - 1)] == people
    return held.gather(pl.Series(np.where(inside, place, -1)).replace(-1, None))


def _counted(n: int, one: str, many: str | None = None) -> str:
    return f"{n} {one if n == 1 else many or one + 's'}"


def _numbers(name: str, values: Floats) -> pl.Series:
    return pl.Series(name, values, nan_to_null=True)
