"""A process of a study: it is given the material once, then cells, and answers part by part."""

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
from unmask.studies.protection.cell import CellWork
from unmask.studies.protection.work import receive, send, unpacked

#: Bytes that a process keeps of what was derived from files: each release is looked at once.
KEPT = 256 << 20


def main() -> None:
    """Work until the other side hangs up."""
    source, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # nothing but answers may go there
    one_arena()
    messages: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(source, messages), daemon=True).start()
    material, engine = unpacked(messages.get()), LocalEngine(threads=1, cache=Cache(KEPT))
    while True:
        cell, parts = unpacked(messages.get())
        work = CellWork(material, cell, engine)
        for part in parts:
            try:
                answer: object = work.outcome(part)
            except Exception as error:  # the other side tells it
                answer = UnmaskError(f"part '{part[1]}' failed ({type(error).__name__})")
            send(answers, pickle.dumps(answer))
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
