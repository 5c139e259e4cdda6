"""Whether an intruder can know what a mask does: not every one says it."""

from __future__ import annotations

from typing import TypeGuard

from unmask.linkage.transitions import Transparent


def declares(mask: object) -> TypeGuard[Transparent]:
    """Whether a mask says what it does; one that is made of others may have none that does.

    >>> from unmask.masks import Noise
    >>> declares(Noise(a=0.1)), declares("noise")
    (True, False)
    """
    return isinstance(mask, Transparent) and bool(getattr(mask, "declares", True))
