"""Rows of a loss: its values beside what resampling alone loses, and what columns without relation do."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np

from unmask.figures import figure
from unmask.losses.base import Loss, Values
from unmask.losses.evidence import LossEvidence
from unmask.losses.families import ANALYSES, DISTINGUISHABILITY
from unmask.measures.estimate import Estimate, Keys, NotEstimable, Row

#: The curves of reference rows: the people drawn again, and every column shuffled by itself.
RESAMPLED, INDEPENDENT = "resampled", "independent"

#: How often the people are drawn again: of many, a few draws say nearly the same.
DRAWS = ((20_000, 8), (200_000, 3))
FEWEST_DRAWS, MOST_DRAWS = 2, 8
#: Models take long, and resamples differ little in what they say of them.
MODELLED, MODEL_DRAWS = (DISTINGUISHABILITY, ANALYSES), 2


def draws(people: int) -> int:
    """How many resamples are drawn of so many people.

    >>> draws(1000), draws(100_000), draws(5_000_000)
    (8, 3, 2)
    """
    return next((times for most, times in DRAWS if people <= most), FEWEST_DRAWS)


def values_of(loss: Loss, evidence: LossEvidence) -> Values:
    """What a loss says, to the same bit however many threads the machine's algebra has."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        return loss.values(evidence)


def _drawn(evidence: LossEvidence, draw: int) -> LossEvidence:
    """The people drawn again, the same for every loss."""
    name = (RESAMPLED, str(draw))
    return evidence.once(name, lambda: evidence.resampled(evidence.rng(*name)))


def loss_rows(loss: Loss, evidence: LossEvidence) -> tuple[Row, ...]:
    """What a loss says of two files, beside its references.

    The baseline of each row is the mean over resamples. Two more rows are told apart by their ``curve``: the
    resamples, with the interval in which 95% of them lie, and the independent columns.

    >>> from unmask.losses import loss_named
    >>> from unmask.data.schema import Kind
    >>> from unmask.losses.evidence import LossAttribute, Side
    >>> x = np.arange(20.0)
    >>> evidence = LossEvidence(
    ...     (LossAttribute("age", Kind.NUMERIC),), Side({"age": x}, np.ones(20)),
    ...     Side({"age": x + 1}, np.ones(20)), np.arange(20))
    >>> for row in loss_rows(loss_named("il1s"), evidence):
    ...     print(row.keys.curve, row.keys.subject, round(row.estimate.value, 3))
    None None 0.12
    None age 0.12
    resampled None 0.0
    independent None 0.813
    """
    why = loss.why_not(evidence)
    if why is not None:
        return (Row.none(loss.name, why, loss.unit),)
    times = min(draws(len(evidence.original)), MODEL_DRAWS if loss.about.family in MODELLED else MOST_DRAWS)
    again = [values_of(loss, _drawn(evidence, draw)) for draw in range(times)]
    apart = values_of(
        loss, evidence.once((INDEPENDENT,), lambda: evidence.independent(evidence.rng(INDEPENDENT)))
    )
    rows = [
        Row(Keys(loss.name, subject=subject), _estimate(loss, evidence, value, (subject, again, apart)))
        for subject, value in values_of(loss, evidence).items()
    ]
    return (*rows, _resampled(loss, evidence, again), _reference(loss, evidence, INDEPENDENT, apart[None]))


def _estimate(
    loss: Loss,
    evidence: LossEvidence,
    value: float | NotEstimable,
    beside: tuple[str | None, Sequence[Values], Values],
) -> Estimate:
    n = len(evidence.released)
    if isinstance(value, NotEstimable):
        return Estimate.none(value, n, loss.unit)
    subject, again, apart = beside
    baseline = _mean(_numbers(again, subject))
    meaning = ""
    if subject is None and baseline is not None:
        meaning = f"The same people drawn again would lose {figure(baseline)}"
        worst = apart.get(subject)
        tail = (
            "."
            if worst is None or isinstance(worst, NotEstimable)
            else f", columns without any relation {figure(worst)}."
        )
        meaning += tail
    return Estimate(value, None, None, n, baseline, unit=loss.unit, meaning=meaning)


def _resampled(loss: Loss, evidence: LossEvidence, again: Sequence[Values]) -> Row:
    """The mean over resamples, with the interval in which 95% of resamples lie (normal)."""
    found = _numbers(again, None)
    mean = _mean(found)
    if mean is None:
        why = next(v for values in again if isinstance(v := values[None], NotEstimable))
        return _reference(loss, evidence, RESAMPLED, why)
    from scipy.special import stdtrit

    low = high = None
    if len(found) > 1:
        spread = float(np.std(found, ddof=1)) * sqrt(1 + 1 / len(found))
        half = float(stdtrit(len(found) - 1, 0.975)) * spread
        low, high = max(0.0, mean - half), mean + half
    e = Estimate(mean, low, high, len(evidence.original), unit=loss.unit)
    return Row(Keys(loss.name, curve=RESAMPLED), e)


def _reference(loss: Loss, evidence: LossEvidence, curve: str, value: float | NotEstimable) -> Row:
    n = len(evidence.original)
    if isinstance(value, NotEstimable):
        return Row(Keys(loss.name, curve=curve), Estimate.none(value, n, loss.unit))
    return Row(Keys(loss.name, curve=curve), Estimate(value, None, None, n, unit=loss.unit))


def _numbers(again: Sequence[Values], subject: str | None) -> list[float]:
    found = [values.get(subject) for values in again]
    return [value for value in found if isinstance(value, int | float)]


def _mean(numbers: Sequence[float]) -> float | None:
    return float(np.mean(numbers)) if numbers else None
