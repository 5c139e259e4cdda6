"""check(): what unmask understands of two files, before any percentage."""

from __future__ import annotations

from typing import Unpack

from unmask.assessment.asked import Asked, requested
from unmask.assessment.request import Verb
from unmask.assessment.session import Session
from unmask.data.understanding.summary import Understanding
from unmask.engines import Engine


def check(
    original: object, released: object, *, engine: Engine | None = None, **asked: Unpack[Asked]
) -> Understanding:
    """How a release came from its original: who is who, which columns, what happened to each attribute.

    It is the first step of every assessment, and takes seconds where that takes minutes. ``known``:
    attributes to compare whatever their role; ``truth``, ``schema`` and ``synthetic`` as in
    :func:`unmask.assess`.

    >>> import polars as pl
    >>> people = pl.DataFrame({"age": [23, 37, 41, 58, 64, 70], "pay": [1.5, 4.0, 2.5, 8.0, 7.5, 3.0]})
    >>> released = people.with_columns(pl.col("age").floordiv(10) * 10)
    >>> [(change.attribute, change.what.value) for change in check(people, released).changes]
    [('age', 'rounded'), ('pay', 'unchanged')]
    """
    request, given = requested(Verb.CHECK, original, released, asked)
    return Session(request, given, engine).files.understanding
