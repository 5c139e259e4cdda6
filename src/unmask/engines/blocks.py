"""Blocks of work on a pool of threads; the kernels release the interpreter's lock."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

T = TypeVar("T")


def thread_count(threads: int | None) -> int:
    """The threads to use: those asked for, else one for each core this process may run on."""
    if threads is not None:
        return max(1, threads)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spans(total: int, block: int) -> Iterator[tuple[int, int]]:
    """The blocks of work.

    >>> list(spans(5, 2))
    [(0, 2), (2, 4), (4, 5)]
    """
    return ((start, min(start + block, total)) for start in range(0, total, block))


def run_blocks(
    work: Callable[[int, int], T],
    total: int,
    block: int,
    threads: int,
    progress: Callable[[int, int], None] | None = None,
) -> list[T]:
    """The results of work(start, stop) for each block, in order.

    Progress is reported from the calling thread. An interrupt (or any error) starts no further block and
    waits only for those under way.
    """
    todo = deque(spans(total, block))
    if threads == 1 or len(todo) == 1:
        return [finish(work(start, stop), stop, total, progress) for start, stop in todo]
    done: dict[int, T] = {}
    reached = 0
    with ThreadPoolExecutor(threads) as pool:
        pending: dict[Future[T], tuple[int, int]] = {}
        try:
            while todo or pending:
                while todo and len(pending) < 2 * threads:  # so that an interrupt leaves little to wait for
                    span = todo.popleft()
                    pending[pool.submit(work, *span)] = span
                for future in wait(pending, return_when=FIRST_COMPLETED).done:
                    start, stop = pending.pop(future)
                    reached += stop - start
                    done[start] = finish(future.result(), reached, total, progress)
        finally:
            for future in pending:
                future.cancel()
    return [done[start] for start in sorted(done)]


def finish(result: T, reached: int, total: int, progress: Callable[[int, int], None] | None) -> T:
    """Report progress, and pass the result on."""
    if progress:
        progress(reached, total)
    return result
