"""Coarser values of one attribute: numbers in bands, rare categories merged; and the detail that it costs.

The change is made to what the release says and to what the intruder knows alike: who sees bands puts their
own numbers into them first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from unmask.assessment.stage import Stage
from unmask.data.microdata import Ints, Microdata
from unmask.data.schema import Column, Kind
from unmask.data.sums import dot, totals
from unmask.engines.cache import Cache
from unmask.intruder.dossier import Dossier
from unmask.linkage.encodings import Encodings
from unmask.masks import GlobalRecoding
from unmask.masks.bands import quantile_cuts
from unmask.masks.categories import category_order, frequencies, merged, recoded

#: Into how many bands numbers are put; and the least share of the records that a merged class has.
BANDS, SHARES = (10, 5), (0.01, 0.05)


@dataclass(frozen=True, eq=False)
class Coarsening:
    """One way to make an attribute coarser.

    ``way``: what is done, in a few words; ``text``: the same as a request; ``count``: how many released
    records have each value after it, those without a value last; ``mask``: the mask that does the same to the
    file, where there is one.
    """

    attribute: str
    way: str
    text: str
    count: Ints
    change: Callable[[Microdata], Microdata]
    mask: GlobalRecoding | None

    def apply(self, stage: Stage) -> Stage:
        """The stage with the attribute so in both files."""
        dossier = stage.dossier
        both = replace(
            dossier, known=self.change(dossier.known), told=None, released=self.change(dossier.released)
        )
        return replace(stage, dossier=both)


def entropy(count: Ints) -> float:
    """The entropy of values that so many records have, in nats: - sum p ln p (Shannon 1948).

    >>> entropy(np.array([4, 0])), round(entropy(np.array([2, 2])), 4)
    (0.0, 0.6931)
    """
    share = count[count > 0] / count.sum()
    return max(0.0, -dot(share, np.log(share)))


def value_counts(data: Microdata, column: Column, cache: Cache) -> Ints:
    """How many records have each value, ascending, or each category, in order; those without one last."""
    if column.kind is Kind.NUMERIC:
        places = Encodings(data, cache).places(column)
        return np.bincount(places.place, minlength=len(places.values))
    found = frequencies(data, column.name, category_order(data, column.name))
    return np.append(found, len(data) - found.sum())


def coarsenings(dossier: Dossier, name: str, cache: Cache) -> Iterator[Coarsening]:
    """The ways to make an attribute coarser that change it and leave it more than one value."""
    column, seen = dossier.known.schema[name], set[int]()
    ways: Iterator[Coarsening | None]
    if column.kind is Kind.NUMERIC:
        ways = (bands(dossier, column, most, cache) for most in BANDS)
    else:
        ways = (_merging(dossier, column, share) for share in SHARES)
    before = np.count_nonzero(value_counts(dossier.released, column, cache)[:-1])
    for way in ways:
        if way is None:
            continue
        after = int(np.count_nonzero(way.count[:-1]))
        if 1 < after < before and after not in seen:
            seen.add(after)
            yield way


def bands(dossier: Dossier, column: Column, most: int, cache: Cache) -> Coarsening | None:
    """The numbers in bands with about as many released records each, as the mean of their band."""
    places = Encodings(dossier.released, cache).places(column)
    count, values = np.bincount(places.place, minlength=len(places.values)), places.values[:-1]
    if not len(values):
        return None
    cuts = quantile_cuts(values, count[:-1], most)
    band = np.searchsorted(cuts, values)
    weight = np.bincount(band, count[:-1], len(cuts) + 1)
    middle = totals(band, values * count[:-1], len(cuts) + 1) / weight
    name = column.name

    def change(data: Microdata) -> Microdata:
        numbers = data.numbers([name])[:, 0]
        means = np.where(np.isnan(numbers), np.nan, middle[np.searchsorted(cuts, numbers)])
        return data.replace({name: pl.Series(name, means, nan_to_null=True)})

    return Coarsening(
        name,
        f"{most} bands",
        f"put '{name}' into {len(middle)} bands",
        np.append(weight.astype(np.int64), count[-1]),
        change,
        GlobalRecoding(quantiles=most, attributes=(name,)),
    )


def _merging(dossier: Dossier, column: Column, share: float) -> Coarsening | None:
    """Categories merged until each has that share of the released records: the rarest, or neighbours."""
    name, released = column.name, dossier.released
    order = column.levels if column.kind is Kind.ORDINAL else category_order(released, name)
    count, least = frequencies(released, name, order), share * len(released)
    find = neighbours if column.kind is Kind.ORDINAL else rarest
    groups = find(count, least)
    if not groups:
        return None
    called = [merged(column.kind, [order[i] for i in group], 0.5) for group in groups]
    recoding = {order[i]: new for group, new in zip(groups, called, strict=True) for i in group}
    if column.kind is Kind.NOMINAL:
        # What the release has not at all is rarer than anything that it has.
        strange = set(dossier.known.categories(name)) - set(order)
        recoding |= dict.fromkeys(strange, called[0])
    single = np.setdiff1d(np.arange(len(order)), [i for group in groups for i in group])
    after = [*count[single].tolist(), *(int(count[group].sum()) for group in groups)]
    many, percent = sum(len(group) for group in groups), f"{100 * share:g}%"
    which = f"{many} neighbouring" if column.kind is Kind.ORDINAL else f"the {many} rarest"
    return Coarsening(
        name,
        f"merged at {percent}",
        f"merge {which} categories of '{name}', so that every one has at least {percent} of the records",
        np.append(after, len(released) - count.sum()).astype(np.int64),
        lambda data: recoded(data, {name: recoding}).data,
        GlobalRecoding(p=many, attributes=(name,)) if _by_one_mask(column.kind, count, groups) else None,
    )


def _by_one_mask(kind: Kind, count: Ints, groups: list[list[int]]) -> bool:
    """Whether global recoding by p makes these groups: the p rarest, or the p neighbours with the fewest."""
    if kind is Kind.NOMINAL:
        return True
    (group, *others), p = groups, len(groups[0])
    fewest = min(range(len(count) - p + 1), key=lambda i: int(count[i : i + p].sum()))
    return not others and group[0] == fewest


def rarest(count: Ints, least: float) -> list[list[int]]:
    """The categories that fewer than so many records have, as one group that at least so many have.

    >>> rarest(np.array([50, 1, 45, 2, 0]), 5)  # 1 and 2 are too few together: the next rarest joins them
    [[1, 2, 3]]
    >>> rarest(np.array([50, 1, 45]), 1), rarest(np.array([2, 2]), 3)
    ([], [])
    """
    found = np.flatnonzero(count)
    order = found[np.argsort(count[found], kind="stable")]
    p = int((count[found] < least).sum())
    while 0 < p < len(order) and count[order[:p]].sum() < least:
        p += 1
    return [np.sort(order[:p]).tolist()] if 1 < p < len(order) else []


def neighbours(count: Ints, least: float) -> list[list[int]]:
    """Ordered categories in groups of neighbours that at least so many records have.

    The class with the fewest records joins that of its neighbours which has fewer, again and again.

    >>> neighbours(np.array([1, 50, 40, 3, 2]), 5), neighbours(np.array([9, 9]), 5)
    ([[0, 1], [3, 4]], [])
    """
    groups = [[i] for i in range(len(count))]
    size = [int(n) for n in count]
    while len(groups) > 1 and min(size) < least:
        at = size.index(min(size))
        left = at if at == len(size) - 1 or (at > 0 and size[at - 1] <= size[at + 1]) else at + 1
        groups[left - 1 : left + 1] = [groups[left - 1] + groups[left]]
        size[left - 1 : left + 1] = [size[left - 1] + size[left]]
    return [group for group in groups if len(group) > 1]
