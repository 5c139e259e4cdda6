"""Jobs: the processes that do the work of runs, so many at a time, and their end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread

from unmask.web.run import CANCELLED, ENDED, GROUP, RunFolder, RunState

#: How often waiting runs are looked at, in seconds.
_TICK = 0.3

#: After so many seconds a cancelled job is asked again, which ends it at once, and then is ended.
_PATIENCE = (0.7, 1.4)


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Jobs:
    """Starts waiting runs, as many as there are places, and ends those that somebody cancels.

    ``folder``: where commands run, from which requests name their files; ``runs``: lists those that have not
    ended. What is running is known by what is on disk, so that jobs of an earlier server count too. One core
    is left for looking at files, where there are two.
    """

    def __init__(
        self, folder: Path, runs: Callable[[], Iterable[RunFolder]], most: int | None = None
    ) -> None:
        self._folder, self._runs = folder, runs
        self._most = max(1, cores() - 1) if most is None else most
        self._processes: dict[Path, subprocess.Popen[bytes]] = {}
        self._lock, self._over = Lock(), Event()
        self._thread = Thread(target=self._schedule, name="jobs", daemon=True)

    def start(self) -> None:
        """From now on, waiting runs get their turn."""
        self._thread.start()

    def stop(self) -> None:
        """No run is started any more. Those that run go on: they are found again by the next server."""
        self._over.set()
        self._thread.join(timeout=5)

    def cancel(self, run: RunFolder) -> None:
        """End a run. Its memory is free within two seconds; parts that it finished are kept."""
        with self._lock:
            if run.state in ENDED:
                return  # how it ended stays as it was
            (run.folder / CANCELLED).touch(mode=0o600)
        if run.state is RunState.RUNNING:
            Thread(target=self._end, args=(run,), name="cancel", daemon=True).start()

    def _end(self, run: RunFolder) -> None:
        """Ask the processes of a run to end, ask again, and end them."""
        begun = time.monotonic()
        last = getattr(signal, "SIGKILL", signal.SIGTERM)  # not everywhere is there one
        for number, patience in zip((signal.SIGTERM, signal.SIGTERM, last), (*_PATIENCE, 5.0), strict=True):
            self._signal(run, number)
            while run.state is RunState.RUNNING and time.monotonic() - begun < patience:
                self._reap()
                time.sleep(0.05)
        self._reap()

    def _signal(self, run: RunFolder, number: signal.Signals) -> None:
        """A signal to the processes of a run, which are a group of their own."""
        with suppress(OSError, ValueError):
            group = int((run.folder / GROUP).read_text())
            if run.state is not RunState.RUNNING:  # the number may be another's by now
                return
            if os.name == "posix":
                os.killpg(group, number)
            else:
                subprocess.run(["taskkill", "/F", "/T", "/PID", str(group)], check=False, capture_output=True)

    def _schedule(self) -> None:
        while not self._over.wait(_TICK):
            with suppress(OSError):  # a folder that is gone, or a full disk: the next look may do
                self._next()

    def _next(self) -> None:
        self._reap()
        with self._lock:
            states = [(run, run.state) for run in self._runs()]
            free = (
                self._most
                - sum(state is RunState.RUNNING for _, state in states)
                - len(self._starting(states))
            )
            for run, state in states:
                if free > 0 and state is RunState.WAITING and run.folder not in self._processes:
                    self._begin(run)
                    free -= 1

    def _starting(self, states: list[tuple[RunFolder, RunState]]) -> list[RunFolder]:
        """The runs whose process is there and does not hold its lock yet."""
        return [run for run, state in states if state is RunState.WAITING and run.folder in self._processes]

    def _begin(self, run: RunFolder) -> None:
        """The process of a run, in a group of its own, which the end of the server does not reach.

        "-P": a file of the served folder is no module, whatever its name.
        """
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "unmask.web.job", str(run.folder)],
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._processes[run.folder] = process

    def _reap(self) -> None:
        """Let go of processes that ended."""
        for folder, process in list(self._processes.items()):
            if process.poll() is not None:
                self._processes.pop(folder, None)
