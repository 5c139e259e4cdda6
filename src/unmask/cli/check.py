"""unmask check: what is understood of two files, before any percentage."""

from __future__ import annotations

import json as json_text
import shlex
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unmask.cli.answer import check_savable, input_paths, save
from unmask.cli.options import (
    DelimiterOption,
    EncodingOption,
    KindOption,
    KnownOption,
    MissingCodeOption,
    NoSidecarOption,
    OriginalArgument,
    ReleasedArgument,
    ReleasedSchemaOption,
    RenamedOption,
    RoleOption,
    SaveRequestOption,
    SchemaOption,
    SheetOption,
    SyntheticOption,
    TableOption,
    TruthOption,
    column_edits,
    names,
    text,
)
from unmask.cli.outputs import check_outputs, complain, write_each
from unmask.cli.shape_options import (
    NodesOption,
    PairsOption,
    ReleasedNodesOption,
    ReleasedShapeOption,
    ShapeOption,
)
from unmask.errors import ArgumentError
from unmask.visible import visible_line

if TYPE_CHECKING:
    from unmask.assessment.request import Request
    from unmask.assessment.session import Session
    from unmask.data.loading import Files
    from unmask.data.understanding.columns import ColumnMatches
    from unmask.data.understanding.matching import RowMatch


def check(
    original: OriginalArgument,
    released: ReleasedArgument,
    schema: SchemaOption = None,
    released_schema: ReleasedSchemaOption = None,
    role: RoleOption = None,
    kind: KindOption = None,
    missing_code: MissingCodeOption = None,
    renamed: RenamedOption = None,
    known: KnownOption = None,
    truth: TruthOption = None,
    synthetic: SyntheticOption = False,
    shape: ShapeOption = None,
    released_shape: ReleasedShapeOption = None,
    nodes: NodesOption = None,
    released_nodes: ReleasedNodesOption = None,
    pairs: PairsOption = None,
    no_sidecar: NoSidecarOption = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write a schema of both files as they were understood, to confirm or correct.",
        ),
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write what was understood as JSON.")] = None,
    save_request: SaveRequestOption = None,
    delimiter: DelimiterOption = None,
    encoding: EncodingOption = None,
    sheet: SheetOption = None,
    table: TableOption = None,
) -> None:
    """Say how a release came from its original: who is who, which columns, what happened to each."""
    from unmask.assessment.request import Request, RequestFiles, Verb
    from unmask.data.io.sources import Options
    from unmask.intruder.scenario import Scenario

    files = RequestFiles(
        original,
        released,
        text(schema),
        truth,
        synthetic,
        sidecar=not no_sidecar,
        options=Options(delimiter, encoding, sheet, table),
        released_schema=text(released_schema),
        columns=column_edits(role, kind, missing_code, renamed),
        shape=shape,
        released_shape=released_shape,
        nodes=nodes,
        released_nodes=released_nodes,
        pairs=pairs,
    )
    answer_check(Request(files, Verb.CHECK, Scenario(names(known))), output, json, save_request)


def answer_check(
    request: Request,
    output: Path | None = None,
    json: Path | None = None,
    save_request: Path | None = None,
    asked_in: Path | None = None,
) -> None:
    """Do what a check request asks, write what is wanted, and show what was understood.

    ``asked_in``: the file that the request was read from, which no output replaces.
    """
    from unmask.assessment.session import Session
    from unmask.cli.watching import watching
    from unmask.data.io.write import write_text
    from unmask.engines import LocalEngine

    check_outputs((*input_paths(request), asked_in), (output, json, save_request))
    check_savable(request, save_request)
    with watching() as watcher:
        session = Session(request, engine=LocalEngine(watcher=watcher))
        files = session.files
    failed = write_each(
        (
            (save_request, lambda path: save(request, path)),
            (output, lambda path: write_text(schema_text(session), path)),
            (json, lambda path: write_text(_json(files), path)),
        )
    )
    show_understanding(files)
    _say(("", f"next: {_next(request, files, output)}"))
    complain(failed)


def _json(files: Files) -> str:
    return json_text.dumps(plain_understanding(files), indent=1) + "\n"


def schema_text(session: Session) -> str:
    """The schema of both files as they were understood, with the reasons for it, as TOML."""
    from unmask.data.edits import edited_proposal
    from unmask.data.io.schema_file import to_toml
    from unmask.data.loading import original_frame
    from unmask.data.understanding.confirmed import reasons, understood_schema

    files, inputs = session.files, session.inputs
    why: dict[str, tuple[str, ...]] = {}
    if inputs.guessed:
        why = edited_proposal(original_frame(inputs.open("original")), session.request.files.columns).reasons
    found = reasons(files.understanding)
    schema = understood_schema(files.original.schema, files.understanding)
    return to_toml(schema, {name: (*why.get(name, ()), *found.get(name, ())) for name in schema.names()})


