"""The command line: one verb a function, each a thin layer over the same function in Python."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from io import StringIO, TextIOWrapper
from os.path import realpath
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.exceptions import Abort, Exit, TyperException

from unmask.errors import ArgumentError, UnmaskError

app = typer.Typer(
    name="unmask",
    help="How many records of a protected file could an intruder re-identify, and what could he learn?",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

INTERRUPTED = 130

SchemaOption = Annotated[
    Path | None, typer.Option("--schema", help="Schema of the original file (TOML, from 'unmask describe').")
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Same seed, same result.")]
DelimiterOption = Annotated[
    str | None, typer.Option("--delimiter", help="Of CSV files; found when not told.")
]
EncodingOption = Annotated[str | None, typer.Option("--encoding", help="Of CSV files; found when not told.")]
SheetOption = Annotated[str | None, typer.Option("--sheet", help="Sheet of an Excel file.")]
TableOption = Annotated[
    str | None,
    typer.Option("--table", help="Table or SELECT query of a database, or object of an .rda file."),
]


class Registry(StrEnum):
    """What 'unmask list' can list."""

    MASKS = "masks"
    ATTACKS = "attacks"
    MEASURES = "measures"


@app.command()
def assess(
    original: Annotated[str, typer.Argument(help="The original file (path, or database URI::table).")],
    released: Annotated[str, typer.Argument(help="The file that is to be released.")],
    schema: SchemaOption = None,
    known: Annotated[
        str | None, typer.Option(help="Attributes the intruder knows, separated by commas.")
    ] = None,
    truth: Annotated[
        str | None,
        typer.Option(help="Key column in both files that tells who is who; without it, row order."),
    ] = None,
    attacks: Annotated[
        str | None, typer.Option(help="Attacks, separated by commas; all when not told.")
    ] = None,
    targets: Annotated[
        float | None,
        typer.Option(min=0, help="How many people the intruder knows: a count, or a share below 1."),
    ] = None,
    error: Annotated[
        float, typer.Option(min=0, help="Error in what he knows, in standard deviations.")
    ] = 0.0,
    missing: Annotated[
        str, typer.Option(help="How missing values compare: mismatch, ignore, wildcard or category.")
    ] = "mismatch",
    block: Annotated[
        str | None, typer.Option(help="Attributes on which compared records must agree, separated by commas.")
    ] = None,
    sample: Annotated[
        int | None, typer.Option(min=1, help="Try the attacks on so many people only, drawn at random.")
    ] = None,
    seed: SeedOption = 0,
    json: Annotated[Path | None, typer.Option(help="Write the assessment as JSON.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write a self-contained report.")] = None,
    records: Annotated[Path | None, typer.Option(help="Write one row a record (.parquet or .csv).")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads; all cores when not told.")] = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Say how each search is done.")] = False,
    delimiter: DelimiterOption = None,
    encoding: EncodingOption = None,
    sheet: SheetOption = None,
    table: TableOption = None,
) -> None:
    """Attack a released file with every method and say how many records each re-identifies."""
    from unmask import terminal
    from unmask.assessment import assess as run
    from unmask.io import read
    from unmask.io.write import check_target, write
    from unmask.parsing import several
    from unmask.scenario import Scenario

    for target in (json, html, records):
        if target is not None:
            check_target(target, table=target is records)
    _check_apart((original, released, schema), (json, html, records))
    scenario = Scenario(_names(known), _targets(targets), error, _missing(missing), _names(block) or ())
    how: dict[str, Any] = {"delimiter": delimiter, "encoding": encoding, "sheet": sheet, "table": table}
    with terminal.watching() as watch:
        assessment = run(
            read(original, **how),
            read(released, **how),
            schema=_schema(schema),
            scenario=scenario,
            truth=truth,
            attacks=None if attacks is None else several(attacks),
            sample=sample,
            seed=seed,
            engine=terminal.engine(watch, threads, verbose),
            announce=watch.announce,
        )
    if json is not None:
        assessment.to_json(json)
    if html is not None:
        assessment.to_html(html)
    if records is not None:
        write(assessment.records(), records)
    terminal.show_assessment(assessment.document())


@app.command()
def mask(
    file: Annotated[str, typer.Argument(help="The file to mask.")],
    method: Annotated[str, typer.Option("--mask", help="Method and parameters, as in noise:a=0.1.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Where the masked file goes (.csv, .parquet).")
    ],
    schema: SchemaOption = None,
    seed: SeedOption = 0,
    delimiter: DelimiterOption = None,
    encoding: EncodingOption = None,
    sheet: SheetOption = None,
    table: TableOption = None,
) -> None:
    """Mask a file. The rows keep their order, so that the result can be assessed against the original."""
    from unmask.io import read
    from unmask.io.write import check_target, write
    from unmask.masking import masked_frame
    from unmask.masks import parse

    chosen = parse(method)
    check_target(output, table=True)
    _check_apart((file, schema), (output,))
    held = read(file, delimiter=delimiter, encoding=encoding, sheet=sheet, table=table)
    write(masked_frame(held, chosen, seed, _schema(schema)), output)


@app.command()
def describe(
    file: Annotated[str, typer.Argument(help="The file to describe.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where the schema goes; stdout when not told.")
    ] = None,
    delimiter: DelimiterOption = None,
    encoding: EncodingOption = None,
    sheet: SheetOption = None,
    table: TableOption = None,
) -> None:
    """Propose a schema: the kind and the role of every column, with reasons, as commented TOML."""
    from unmask.io import read
    from unmask.io.schema_file import to_toml
    from unmask.io.write import check_target, write_text
    from unmask.proposal import propose

    if output is not None:
        check_target(output)
    _check_apart((file,), (output,))
    proposal = propose(read(file, delimiter=delimiter, encoding=encoding, sheet=sheet, table=table))
    text = to_toml(proposal.schema, proposal.reasons)
    if output is None:
        sys.stdout.write(text)
    else:
        write_text(text, output)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Folder for the example's files.")] = Path("demo"),
    seed: SeedOption = 1,
) -> None:
    """Mask a bundled example of 5,000 invented people, attack it and write a report."""
    from unmask.demo import run

    run(out, seed)


@app.command()
def report(
    file: Annotated[Path, typer.Argument(help="An assessment, as 'unmask assess --json' writes it.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where the report goes; FILE with .html when not told."),
    ] = None,
) -> None:
    """Make the report of an assessment."""
    from unmask import terminal
    from unmask.io.sources import existing, read_text
    from unmask.io.write import check_target, write_text
    from unmask.report import html, read_document

    source = existing(file)
    target = output or source.with_suffix(".html")
    check_target(target)
    _check_apart((source,), (target,))
    write_text(html(read_document(read_text(source))), target)
    terminal.out.print(f"report: {target}", soft_wrap=True)


@app.command("list")
def list_(what: Annotated[Registry, typer.Argument(help="masks, attacks or measures")]) -> None:
    """List what there is, with its parameters."""
    from unmask import terminal
    from unmask.attacks import ATTACKS, METHODS
    from unmask.masks import MASKS
    from unmask.measures import MEASURES
    from unmask.parsing import form
    from unmask.report.titles import title

    if what is Registry.MASKS:
        rows = [(form(name, method), _summary(method)) for name, method in MASKS.items()]
        terminal.show_rows(("mask, and how it is written", "what it does"), rows)
    else:
        names = list(MEASURES) if what is Registry.MEASURES else [*dict.fromkeys([*ATTACKS, *METHODS])]
        named = [(name, title(name).explanation) for name in names]
        terminal.show_rows((what.value.rstrip("s"), "what it does"), named)


@app.command()
def reproduce(
    paper: Annotated[str, typer.Argument(help="The published tables to run again, as in rank-based-2016.")],
    replicates: Annotated[int, typer.Option(min=1, help="Random masked files a cell.")] = 20,
    seed: SeedOption = 1,
    json: Annotated[Path | None, typer.Option(help="Write the cells as JSON.")] = None,
) -> None:
    """Run published tables again, and print published against ours; exits with 1 if a check fails."""
    from unmask.io.write import check_target, write_text
    from unmask.papers import paper_named, show

    chosen = paper_named(paper)
    if json is not None:
        check_target(json)
    outcome = show(chosen, replicates, seed)
    if json is not None:
        write_text(outcome.to_json(), json)
    if outcome.failed:
        raise typer.Exit(1)


def main() -> None:
    """Run the command line; a user's mistake is one line on stderr and exit code 2."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a column's name may not fit the terminal
    try:
        # Without a verb, the help tells which there are.
        code = app(sys.argv[1:] or ["--help"], prog_name="unmask", standalone_mode=False)
    except UnmaskError as error:
        code = _complain(str(error))
    except TyperException as error:
        code = _complain(_usage(error))
    except Exit as stop:
        code = stop.exit_code
    except (KeyboardInterrupt, Abort):
        code = INTERRUPTED
    except BrokenPipeError:
        code = 1
    except OSError as error:
        sys.stdout = StringIO()  # what is still held back cannot be written at the exit either
        reason = error.strerror or "the system refused"
        code = _complain(f"reading or printing failed: {reason}. Hint: check the space on the disk.")
    except MemoryError:
        code = _complain("not enough memory. Hint: assess fewer targets (--targets) or fewer records.")
    if code == INTERRUPTED:  # typer makes this code of a Ctrl-C in a verb, and says nothing
        sys.stderr.write("interrupted\n")
    sys.exit(code if isinstance(code, int) else 0)


