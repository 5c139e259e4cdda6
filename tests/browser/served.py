"""The web app as a person has it: a server in a process of its own, and windows of the browser on it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Condition, Thread
from typing import Any

import unmask
from unmask.assessment.request import Request, RequestFiles
from unmask.data.example import people
from unmask.masks import Noise
from unmask.web.place import Place
from unmask.web.project import Project, new_project

WIDE, NARROW = {"width": 1280, "height": 860}, {"width": 390, "height": 844}

#: Milliseconds within which a page must do what it is asked: other tests may take the cores.
PATIENCE = 45_000

_LINK = re.compile(r"http://\S+/open\?token=\S+")
_REFUSED = """
addEventListener("securitypolicyviolation", (event) => console.error("refused " + event.violatedDirective));
"""
_SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


class Server:
    """`unmask serve` on a folder and a free port. It shows a new link whenever one was used."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self._links: list[str] = []
        self._news = Condition()
        # The same day in every picture.
        environment = {**os.environ, "SOURCE_DATE_EPOCH": "1767225600", "COLUMNS": "200"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "unmask", "serve", str(folder), "--port", "0", "--no-browser", *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()
        self.base = self._link_after(0).partition("/open")[0]

    def _listen(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as lines:
            for line in lines:
                with self._news:
                    self._links += _LINK.findall(line)
                    self._news.notify_all()

    def _link_after(self, number: int) -> str:
        with self._news:
            assert self._news.wait_for(lambda: len(self._links) > number, timeout=60), "no link was shown"
            return self._links[number]

    def open(self, page: Any) -> None:
        """Open the link that was shown last, which works once."""
        with self._news:
            shown = len(self._links)
        page.goto(self._link_after(shown - 1))
        page.wait_for_url(f"{self.base}/")
        self._link_after(shown)  # the one for the next browser

    def end(self) -> None:
        """As Ctrl-C does."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait(timeout=20)
        self._listener.join(timeout=20)


class Window:
    """One browser on the server: a context of its own, and all that its pages asked for or complained of."""

    def __init__(self, browser: Any, server: Server, artefacts: Path, **options: Any) -> None:
        self.server, self.base, self._artefacts = server, server.base, artefacts
        self.context = browser.new_context(**{"viewport": WIDE, **options})
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(_REFUSED)
        self.complaints: list[str] = []
        self.asked: list[str] = []
        self.page = self.tab()
        server.open(self.page)

    def tab(self) -> Any:
        """Another tab of the same browser."""
        page = self.context.new_page()
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.asked.append(request.url))
        return page

    def go(self, *parts: str) -> Any:
        """To a page of a project, or to the first page."""
        self.page.goto("/".join((self.server.base, *(("p", *parts) if parts else ("",)))))
        return self.page

    def press(self, name: str) -> None:
        """Click a button."""
        self.page.get_by_role("button", name=name, exact=True).click()

    def follow(self, name: str) -> None:
        """Click a link."""
        self.page.get_by_role("link", name=name, exact=True).click()

    def picture(self, name: str) -> None:
        """What the window shows, for whoever looks at it."""
        self.page.screenshot(path=self._artefacts / f"web-{name}.png")

    def refused(self, status: int = 422) -> str:
        """The sentence of a form that was refused, which the browser notes as a status that is no success."""
        sentence = str(self.page.locator("main > .notes[role=alert] p").first.inner_text())
        self.noted(f"Failed to load resource: the server responded with a status of {status}")
        return sentence

    def noted(self, words: str) -> None:
        """Wait for a complaint of the browser that is meant to be there, and forget it."""
        for _ in range(100):
            if any(words in one for one in self.complaints):
                break
            self.page.wait_for_timeout(50)
        self.complaints, before = [one for one in self.complaints if words not in one], self.complaints
        assert self.complaints != before, f"the browser noted no '{words}'"

    def sideways(self) -> int:
        """By how many dots the page is wider than its window."""
        return int(self.page.evaluate(_SIDEWAYS))

    def close(self) -> None:
        self.context.close()
        assert self.complaints == [], self.complaints
        own = (f"{self.base}/", "data:", "blob:")
        elsewhere = [url for url in self.asked if not url.startswith(own)]
        assert elsewhere == [], elsewhere


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[Server]:
    """A server for as long as it is needed."""
    server = Server(folder, *options)
    try:
        yield server
    finally:
        server.end()


@contextmanager
def window(browser: Any, server: Server, artefacts: Path, **options: Any) -> Iterator[Window]:
    """A window in which nothing may have gone wrong by its end."""
    opened = Window(browser, server, artefacts, **options)
    try:
        yield opened
    except BaseException:
        opened.context.close()
        raise
    opened.close()


def small_files(folder: Path, size: int = 300) -> None:
    """An original of a few hundred people, and a release of them, as original.csv and released.csv."""
    original = people(size)
    original.frame.write_csv(folder / "original.csv")
    released = unmask.mask(original.frame, Noise(a=0.3), seed=1, keep_identifiers=False)
    released.write_csv(folder / "released.csv")


def ready_project(server: Server, name: str, **asked: Any) -> None:
    """A project of the small files, assessed by one attack unless ``asked`` says otherwise."""
    project_in(server.folder, name, **asked)


def project_in(folder: Path, name: str, **asked: Any) -> Project:
    """The same, where no server is yet."""
    project = new_project(Place.of(folder), name)
    request = Request(RequestFiles("original.csv", "released.csv"), seed=1)
    quick = {"attacks": ("dbrl",), "measures": ("reidentification",)}
    project.save(replace(request, **{**quick, **asked}))
    return project
