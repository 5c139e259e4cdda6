"""unmask ledger: what an office released, and a new release against the earlier ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unmask.cli.answer import Outputs, answer, input_paths
from unmask.cli.options import (
    AttacksOption,
    DelimiterOption,
    EncodingOption,
    ErrorOption,
    FollowOption,
    HtmlOption,
    KindOption,
    KnownOption,
    MissingCodeOption,
    MissingOption,
    NoSidecarOption,
    ReleasedSchemaOption,
    RenamedOption,
    RoleOption,
    SaveRequestOption,
    SchemaOption,
    SeedOption,
    SheetOption,
    TableOption,
    TargetsOption,
    ThreadsOption,
    TruthOption,
    column_edits,
    methods,
    names,
    number_of_targets,
    reader,
    schema_of,
    text,
)
from unmask.cli.outputs import check_outputs
from unmask.cli.where import Where
from unmask.data.missing import AUTO, missing_policy

if TYPE_CHECKING:
    from unmask.documents import AssessmentDocument

ledger_app = typer.Typer(
    name="ledger",
    help="Record what was released, and assess a new release against the earlier ones.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

LedgerArgument = Annotated[Path, typer.Argument(help="The ledger, a SQLite file.")]


@ledger_app.command()
def add(
    ledger: Annotated[Path, typer.Argument(help="The ledger; it is made if there is none.")],
    released: Annotated[Path, typer.Argument(help="The released file.")],
    original: Annotated[Path, typer.Option("--original", help="The original file it is a release of.")],
    mask: Annotated[
        list[str] | None, typer.Option("--mask", help="How it was protected, as in noise:a=0.1; repeatable.")
    ] = None,
    assessment: Annotated[
        Path | None, typer.Option("--assessment", help="Its assessment, as 'unmask assess --json' writes it.")
    ] = None,
    label: Annotated[str | None, typer.Option(help="A name for the release; by default the file's.")] = None,
    date: Annotated[str | None, typer.Option(help="When it was released, as 2026-01-31; today else.")] = None,
    note: Annotated[str, typer.Option(help="What else to remember.")] = "",
    schema: SchemaOption = None,
    delimiter: DelimiterOption = None,
    encoding: EncodingOption = None,
    sheet: SheetOption = None,
    table: TableOption = None,
) -> None:
    """Record a release: hashes, counts, schema, masks and assessment; never the data."""
    from unmask import ledger as book
    from unmask.cli import terminal

    check_outputs((released, original, assessment, schema), (ledger,))
    held = reader(delimiter, encoding, sheet, table)(released)
    entry = book.draft(
        released,
        original,
        held,
        schema=schema_of(schema),
        masks=mask or [],
        assessment=assessment,
        label=label,
        day=date,
        note=note,
    )
    entry = book.add(ledger, entry)
    terminal.out.print(
        f"{entry.title}: {entry.records} records, {len(entry.columns)} columns, recorded", soft_wrap=True
    )


@ledger_app.command("list")
def list_(ledger: LedgerArgument) -> None:
    """List the releases."""
    from unmask import ledger as book
    from unmask.cli import terminal

    rows = [
        (
            str(one.number),
            one.date,
            one.label,
            str(one.records),
            one.original_sha256[:8],
            "; ".join(one.masks) or "-",
            _highest(one.assessment),
        )
        for one in book.entries(ledger)
    ]
    terminal.show_rows(("id", "date", "label", "records", "original", "masks", "highest risk"), rows)


@ledger_app.command()
def show(
    ledger: LedgerArgument, number: Annotated[int, typer.Argument(help="The release's id in the list.")]
) -> None:
    """Show all that is recorded of a release."""
    from unmask import ledger as book
    from unmask.cli import terminal
    from unmask.report import headline

    one = book.entry(ledger, number)
    facts = (
        ("release", f"{one.number}, {one.label}"),
        ("date", one.date),
        ("file", one.file),
        ("sha256", one.sha256),
        ("original", one.original),
        ("sha256 of it", one.original_sha256),
        ("records", str(one.records)),
        ("masks", "; ".join(one.masks) or "-"),
        ("note", one.note or "-"),
        ("assessment", "-" if one.assessment is None else headline(one.assessment)),
        ("recorded by", f"unmask {one.unmask}"),
    )
    terminal.show_rows(("what", "recorded"), facts)
    terminal.out.print()
    terminal.show_rows(("column", "kind", "role"), [(c["name"], c["kind"], c["role"]) for c in one.columns])


@ledger_app.command()
def check(
    ledger: LedgerArgument, files: Annotated[list[Path], typer.Argument(help="The files to look up.")]
) -> None:
    """Tell whether files are those recorded, by their hashes; exits with 1 if one is not."""
    from unmask import ledger as book
    from unmask.assessment.inputs import sha256
    from unmask.cli import terminal
    from unmask.data.io.sources import shown

    held, unknown = book.entries(ledger), False
    marks = [(path, sha256(path)) for path in files]
    for path, mark in marks:
        found = [one.title for one in held if one.sha256 == mark]
        found += [f"the original of release {one.number}" for one in held if one.original_sha256 == mark]
        unknown = unknown or not found
        terminal.out.print(f"{shown(path)}: {', '.join(found) or 'not recorded'}", soft_wrap=True)
    if unknown:
        raise typer.Exit(1)


@ledger_app.command()
def assess(
    ledger: LedgerArgument,
    original: Annotated[Path, typer.Argument(help="The original file.")],
    new: Annotated[Path, typer.Argument(help="The file that is to be released.")],
    earlier: Annotated[
        list[Path], typer.Option("--earlier", help="The file of an earlier release; repeatable.")
    ],
    follow: FollowOption = "none",
    schema: SchemaOption = None,
    released_schema: ReleasedSchemaOption = None,
    role: RoleOption = None,
    kind: KindOption = None,
    missing_code: MissingCodeOption = None,
    renamed: RenamedOption = None,
    known: KnownOption = None,
    truth: TruthOption = None,
    attacks: AttacksOption = None,
    targets: TargetsOption = None,
    error: ErrorOption = 0.0,
    missing: MissingOption = AUTO,
    no_sidecar: NoSidecarOption = False,
    candidates: Annotated[
        int, typer.Option(min=2, help="Nearest records considered where none are followed.")
    ] = 64,
    seed: SeedOption = 0,
    json: Annotated[Path | None, typer.Option(help="Write the comparison as JSON.")] = None,
    html: HtmlOption = None,
    save_request: SaveRequestOption = None,
    threads: ThreadsOption = None,
    delimiter: DelimiterOption = None,
    encoding: EncodingOption = None,
    sheet: SheetOption = None,
    table: TableOption = None,
) -> None:
    """Assess a new release against earlier ones of the same original, whose files the ledger knows."""
    from unmask.assessment.request import Request, RequestFiles, Verb
    from unmask.data.io.sources import Options
    from unmask.intruder.scenario import Scenario
    from unmask.ledger import ledger_notes

    request = Request(
        RequestFiles(
            str(original),
            str(new),
            text(schema),
            truth,
            earlier=tuple(str(path) for path in earlier),
            follow=follow,
            ledger=str(ledger),
            sidecar=not no_sidecar,
            options=Options(delimiter, encoding, sheet, table),
            released_schema=text(released_schema),
            columns=column_edits(role, kind, missing_code, renamed),
        ),
        Verb.COMPARE,
        Scenario(names(known), number_of_targets(targets), error, missing_policy(missing)),
        methods(attacks),
        candidates=candidates,
        seed=seed,
    )
    check_outputs(input_paths(request), (json, html, save_request))
    ledger_notes(request)  # a file that the ledger does not know is refused before the attacks start
    answer(request, Outputs(json, html, None, save_request, Where(threads=threads)))


def _highest(assessment: AssessmentDocument | None) -> str:
    """The worst attack's rate, where there is an assessment and it has one."""
    from unmask.report.numbers import percent

    best = None if assessment is None else assessment.best()
    if assessment is None or best is None or best.number is None:
        return "-"
    return f"{percent(best.number)} {assessment.worst}"
