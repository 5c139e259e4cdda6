"""Putting a file in its place: whole or not at all, with the permissions that it should have."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from unmask import temporaries
from unmask.data.io.sources import shown
from unmask.errors import ArgumentError, DataError

#: Readable and writable by the user alone.
PRIVATE = 0o600
#: What Linux calls the access list of a file.
_ACCESS = "system.posix_acl_access"


@dataclass(frozen=True)
class Access:
    """Who may read a new file: whom the umask lets, and of those only whom ``mode`` lets too.

    A file that is replaced keeps its own permissions, whatever these are.

    >>> Access().limited(0o644) == 0o644, Access(PRIVATE).limited(0o644) == 0o600
    (True, True)
    """

    mode: int = 0o777

    @staticmethod
    def of(path: Path | None) -> Access:
        """Nobody but those who may read or write this file, as far as it is one."""
        try:
            return Access() if path is None else Access(path.stat().st_mode & 0o777)
        except OSError:
            return Access()

    def limited(self, mode: int) -> int:
        """The permissions of a new file, where the umask gives these."""
        return (mode & self.mode) | (mode & PRIVATE)


#: For what lists people.
ONLY_USER = Access(PRIVATE)


def check_place(target: Path) -> None:
    """Refuse a place where no file can be put, without putting one there."""
    label = shown(target)
    there = _status(target)
    if there is not None and stat.S_ISDIR(there.st_mode):
        raise ArgumentError(f"'{label}' is a folder, not a file", hint="name a file in it")
    folder = _status(target.parent)
    if folder is None or not stat.S_ISDIR(folder.st_mode):
        raise ArgumentError(f"there is no folder to write '{label}' in", hint="make the folder first")
    if there is not None and not stat.S_ISREG(there.st_mode):
        # A device or a pipe would be replaced by a file, which is not what it is named for.
        raise ArgumentError(f"'{label}' is not an ordinary file", hint="name a file to write")
    if there is not None and not os.access(target, os.W_OK):
        raise ArgumentError(
            f"'{label}' is there and may not be written", hint="name another file, or change its permissions"
        )


def check_writable(target: Path) -> None:
    """Refuse, before the work starts, a place whose folder takes no new file or keeps the old one."""
    check_place(target)
    there, folder = _status(target), target.parent.stat()
    try:
        temporaries.discard(temporaries.make(target.parent))
    except OSError as error:
        raise _refused(target, error) from None
    kept = folder.st_mode & stat.S_ISVTX and there is not None and hasattr(os, "geteuid")
    if kept and there is not None and os.geteuid() not in (0, there.st_uid, folder.st_uid):
        raise ArgumentError(f"'{shown(target)}' is another user's", hint="name another file")


@contextmanager
def replacing(target: Path, access: Access) -> Iterator[Path]:
    """An empty temporary file in the target's folder, which takes the target's place at the end."""
    check_place(target)
    temporaries.sweep(target.parent)
    temporary: Path | None = None
    try:
        temporary = temporaries.make(target.parent)
        usual = stat.S_IMODE(temporary.stat().st_mode)
        temporary.chmod(PRIVATE)  # until it is whole and has its own permissions
        yield temporary
        _allow(temporary, target, access.limited(usual))
        _store(temporary)
        temporary.replace(target)
        _store_folder(target.parent)
    except OSError as error:
        raise _refused(target, error) from None
    finally:
        if temporary is not None:
            temporaries.discard(temporary)


def _allow(temporary: Path, target: Path, mode: int) -> None:
    """The permissions of the file that is replaced, its owner and group where that is allowed; else these."""
    there = _status(target)
    if there is None:
        temporary.chmod(mode)
        return
    if hasattr(os, "chown"):
        _give(temporary, there)
    ours = temporary.stat()
    mode = there.st_mode & 0o777
    if hasattr(os, "chown") and ours.st_gid != there.st_gid:
        mode &= ~0o070  # it is for another group
    temporary.chmod(mode)
    if hasattr(os, "getxattr"):
        with suppress(OSError):  # most files have no list
            os.setxattr(temporary, _ACCESS, os.getxattr(target, _ACCESS))


def _give(temporary: Path, there: os.stat_result) -> None:
    """The owner and the group, or the group alone: only a system's administrator gives files away."""
    ours = temporary.stat()
    if (ours.st_uid, ours.st_gid) == (there.st_uid, there.st_gid):
        return
    for owner in (there.st_uid, -1):
        with suppress(OSError):
            os.chown(temporary, owner, there.st_gid)
            return


def _store(path: Path) -> None:
    """Have the disk hold the content before the name leads to it: a failing machine loses neither."""
    with path.open("r+b") as stream:
        os.fsync(stream.fileno())


def _store_folder(folder: Path) -> None:
    """Have the disk hold the new name; a system that has no such call does it in its own time."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _status(path: Path) -> os.stat_result | None:
    """What is there, behind a link too; None where nothing is."""
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except PermissionError:
        raise ArgumentError(
            f"no permission to write '{shown(path)}'", hint="name a file in a folder of yours"
        ) from None
    except (OSError, ValueError):
        raise ArgumentError(
            f"no file can be called '{shown(path)}'", hint="choose a shorter name, without odd characters"
        ) from None


def _refused(target: Path, error: OSError) -> DataError:
    return DataError(
        f"'{shown(target)}' cannot be written: {error.strerror or 'the system refused'}",
        hint="check the permissions of the folder and the space on the disk",
    )
