"""Files: which file is the original, which is the release, and how their records belong together."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from starlette.responses import Response

from unmask.assessment.request import Request, RequestFiles
from unmask.assessment.request_file import to_toml
from unmask.data.io.sources import Options
from unmask.data.understanding.matching import ROWS
from unmask.errors import ArgumentError, UnmaskError
from unmask.web.looks import LookAnswer
from unmask.web.project import REQUEST, Project
from unmask.web.same import same
from unmask.web.visit import Visit, address

_OPTIONS = ("delimiter", "encoding", "sheet", "table")
_SHAPED = ("shape", "released_shape", "nodes", "released_nodes", "pairs")


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
        filled={} if request is None else _filled(visit, request.files),
        same=None if request is None else same(request, project.path(REQUEST)),
        error=error,
    )


def looked(visit: Visit, project: Project, request: Request) -> dict[str, LookAnswer]:
    """What was read of each file, and what was understood of both."""
    look, files, options = visit.desk.look, request.files, asdict(request.files.options)
    seen = {}
    for role, path, shape, nodes in (
        ("original", files.original, files.shape, files.nodes),
        ("released", files.released, files.released_shape or files.shape, files.released_nodes),
    ):
        if path:
            shaped = {"shape": shape, "nodes": nodes, "paths": [path, *([nodes] if nodes else [])]}
            seen[role] = look("file", f"{project.name} {role}", request, path=path, options=options, **shaped)
    if files.released:
        named = (files.original, files.released, files.schema, files.nodes, files.released_nodes, files.pairs)
        paths = [path for path in named if path]
        asked = to_toml(request)
        seen["both"] = look("understanding", project.name, request, asked=asked, paths=paths)
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
    path = "".join(visit.all_said("path")[:1])  # as it is: a name may end with a blank
    if role == "original":
        _check_picked(visit, path)
        if request is None:
            return Request(RequestFiles(path))
        # Another original has other columns: what was said of the old ones is not of these.
        files = RequestFiles(path, request.files.released, options=request.files.options)
        return replace(request, files=files, scenario=type(request.scenario)())
    if request is None:
        raise ArgumentError("there is no original file yet", hint="choose it first")
    if role == "released":
        if path:
            _check_picked(visit, path)
        return replace(request, files=replace(request.files, released=path, synthetic=False), mechanism=None)
    return replace(request, files=_settings(visit, request.files))


def _check_picked(visit: Visit, path: str) -> None:
    if not visit.desk.place.inside(path).is_file():
        raise ArgumentError("there is no such file", hint="choose one of those that are listed")


def _filled(visit: Visit, files: RequestFiles) -> dict[str, str]:
    """What stands in the settings: as a form that was refused says, else as the request does."""
    if visit.said("pick") == "settings":
        return {name: visit.said(name) for name in ("who", "key", *_OPTIONS, *_SHAPED)}
    truth = {None: "auto", ROWS: "rows"}.get(files.truth, "key")
    filled = {name: getattr(files.options, name) or "" for name in _OPTIONS}
    filled |= {name: getattr(files, name) or "" for name in _SHAPED}
    return {**filled, "who": "synthetic" if files.synthetic else truth, "key": files.truth or ""}


def _settings(visit: Visit, files: RequestFiles) -> RequestFiles:
    """How the files are read, and who is who."""
    told = {name: visit.said(name) or None for name in _OPTIONS}
    if told["delimiter"] in ("\\t", "tab"):
        told["delimiter"] = "\t"
    who, key = visit.said("who"), visit.said("key")
    if who == "key" and not key:
        raise ArgumentError("no column is named that tells who is who", hint="name a column of both files")
    truth = {"key": key, "rows": ROWS}.get(who)
    shaped: dict[str, Any] = {name: visit.said(name) or None for name in _SHAPED}
    # Other people are read from the files in another shape: a schema of the old ones is none of these.
    schema = files.schema if shaped["shape"] == files.shape else None
    synthetic = who == "synthetic"
    return replace(files, options=Options(**told), truth=truth, synthetic=synthetic, schema=schema, **shaped)
