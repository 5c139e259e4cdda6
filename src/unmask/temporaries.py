"""Temporary files: each lies beside the file that it becomes, and none outlives the program for long.

They may hold values of records. They are removed when the work ends, however it ends; what a process left
that was killed is removed by the next one that writes into the folder. This module imports nothing heavy: the
program needs it in its first and in its last moments.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

_NAME = re.compile(r"\.unmask-([0-9a-f]{8})-([0-9]+)-[0-9a-f]{16}\.tmp")

#: Those of this process that are there, files and folders.
_there: set[Path] = set()
_folders: set[Path] = set()


def make(folder: Path) -> Path:
    """A new empty file in a folder, with the permissions that the user's umask gives.

    Its name tells the process that it belongs to.
    """
    path = folder / _name()
    _there.add(path)
    try:
        path.open("xb").close()
    except BaseException:
        discard(path)
        raise
    return path


@contextmanager
def folder(home: Path | None = None) -> Iterator[Path]:
    """A new folder that nobody else may look into, for as long as it is needed.

    ``home``: where it is made; None: where the system has temporary files.
    """
    import tempfile

    path = new_folder(Path(tempfile.gettempdir()) if home is None else home)
    try:
        yield path
    finally:
        clear_folder(path)


def new_folder(home: Path) -> Path:
    """A new folder in another, which nobody else may look into, until :func:`clear_folder`."""
    sweep(home)
    path = home / _name()
    _folders.add(path)
    try:
        path.mkdir(mode=0o700)
    except BaseException:
        _folders.discard(path)
        raise
    return path


def clear_folder(path: Path) -> None:
    """Remove such a folder with all that is in it."""
    _clear(path)
    _folders.discard(path)


def discard(path: Path) -> None:
    """Remove one that is not needed, if it is still there."""
    path.unlink(missing_ok=True)
    _there.discard(path)


def remove() -> None:
    """Remove all that this process has left; it is about to end."""
    for path in tuple(_there):
        with suppress(OSError):
            path.unlink(missing_ok=True)
    for path in tuple(_folders):
        _clear(path)


def sweep(folder: Path) -> None:
    """Remove from a folder what processes left behind that were killed.

    Only files and folders whose name says that they are of this machine, and of a process that is not there
    any more.
    """
    if os.name != "posix":
        return  # where one cannot ask for a process without ending it
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            found = _NAME.fullmatch(entry.name)
            if found and found[1] == _machine() and not _alive(int(found[2])):
                if entry.is_dir(follow_symlinks=False):
                    _clear(Path(entry.path))
                    continue
                with suppress(OSError):
                    Path(entry.path).unlink()


def _clear(path: Path) -> None:
    """Remove a folder with all that is in it, as far as that is allowed."""
    import shutil

    shutil.rmtree(path, ignore_errors=True)


def _name() -> str:
    """A name that tells the process it belongs to."""
    return f".unmask-{_machine()}-{os.getpid()}-{os.urandom(8).hex()}.tmp"


def _alive(process: int) -> bool:
    """Whether there is such a process; where that cannot be told, there is.

    >>> _alive(os.getpid())
    True
    """
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


@cache
def _machine() -> str:
    """A mark of all processes that know each other by their numbers.

    Two machines may write into one folder, and so may two containers of one machine.
    """
    space = ""
    with suppress(OSError):
        space = os.readlink("/proc/self/ns/pid")  # noqa: PTH115
    name = os.uname().nodename if hasattr(os, "uname") else ""
    return sha256(f"{name} {space}".encode()).hexdigest()[:8]
