"""From the parts of a study to its rows: means over the draws of a mask, each with an interval."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from math import sqrt

import numpy as np

from unmask.documents import BASELINE
from unmask.documents.study import RISK, SCORE
from unmask.documents.table import row_built
from unmask.measures.estimate import Estimate, Keys, NotEstimable, Row, Unit
from unmask.studies.protection.cell import ATTACK, GUESSED_MASK, KNOWN_MASK, LOSS, Outcome, Part
from unmask.studies.protection.score import score

#: What a part found in each draw.
Draws = Mapping[Part, Sequence[Outcome]]


def summed_up(draws: Draws) -> tuple[Row, ...]:
    """The rows of one mask before one intruder: its risk, attacks, measures, losses and score."""
    rows = [row for part, outcomes in draws.items() for row in _part_rows(part, outcomes)]
    found = [Row(Keys(RISK), _risk(draws))] if any(kind == ATTACK for kind, _ in draws) else []
    value = score(draws)
    scored = [] if value is None else [Row(Keys(SCORE), value)]
    return (*found, *rows, *scored)


def informed(draws: Draws) -> frozenset[str]:
    """The attacks that learned from the truth, which no intruder can do."""
    return frozenset(
        name for outcomes in draws.values() for one in outcomes for name in one.get("informed", ())
    )


def built(outcome: Outcome) -> tuple[Row, ...]:
    """The rows of a part as they were kept."""
    return tuple(row_built(row, "row") for row in outcome["rows"])


def over_draws(estimates: Sequence[Estimate]) -> Estimate:
    """The mean over draws of a mask, with an interval that holds both what draws and what people vary by.

    The interval of the mean over draws is Student's; that of a single release (about other people of the same
    kind) is the mean of theirs. The wider end counts on either side. A draw that cannot be estimated makes
    the whole not estimable: leaving it out could make a risk look lower than it is.

    >>> one, two = Estimate(0.2, 0.1, 0.3, 100, 0.01), Estimate(0.4, 0.3, 0.5, 100, 0.01)
    >>> found = over_draws([one, two])
    >>> round(found.value, 3), found.low, found.high
    (0.3, 0.0, 1.0)
    """
    lost = next((e for e in estimates if isinstance(e.value, NotEstimable)), None)
    if lost is not None:
        return replace(lost, per_record=None)
    numbers = [e.number for e in estimates if e.number is not None]
    mean = float(np.mean(numbers))
    ends = [_student(numbers, mean)]
    inner = [(e.low, e.high) for e in estimates if e.low is not None and e.high is not None]
    if len(inner) == len(estimates):
        ends.append((float(np.mean([low for low, _ in inner])), float(np.mean([high for _, high in inner]))))
    known = [pair for pair in ends if pair is not None]
    low = min((pair[0] for pair in known), default=None)
    high = max((pair[1] for pair in known), default=None)
    first = estimates[0]
    if low is not None and high is not None and min(numbers) >= 0:
        low = max(0.0, low)
        high = min(1.0, high) if first.unit is Unit.SHARE and max(numbers) <= 1 else high
    baselines = [e.baseline for e in estimates if e.baseline is not None]
    return Estimate(
        mean, low, high, first.n, float(np.mean(baselines)) if baselines else None, unit=first.unit
    )


def _student(numbers: Sequence[float], mean: float) -> tuple[float, float] | None:
    if len(numbers) < 2:
        return None
    from scipy.special import stdtrit

    half = float(stdtrit(len(numbers) - 1, 0.975)) * float(np.std(numbers, ddof=1)) / sqrt(len(numbers))
    return mean - half, mean + half


def _part_rows(part: Part, outcomes: Sequence[Outcome]) -> Iterable[Row]:
    """One row for each estimate of a part, of measures those of single attributes too.

    What does not apply to a draw, such as an attack on what was not changed, is left out; what failed on one
    is not estimable.
    """
    each = [{_keys(part, row): row.estimate for row in built(outcome)} for outcome in outcomes]
    for keys in dict.fromkeys(keys for rows in each for keys in rows):
        if part[0] == LOSS and keys.subject is not None:
            continue
        lacking = [rows for rows in each if keys not in rows]
        if not lacking:
            yield Row(keys, over_draws([rows[keys] for rows in each]))
        elif keys.subject is None and all(lacking):
            failed = (e for rows in lacking for e in rows.values() if not e.estimable)
            yield from (Row(keys, replace(e, per_record=None)) for e in islice(failed, 1))


def _keys(part: Part, row: Row) -> Keys:
    """Each mask has its own attack of who knows it: in a study they are one."""
    of_mask = part in ((ATTACK, KNOWN_MASK), (ATTACK, GUESSED_MASK))
    return replace(row.keys, attack=part[1]) if of_mask else row.keys


def _risk(draws: Draws) -> Estimate:
    """The mean over draws of the largest share that an attack of an intruder's finds."""
    attacks = [(part, outcomes) for part, outcomes in draws.items() if part[0] == ATTACK]
    times = len(attacks[0][1])
    worst = [_worst([outcomes[draw] for _, outcomes in attacks]) for draw in range(times)]
    return over_draws(worst)


def _worst(outcomes: Iterable[Outcome]) -> Estimate:
    found = []
    for outcome in outcomes:
        for row in built(outcome):
            out = row.keys.attack in (BASELINE, *outcome.get("informed", ()))
            if row.keys.measure == "reidentification" and not out:
                found.append(row.estimate)
    estimable = [e for e in found if e.estimable]
    if not estimable:
        reasons = (e.value for e in found if isinstance(e.value, NotEstimable))
        return Estimate.none(next(reasons, NotEstimable("no attack was made")))
    return max(estimable, key=lambda e: e.number or 0.0)
