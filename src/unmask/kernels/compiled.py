"""How kernels are compiled: to disk once, without Python's lock, and exactly as written (no fast-math)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """A kernel that may make arrays."""
    return cast(F, njit(cache=True, nogil=True)(function))


def inner(function: F) -> F:
    """A kernel of the innermost loops, which makes no arrays.

    Numba counts the references to every array that a function is handed, in tuples above all, with locked
    instructions; in the searches that took two thirds of the time. `_nrt=False` leaves the counting out,
    which is safe where nothing is allocated: numba refuses to compile a function that allocates.
    """
    options: dict[str, Any] = {"_nrt": False}
    return cast(F, njit(cache=True, nogil=True, **options)(function))
