"""A process that works for a study, as the study sees it: it is asked, replaced where that pays, and ended.

Messages are plain data with their length before them; the material comes first, through the pipe, never
through a file.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import IO, Any

from unmask.studies.protection.cell import Part, StudyCell

#: Libraries that would otherwise use every core in each process.
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")

#: The program of such a process. The present folder is no place to take programs from.
PROGRAM = ("-P", "-m", "unmask.studies.protection.worker")

#: So often a process is replaced: where the disk takes no kernels, the next one compiles them as well.
MOST_REPLACED = 12


class Hand:
    """A process that works; one thread at a time speaks with it.

    One that compiled kernels says so, and is replaced before the next part: the compiler keeps some hundreds
    of megabytes for as long as a process lives, and the next one loads the kernels from disk. ``material``
    packs what every process is given first.
    """

    def __init__(self, material: Callable[[], bytes]) -> None:
        self.speaking = Lock()
        self.ready = False  # whether it has the material
        self._material = material
        self._spent, self._replaced, self._ended = False, 0, False
        self._changing = Lock()
        self.process = started()

    def answers(self, cell: StudyCell, parts: Sequence[Part]) -> Iterator[tuple[Part, Any]]:
        """What the process says of each part of a cell, an outcome or an error."""
        left = list(parts)
        while left:
            self._ask(cell, tuple(left))
            while left and not self._spent:
                assert self.process.stdout is not None
                answer, self._spent = pickle.loads(receive(self.process.stdout))  # a process of our own
                yield left.pop(0), answer

    def prepare(self) -> None:
        """Give the process the material, if it has none: a slow one takes no cell before it can begin."""
        if not self.ready:
            self._tell(self._material())
            self.ready = True

    def end(self) -> None:
        """End the process, for good."""
        with self._changing:
            self._ended = True
            ended(self.process)

    def _ask(self, cell: StudyCell, parts: tuple[Part, ...]) -> None:
        if self._spent:
            self._replace()
        self.prepare()
        self._tell(pickle.dumps((cell, parts)))

    def _tell(self, message: bytes) -> None:
        assert self.process.stdin is not None
        send(self.process.stdin, message)

    def _replace(self) -> None:
        """A fresh process instead of this one, unless that does not help; none once the work is over."""
        self._spent = False
        if self._replaced == MOST_REPLACED:
            return
        with self._changing:
            if self._ended:
                raise EOFError
            ended(self.process)
            self.process, self.ready = started(), False
            self._replaced += 1


def started() -> subprocess.Popen[bytes]:
    """A new process, which finds modules where this one finds them."""
    path = os.pathsep.join(str(Path(place).absolute()) for place in sys.path)
    return subprocess.Popen(
        [sys.executable, *PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **dict.fromkeys(ONE_THREAD, "1"), "PYTHONPATH": path},
        start_new_session=True,  # an interrupt at the terminal is for us, who end them
    )


def ended(process: subprocess.Popen[bytes]) -> None:
    """End a process, whatever it does."""
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):
            assert stream is not None
            stream.close()


def send(stream: IO[bytes], message: bytes) -> None:
    """A message with its length before it."""
    stream.write(len(message).to_bytes(8, "big"))
    stream.write(message)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes:
    """The next message; EOFError where the other side is gone."""
    return _read(stream, int.from_bytes(_read(stream, 8), "big"))


def _read(stream: IO[bytes], length: int) -> bytes:
    content = stream.read(length)
    if len(content) < length:
        raise EOFError
    return content
