"""What pages are made of besides their text: styles and scripts, unmask's own or its libraries'."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from starlette.responses import Response

from unmask.errors import DataError
from unmask.web.visit import Visit, asset

_CSS, _JS = "text/css; charset=utf-8", "text/javascript; charset=utf-8"


@cache
def _report(name: str) -> bytes:
    """A style or script of reports, which pages share."""
    from unmask.report.page import templates

    return templates().get_template(name).render().encode()


def _libraries() -> bytes:
    """What draws charts; the largest part, loaded when a chart comes into view."""
    from unmask.report.libraries import chart_libraries

    return str(chart_libraries()).encode()


_ASSETS: dict[str, tuple[Callable[[], bytes], str]] = {
    "report.css": (lambda: _report("style.css"), _CSS),
    "app.css": (lambda: asset("app.css"), _CSS),
    "app.js": (lambda: asset("app.js"), _JS),
    "folding.js": (lambda: _report("folding.js"), _JS),
    "charts.js": (lambda: _report("charts.js"), _JS),
    "libraries.js": (_libraries, _JS),
}


def serve(visit: Visit) -> Response:
    """One of the assets."""
    found = _ASSETS.get(visit.path["name"])
    if found is None:
        raise DataError("there is no such file", hint="go back")
    made, kind = found
    return Response(made(), media_type=kind)


def icon(_: Visit) -> Response:
    """No picture: a browser asks for one beside every answer that is no page, and would complain without."""
    return Response(status_code=204)
