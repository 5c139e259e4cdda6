"""Marks: a number for each record that follows from what it holds, so that no order of rows is needed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats
from unmask.data.shapes import GraphContent, SeriesContent, TraceContent
from unmask.data.shapes.content import Content
from unmask.losses.evidence import Side

Marks = NDArray[np.uint64]


def marks(side: Side) -> Marks:
    """A number for each record that follows from its values, its weight and its content.

    >>> first, second, third = marks(Side({"age": np.array([31.0, 40.0, 31.0])}, np.ones(3)))
    >>> bool(first == third), bool(first == second)
    (True, False)
    """
    mark = np.zeros(len(side), dtype=np.uint64)
    columns = (_bits(column.astype(np.float64)) for column in (*side.columns.values(), side.weights))
    for part in (*columns, *_parts(side.content)):
        mark = _mixed(mark, part)
    return mark


def _parts(content: Content | None) -> Iterator[Marks]:
    """What the content of each person is, as numbers: the points of a series in their order, else a sum."""
    if isinstance(content, SeriesContent):
        yield from map(_bits, content.values.T)
    elif isinstance(content, TraceContent):
        where = (content.place,) if content.x is None or content.y is None else (content.x, content.y)
        point = np.zeros(content.points, dtype=np.uint64)
        for part in (content.when, *where):
            point = _mixed(point, _bits(part.astype(np.float64)))
        yield _sums(point, content.indptr)
    elif isinstance(content, GraphContent):  # a node is known by its degree and those of its neighbours
        degrees = np.diff(content.indptr).astype(np.uint64)
        theirs = _mixed(np.zeros(len(content.neighbours), np.uint64), degrees[content.neighbours])
        yield _sums(theirs, content.indptr)[content.nodes]


def _sums(parts: Marks, indptr: NDArray[np.int64]) -> Marks:
    """The sum of each person's parts, modulo 2^64: no order of parts matters."""
    total = np.concatenate((np.zeros(1, np.uint64), np.cumsum(parts, dtype=np.uint64)))
    return total[indptr[1:]] - total[indptr[:-1]]


def _bits(values: Floats) -> Marks:
    return (values + 0.0).view(np.uint64)  # zero has two signs, and one value


def _mixed(mark: Marks, values: Marks) -> Marks:
    """Two numbers of 64 bits as one (the finaliser of MurmurHash3, Appleby 2008)."""
    mixed = mark * np.uint64(0x9E3779B97F4A7C15) + values
    for shift, factor in ((33, 0xFF51AFD7ED558CCD), (33, 0xC4CEB9FE1A85EC53)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray(mixed ^ (mixed >> np.uint64(33)))
