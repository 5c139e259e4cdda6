"""A process of a study: it is given the material once, then cells, and answers part by part.

With each answer it says whether it is spent: once it has compiled kernels, which are on disk now, the memory
that the compiler keeps is worth a new process, and it does not go on with the cell.
"""

from __future__ import annotations

import os
import pickle
import sys
from queue import SimpleQueue
from threading import Thread
from typing import IO

from unmask.engines import LocalEngine
from unmask.engines.cache import Cache
from unmask.engines.memory import give_back, one_arena
from unmask.errors import UnmaskError
from unmask.kernels.compilation import on_compilation
from unmask.studies.protection.cell import CellWork
from unmask.studies.protection.hand import receive, send

#: Bytes that a process keeps of what was derived from files: each release is looked at once.
KEPT = 256 << 20


def main() -> None:
    """Work until the other side hangs up."""
    source, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # nothing but answers may go there
    one_arena()
    compiled: list[str] = []  # why kernels are not kept, once for the first of them; empty if they are
    on_compilation(compiled.append)
    messages: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(source, messages), daemon=True).start()
    material, engine = pickle.loads(messages.get()), LocalEngine(threads=1, cache=Cache(KEPT))
    while True:
        cell, parts = pickle.loads(messages.get())  # from who started us
        work = CellWork(material, cell, engine)
        for part in parts:
            try:
                answer: object = work.outcome(part)
            except Exception as error:  # the other side tells it
                answer = UnmaskError(f"part '{part[1]}' failed ({type(error).__name__})")
            spent = compiled == [""]
            compiled.clear()  # it is said once
            send(answers, pickle.dumps((answer, spent)))
            if spent:
                break
        del work
        give_back()


def _listen(source: IO[bytes], messages: SimpleQueue[bytes]) -> None:
    """Take messages as they come; when the other side is gone, nobody wants an answer any more."""
    try:
        while True:
            messages.put(receive(source))
    except (EOFError, OSError):
        os._exit(0)


if __name__ == "__main__":
    main()
