"""Memory that nobody uses any more, given back to the system."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from functools import cache

#: The parameter's number in glibc's malloc.h.
_ARENA_MAX = -8


def give_back() -> None:
    """Give freed memory back, where the C library keeps it for later (glibc); elsewhere do nothing.

    An attack on a million records frees hundreds of megabytes in pieces too small to go back by themselves.

    >>> give_back()
    """
    trim = _trim()
    if trim is not None:
        trim(0)


def one_arena() -> None:
    """Let all threads of a program of our own take memory from one place, where the C library is glibc.

    By default every thread has a place of its own, and what the last one freed is of no use to the next. It
    counts from the next thread on; large arrays are not kept from each other by it.
    """
    with suppress(AttributeError, OSError, TypeError):  # another C library, or another system
        ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)


@cache
def _trim() -> ctypes._NamedFuncPointer | None:
    try:
        return ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # another C library, or another system
        return None
