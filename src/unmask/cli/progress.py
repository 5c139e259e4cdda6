"""The progress file: how the work goes as JSON lines, for a program that follows the command."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from unmask.data.io.replacing import PRIVATE
from unmask.data.io.sources import shown
from unmask.engines.watcher import Watcher
from unmask.errors import DataError
from unmask.visible import visible_line

#: Seconds between two advances of a part that are written: a reader draws a bar, and needs no more.
INTERVAL = 0.2

#: What was there is of an earlier run. Windows would write another end of line, unless told not to.
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | getattr(os, "O_BINARY", 0)

Event = dict[str, Any]


class ProgressFile(Watcher):
    """A watcher that writes what it hears into a file, which only the user reads where it is a new one.

    Each event is a line, an object with ``at``, the seconds since the watcher was made: ``begin`` with the
    ``part`` of the work that starts, ``advance`` with how much of the part is ``done`` of its ``total``, in
    units of its own, and ``tell`` with a ``line`` for somebody who is waiting. A part may advance from the
    start again, since many search more than once.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "progress.jsonl"
    ...     with ProgressFile(path) as file:
    ...         file.begin("dbrl")
    ...         file.advance(10, 10)
    ...     [json.loads(line)["event"] for line in path.read_text().splitlines()]
    ['begin', 'advance']
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path, self._made_at = path, time.monotonic()
        self._descriptor: int | None = None
        self._closed = False
        self._part = ""
        self._untouched = self._filled = False  # the part: it only began; it was once done
        self._last: Event = {"at": -INTERVAL}  # the last that was written
        self._held: Event | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._release()
        self._close()

    def begin(self, part: str) -> None:
        """A part starts; one that has just been said to start is not said to do so again."""
        name = visible_line(part)
        if self._untouched and name == self._part:
            return
        self._release()
        self._part, self._untouched, self._filled = name, True, False
        self._write(self._event("begin", part=name))

    def advance(self, done: int, total: int) -> None:
        """So much of the part is done: written now and then, and at last where all is done."""
        event = self._event("advance", part=self._part, done=int(done), total=int(total))
        self._untouched = False
        first_full = done == total and not self._filled
        if not first_full and event["at"] - self._last["at"] < INTERVAL:
            self._held = event
            return
        self._held, self._last = None, event
        self._filled = self._filled or first_full
        self._write(event)

    def tell(self, line: str) -> None:
        """A line for somebody who is waiting."""
        self._untouched = False
        self._release()
        self._write(self._event("tell", line=visible_line(line)))

    def _event(self, name: str, **said: object) -> Event:
        return {"event": name, **said, "at": round(time.monotonic() - self._made_at, 3)}

    def _release(self) -> None:
        """Write the advance that was held back, if it is the end of something and tells anything new."""
        held, self._held = self._held, None
        if held is None or held["done"] < held["total"] or held == {**self._last, "at": held["at"]}:
            return
        self._last = held
        self._write(held)

    def _write(self, event: Event) -> None:
        """A whole line at once, so that what others see ends between two lines or in the last one."""
        if self._closed:
            return
        if self._descriptor is None:
            self._descriptor = self._opened()
        line = json.dumps(event).encode() + b"\n"
        try:
            whole = os.write(self._descriptor, line) == len(line)
        except OSError:
            whole = False
        if not whole:
            # The disk is full, say. The work may have taken hours and goes on; half a line stays the last.
            self._close()

    def _opened(self) -> int:
        try:
            return os.open(self._path, _FLAGS, PRIVATE)
        except OSError as error:
            raise DataError(
                f"'{shown(self._path)}' cannot be written: {error.strerror or 'the system refused'}",
                hint="check the permissions of the folder and the space on the disk",
            ) from None

    def _close(self) -> None:
        descriptor, self._descriptor, self._closed = self._descriptor, None, True
        if descriptor is not None:
            os.close(descriptor)
