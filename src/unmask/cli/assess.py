"""unmask assess."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unmask.cli.answer import Outputs, answer
from unmask.cli.options import (
    AttacksOption,
    DelimiterOption,
    EncodingOption,
    ErrorOption,
    FollowOption,
    HtmlOption,
    KnownOption,
    MissingOption,
    NoSidecarOption,
    OriginalArgument,
    RecordsOption,
    ReleasedArgument,
    SampleOption,
    SaveRequestOption,
    SchemaOption,
    SeedOption,
    SheetOption,
    TableOption,
    TargetsOption,
    ThreadsOption,
    TruthOption,
    VerboseOption,
    methods,
    missing_policy,
    names,
    number_of_targets,
    text,
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
            help="A source of their knowledge, as in known=age+sex,targets=0.1,error=0.2; repeatable."
        ),
    ] = None,
    earlier: Annotated[
        list[str] | None, typer.Option(help="An earlier release of the same people; repeatable.")
    ] = None,
    follow: FollowOption = "none",
    mechanism: Annotated[
        str | None,
        typer.Option(help="The mask that made the release, as in noise:a=0.1, for an intruder who knows it."),
    ] = None,
    measures: Annotated[
        str | None,
        typer.Option(help="Measures, separated by commas; by default all that the files allow."),
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
    no_sidecar: NoSidecarOption = False,
    time_limit: Annotated[
        float, typer.Option(help="Seconds that an attack may learn from the truth.")
    ] = 60.0,
    sample: SampleOption = None,
    seed: SeedOption = 0,
    json: Annotated[Path | None, typer.Option(help="Write the assessment as JSON.")] = None,
    html: HtmlOption = None,
    records: RecordsOption = None,
    save_request: SaveRequestOption = None,
    threads: ThreadsOption = None,
    verbose: VerboseOption = False,
    delimiter: DelimiterOption = None,
    encoding: EncodingOption = None,
    sheet: SheetOption = None,
    table: TableOption = None,
) -> None:
    """Attack a released file with every method and say how many records each re-identifies."""
    from unmask.assessment.request import Request, RequestFiles
    from unmask.data.io.sources import Options
    from unmask.intruder.scenario import Scenario
    from unmask.intruder.sources import Source
    from unmask.parsing import construct

    request = Request(
        RequestFiles(
            original,
            released,
            text(schema),
            truth,
            synthetic,
            tuple(earlier or ()),
            follow,
            population,
            holdout,
            text(model),
            sidecar=not no_sidecar,
            options=Options(delimiter, encoding, sheet, table),
        ),
        scenario=Scenario(
            names(known),
            number_of_targets(targets),
            error,
            missing_policy(missing),
            names(block) or (),
            tuple(construct(f"source:{one}", "source", {"source": Source}) for one in source or ()),
        ),
        attacks=methods(attacks),
        measures=methods(measures),
        mechanism=mechanism,
        sample=sample,
        time_limit=time_limit,
        seed=seed,
    )
    answer(request, Outputs(json, html, records, save_request, threads, verbose))
