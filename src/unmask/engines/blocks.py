"""Blocks of work on a pool of threads; the kernels release the interpreter's lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
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
    todo = list(spans(total, block))
    if threads == 1 or len(todo) == 1:
        done = []
        for start, stop in todo:
            done.append(work(start, stop))
            if progress:
                progress(stop, total)
        return done
    with ThreadPoolExecutor(threads) as pool:
        futures = {pool.submit(work, *span): span for span in todo}
        pending, finished = set(futures), 0
        try:
            while pending:
                ready, pending = wait(pending, return_when=FIRST_COMPLETED)
                for future in ready:
                    future.result()
                    finished += futures[future][1] - futures[future][0]
                if progress:
                    progress(finished, total)
        finally:
            for future in pending:
                future.cancel()
        return [future.result() for future in futures]
