"""unmask knowledge."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unmask.cli.options import (
    DelimiterOption,
    EncodingOption,
    HtmlOption,
    MissingOption,
    OriginalArgument,
    ReleasedArgument,
    SampleOption,
    SchemaOption,
    SeedOption,
    SheetOption,
    TableOption,
    ThreadsOption,
    TruthOption,
    check_outputs,
    missing_policy,
    names,
    reader,
    schema_of,
)
from unmask.errors import ArgumentError


def knowledge(
    original: OriginalArgument,
    released: ReleasedArgument,
    attack: Annotated[str, typer.Option(help="Attacks, separated by commas.")] = "dbrl",
    size: Annotated[int, typer.Option(min=1, help="Try all sets of up to so many attributes.")] = 3,
    threshold: Annotated[
        float | None, typer.Option(help="Also list the smallest sets that reach this risk (0.1 is 10%).")
    ] = None,
    errors: Annotated[
        str, typer.Option(help="Errors in what he knows, in standard deviations, separated by commas.")
    ] = "0,0.05,0.1,0.25,0.5",
    shares: Annotated[
        str, typer.Option(help="Shares of the people whom he knows, separated by commas.")
    ] = "0.01,0.1,0.5,1",
    limit: Annotated[int, typer.Option(min=1, help="Try at most so many sets; larger ones greedily.")] = 5000,
    schema: SchemaOption = None,
    known: Annotated[
        str | None, typer.Option(help="Attributes to choose from, separated by commas; all when not told.")
    ] = None,
    truth: TruthOption = None,
    missing: MissingOption = "mismatch",
    sample: SampleOption = None,
    seed: SeedOption = 0,
    json: Annotated[Path | None, typer.Option(help="Write the curves as JSON.")] = None,
    html: HtmlOption = None,
    threads: ThreadsOption = None,
    delimiter: DelimiterOption = None,
    encoding: EncodingOption = None,
    sheet: SheetOption = None,
    table: TableOption = None,
) -> None:
    """Show risk by what the intruder knows: which attributes, how exactly, of how many people."""
    from unmask.cli import terminal
    from unmask.documents import KNOWLEDGE
    from unmask.engines import LocalEngine
    from unmask.intruder.scenario import Scenario
    from unmask.parsing import several
    from unmask.studies.knowledge import knowledge_curves

    check_outputs((original, released, schema), (json, html))
    read = reader(delimiter, encoding, sheet, table)
    tried, vague, fewer = several(attack), _numbers("--errors", errors), _numbers("--shares", shares)
    scenario = Scenario(names(known), missing=missing_policy(missing))
    with terminal.watching() as watch:
        files = read(original), read(released)
        watch.announce("sets of attributes")
        curves = knowledge_curves(
            *files,
            attack=tried,
            size=size,
            threshold=threshold,
            errors=vague,
            shares=fewer,
            scenario=scenario,
            limit=limit,
            schema=schema_of(schema),
            truth=truth,
            sample=sample,
            seed=seed,
            engine=LocalEngine(threads=threads),
            progress=watch.advance,
        )
    if json is not None:
        curves.to_json(json)
    if html is not None:
        curves.to_html(html)
    terminal.show_knowledge(KNOWLEDGE.build(curves.document()))


def _numbers(option: str, text: str) -> list[float]:
    """The numbers of a list; an empty list leaves its curve out."""
    try:
        return [float(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise ArgumentError(f"{option} is '{text}'", hint="give numbers separated by commas") from None
