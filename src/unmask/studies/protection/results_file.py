"""The results of a study on disk: one SQLite file, in which every finished part is kept at once.

It holds names, counts, shares and losses, never a value of a record. A part is committed before the next one
is counted, so that whoever kills a study loses what is being computed and nothing else.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from unmask.data.io.replacing import PRIVATE, check_place
from unmask.data.io.sources import shown
from unmask.errors import DataError
from unmask.fields import instance

MARK, VERSION = "unmask-study-results", 1


class ResultsFile:
    """The finished parts of a study, by their keys.

    ``path``: None keeps them in memory only; ``original``: the digest of the file that is studied. A file
    with the results of another original is refused: somebody may need those.

    >>> with ResultsFile(None, "f00d") as results:
    ...     results.keep("key", {"rows": []})
    ...     results.get("key"), results.get("other")
    ({'rows': []}, None)
    """

    def __init__(self, path: Path | None, original: str) -> None:
        self._label = "the results" if path is None else f"'{shown(path)}'"
        if path is not None:
            check_place(path)
            with suppress(FileExistsError):  # others do not read it
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
        with self._told():
            self._data = sqlite3.connect(":memory:" if path is None else path, timeout=30)
            self._check(original)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._data.close()

    def __len__(self) -> int:
        with self._told():
            return int(self._data.execute("select count(*) from parts").fetchone()[0])

    def get(self, key: str) -> dict[str, Any] | None:
        """The outcome that is kept under a key."""
        with self._told():
            found = self._data.execute("select outcome from parts where key = ?", (key,)).fetchone()
            return None if found is None else json.loads(found[0])

    def keep(self, key: str, outcome: Mapping[str, Any]) -> None:
        """Keep an outcome, from now on."""
        with self._told():
            text = json.dumps(outcome, sort_keys=True)
            self._data.execute("insert or replace into parts values (?, ?)", (key, text))
            self._data.commit()

    def _check(self, original: str) -> None:
        """Refuse what is no such file, or one of another study; make a new one of an empty file."""
        with self._data:  # all of it at once: whoever is killed here leaves an empty file
            self._data.execute("begin immediate")
            tables = {name for (name,) in self._data.execute("select name from sqlite_master").fetchall()}
            if not tables:
                meta = {"format": MARK, "version": str(VERSION), "original": original}
                self._data.execute("create table meta (name text primary key, value text)")
                self._data.execute("create table parts (key text primary key, outcome text)")
                self._data.executemany("insert into meta values (?, ?)", sorted(meta.items()))
                return
        # Somebody else's database is not added to.
        found = dict(self._data.execute("select name, value from meta")) if "meta" in tables else {}
        if found.get("format") != MARK or found.get("version") != str(VERSION):
            raise DataError(
                f"{self._label} holds no results that this unmask reads", hint="name another file (--results)"
            )
        if found.get("original") != original:
            raise DataError(
                f"{self._label} holds the results of another study: its original file, or how that was read, "
                "is not the same",
                hint="name another file (--results), or delete this one",
            )

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What the library says, in a line."""
        try:
            yield
        except (sqlite3.Error, json.JSONDecodeError):
            raise DataError(
                f"{self._label} cannot be read or written as results of a study",
                hint="name another file (--results), or delete this one",
            ) from None


def results_place(results: str | Path | None) -> Path | None:
    """Where results are kept, as a path.

    >>> results_place({})
    Traceback (most recent call last):
    unmask.errors.ArgumentError: results is a mapping, not a text. Hint: write results='study.db'.
    """
    instance("results", results, str | Path | None, "write results='study.db'")
    return None if results is None else Path(results)
