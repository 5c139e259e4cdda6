"""unmask study."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from unmask.cli.options import (
    AttacksOption,
    BudgetOption,
    DelimiterOption,
    DetailsOption,
    EncodingOption,
    ErrorOption,
    FullOption,
    HtmlOption,
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
    TrustExecOption,
    VerboseOption,
    text,
)
from unmask.cli.shape_options import GlimpseOption, NodesOption, ShapeOption
from unmask.cli.studying import (
    LeastOption,
    LossesOption,
    MapOption,
    MaskOption,
    MeasuresOption,
    More,
    ReplicatesOption,
    ResultsOption,
    RowsOption,
    Said,
    StudyOutputs,
    StudyPolicyOption,
    answer_study,
    asked,
    study_file,
)
from unmask.data.missing import AUTO
from unmask.errors import ArgumentError


def study(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A study (.toml), or the original file.")],
    mask: MaskOption = None,
    replicates: ReplicatesOption = None,
    least: LeastOption = None,
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
    attacks: AttacksOption = None,
    measures: MeasuresOption = None,
    losses: LossesOption = None,
    policy: StudyPolicyOption = None,
    sample: SampleOption = None,
    budget: BudgetOption = None,
    full: FullOption = False,
    seed: SeedOption = 0,
    results: ResultsOption = None,
    json: Annotated[Path | None, typer.Option(help="Write the study as JSON.")] = None,
    html: HtmlOption = None,
    csv: RowsOption = None,
    map: MapOption = None,
    save_request: SaveRequestOption = None,
    trust_exec: TrustExecOption = False,
    threads: ThreadsOption = None,
    progress: ProgressOption = None,
    details: DetailsOption = False,
    verbose: VerboseOption = False,
    delimiter: DelimiterOption = None,
    encoding: EncodingOption = None,
    sheet: SheetOption = None,
    table: TableOption = None,
) -> None:
    """Protect a file in many ways, attack every release, and show what each costs."""
    from unmask.assessment.request import Verb
    from unmask.data.io.sources import Options

    outputs = StudyOutputs(
        results, json, html, csv, map, save_request, threads, verbose, details, progress=progress
    )
    if file.lower().endswith(".toml"):
        beside: dict[str, object] = {
            **{
                "--mask": mask,
                "--schema": schema,
                "--known": known,
                "--attacks": attacks,
                "--losses": losses,
            },
            **{"--measures": measures, "--policy": policy, "--sample": sample, "--replicates": replicates},
            **{"--least": least, "--budget": budget, "--targets": targets, "--role": role, "--kind": kind},
            **{"--missing-code": missing_code, "--seed": seed or None, "--full": full or None},
            **{"--error": error or None, "--missing": None if missing == AUTO else missing},
            **{"--shape": shape, "--nodes": nodes, "--glimpse": glimpse},
            **{"--delimiter": delimiter, "--encoding": encoding, "--sheet": sheet, "--table": table},
        }
        for option, value in beside.items():
            if value is not None:
                raise ArgumentError(f"{option} is given beside a study file", hint="write it into the file")
        answer_study(study_file(Path(file), trust_exec), replace(outputs, asked_in=Path(file)))
        return
    request = asked(
        Verb.STUDY,
        Said(file, mask, replicates, least, known, targets, error, missing, attacks, measures, losses),
        More(
            text(schema), role, kind, missing_code, policy, sample, budget, full, seed,
            Options(delimiter, encoding, sheet, table), shape, nodes, glimpse,
        ),
    )  # fmt: skip
    answer_study(request, outputs)
