"""Weights as costs, for the engines: cost = weight of full agreement - weight of the level."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.kernels.pairing import DISCRETE, SUM, TABLE, Pairing
from unmask.linkage.agreement import AttributeComparison
from unmask.linkage.fellegi_sunter.em import pooled
from unmask.linkage.fellegi_sunter.model import Model

#: Entries of a table of costs: beyond it, an attribute has one weight for all its values.
MOST_ENTRIES = 2**24
#: Decimals of a cost: equal weights that were computed in two ways are equal costs.
DIGITS = 6


@dataclass(frozen=True, eq=False)
class Costs:
    """The cost of every level (one row per attribute), and of every pair of codes where values differ in it.

    ``tables[j]`` is None where the level alone tells the cost. A table has one row per known code and one
    column per released code, the missing value last in both.
    """

    level: Floats
    tables: tuple[Floats | None, ...]
    notes: tuple[str, ...]


def costs(model: Model, frequency: bool = False) -> Costs:
    """Costs of the model's weights; with ``frequency``, agreement on a rare value counts more.

    A missing value never costs less than full agreement. With ``frequency``, u of a level is that of the
    target's own value: the share of released records at that level from it (Winkler 1989), and each row of
    a table starts from its own smallest cost, which changes no order of the records of a target.
    """
    weights = model.fit.weights()
    best = best_weights(model)
    level = np.asarray(np.round(np.maximum(best[:, None] - weights, 0.0), DIGITS), np.float64)
    tables, plain = [], []
    for j, c in enumerate(model.comparisons):
        by_value = frequency and c.known_codes * c.released_codes <= MOST_ENTRIES
        if frequency and not by_value:
            plain.append(f"'{c.name}'")
        tables.append(_by_value(c, model.fit.matched[j], weights[j]) if by_value else None)
    notes = [f"too many values for weights of their own in {', '.join(plain)}"] if plain else []
    return Costs(level, tuple(tables), tuple(notes))


def best_weights(model: Model) -> Floats:
    """The weight of the best agreement that any pair has, by attribute: weights never rise with the level."""
    best = np.zeros(len(model.comparisons))
    for j, (c, w) in enumerate(zip(model.comparisons, model.fit.weights(), strict=True)):
        used = model.fit.unmatched[j, : c.ordered] > 0
        if used.any():
            best[j] = w[: c.ordered][used].max()
    return best


def _levels(c: AttributeComparison) -> Ints:
    """The level of every pair of codes, the missing value last in both."""
    out = np.empty((c.known_codes + 1, c.released_codes + 1), np.int64)
    if c.table is None:
        out[:-1, :-1] = 1
        same = np.arange(min(c.known_codes, c.released_codes))
        out[same, same] = 0
    else:
        out[:-1, :-1] = c.table
    out[-1, :-1], out[:-1, -1], out[-1, -1] = c.missing_known, c.missing_released, c.missing_both
    return out


def _by_value(c: AttributeComparison, matched: Floats, weights: Floats) -> Floats:
    """Costs with u given the target's value; from no value does a weight rise as agreement falls."""
    levels = _levels(c)
    records = c.histograms()[1].astype(np.float64)
    out = np.empty(levels.shape)
    for b, row in enumerate(levels):
        share = np.bincount(row, records, len(weights)) / records.sum()
        # A level that no record has from here could have half a record.
        u = np.maximum(share, 0.5 / records.sum())
        agreeing = np.append(pooled(matched[: c.ordered], u[: c.ordered]), matched[c.ordered :])
        value = np.log2(np.maximum(agreeing / u, 1e-300))
        if c.weightless is not None:
            value[c.weightless] = 0.0
        out[b] = np.round(value[row].max() - value[row], DIGITS)
    return out


def pairing(model: Model, found: Costs) -> Pairing:
    """The kernels' input: a weighted count of disagreements, or a table of costs, summed."""
    known, released, tables, widths, metric, scale, missing = [], [], [], [], [], [], []
    for j, c in enumerate(model.comparisons):
        cost, table = found.level[j], found.tables[j]
        by_value = table is not None
        if table is None and c.table is not None:
            table = cost[c.table]
        # With weights by value a missing value is one of them; else it has one cost for all values.
        none_known, none_released = (c.known_codes, c.released_codes) if by_value else (np.nan, np.nan)
        known.append(np.where(c.known < 0, none_known, c.known))
        released.append(np.where(c.released < 0, none_released, c.released))
        tables.append(np.empty(0) if table is None else table.ravel())
        widths.append(c.released_codes + by_value)
        metric.append(DISCRETE if table is None else TABLE)
        scale.append(cost[1] if table is None else 1.0)
        missing.append(cost[[c.missing_known, c.missing_released, c.missing_both]])
    missing_known, missing_released, missing_both = np.ascontiguousarray(np.array(missing).T)
    return Pairing(
        known=np.stack(known, axis=1, dtype=np.float64),
        released=np.stack(released, axis=1, dtype=np.float64),
        metric=np.array(metric, np.int64),
        scale=np.array(scale),
        tables=np.concatenate(tables),
        offset=np.cumsum([0, *(t.size for t in tables[:-1])]).astype(np.int64),
        width=np.array(widths, np.int64),
        missing_known=missing_known,
        missing_released=missing_released,
        missing_both=missing_both,
        power=1,
        code=SUM,
        params=np.ones(len(known)),
    )
