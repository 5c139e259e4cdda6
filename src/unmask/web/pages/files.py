"""Files: which file is the original, which is the release, and how their records belong together."""

from __future__ import annotations

from dataclasses import asdict, replace

from starlette.responses import Response

from unmask.assessment.request import Request, RequestFiles
from unmask.assessment.request_file import to_toml
from unmask.data.io.sources import Options
from unmask.data.understanding.matching import ROWS
from unmask.errors import ArgumentError, UnmaskError
from unmask.web.looks import Seen
from unmask.web.project import REQUEST, Project
from unmask.web.same import same
from unmask.web.visit import Visit, address

_OPTIONS = ("delimiter", "encoding", "sheet", "table")


def show(visit: Visit, error: str | None = None) -> Response:
    """What is chosen, what was read of it, and a browser of the folder for who chooses."""
    project = visit.project
    request = project.request
    if "again" in visit.query:
        visit.desk.looks.forget()
    picking = visit.query.get("pick", "")
    listing = (
        visit.desk.place.listing(visit.query.get("folder", ""))
        if picking in ("original", "released")
        else None
    )
    seen = {} if request is None else looked(visit, project, request)
    waiting = any(one.waiting for one in seen.values())
    status = 422 if error else 200
    if "part" in visit.query:  # what a page that waits asks for
        return visit.page("files_seen.html.jinja", seen=seen, waiting=waiting, request=request)
    return visit.page(
        "files.html.jinja",
        status,
        step="files",
        request=request,
        picking=picking,
        listing=listing,
        seen=seen,
        waiting=waiting,
        version=project.version,
        same=None if request is None else same(request, project.path(REQUEST)),
        error=error,
    )


def looked(visit: Visit, project: Project, request: Request) -> dict[str, Seen]:
    """What was read of each file, and what was understood of both."""
    looks, files, options = visit.desk.looks, request.files, asdict(request.files.options)
    seen = {
        role: looks.at("file", f"{project.name} {role}", path=path, paths=[path], options=options)
        for role, path in (("original", files.original), ("released", files.released))
        if path
    }
    if files.released:
        paths = [files.original, files.released, *([files.schema] if files.schema else [])]
        seen["both"] = looks.at("understanding", project.name, request=to_toml(request), paths=paths)
    return seen


def choose(visit: Visit) -> Response:
    """A file was picked, or the settings below the files were changed."""
    project = visit.project
    try:
        project.check(visit.said("version"))
        project.save(_changed(visit, project.request))
    except UnmaskError as error:
        return show(visit, str(error))
    return visit.go(address(project, "files"))


def _changed(visit: Visit, request: Request | None) -> Request:
    role = visit.said("pick")
    path = visit.said("path")
    if role == "original":
        visit.desk.place.inside(path)
        if request is None:
            return Request(RequestFiles(path))
        # Another original has other columns: what was said of the old ones is not of these.
        files = RequestFiles(path, request.files.released, options=request.files.options)
        return replace(request, files=files, scenario=type(request.scenario)())
    if request is None:
        raise ArgumentError("there is no original file yet", hint="choose it first")
    if role == "released":
        if path:
            visit.desk.place.inside(path)
        return replace(request, files=replace(request.files, released=path, synthetic=False), mechanism=None)
    return replace(request, files=_settings(visit, request.files))


def _settings(visit: Visit, files: RequestFiles) -> RequestFiles:
    """How the files are read, and who is who."""
    told = {name: visit.said(name) or None for name in _OPTIONS}
    if told["delimiter"] in ("\\t", "tab"):
        told["delimiter"] = "\t"
    who, key = visit.said("who"), visit.said("key")
    if who == "key" and not key:
        raise ArgumentError("no column is named that tells who is who", hint="name a column of both files")
    truth = {"key": key, "rows": ROWS}.get(who)
    return replace(files, options=Options(**told), truth=truth, synthetic=who == "synthetic")