def _complain(text: str) -> int:
    sys.stderr.write("error: " + " ".join(text.split()) + "\n")
    return 2


def _usage(error: TyperException) -> str:
    """What is wrong with the arguments, and where they are explained."""
    message = error.format_message().replace("Value error, ", "").rstrip(".")
    context = getattr(error, "ctx", None)
    verb = context.command_path if context is not None else "unmask"
    end = "" if message.endswith("?") else "."
    return f"{message}{end} Hint: '{verb} --help' tells what may stand there."


def _check_apart(sources: Sequence[str | Path | None], targets: Sequence[Path | None]) -> None:
    """Refuse to write over a file that is read, or twice into one file."""
    seen = {realpath(source) for source in sources if source is not None}
    for target in targets:
        if target is None:
            continue
        if realpath(target) in seen:
            raise ArgumentError(
                f"'{target.name}' is read or written already by this command",
                hint="give every output a name of its own",
            )
        seen.add(realpath(target))


def _names(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(name.strip() for name in text.split(",") if name.strip())


def _targets(targets: float | None) -> int | float | None:
    """A number from 1 on is a count, a smaller one a share."""
    if targets is None or targets < 1:
        return targets
    if not targets.is_integer():
        raise ArgumentError(f"--targets is {targets:g}", hint="give a whole number, or a share below 1")
    return int(targets)


def _missing(text: str) -> Any:
    from unmask.errors import unknown_name
    from unmask.scenario import Missing

    if text not in list(Missing):
        raise unknown_name("missing-value policy", text, [policy.value for policy in Missing])
    return Missing(text)


def _schema(path: Path | None) -> Any:
    from unmask.io.schema_file import read_schema

    return None if path is None else read_schema(path)


def _summary(item: object) -> str:
    return (item.__doc__ or "").strip().splitlines()[0]
