"""Whether the release contradicts the mask: people of whom it cannot have made any released record."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unmask.data.microdata import Floats
from unmask.kernels.mechanism_kinds import LIMIT, MATCH, OVERLAP, TABLE
from unmask.linkage.mechanism.field import Field

#: A larger share of people without a possible record is no accident: the mask is another.
LARGE = 0.05
#: Below this share of people who are there, those without a possible record may just be absent; only if
#: nearly all of those supposed to be there have none, the mask is another.
NEARLY_ALL = 0.95
#: What chance adds to the cost of a person's own record at the most, on average over the attributes, by term:
#: half a squared deviation, or an outcome that is not the likeliest one.
BY_CHANCE, BY_CHANCE_IN_TABLE = 1.0, 4.0


def lenient(field: Field) -> Field:
    """The field with costs that only what is all but impossible makes large.

    Missing values cost nothing, a table only what an outcome costs more than the likeliest one of a category,
    and categories that are compared for equality (there are many, so that each is rare) nothing.
    """
    terms, nothing = field.terms, np.zeros(len(field.terms.kind))
    tables = terms.tables.copy()
    ends = np.append(np.unique(terms.offset), len(tables))
    for offset, width, kind in zip(terms.offset, terms.width, terms.kind, strict=True):
        if kind not in (TABLE, MATCH) or not width:
            continue
        stop = int(ends[np.searchsorted(ends, offset, side="right")])
        table = terms.tables[offset:stop].reshape(-1, int(width))
        tables[offset:stop] = 0.0 if kind == MATCH else _above_least(table).ravel()
    return replace(field, terms=terms._replace(tables=tables, gone=nothing, unknown=nothing, both=nothing))


def _above_least(table: Floats) -> Floats:
    least = table.min(axis=1, keepdims=True)
    return np.asarray(table - np.where(np.isfinite(least), least, 0.0), np.float64)


def unexplained(field: Field, log_best: Floats) -> float:
    """The share of people whose best record, by lenient costs, is beyond what chance does.

    ``log_best``: the logarithm of its likelihood, -infinity where no record is possible.
    """
    kind, soft = field.terms.kind, field.terms.soft
    tables = int(np.isin(kind, (TABLE, MATCH)).sum())
    others = int(((kind != OVERLAP) | (soft > 0)).sum()) - tables
    worst = LIMIT + BY_CHANCE * others + BY_CHANCE_IN_TABLE * tables
    return float((~(log_best >= -worst)).mean()) if len(log_best) else 0.0


def contradicted(unexplained: float, presence: float) -> float:
    """The share of the people in the release whom the mask cannot explain; 0 where it may be an accident.

    ``unexplained``: the share among all who are known, each of whom is there with probability ``presence``.

    >>> contradicted(0.04, 1.0), contradicted(0.5, 1.0), contradicted(0.5, 0.5), contradicted(1.0, 0.5)
    (0.0, 0.5, 0.0, 1.0)
    """
    share = max(unexplained - (1 - presence), 0.0) / presence
    return share if share > (LARGE if presence > NEARLY_ALL else NEARLY_ALL) else 0.0
