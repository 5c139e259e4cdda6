"""Verbs that make one file from another: mask, describe, report."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from unmask.cli.options import (
    DelimiterOption,
    EncodingOption,
    SchemaOption,
    SeedOption,
    SheetOption,
    TableOption,
    check_outputs,
    reader,
    schema_of,
)


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
    from unmask.data.io.write import write
    from unmask.masks import parse
    from unmask.masks.frames import masked_frame

    chosen = parse(method)
    check_outputs((file, schema), (), (output,))
    held = reader(delimiter, encoding, sheet, table)(file)
    write(masked_frame(held, chosen, seed, schema_of(schema)), output)


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
    from unmask.data.io.schema_file import to_toml
    from unmask.data.io.write import write_text
    from unmask.data.proposal import propose

    check_outputs((file,), (output,))
    proposal = propose(reader(delimiter, encoding, sheet, table)(file))
    text = to_toml(proposal.schema, proposal.reasons)
    if output is None:
        sys.stdout.write(text)
    else:
        write_text(text, output)


def report(
    file: Annotated[
        Path, typer.Argument(help="A result, as assess, knowledge or ledger assess --json writes it.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where the report goes; FILE with .html when not told."),
    ] = None,
) -> None:
    """Make the report of a result: of an assessment, of knowledge curves, of a comparison of releases."""
    from unmask.cli import terminal
    from unmask.data.io.sources import existing, read_text
    from unmask.data.io.write import write_text
    from unmask.report.pages import page_of

    source = existing(file)
    target = output or source.with_suffix(".html")
    check_outputs((source,), (target,))
    write_text(page_of(read_text(source)), target)
    terminal.out.print(f"report: {target}", soft_wrap=True)
