"""unmask knowledge."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

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
    _show(curves.document())


def _numbers(option: str, text: str) -> list[float]:
    """The numbers of a list; an empty list leaves its curve out."""
    try:
        return [float(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise ArgumentError(f"{option} is '{text}'", hint="give numbers separated by commas") from None


def _show(document: Mapping[str, Any]) -> None:
    """The findings in a sentence, then risk by size, the minimal sets, and the other curves."""
    from unmask.cli import terminal
    from unmask.report import knowledge as words

    out = terminal.out
    out.print(words.headline(document), soft_wrap=True)
    out.print()
    rows = [
        (row["size"], row["sets"], row["mean"], row["rate"], row["interval"], row["set"])
        for row in words.size_table(document)
    ]
    terminal.show_rows(("known", "sets", "mean", "highest", "95% interval", "set with the highest"), rows)
    for sentence in words.sets(document):
        out.print(sentence, soft_wrap=True)
    _show_minimal(document)
    for name, field in (("errors", "error"), ("shares", "people")):
        if document[name]:
            out.print()
            cells = [words.point_cells(point) for point in document[name]]
            listed = [(str(c[field]), *_outcome(c), str(c["name"])) for c in cells]
            terminal.show_rows((field, "correct", "rate", "95% interval", "chance", "attack"), listed)
    for note in document["notes"]:
        out.print(f"note: {note}", soft_wrap=True)


def _show_minimal(document: Mapping[str, Any]) -> None:
    from unmask.cli import terminal
    from unmask.report import knowledge as words

    told, found = words.minimal(document), document["minimal_sets"]
    if told:
        terminal.out.print()
    for sentence in told:
        terminal.out.print(sentence, soft_wrap=True)
    if found:
        cells = [words.point_cells(point) for point in found[: words.MOST_SETS]]
        listed = [(str(c["rate"]), str(c["interval"]), str(c["name"]), str(c["set"])) for c in cells]
        terminal.show_rows(("risk", "95% interval", "attack", "minimal set"), listed)
    if len(found) > words.MOST_SETS:
        terminal.out.print(f"and {len(found) - words.MOST_SETS} more (--json has them all)")


def _outcome(cells: Mapping[str, str | None]) -> tuple[str, str, str, str]:
    if cells["reason"]:
        return cells["reason"], "", "", ""
    return str(cells["found"]), str(cells["rate"]), str(cells["interval"]), str(cells["chance"])
