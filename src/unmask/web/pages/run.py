"""Run: which attacks and measures are made, how long that takes, and how it goes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from starlette.responses import Response

from unmask.about import About
from unmask.assessment.request import BUDGET, Occasion, Request
from unmask.assessment.request_file import to_toml
from unmask.attacks import ATTACKS
from unmask.attacks import REGISTRY as ALL_ATTACKS
from unmask.data.io.write import write_text
from unmask.errors import ArgumentError, UnmaskError
from unmask.losses import REGISTRY as LOSSES
from unmask.measures import REGISTRY as ALL_MEASURES
from unmask.policies import bundled_policies
from unmask.policies.sentences import bound_told
from unmask.registry import Registry
from unmask.web import run as runs
from unmask.web.project import REQUEST, RUNS, Project, check_files
from unmask.web.run import ENDED, PEOPLE, PROGRESS, REPORT, RESULT, RunFolder, RunState
from unmask.web.same import same
from unmask.web.visit import Visit, address, whole_number


@dataclass(frozen=True)
class Method:
    """An attack or a measure as the page offers it."""

    name: str
    about: About


@dataclass(frozen=True)
class Filled:
    """What stands in the form: as a form that was refused says, else as the request does."""

    policy: str
    full: bool
    budget: str
    usual: bool
    attacks: frozenset[str]
    measures: frozenset[str]
    assessor: str
    recipient: str
    seed: str

    @staticmethod
    def of(visit: Visit, request: Request) -> Filled:
        """The form of a visit."""
        if visit.posted:
            return Filled(
                visit.said("policy"),
                visit.said("time") == "full",
                visit.said("budget"),
                visit.said("methods") != "named",
                frozenset(visit.all_said("attack")),
                frozenset(visit.all_said("measure")),
                visit.said("assessor"),
                visit.said("recipient"),
                visit.said("seed"),
            )
        attacks = ATTACKS if request.attacks is None else request.attacks
        measures = ALL_MEASURES if request.measures is None else request.measures
        return Filled(
            request.policy or "",
            request.full,
            f"{request.budget:g}",
            request.attacks is None and request.measures is None,
            frozenset(name.partition(":")[0] for name in attacks),
            frozenset(name.partition(":")[0] for name in measures),
            request.occasion.assessor,
            request.occasion.recipient,
            str(request.seed),
        )


def show(visit: Visit, error: str | None = None) -> Response:
    """What would be done, and what was done before."""
    project = visit.project
    request = project.request
    if request is None or not request.files.released:
        status = 422 if error else 200
        return visit.page("run_without.html.jinja", status, step="run", request=request, error=error)
    asked = to_toml(request)
    seen = visit.desk.look("plan", project.name, request, asked=asked, paths=_paths(request))
    if "part" in visit.query:
        return visit.page("run_plan.html.jinja", seen=seen)
    return visit.page(
        "run.html.jinja",
        422 if error else 200,
        step="run",
        request=request,
        filled=Filled.of(visit, request),
        attacks=_methods(ALL_ATTACKS, request),
        measures=_methods(ALL_MEASURES, request),
        policies=bundled_policies(),
        bound_told=bound_told,
        seen=seen,
        runs=list(reversed(project.runs())),
        version=project.version,
        same=same(request, project.path(REQUEST)),
        error=error,
    )


def _paths(request: Request) -> list[str]:
    files = request.files
    named = (files.original, files.released, files.schema, files.nodes, files.released_nodes, files.pairs)
    return [path for path in named if path]


def _methods(registry: Registry[Any], request: Request) -> list[Method]:
    """What can be ticked: the methods that need no parameter, and those of the files' own shape alone."""
    shape = "" if request.files.shape is None else request.files.shape.partition(":")[0]
    return [
        Method(entry.name, entry.about)
        for entry in registry.values()
        if "=" not in entry.form and getattr(entry.method, "shape", shape) == shape
    ]


