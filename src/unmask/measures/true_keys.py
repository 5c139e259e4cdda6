"""Whether the keys of a release are still those of their people, told from the pairs of records."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unmask.data.correspondence import SAME, ReleaseTerms
from unmask.data.key_classes import comparable
from unmask.data.microdata import Microdata
from unmask.data.schema import Kind
from unmask.measures.evidence import FileEvidence

#: With at least this share of true keys, counts of keys mean what they say; the few others raise them.
MOST_TRUE = 0.95


def true_key_share(evidence: FileEvidence) -> float | None:
    """The share of the released records whose known attributes are what their person's values become.

    That is what the release made of a value without chance: itself, its band, its group. A suppressed value
    may be anything, so it is true; one in the place of a missing one is not, nor is the key of a record of
    nobody. None where it is not known how the release came from the original.

    >>> from unmask.data.microdata import Masked
    >>> from unmask.data.schema import Column, Schema
    >>> before, after = ([31, 54, 54, 70], [31, 55, None, 70])
    >>> schema = Schema((Column("age"),))
    >>> original, released = (Microdata(schema, pl.DataFrame({"age": ages})) for ages in (before, after))
    >>> masked = Masked(released, np.arange(4), ReleaseTerms())
    >>> true_key_share(FileEvidence(original, masked, ("age",)))
    0.75
    """
    names = tuple(name for name in evidence.released_known if name in evidence.original.schema)
    terms = evidence.masked.terms
    if terms is None or not names or len(evidence.released) == 0:
        return None
    return evidence.cache.get(evidence, ("true keys", names), lambda: _share(evidence, terms, names))


def _share(evidence: FileEvidence, terms: ReleaseTerms, names: tuple[str, ...]) -> float:
    origin = evidence.masked.origin
    true = origin >= 0
    for name in names:
        column = _in_terms(evidence, terms, name).gather(np.maximum(origin, 0))
        true = true & _same(column, _column(evidence.released, name))
    return float(true.mean())


def _in_terms(evidence: FileEvidence, terms: ReleaseTerms, name: str) -> pl.Series:
    """An attribute of the original as the release has it; categories of the evidence are in its terms."""
    rule = terms.correspondences.get(name)
    numeric = evidence.released.schema[name].kind is Kind.NUMERIC
    values = _column(evidence.original, name)
    return values if rule is None or not numeric else rule.image(values)


def _column(data: Microdata, name: str) -> pl.Series:
    values = comparable(data.frame.select(name), data)[name]
    return values.fill_nan(None) if values.dtype.is_float() else values


def _same(before: pl.Series, after: pl.Series) -> NDArray[np.bool_]:
    """Whether the released value is the person's own, or missing."""
    missing = after.is_null().to_numpy()
    if before.dtype != after.dtype:  # a number in one file and a category in the other
        return np.asarray(missing)
    if before.dtype.is_float():
        a, b = (values.fill_null(np.nan).to_numpy() for values in (before, after))
        near = np.abs(a - b) <= SAME * np.maximum(np.abs(a), np.abs(b))
    else:
        near = (before == after).fill_null(False).to_numpy()
    return np.asarray(missing | near)
