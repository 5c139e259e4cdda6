"""Blocks of work on a pool of threads; the kernels release the interpreter's lock."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Generic, TypeVar

from unmask.engines.base import Merge, Task

Item = TypeVar("Item")
Result = TypeVar("Result")

#: Parts that wait to be merged, at the most: some are as large as the whole result.
WAITING = 16


def thread_count(threads: int | None) -> int:
    """The threads to use: those asked for, else one for each core this process may run on."""
    if threads is not None:
        return max(1, threads)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spans(total: int, block: int) -> Iterator[tuple[int, int]]:
    """The blocks of work; a single empty one where there is nothing to do.

    >>> list(spans(5, 2)), list(spans(0, 2))
    ([(0, 2), (2, 4), (4, 5)], [(0, 0)])
    """
    return ((start, min(start + block, total)) for start in range(0, max(total, 1), block))


def each(work: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """What becomes of each item, in their order; the work is done on all cores.

    >>> each(abs, [-2, 1])
    [2, 1]
    """
    items = list(items)
    if len(items) < 2:
        return [work(item) for item in items]
    with ThreadPoolExecutor(min(len(items), thread_count(None))) as pool:
        return list(pool.map(work, items))


class Parts(Generic[Result]):
    """The parts of a result, in whatever order they come; runs of neighbours are merged on the way.

    >>> parts = Parts[str]("".join)
    >>> parts.put(2, 3, "c")
    >>> parts.put(0, 2, "ab")
    >>> parts.done, parts.whole()
    (3, 'abc')
    """

    def __init__(self, merge: Merge[Result]) -> None:
        self.done = 0  # items, of all parts
        self._merge = merge
        self._run: list[Result] = []  # the parts from the beginning on
        self._reached = 0  # where the run ends
        self._early: dict[int, tuple[int, Result]] = {}  # by their start, those beyond it

    def put(self, start: int, stop: int, part: Result) -> None:
        """One more part."""
        self.done += stop - start
        self._early[start] = stop, part
        while self._reached in self._early:
            self._reached, following = self._early.pop(self._reached)
            self._run.append(following)
        if len(self._run) >= WAITING:
            self._run = [self._merge(self._run)]

    def whole(self) -> Result:
        """The result, once all parts are there."""
        return self._merge(self._run)


def run_blocks(
    task: Task[Result],
    blocks: Iterator[tuple[int, int]],
    merge: Merge[Result],
    threads: int,
    report: Callable[[int], None],
) -> Result:
    """The parts of all blocks, merged.

    ``report`` is called from the calling thread with the number of items done, before the first block and
    after each. Whatever it raises (or an interrupt) starts no further block and waits only for those under
    way.
    """
    parts, todo = Parts(merge), deque(blocks)
    report(0)
    if threads == 1 or len(todo) == 1:
        for start, stop in todo:
            parts.put(start, stop, task(start, stop))
            report(parts.done)
        return parts.whole()
    pending: dict[Future[Result], tuple[int, int]] = {}
    with ThreadPoolExecutor(threads) as pool:
        try:
            while todo or pending:
                while todo and len(pending) < 2 * threads:  # so that an interrupt leaves little to wait for
                    span = todo.popleft()
                    pending[pool.submit(task, *span)] = span
                for future in wait(pending, return_when=FIRST_COMPLETED).done:
                    parts.put(*pending.pop(future), future.result())
                    report(parts.done)
        finally:
            for future in pending:
                future.cancel()
    return parts.whole()
