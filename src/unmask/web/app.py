"""The app: which address is which page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import Request as HttpRequest
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from unmask.web.guard import Guard
from unmask.web.pages import assets, columns, files, home, intruder, people, protect, register, result, run
from unmask.web.visit import Desk, Endpoint, endpoint

#: What is there for everybody who may look.
READING: dict[str, Endpoint] = {
    "/": home.show,
    "/assets/{name}": assets.serve,
    "/favicon.ico": assets.icon,
    "/p/{project}": home.first_step,
    "/p/{project}/result": result.latest,
    "/p/{project}/runs/{run}/result": result.show,
    "/p/{project}/runs/{run}/file/{name}": result.download,
    "/p/{project}/register": register.show,
}

#: What shows data, or starts work.
WORKING: dict[str, Endpoint] = {
    "/p/{project}/files": files.show,
    "/p/{project}/columns": columns.show,
    "/p/{project}/columns/schema.toml": columns.export,
    "/p/{project}/intruder": intruder.show,
    "/p/{project}/run": run.show,
    "/p/{project}/runs/{run}": run.follow,
    "/p/{project}/runs/{run}/people": people.show,
    "/p/{project}/runs/{run}/people.csv": people.download,
    "/p/{project}/protect": protect.show,
}

#: Forms.
CHANGING: dict[str, Endpoint] = {
    "/new": home.create,
    "/example": home.example,
    "/p/{project}/files": files.choose,
    "/p/{project}/columns": columns.save,
    "/p/{project}/columns/import": columns.take,
    "/p/{project}/intruder": intruder.save,
    "/p/{project}/run": run.start,
    "/p/{project}/runs/{run}/cancel": run.cancel,
    "/p/{project}/runs/{run}/again": run.again,
    "/p/{project}/runs/{run}/sign": result.sign,
    "/p/{project}/protect": protect.start,
    "/p/{project}/protect/release": protect.release,
    "/p/{project}/register": register.add,
}


def application(desk: Desk, hosts: tuple[str, ...]) -> Guard:
    """The app of a desk, behind its guard."""
    reading = READING if desk.readonly else {**READING, **WORKING}
    routes = [Route(path, endpoint(desk, page), methods=["GET"]) for path, page in reading.items()]
    if not desk.readonly:
        routes += [Route(path, endpoint(desk, page), methods=["POST"]) for path, page in CHANGING.items()]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        if not desk.readonly:
            desk.jobs.start()
        yield
        if not desk.readonly:
            desk.jobs.stop()
        desk.looks.stop()

    async def nothing(_: HttpRequest, __: Exception) -> Response:
        return PlainTextResponse("There is no such page.\n", 404)

    async def method(_: HttpRequest, __: Exception) -> Response:
        return PlainTextResponse("That page cannot be asked in this way.\n", 405)

    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={404: nothing, 405: method})
    return Guard(app, desk.keys, hosts, desk.readonly)
