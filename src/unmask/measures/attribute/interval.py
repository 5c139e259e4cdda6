"""Interval disclosure: what both readings of it share.

An attribute discloses a person when his original value lies in an interval around his released value.
Instead of testing one width after the other, a reading computes for each person the *narrowest* interval
that holds his value; the share disclosed at every width follows from that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Floats
from unmask.data.missing import Missing
from unmask.errors import ArgumentError
from unmask.measures.attribute.matched import Matched
from unmask.measures.confidence import clopper_pearson
from unmask.measures.findings import Case, Curve, Finding, Point, Unit, not_estimable
from unmask.measures.phrases import of_people, percent

Flags = NDArray[np.bool_]

#: Widths that differ by less than this, relatively, are one width.
TIE = 1e-9


@dataclass(frozen=True, eq=False)
class Attribute:
    """One attribute of the matched people.

    ``narrowest``: the width from which on each person's value is disclosed (0: at any; infinite: at none;
    NaN: there is nothing to disclose); ``guessed(width)``: whose value lies in the one interval of that
    width that holds the most people, which is what an intruder could name for everybody without the release.
    """

    name: str
    narrowest: Floats
    guessed: Callable[[float], Flags]


@dataclass(frozen=True)
class Widths:
    """The width that findings state, and those that their curve shows."""

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


def joint(attributes: list[Attribute]) -> Attribute:
    """All attributes together: at a width, a person is disclosed if each value that he has is."""
    narrowest = np.full(len(attributes[0].narrowest), np.nan)
    for attribute in attributes:
        narrowest = np.fmax(narrowest, attribute.narrowest)

    def guessed(width: float) -> Flags:
        held = np.ones(len(narrowest), dtype=np.bool_)
        for attribute in attributes:
            held &= attribute.guessed(width) | np.isnan(attribute.narrowest)
        return held

    return Attribute("", narrowest, guessed)


def finding(
    measure: str, attribute: Attribute, widths: Widths, pairs: Matched, around: str, what: str
) -> Finding:
    """The share disclosed at the stated width, its curve, and what one guess for everybody reaches.

    ``what``: the value in words; ``around``: the interval in words.
    """
    hits = disclosed(attribute.narrowest, widths.at)
    concerned = ~np.isnan(hits)
    n = int(concerned.sum())
    if n == 0:
        return not_estimable(measure, attribute.name, Unit.SHARE, "nobody has the value in both files")
    count = float(np.nansum(hits))
    low, high = clopper_pearson(count, n)
    baseline = float(attribute.guessed(widths.at)[concerned].mean())
    return Finding(
        measure=measure,
        subject=attribute.name,
        value=count / n,
        low=low,
        high=high,
        n=n,
        baseline=baseline,
        unit=Unit.SHARE,
        meaning=f"For {of_people(count, n)} {what} {around}; naming the likeliest interval of that width "
        f"for everybody, without the release, is right for {percent(baseline)}.",
        per_record=pairs.per_record(hits),
        curve=Curve(widths.over, tuple(points(attribute.narrowest[concerned], widths.curve))),
    )


def points(narrowest: Floats, widths: tuple[float, ...]) -> list[Point]:
    """The share of people disclosed at each width, with its interval; nobody's width is NaN."""
    ordered, n = np.sort(narrowest), len(narrowest)
    found = []
    for width in sorted(widths):
        count = int(np.searchsorted(ordered, width * (1 + TIE), side="right"))
        found.append(Point(width, count / n, *clopper_pearson(count, n)))
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


def why_not(case: Case, names: tuple[str, ...]) -> str | None:
    """Interval disclosure needs a number that both files have."""
    return None if names else f"the release has no numeric attribute of {case.original.label}"
