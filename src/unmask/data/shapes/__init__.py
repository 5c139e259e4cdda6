"""Shapes of data beside the plain table: series, traces and graphs; their content, and how it is read."""

from __future__ import annotations

from unmask.data.shapes.content import Content as Content
from unmask.data.shapes.graphs import GraphContent as GraphContent
from unmask.data.shapes.series import SeriesContent as SeriesContent
from unmask.data.shapes.traces import TraceContent as TraceContent
