"""How an attribute is in the release: what a schema file says of it is read back to the last digit."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from unmask.data.correspondence import Banding, Correspondence, Recode, ReleasedColumn, Rounding, RoundingTo
from unmask.data.io.schema_file import read_schema, to_toml
from unmask.data.schema import Column, Kind, Schema
from unmask.data.values.bands import Band

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), min_size=1, max_size=6)
NUMBER = st.floats(-1e12, 1e12)
CODES = st.lists(TEXT, max_size=2, unique=True).map(tuple)


@st.composite
def bandings(draw: st.DrawFn) -> Banding:
    """Bands that meet, or leave a gap, in numbers of any size."""
    ends = sorted(draw(st.lists(NUMBER, min_size=3, max_size=6, unique=True)))
    labels = draw(st.lists(TEXT, min_size=len(ends) - 1, max_size=len(ends) - 1, unique=True))
    upper = draw(st.booleans())  # which of two bands has the end that they share
    bands = [
        Band(label, low, high, low_open=not upper, high_open=upper)
        for label, low, high in zip(labels, ends[:-1], ends[1:], strict=True)
    ]
    if draw(st.booleans()):
        bands[-1] = Band(bands[-1].label, bands[-1].low, math.inf, low_open=not upper)
    return Banding(tuple(bands), draw(st.booleans()))


@st.composite
def roundings(draw: st.DrawFn) -> Rounding:
    limit = st.none() | NUMBER
    top, bottom = draw(limit), draw(limit)
    step = draw(
        st.floats(1e-6, 1e6) if top is None and bottom is None else st.just(0.0) | st.floats(1e-6, 1e6)
    )
    to = draw(st.sampled_from(RoundingTo)) if step else RoundingTo.NEAREST
    return Rounding(
        step,
        to,
        bottom,
        top,
        None if bottom is None else draw(limit),
        None if top is None else draw(limit),
    )


RECODES = st.dictionaries(TEXT, TEXT, min_size=1, max_size=4).map(lambda pairs: Recode(tuple(pairs.items())))
RULES: st.SearchStrategy[Correspondence | None] = st.none() | RECODES | bandings() | roundings()


@given(st.none() | TEXT, CODES, RULES, st.none() | st.lists(TEXT, min_size=1, unique=True).map(tuple))
def test_what_is_said_of_the_release_is_read_back(
    name: str | None, codes: tuple[str, ...], rule: Correspondence | None, levels: tuple[str, ...] | None
) -> None:
    kind = None if levels is None else Kind.ORDINAL
    there = ReleasedColumn("age", name, codes, kind, levels or (), rule)
    schema = Schema((Column("age"),), (there,))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "schema.toml"
        path.write_text(to_toml(schema), encoding="utf-8", newline="")
        assert read_schema(path) == schema
