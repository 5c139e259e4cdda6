"""How kernels are compiled: to disk once, without Python's lock, and exactly as written (no fast-math).

Every kernel is made here, so that all of them are kept by :mod:`unmask.kernels.kernel_cache`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit
from numba.core.event import Event, Listener, register

from unmask.kernels.compilation import compiling
from unmask.kernels.kernel_cache import keep

F = TypeVar("F", bound=Callable[..., Any])


class Compilations(Listener):
    """Hears when numba compiles; a kernel that it loads from disk is no such event."""

    def on_start(self, event: Event) -> None:
        """A compilation starts."""
        compiling()

    def on_end(self, event: Event) -> None:
        """A compilation ends."""


register("numba:compile", Compilations())  # type: ignore[no-untyped-call]


def compiled(function: F) -> F:
    """A kernel that may make arrays."""
    return _kept(function)


def inner(function: F) -> F:
    """A kernel of the innermost loops, which makes no arrays.

    Numba counts the references to every array that a function is handed, in tuples above all, with locked
    instructions; in the searches that took two thirds of the time. `_nrt=False` leaves the counting out,
    which is safe where nothing is allocated: numba refuses to compile a function that allocates.
    """
    return _kept(function, _nrt=False)


def _kept(function: F, **options: Any) -> F:
    kernel = njit(nogil=True, **options)(function)
    keep(kernel)
    return cast(F, kernel)
