"""The work of a study: cells one after the other in this process, or side by side in processes of their own.

Processes get the original through a pipe, never through a file, and send back what each part found as plain
data. Whatever their number, the same parts have the same outcomes.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from queue import Empty, Queue, SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Self

from unmask.engines import Engine
from unmask.engines.beside import cores, quiet
from unmask.engines.memory import give_back
from unmask.errors import UnmaskError
from unmask.studies.protection.cell import CellWork, Material, Outcome, Part, StudyCell
from unmask.studies.protection.hand import Hand

#: A cell, and those of its parts that are not there yet.
Task = tuple[StudyCell, tuple[Part, ...]]
Done = tuple[StudyCell, Part, Outcome]

#: Bytes that all processes together may take, what one takes without data, and in units of the file.
MEMORY, EMPTY, TIMES = 2 << 30, 400 << 20, 12

#: Releases times records below which processes take longer to start than the work takes.
LITTLE = 20_000


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
        for hand in self._hands:
            hand.end()
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
            for _ in range(number):
                self._hands.append(Hand(self._to_send))

    def _pack(self) -> bool:
        """Whether the material can be sent: an object of the caller's, such as a function, may not.

        What the program defines that was started is in no module that another process could import.
        """
        try:
            self._packed = pickle.dumps(self._material, protocol=pickle.HIGHEST_PROTOCOL)
        except Exception:  # whatever such an object thinks of
            return False
        give_back()  # packing takes several times what is packed
        return b"__main__" not in self._packed

    def _to_send(self) -> bytes:
        """The material as it is sent, packed again where nobody was to need it any more."""
        packed = self._packed
        return pickle.dumps(self._material, protocol=pickle.HIGHEST_PROTOCOL) if packed is None else packed

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
        try:
            with hand.speaking:
                hand.prepare()
                while True:
                    cell, parts = waiting.get_nowait()
                    for part, answer in hand.answers(cell, parts):
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
