"""unmask loss."""

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
    LossesOption,
    MissingCodeOption,
    NoSidecarOption,
    OriginalArgument,
    ReleasedArgument,
    ReleasedSchemaOption,
    RenamedOption,
    RoleOption,
    SaveRequestOption,
    SchemaOption,
    SeedOption,
    SheetOption,
    SyntheticOption,
    TableOption,
    ThreadsOption,
    TruthOption,
    VerboseOption,
    column_edits,
    methods,
    text,
)
from unmask.cli.shape_options import (
    NodesOption,
    PairsOption,
    ReleasedNodesOption,
    ReleasedShapeOption,
    ShapeOption,
)
from unmask.cli.where import Where


def loss(
    original: OriginalArgument,
    released: ReleasedArgument,
    losses: LossesOption = None,
    schema: SchemaOption = None,
    released_schema: ReleasedSchemaOption = None,
    role: RoleOption = None,
    kind: KindOption = None,
    missing_code: MissingCodeOption = None,
    renamed: RenamedOption = None,
    truth: TruthOption = None,
    synthetic: SyntheticOption = False,
    shape: ShapeOption = None,
    released_shape: ReleasedShapeOption = None,
    nodes: NodesOption = None,
    released_nodes: ReleasedNodesOption = None,
    pairs: PairsOption = None,
    mechanism: Annotated[
        str | None, typer.Option(help="The mask that made the release, as in pram:pd=0.8.")
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Compare everybody; by default 100,000 people at most.")
    ] = False,
    no_sidecar: NoSidecarOption = False,
    seed: SeedOption = 0,
    json: Annotated[Path | None, typer.Option(help="Write the losses as JSON.")] = None,
    html: HtmlOption = None,
    save_request: SaveRequestOption = None,
    threads: ThreadsOption = None,
    verbose: VerboseOption = False,
    delimiter: DelimiterOption = None,
    encoding: EncodingOption = None,
    sheet: SheetOption = None,
    table: TableOption = None,
) -> None:
    """Say what a released file is no longer good for, beside what chance alone changes."""
    from unmask.assessment.request import Request, RequestFiles, Verb
    from unmask.data.io.sources import Options

    request = Request(
        RequestFiles(
            original,
            released,
            text(schema),
            truth,
            synthetic,
            sidecar=not no_sidecar,
            options=Options(delimiter, encoding, sheet, table),
            released_schema=text(released_schema),
            columns=column_edits(role, kind, missing_code, renamed),
            shape=shape,
            released_shape=released_shape,
            nodes=nodes,
            released_nodes=released_nodes,
            pairs=pairs,
        ),
        Verb.LOSS,
        losses=methods(losses),
        mechanism=mechanism,
        full=full,
        seed=seed,
    )
    answer(request, Outputs(json, html, None, save_request, Where(threads=threads), verbose))
