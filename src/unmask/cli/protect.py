"""unmask protect."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unmask.cli.options import (
    BudgetOption,
    DelimiterOption,
    DetailsOption,
    EncodingOption,
    ErrorOption,
    FullOption,
    KindOption,
    KnownOption,
    MissingCodeOption,
    MissingOption,
    ProgressOption,
    RoleOption,
    SampleOption,
    SaveRequestOption,
    SchemaOption,
    SeedOption,
    SheetOption,
    TableOption,
    TargetsOption,
    ThreadsOption,
    VerboseOption,
    text,
)
from unmask.cli.shape_options import GlimpseOption, NewNamesOption, NodesOption, ShapeOption
from unmask.cli.studying import (
    LeastOption,
    LossesOption,
    MapOption,
    MaskOption,
    More,
    ReplicatesOption,
    ResultsOption,
    RowsOption,
    Said,
    StudyOutputs,
    answer_study,
    asked,
    results_path,
)
from unmask.data.missing import AUTO

if TYPE_CHECKING:
    from unmask.assessment.request import Request


def protect(
    original: Annotated[str, typer.Argument(help="The original file (path, or database URI::table).")],
    policy: Annotated[
        str,
        typer.Option(
            "--policy", metavar="POLICY", help="A policy file (TOML), or the name of a bundled one."
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Where the protected file goes.")],
    report: Annotated[
        Path | None, typer.Option("--report", help="Write what was tried, and the map, as a report (HTML).")
    ] = None,
    mask: MaskOption = None,
    least: LeastOption = None,
    replicates: ReplicatesOption = None,
    schema: SchemaOption = None,
    role: RoleOption = None,
    kind: KindOption = None,
    missing_code: MissingCodeOption = None,
    known: KnownOption = None,
    targets: TargetsOption = None,
    error: ErrorOption = 0.0,
    missing: MissingOption = AUTO,
    shape: ShapeOption = None,
    nodes: NodesOption = None,
    glimpse: GlimpseOption = None,
    pairs: NewNamesOption = None,
    losses: LossesOption = None,
    sample: SampleOption = None,
    budget: BudgetOption = None,
    full: FullOption = False,
    seed: SeedOption = 0,
    results: ResultsOption = None,
    json: Annotated[Path | None, typer.Option(help="Write the search as JSON.")] = None,
    csv: RowsOption = None,
    map: MapOption = None,
    save_request: SaveRequestOption = None,
    threads: ThreadsOption = None,
    progress: ProgressOption = None,
    details: DetailsOption = False,
    verbose: VerboseOption = False,
    delimiter: DelimiterOption = None,
    encoding: EncodingOption = None,
    sheet: SheetOption = None,
    table: TableOption = None,
) -> None:
    """Find the mask that costs least under a policy, and write the protected file."""
    from unmask.assessment.request import Verb
    from unmask.data.io.sources import Options

    request = asked(
        Verb.PROTECT,
        Said(original, mask, replicates, least, known, targets, error, missing, None, None, losses),
        More(
            text(schema), role, kind, missing_code, policy, sample, budget, full, seed,
            Options(delimiter, encoding, sheet, table), shape, nodes, glimpse,
        ),
    )  # fmt: skip
    outputs = StudyOutputs(
        results, json, report, csv, map, save_request, threads, verbose, details, progress=progress
    )
    answer_protect(request, output, outputs, pairs)


def answer_protect(request: Request, output: Path, outputs: StudyOutputs, pairs: Path | None = None) -> None:
    """Search, show what was tried, and write the release, if it meets the policy."""
    from unmask.assessment.request import Request, Verb
    from unmask.cli.answer import input_paths
    from unmask.cli.files import write_masked
    from unmask.cli.outputs import check_outputs
    from unmask.cli.terminal import err
    from unmask.cli.verdict import NOT_MET
    from unmask.data.io.sidecar import sidecar_path
    from unmask.studies.protection.protect import release_seed

    used = (*input_paths(request), outputs.asked_in, results_path(outputs))
    check_outputs(used, (*outputs.paths(), sidecar_path(output)), (output, outputs.csv, pairs))
    found = answer_study(request, outputs)
    chosen = found.document.recommendation
    if chosen is None or chosen.mask is None:
        err.print(f"nothing that was tried meets the policy: '{output}' is not written", soft_wrap=True)
        raise typer.Exit(NOT_MET)
    seed = release_seed(request.seed)
    write_masked(
        Request(request.files.original_alone(), Verb.MASK, mask=chosen.mask, seed=seed), output, pairs=pairs
    )
