"""Visit: one request to a page, with what pages need; and from a page's function to an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request as HttpRequest
from starlette.responses import HTMLResponse, RedirectResponse, Response

from unmask.assessment.request import Request
from unmask.errors import ArgumentError, UnmaskError
from unmask.visible import visible
from unmask.web.guard import ServerKeys
from unmask.web.jobs import Jobs
from unmask.web.looks import LookAnswer, Looks
from unmask.web.place import Place
from unmask.web.project import Project, check_files, has_runs, is_project, project_named
from unmask.web.run import RunFolder

if TYPE_CHECKING:
    from jinja2 import Environment

Endpoint = Callable[["Visit"], Response]

#: The steps of a project, in the order in which a person takes them: their address and their name.
STEPS = (
    ("files", "Files"),
    ("columns", "Columns"),
    ("intruder", "Intruder"),
    ("run", "Run"),
    ("result", "Result"),
    ("protect", "Protect"),
    ("register", "Register"),
)

#: A number of more digits is no count and no seed, and Python refuses to read one of thousands.
MOST_DIGITS = 18

#: What is shown of a project without its data.
READABLE = ("result", "register")


@dataclass(eq=False)
class Desk:
    """What all visits share: the folder, its jobs and looks, and the keys."""

    place: Place
    keys: ServerKeys = field(default_factory=ServerKeys)
    readonly: bool = False
    changing: Lock = field(default_factory=Lock)
    jobs: Jobs = field(init=False)
    looks: Looks = field(init=False)

    def __post_init__(self) -> None:
        self.jobs = Jobs(self.place.root, self.runs)
        self.looks = Looks(self.place.root)

    def look(self, what: str, owner: str, request: Request, **question: Any) -> LookAnswer:
        """A look at files of a request. It may be somebody else's, and name files that lie elsewhere."""
        try:
            check_files(self.place, request)
        except UnmaskError as error:
            return LookAnswer(error=str(error))
        return self.looks.at(what, owner, **question)

    def runs(self) -> list[RunFolder]:
        """The runs of all projects that have not come to an end; asked for again and again."""
        there = (one for one in self.place.root.iterdir() if has_runs(one))
        kept = (Project(self.place, one) for one in sorted(there) if is_project(one))
        return [run for project in kept for run in project.runs() if not run.over and run.job["steps"]]


@dataclass(frozen=True, eq=False)
class Visit:
    """A request to a page: where it goes (``path``), what it asks (``query``) and what a form says."""

    desk: Desk
    path: Mapping[str, str]
    query: Mapping[str, str]
    form: Mapping[str, list[str]]
    posted: bool

    @property
    def project(self) -> Project:
        """The project of the address."""
        return project_named(self.desk.place, self.path["project"])

    def said(self, name: str, usual: str = "") -> str:
        """What a form says in one field. Browsers end its lines with two signs: one is enough."""
        return self.form.get(name, [usual])[0].replace("\r\n", "\n").strip()

    def all_said(self, name: str) -> list[str]:
        """What a form says in fields of one name, such as ticked boxes."""
        return self.form.get(name, [])

    def page(self, template: str, status: int = 200, **parts: Any) -> Response:
        """A page of a template; ``parts``: what it shows."""
        project = self.project if "project" in self.path else None
        steps = [step for step in STEPS if not self.desk.readonly or step[0] in READABLE]
        common = {
            "form_token": self.desk.keys.form,
            "project": project,
            "steps": steps,
            "readonly": self.desk.readonly,
            "folder": self.desk.place.root,
            "error": None,
        }
        return HTMLResponse(templates().get_template(template).render({**common, **parts}), status)

    def go(self, address: str, **query: str) -> Response:
        """On to another page, after a form was taken."""
        return RedirectResponse(address + (f"?{urlencode(query)}" if query else ""), status_code=303)


def as_sent(text: str) -> str:
    r"""A text as a form sends it back that a page showed, such as the name of a column.

    >>> as_sent(" year\n of  birth\u200b ")
    'year of birth\\u200b'
    """
    return " ".join(visible(text).split())


def whole_number(text: str, what: str) -> int:
    """The whole number of a field.

    >>> whole_number("7", "the seed"), whole_number("9" * 5000, "the seed")
    Traceback (most recent call last):
    unmask.errors.ArgumentError: the seed is no whole number. Hint: write digits, as in 7.
    """
    if not text.isdecimal() or len(text) > MOST_DIGITS:
        raise ArgumentError(f"{what} is no whole number", hint="write digits, as in 7")
    return int(text)


def address(project: Project, *parts: str) -> str:
    """The address of a page of a project."""
    return "/p/" + "/".join(quote(part, safe="") for part in (project.name, *parts))


def endpoint(desk: Desk, page: Endpoint) -> Callable[[HttpRequest], Any]:
    """A page's function as the server calls it: in a thread, and with every mistake in one line."""

    async def answered(request: HttpRequest) -> Response:
        visit = Visit(
            desk,
            dict(request.path_params),
            dict(request.query_params),
            request.scope.get("unmask.form", {}),
            request.method == "POST",
        )
        return await run_in_threadpool(_answer, page, visit)

    return answered


def _answer(page: Endpoint, visit: Visit) -> Response:
    try:
        # One form at a time: what it is checked against is still so when it is kept.
        with visit.desk.changing if visit.posted else nullcontext():
            return page(visit)
    except UnmaskError as error:
        return _mistake(visit, str(error))
    except OSError as error:
        return _mistake(visit, f"reading or writing failed: {error.strerror or 'the system refused'}.")


def _mistake(visit: Visit, message: str) -> Response:
    """A page that says what was wrong. That of a project that is not there has no steps."""
    status = 422 if visit.posted else 404
    try:
        return visit.page("mistake.html.jinja", status, error=message)
    except (UnmaskError, OSError):
        alone = Visit(visit.desk, {}, {}, {}, visit.posted)
        return alone.page("mistake.html.jinja", status, error=message)


@cache
def templates() -> Environment:
    """The templates of pages: all that they show is escaped, and nothing that they name may be missing."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    def shown(value: object) -> object:
        return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = Environment(
        loader=PackageLoader("unmask", "web/templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=shown,
    )
    environment.globals["address"] = address
    return environment


def asset(name: str) -> bytes:
    """A file of the app's own: style and script."""
    return (Path(__file__).parent / "assets" / name).read_bytes()
