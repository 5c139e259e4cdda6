"""Place: the folder that the pages may look into, and nothing outside of it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from unmask.data.io import READERS
from unmask.errors import ArgumentError

#: A page lists so many files of a folder; who has more names a folder below it.
MOST_LISTED = 500


class OutsideError(ArgumentError):
    """A path that does not lead to a place below the folder."""

    def __init__(self) -> None:
        super().__init__(
            "that path leads out of the folder that is served",
            hint="name a file below it, or start 'unmask serve' in another folder",
        )


@dataclass(frozen=True)
class FolderListing:
    """What a folder holds for a person who looks for data: folders, and files that can be read."""

    folder: str
    above: str | None
    folders: tuple[str, ...]
    files: tuple[tuple[str, int], ...]
    more: bool


@dataclass(frozen=True)
class Place:
    """The served folder. Its own path is resolved once; every other path is checked against it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     place = Place.of(Path(name))
    ...     place.inside("a/b.csv").relative_to(place.root).as_posix()
    ...     place.inside("../b.csv")
    Traceback (most recent call last):
    unmask.web.place.OutsideError: that path leads out of the folder that is served. Hint: ...
    """

    root: Path

    @staticmethod
    def of(folder: Path) -> Place:
        """The place of a folder that exists."""
        if not folder.is_dir():
            raise ArgumentError(f"'{folder}' is no folder", hint="name the folder that holds your files")
        return Place(folder.resolve())

    def inside(self, relative: str) -> Path:
        """The path below the folder; refused where it leads out, by '..', by a link or from the root."""
        pure = PurePosixPath(relative.replace(os.sep, "/"))
        strange = "\0" in relative or ":" in relative or pure.is_absolute() or ".." in pure.parts
        if strange or not relative.isprintable():
            raise OutsideError
        path = self.root / pure
        try:
            if not path.resolve().is_relative_to(self.root):
                raise OutsideError
        except (OSError, RuntimeError):  # a loop of links
            raise OutsideError from None
        return path

    def relative(self, path: Path) -> str:
        """The path as requests name it, from the folder on."""
        return path.relative_to(self.root).as_posix()

    def listing(self, relative: str) -> FolderListing:
        """The folders and readable files of a folder below; hidden ones and links that lead out stay out."""
        folder = self.inside(relative)
        if not folder.is_dir():
            raise ArgumentError("there is no such folder", hint="choose one of those that are listed")
        folders, files = [], []
        for entry in sorted(folder.iterdir(), key=lambda one: one.name.lower()):
            name = self.relative(entry)
            if entry.name.startswith(".") or not self._shows(name):
                continue
            if entry.is_dir():
                folders.append(name)
            elif entry.is_file() and entry.name.lower().endswith(tuple(READERS)):
                files.append((name, entry.stat().st_size))
        here = self.relative(folder)
        above = None if folder == self.root else self.relative(folder.parent)
        more = len(folders) + len(files) > MOST_LISTED
        return FolderListing(here, above, tuple(folders[:MOST_LISTED]), tuple(files[:MOST_LISTED]), more)

    def _shows(self, name: str) -> bool:
        try:
            self.inside(name)
        except OutsideError:
            return False
        return True
