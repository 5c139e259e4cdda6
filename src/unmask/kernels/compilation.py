"""Who is told that kernels are compiled. Loading them from disk takes no time; compiling takes minutes.

This module imports nothing heavy, so that a face can ask to be told before there is work.
"""

from __future__ import annotations

from collections.abc import Callable

#: Called with why kernels are not kept on disk for later runs; empty if they are.
Tell = Callable[[str], None]

_TELL: list[Tell] = []
_NOT_KEPT: list[str] = [""]


def on_compilation(tell: Tell) -> None:
    """Call this when the first kernel of the process is compiled; it replaces who asked before."""
    _TELL[:] = [tell]


def not_kept(why: str) -> None:
    """What is compiled now has to be compiled again in the next run."""
    _NOT_KEPT[:] = [why]


def compiling() -> None:
    """A kernel is being compiled: the first one is told.

    >>> on_compilation(lambda why_not_kept: print("compiling"))
    >>> compiling()
    compiling
    >>> compiling()
    """
    while _TELL:
        _TELL.pop()(_NOT_KEPT[0])
