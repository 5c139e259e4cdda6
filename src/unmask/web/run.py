"""Run: one piece of work of a project, as the files that it leaves in a folder of its own.

All that is known of a run is on disk, so that another server, or none, finds it as it is: ``job.json`` says
which commands do the work, the lock is held while a process does it, ``outcome.json`` says how it ended.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from unmask.assessment.request import Request
from unmask.assessment.request_file import from_toml
from unmask.data.io.replacing import ONLY_USER
from unmask.data.io.sources import read_text
from unmask.data.io.write import write_text
from unmask.errors import ArgumentError
from unmask.web.lock import is_held
from unmask.web.seal import is_sealed, seal

JOB, LOCK, OUTCOME, CANCELLED, STARTED = "job.json", "lock", "outcome.json", "cancelled", "started"

#: The number of the group of the processes that do a run.
GROUP = "group"

REQUEST, RESULT, REPORT, PEOPLE, PROGRESS = (
    "request.toml",
    "result.json",
    "report.html",
    "people.parquet",
    "progress.jsonl",
)

#: A file of progress is read from its end on, so many bytes.
_TAIL = 200_000


class RunState(StrEnum):
    """How far a run is."""

    WAITING = "waiting"  # for a free core
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    FOREIGN = "made elsewhere"  # by another account, or on another machine: it is not started here
    BROKEN_OFF = "broken off"  # its process ended without a word: it was killed, or the machine stopped


#: A run of these states has ended.
ENDED = (RunState.DONE, RunState.FAILED, RunState.CANCELLED, RunState.BROKEN_OFF, RunState.FOREIGN)


@dataclass(frozen=True)
class RunOutcome:
    """How the commands of a run ended: the last exit code, the last line of its errors, and the time."""

    code: int
    message: str
    seconds: float


@dataclass(frozen=True)
class Progress:
    """What a run says of itself while it works: the part in hand, how much of it is done, what is known."""

    part: str = ""
    share: float | None = None
    seconds: float = 0.0
    lines: tuple[str, ...] = ()

    @property
    def left(self) -> float | None:
        """Seconds that the part may still take, if it goes on as it began."""
        if not self.share or self.share >= 1.0:
            return None
        return self.seconds / self.share - self.seconds


@dataclass(frozen=True)
class RunFolder:
    """A run by its folder."""

    folder: Path

    @property
    def name(self) -> str:
        """Its number, as addresses write it."""
        return self.folder.name

    @property
    def job(self) -> dict[str, Any]:
        """What the run is to do: ``title``, ``verb``, ``steps`` (command lines) and ``created``."""
        found = _read_json(self.folder / JOB)
        return found if isinstance(found, dict) and isinstance(found.get("steps"), list) else {"steps": []}

    @property
    def title(self) -> str:
        """The run in a few words."""
        return str(self.job.get("title", "run"))

    @property
    def verb(self) -> str:
        """What kind of work it is."""
        return str(self.job.get("verb", ""))

    @property
    def output(self) -> str:
        """The file that it was to write for the person, from the served folder on; empty where none was."""
        return str(self.job.get("output", ""))

    @property
    def created(self) -> str:
        """When it was asked for, as a person writes it."""
        return str(self.job.get("created", ""))

    @property
    def state(self) -> RunState:
        """How far it is, by what is on disk."""
        outcome = self.outcome
        if is_held(self.folder / LOCK):
            return RunState.RUNNING
        outcome = outcome or self.outcome  # it may have ended between the two looks
        if outcome is not None and outcome.code in (0, 3):
            return RunState.DONE
        if (self.folder / CANCELLED).exists():
            return RunState.CANCELLED
        if outcome is not None and outcome.code >= 0:  # below 0: a signal, such as of a system out of memory
            return RunState.FAILED
        if (self.folder / STARTED).exists():
            return RunState.BROKEN_OFF
        return RunState.WAITING if self.own else RunState.FOREIGN

    @property
    def own(self) -> bool:
        """Whether this person's account asked for it: nothing else is started."""
        job = self.job
        return is_sealed(self.folder, job["steps"], job.get("seal"))

    @property
    def over(self) -> bool:
        """Whether it came to an end, by a single look at the disk."""
        return (self.folder / OUTCOME).exists()

    @property
    def outcome(self) -> RunOutcome | None:
        """How it ended, if it did."""
        told: Any = _read_json(self.folder / OUTCOME)
        try:
            return RunOutcome(int(told["code"]), str(told["message"]), float(told["seconds"]))
        except (KeyError, TypeError, ValueError):  # there is none, or none of ours
            return None

    @property
    def progress(self) -> Progress:
        """What it says of itself so far."""
        events = _events(self.folder / PROGRESS)
        part, begun, share, now = "", 0.0, None, 0.0
        for event in events:
            now = _number(event.get("at"), now)
            if event.get("event") == "begin":
                part, begun, share = str(event.get("part", "")), now, None
            elif event.get("event") == "advance" and _number(event.get("total")) > 0:
                share = min(1.0, _number(event.get("done")) / _number(event.get("total")))
        told = tuple(str(event.get("line", "")) for event in events if event.get("event") == "tell")
        return Progress(part, share, now - begun, told)

    def file(self, name: str) -> Path | None:
        """A file of the run, if it is there; a link is none, since it could lead anywhere."""
        path = self.folder / name
        return path if path.is_file() and not path.is_symlink() else None

    @property
    def request(self) -> Request | None:
        """What was asked, where the run has a request."""
        path = self.file(REQUEST)
        return None if path is None else from_toml(read_text(path))

    @property
    def has_result(self) -> bool:
        """Whether there is a document to look at, and its report, which is written after it."""
        return self.file(RESULT) is not None and self.file(REPORT) is not None


