"""The process of a run: `python -m unmask.web.job FOLDER` does the commands of its ``job.json`` in turn.

It outlives the server that started it. It loads little, so that it costs little beside the commands.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from unmask.web.lock import held

#: As in unmask.web.run, which would load much.
JOB, LOCK, OUTCOME, CANCELLED, STARTED = "job.json", "lock", "outcome.json", "cancelled", "started"
ERRORS, GROUP = "errors.txt", "group"

#: The pages stay quick while the work takes all cores.
_NICE = 10


def main(folder: Path) -> None:
    """Do the work of a run, and say how it ended."""
    if hasattr(os, "nice"):
        os.nice(_NICE)
    # Who cancels the run ends its commands, which this process then waits for; its handler is not theirs.
    signal.signal(signal.SIGTERM, lambda *_: None)
    with held(folder / LOCK) as lock:
        # Two servers of a folder may both have started it: the second one comes too late.
        if (folder / CANCELLED).exists() or (folder / OUTCOME).exists():
            return
        (folder / GROUP).write_text(str(os.getpgrp() if os.name == "posix" else os.getpid()))
        (folder / STARTED).touch(mode=0o600)
        steps = json.loads((folder / JOB).read_text(encoding="utf-8"))["steps"]
        begun, code = time.monotonic(), 0
        for step in steps:
            code = _done(step, folder, lock)
            if code:
                break  # also where a policy is not met: what follows is for a release that may go out
        told = {"code": code, "message": _last_line(folder), "seconds": round(time.monotonic() - begun, 1)}
        temporary = folder / f".{OUTCOME}"
        temporary.write_text(json.dumps(told), encoding="utf-8")
        temporary.replace(folder / OUTCOME)


def _done(step: list[str], folder: Path, lock: int) -> int:
    """One command of unmask's, without a terminal: its exit code.

    It holds the lock too: should this process be killed, the run goes on until its command has ended. "-P": a
    file of the served folder is no module, whatever its name.
    """
    with (folder / ERRORS).open("wb") as errors:
        try:
            return subprocess.run(
                [sys.executable, "-P", "-m", "unmask", *step],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                check=False,
                pass_fds=(lock,) if os.name == "posix" else (),
            ).returncode
        except (OSError, ValueError):  # a text that is too long for a command, or no memory for a process
            errors.write(b"error: the command cannot be started: perhaps a text of the form is too long\n")
            return 2


def _last_line(folder: Path) -> str:
    lines = (folder / ERRORS).read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1].removeprefix("error: ") if lines else ""


if __name__ == "__main__":
    main(Path(sys.argv[1]))