def plain_understanding(files: Files) -> dict[str, Any]:
    """What was understood, as documents hold it."""
    from unmask.documents.codec import plain
    from unmask.documents.understanding import UnderstandingSection

    section: dict[str, Any] = plain(UnderstandingSection.of(files.understanding))
    return {"format": "unmask-understanding", "version": 1, **section, "notes": list(files.notes)}


def show_understanding(files: Files) -> None:
    """Rows and columns in a sentence each, one row per attribute, and what the user must know."""
    from unmask.cli import terminal
    from unmask.data.understanding.changes import percent

    understood = files.understanding
    _say((_rows(understood.rows), _columns(understood.columns)))
    if understood.changes:
        _say(("",))
        rows = [
            # What chance did explains no pair by itself: its evidence tells how far it went.
            (c.attribute, c.what.value, c.evidence, "" if c.perturbed else percent(c.share))
            for c in understood.changes
        ]
        terminal.show_rows(("attribute", "what happened", "evidence", "strength"), rows)
    if files.notes:
        _say(("", *(f"note: {note}" for note in files.notes)))


def _rows(rows: RowMatch) -> str:
    """How the records were paired, and how many."""
    from unmask.data.understanding.matching import By
    from unmask.report.numbers import count

    if rows.by is By.NOBODY:
        original = f"{count(rows.absent)} original records"
        return f"Rows: {rows.sentence} ({original} and {count(rows.unmatched)} released ones were read)."
    total = rows.matched + rows.unmatched
    read = f"{count(rows.matched + rows.absent)} original and {count(total)} released records were read"
    how = rows.sentence.rstrip(".")
    found = f"{count(rows.matched)} of {count(total)} released records were paired with an original one"
    rest = f"{count(rows.unmatched)} stem from nobody, {count(rows.absent)} original records are absent"
    return f"Rows: {found}, {rest}. In all, {read}. {how[:1].upper()}{how[1:]}."


def _columns(columns: ColumnMatches) -> str:
    """Which columns the files share, and which only one has."""
    shared = len(columns.same) + len(columns.respelled) + len(columns.renamed)
    parts = [f"{shared} in both files"]
    if columns.renamed:
        parts.append("renamed: " + _listed(f"{old} to {new}" for old, new in columns.renamed))
    if columns.respelled:
        parts.append("under another spelling: " + _listed(f"{new} ({old})" for old, new in columns.respelled))
    if columns.alike:
        parts.append("perhaps renamed: " + _listed(f"{old} to {new}" for old, new in columns.alike))
    parts.append(f"dropped: {_listed(columns.dropped)}")
    parts.append(f"new: {_listed(columns.new)}")
    return f"Columns: {'; '.join(parts)}."


def _listed(listed: Iterable[str], most: int = 12) -> str:
    found = list(listed)
    more = f" and {len(found) - most} more" if len(found) > most else ""
    return (", ".join(found[:most]) or "none") + more


def _next(request: Request, files: Files, output: Path | None) -> str:
    """One line on what to do now."""
    from unmask.data.understanding.changes import What
    from unmask.data.understanding.matching import By

    understood, given = files.understanding, request.files
    unknown = [c.attribute for c in understood.changes if c.what is What.UNKNOWN]
    schema = None if output is None else str(output)
    assess = _assess(request, schema)
    if unknown and understood.rows.by is not By.NOBODY:
        where = f"in '{schema}'" if schema else "in a schema (-o schema.toml writes one)"
        return f"say {where} what happened to {_listed(unknown)}, below [column.released]; then {assess}"
    if schema is not None:
        return f"confirm or correct '{schema}', then {assess}"
    if given.schema is None:
        return f"add -o schema.toml to confirm or correct this, or take it as it is: {assess}"
    return assess


def _assess(request: Request, schema: str | None) -> str:
    """The command that assesses the same; a schema that was written holds what was said of columns."""
    from unmask.assessment.equivalents import command
    from unmask.assessment.request import Verb

    files = request.files
    if schema is not None:
        files = replace(files, schema=schema, released_schema=None, columns=())
    try:
        words = command(replace(request, verb=Verb.ASSESS, files=files), {"--html": "risk.html"})
    except ArgumentError as error:
        return f"assess the files from Python, or by a request in a file, because {error.message}"
    return shlex.join(words)


def _say(sentences: Iterable[str]) -> None:
    from unmask.cli import terminal

    for sentence in sentences:
        terminal.out.print(visible_line(sentence), soft_wrap=True)
