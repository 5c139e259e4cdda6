"""The classical score of a mask: half loss, half risk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from unmask.documents.table import row_built
from unmask.measures.estimate import Estimate, Unit
from unmask.studies.protection.cell import ATTACK, LOSS, MEASURE, Outcome, Part

#: The widths, in percent of the records, over which interval disclosure is averaged.
WIDTHS = tuple(float(width) for width in range(1, 11))


def score(draws: Mapping[Part, Sequence[Outcome]]) -> Estimate | None:
    """The score of Domingo-Ferrer and Torra (2001), from 0 (best) to 100; None where a part was not measured.

        score = 1/2 IL + 1/8 DLD + 1/8 PLD + 1/4 ID

    with IL the loss in percent (here 100 IL1s, at most 100), DLD and PLD the percentages of people found by
    distance-based and by probabilistic linkage, and ID interval disclosure, averaged over attributes and
    over widths of 1 to 10 percent of the records. It weighs what cannot be weighed: it is here because the
    literature compares masks by it, and no recommendation uses it.
    """
    parts = (
        ((LOSS, "il1s"), 0.5, _loss),
        ((ATTACK, "dbrl"), 0.125, _found),
        ((ATTACK, "prl"), 0.125, _found),
        ((MEASURE, "interval-rank"), 0.25, _disclosed),
    )
    if any(part not in draws for part, _, _ in parts):
        return None
    times = len(draws[parts[0][0]])
    values = []
    for draw in range(times):
        numbers = [(weight, read(draws[part][draw])) for part, weight, read in parts]
        if any(number is None for _, number in numbers):
            return None
        values.append(100 * sum(weight * (number or 0.0) for weight, number in numbers))
    return Estimate(float(np.mean(values)), None, None, times, unit=Unit.LEVEL)


def _loss(outcome: Outcome) -> float | None:
    found = _number(outcome, "il1s")
    return None if found is None else min(1.0, found)


def _found(outcome: Outcome) -> float | None:
    return _number(outcome, "reidentification")


def _disclosed(outcome: Outcome) -> float | None:
    """The mean over attributes and widths; the row of all attributes together has no subject."""
    rows = [row_built(row, "row") for row in outcome["rows"]]
    curves = [row.estimate.curve for row in rows if row.keys.subject is not None and row.estimate.estimable]
    shares = [
        point.value for curve in curves if curve is not None for point in curve.points if point.at in WIDTHS
    ]
    return float(np.mean(shares)) if shares else None


def _number(outcome: Outcome, measure: str) -> float | None:
    rows = [row_built(row, "row") for row in outcome["rows"]]
    return next(
        (r.estimate.number for r in rows if r.keys.measure == measure and r.keys.subject is None), None
    )
