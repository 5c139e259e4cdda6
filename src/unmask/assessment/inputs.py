"""The inputs of a request: opened by their role, each once, and known by the hashes of their bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import cached_property
from hashlib import file_digest
from importlib.metadata import version
from os.path import isfile
from pathlib import Path
from platform import python_version

import polars as pl

from unmask.assessment.asked import Given
from unmask.assessment.request import IN_MEMORY, Request, Verb
from unmask.assessment.request_file import to_plain
from unmask.data.edits import ColumnEdit, edited, edited_proposal, with_names
from unmask.data.io import read, read_schema
from unmask.data.io.model import check_model, read_model
from unmask.data.io.sidecar import read_sidecar, sidecar_path
from unmask.data.io.sources import existing, shown
from unmask.data.io.spark import is_remote, is_spark_frame, read_remote, staged
from unmask.data.io.sql import address_file, is_address
from unmask.data.io.table import SourceTable
from unmask.data.loading import check_guesses, original_frame, table
from unmask.data.microdata import Microdata
from unmask.data.released_schema import with_released
from unmask.data.schema import Schema
from unmask.data.shapes.named import shape_named
from unmask.data.shapes.shape import check_names, in_pairs
from unmask.data.understanding.columns import match_columns
from unmask.data.understanding.matching import ROWS
from unmask.documents.sections import InputFile, Provenance
from unmask.engines.room import Room
from unmask.errors import ArgumentError
from unmask.policies import policy_file

#: The libraries that numbers may depend on.
LIBRARIES = ("numpy", "scipy", "numba", "polars", "scikit-learn", "highspy")

#: The roles of files of people, which may have a shape of their own.
SHAPED = ("original", "released", "population", "holdout")


class Inputs:
    """The files of one request; ``room``: where their columns live, if not in memory."""

    def __init__(self, request: Request, given: Given, room: Room | None = None) -> None:
        self._request, self._given = request, given
        self._room = Room() if room is None else room
        self._opened: dict[str, object] = {}

    def paths(self) -> Iterator[tuple[str, str]]:
        """Role and path or address of each input that has one."""
        files = self._request.files
        studied = self._request.verb in (Verb.STUDY, Verb.PROTECT)
        made = studied or (self._request.mask is not None and not files.released)
        named = {
            "original": files.original,
            "released": None if made else files.released,
            **{f"earlier {i}": one for i, one in enumerate(files.earlier, start=1)},
            "schema": files.schema,
            "released schema": files.released_schema,
            "population": files.population,
            "holdout": files.holdout,
            "model": files.model,
            "ledger": files.ledger,
            "sidecar": self._sidecar_path(),
            "policy": self._policy_path(),
            "nodes": files.nodes,
            "released nodes": files.released_nodes,
            "pairs": files.pairs,
        }
        # An empty path is not left out: it is refused as any other that leads to no file.
        return ((role, path) for role, path in named.items() if path not in (None, IN_MEMORY))

    def open(self, role: str) -> object:
        """What serves in a role, read once; None if nothing does."""
        if self._request.files.shape is not None and role in SHAPED:
            return self._people(role)
        return self._open(role)

    def _people(self, role: str) -> object:
        """The people of a file of series, of traces, or of the edges of a graph, read once."""
        files, place = self._request.files, f"people of {role}"
        if place not in self._opened:
            source = self._open(role)
            if source is None or isinstance(source, Microdata):
                self._opened[place] = source  # which has its content, if it is to have any
            else:
                nodes = self._open({"original": "nodes", "released": "released nodes"}.get(role, ""))
                released = role == "released" and files.released_shape is not None
                shape = shape_named((files.released_shape if released else files.shape) or "")
                found = shape.people(table(source), None if nodes is None else table(nodes))
                self._opened[place] = self._renamed(found, shape.key) if role == "released" else found
        return self._opened[place]

    def file(self, role: str) -> SourceTable:
        """A file as it is, whatever shape people are read from it in."""
        return table(self._open(role))

    @property
    def names(self) -> pl.Series | None:
        """The names of people who are read from points or ties: no row of the file is theirs alone."""
        files, original = self._request.files, self.open("original")
        key = None if files.shape is None else shape_named(files.shape).key
        return original.frame[key] if key is not None and isinstance(original, SourceTable) else None

    @property
    def truth(self) -> str | None:
        """The column that tells who is who: that of the request, else that of the people's names."""
        files = self._request.files
        if files.shape is None or files.nobodys:
            return files.truth
        key = shape_named(files.shape).key
        if files.truth == ROWS and key is not None:
            raise ArgumentError(
                "the rows of these files are points or ties, which do not tell who is who",
                hint="people with the same name are taken for the same; where the release names them "
                "otherwise, give a file of pairs (--pairs)",
            )
        return files.truth or key

    def _renamed(self, released: SourceTable, named: str | None) -> SourceTable:
        """The release with the original's names of people, where a file of pairs tells them.

        ``named``: its column of names, which is called as the original's from here on.
        """
        pairs, key = self._open("pairs"), shape_named(self._request.files.shape or "").key
        if key is not None and named is not None and key != named:
            released = replace(released, frame=released.frame.rename({named: key}))
        if pairs is None and self.truth != key:  # which refuses a truth that cannot tell
            return released
        if pairs is not None and key is not None:
            return in_pairs(released, table(pairs), key)
        original = self.open("original")
        if key is not None and isinstance(original, SourceTable) and not self._request.files.nobodys:
            check_names(original, released, key)
        return released

    def _open(self, role: str) -> object:
        if role in self._given.files and not is_spark_frame(self._given.files[role]):
            return self._given.files[role]
        if role in self._given.files and role not in self._opened:
            self._opened[role] = staged(self._given.files[role], self._room, f"the {role} file")
        if role not in self._opened:
            path = dict(self.paths()).get(role)
            self._opened[role] = None if path is None else self._read(role, path)
        return self._opened[role]

    def check(self) -> None:
        """Refuse early what would be refused only when it is opened, after the attacks."""
        model = self._request.files.model
        if model not in (None, IN_MEMORY) and "model" not in self._given.files:
            check_model(str(model), trusted=self._request.files.trust_model)

    def _sidecar_path(self) -> str | None:
        """The file that unmask left beside the release, where there is one and it is wanted."""
        files = self._request.files
        if not files.sidecar or files.released in ("", IN_MEMORY) or is_address(files.released):
            return None
        path = sidecar_path(files.released)
        # A name that no file can have is refused where the release itself is opened.
        return str(path) if isfile(path) else None  # noqa: PTH113  # never raises

    def _policy_path(self) -> str | None:
        """The file of the policy; a bundled one has none, and is known by its name."""
        policy = self._request.policy
        return None if policy is None or policy_file(policy) is None else policy

    def _read(self, role: str, path: str) -> object:
        if role == "model":
            return read_model(path, trusted=self._request.files.trust_model)
        if role == "sidecar":
            return read_sidecar(path)
        if is_remote(path):
            return staged(read_remote(path), self._room, f"the {role} file")
        if self._room.folder is not None:
            from unmask.data.io.mapped import read_mapped

            return read_mapped(path, self._room, self._request.files.options)
        return read(path, **asdict(self._request.files.options))

    @cached_property
    def schema(self) -> Schema | None:
        """The schema of the original file: given, with what is said beside it, else the proposal with that.

        None where nothing is said at all: then the proposal is made where the files are paired.
        """
        files, given = self._request.files, self._given_schema("schema", self._request.files.schema)
        there = self._given_schema("released schema", files.released_schema)
        if there is None and not files.columns:
            return given
        original = self.open("original")
        schema = given or (original.schema if isinstance(original, Microdata) else None)
        if schema is None:
            proposal = edited_proposal(original_frame(original), files.columns)
            schema = with_names(proposal.schema, files.columns)
            told = [edit.name for edit in files.columns if edit.kind is not None]
            check_guesses(schema, original_frame(original), told)
        else:
            if isinstance(original, Microdata):
                _check_roles_only(files.columns)
            schema = edited(schema, files.columns, original_frame(original))
        return schema if there is None else self._with_released(schema, there)

    @property
    def guessed(self) -> bool:
        """Whether kinds and roles are unmask's proposal, but for what is said of single columns."""
        given = self._request.files.schema is not None
        return not given and not isinstance(self._given.files.get("original"), Microdata)

    def _given_schema(self, role: str, path: str | None) -> Schema | None:
        handed = self._given.files.get(role)
        if isinstance(handed, Schema):
            return handed
        return None if path is None else read_schema(Path(path))

    def _with_released(self, schema: Schema, there: Schema) -> Schema:
        frames = [original_frame(self.open(role)).frame for role in ("original", "released")]
        respelled = {new: old for old, new in match_columns(*frames).respelled}
        return with_released(schema, there, frames[1].columns, respelled)

    def provenance(self) -> Provenance:
        """What was asked, of which files, by which versions."""
        used = {name: found for name, found in versions().items() if name != "unmask"}
        return Provenance(to_plain(self._request.recorded()), input_files(self._request), used)


def _check_roles_only(edits: tuple[ColumnEdit, ...]) -> None:
    """The values of Microdata are read already: no code is missing any more, and no kind is another."""
    for edit in edits:
        if edit.kind is not None or edit.missing is not None:
            raise ArgumentError(
                f"the kind or missing codes of '{edit.name}' are given, and Microdata is read already",
                hint="give the frame or the path instead, or say it in the schema of the Microdata",
            )


def versions() -> dict[str, str]:
    """The versions of unmask, Python and the libraries that numbers may depend on."""
    return {
        "unmask": version("unmask"),
        "python": python_version(),
        **{name: version(name) for name in LIBRARIES},
    }


def input_files(request: Request) -> tuple[InputFile, ...]:
    """The hash of each input file; a database that is no file has none."""
    found = []
    for role, path in Inputs(request, Given()).paths():
        file = address_file(path)
        name = shown(file) if file is not None else "a database"
        found.append(InputFile(role, name, "" if file is None else sha256(file)))
    return tuple(found)


def sha256(path: str | Path) -> str:
    """The SHA-256 of a file's bytes.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "people.csv"
    ...     _ = path.write_bytes(b"age")
    ...     sha256(path)[:16]
    '013f54400c82da08'
    """
    with existing(Path(path)).open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()
