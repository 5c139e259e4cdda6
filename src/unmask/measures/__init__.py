"""Measures of disclosure: one family a file, one line here each."""

from __future__ import annotations

from unmask.errors import unknown_name
from unmask.measures.base import Estimate, Measure, Trial
from unmask.measures.reidentification import Reidentification, Ties

#: Every measure by name, in the order in which tables show them.
MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        Reidentification(Ties.EXPECTED),
        Reidentification(Ties.STRICT),
        Reidentification(Ties.LENIENT),
    )
}


def measure_named(name: str) -> Measure:
    """The registered measure of that name.

    >>> measure_named("reidentification-strict").ties.value
    'strict'
    """
    if name not in MEASURES:
        raise unknown_name("measure", name, MEASURES)
    return MEASURES[name]


__all__ = ["MEASURES", "Estimate", "Measure", "Reidentification", "Ties", "Trial", "measure_named"]
