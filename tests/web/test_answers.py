"""What every answer carries, and what no page holds, since the policy of the answers would stop it."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.client import ORIGIN, Browser, begun
from unmask.web import guard

if TYPE_CHECKING:
    from httpx import Response

P = "/p/census"

#: Pages of a project with a result.
PAGES = (
    "/",
    "/p/census/files",
    "/p/census/files?pick=original",
    "/p/census/files?pick=released&folder=below",
    "/p/census/files?part=seen",
    "/p/census/columns",
    "/p/census/columns?part=seen",
    "/p/census/intruder",
    "/p/census/intruder?preset=neighbour",
    "/p/census/intruder?part=seen",
    "/p/census/run",
    "/p/census/run?part=seen",
    "/p/census/runs/0001?stay=1",
    "/p/census/runs/0001?part=seen",
    "/p/census/runs/0001/result",
    "/p/census/runs/0001/people",
    "/p/census/runs/0001/people?least=0&page=2",
    "/p/census/protect",
    "/p/census/register",
    "/p/census/nowhere",
    "/p/nobody/files",
    "/p/census/runs/9999",
)


def check(answer: Response, *statuses: int) -> None:
    """The answer has a status of these, and the headers that all have."""
    assert answer.status_code in statuses, answer.text
    headers = answer.headers
    assert headers["content-security-policy"].startswith("default-src 'self'")
    assert "unsafe" not in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-frame-options"] == "DENY"
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    names = [name.lower() for name, _ in headers.multi_items()]
    assert all(names.count(name) == 1 for name in guard.HEADERS), "one of each, so that none is overruled"
    assert "server" not in names


def test_pages_and_files(reader: Browser) -> None:
    for path in PAGES:
        check(reader.get(path), 200, 404)
    for name in ("report.css", "app.css", "app.js", "folding.js", "charts.js", "libraries.js"):
        check(reader.get(f"/assets/{name}"), 200)
    check(reader.get("/favicon.ico"), 204)  # asked for beside answers that are no pages; none is no mistake
    for name in ("report.html", "result.json"):
        answer = reader.get(f"{P}/runs/0001/file/{name}")
        check(answer, 200)
        assert answer.headers["content-disposition"].startswith("attachment"), "it is not shown as a page"
    for path in ("people.csv", "../../columns/schema.toml"):
        answer = reader.get(f"{P}/runs/0001/{path}")
        check(answer, 200)
        assert answer.headers["content-disposition"].startswith("attachment")


def test_parts_of_a_download(reader: Browser) -> None:
    for span, status in (("bytes=0-9", 206), ("bytes=999999999-", 416), ("nonsense", 400)):
        check(reader.http.get(f"{P}/runs/0001/file/report.html", headers={"range": span}), status)


def test_redirections(reader: Browser) -> None:
    check(reader.get("/p/census"), 303)
    check(reader.get("/p/census/result"), 303)
    check(reader.get("/p/census/runs/0001"), 303)
    check(reader.post("/new", name="another"), 303)


def test_refusals(reader: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    check(reader.http.get("/", headers={"host": "evil.example"}), 400)
    check(reader.http.get("/", headers={"origin": "null"}), 403)
    check(reader.http.get("/", headers={"cookie": ""}), 401)
    check(reader.http.delete("/"), 405)
    check(reader.get("/new"), 405)
    check(reader.get("/nowhere"), 404)
    check(reader.get("/open", token="wrong"), 403)
    check(reader.get("/open", token=reader.desk.keys.link), 200)
    check(reader.http.post("/new", headers={"origin": ORIGIN}, json={}), 415)
    check(reader.send("/new", "form_token=wrong"), 403)
    check(reader.send("/new", b"\xff"), 400)
    check(reader.post("/new", name="/"), 422)
    monkeypatch.setattr(guard, "LARGEST_BODY", 10)
    check(reader.send("/new", "x" * 100), 413)


def test_a_bug_is_answered_without_what_it_says(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text of an exception may hold a value of a record."""

    def broken(*_: object) -> None:
        raise RuntimeError("zzqqx")

    monkeypatch.setattr("unmask.web.visit.projects", broken, raising=False)
    monkeypatch.setattr("unmask.web.pages.home.projects", broken)
    browser.http._transport.raise_server_exceptions = False
    answer = browser.get("/")
    check(answer, 500)
    assert "zzqqx" not in answer.text
    assert "Traceback" not in answer.text


class Held(HTMLParser):
    """What a page holds that the policy stops, what it loads, and whether all that opens is closed."""

    #: Elements without an end.
    VOID = ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr")

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.stopped: list[str] = []
        self.loaded: list[str] = []
        self.identities: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "style" or (
            tag == "script" and "src" not in names and names.get("type") != "application/json"
        ):
            self.stopped.append(f"<{tag}>")
        self.stopped += [f"{tag} {name}" for name in names if name == "style" or name.startswith("on")]
        if tag in ("iframe", "object", "embed", "base", "frame"):
            self.stopped.append(f"<{tag}>")
        for name in ("src", "href", "action", "formaction", "data", "xlink:href"):
            self.loaded += [names[name] or ""] if name in names else []
        self.identities += [names["id"] or ""] if "id" in names else []

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open, f"</{tag}> closes nothing"
            while self.open[-1] != tag and self.open[-1] in ("p", "li", "dt", "dd", "option"):
                self.open.pop()
            assert self.open.pop() == tag


def parsed(text: str) -> Held:
    found = Held()
    found.feed(text)
    return found


def is_fine(text: str) -> None:
    """The page holds nothing that is stopped, and leads nowhere else than to this server."""
    held = parsed(text)
    assert not held.stopped
    assert len(held.identities) == len(set(held.identities)), "every id stands once"
    elsewhere = [one for one in held.loaded if one.startswith("//") or ":" in one.partition("/")[0]]
    assert set(elsewhere) <= {"data:,"}


def test_pages_hold_nothing_that_their_policy_stops(assessed: Path) -> None:
    browser = Browser(assessed)
    for path in PAGES:
        is_fine(browser.get(path).text)


def test_pages_of_a_study_hold_nothing_that_their_policy_stops(studied: Path) -> None:
    browser = Browser(studied)
    for path in ("/p/census/protect", "/p/census/runs/0001/result", "/p/census/runs/0001?stay=1"):
        is_fine(browser.get(path).text)


def test_a_page_of_a_fresh_project_holds_nothing_that_its_policy_stops(browser: Browser) -> None:
    begun(browser, "census", "people.csv")
    for step in ("files", "columns", "intruder", "run", "result", "protect", "register"):
        is_fine(browser.get(f"{P}/{step}").text)
    refused = browser.post(f"{P}/files", pick="original", path="../outside.csv")
    assert refused.status_code == 422
    is_fine(refused.text)


def test_names_from_files_are_text_and_nothing_else(browser: Browser) -> None:
    """A column, a file or a project cannot put an element or an attribute into a page."""
    evil = '"><img src=x onerror=alert(1)>'
    (browser.root / f"{evil.replace('/', '')}.csv").write_text(
        f'"{evil.replace(chr(34), chr(34) * 2)}",b\n1,2\n3,4\n'
    )
    begun(browser, "census", f"{evil}.csv")
    for path in ("files", "files?pick=original", "columns", "intruder", "run", "protect", "register"):
        text = browser.get(f"{P}/{path}").text
        is_fine(text)
        assert "<img" not in text
