"""Memory that nobody uses any more, given back to the system."""

from __future__ import annotations

import ctypes
from functools import cache


def give_back() -> None:
    """Give freed memory back, where the C library keeps it for later (glibc); elsewhere do nothing.

    An attack on a million records frees hundreds of megabytes in pieces too small to go back by themselves.

    >>> give_back()
    """
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> ctypes._NamedFuncPointer | None:
    try:
        return ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # another C library, or another system
        return None
