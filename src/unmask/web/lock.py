"""A lock that a process holds for as long as it lives: so a job is found again, however its server ended."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if os.name == "posix":
    import fcntl

    def _take(descriptor: int, wait: bool) -> bool:
        try:
            # Who only looks shares the lock: two of them do not take each other for a job.
            fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

else:
    from importlib import import_module

    def _take(descriptor: int, wait: bool) -> bool:
        windows = import_module("msvcrt")
        try:
            windows.locking(descriptor, windows.LK_LOCK if wait else windows.LK_NBLCK, 1)
        except OSError:
            return False
        return True


@contextmanager
def held(path: Path) -> Iterator[int]:
    """Hold the lock. The system frees it when the process ends, whatever ended it.

    Yields the descriptor: a process that gets it holds the lock too.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _take(descriptor, wait=True)
        yield descriptor
    finally:
        os.close(descriptor)


def is_held(path: Path) -> bool:
    """Whether some process holds the lock.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     lock = Path(folder) / "lock"
    ...     before = is_held(lock)
    ...     with held(lock):
    ...         before, is_held(lock)
    (False, True)
    """
    try:
        descriptor = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        return not _take(descriptor, wait=False)
    finally:
        os.close(descriptor)
