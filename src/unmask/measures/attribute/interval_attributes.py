"""Interval disclosure attribute by attribute, and of all attributes jointly."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from unmask.measures.attribute.interval import Attribute, Widths, finding, joint
from unmask.measures.attribute.matched import Matched, common, matched, numeric_pairs
from unmask.measures.findings import Case, Finding, Unit, not_estimable
from unmask.measures.phrases import every
from unmask.microdata import Floats
from unmask.scenario import Missing
from unmask.schema import Kind

#: From the name, all original values, and the matched people's original and released ones.
Reader = Callable[[str, Floats, Floats, Floats, Missing], Attribute]


def numeric_names(case: Case) -> tuple[str, ...]:
    """The numeric attributes of the original file that the release has, in whatever form."""
    return common(case, Kind.NUMERIC)


def comparable(case: Case, name: str, pairs: Matched) -> str | None:
    """Why nothing can be said of the intervals of this attribute; None if it can."""
    if case.masked.data.schema[name].kind is not Kind.NUMERIC:
        return f"'{name}' is released as categories, not as numbers"
    if len(pairs) == 0:
        return "no released record stems from an original one"
    values = case.original.numbers([name])[:, 0]
    present = values[~np.isnan(values)]
    if len(present) < 2:
        return f"'{name}' has fewer than two values"
    if present.min() == present.max():
        return f"'{name}' is constant, so its value is no secret"
    return None


def findings_of_each(
    case: Case, measure: str, widths: Widths, reader: Reader, around: str
) -> tuple[Finding, ...]:
    """A finding for each numeric attribute, then, of several, the joint one of all that can be compared."""
    pairs = matched(case)
    found: list[Finding] = []
    attributes: list[Attribute] = []
    for name in numeric_names(case):
        reason = comparable(case, name, pairs)
        if reason is None:
            original, released = (side[:, 0] for side in numeric_pairs(case, (name,), pairs))
            file = case.original.numbers([name])[:, 0]
            attributes.append(reader(name, file, original, released, case.missing))
            found.append(finding(measure, attributes[-1], widths, pairs, around, f"the value of '{name}'"))
        else:
            found.append(not_estimable(measure, name, Unit.SHARE, reason))
    if len(found) == 1:
        return tuple(found)
    if not attributes:
        return (*found, not_estimable(measure, "", Unit.SHARE, "no numeric attribute can be compared"))
    together = every(len(attributes), "numeric value that can be compared", "numeric values")
    return (*found, finding(measure, joint(attributes), widths, pairs, around, together))
