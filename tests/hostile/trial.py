"""What a trial is, what came of it, and what is said of that."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from tests.hostile.bench import Bench


class Special(StrEnum):
    """Things in a folder that are no ordinary files."""

    FOLDER = "folder"
    FIFO = "fifo"
    LINK = "a link to original.csv"
    LOOP = "a link to itself"
    SECRET = "a file without permissions"


Files = Mapping[str, "str | bytes | Special"]


class Must(StrEnum):
    """What a command may do with what it is given."""

    EITHER = "refuse or answer"
    REFUSE = "refuse"
    ANSWER = "answer"


@dataclass(frozen=True)
class Twin:
    """The clean form of a bad input. An answer to the bad one may not be lower by more than ``tolerance``,
    unless it has a note that the clean one's has not; ``whole``: nor may it speak of fewer records.
    """

    files: Files
    arguments: tuple[str, ...]
    tolerance: float = 0.0
    whole: bool = True


@dataclass(frozen=True)
class Ran:
    """What a command left behind. ``code`` is None where it was ended because it hung; below 0: a signal."""

    code: int | None
    out: str
    err: str
    before: Mapping[str, bytes | None]
    after: Mapping[str, bytes | None]
    left: tuple[str, ...] = ()  # in the folders for temporary files and for unfinished runs
    grown: float = 0.0  # megabytes of memory taken beyond what was taken before

    @property
    def written(self) -> dict[str, bytes | None]:
        """The files that are new or changed."""
        return {
            name: found for name, found in self.after.items() if self.before.get(name, b"\0none") != found
        }


class Verdict(StrEnum):
    """The columns of the table."""

    REFUSED = "refused rightly"
    ANSWERED = "answered"
    WRONG = "wrong"


@dataclass(frozen=True)
class Judged:
    """What is said of a trial; ``why`` tells what is wrong, and ``shown`` is what the command printed."""

    name: str
    kind: str
    verdict: Verdict
    why: tuple[str, ...] = ()
    command: str = ""
    shown: str = ""


class Trial(Protocol):
    """A trial of any kind."""

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> str: ...

    def judged(self, bench: Bench) -> Judged: ...


@dataclass(frozen=True)
class Command:
    """A command in a folder with these files: the usual trial.

    ``may_hold`` names outputs that are asked to hold values of records; nothing else that is written or
    printed may hold one.
    """

    name: str
    kind: str
    arguments: tuple[str, ...]
    files: Files = field(default_factory=dict)
    must: Must = Must.EITHER
    twin: Twin | None = None
    may_hold: frozenset[str] = frozenset()
    environment: Mapping[str, str] = field(default_factory=dict)
    most_memory: float = 1500.0

    def judged(self, bench: Bench) -> Judged:
        from tests.hostile.judging import judge

        ran = bench.run(self.arguments, self.files, self.environment)
        return judge(self, ran, None if self.twin is None else bench.answer(self.twin))


class OwnRules(ABC):
    """A trial that makes several runs and says itself what is wrong with them; it answers or is wrong."""

    kind: ClassVar[str]

    @property
    @abstractmethod
    def name(self) -> str: ...

    @property
    @abstractmethod
    def shown(self) -> str:
        """What is run, for the table."""

    @abstractmethod
    def wrongs(self, bench: Bench) -> Iterator[str]:
        """Make the runs; what is wrong with them."""

    def judged(self, bench: Bench) -> Judged:
        why = tuple(self.wrongs(bench))
        verdict = Verdict.WRONG if why else Verdict.ANSWERED
        return Judged(self.name, self.kind, verdict, why, self.shown)


def put(folder: Path, files: Files) -> None:
    """Make these files."""
    import os

    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        match content:
            case Special.FOLDER:
                path.mkdir()
            case Special.FIFO:
                os.mkfifo(path)
            case Special.LINK:
                path.symlink_to("original.csv")
            case Special.LOOP:
                path.symlink_to(name)
            case Special.SECRET:
                path.touch(mode=0)
            case bytes():
                path.write_bytes(content)
            case _:
                path.write_bytes(content.encode())


def content(folder: Path) -> dict[str, bytes | None]:
    """Every file below a folder with its bytes, hidden ones too; None for what is no ordinary file."""
    import os

    found: dict[str, bytes | None] = {}
    for place, folders, names in os.walk(folder):
        for name in (*folders, *names):
            path = Path(place) / name
            plain = path.is_file() and not path.is_symlink() and os.access(path, os.R_OK)
            found[str(path.relative_to(folder))] = path.read_bytes() if plain else None
    return found
