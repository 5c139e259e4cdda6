"""What 'unmask study' and 'unmask protect' share: options, the request, and what they leave behind."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unmask.cli.options import column_edits, methods, names, number_of_targets
from unmask.cli.shape_options import glimpse_of
from unmask.data.missing import missing_policy
from unmask.errors import ArgumentError

if TYPE_CHECKING:
    from unmask.assessment.request import Request, Verb
    from unmask.data.io.sources import Options
    from unmask.engines import Engine
    from unmask.studies.protection.study import Study

MaskOption = Annotated[
    list[str] | None,
    typer.Option(
        "--mask",
        metavar="MASK",
        help="A mask to try, with ranges in braces, as in 'noise:a={0.1,0.5}'; 'A then B': one after the "
        "other; repeatable.",
    ),
]
ReplicatesOption = Annotated[
    int | None, typer.Option("--replicates", min=1, help="Draw each mask so many times; by default 5.")
]
LeastOption = Annotated[
    str | None,
    typer.Option(
        "--least",
        metavar="LOSS",
        help="The loss by which masks are compared; by default total-variation, or one of the shape's own.",
    ),
]
LossesOption = Annotated[
    str | None,
    typer.Option("--losses", help="Losses, separated by commas; by default all that fit no model."),
]
MeasuresOption = Annotated[
    str | None,
    typer.Option("--measures", help="Measures, separated by commas; by default what the policy asks for."),
]
StudyPolicyOption = Annotated[
    str | None,
    typer.Option("--policy", metavar="POLICY", help="A policy file (TOML), or the name of a bundled one."),
]
ResultsOption = Annotated[
    Path | None,
    typer.Option(
        "--results",
        help="Where finished parts are kept (SQLite, no data in it): the same file goes on after a break. By "
        "default beside the study's TOML file, else in unmask's own folder.",
    ),
]


RowsOption = Annotated[Path | None, typer.Option("--csv", help="Write one row per mask (.csv or .parquet).")]
MapOption = Annotated[Path | None, typer.Option("--map", help="Write the map as an image (.png, .svg).")]


@dataclass(frozen=True)
class StudyOutputs:
    """Where the results of a study go, and how the work is done; none of it changes an answer."""

    results: Path | None = None
    json: Path | None = None
    html: Path | None = None
    csv: Path | None = None
    map: Path | None = None
    save_request: Path | None = None
    threads: int | None = None
    verbose: bool = False
    details: bool = False
    asked_in: Path | None = None
    progress: Path | None = None

    def paths(self) -> tuple[Path | None, ...]:
        """The files that are written: at the end, and how the work goes all the while."""
        return (self.json, self.html, self.map, self.save_request, self.progress)

    def tables(self) -> tuple[Path | None, ...]:
        """Those that hold a table."""
        return (self.csv,)


@dataclass(frozen=True)
class Said:
    """What the command line says of the masks and of the intruder."""

    file: str
    mask: list[str] | None
    replicates: int | None
    least: str | None
    known: str | None
    targets: str | None
    error: float
    missing: str
    attacks: str | None
    measures: str | None
    losses: str | None


@dataclass(frozen=True)
class More:
    """What it says of the file, the policy and the time."""

    schema: str | None
    role: list[str] | None
    kind: list[str] | None
    missing_code: list[str] | None
    policy: str | None
    sample: int | None
    budget: float | None
    full: bool
    seed: int
    options: Options
    shape: str | None = None
    nodes: str | None = None
    glimpse: str | None = None


def asked(verb: Verb, said: Said, more: More) -> Request:
    """The request that a command line asks for."""
    from unmask.assessment.request import BUDGET, REPLICATES, Request, RequestFiles
    from unmask.intruder.scenario import Scenario

    return Request(
        RequestFiles(
            said.file,
            schema=more.schema,
            options=more.options,
            columns=column_edits(more.role, more.kind, more.missing_code),
            shape=more.shape,
            nodes=more.nodes,
        ),
        verb,
        Scenario(
            names(said.known),
            number_of_targets(said.targets),
            said.error,
            missing_policy(said.missing),
            glimpse=glimpse_of(more.glimpse),
        ),
        methods(said.attacks),
        methods(said.measures),
        losses=methods(said.losses),
        masks=tuple(said.mask or ()),
        replicates=REPLICATES if said.replicates is None else said.replicates,
        least=said.least,
        sample=more.sample,
        seed=more.seed,
        budget=BUDGET if more.budget is None else more.budget,
        full=more.full,
        policy=more.policy,
    )


def study_file(path: Path, trusted: bool) -> Request:
    """The request in a study's file."""
    from unmask.assessment.request import Verb
    from unmask.assessment.request_file import check_files_named, from_toml
    from unmask.cli.requests import check_programs
    from unmask.data.io.sources import read_text

    request = from_toml(read_text(path))
    if request.verb not in (Verb.STUDY, Verb.PROTECT):
        raise ArgumentError(
            f"the file asks to '{request.verb}', not for a study",
            hint="write verb = 'study', or 'unmask run'",
        )
    check_files_named(request)
    check_programs(request, trusted)
    return request


def answer_study(request: Request, outputs: StudyOutputs) -> Study:
    """Do the study, write what is wanted, and show it."""
    from unmask.cli.answer import check_savable, input_paths, save
    from unmask.cli.outputs import check_outputs, complain, write_each
    from unmask.cli.study_table import show_study
    from unmask.data.io.write import write
    from unmask.report.study.image import check_map, write_map

    if outputs.map is not None:
        check_map(outputs.map)
    used = (*input_paths(request), outputs.asked_in, results_path(outputs))
    check_outputs(used, outputs.paths(), outputs.tables())
    check_savable(request, outputs.save_request)
    found = done(request, outputs)
    failed = write_each(
        (
            (outputs.save_request, partial(save, request)),
            (outputs.json, found.to_json),
            (outputs.html, found.to_html),
            (outputs.csv, partial(write, found.candidates())),
            (outputs.map, partial(write_map, found.document)),
        )
    )
    show_study(found.document, details=outputs.details)
    complain(failed, "")
    return found


def done(request: Request, outputs: StudyOutputs) -> Study:
    """The study, with a bar on the terminal while it is worked out."""
    from unmask.assessment.request import Verb
    from unmask.cli.watching import watching
    from unmask.engines import LocalEngine
    from unmask.engines.memory import one_arena
    from unmask.studies.protection.protect import protection_of
    from unmask.studies.protection.study import study_of

    one_arena()
    kept = results_path(outputs)
    with watching(outputs.verbose, outputs.progress) as watcher:
        engine: Engine = LocalEngine(threads=outputs.threads, watcher=watcher)
        work = protection_of if request.verb is Verb.PROTECT else study_of
        return work(request, engine=engine, results=kept)


def results_path(outputs: StudyOutputs) -> Path | None:
    """Where finished parts are kept: as named, beside the study's file, or in unmask's own folder."""
    from unmask.cache_folder import NoCacheError, own_folder

    if outputs.results is not None:
        return outputs.results
    if outputs.asked_in is not None and os.access(outputs.asked_in.parent, os.W_OK):
        return outputs.asked_in.with_suffix(".results.db")
    try:
        folder = own_folder("studies")
    except NoCacheError:
        return None
    return folder if os.access(folder, os.W_OK) else None
