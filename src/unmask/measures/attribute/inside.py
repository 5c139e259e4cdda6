"""What the inside of a group gives away about people, and what chance gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.measures.attribute.alike import Alike
from unmask.measures.attribute.groups import GroupIntruder
from unmask.measures.attribute.interval import disclosed, points
from unmask.measures.attribute.matched import Matched
from unmask.measures.confidence import group_interval
from unmask.measures.estimate import Curve, Estimate, NotEstimable, Reasons, Row
from unmask.measures.phrases import counted, of_people, percent

OVER = "largest difference within the group, in percent of the standard deviation"


@dataclass(frozen=True, eq=False)
class Inside:
    """One attribute inside the groups of the matched people.

    ``sharing``: what the members of a group share, in words; ``size``: the size of each person's group;
    ``narrowest``: the width from which on their value is disclosed (NaN: not concerned); ``dealt``: the same
    widths, by the same rule, when the values are dealt out at random.
    """

    subject: str
    intruder: GroupIntruder
    numeric: bool
    sharing: str
    size: Ints
    narrowest: Floats
    dealt: Floats


def deals(
    values: Floats, groups: Alike, widths: Callable[[Floats], Floats], rng: np.random.Generator
) -> Floats:
    """The widths of people when those in groups of two or more are dealt out to the groups at random.

    ``values``: one row per released record, with all that the rule looks at; a row goes to another record
    as a whole, so that a person keeps their true value and the one released in its place. ``widths`` is the
    very rule that gives the value: of groups that were made at random it gives the baseline. Rows are dealt
    in sorted order to records in the order of their groups, so that the order of the file never shows. A
    small file is dealt often, a large one once. A record without any value gets none.
    """
    something = ~np.isnan(values).all(axis=1)
    grouped = groups.members
    grouped = grouped[((groups.size > 1)[groups.label] & something)[grouped]]
    ordered = _ordered(values[grouped])
    found = []
    for _ in range(int(np.clip(200_000 // max(len(values), 1), 1, 20))):
        dealt = values.copy()
        dealt[grouped] = ordered[rng.permutation(len(ordered))]
        found.append(widths(dealt))
    return np.concatenate(found)


def _ordered(values: Floats) -> Floats:
    """The rows in order, the last column first, equal ones as they come."""
    if values.shape[1] > 1:
        return values[np.lexsort(values.T)]
    ordered = np.sort(values, axis=0)
    ordered[ordered == 0] = values[values == 0]  # 0.0 and -0.0 are equal, and yet differ
    return ordered


def row(measure: str, inside: Inside, at: float, curve: tuple[float, ...], pairs: Matched) -> Row:
    """The share of people in groups of two or more whose value the group gives away."""
    hits = disclosed(inside.narrowest, at)
    concerned = ~np.isnan(hits)
    n = int(concerned.sum())
    if n == 0:
        reason = f"no two released records share {inside.sharing}, or nobody of them has '{inside.subject}'"
        return Row.none(measure, NotEstimable(reason), subject=inside.subject)
    count = float(hits[concerned].sum())
    size = inside.size[concerned]
    low, high = group_interval(hits[concerned], size)
    chance = disclosed(inside.dealt, at)
    baseline = float(np.nanmean(chance)) if (~np.isnan(chance)).any() else None
    estimate = Estimate(
        count / n,
        low,
        high,
        n,
        baseline,
        meaning=_meaning(inside, count, n, at, baseline),
        per_record=pairs.per_record(hits),
        why=_why(inside, hits, pairs),
        curve=Curve(OVER, tuple(points(inside.narrowest[concerned], curve, size))) if curve else None,
    )
    return Row.of(measure, estimate, inside.subject)


def _meaning(inside: Inside, count: float, n: int, at: float, baseline: float | None) -> str:
    same = (
        f"values of '{inside.subject}' within {at:g}% of a standard deviation of each other"
        if inside.numeric
        else f"one and the same '{inside.subject}'"
    )
    if inside.intruder is GroupIntruder.EXTERNAL:
        learns = f"all who share {inside.sharing} with them have {same}, so that anyone learns it"
    else:
        learns = (
            f"all who share {inside.sharing} with them have {same}, one of them aside, who learns it by "
            "leaving themselves out"
        )
    chance = "" if baseline is None else f"; values dealt out at random would give {percent(baseline)}"
    alone = int((inside.size < 2).sum())
    everybody = counted(len(inside.size), "person", "people")
    others = f" Not counted: {alone:,} of {everybody}, who share them with nobody." if alone else ""
    return f"For {of_people(count, n)} {learns}{chance}.{others}"


def _why(inside: Inside, hits: Floats, pairs: Matched) -> Reasons:
    """One text for each size of a group: sizes and names of attributes, no values."""
    same = "nearly the same" if inside.numeric else "the same"
    found = np.flatnonzero(hits == 1)
    counts = np.bincount(inside.size[found])
    sizes, place = np.flatnonzero(counts), np.cumsum(counts > 0)[inside.size[found]]
    if inside.intruder is GroupIntruder.EXTERNAL:
        text = "all {:,} records that share {} have {} {}"
    else:
        text = "the {:,} records that share {} have {} {}, at most one of them aside, who can tell"
    texts = [text.format(size, inside.sharing, same, inside.subject) for size in sizes.tolist()]
    which = np.zeros(pairs.people, dtype=np.int32)
    which[pairs.original[found]] = place
    return Reasons(("", *texts), which)
