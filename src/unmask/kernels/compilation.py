"""Who is told that kernels are compiled. Loading them from disk takes no time; compiling takes minutes.

This module imports nothing heavy, so that a face can ask to be told before there is work.
"""

from __future__ import annotations

from collections.abc import Callable

_TELL: list[Callable[[], None]] = []


def on_compilation(tell: Callable[[], None]) -> None:
    """Call this when the first kernel of the process is compiled; it replaces who asked before."""
    _TELL[:] = [tell]


def compiling() -> None:
    """A kernel is being compiled: the first one is told.

    >>> on_compilation(lambda: print("compiling"))
    >>> compiling()
    compiling
    >>> compiling()
    """
    while _TELL:
        _TELL.pop()()
