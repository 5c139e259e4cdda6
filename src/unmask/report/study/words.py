"""Estimates of a study as text, and names that fit."""

from __future__ import annotations

from unmask.measures.estimate import Estimate
from unmask.report.numbers import number

#: A longer text of a mask is cut where it stands beside a point.
MOST_LETTERS = 36


def value(estimate: Estimate | None) -> str:
    """A number in its unit; what has none says so.

    >>> value(Estimate(0.25, 0.2, 0.3, 100)), value(None)
    ('25.0%', 'not estimable')
    """
    if estimate is None or estimate.number is None:
        return "not estimable"
    return number(estimate.number, estimate.unit)


def interval(estimate: Estimate | None) -> str:
    """Its interval; nothing where it has none, or one that is narrower than what is shown.

    >>> interval(Estimate(0.25, 0.2, 0.3, 100)), interval(Estimate(0.25, None, None, 100))
    ('20.0% to 30.0%', '')
    """
    if estimate is None or estimate.number is None or estimate.low is None or estimate.high is None:
        return ""
    low, high = number(estimate.low, estimate.unit), number(estimate.high, estimate.unit)
    return "" if low == high == value(estimate) else f"{low} to {high}"


def with_interval(estimate: Estimate | None) -> str:
    """Both in one text.

    >>> with_interval(Estimate(0.25, 0.2, 0.3, 100))
    '25.0% (20.0% to 30.0%)'
    """
    span = interval(estimate)
    return f"{value(estimate)} ({span})" if span else value(estimate)


def short(mask: str) -> str:
    """The text of a mask beside a point: of a long one the beginning.

    >>> short("noise:a=0.1"), len(short("noise:a=0.1,attributes=age+income+rent+hours+commute"))
    ('noise:a=0.1', 36)
    """
    return mask if len(mask) <= MOST_LETTERS else f"{mask[: MOST_LETTERS - 1]}…"
