"""Compiled kernels on disk, known by the contents of every kernel's source.

Numba's own cache looks only at the file of a function itself: after an upgrade it would go on using a kernel
that was compiled together with the former version of what it calls. It also writes beside the sources, or
elsewhere if they may not be written. Here all kernels of one state of the sources have a folder of their own.
"""

from __future__ import annotations

import glob
import os
import pickle
import platform
import secrets
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from llvmlite.binding import get_host_cpu_features, get_host_cpu_name
from numba.core import config
from numba.core.caching import FunctionCache
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps

from unmask.cache_folder import NoCacheError, own_folder
from unmask.kernels import compilation

#: Folders of other states of the sources: those unused for so many days go, and so do the oldest beyond a
#: number, but for those used within a day. Another tree or environment may be at work with them.
UNUSED_DAYS, MOST, IN_USE_DAYS = 30, 8, 1

#: Settings of numba's that change what it makes, and that its cache does not ask about.
_SETTINGS = (
    *("OPT", "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE"),
    *("CPU_NAME", "CPU_FEATURES"),
)
_DAY = 86_400.0
_DIGEST, _SUFFIX = sha256().digest_size, ".kernel"


class KernelCache(FunctionCache):
    """The compiled forms of one kernel, one file for each set of argument types.

    Numba numbers its files by an index, which two processes that compile at once may overwrite for each
    other; here the name of a file follows from what is in it, and the file appears whole or not at all. What
    cannot be read is compiled again, and a full disk is no error.
    """

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        code = function.__code__
        self._name, self._py_func, self._cache_path = repr(function), function, str(folder)
        self._stem = folder / f"{function.__module__}.{function.__qualname__}-{code.co_firstlineno}"
        self._enabled = True

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel for these types, if it is kept and whole."""
        if not self._enabled:
            return None
        target_context.refresh()
        key = self._key(sig, target_context.codegen())
        try:
            packed = self._file(key).read_bytes()
            digest, body = packed[:_DIGEST], packed[_DIGEST:]
            if digest != sha256(body).digest():
                return None
            kept_key, reduced = pickle.loads(body)  # from a folder that only this user may write
            if kept_key != key:
                return None
            return CompileResult._rebuild(target_context, *reduced)  # type: ignore[no-untyped-call]
        except Exception:  # whatever pickle and LLVM think of
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled kernel."""
        uncacheable = data.library.has_dynamic_globals or any(not one.can_cache for one in data.lifted)
        if uncacheable or not self._enabled:
            return
        key = self._key(sig, data.codegen)
        body = dumps((key, data._reduce()))  # type: ignore[no-untyped-call]
        path = self._file(key)
        temporary = path.with_name(f".{secrets.token_hex(8)}")
        with suppress(OSError):
            try:
                temporary.write_bytes(sha256(body).digest() + body)
                temporary.replace(path)
            finally:
                temporary.unlink(missing_ok=True)

    def flush(self) -> None:
        """Forget what is kept of this kernel."""
        for path in self._stem.parent.glob(f"{glob.escape(self._stem.name)}.*{_SUFFIX}"):
            path.unlink(missing_ok=True)

    def _key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        """The types, the processor and the function's own code, as numba's cache has them."""
        key: tuple[Any, ...] = self._index_key(sig, codegen)  # type: ignore[no-untyped-call]
        return key

    def _file(self, key: tuple[Any, ...]) -> Path:
        digest = sha256(str(key).encode()).hexdigest()[:16]
        return self._stem.with_name(f"{self._stem.name}.{digest}{_SUFFIX}")


def keep(kernel: Any) -> None:
    """Let a kernel be kept on disk, where there is a place for it."""
    folder = kernel_folder()
    # With NUMBA_DISABLE_JIT, a kernel is just a function.
    if folder is not None and isinstance(kernel, Dispatcher):
        kernel._cache = KernelCache(kernel.py_func, folder)  # type: ignore[attr-defined]


@cache
def kernel_folder() -> Path | None:
    """The folder for the present state of the sources; None where nothing can be kept."""
    name = state()
    if name is None:
        compilation.not_kept("the sources of unmask are not there to be told apart")
        return None
    try:
        place = own_folder("kernels")
        is_new = not (place / name).is_dir()
        folder = own_folder("kernels", name)
    except NoCacheError as why:
        compilation.not_kept(str(why))
        return None
    if is_new:
        remove_unused(place, name)
    with suppress(OSError):  # it may be there to be read only
        os.utime(folder)  # it is used today
    return folder


@cache
def state() -> str | None:
    """The version, and a digest of the sources of all kernels and of what else compiled code depends on."""
    sources = sorted(
        (one.name, one.read_bytes()) for one in files(__package__).iterdir() if one.name.endswith(".py")
    )
    if not sources:
        return None
    try:
        package = version("unmask")
    except PackageNotFoundError:
        package = "unknown"
    features = ""
    with suppress(RuntimeError):  # not every machine tells
        features = get_host_cpu_features().flatten()
    made_by = (
        *(package, numba.__version__, llvmlite.__version__, np.__version__),
        *(sys.implementation.cache_tag, sys.platform, platform.machine(), get_host_cpu_name(), features),
        *(f"{name}={getattr(config, name, None)}" for name in _SETTINGS),
    )
    digest = sha256(repr(made_by).encode())
    for name, text in sources:
        digest.update(f"{name} {len(text)} ".encode() + text)
    return f"{package}-{digest.hexdigest()[:24]}"


def remove_unused(place: Path, present: str) -> None:
    """Remove what former versions left, see ``UNUSED_DAYS`` and ``MOST``."""
    now = time.time()
    with suppress(OSError):
        ages = sorted((now - one.stat().st_mtime, one) for one in place.iterdir() if one.name != present)
        for place_in_line, (age, folder) in enumerate(ages):
            if age > UNUSED_DAYS * _DAY or (place_in_line >= MOST and age > IN_USE_DAYS * _DAY):
                shutil.rmtree(folder, ignore_errors=True)
