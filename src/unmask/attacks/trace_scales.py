"""Linkage of traces whose points were moved: by what they share at several scales of time and place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.attacks.base import Usual
from unmask.attacks.families import TRACES
from unmask.attacks.traces import unblocked
from unmask.engines import Engine
from unmask.intruder.dossier import Dossier
from unmask.linkage.point_scales import scaled_points
from unmask.linkage.trace_matcher import TraceMatcher, trace_matcher

#: The order of the cosine: at large scales traces differ in length above all.
POWER = 0.5


@dataclass(frozen=True)
class TraceScales:
    """The released trace that shares the most with what is known, at all scales of time and place together.

        score(a, b) = S(a, b) / S(b, b)^(1/2),    S(a, b) = sum over the cells c that a and b share of w_c,

    w_c = log((m + 1) / m_c), with m released traces, m_c of which have a point in cell c. Cells are, for each
    point, its place in longer and longer stretches of time, and, of coordinates, its time in larger and
    larger parts of the map, each four times as large as the one before, on two grids that are half a cell
    apart (a pyramid of grids, after Grauman and Darrell 2005; weights after Narayanan and Shmatikov 2008).
    So it finds people whose points were all moved by noise, of whom ``traces`` finds nobody, and need not
    know by how much. Where points are as they were, ``traces`` finds more.

    >>> import polars as pl
    >>> from unmask.data.microdata import Microdata
    >>> from unmask.data.schema import Column, Schema
    >>> from unmask.data.shapes import TraceContent
    >>> from unmask.engines import LocalEngine
    >>> from unmask.intruder.truth import Truth
    >>> def people(*x):
    ...     left = {"owner": [0, 0, 1, 1], "when": [8.0, 9.0, 8.0, 9.0], "x": x, "y": [0.0, 0.5, 1.0, 0.5]}
    ...     content = TraceContent.of(pl.DataFrame(left), 2)
    ...     return Microdata(Schema((Column("points"),)), content.summary(), content=content)
    >>> dossier = Dossier(people(0.0, 1.0, 0.4, 0.6), people(0.01, 0.98, 0.41, 0.62))
    >>> matcher = TraceScales().prepare(dossier, np.random.default_rng(1), LocalEngine())
    >>> matcher.standing(Truth(np.array([0, 1])), depth=5).belief()
    array([1., 1.])
    """

    about = About(
        title="traces at several scales",
        family=TRACES,
        sentence="The intruder knows points of a person's trace, and takes the released trace that is near "
        "the most of them in time and place; to be as near as few others are counts more.",
        source="K. Grauman and T. Darrell (2005), The pyramid match kernel: discriminative classification "
        "with sets of image features, IEEE International Conference on Computer Vision, 1458-1465.",
        rank=2,
    )
    usual = Usual.CONTENT
    shape: ClassVar[str] = "traces"
    name: ClassVar[str] = "trace-scales"

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> TraceMatcher:
        """Write the points of both files down at all scales, and index those of the release."""
        return trace_matcher(scaled_points(*unblocked(dossier, self.name)), POWER, engine)
