"""What each policy for missing values says of a pair of values, straight from its definition."""

from __future__ import annotations

from typing import Literal

from unmask import Missing

FAR, EQUAL, IGNORED = "far", "equal", "ignored"


def verdict(policy: Missing, known: bool, released: bool) -> Literal["far", "equal", "ignored"]:
    """How a pair compares of which the known value, the released one or both are missing."""
    assert known or released
    if policy is Missing.MISMATCH:
        return "far"
    if policy is Missing.IGNORE:
        return "ignored"
    if policy is Missing.WILDCARD:
        return "equal"
    if policy is Missing.CATEGORY:
        return "equal" if known and released else "far"
    # A missing released value may hide any; what is known to be missing is never filled in.
    return "equal" if released else "far"
