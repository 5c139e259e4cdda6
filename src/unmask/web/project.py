"""Project: a folder with a request, a schema, and the runs made of them; never a copy of the data.

The command line opens it too: ``unmask run PROJECT/request.toml``, ``unmask report PROJECT/runs/0001/
result.json``. And a folder that the command line made ('unmask start', 'unmask demo') is a project.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from unmask.assessment.request import Request, RequestFiles, Verb
from unmask.assessment.request_file import from_toml, to_toml
from unmask.data.io.schema_file import read_schema
from unmask.data.io.schema_file import to_toml as schema_toml
from unmask.data.io.sources import read_text
from unmask.data.io.write import write_text
from unmask.data.schema import Schema
from unmask.errors import ArgumentError, DataError, UnmaskError
from unmask.masks import Exec, parse
from unmask.policies import bundled_policies
from unmask.web.place import Place
from unmask.web.run import RunFolder

REQUEST, PROTECTION, SCHEMA, RUNS, MARK = (
    "request.toml",
    "protection.toml",
    "schema.toml",
    "runs",
    "unmask-project.toml",
)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


class ChangedMeanwhileError(ArgumentError):
    """The page that a form came from is not up to date any more."""

    def __init__(self) -> None:
        super().__init__(
            "this project was changed in another tab, or by the command line, since you opened this page",
            hint="nothing of this form was kept: look at what is kept now, or keep what you entered instead",
        )


@dataclass(frozen=True)
class Project:
    """A project by its folder."""

    place: Place
    folder: Path

    @property
    def name(self) -> str:
        """Its name, as addresses write it."""
        return self.folder.name

    def path(self, name: str) -> str:
        """A file of the project, as requests name it."""
        return self.place.relative(self.folder / name)

    @property
    def request(self) -> Request | None:
        """The assessment that is asked for; None before the files are chosen."""
        path = self.folder / REQUEST
        return from_toml(read_text(path)) if path.is_file() else None

    @property
    def protection(self) -> Request | None:
        """The study or the search for a protection that is asked for, if one is."""
        path = self.folder / PROTECTION
        return from_toml(read_text(path)) if path.is_file() else None

    @property
    def schema(self) -> Schema | None:
        """The schema that the request uses, if it has one; that of another original is none of it."""
        request = self.request
        if request is None or request.files.schema is None:
            return None
        return read_schema(self.place.inside(request.files.schema))

    @property
    def version(self) -> str:
        """What tells whether somebody changed the project since a page was made of it."""
        digest = sha256()
        for name in (REQUEST, PROTECTION, SCHEMA):
            path = self.folder / name
            digest.update(path.read_bytes() if path.is_file() else b"-")
        return digest.hexdigest()[:16]

    def check(self, version: str) -> None:
        """Refuse a form whose page shows another state than the present one."""
        if version != self.version:
            raise ChangedMeanwhileError

    def save(self, request: Request) -> None:
        """Keep a request; files outside of the served folder are refused."""
        check_files(self.place, request)
        name = PROTECTION if request.verb in (Verb.STUDY, Verb.PROTECT) else REQUEST
        write_text(to_toml(request.recorded()), self.folder / name)

    def save_schema(self, schema: Schema) -> None:
        """Keep a schema, and have the request use it."""
        write_text(schema_toml(schema), self.folder / SCHEMA)
        request = self.request
        if request is not None:
            files = replace(request.files, schema=self.path(SCHEMA), columns=())
            self.save(replace(request, files=files))

    def runs(self) -> list[RunFolder]:
        """The runs, the first one first. Links are none: they could lead out of the served folder."""
        if (self.folder / RUNS).is_symlink():
            return []
        try:
            there = [one for one in (self.folder / RUNS).iterdir() if one.name.isdecimal()]
            folders = [one for one in there if one.is_dir() and not one.is_symlink()]
        except OSError:
            return []
        return [RunFolder(folder) for folder in sorted(folders, key=lambda one: int(one.name))]

    def run(self, name: str) -> RunFolder:
        """One run by its number."""
        for run in self.runs():
            if run.name == name:
                return run
        raise DataError("there is no such run", hint="choose one of those that the project lists")

    def latest(self, *verbs: str) -> RunFolder | None:
        """The last run of these kinds that has a result."""
        found = [run for run in self.runs() if run.verb in verbs and run.has_result]
        return found[-1] if found else None


def projects(place: Place) -> Iterator[Project]:
    """The projects directly below the served folder, by name."""
    for folder in sorted(place.root.iterdir()):
        if is_project(folder):
            yield Project(place, folder)


def is_project(folder: Path) -> bool:
    """Whether a folder is a project: it is marked as one, or has a request of unmask's."""
    if not _NAME.fullmatch(folder.name) or folder.is_symlink():
        return False
    try:
        if not folder.is_dir():
            return False
        return (folder / MARK).is_file() or from_toml(read_text(folder / REQUEST)) is not None
    except (UnmaskError, OSError):  # also a folder that others may not look into
        return False


def has_runs(folder: Path) -> bool:
    """Whether a folder has a place for runs: quicker to tell than whether it is a project."""
    try:
        return (folder / RUNS).is_dir()
    except OSError:
        return False


def project_named(place: Place, name: str) -> Project:
    """The project of that name."""
    folder = place.root / name
    if not _NAME.fullmatch(name) or not is_project(folder):
        raise DataError("there is no such project", hint="choose one of those that are listed")
    return Project(place, folder)


def new_project(place: Place, name: str) -> Project:
    """A project in a folder of its own, which is made."""
    if not _NAME.fullmatch(name):
        raise ArgumentError(
            "a project's name has letters, digits, '.', '-' and '_', and at most 64 of them",
            hint="try census-2026",
        )
    folder = place.root / name
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        raise ArgumentError(f"'{name}' is there already", hint="open it, or choose another name") from None
    except OSError as error:
        why = error.strerror or "the system refused"
        raise ArgumentError(
            f"the folder cannot be made: {why}", hint="serve a folder that you may write"
        ) from None
    write_text('format = "unmask-project"\nversion = 1\n', folder / MARK)
    return Project(place, folder)


def check_mask(text: str) -> None:
    """Refuse what is no mask, and a mask that runs a program: pages start none."""
    mask = parse(text)
    if any(isinstance(part, Exec) for part in getattr(mask, "parts", (mask,))):
        raise ArgumentError("a mask that is a program needs the command line", hint="name another mask")


def check_files(place: Place, request: Request) -> None:
    """Refuse a request that reads anything outside of the served folder, a database, or a program."""
    for path in _named(request.files):
        place.inside(path)
    if request.policy is not None and request.policy not in bundled_policies():
        place.inside(request.policy)
    if request.files.model is not None or request.files.trust_model:
        raise ArgumentError("a model can run any program", hint="assess it on the command line (--model)")


def _named(files: RequestFiles) -> Iterator[str]:
    optional = (files.schema, files.released_schema, files.population, files.holdout, files.ledger)
    yield from (files.original, files.released, *files.earlier)
    shaped = (files.nodes, files.released_nodes, files.pairs)
    yield from (path for path in (*optional, *shaped) if path is not None)
