"""Groups whose numbers were averaged, as a release shows them: records with the same released numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.errors import missing_columns
from unmask.measures.attribute.alike import Alike, alike
from unmask.measures.attribute.interval import TIE
from unmask.measures.attribute.matched import Matched, common, matched, numeric_pairs
from unmask.measures.findings import Case
from unmask.microdata import Floats
from unmask.scenario import Missing
from unmask.schema import Kind


@dataclass(frozen=True, eq=False)
class Aggregates:
    """The groups of the released records, by the attributes that were averaged."""

    names: tuple[str, ...]
    alike: Alike
    pairs: Matched

    def originals(self, case: Case, name: str) -> Floats:
        """The original value behind each released record; NaN for nobody's."""
        values = np.full(len(case.masked.data), np.nan)
        values[self.pairs.released] = case.original.numbers([name])[self.pairs.original, 0]
        return values


def aggregates(case: Case, attributes: tuple[str, ...] | None) -> Aggregates | None:
    """The groups; None where no two released records are in one group, or nothing was changed."""
    pairs = matched(case)
    names = _averaged(case, attributes, pairs)
    if not names or len(pairs) == 0:
        return None
    # A value that the mask suppressed is no mean: its record is in no group.
    found = alike(case.masked.data, names, Missing.MISMATCH)
    if found is None or found.size.max() < 2:
        return None
    return Aggregates(names, found, pairs)


def why_not(case: Case, attributes: tuple[str, ...] | None) -> str | None:
    """It needs numbers in both files, and two released records that share all that were changed."""
    if not _numbers(case):
        return f"the release has no numeric attribute of {case.original.label}"
    if aggregates(case, attributes) is None:
        return "no two released records share all numbers that the release changed"
    return None


def _numbers(case: Case) -> tuple[str, ...]:
    schema = case.masked.data.schema
    return tuple(name for name in common(case, Kind.NUMERIC) if schema[name].kind is Kind.NUMERIC)


def _averaged(case: Case, attributes: tuple[str, ...] | None, pairs: Matched) -> tuple[str, ...]:
    names = _numbers(case)
    if attributes is not None:
        lost = [name for name in attributes if name not in names]
        if lost:
            raise missing_columns(lost, names, "the numeric part of both files")
        return attributes
    original, released = numeric_pairs(case, names, pairs)
    with np.errstate(invalid="ignore"):
        differs = np.abs(original - released) > TIE * np.abs(original)
    return tuple(name for j, name in enumerate(names) if differs[:, j].any())
