"""unmask assess."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unmask.cli.answer import Outputs, Recorded, answer
from unmask.cli.options import (
    AssessorOption,
    AttacksOption,
    BudgetOption,
    DecisionOption,
    DelimiterOption,
    DetailsOption,
    EncodingOption,
    EngineOption,
    ErrorOption,
    FollowOption,
    FullOption,
    HtmlOption,
    KindOption,
    KnownOption,
    MemoryOption,
    MissingCodeOption,
    MissingOption,
    NoSidecarOption,
    OriginalArgument,
    PolicyOption,
    ProgressOption,
    RecipientOption,
    RecordOption,
    RecordsOption,
    ReleasedArgument,
    ReleasedSchemaOption,
    RenamedOption,
    ResumeOption,
    RoleOption,
    SampleOption,
    SaveRequestOption,
    SchemaOption,
    ScratchOption,
    SeedOption,
    SheetOption,
    SignedByOption,
    SyntheticOption,
    TableOption,
    TargetsOption,
    ThreadsOption,
    TrustModelOption,
    TruthOption,
    VerboseOption,
    column_edits,
    methods,
    names,
    number_of_targets,
    text,
)
from unmask.cli.shape_options import (
    GlimpseOption,
    NodesOption,
    PairsOption,
    ReleasedNodesOption,
    ReleasedShapeOption,
    ShapeOption,
    glimpse_of,
)
from unmask.cli.where import Where
from unmask.data.missing import AUTO, missing_policy


def assess(
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
    attacks: AttacksOption = None,
    targets: TargetsOption = None,
    error: ErrorOption = 0.0,
    missing: MissingOption = AUTO,
    glimpse: GlimpseOption = None,
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
    losses: Annotated[
        str | None,
        typer.Option(help="Losses, separated by commas; by default those that fit no models."),
    ] = None,
    population: Annotated[
        str | None, typer.Option(help="A file of everybody, of whom the original is a sample.")
    ] = None,
    holdout: Annotated[
        str | None, typer.Option(help="People of the same kind who are not in the original file.")
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(help="A released classifier, as a .skops file; other kinds need --trust-model."),
    ] = None,
    trust_model: TrustModelOption = False,
    false_links: Annotated[
        float | None,
        typer.Option(help="Link pairs too (prl): the share of non-matches that may be linked, as in 1e-6."),
    ] = None,
    missed: Annotated[
        float | None,
        typer.Option(help="Link pairs too (prl): the share of matches that may stay unlinked, as in 0.05."),
    ] = None,
    no_sidecar: NoSidecarOption = False,
    time_limit: Annotated[
        float, typer.Option(help="Seconds that an attack may learn from the truth.")
    ] = 60.0,
    sample: SampleOption = None,
    budget: BudgetOption = None,
    full: FullOption = False,
    seed: SeedOption = 0,
    policy: PolicyOption = None,
    assessor: AssessorOption = "",
    recipient: RecipientOption = "",
    json: Annotated[Path | None, typer.Option(help="Write the assessment as JSON.")] = None,
    html: HtmlOption = None,
    records: RecordsOption = None,
    save_request: SaveRequestOption = None,
    record_of_decision: RecordOption = None,
    signed_by: SignedByOption = "",
    decision: DecisionOption = "",
    resume: ResumeOption = False,
    threads: ThreadsOption = None,
    engine: EngineOption = "local",
    scratch: ScratchOption = None,
    memory: MemoryOption = None,
    progress: ProgressOption = None,
    details: DetailsOption = False,
    verbose: VerboseOption = False,
    delimiter: DelimiterOption = None,
    encoding: EncodingOption = None,
    sheet: SheetOption = None,
    table: TableOption = None,
) -> None:
    """Attack a released file with every method and say how many records each re-identifies."""
    from unmask.assessment.request import BUDGET, Occasion, Request, RequestFiles
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
            released_schema=text(released_schema),
            columns=column_edits(role, kind, missing_code, renamed),
            trust_model=trust_model,
            shape=shape,
            released_shape=released_shape,
            nodes=nodes,
            released_nodes=released_nodes,
            pairs=pairs,
        ),
        scenario=Scenario(
            names(known),
            number_of_targets(targets),
            error,
            missing_policy(missing),
            names(block) or (),
            tuple(construct(f"source:{one}", "source", {"source": Source}) for one in source or ()),
            glimpse=glimpse_of(glimpse),
        ),
        attacks=methods(attacks),
        measures=methods(measures),
        mechanism=mechanism,
        sample=sample,
        time_limit=time_limit,
        seed=seed,
        false_links=false_links,
        missed=missed,
        budget=BUDGET if budget is None else budget,
        full=full,
        policy=policy,
        occasion=Occasion(assessor, recipient),
        losses=methods(losses),
    )
    recorded, where = (
        Recorded(record_of_decision, signed_by, decision),
        Where(engine, scratch, threads, memory),
    )
    answer(
        request,
        Outputs(
            json, html, records, save_request, where, verbose, resume, details, recorded, progress=progress
        ),
    )
