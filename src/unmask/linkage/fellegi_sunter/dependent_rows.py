"""Rows of targets, in which agreement by chance on attributes that depend on each other counts once.

The other released records of a target's row have the density of the population, not the product of its
attributes' densities. A tree of the dependences of attributes that are equal or not is taken off. Between
attributes of several levels it is not: two levels that seldom meet among non-matches (near in one, far in the
other) would speak for a match, and m would follow them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.engines import Engine
from unmask.linkage.agreement import AttributeComparison
from unmask.linkage.fellegi_sunter.rows import SampledRows
from unmask.linkage.fellegi_sunter.tree import agreement_tree

#: Levels of an attribute that is equal or not.
EQUAL_OR_NOT = 2
#: So many records with the dependences of all rows are added to those of a target's row.
OF_ALL = 5.0


def without_dependence(
    rows: SampledRows, comparisons: Sequence[AttributeComparison], matched: Floats, engine: Engine
) -> SampledRows:
    """The rows with fewer records of patterns that dependent attributes show together by chance.

    Matches with this m (``matched``) are taken out of the dependences. What a target's row shows of two
    attributes is mixed with a few records of what all rows show.
    """
    exact = [j for j, c in enumerate(comparisons) if c.table is None and c.levels == EQUAL_OR_NOT]
    if len(exact) < 2:
        return rows
    tree = agreement_tree(
        [comparisons[j] for j in exact], matched[exact, :EQUAL_OR_NOT], rows.setting.share, engine
    )
    times, row = rows.rows.times, np.repeat(np.arange(len(rows.sampled)), np.diff(rows.rows.start))
    more = np.zeros(len(times))
    for a, b, oftener in zip(tree.first, tree.second, tree.excess, strict=True):
        i, j = exact[a], exact[b]
        cell = (row * EQUAL_OR_NOT + _levels(rows, i)) * EQUAL_OR_NOT + _levels(rows, j)
        first, second = (rows.known.unmatched[k][rows.sampled[:, k]] for k in (i, j))
        apart = first[:, :, None] * second[:, None, :]
        met = np.bincount(cell, rows.count, apart.size).reshape(apart.shape)
        usual = apart * 2.0**oftener
        usual *= OF_ALL / usual.sum(axis=(1, 2), keepdims=True)
        together = (met + usual) / (rows.records + OF_ALL)
        more += np.log(together / apart).ravel()[cell]
    return replace(rows, rows=rows.rows._replace(times=times * np.exp(-more)))


def _levels(rows: SampledRows, j: int) -> Ints:
    """The level of attribute j in every pattern."""
    parts, codes = rows.rows.parts, rows.rows.codes
    k = int(np.searchsorted(parts.start, j, side="right")) - 1
    return np.asarray(codes[:, k] // parts.stride[j] % parts.radix[j] % rows.levels[j], np.int64)
