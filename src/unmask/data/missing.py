"""How missing values compare: one declared policy, followed by every method."""

from __future__ import annotations

from enum import StrEnum


class Missing(StrEnum):
    """How a missing value compares, in every method.

    ``mismatch``: as far away as the attribute allows, even from another missing value;
    ``ignore``: the attribute does not count for the pair, the others stand for it;
    ``wildcard``: it agrees with everything;
    ``category``: a value of its own, equal to itself and far from all others;
    ``suppressed``: a missing released value may hide any: it speaks against nobody, but comes after a value
    that agrees, which speaks for somebody; a missing known value equals a missing released one only, because
    suppression never fills a value in.

    Within one file, or between two releases, ``suppressed`` is ``wildcard``.
    """

    MISMATCH = "mismatch"
    IGNORE = "ignore"
    WILDCARD = "wildcard"
    CATEGORY = "category"
    SUPPRESSED = "suppressed"
