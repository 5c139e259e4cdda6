"""How kernels are compiled: to disk once, without Python's lock, and exactly as written (no fast-math)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit
from numba.core.event import Event, Listener, register

from unmask.kernels.compilation import compiling

F = TypeVar("F", bound=Callable[..., Any])


def drop_stale(folder: Path) -> None:
    """Remove compiled kernels that are older than any source beside them.

    Numba looks only at the file of a function itself, so after an upgrade it would go on using a kernel
    compiled together with the former version of what it calls.
    """
    newest = max((source.stat().st_mtime for source in folder.glob("*.py")), default=0.0)
    for stored in (folder / "__pycache__").glob("*.nb[ci]"):
        with suppress(OSError):  # another process was quicker, or the folder is not ours to change
            if stored.stat().st_mtime < newest:
                stored.unlink()


drop_stale(Path(__file__).parent)


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
    return cast(F, njit(cache=True, nogil=True)(function))


def inner(function: F) -> F:
    """A kernel of the innermost loops, which makes no arrays.

    Numba counts the references to every array that a function is handed, in tuples above all, with locked
    instructions; in the searches that took two thirds of the time. `_nrt=False` leaves the counting out,
    which is safe where nothing is allocated: numba refuses to compile a function that allocates.
    """
    options: dict[str, Any] = {"_nrt": False}
    return cast(F, njit(cache=True, nogil=True, **options)(function))
