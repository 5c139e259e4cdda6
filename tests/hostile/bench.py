"""The bench: a worker process that is started again when a command ends it, and folders of its own."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.hostile.trial import Files, Ran, Twin, content, put

ROOT = Path(__file__).resolve().parents[2]
#: A command that has not ended after so many seconds of work hangs, if it does so twice; and so does one that
#: has not worked for half as long. On a busy machine a command may take any time.
PATIENCE = 60.0
STEP = 0.5
#: After so many commands the worker is replaced.
TURNS = 400


class Bench:
    """Runs commands, each in an empty folder with the files it is given.

    Temporary files and the cache have folders of their own, so that what is left behind is seen; compiled
    kernels are those of the user's cache.
    """

    def __init__(self, patience: float = PATIENCE) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="unmask-hunt-"))
        self.patience = patience
        self.work, self.temporary, self.cache = (self.root / name for name in ("work", "tmp", "cache"))
        for folder in (self.temporary, self.cache):
            folder.mkdir(mode=0o700)
        usual = _usual_cache()
        for kept in usual.iterdir() if usual.is_dir() else ():
            if kept.name != "unfinished":
                (self.cache / kept.name).symlink_to(kept)
        self._known = {path.name for path in self.cache.iterdir()} | {"kernels", "studies"}
        self._worker: subprocess.Popen[str] | None = None
        self._turns = 0
        self._answers: dict[int, Ran] = {}

    def __enter__(self) -> Bench:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        shutil.rmtree(self.root, ignore_errors=True)

    @property
    def environment(self) -> dict[str, str]:
        """The variables of every command."""
        return os.environ | {
            "TMPDIR": str(self.temporary),
            "UNMASK_CACHE_DIR": str(self.cache),
            "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT))),
        }

    def folder(self, files: Files) -> Path:
        """The folder of the next command, with these files and nothing else."""
        subprocess.run(["chmod", "-R", "u+rwX", self.work], check=False, stderr=subprocess.DEVNULL)
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir()
        put(self.work, files)
        return self.work

    def run(
        self, arguments: tuple[str, ...], files: Files, environment: Mapping[str, str] | None = None
    ) -> Ran:
        """What came of a command; one that hung or crashed is tried once more, by a fresh worker."""
        for last in (False, True):
            folder = self.folder(files)
            before = content(folder)
            reply = self._reply(arguments, environment or {})
            if reply["code"] is not None or last:
                break
        printed = (_text(self.root / name) for name in ("out", "err"))
        return Ran(reply["code"], *printed, before, content(folder), self._left(), reply["grown"])

    def answer(self, twin: Twin) -> Ran:
        """What came of a clean command, which is run once."""
        key = hash((tuple(sorted(twin.files.items())), twin.arguments))
        if key not in self._answers:
            self._answers[key] = self.run(twin.arguments, twin.files)
        return self._answers[key]

    def stop(self) -> None:
        """End the worker."""
        if self._worker is not None:
            self._worker.kill()
            self._worker.communicate()  # which closes the pipes
        self._worker, self._turns = None, 0

    def _reply(self, arguments: tuple[str, ...], environment: Mapping[str, str]) -> dict[str, Any]:
        worker = self._started()
        asked = {
            "arguments": list(arguments),
            "environment": dict(environment),
            "folder": str(self.work),
            "out": str(self.root / "out"),
            "err": str(self.root / "err"),
        }
        assert worker.stdin is not None
        assert worker.stdout is not None
        worker.stdin.write(json.dumps(asked) + "\n")
        worker.stdin.flush()
        clock = _Clock(worker.pid)
        while clock.worked < self.patience and clock.idle < self.patience / 2:
            clock.tick()
            if select.select([worker.stdout], [], [], STEP)[0]:
                line = worker.stdout.readline()
                if line:
                    found: dict[str, Any] = json.loads(line)
                    return found
                code = worker.wait()
                self.stop()
                return {"code": code if code < 0 else 1, "grown": 0.0}
        self.stop()
        return {"code": None, "grown": 0.0}

    def _started(self) -> subprocess.Popen[str]:
        self._turns += 1
        if self._turns > TURNS:
            self.stop()
        if self._worker is None:
            self._worker = subprocess.Popen(
                [sys.executable, "-m", "tests.hostile.worker"],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        return self._worker

    def left(self) -> tuple[str, ...]:
        """What is in the folders for temporary files and unfinished runs."""
        found = [f"temporary file {path.name}" for path in self.temporary.iterdir()]
        for path in self.cache.iterdir():
            inside = path.name == "unfinished" and any(path.iterdir())
            if inside or (path.name not in self._known and path.name != "unfinished" and path.is_dir()):
                found.append(f"cache/{path.name}")
        return tuple(found)

    def _left(self) -> tuple[str, ...]:
        found = self.left()
        self.clear()
        return found

    def clear(self) -> None:
        """Remove what commands left in the folders for temporary files and unfinished runs."""
        for path in self.temporary.iterdir():
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink()
        shutil.rmtree(self.cache / "unfinished", ignore_errors=True)


class _Clock:
    """How long a process has worked, and for how long it has done nothing. While the machine is paused, or
    busy with others, no time passes.
    """

    def __init__(self, process: int) -> None:
        self._stat = Path(f"/proc/{process}/stat")
        self._begun, _ = self._seen()
        self.worked = self.idle = 0.0

    def tick(self) -> None:
        now, waiting = self._seen()
        worked = now - self._begun
        self.idle = self.idle + STEP if waiting and worked == self.worked else 0.0
        self.worked = worked

    def _seen(self) -> tuple[float, bool]:
        """Seconds of work, of all its threads, and whether it waits for something else than a processor."""
        if not self._stat.exists():  # a system that does not tell
            return time.monotonic(), False
        parts = self._stat.read_text().rpartition(")")[2].split()
        return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK"), parts[0] != "R"


def _usual_cache() -> Path:
    own = os.environ.get("UNMASK_CACHE_DIR")
    return Path(own) if own else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "unmask"


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
