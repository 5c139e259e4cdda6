"""What each policy for missing values says of a pair of values, from its definition; and counting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from unmask import Missing

FAR, EQUAL, IGNORED, HIDDEN = "far", "equal", "ignored", "hidden"

Row = Sequence[object]


def verdict(policy: Missing, known: bool, released: bool) -> Literal["far", "equal", "ignored", "hidden"]:
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
    if known and released:
        return "equal"
    return "hidden" if released else "far"


def compatible(known: Row, released: Row) -> bool:
    """Whether suppression alone may have made the one of the other."""
    return all(a is None or a == b for b, a in zip(known, released, strict=True))


def counting(original: Sequence[Row], released: Sequence[Row]) -> np.ndarray:
    """Everybody's risk if all compatible records are alike; record i of the release is person i's."""
    return np.array([1 / sum(compatible(b, a) for a in released) for b in original])
