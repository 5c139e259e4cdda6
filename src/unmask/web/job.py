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
ERRORS = "errors.txt"

#: The pages stay quick while the work takes all cores.
_NICE = 10


def main(folder: Path) -> None:
    """Do the work of a run, and say how it ended."""
    if hasattr(os, "nice"):
        os.nice(_NICE)
    # Who cancels the run ends its commands, which this process then waits for; its handler is not theirs.
    signal.signal(signal.SIGTERM, lambda *_: None)
    with held(folder / LOCK):
        if (folder / CANCELLED).exists():
            return
        (folder / STARTED).touch(mode=0o600)
        steps = json.loads((folder / JOB).read_text(encoding="utf-8"))["steps"]
        begun, code = time.monotonic(), 0
        for step in steps:
            code = _done(step, folder)
            if code:
                break  # also where a policy is not met: what follows is for a release that may go out
        told = {"code": code, "message": _last_line(folder), "seconds": round(time.monotonic() - begun, 1)}
        temporary = folder / f".{OUTCOME}"
        temporary.write_text(json.dumps(told), encoding="utf-8")
        temporary.replace(folder / OUTCOME)


def _done(step: list[str], folder: Path) -> int:
    """One command of unmask's, without a terminal: its exit code."""
    with (folder / ERRORS).open("wb") as errors:
        return subprocess.run(
            [sys.executable, "-m", "unmask", *step],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            check=False,
        ).returncode


def _last_line(folder: Path) -> str:
    lines = (folder / ERRORS).read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1].removeprefix("error: ") if lines else ""


if __name__ == "__main__":
    main(Path(sys.argv[1]))
