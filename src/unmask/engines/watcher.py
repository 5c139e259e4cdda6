"""Watcher: one pair of eyes on long work. It shows progress, takes log lines, and can cancel."""

from __future__ import annotations

from collections import Counter
from threading import Event

from unmask.errors import Cancelled


class Watcher:
    """What long work reports to. This one is silent; a face (terminal, web) overrides what it shows.

    Work calls :meth:`begin` when a part of it starts, :meth:`advance` between blocks, :meth:`log` for a line
    on a choice that was made (never a value of a record), :meth:`tell` for what is coming or done, and
    :meth:`count` for what it made, such as an index. :meth:`cancel`, from any thread, ends the work between
    two blocks with :class:`Cancelled`.

    >>> watcher = Watcher()
    >>> watcher.count("index")
    >>> watcher.made["index"]
    1
    >>> watcher.cancel()
    >>> watcher.advance(1, 2)
    Traceback (most recent call last):
    unmask.errors.Cancelled: the work was cancelled
    """

    def __init__(self) -> None:
        self.made: Counter[str] = Counter()
        self._cancelled = Event()

    def begin(self, part: str) -> None:
        """A part of the work starts."""
        self.check()

    def advance(self, done: int, total: int) -> None:
        """So much of the part is done, of so much."""
        self.check()

    def log(self, line: str) -> None:
        """One line on how the work is done."""

    def tell(self, line: str) -> None:
        """One line on what is coming or done, for somebody who is waiting."""

    def count(self, thing: str, number: int = 1) -> None:
        """So many things of a kind were made."""
        self.made[thing] += number

    def cancel(self) -> None:
        """End the work at the next opportunity."""
        self._cancelled.set()

    def check(self) -> None:
        """Raise :class:`Cancelled` if the work was cancelled."""
        if self._cancelled.is_set():
            raise Cancelled


class Quiet(Watcher):
    """Shows nothing of the parts that are done before another watcher, so that one bar is that of all."""

    def __init__(self, watcher: Watcher) -> None:
        super().__init__()
        self._watcher = watcher

    def check(self) -> None:
        """Raise where the work was cancelled."""
        self._watcher.check()

    def count(self, thing: str, number: int = 1) -> None:
        """So many things of a kind were made."""
        self._watcher.count(thing, number)
