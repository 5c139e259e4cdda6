"""A browser for tests: it opened the link, keeps the cookie, and sends forms as a page of the app would."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlencode

from unmask.web.app import application
from unmask.web.guard import Guard
from unmask.web.look import answer
from unmask.web.looks import LookAnswer, Looks
from unmask.web.place import Place
from unmask.web.project import Project, project_named
from unmask.web.run import RunFolder
from unmask.web.visit import Desk

with warnings.catch_warnings():
    # The client would rather have httpx2, which is httpx under another name so far.
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

if TYPE_CHECKING:
    from httpx import Response

PORT = 8765
HOSTS = (f"127.0.0.1:{PORT}", f"localhost:{PORT}")
ORIGIN = f"http://{HOSTS[0]}"
FORM = "application/x-www-form-urlencoded"

Fields = Mapping[str, str | Sequence[str]]


class DirectLooks(Looks):
    """Looks that are answered at once, in this process: pages need not wait, and no process is started."""

    #: Answers are remembered for all folders: copies of a file have its time, and nothing else is asked for.
    remembered: ClassVar[dict[str, dict[str, Any]]] = {}

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.asked: list[str] = []

    def at(self, what: str, owner: str, **question: Any) -> LookAnswer:
        """The answer."""
        self.asked.append(what)
        key = json.dumps([what, question, self._stamps(question)])
        if key not in self.remembered:
            self.remembered[key] = self._direct({"what": what, **question})
        told = self.remembered[key]
        return LookAnswer(told.get("found"), told.get("error", ""))

    def now(self, what: str, **question: Any) -> dict[str, Any]:
        """The answer to a short question."""
        return dict(self._direct({"what": what, **question})["found"])

    def _direct(self, question: dict[str, Any]) -> dict[str, Any]:
        before = Path.cwd()
        os.chdir(self._folder)
        try:
            return answer(json.loads(json.dumps(question)))
        finally:
            os.chdir(before)


class Browser:
    """A browser at the pages of a folder. Jobs wait until a test has them done, and nothing redirects."""

    def __init__(self, folder: Path, readonly: bool = False, looks: type[Looks] = DirectLooks) -> None:
        self.desk = Desk(Place.of(folder), readonly=readonly)
        self.desk.looks = looks(self.desk.place.root)
        self.app = application(self.desk, HOSTS)
        self.http = TestClient(self.app, base_url=ORIGIN, follow_redirects=False)
        self.http.get("/open", params={"token": self.desk.keys.link})

    @property
    def root(self) -> Path:
        """The served folder."""
        return self.desk.place.root

    @property
    def cookie(self) -> str:
        """The cookie that it sends."""
        return "; ".join(f"{one.name}={one.value}" for one in self.http.cookies.jar)

    def project(self, name: str) -> Project:
        """A project of the folder."""
        return project_named(self.desk.place, name)

    def get(self, path: str, /, **query: str) -> Response:
        """A page."""
        return self.http.get(path, params=query or None)

    def post(self, path: str, fields: Fields | None = None, /, **more: str) -> Response:
        """A form, with its token; ``version``: that of the project now, unless the form says another."""
        content: dict[str, Any] = {"form_token": self.desk.keys.form, **(fields or {}), **more}
        if path.startswith("/p/") and "version" not in content:
            content["version"] = self.project(path.split("/")[2]).version
        return self.send(path, urlencode(content, doseq=True))

    def send(self, path: str, body: str | bytes) -> Response:
        """A body as a form."""
        return self.http.post(path, content=body, headers={"content-type": FORM, "origin": ORIGIN})


def asked(
    app: Guard, headers: Sequence[tuple[str, str | bytes]], **scope: Any
) -> tuple[int, dict[str, str], str]:
    """The status, headers and text that an app answers to a request as no client would send it.

    ``messages``: what comes of the body; after the last one, nothing comes any more.
    """
    messages = list(scope.pop("messages", [{"type": "http.request", "body": b"", "more_body": False}]))
    sent: list[Any] = []

    async def receive() -> Any:
        if not messages:
            await asyncio.sleep(60)
        return messages.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    encoded = [
        (name.encode(), value if isinstance(value, bytes) else value.encode()) for name, value in headers
    ]
    usual = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": encoded}
    asyncio.run(app({**usual, "root_path": "", "scheme": "http", **scope}, receive, send))
    if not sent:
        return 0, {}, ""
    told = {name.decode(): value.decode("latin-1") for name, value in sent[0]["headers"]}
    return sent[0]["status"], told, b"".join(one.get("body", b"") for one in sent[1:]).decode()


def begun(browser: Browser, name: str, original: str, released: str = "", truth: str = "rows") -> Project:
    """A project with its files chosen, by the forms."""
    assert browser.post("/new", name=name).status_code == 303
    assert browser.post(f"/p/{name}/files", pick="original", path=original).status_code == 303
    if released:
        assert browser.post(f"/p/{name}/files", pick="released", path=released).status_code == 303
        assert browser.post(f"/p/{name}/files", pick="settings", who=truth).status_code == 303
    return browser.project(name)


def done(browser: Browser, answer: Response) -> RunFolder:
    """The run that a form led to, once its process has done it."""
    assert answer.status_code == 303, answer.text
    _, _, name, _, number = answer.headers["location"].split("/")
    run = browser.project(name).run(number)
    subprocess.run([sys.executable, "-m", "unmask.web.job", str(run.folder)], cwd=browser.root, check=True)
    return run


def until(true: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until something is so; a machine may be busy."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.03)


@contextmanager
def at_work(browser: Browser) -> Iterator[Browser]:
    """The browser while the app's jobs get their turn."""
    browser.desk.jobs.start()
    try:
        yield browser
    finally:
        browser.desk.jobs.stop()
        for process in list(browser.desk.jobs._processes.values()):
            process.wait(timeout=30)  # it has said how it ended, and is about to
