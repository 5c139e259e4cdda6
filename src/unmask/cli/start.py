"""unmask start: the few questions that matter, and the files that an assessment needs."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unmask.cli.options import (
    DelimiterOption,
    EncodingOption,
    KindOption,
    MissingCodeOption,
    OriginalArgument,
    RenamedOption,
    RoleOption,
    SheetOption,
    SyntheticOption,
    TableOption,
    TruthOption,
    column_edits,
)
from unmask.cli.outputs import check_outputs

if TYPE_CHECKING:
    from unmask.assessment.request import Request, RequestFiles
    from unmask.assessment.session import Session
    from unmask.cli.questions import Questions
    from unmask.data.edits import ColumnEdit
    from unmask.data.io.table import SourceTable
    from unmask.data.proposal import Proposal

    Tables = Mapping[str, SourceTable]

SCHEMA, REQUEST = "schema.toml", "request.toml"


def start(
    original: OriginalArgument,
    released: Annotated[
        str | None, typer.Argument(help="The file that is to be released, if there is one.")
    ] = None,
    out: Annotated[Path, typer.Option("--out", help="Folder for schema.toml and request.toml.")] = Path(),
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing: take every default.")] = False,
    truth: TruthOption = None,
    synthetic: SyntheticOption = False,
    role: RoleOption = None,
    kind: KindOption = None,
    missing_code: MissingCodeOption = None,
    renamed: RenamedOption = None,
    delimiter: DelimiterOption = None,
    encoding: EncodingOption = None,
    sheet: SheetOption = None,
    table: TableOption = None,
) -> None:
    """Look at the files, ask the few questions that matter, and write a schema and a request."""
    from unmask.assessment.request import RequestFiles
    from unmask.cli.questions import Questions
    from unmask.cli.terminal import at_the_end
    from unmask.data.io.sources import Options

    edits = column_edits(role, kind, missing_code, renamed)
    options = Options(delimiter, encoding, sheet, table)
    files = RequestFiles(original, released or "", None, truth, synthetic, options=options, columns=edits)
    targets = [out / SCHEMA, *([out / REQUEST] if released else [])]
    check_outputs([path for path in (original, released) if path], targets)
    questions = Questions(yes)
    questions.check_somebody()
    # Where nothing is asked, nothing is shown before all is done: a refusal stands alone.
    with at_the_end() if yes else nullcontext():
        tables = _opened(files)
        if not yes:
            _check_defaults(files, tables)
        questions.check_free(targets)
        _started(files, tables, out, questions)


def _opened(files: RequestFiles) -> Tables:
    """The files as they are read."""
    from dataclasses import asdict

    from unmask.data.io import read

    paths = {"original": files.original, **({"released": files.released} if files.released else {})}
    return {role: read(path, **asdict(files.options)) for role, path in paths.items()}


def _check_defaults(files: RequestFiles, tables: Tables) -> None:
    """Refuse what would be refused after the questions, had they their defaults for answers.

    Who is who may be asked for: that nothing tells it is no reason to refuse.
    """
    from unmask.cli.check import schema_text
    from unmask.cli.questions import Questions
    from unmask.data.understanding.matching import UnknownRowsError

    _proposal(files, tables)
    if files.released:
        with suppress(UnknownRowsError):
            schema_text(_understood(files, tables, Questions(yes=True)))


def _proposal(files: RequestFiles, tables: Tables) -> Proposal:
    """What the columns of the original are taken for, unless mistakes in them make categories of numbers."""
    from unmask.data.edits import edited_proposal
    from unmask.data.loading import check_guesses

    proposal = edited_proposal(tables["original"], files.columns)
    told = [edit.name for edit in files.columns if edit.kind is not None]
    check_guesses(proposal.schema, tables["original"], told)
    return proposal


def _started(files: RequestFiles, tables: Tables, folder: Path, questions: Questions) -> None:
    """Show, ask, and write at the very end: who stops in between leaves nothing behind."""
    from unmask.assessment.request_file import to_toml as request_toml
    from unmask.cli.check import schema_text, show_understanding
    from unmask.cli.terminal import out
    from unmask.data.io.schema_file import to_toml
    from unmask.data.io.write import checked_text, write_text

    held, proposal = tables["original"], _proposal(files, tables)
    _show(proposal, held)
    files = replace(files, columns=_merged(files.columns, _answers(proposal, held, questions)))
    if not files.released:
        proposal = _proposal(files, tables)
        write_text(to_toml(proposal.schema, proposal.reasons), folder / SCHEMA)
        out.print(f"\nwritten: {folder / SCHEMA}", soft_wrap=True)
        out.print(f"next: {_without_release(files, folder)}", soft_wrap=True)
        return
    session = _understood(files, tables, questions)
    out.print()
    show_understanding(session.files)
    request = _request(session.request.files, folder)
    texts = schema_text(session), request_toml(request.recorded())
    for text, name in zip(texts, (SCHEMA, REQUEST), strict=True):
        checked_text(text, name)  # both, before one of them is written
    for text, name in zip(texts, (SCHEMA, REQUEST), strict=True):
        write_text(text, folder / name)
    out.print(f"\nwritten: {folder / SCHEMA}, {folder / REQUEST}", soft_wrap=True)
    out.print(f"next: unmask run {folder / REQUEST} --html {folder / 'risk.html'}", soft_wrap=True)


def _show(proposal: Proposal, held: SourceTable) -> None:
    """What the columns are taken for."""
    from unmask.cli.terminal import out, show_rows
    from unmask.data.understanding.several_rows import several_rows
    from unmask.report.numbers import count
    from unmask.report.phrases import capital

    out.print(f"{count(held.frame.height)} records, {held.frame.width} columns:\n")
    if (several := several_rows(held.frame)) is not None:
        out.print(f"! {capital(several)}.\n", soft_wrap=True)
    suspects = _suspects(proposal, held)
    rows = [
        (
            item.column.name,
            item.column.word,
            item.column.role.value,
            _taken(len(suspects.get(item.column.name, ())), bool(item.column.missing)),
        )
        for item in proposal.columns
    ]
    show_rows(("column", "kind", "role", "perhaps missing"), rows)
    out.print()


def _taken(codes: int, missing: bool) -> str:
    if not codes:
        return ""
    return f"{codes} code{'' if codes == 1 else 's'}, taken for {'missing' if missing else 'a value'}"


def _suspects(proposal: Proposal, held: SourceTable) -> dict[str, tuple[str, ...]]:
    """The codes of each column that perhaps mean 'missing'."""
    from unmask.data.values.sentinels import sentinels

    found = {
        item.column.name: tuple(one.code for one in sentinels(held.frame[item.column.name]))
        for item in proposal.columns
        if item.column.name not in held.levels and item.odd
    }
    return {name: codes for name, codes in found.items() if codes}


def _answers(proposal: Proposal, held: SourceTable, questions: Questions) -> tuple[ColumnEdit, ...]:
    """What the user says of the columns, where that differs from the proposal."""
    from unmask.data.edits import edits_of
    from unmask.data.schema import Role

    schema, names = proposal.schema, proposal.schema.names()
    secret = questions.columns(
        "What must nobody learn about a person (confidential)?", schema.names(Role.CONFIDENTIAL), names
    )
    rest = [name for name in names if name not in secret]
    proposed = [name for name in schema.names(Role.QUASI_IDENTIFIER) if name in rest]
    known = questions.columns("What could somebody know about a person (quasi-identifiers)?", proposed, rest)
    roles = dict.fromkeys(secret, Role.CONFIDENTIAL) | dict.fromkeys(known, Role.QUASI_IDENTIFIER)
    open_roles = (Role.CONFIDENTIAL, Role.QUASI_IDENTIFIER)
    roles |= {c.name: Role.IGNORED for c in schema if c.role in open_roles and c.name not in roles}
    suspects, codes = _suspects(proposal, held), {}
    if suspects:
        taken = [name for name in suspects if schema[name].missing]
        chosen = questions.columns(
            f"Where do the codes of {', '.join(suspects)} mean 'no value'?", taken, suspects
        )
        codes = {name: listed if name in chosen else () for name, listed in suspects.items()}
    return edits_of(
        {name: role for name, role in roles.items() if role is not schema[name].role},
        {},
        {name: listed for name, listed in codes.items() if bool(listed) != bool(schema[name].missing)},
    )


def _merged(before: tuple[ColumnEdit, ...], after: tuple[ColumnEdit, ...]) -> tuple[ColumnEdit, ...]:
    """The edits of the command line with those of the answers, which count where both speak."""
    found = {edit.name: edit for edit in before}
    for edit in after:
        first = found.get(edit.name, edit)
        missing = first.missing if edit.missing is None else edit.missing
        renamed = edit.renamed or first.renamed
        found[edit.name] = replace(first, role=edit.role or first.role, missing=missing, renamed=renamed)
    return tuple(found.values())


def _understood(files: RequestFiles, tables: Tables, questions: Questions) -> Session:
    """The session of a check of both files; asks for what only the user can tell."""
    from unmask.cli.terminal import out
    from unmask.data.edits import edits_of
    from unmask.data.understanding.matching import UnknownRowsError

    session = _session(files, tables)
    try:
        understood = session.files.understanding
    except UnknownRowsError as error:
        if questions.yes:
            raise
        out.print(f"\n{error.message}.", soft_wrap=True)
        files = _told(files, tables, questions)
        session = _session(files, tables)
        understood = session.files.understanding
    same = {
        old: new
        for old, new in understood.columns.alike
        if questions.agrees(f"'{new}' of the release looks like '{old}' of the original. Is it the same?")
    }
    if same:
        columns = _merged(files.columns, edits_of({}, {}, {}, same))
        session = _session(replace(files, columns=columns), tables)
    return session


def _session(files: RequestFiles, tables: Tables) -> Session:
    """A check of the files, which are read already."""
    from unmask.assessment.asked import Given
    from unmask.assessment.request import Request, Verb
    from unmask.assessment.session import Session

    return Session(Request(files, Verb.CHECK), Given(dict(tables)))


def _told(files: RequestFiles, tables: Tables, questions: Questions) -> RequestFiles:
    """The files with who is who, as the user says."""
    from unmask.data.understanding.matching import ROWS

    left, right = (tables[role].frame.columns for role in ("original", "released"))
    question = (
        f"Which column of both files tells it? ('{ROWS}': row i is row i; 'synthetic': nobody's records)"
    )
    answer = questions.column(question, [*(name for name in left if name in right), ROWS, "synthetic"])
    if answer == "synthetic" and not (answer in left and answer in right):
        return replace(files, synthetic=True)
    return replace(files, truth=answer)


def _request(files: RequestFiles, folder: Path) -> Request:
    """The assessment of the files under the schema, which holds all that was said of columns."""
    from unmask.assessment.request import Request

    return Request(replace(files, schema=str(folder / SCHEMA), columns=()))


def _without_release(files: RequestFiles, folder: Path) -> str:
    import shlex

    words = ("unmask", "assess", files.original, "RELEASED", "--schema", str(folder / SCHEMA))
    return f"{shlex.join(words)} --html risk.html (make a release with your tools, or with 'unmask mask')"
