"""The work of a study: cells one after the other in this process, or side by side in processes of their own.

Processes get the original through a pipe, never through a file, and send back what each part found as plain
data. Whatever their number, the same parts have the same outcomes.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Queue, SimpleQueue
from threading import Lock, Thread
from types import TracebackType
from typing import IO, Any, Self

from unmask.engines import Engine
from unmask.engines.beside import cores, quiet
from unmask.engines.memory import give_back
from unmask.errors import UnmaskError
from unmask.studies.protection.cell import CellWork, Material, Outcome, Part, StudyCell

#: A cell, and those of its parts that are not there yet.
Task = tuple[StudyCell, tuple[Part, ...]]
Done = tuple[StudyCell, Part, Outcome]

#: Bytes that all processes together may take, what one takes without data, and in units of the file.
MEMORY, EMPTY, TIMES = 2 << 30, 400 << 20, 12

#: Releases times records below which processes take longer to start than the work takes.
LITTLE = 20_000

#: Libraries that would otherwise use every core in each process.
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")

#: The program of such a process. The present folder is no place to take programs from.
PROGRAM = ("-P", "-m", "unmask.studies.protection.worker")


@dataclass(eq=False)
class Hand:
    """A process that works, and whether it has the material; one thread at a time speaks with it."""

    process: subprocess.Popen[bytes]
    ready: bool = False
    speaking: Lock = field(default_factory=Lock)


class Crew:
    """Who does the work: this process, or as many others as the engine has threads and memory lets.

    The others stay from one list of tasks to the next, until the crew is dismissed.
    """

    def __init__(self, material: Material, engine: Engine) -> None:
        self._material, self._engine = material, engine
        self._packed: bytes | None = None
        self._hands: list[Hand] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.dismiss()

    def dismiss(self) -> None:
        """End the processes."""
        for process in [hand.process for hand in self._hands]:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                with suppress(OSError):
                    assert stream is not None
                    stream.close()
        self._hands = []

    def outcomes(self, tasks: Sequence[Task]) -> Iterator[Done]:
        """What every part finds, as it is found."""
        self._gather(len(tasks))
        yield from self._elsewhere(tasks) if self._hands else self._here(tasks)

    def _gather(self, tasks: int) -> None:
        """Start processes, where several are of use and what they need can be sent."""
        if self._hands or not sys.executable:
            return
        each = EMPTY + TIMES * int(self._material.original.frame.estimated_size())
        threads = cores(self._engine)
        number = min(threads, MEMORY // each, tasks)
        if tasks * len(self._material.original) < LITTLE:
            return
        if number > 1 and self._pack():
            # Modules are found where this process finds them.
            path = os.pathsep.join(str(Path(place).absolute()) for place in sys.path)
            environment = {**os.environ, **dict.fromkeys(ONE_THREAD, "1"), "PYTHONPATH": path}
            for _ in range(number):
                process = subprocess.Popen(
                    [sys.executable, *PROGRAM],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    env=environment,
                    start_new_session=True,  # an interrupt at the terminal is for us, who end them
                )
                self._hands.append(Hand(process))

    def _pack(self) -> bool:
        """Whether the material can be sent: an object of the caller's, such as a function, may not.

        What the program defines that was started is in no module that another process could import.
        """
        try:
            self._packed = pickle.dumps(self._material, protocol=pickle.HIGHEST_PROTOCOL)
        except Exception:  # whatever such an object thinks of
            return False
        return b"__main__" not in self._packed

    def _here(self, tasks: Sequence[Task]) -> Iterator[Done]:
        engine = quiet(self._engine)
        for cell, parts in tasks:
            work = CellWork(self._material, cell, engine)
            for part in parts:
                self._engine.watcher.check()
                yield cell, part, work.outcome(part)
            del work
            give_back()

    def _elsewhere(self, tasks: Sequence[Task]) -> Iterator[Done]:
        """In whatever order; whoever stops listening ends the processes."""
        waiting: SimpleQueue[Task] = SimpleQueue()
        for task in tasks:
            waiting.put(task)
        found: Queue[Done | Exception] = Queue()
        for hand in self._hands:
            Thread(target=self._serve, args=(hand, waiting, found), daemon=True).start()
        left = sum(len(parts) for _, parts in tasks)
        try:
            while left:
                self._engine.watcher.check()
                with suppress(Empty):
                    one = found.get(timeout=0.2)
                    if isinstance(one, Exception):
                        raise one
                    left -= 1
                    yield one
        finally:
            if left:
                self.dismiss()
            if all(hand.ready for hand in self._hands):
                self._packed = None

    def _serve(self, hand: Hand, waiting: SimpleQueue[Task], found: Queue[Done | Exception]) -> None:
        """Hand out tasks until none is left; a process that is slow to start may outlast a whole list."""
        source, answers = hand.process.stdin, hand.process.stdout
        assert source is not None
        assert answers is not None
        try:
            with hand.speaking:
                if not hand.ready and self._packed is not None:
                    send(source, self._packed)
                    hand.ready = True
                while True:
                    cell, parts = waiting.get_nowait()
                    send(source, pickle.dumps((cell, parts)))
                    for part in parts:
                        answer = pickle.loads(receive(answers))  # from a process of our own
                        if isinstance(answer, Exception):
                            found.put(answer)
                            return
                        found.put((cell, part, answer))
        except Empty:
            return
        except (OSError, EOFError, ValueError):  # a ValueError: the stream was closed
            found.put(
                UnmaskError(
                    "a process of the study ended before its time, perhaps for want of memory",
                    hint="run it again, with fewer processes (--threads 1): what was found is kept",
                )
            )


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


def unpacked(message: bytes) -> Any:
    """What a message of our own program holds."""
    return pickle.loads(message)
