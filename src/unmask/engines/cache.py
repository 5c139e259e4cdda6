"""Cache: what is worth keeping between experiments, with a bound on memory."""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping
from threading import RLock
from typing import Any, Protocol, TypeVar
from weakref import ref

from unmask.engines.holding import held
from unmask.engines.room import Room
from unmask.engines.watcher import Watcher

Value = TypeVar("Value")
Item = TypeVar("Item")


class Once(Protocol):
    """How one piece of work is done: it is called with an engine of the place where that is."""

    def __call__(self, work: Callable[[Any], Value], /) -> Value:
        """What becomes of it."""
        ...


def in_place(work: Callable[[Any], Value]) -> Value:
    """The piece of work is done in this place; it gets no engine.

    >>> in_place(lambda engine: 2 + 2)
    4
    """
    return work(None)


#: Bytes that are kept at most, unless somebody says otherwise.
LIMIT = 2 << 30


class Cache:
    """What was derived from files (encodings, ranks, key classes, fitted models), kept while it fits.

    A value belongs to its ``owner``, the object that it was derived from, and goes with it. When all values
    together take more than ``limit`` bytes, those that were not asked for longest go first; a value that
    alone takes more is made and not kept. What is made is counted by its kind, the first part of its name.

    >>> class File: ...
    >>> cache, file = Cache(), File()
    >>> cache.get(file, ("ranks", "age"), lambda: [3, 1, 2]), cache.get(file, ("ranks", "age"), list)
    ([3, 1, 2], [3, 1, 2])
    >>> cache.watcher.made["ranks"]
    1
    """

    def __init__(self, limit: int = LIMIT, watcher: Watcher | None = None) -> None:
        self.limit = limit
        self.watcher = Watcher() if watcher is None else watcher
        self.room = Room()  # that of its engine: what is made may live there
        self.once: Once = in_place  # that of its engine: larger pieces of work may be done elsewhere
        self._kept: OrderedDict[tuple[int, tuple[Hashable, ...]], tuple[Any, int]] = OrderedDict()
        self._owners: dict[int, ref[object]] = {}
        self._bytes = 0
        self._lock = RLock()

    def get(self, owner: object, name: tuple[Hashable, ...], make: Callable[[], Value]) -> Value:
        """The value of that name, made if it is not kept; threads that make it at once get the first one."""
        key = id(owner), name
        with self._lock:
            if key in self._kept and self._owners[key[0]]() is owner:  # never what was derived from another
                self._kept.move_to_end(key)
                value: Value = self._kept[key][0]
                return value
        made = held(make(), self.room)
        with self._lock:
            self.watcher.count(str(name[0]))
            if key in self._kept:
                first: Value = self._kept[key][0]
                return first
            self._keep(owner, key, made)
        return made

    def ahead(self, work: Callable[[Item], object], items: Iterable[Item]) -> None:
        """Let pieces of work that are done elsewhere not wait for each other; here, each has its turn."""
        if self.once is not in_place:
            from unmask.engines.blocks import each

            each(work, items)

    def _keep(self, owner: object, key: tuple[int, tuple[Hashable, ...]], value: object) -> None:
        size = size_of(value)
        if size > self.limit:
            return
        if key[0] not in self._owners:
            self._owners[key[0]] = ref(owner, lambda _: self._forget(key[0]))
        self._kept[key] = value, size
        self._bytes += size
        while self._bytes > self.limit:
            _, (_, freed) = self._kept.popitem(last=False)
            self._bytes -= freed

    def _forget(self, owner: int) -> None:
        with self._lock:
            self._owners.pop(owner, None)
            gone = [self._kept.pop(key) for key in tuple(self._kept) if key[0] == owner]
            freed = sum(size for _, size in gone)
            self._bytes -= freed
        # Only now do the values go: what was derived from them is forgotten by a call of this within this.


def size_of(value: object) -> int:
    """About how many bytes a value takes: its arrays and frames, however deep they lie.

    >>> import numpy as np
    >>> size_of((np.zeros(10), {"codes": np.zeros(5, np.int8)}))
    85
    """
    if hasattr(value, "nbytes"):
        return int(value.nbytes)
    if hasattr(value, "estimated_size"):
        return int(value.estimated_size())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return sum(size_of(getattr(value, field.name)) for field in dataclasses.fields(value))
    if isinstance(value, Mapping):
        return sum(size_of(item) for item in value.values())
    if isinstance(value, tuple | list):
        return sum(size_of(item) for item in value)
    return 0
