"""Looks: short readings of files for a page, each in a process of its own, remembered while nothing changes.

What a look finds (columns, counts, levels) is shown and kept in memory; nothing of it is written to disk.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, Semaphore, Thread
from typing import Any

from unmask.errors import DataError

#: So many answers are remembered, and so many seconds one may take.
_MOST, _LONGEST = 24, 900.0


@dataclass(frozen=True)
class LookAnswer:
    """An answer: what was found, or why nothing was; neither while the look goes on."""

    found: dict[str, Any] | None = None
    error: str = ""

    @property
    def waiting(self) -> bool:
        """Whether the answer is still to come."""
        return self.found is None and not self.error


class Looks:
    """Asks and remembers. One look at a time, so that files are not read over each other.

    ``folder``: from where paths are read.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: OrderedDict[str, LookAnswer] = OrderedDict()
        self._processes: dict[str, tuple[str, subprocess.Popen[bytes]]] = {}
        self._lock, self._turn = Lock(), Semaphore(1)

    def at(self, what: str, owner: str, **question: Any) -> LookAnswer:
        """The answer, if it is there; else it is on its way, and whoever asks again gets it.

        ``owner``: who asks. A look that the same owner asked for before, at files that have changed since,
        is ended: nobody waits for it.
        """
        asked = json.dumps({"what": what, **question}, sort_keys=True)
        key = f"{asked}{self._stamps(question)}"
        with self._lock:
            if key in self._seen:
                self._seen.move_to_end(key)
                return self._seen[key]
            self._end(f"{owner} {what}")
            self._seen[key] = LookAnswer()
            while len(self._seen) > _MOST:
                self._seen.popitem(last=False)
        Thread(target=self._ask, args=(f"{owner} {what}", key, asked), name="look", daemon=True).start()
        return LookAnswer()

    def now(self, what: str, **question: Any) -> dict[str, Any]:
        """The answer to a short question, for which the person waits."""
        seen = self._answer(self._process(), json.dumps({"what": what, **question}))
        if seen.found is None:
            raise DataError(seen.error)
        return seen.found

    def forget(self) -> None:
        """Errors are not remembered: what was wrong may have been mended."""
        with self._lock:
            for key in [key for key, seen in self._seen.items() if seen.error]:
                del self._seen[key]

    def stop(self) -> None:
        """End what is being looked at."""
        with self._lock:
            self._seen.clear()  # so that none begins that waits for its turn
            for owner in list(self._processes):
                self._end(owner)

    def _end(self, owner: str) -> None:
        key, process = self._processes.pop(owner, ("", None))
        if process is not None:
            process.kill()
            self._seen.pop(key, None)

    def _stamps(self, question: dict[str, Any]) -> list[tuple[int, int]]:
        """What changes when a file does."""
        stamps = []
        for path in question.get("paths", ()):
            try:
                status = (self._folder / path).stat()
            except OSError:
                stamps.append((0, 0))
            else:
                stamps.append((status.st_mtime_ns, status.st_size))
        return stamps

    def _ask(self, owner: str, key: str, asked: str) -> None:
        with self._turn:
            with self._lock:
                if key not in self._seen:
                    return  # nobody waits for it any more
                process = self._process()
                self._processes[owner] = key, process
            seen = self._answer(process, asked)
        with self._lock:
            if self._processes.get(owner, ("", None))[1] is not process:
                return  # it was ended; whoever asked the same again waits for another answer
            del self._processes[owner]
            if key in self._seen:
                self._seen[key] = seen

    def _process(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "unmask.web.look"],  # no file of the folder is a module
            cwd=self._folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    @staticmethod
    def _answer(process: subprocess.Popen[bytes], asked: str) -> LookAnswer:
        try:
            answer, _ = process.communicate(asked.encode(), timeout=_LONGEST)
            told = json.loads(answer)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return LookAnswer(error="reading took longer than 15 minutes. Hint: use the command line.")
        except ValueError:
            return LookAnswer(error="reading ended without an answer: perhaps there was not enough memory.")
        return LookAnswer(told.get("found"), told.get("error", ""))
