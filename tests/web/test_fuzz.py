"""Whatever is sent with the right cookie and tokens: an answer in words, and nothing outside the folder."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.web.client import Browser
from unmask.web.app import CHANGING, READING, WORKING
from unmask.web.jobs import Jobs
from unmask.web.looks import LookAnswer, Looks

#: What a look at the file could have found.
COLUMNS = [
    {
        "name": name,
        "kind": kind,
        "role": role,
        "proposed": {"kind": kind, "role": role},
        "levels": ["a", "b"],
        "missing": [],
        "reasons": ["It is so."],
        "sketch": {"bars": [{"share": 0.5, "label": "a"}], "missing": 0.0, "distinct": 2},
    }
    for name, kind, role in (
        ("age", "numeric", "quasi-identifier"),
        ("sex", "nominal", "quasi-identifier"),
        ("income", "numeric", "confidential"),
        ("odd <b>", "text", "ignored"),
    )
]


class NoLooks(Looks):
    """Looks that never read a file: what they would find is said here."""

    def at(self, what: str, owner: str, **question: Any) -> LookAnswer:
        if what == "file":
            return LookAnswer({"records": 300, "columns": COLUMNS})
        return LookAnswer(error="there is nothing to find. Hint: none.") if len(owner) % 2 else LookAnswer()

    def now(self, what: str, **question: Any) -> dict[str, Any]:
        folder = Path(question["folder"])
        for name in ("original.csv", "released.csv"):
            (folder / name).write_text("age\n1\n")
        return {"made_by": "noise:a=0.1"}

    def _process(self) -> Any:
        raise AssertionError("no process is started")


@pytest.fixture(scope="module")
def target(
    assessed: Path, studied: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Browser, Path]]:
    """A folder with an assessed project, a studied one and a fresh one; what lies beside it stays."""
    above = tmp_path_factory.mktemp("above")
    (above / "outside.csv").write_text("age\n31\n")
    root = Path(shutil.copytree(assessed, above / "served"))
    shutil.copytree(studied / "census", root / "study")
    for name in ("request.toml", "protection.toml"):
        path = root / "study" / name
        path.write_text(path.read_text().replace('"census/', '"study/'))
    browser = Browser(root, looks=NoLooks)
    browser.post("/new", name="fresh")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Jobs, "_begin", lambda *_: pytest.fail("no process is started"))
        yield browser, above


NUMBERS = (
    "0", "-1", "1e400", "nan", "inf", "9" * 5000, "0.5", "1,5", "٣", "²", "10%", "101%", "-0", "1e-320",
    "%",
)  # fmt: skip
PATHS = (
    "people.csv", "released.csv", "below/other.csv", "below", "../outside.csv", "/etc/passwd", "..", ".",
    "", "census/schema.toml", "census/request.toml", "census/runs/0001/result.json", "new.csv",
    "new.parquet", "x" * 5000, "a\\b.csv", "C:\\x.csv", "sqlite:///x.db", "-o", "--help", "nowhere/new.csv",
    "~/x.csv",
)  # fmt: skip
MASKS = (
    "noise:a=0.5", "noise:a={0.2,1}", "noise:a={0.1..1..0.000001}", "exec:touch {original} {released}",
    "then", "noise:a=0.1 then exec:touch {original} {released}", "noise:a=nan", "{{}}", "noise:a={", "cart",
    "function:f", "noise:a=1,attributes=sex+nobody", "pram:p=" + "9" * 400, " then ", "unprotected",
    "noise then noise", "{exec,noise}:a=1",
)  # fmt: skip
TEXTS = (
    "", "age", "sex", "nobody", "\u202e", "é年", "<b>&\"'", "a\nb", "a\r\nb", "\x1b[2J", "\ufeff",
    "\U0010ffff", "{{7*7}}", "dbrl", "dbrl:x=1", "reidentification", "numeric", "ordinal", "nominal",
    "identifier", "weight", "household", "original", "released", "settings", "study", "protect", "named",
    "full", "key", "rows", "synthetic", "keep", "highest_belief", "il1s", "neighbour", "company",
    "cell-size-5", "\t", "tab", "utf-8", "1" * 70, "0001", "0002",
    'format = "unmask-schema"\nversion = 1\n[[column]]\nname = "age"\n', "a = [" * 2000,
    "[[column]]\nname = 1",
)  # fmt: skip

FIELDS = (
    "name", "pick", "path", "who", "key", "delimiter", "encoding", "sheet", "table", "text", "then",
    "known", "targets", "error", "mechanism", "methods", "attack", "measure", "policy", "time", "budget",
    "seed", "assessor", "recipient", "decision", "verb", "own", "tick", "mask-0", "mask-1", "lines",
    "least", "replicates", "sample", "output", "candidate", "label", "note", "mask", "assessment",
    *(f"{what}-{number}" for what in ("name", "kind", "role", "levels", "missing") for number in range(4)),
)  # fmt: skip
QUERY = (
    "part",
    "again",
    "pick",
    "folder",
    "preset",
    "stay",
    "by",
    "least",
    "reason",
    "page",
    "entry",
    "token",
)

values = st.one_of(
    st.sampled_from((*TEXTS, *NUMBERS, *PATHS, *MASKS)),
    # Halves of characters cannot be sent, and a sign of no value is refused before any page sees it.
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12),
)


def few(names: tuple[str, ...], most: int) -> st.SearchStrategy[dict[str, list[str]]]:
    return st.dictionaries(st.sampled_from(names), st.lists(values, min_size=1, max_size=2), max_size=most)


#: A form as the page of the columns would send it, in which some fields are then replaced.
WHOLE = {f"name-{number}": [str(one["name"])] for number, one in enumerate(COLUMNS)}
WHOLE |= {f"kind-{number}": [str(one["kind"])] for number, one in enumerate(COLUMNS)}
WHOLE |= {f"role-{number}": [str(one["role"])] for number, one in enumerate(COLUMNS)}


def held(folder: Path) -> dict[str, bytes]:
    """What lies beside the served folder."""
    return {one.name: one.read_bytes() for one in folder.iterdir() if one.is_file()}


def checked(browser: Browser, above: Path, answer: Any) -> None:
    assert answer.status_code < 500
    assert "Traceback" not in answer.text
    assert answer.headers["content-security-policy"].startswith("default-src 'self'")
    if answer.status_code in (404, 422) and answer.headers["content-type"].startswith("text/html"):
        assert 'role="alert"' in answer.text, "what was wrong is said"
    assert {one.name for one in above.iterdir()} == {"outside.csv", "served"}
    assert held(above) == {"outside.csv": b"age\n31\n"}


project = st.one_of(st.sampled_from(("census", "study", "fresh", "nobody", "..", "below")), values)
number = st.one_of(st.sampled_from(("0001", "0002", "1", "..")), values)
name = st.one_of(st.sampled_from(("report.html", "result.json", "people.parquet", "app.css", "../x")), values)


@st.composite
def addresses(draw: st.DrawFn, routes: dict[str, Any]) -> str:
    """An address of a route, with odd parts here and there."""
    route = draw(st.sampled_from(sorted(routes)))
    for place, part in (("{project}", project), ("{run}", number), ("{name}", name)):
        if place in route:
            route = route.replace(place, quote(draw(part)[:500], safe=""))
    return route


QUICK = settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@QUICK
@given(addresses({**READING, **WORKING}), few(QUERY, 4), st.sampled_from(("GET", "HEAD")))
def test_no_address_is_a_bug(
    target: tuple[Browser, Path], path: str, query: dict[str, list[str]], method: str
) -> None:
    browser, above = target
    answer = browser.http.request(method, f"{path}?{urlencode(query, doseq=True)[:20_000]}")
    if method == "GET":
        checked(browser, above, answer)
    assert answer.status_code < 500


@QUICK
@given(addresses(CHANGING), few(FIELDS, 12), st.booleans(), st.booleans())
def test_no_form_is_a_bug(
    target: tuple[Browser, Path], path: str, fields: dict[str, list[str]], current: bool, whole: bool
) -> None:
    """After each form the pages that show what it left answer too."""
    browser, above = target
    parts = path.split("/")
    known = len(parts) > 2 and parts[2] in ("census", "study", "fresh")
    form: dict[str, Any] = {**(WHOLE if whole else {}), **fields, "form_token": browser.desk.keys.form}
    if current and known:
        form["version"] = browser.project(parts[2]).version
    answer = browser.send(path, urlencode(form, doseq=True))
    checked(browser, above, answer)
    if known and answer.status_code == 303:
        for step in ("files", "columns", "columns/schema.toml", "intruder", "run", "protect", "register"):
            checked(browser, above, browser.get(f"/p/{parts[2]}/{step}"))
    checked(browser, above, browser.get("/"))


@pytest.mark.parametrize("field", ["label", "note", "name", "decision", "path", "own", "mechanism"])
def test_a_sign_that_no_command_can_hold_is_refused(target: tuple[Browser, Path], field: str) -> None:
    browser, above = target
    for path in ("/new", "/p/census/register", "/p/census/runs/0001/sign", "/p/census/files"):
        answer = browser.post(path, {field: "a\0b"})
        assert answer.status_code == 400
        checked(browser, above, answer)
