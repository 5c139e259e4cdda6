"""What the readers share: finding the file, loading a library when it is needed, naming what went wrong."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from tempfile import TemporaryFile
from threading import RLock
from typing import IO, Any

import polars as pl

from unmask.errors import DataError, MissingDependencyError, UnmaskError

# A longer name of a file is cut in messages.
LONGEST_LABEL = 100
# Two readings at a time would leave the error output with the wrong one.
_ONE_AT_A_TIME = RLock()


@dataclass(frozen=True)
class Options:
    """What a user may tell about a source; a format that has no use for an option does not look at it."""

    delimiter: str | None = None
    encoding: str | None = None
    sheet: str | None = None
    table: str | None = None


def existing(path: Path) -> Path:
    """The path, once it is known to be an ordinary file that may be read.

    Pipes, devices and sockets are refused before they are opened: they may have no end, or no beginning.
    """
    label = shown(path)
    try:
        mode = path.stat().st_mode
        if S_ISREG(mode):
            with path.open("rb"):
                return path
    except FileNotFoundError:
        raise DataError(f"no file '{label}'", hint="check the path and the name") from None
    except PermissionError:
        raise DataError(
            f"no permission to read '{label}'", hint="ask its owner for permission to read it"
        ) from None
    except (OSError, ValueError):
        raise DataError(f"the file '{label}' cannot be opened", hint="check the path and the name") from None
    if S_ISDIR(mode):
        raise DataError(f"'{label}' is a folder, not a file", hint="name a file in it")
    raise DataError(
        f"'{label}' is not an ordinary file but a pipe, a device or a socket",
        hint="write what it gives to a file, and name that",
    )


def read_text(path: Path) -> str:
    """The text of a small file, such as a schema or an assessment."""
    label = shown(path)
    try:
        return existing(path).read_text(encoding="utf-8-sig")
    except UnicodeError:
        raise DataError(f"'{label}' is not UTF-8 text", hint="save it as UTF-8") from None
    except OSError:
        raise DataError(f"'{label}' cannot be read", hint="check its permissions") from None


def shown(path: Path) -> str:
    r"""A path's last part, safe to print in one line.

    >>> shown(Path("private/of-jane/people\n.csv"))
    'people?.csv'
    """
    name = path.name if len(path.name) <= LONGEST_LABEL else path.name[:LONGEST_LABEL] + "..."
    return "".join(c if c.isprintable() else "?" for c in name) or "."


def optional(library: str, extra: str, purpose: str) -> Any:
    """A module that only some formats need, imported when one of them is read."""
    name = library.partition(".")[0]
    try:
        module = import_module(library)
    except ImportError:
        raise MissingDependencyError(name, extra, purpose) from None
    # Who installed it without the extra may have one that is too old, and would hear that the file is wrong.
    found, needed = _versions(name)
    if _numbers(found) < _numbers(needed):
        raise MissingDependencyError(name, extra, purpose, found=found, needed=needed)
    return module


@cache
def _versions(name: str) -> tuple[str, str]:
    """The version of a library that is installed, and the least that unmask's extras ask for."""
    name = name.replace("_", "-")
    with suppress(PackageNotFoundError):
        bounds = (re.match(rf"{name}>=([\d.]+)", one) for one in requires("unmask") or ())
        needed = next((bound[1] for bound in bounds if bound), "")
        return version(name), needed
    return "", ""


def _numbers(text: str) -> tuple[int, ...]:
    """A version as numbers: those before anything else.

    >>> _numbers("1.3.7"), _numbers("2.0.0rc1"), _numbers("")
    ((1, 3, 7), (2, 0), ())
    """
    return tuple(int(part) for part in itertools.takewhile(str.isdecimal, text.split(".")))


@contextmanager
def reading(source: str, what: str, hint: str | None = None) -> Iterator[None]:
    """Turn whatever a library raises on a bad file into one line, without the values it may quote.

    The libraries raise exceptions of many kinds, and name cells of the file in their messages. One that lacks
    another library is no fault of the file.
    """
    try:
        with _unheard():
            yield
    except (UnmaskError, MemoryError):
        raise
    except (Exception, pl.exceptions.PanicException) as error:
        lacking = _lacking(error)
        if lacking:
            raise MissingDependencyError(lacking, "", f"reading {source} as {what}") from None
        raise DataError(
            f"{source} cannot be read as {what}",
            hint=hint or "check that it is whole and of the format that its name tells",
        ) from None


@contextmanager
def _unheard() -> Iterator[None]:
    """Keep back what libraries write to the process's error output, and drop it where they fail.

    polars writes pages there when it meets what it did not expect, and values of records may be in them.
    """
    with _ONE_AT_A_TIME, ExitStack() as stack:
        with suppress(OSError):  # there may be no error output, and no place to keep it
            heard = stack.enter_context(TemporaryFile())
            stack.callback(_heard_again, os.dup(2), heard)
            os.dup2(heard.fileno(), 2)
        try:
            yield
        except BaseException:
            with suppress(OSError, NameError):
                heard.truncate(0)
            raise


def _heard_again(before: int, heard: IO[bytes]) -> None:
    """Give the error output back, with what was kept from it."""
    os.dup2(before, 2)
    heard.seek(0)
    with suppress(OSError):
        os.write(before, heard.read())
    os.close(before)


def _lacking(error: BaseException | None) -> str:
    """The library that could not be imported, if that is behind an error."""
    while error is not None:
        if isinstance(error, ModuleNotFoundError) and error.name:
            return error.name.partition(".")[0]
        error = error.__cause__ or error.__context__
    return ""
