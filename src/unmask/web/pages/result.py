"""Result: the report of a run as a page, with ways from a number to the people behind it."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.responses import FileResponse, Response

from unmask.data.io.sources import read_text
from unmask.documents import ASSESSMENT
from unmask.errors import ArgumentError, DataError
from unmask.report.embedded import Embedded, embedded
from unmask.web import run as runs
from unmask.web.pages.people import attacks_of
from unmask.web.project import Project
from unmask.web.run import PEOPLE, REPORT, RESULT, RunFolder
from unmask.web.same import Same, same
from unmask.web.visit import Visit, address

#: What may be taken away, and what it is called.
DOWNLOADS = {
    REPORT: ("text/html", "the report, as one file"),
    RESULT: ("application/json", "all numbers, as JSON"),
    "decision.html": ("text/html", "the record of the decision"),
    "decision.md": ("text/markdown", "the record of the decision, as text"),
}


@dataclass(frozen=True)
class ShownResult:
    """A result as the page shows it."""

    run: RunFolder
    report: Embedded
    files: tuple[tuple[str, str], ...]
    people: bool
    attacks: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()


def latest(visit: Visit) -> Response:
    """The last assessment of the project; where there is none, its last study."""
    project = visit.project
    run = project.latest("assess", "") or project.latest("study", "protect")
    if run is None:
        return visit.page("result_without.html.jinja", step="result")
    return visit.go(address(project, "runs", run.name, "result"))


def show(visit: Visit) -> Response:
    """One result: the decision first, then everything behind it."""
    project = visit.project
    run = project.run(visit.path["run"])
    return visit.page(
        "result.html.jinja",
        step="result",
        shown=shown(run, visit.desk.readonly),
        results=[one for one in reversed(project.runs()) if one.has_result],
        same=_same(project, run),
        version=project.version,
    )


def shown(run: RunFolder, readonly: bool = False) -> ShownResult:
    """The report of a run, ready to stand in a page."""
    report = run.file(REPORT)
    if report is None:
        raise DataError("this run has no report", hint="look at how it ended, or run it again")
    files = [(name, what) for name, (_, what) in DOWNLOADS.items() if run.file(name) is not None]
    content = embedded(read_text(report))
    table = None if readonly else run.file(PEOPLE)
    if table is None:
        return ShownResult(run, content, tuple(files), people=False)
    document = ASSESSMENT.read(read_text(run.folder / RESULT))
    attributes = tuple(one.name for one in document.scenario.attributes)
    return ShownResult(run, content, tuple(files), True, tuple(attacks_of(table)), attributes)


def _same(project: Project, run: RunFolder) -> Same | None:
    """What does the same as the run did, if its request is there."""
    request = run.request
    if request is None:
        return None
    return same(request, project.place.relative(run.folder / runs.REQUEST))


def download(visit: Visit) -> Response:
    """A file of a run that holds no row of anybody."""
    name = visit.path["name"]
    path = visit.project.run(visit.path["run"]).file(name) if name in DOWNLOADS else None
    if path is None:
        raise DataError("there is no such file", hint="choose one of those that the page lists")
    return FileResponse(path, media_type=DOWNLOADS[name][0], filename=f"unmask-{name}")


def sign(visit: Visit) -> Response:
    """Record the decision on a result: who signs it, and in which words."""
    project = visit.project
    run = project.run(visit.path["run"])
    if run.file(RESULT) is None or run.verb != "assess":
        raise ArgumentError("only an assessment has a decision to sign", hint="assess the release first")
    name, words = visit.said("name"), visit.said("decision")
    if not name:
        raise ArgumentError("the record has no name", hint="write who decides")
    at = project.place.relative(run.folder)
    signing = runs.new_run(project.folder / "runs")
    runs.give(
        signing,
        "sign",
        f"Record of the decision on run {int(run.name)}",
        [
            [
                "report",
                f"{at}/{RESULT}",
                "-o",
                f"{at}/{REPORT}",
                "--record-of-decision",
                f"{at}/decision.html",
                f"--signed-by={name}",
                f"--decision={words}",
            ]
        ],
        f"{at}/decision.html",
    )
    return visit.go(address(project, "runs", signing.name))
