"""Small files of every shape, with a release of each, for the contracts of the methods that compare them."""

from __future__ import annotations

import numpy as np
import polars as pl

from unmask.data.io.table import SourceTable
from unmask.data.loading import original_file
from unmask.data.microdata import Masked, Microdata
from unmask.data.shapes import Content, GraphContent, SeriesContent, TraceContent

PEOPLE, HOURS = 40, 16


def series(seed: int = 0, noise: float = 0.0) -> SeriesContent:
    rng, wobble = np.random.default_rng(seed), np.random.default_rng(seed + 1)
    phase, level = rng.uniform(0, 6, (PEOPLE, 1)), rng.normal(0, 1, (PEOPLE, 1))
    values = level + np.sin(np.arange(HOURS) / 2 + phase) + rng.normal(0, 0.3, (PEOPLE, HOURS))
    return SeriesContent(np.arange(HOURS, dtype=float), values + wobble.normal(0, noise, values.shape))


def traces(seed: int = 0, noise: float = 0.0) -> TraceContent:
    """Some ten points of each person at two dozen places; a share of them is lost."""
    rng, wobble = np.random.default_rng(seed), np.random.default_rng(seed + 1)
    home = rng.integers(0, 24, PEOPLE)
    owner = np.repeat(np.arange(PEOPLE), 10)
    place = np.where(rng.random(len(owner)) < 0.4, home[owner], rng.integers(0, 24, len(owner)))
    kept = wobble.random(len(owner)) >= noise
    kept[::10] = True  # nobody is without a point
    frame = pl.DataFrame(
        {
            "owner": owner,
            "when": rng.integers(0, 12, len(owner)).astype(float),
            "where": [f"cell-{p:02d}" for p in place],
        }
    )
    return TraceContent.of(frame.filter(kept), PEOPLE)


def graph(seed: int = 0, noise: float = 0.0) -> GraphContent:
    """Everybody is tied to some earlier ones, popular ones more often; a share of the ties is lost."""
    rng, wobble = np.random.default_rng(seed), np.random.default_rng(seed + 1)
    source = np.repeat(np.arange(1, PEOPLE), 3)
    target = np.array([int(node * rng.random() ** 1.5) for node in source])
    kept = wobble.random(len(source)) >= noise
    kept[::3] = True
    return GraphContent.of_edges(source[kept], target[kept], PEOPLE)


MADE = {"series": series, "traces": traces, "graph": graph}


def people(content: Content) -> Microdata:
    """A file of these people: what is counted of them, and their content."""
    held = SourceTable(content.summary(), {}, frozenset(), "the file")
    return Microdata(original_file(held).schema, held.frame, content=content)


def files(shape: str, noise: float = 0.1) -> tuple[Microdata, Masked]:
    """An original of that shape, and a release in the same order."""
    original = people(MADE[shape]())
    return original, Masked.by_order(original, people(MADE[shape](noise=noise)))
