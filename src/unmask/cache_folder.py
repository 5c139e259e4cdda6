"""Where unmask keeps what it can make again: compiled kernels, chart libraries, parts of unfinished runs.

Compiled code is loaded from there, so the folder must be the user's own: one that somebody else owns or may
write into is refused, since that person could put a program of theirs into it.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

VARIABLE = "UNMASK_CACHE_DIR"

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class NoCacheError(OSError):
    """Why nothing can be kept, in a line."""


def cache_folder() -> Path:
    """UNMASK_CACHE_DIR, else ``unmask`` in the folder where this user's programs keep such things."""
    told = os.environ.get(VARIABLE)
    if told:
        return Path(told)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    try:
        return Path(base).expanduser() / "unmask"
    except RuntimeError:
        raise NoCacheError(f"the user has no home: name a folder in {VARIABLE}") from None


def own_folder(*parts: str) -> Path:
    """A folder in the cache, made with mode 0700 where it is missing.

    A folder that is there already may be one that cannot be written: what it holds is still of use.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     os.environ[VARIABLE] = str(Path(place) / "cache")
    ...     made = own_folder("kernels")
    ...     print(made.relative_to(place).as_posix(), oct(stat.S_IMODE(made.stat().st_mode)))
    cache/kernels 0o700
    >>> del os.environ[VARIABLE]
    """
    folder = cache_folder()
    try:
        if not folder.is_dir():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        elif not os.environ.get(VARIABLE):
            _tighten(folder)
        _check(folder)
        for part in parts:
            folder = folder / part
            folder.mkdir(mode=0o700, exist_ok=True)
            _check(folder)
    except NoCacheError:
        raise
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "the system refused"
        raise NoCacheError(f"'{folder}' cannot be made: {why}; {VARIABLE} names another place") from None
    return folder


def _tighten(folder: Path) -> None:
    """The usual folder is unmask's alone, so that a generous umask is mended, not complained about."""
    found = folder.stat()
    if hasattr(os, "getuid") and found.st_uid == os.getuid() and found.st_mode & _OTHERS_WRITE:
        folder.chmod(0o700)


def _check(folder: Path) -> None:
    """Refuse what others own or may write into. Root may do anything anyway."""
    if not hasattr(os, "getuid"):
        return  # Windows: the user's folders are closed to others
    found = folder.stat()
    if found.st_uid not in (os.getuid(), 0):
        raise NoCacheError(f"'{folder}' belongs to another user: name a folder of your own in {VARIABLE}")
    if found.st_mode & _OTHERS_WRITE:
        raise NoCacheError(
            f"others may write into '{folder}': take that right away (chmod go-w), or name a folder of your "
            f"own in {VARIABLE}"
        )
