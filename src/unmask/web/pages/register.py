"""Register: what went out, as the ledger of the folder holds it, and a new entry."""

from __future__ import annotations

from starlette.responses import Response

from unmask.data.io.sidecar import read_sidecar, sidecar_path
from unmask.documents import AssessmentDocument
from unmask.errors import ArgumentError, UnmaskError
from unmask.ledger import Entry, entries
from unmask.report.numbers import percent
from unmask.web import run as runs
from unmask.web.project import RUNS, Project, check_files
from unmask.web.run import RESULT, RunFolder
from unmask.web.visit import Visit, address

#: The ledger of a folder; its projects share it.
LEDGER = "releases.db"


def show(visit: Visit, error: str | None = None) -> Response:
    """The releases that are recorded, and what the project could add."""
    project = visit.project
    path = visit.desk.place.root / LEDGER
    held = entries(path) if path.is_file() else []
    number = visit.query.get("entry", "")
    chosen = next((one for one in held if str(one.number) == number), None)
    return visit.page(
        "register.html.jinja",
        422 if error else 200,
        step="register",
        entries=[(one, highest(one)) for one in held],
        chosen=chosen,
        request=project.request,
        run=_assessed(project),
        ledger=LEDGER,
        error=error,
        label=visit.said("label"),
        note=visit.said("note"),
        mask=visit.said("mask") if visit.posted else _made_by(project),
    )


def highest(entry: Entry) -> str:
    """The rate of the worst attack, where there is an assessment and it has one."""
    document: AssessmentDocument | None = entry.assessment
    best = None if document is None else document.best()
    return "not assessed" if best is None or best.number is None else percent(best.number)


def _made_by(project: Project) -> str:
    """How the release was protected, as the file beside it says, or else the request."""
    request = project.request
    if request is None or not request.files.released:
        return ""
    try:
        return read_sidecar(sidecar_path(project.place.inside(request.files.released))).mask
    except UnmaskError:  # there is none, or not one of unmask's
        return request.mechanism or ""


def _assessed(project: Project) -> RunFolder | None:
    """The last assessment of the release that the project's request names."""
    request = project.request
    if request is None:
        return None
    made = [run for run in project.runs() if run.verb == "assess" and run.has_result]
    same = [run for run in made if (asked := run.request) and asked.files.released == request.files.released]
    return same[-1] if same else None


def add(visit: Visit) -> Response:
    """Record the release of the project, with its assessment."""
    project = visit.project
    try:
        run = _recording(visit, project)
    except UnmaskError as error:
        return show(visit, str(error))
    return visit.go(address(project, "runs", run.name))


def _recording(visit: Visit, project: Project) -> RunFolder:
    request = project.request
    if request is None or not request.files.released:
        raise ArgumentError("there is no release to record", hint="choose one under Files")
    check_files(project.place, request)
    files, assessed = request.files, _assessed(project)
    # './' before a path: a file whose name begins with '-' is no option.
    step = ["ledger", "add", LEDGER, f"./{files.released}", "--original", f"./{files.original}"]
    step += [f"--label={visit.said('label') or files.released}", f"--note={visit.said('note')}"]
    step += [f"--mask={mask}"] if (mask := visit.said("mask")) else []
    if files.schema is not None:
        step += ["--schema", files.schema]
    step += [f"--{name}={value}" for name, value in vars(files.options).items() if value]
    if assessed is not None and visit.said("assessment"):
        step += ["--assessment", f"{project.place.relative(assessed.folder)}/{RESULT}"]
    run = runs.new_run(project.folder / RUNS)
    runs.give(run, "register", f"Entry of {files.released} in the register", [step])
    return run
