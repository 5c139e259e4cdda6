"""What top coding and bottom coding share: they are one method, seen from the two ends of a scale."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from unmask.data.microdata import Floats, Microdata
from unmask.data.schema import Kind
from unmask.errors import ArgumentError
from unmask.linkage.transitions import Categories, Declaration, Seen, recoding_chances
from unmask.masks import checks
from unmask.masks.base import categorical_targets
from unmask.masks.categories import category_order, merged
from unmask.masks.declaring import SAME, Flags, behind, share_of_any

REPLACEMENTS = ("limit", "mean")


def check_coding(
    mask: str,
    p: Any,
    limit: Any,
    share: Any,
    replacement: str,
    attributes: tuple[str, ...] | None,
) -> None:
    """Refuse parameters that do not fit together."""
    if p is not None:
        checks.whole(mask, "p", p, 1)
    if limit is not None:
        checks.number(mask, "limit", limit, -np.inf)
        if attributes is None:
            raise ArgumentError(
                f"{mask}: a limit is given, but not for which attributes",
                hint="name the attributes, or give a share of the records",
            )
    if share is not None:
        checks.number(mask, "share", share, 0, 1)
    checks.choice(mask, "replacement", replacement, REPLACEMENTS)
    if p is not None and replacement != "limit":
        raise ArgumentError(
            f"{mask}: categories have no mean", hint="leave the replacement out, or give a limit or share"
        )


def coder(limit: float | None, share: float | None, replacement: str) -> Callable[[Floats], Floats]:
    """The function that codes the values above a limit."""

    def change(column: Floats) -> Floats:
        bound = limit if limit is not None else limit_of_share(column, share or 0.0)
        above = column > bound
        if not above.any():
            return column
        return np.where(above, bound if replacement == "limit" else column[above].mean(), column)

    return change


def coded_values(levels: Floats, limit: float | None, replacement: str) -> tuple[Floats, Floats]:
    """The values behind each released one: itself, and for the coded ones all from the limit on.

    Where the limit is not told, the largest released value is the coded one, if any is; it is the limit
    itself, or a mean above the next one.

    >>> coded_values(np.array([1.0, 2.0, 5.0]), None, "mean")
    (array([1., 2., 2.]), array([ 1.,  2., inf]))
    """
    low, high = levels.copy(), levels.copy()
    if limit is not None:
        low[levels >= limit], high[levels >= limit] = limit, np.inf
        return low, high
    high[-1] = np.inf
    if replacement == "mean":
        low[-1] = levels[-2] if len(levels) > 1 else -np.inf
    return low, high


def declared_coding(
    seen: Seen,
    attributes: tuple[str, ...] | None,
    p: int | None,
    coded: tuple[float | None, float | None, str],
    top: bool,
) -> Declaration:
    """What top (bottom) coding does: to categories with p, else to numbers (limit, share, replacement)."""
    if p is not None:
        names = seen.targets(attributes, (Kind.ORDINAL, Kind.NOMINAL))
        file = seen.known if seen.whole is None else seen.whole
        recodings = end_recodings(file, names, p, top) if names else {}
        return Declaration(tuple(Categories(name, recoding_chances(r)) for name, r in recodings.items()))
    limit, share, replacement = coded
    # Bottom coding is top coding of the negative numbers.
    sign = 1.0 if top else -1.0
    change = coder(None if limit is None else sign * limit, share, replacement)

    def supposed(levels: Floats) -> tuple[Floats, Floats]:
        bound = None if limit is None else sign * limit
        low, high = coded_values(np.sort(sign * levels), bound, replacement)
        return (low, high) if top else (-high[::-1], -low[::-1])

    names = seen.targets(attributes, (Kind.NUMERIC,))
    parts = tuple(behind(seen, name, lambda column: sign * change(sign * column), supposed) for name in names)
    beyond = [] if limit is None else [_beyond(seen, name, sign, limit, replacement) for name in names]
    return Declaration(parts, impossible=share_of_any(beyond))


def _beyond(seen: Seen, name: str, sign: float, limit: float, replacement: str) -> Flags:
    """Which released values lie beyond the limit, where nothing but the one that stands for them may."""
    values = sign * seen.released.numbers([name])[:, 0]
    found = values > sign * limit + seen.rounding(name) * (1 + SAME) + SAME * abs(limit)
    if replacement == "mean" and len(np.unique(values[found])) == 1:
        return np.zeros_like(found)
    return np.asarray(found, dtype=np.bool_)


def limit_of_share(column: Floats, share: float) -> float:
    """The smallest value with at most that share of the values above it.

    >>> limit_of_share(np.array([1.0, 2.0, 3.0, 4.0, 4.0]), 0.4)
    3.0
    >>> limit_of_share(np.array([1.0, 2.0, 2.0]), 0.4)
    2.0
    """
    # 0.29 * 100 must count as 29, not as the 28.999999999999996 that floating point makes of it.
    most = int(np.floor(share * len(column) + 1e-9))
    return float(np.sort(column)[max(0, len(column) - 1 - most)])


def end_recodings(
    original: Microdata, attributes: tuple[str, ...] | None, p: int, top: bool
) -> dict[str, dict[str, str]]:
    """The recoding of each target that makes one of its p last (first) categories."""
    recodings = {}
    for name in categorical_targets(original, attributes):
        categories = category_order(original, name)
        count = min(p, len(categories))
        group = categories[len(categories) - count :] if top else categories[:count]
        kind = original.schema[name].kind
        one = merged(kind, group, 0.0 if top else 1.0) if group else ""
        recodings[name] = {c: one if c in group else c for c in categories}
    return recodings