def new_run(runs: Path) -> RunFolder:
    """The folder of the next run, which is made: the number tells the order."""
    runs.mkdir(mode=0o700, exist_ok=True)
    number = max((int(one.name) for one in runs.iterdir() if one.name.isdecimal()), default=0)
    while True:  # another tab may take the same number first
        number += 1
        folder = runs / f"{number:04d}"
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            continue
        return RunFolder(folder)


def give(run: RunFolder, verb: str, title: str, steps: list[list[str]], output: str = "") -> None:
    """Say what the run is to do. From then on it waits for its turn."""
    now = datetime.now().astimezone().isoformat(" ", "minutes")
    job = {"title": title, "verb": verb, "steps": steps, "created": now, "output": output}
    job["seal"] = seal(run.folder, steps)
    write_text(json.dumps(job, indent=1) + "\n", run.folder / JOB, ONLY_USER)


def again(run: RunFolder) -> None:
    """Forget how the run ended, so that it goes on: what it finished is kept where its commands keep it."""
    if not run.own:
        raise ArgumentError(
            "this run was asked for by another account, or in another folder: its commands are not started",
            hint="look at what it was to do, and start it anew under Run or Protect",
        )
    for name in (OUTCOME, CANCELLED, STARTED, GROUP):
        (run.folder / name).unlink(missing_ok=True)


def _read_json(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _number(value: object, usual: float = 0.0) -> float:
    return float(value) if isinstance(value, int | float) else usual


def _events(path: Path) -> list[dict[str, Any]]:
    """The events of a file of progress, without a last line that is not whole yet."""
    try:
        with path.open("rb") as stream:
            size = stream.seek(0, 2)
            stream.seek(max(0, size - _TAIL))
            lines = stream.read().split(b"\n")[:-1]
    except OSError:
        return []
    found = []
    for line in lines:
        try:
            event = json.loads(line)
        except ValueError:
            continue  # the first one, which begins before what was read
        if isinstance(event, dict):
            found.append(event)
    return found
