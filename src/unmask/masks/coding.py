"""What top coding and bottom coding share: they are one method, seen from the two ends of a scale."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from unmask.errors import ArgumentError
from unmask.masks import checks
from unmask.masks.base import categorical_targets
from unmask.masks.categories import category_order, merged
from unmask.microdata import Floats, Microdata

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
