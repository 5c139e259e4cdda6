"""The shapes by name, as the command line, a request and a web form write them."""

from __future__ import annotations

from collections.abc import Mapping

from unmask.data.shapes.read_graph import GraphShape
from unmask.data.shapes.read_series import SeriesShape
from unmask.data.shapes.read_traces import TraceShape
from unmask.data.shapes.shape import Shape
from unmask.parsing import construct

SHAPES: Mapping[str, type[Shape]] = {shape.name: shape for shape in (SeriesShape, TraceShape, GraphShape)}


def shape_named(text: str) -> Shape:
    """The shape that a text asks for.

    >>> shape_named("graph:source=a,target=b")
    GraphShape(source='a', target='b', id='node', weight=None, directed=False)
    >>> shape_named("tree")
    Traceback (most recent call last):
    unmask.errors.ArgumentError: no shape is called 'tree'. Hint: did you mean 'traces'? ...
    """
    return construct(text, "shape", SHAPES)
