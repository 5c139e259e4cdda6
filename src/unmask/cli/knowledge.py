"""unmask knowledge."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unmask.cli.answer import Outputs, answer
from unmask.cli.options import (
    DelimiterOption,
    EncodingOption,
    HtmlOption,
    KindOption,
    MissingCodeOption,
    MissingOption,
    NoSidecarOption,
    OriginalArgument,
    ReleasedArgument,
    ReleasedSchemaOption,
    RenamedOption,
    RoleOption,
    SampleOption,
    SaveRequestOption,
    SchemaOption,
    SeedOption,
    SheetOption,
    TableOption,
    ThreadsOption,
    TruthOption,
    VerboseOption,
    column_edits,
    methods,
    names,
    numbers,
    text,
)
from unmask.cli.where import Where
from unmask.data.missing import AUTO, missing_policy


def knowledge(
    original: OriginalArgument,
    released: ReleasedArgument,
    attack: Annotated[str, typer.Option(help="Attacks, separated by commas.")] = "dbrl",
    size: Annotated[int, typer.Option(min=1, help="Try all sets of up to so many attributes.")] = 3,
    threshold: Annotated[
        float | None, typer.Option(help="Also list the smallest sets that reach this risk (0.1 is 10%).")
    ] = None,
    errors: Annotated[
        str, typer.Option(help="Errors in what they know, in standard deviations, separated by commas.")
    ] = "0,0.05,0.1,0.25,0.5",
    shares: Annotated[
        str, typer.Option(help="Shares of the people whom they know, separated by commas.")
    ] = "0.01,0.1,0.5,1",
    limit: Annotated[int, typer.Option(min=1, help="Try at most so many sets; larger ones greedily.")] = 5000,
    schema: SchemaOption = None,
    released_schema: ReleasedSchemaOption = None,
    role: RoleOption = None,
    kind: KindOption = None,
    missing_code: MissingCodeOption = None,
    renamed: RenamedOption = None,
    known: Annotated[
        str | None, typer.Option(help="Attributes to choose from, separated by commas; by default all.")
    ] = None,
    truth: TruthOption = None,
    missing: MissingOption = AUTO,
    no_sidecar: NoSidecarOption = False,
    sample: SampleOption = None,
    seed: SeedOption = 0,
    json: Annotated[Path | None, typer.Option(help="Write the curves as JSON.")] = None,
    html: HtmlOption = None,
    save_request: SaveRequestOption = None,
    threads: ThreadsOption = None,
    verbose: VerboseOption = False,
    delimiter: DelimiterOption = None,
    encoding: EncodingOption = None,
    sheet: SheetOption = None,
    table: TableOption = None,
) -> None:
    """Show risk by what the intruder knows: which attributes, how exactly, of how many people."""
    from unmask.assessment.request import Grid, Request, RequestFiles, Verb
    from unmask.data.io.sources import Options
    from unmask.intruder.scenario import Scenario

    request = Request(
        RequestFiles(
            original,
            released,
            text(schema),
            truth,
            sidecar=not no_sidecar,
            options=Options(delimiter, encoding, sheet, table),
            released_schema=text(released_schema),
            columns=column_edits(role, kind, missing_code, renamed),
        ),
        Verb.KNOWLEDGE,
        Scenario(names(known), missing=missing_policy(missing)),
        methods(attack),
        grid=Grid(size, threshold, numbers("--errors", errors), numbers("--shares", shares), limit),
        sample=sample,
        seed=seed,
    )
    answer(request, Outputs(json, html, None, save_request, Where(threads=threads), verbose))
