"""The first page: the projects of the folder, a new one, or the bundled example."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.responses import Response

from unmask.assessment.request import Request, RequestFiles
from unmask.errors import UnmaskError
from unmask.web.project import SCHEMA, Project, new_project, projects
from unmask.web.run import RunState
from unmask.web.visit import Visit, address

EXAMPLE = "example"


@dataclass(frozen=True)
class Listed:
    """A project as the list shows it."""

    project: Project
    original: str
    released: str
    running: int
    results: int
    trouble: str = ""


def show(visit: Visit) -> Response:
    """The list of projects."""
    listed = [_listed(project) for project in projects(visit.desk.place)]
    return visit.page("home.html.jinja", projects=listed, name="")


def _listed(project: Project) -> Listed:
    runs = project.runs()
    running = sum(run.state in (RunState.RUNNING, RunState.WAITING) for run in runs)
    results = sum(run.has_result for run in runs)
    try:
        request = project.request
    except UnmaskError as error:
        return Listed(project, "", "", running, results, str(error))
    files = RequestFiles("") if request is None else request.files
    return Listed(project, files.original, files.released, running, results)


def create(visit: Visit) -> Response:
    """A new project; a name that cannot be is said beside what was typed."""
    name = visit.said("name")
    try:
        project = new_project(visit.desk.place, name)
    except UnmaskError as error:
        listed = [_listed(one) for one in projects(visit.desk.place)]
        return visit.page("home.html.jinja", 422, projects=listed, name=name, error=str(error))
    return visit.go(address(project, "files"))


def example(visit: Visit) -> Response:
    """The bundled example as a project; one that is there already is opened."""
    there = [one for one in projects(visit.desk.place) if one.name == EXAMPLE]
    if there:
        return visit.go(address(there[0], "files"))
    project = new_project(visit.desk.place, EXAMPLE)
    made_by = visit.desk.looks.now("example", folder=str(project.folder))["made_by"]
    files = RequestFiles(
        project.path("original.csv"), project.path("released.csv"), project.path(SCHEMA), truth="rows"
    )
    project.save(Request(files, mechanism=made_by, seed=1))
    return visit.go(address(project, "files"))


def first_step(visit: Visit) -> Response:
    """A project without a step: where a person would go on."""
    project = visit.project
    done = project.latest("assess", "study", "protect") is not None
    return visit.go(address(project, "result" if done or visit.desk.readonly else "files"))