def start(visit: Visit) -> Response:
    """Keep what is to be done, and have it done."""
    project = visit.project
    try:
        project.check(visit.said("version"))
        request = project.request
        if request is None or not request.files.released:
            raise ArgumentError(
                "there is no release to assess", hint="choose one under Files, or protect the file"
            )
        request = _changed(visit, request)
        project.save(request)
        if visit.said("then") == "keep":
            return visit.go(address(project, "run"))
        run = begin_assessment(project, request)
    except UnmaskError as error:
        return show(visit, str(error))
    return visit.go(address(project, "runs", run.name))


def _changed(visit: Visit, request: Request) -> Request:
    """The request with what the form says."""
    usual = visit.said("methods") != "named"
    attacks, measures = visit.all_said("attack"), visit.all_said("measure")
    if not usual and not (attacks and measures):
        raise ArgumentError("no attack or no measure is ticked", hint="tick at least one of each")
    if not usual:
        for registry, names in ((ALL_ATTACKS, attacks), (ALL_MEASURES, measures)):
            for name in names:
                registry.named(name)  # which refuses what is none
    full = visit.said("time") == "full"
    return replace(
        request,
        attacks=None if usual else tuple(attacks),
        measures=None if usual else tuple(measures),
        policy=visit.said("policy") or None,
        full=full,
        budget=BUDGET if full else _budget(visit.said("budget")),
        seed=whole_number(visit.said("seed") or "0", "the seed"),
        occasion=Occasion(visit.said("assessor"), visit.said("recipient")),
    )


def _budget(text: str) -> float:
    try:
        return float(text or BUDGET)
    except ValueError:
        raise ArgumentError("the time is no number", hint="write seconds with digits") from None


def begin_assessment(project: Project, request: Request) -> RunFolder:
    """A run of an assessment: the very command that the page shows, with its outputs in the run's folder."""
    check_files(project.place, request)
    title = f"Assessment of {request.files.released}"
    run = runs.new_run(project.folder / RUNS)
    write_text(to_toml(request.recorded()), run.folder / runs.REQUEST)
    runs.give(run, "assess", title, [assess_step(project, run)])
    return run


def assess_step(project: Project, run: RunFolder) -> list[str]:
    """The command that does the request of a run. It goes on where an earlier try was ended."""
    at = project.place.relative(run.folder)
    outputs = {"--json": RESULT, "--html": REPORT, "--records": PEOPLE, "--progress": PROGRESS}
    written = [word for option, name in outputs.items() for word in (option, f"{at}/{name}")]
    return ["run", f"{at}/{runs.REQUEST}", *written, "--resume"]


def follow(visit: Visit) -> Response:
    """How a run goes: its parts as they are done, and what they found."""
    project = visit.project
    run = project.run(visit.path["run"])
    state = run.state
    if state is RunState.DONE and run.has_result and "stay" not in visit.query and "part" not in visit.query:
        return visit.go(address(project, "runs", run.name, "result"))
    parts: dict[str, Any] = {"run": run, "state": state, "ended": state in ENDED, "progress": run.progress}
    parts["outcome"] = run.outcome
    parts["lines"] = [_split(line) for line in run.progress.lines]
    parts["part"] = called(run.progress.part)
    if "part" in visit.query:
        return visit.page("follow_part.html.jinja", **parts)
    return visit.page("follow.html.jinja", step="run", **parts)


def _split(line: str) -> tuple[str, str, str]:
    """What a line speaks of, in words and as the command line calls it, and what it says."""
    of, colon, said = line.partition(": ")
    return (called(of), of, said) if colon else ("", "", line)


def called(name: str) -> str:
    """A part of the work in words: the title of a method, or the name as it is."""
    first = name.partition(":")[0]
    for registry in (ALL_ATTACKS, ALL_MEASURES, LOSSES):
        if first in registry:
            return registry[first].about.title
    return name


def cancel(visit: Visit) -> Response:
    """End a run."""
    project = visit.project
    run = project.run(visit.path["run"])
    visit.desk.jobs.cancel(run)
    return visit.go(address(project, "runs", run.name))


def again(visit: Visit) -> Response:
    """Go on with a run that was ended: what it finished is not done again."""
    project = visit.project
    run = project.run(visit.path["run"])
    if run.state in ENDED:
        runs.again(run)
    return visit.go(address(project, "runs", run.name))
