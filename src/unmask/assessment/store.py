"""Store: the finished parts of a long run, on disk, so that it goes on after it was ended half way.

A part is an attack's runs or the rows of a measure: how true records stand, counts, shares, and what is said
of them. No value of a record is in it. The store lies in the user's cache folder, readable by the user only,
and is removed when the result is written.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from unmask.assessment.inputs import input_files, versions
from unmask.assessment.packing import Damaged, Unpackable, pack, unpack
from unmask.assessment.request import IN_MEMORY, Occasion, Request
from unmask.assessment.request_file import to_plain
from unmask.cache_folder import NoCacheError, own_folder
from unmask.engines.memory import give_back
from unmask.errors import DataError, UnmaskError

Value = TypeVar("Value")

#: A run that takes longer than so many seconds is worth keeping; the variable is for tests.
LONG, LONG_VARIABLE = 60.0, "UNMASK_STORE_AFTER"

_MADE_BY = "made-by.json"


class Store:
    """Where the parts of one request on these files are kept.

    ``resume``: parts that are there are taken; else they are made again.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     first = Store(Path(folder) / "run", {"unmask": "1"}, after=0)
    ...     _ = first.part(("run", "dbrl"), lambda: 0.5)
    ...     again = Store(Path(folder) / "run", {"unmask": "1"}, resume=True)
    ...     again.part(("run", "dbrl"), lambda: 0.9)
    0.5
    """

    def __init__(
        self, folder: Path, made_by: Mapping[str, str], *, resume: bool = False, after: float = LONG
    ) -> None:
        self.folder, self.resume, self._made_by, self._after = folder, resume, dict(made_by), after
        self._begun = time.monotonic()
        self._waiting: list[tuple[Path, object]] = []
        there = self._made()
        #: Whether an unfinished run of this request is there.
        self.unfinished = there is not None
        if resume and there is not None and there != self._made_by:
            changed = [name for name in self._made_by if there.get(name) != self._made_by[name]]
            raise DataError(
                f"the unfinished run was made with another version of {', '.join(changed) or 'a library'}",
                hint="run it without --resume",
            )

    @staticmethod
    def of(request: Request, *, resume: bool = False) -> Store | None:
        """The store of a request; None where its files cannot be known by their bytes."""
        try:
            files = input_files(request)
        except (UnmaskError, OSError):
            return None  # whoever opens the files says what is wrong with them
        if any(not file.sha256 for file in files) or request.files.original == IN_MEMORY:
            return None
        asked = replace(request.recorded(), occasion=Occasion())  # on another day it is the same work
        content = {"request": to_plain(asked), "files": [[f.role, f.sha256] for f in files]}
        name = sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]
        after = float(os.environ.get(LONG_VARIABLE, LONG))
        try:
            place = own_folder("unfinished")
        except NoCacheError as why:
            if resume:
                raise DataError(
                    f"no part of a run can be kept: {why}", hint="run it without --resume"
                ) from None
            return None
        return Store(place / name, versions(), resume=resume, after=after)

    def expect(self, seconds: float) -> None:
        """So long the run is going to take: a long one is kept from its first part on."""
        if seconds >= self._after:
            self._after = 0.0

    def part(self, name: tuple[object, ...], make: Callable[[], Value]) -> Value:
        """The part of that name: as it was kept, where that is wanted, or made now."""
        path = self.folder / f"{sha256(repr(name).encode()).hexdigest()[:32]}.part"
        if self.resume and path.is_file():
            try:
                kept: Value = unpack(path.read_bytes())
            except (Damaged, OSError, ValueError, KeyError, TypeError, AttributeError, ImportError):
                pass  # it is made again
            else:
                return kept
        made = make()
        self._waiting.append((path, made))
        if time.monotonic() - self._begun >= self._after:
            self._write()
        return made

    def keep(self) -> bool:
        """The work is done, and its result has no place yet: its parts are kept, if that is possible."""
        self._write()
        return self._made() == self._made_by

    def remove(self) -> None:
        """The result is there: its parts are not needed any more."""
        self._waiting.clear()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _made(self) -> dict[str, str] | None:
        try:
            found = json.loads((self.folder / _MADE_BY).read_text())
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else {}

    def _write(self) -> None:
        """What is waiting, each part whole or not at all. A store that cannot be written is no error."""
        waiting, self._waiting = self._waiting, []
        give_back()  # what made the part is gone, and packing takes as much as the part once more
        try:
            if self._made() != self._made_by:
                shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.folder.chmod(0o700)
            if self._made() is None:
                _write(self.folder / _MADE_BY, json.dumps(self._made_by).encode())
            for path, made in waiting:
                try:
                    _write(path, pack(made))
                except Unpackable:
                    continue
        except OSError:
            return


def _write(path: Path, content: bytes) -> None:
    """A file that only the user reads, written beside its place and renamed."""
    temporary = path.with_name(f".{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            stream.write(content)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
