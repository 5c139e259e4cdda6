"""unmask assess."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unmask.cli.options import (
    AttacksOption,
    DelimiterOption,
    EncodingOption,
    ErrorOption,
    FollowOption,
    HtmlOption,
    KnownOption,
    MissingOption,
    OriginalArgument,
    ReleasedArgument,
    SampleOption,
    SchemaOption,
    SeedOption,
    SheetOption,
    TableOption,
    TargetsOption,
    ThreadsOption,
    TruthOption,
    check_outputs,
    missing_policy,
    names,
    number_of_targets,
    reader,
    schema_of,
)


def assess(
    original: OriginalArgument,
    released: ReleasedArgument,
    schema: SchemaOption = None,
    known: KnownOption = None,
    truth: TruthOption = None,
    synthetic: Annotated[
        bool, typer.Option("--synthetic", help="The release is synthetic: no record of it is a person's.")
    ] = False,
    attacks: AttacksOption = None,
    targets: TargetsOption = None,
    error: ErrorOption = 0.0,
    missing: MissingOption = "mismatch",
    block: Annotated[
        str | None, typer.Option(help="Attributes on which compared records must agree, separated by commas.")
    ] = None,
    source: Annotated[
        list[str] | None,
        typer.Option(
            help="A source of his knowledge, as in known=age+sex,targets=0.1,error=0.2; repeatable."
        ),
    ] = None,
    earlier: Annotated[
        list[str] | None, typer.Option(help="An earlier release of the same people; repeatable.")
    ] = None,
    follow: FollowOption = "none",
    mechanism: Annotated[
        str | None,
        typer.Option(help="The mask that made the release, as in noise:a=0.1, for who knows it."),
    ] = None,
    measures: Annotated[
        str | None,
        typer.Option(help="Measures, separated by commas; all that the files allow when not told."),
    ] = None,
    population: Annotated[
        str | None, typer.Option(help="A file of everybody, of whom the original is a sample.")
    ] = None,
    holdout: Annotated[
        str | None, typer.Option(help="People of the same kind who are not in the original file.")
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(help="A released classifier (joblib file). Reading it runs code: only your own."),
    ] = None,
    time_limit: Annotated[
        float, typer.Option(help="Seconds that an attack may learn from the truth.")
    ] = 60.0,
    sample: SampleOption = None,
    seed: SeedOption = 0,
    json: Annotated[Path | None, typer.Option(help="Write the assessment as JSON.")] = None,
    html: HtmlOption = None,
    records: Annotated[Path | None, typer.Option(help="Write one row a record (.parquet or .csv).")] = None,
    threads: ThreadsOption = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Say how each search is done.")] = False,
    delimiter: DelimiterOption = None,
    encoding: EncodingOption = None,
    sheet: SheetOption = None,
    table: TableOption = None,
) -> None:
    """Attack a released file with every method and say how many records each re-identifies."""
    from unmask.assessment import assess as run
    from unmask.cli import terminal
    from unmask.data.io.model import read_model
    from unmask.data.io.write import write
    from unmask.documents import ASSESSMENT
    from unmask.intruder.scenario import Scenario
    from unmask.intruder.sources import Source
    from unmask.parsing import construct, several

    others = (schema, population, holdout, model, *(earlier or ()))
    check_outputs((original, released, *others), (json, html), (records,))
    scenario = Scenario(
        names(known),
        number_of_targets(targets),
        error,
        missing_policy(missing),
        names(block) or (),
        tuple(construct(f"source:{text}", "source", {"source": Source}) for text in source or ()),
    )
    read = reader(delimiter, encoding, sheet, table)
    with terminal.watching() as watch:
        assessment = run(
            read(original),
            read(released),
            schema=schema_of(schema),
            scenario=scenario,
            truth=truth,
            synthetic=synthetic,
            attacks=None if attacks is None else several(attacks),
            mechanism=mechanism,
            earlier=[read(file) for file in earlier or ()],
            follow=follow,
            measures=None if measures is None else several(measures),
            population=None if population is None else read(population),
            holdout=None if holdout is None else read(holdout),
            model=None if model is None else read_model(model),
            time_limit=time_limit,
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
    terminal.show_assessment(ASSESSMENT.build(assessment.document()))
