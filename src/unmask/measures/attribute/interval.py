"""Interval disclosure: what both readings of it share.

An attribute discloses a person when their original value lies in an interval around the released one.
Instead of testing one width after the other, a reading computes for each person the *narrowest* interval
that holds their value; the share disclosed at every width follows from that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats, Ints
from unmask.data.missing import Missing
from unmask.errors import ArgumentError
from unmask.measures.attribute.matched import Matched
from unmask.measures.confidence import clopper_pearson, group_interval
from unmask.measures.estimate import Curve, CurvePoint, Estimate, NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.phrases import of_people, percent

Flags = NDArray[np.bool_]

#: Widths that differ by less than this, relatively, are one width.
TIE = 1e-9


@dataclass(frozen=True, eq=False)
class AttributeWidths:
    """One attribute of the matched people (or several together, without a name).

    ``narrowest``: the width from which on each person's value is disclosed (0: at any; infinite: at none;
    NaN: there is nothing to disclose); ``guessed(width)``: whose value lies in the one interval of that
    width that holds the most people, which is what an intruder could name for everybody without the release.
    """

    name: str | None
    narrowest: Floats
    guessed: Callable[[float], Flags]


@dataclass(frozen=True)
class Widths:
    """The width that rows state, and those that their curve shows."""

    at: float
    curve: tuple[float, ...]
    over: str


def check_widths(measure: str, parameter: str, widths: tuple[float, ...]) -> None:
    """Every width is a number of at least 0."""
    for width in widths:
        if not 0 <= width < np.inf:
            raise ArgumentError(
                f"{measure}: {parameter} is {width:g}", hint="give the width as a number of at least 0"
            )


def disclosed(narrowest: Floats, width: float) -> Floats:
    """1 for each person whose value is disclosed at that width, 0 for others; NaN: nothing to disclose.

    >>> disclosed(np.array([0.0, 10.0, 11.0, np.nan]), 10)
    array([ 1.,  1.,  0., nan])
    """
    return np.where(np.isnan(narrowest), np.nan, narrowest <= width * (1 + TIE))


def settled(narrowest: Floats, original: Floats, released: Floats, missing: Missing) -> Floats:
    """The narrowest widths where values are missing (NaN in ``original`` or ``released``).

    Nothing is disclosed of a value that the original does not have, unless a missing value is a category of
    its own, which a missing released value gives away. Of a value that the original has, a missing released
    value tells nothing (infinite width), or is left out of the count (``ignore``).
    """
    absent, suppressed = np.isnan(original), np.isnan(released)
    width = np.where(suppressed, np.nan if missing is Missing.IGNORE else np.inf, narrowest)
    if missing is Missing.CATEGORY:
        return np.where(absent, np.where(suppressed, 0.0, np.inf), width)
    return np.where(absent, np.nan, width)


def joint(attributes: list[AttributeWidths]) -> AttributeWidths:
    """All attributes together: at a width, a person is disclosed if each value that they have is."""
    narrowest = np.full(len(attributes[0].narrowest), np.nan)
    for attribute in attributes:
        narrowest = np.fmax(narrowest, attribute.narrowest)

    def guessed(width: float) -> Flags:
        held = np.ones(len(narrowest), dtype=np.bool_)
        for attribute in attributes:
            held &= attribute.guessed(width) | np.isnan(attribute.narrowest)
        return held

    return AttributeWidths(None, narrowest, guessed)


def row(
    measure: str, attribute: AttributeWidths, widths: Widths, pairs: Matched, around: str, what: str
) -> Row:
    """The share disclosed at the stated width, its curve, and what one guess for everybody reaches.

    ``what``: the value in words; ``around``: the interval in words.
    """
    hits = disclosed(attribute.narrowest, widths.at)
    concerned = ~np.isnan(hits)
    n = int(concerned.sum())
    if n == 0:
        why = NotEstimable("nobody has the value in both files")
        return Row.none(measure, why, subject=attribute.name)
    count = float(np.nansum(hits))
    low, high = clopper_pearson(count, n)
    baseline = float(attribute.guessed(widths.at)[concerned].mean())
    estimate = Estimate(
        count / n,
        low,
        high,
        n,
        baseline,
        meaning=f"For {of_people(count, n)} {what} {around}; naming the likeliest interval of that width "
        f"for everybody, without the release, is right for {percent(baseline)}.",
        per_record=pairs.per_record(hits),
        curve=Curve(widths.over, tuple(points(attribute.narrowest[concerned], widths.curve))),
    )
    return Row.of(measure, estimate, attribute.name)


def points(narrowest: Floats, widths: tuple[float, ...], size: Ints | None = None) -> list[CurvePoint]:
    """The share of people disclosed at each width, with its interval; nobody's width is NaN.

    ``size``: that of each person's group, where what is disclosed of one is disclosed of all of it.
    """
    ordered, n = np.sort(narrowest), len(narrowest)
    found = []
    for width in sorted(widths):
        count = int(np.searchsorted(ordered, width * (1 + TIE), side="right"))
        limits = (
            clopper_pearson(count, n) if size is None else group_interval(disclosed(narrowest, width), size)
        )
        found.append(CurvePoint(width, count / n, *limits))
    return found


def in_densest(values: Floats, among: Floats, half: float) -> Flags:
    """Which values lie in the interval of that half-width that holds the most of ``among`` (not missing).

    >>> in_densest(np.array([1.0, 5.0, 6.0, 9.0]), np.array([1.0, 5.0, 6.0, 9.0]), 0.5)
    array([False,  True,  True, False])
    """
    ordered = np.sort(among)
    # The lowest value of the best interval may be taken for its lower end.
    upper = ordered + 2 * half * (1 + TIE)
    held = np.searchsorted(ordered, upper, side="right") - np.arange(len(ordered))
    first = int(held.argmax())
    return np.asarray((values >= ordered[first]) & (values <= upper[first]), dtype=np.bool_)


def why_not(evidence: FileEvidence, names: tuple[str, ...]) -> NotEstimable | None:
    """Interval disclosure needs a number that both files have."""
    if names:
        return None
    return NotEstimable(f"the release has no numeric attribute of {evidence.original.label}")
