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
from unmask.measures.confidence import clopper_pearson
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


def in_groups(groups: Alike, true: Floats) -> Ints:
    """The records in groups of two or more, group by group, and inside a group by the true values.

    In that order values are dealt out, so that the order of the file never shows.
    """
    grouped = np.flatnonzero(groups.size[groups.label] > 1)
    return grouped[np.lexsort((true[grouped], groups.label[grouped]))]


def deals(
    values: Floats, records: Ints, widths: Callable[[Floats], Floats], rng: np.random.Generator
) -> Floats:
    """The widths of people when the values of these records are dealt out to them at random.

    ``widths`` is the very rule that gives the value, so that a release whose values were dealt out at random
    has the value of its baseline. A small file is dealt often, a large one once.
    """
    ordered = np.sort(values[records])
    found = []
    for _ in range(int(np.clip(200_000 // max(len(values), 1), 1, 20))):
        dealt = values.copy()
        dealt[records] = rng.permutation(ordered)
        found.append(widths(dealt))
    return np.concatenate(found)


def row(measure: str, inside: Inside, at: float, curve: tuple[float, ...], pairs: Matched) -> Row:
    """The share of people in groups of two or more whose value the group gives away."""
    hits = disclosed(inside.narrowest, at)
    concerned = ~np.isnan(hits)
    n = int(concerned.sum())
    if n == 0:
        reason = f"no two released records share {inside.sharing}, or nobody of them has '{inside.subject}'"
        return Row.none(measure, NotEstimable(reason), subject=inside.subject)
    count = float(hits[concerned].sum())
    low, high = clopper_pearson(count, n)
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
        curve=Curve(OVER, tuple(points(inside.narrowest[concerned], curve))) if curve else None,
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
    sizes, place = np.unique(inside.size[found], return_inverse=True)
    if inside.intruder is GroupIntruder.EXTERNAL:
        text = "all {:,} records that share {} have {} {}"
    else:
        text = "the {:,} records that share {} have {} {}, at most one of them aside, who can tell"
    texts = [text.format(size, inside.sharing, same, inside.subject) for size in sizes.tolist()]
    which = np.zeros(pairs.people, dtype=np.int64)
    which[pairs.original[found]] = place + 1
    return Reasons(("", *texts), which)
