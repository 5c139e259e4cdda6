"""No value of a record leaves the data: not to files of runs, not to lines that are said, not to pages."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

import numpy as np
import polars as pl
import pytest

from tests.web.client import Browser, begun, done, until
from tests.web.conftest import METHODS, at_copy
from tests.web.test_jobs import server
from unmask.data.io.schema_file import to_toml
from unmask.data.schema import Column, Kind, Schema
from unmask.web.looks import Looks
from unmask.web.run import RunState

P = "/p/census"

#: Values that one person has, and that nothing else could write by chance.
TEXT, NUMBER = "zzqqx", 7361925.25

#: What a run keeps of what was asked, in which a person may have written anything.
ASKED = ("request.toml", "schema.toml")


@pytest.fixture(scope="module")
def folder(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which one person has values that are easy to recognise, in the release too."""
    browser = at_copy(files, tmp_path_factory.mktemp("secret"))
    for name in ("people.csv", "released.csv"):
        frame = pl.read_csv(browser.root / name)
        first = pl.Series(np.arange(frame.height) == 0)
        marked = frame.with_columns(
            pl.when(first).then(pl.lit(TEXT)).otherwise(pl.col("occupation")).alias("occupation"),
            pl.when(first).then(NUMBER).otherwise(pl.col("income")).alias("income"),
        )
        marked.write_csv(browser.root / name)
    begun(browser, "census", "people.csv", "released.csv")
    # One that is found, one that fails, one whose columns do not fit: each says something of itself.
    done(browser, browser.post(f"{P}/run", {**METHODS, "policy": "cell-size-5"}))
    for column in (Column("occupation", Kind.ORDINAL, levels=("a", "b")), Column("occupation")):
        text = to_toml(Schema((column,)))
        assert browser.post(f"{P}/columns/import", text=text).status_code == 303
        assert done(browser, browser.post(f"{P}/run", METHODS)).state is RunState.FAILED
    return browser.root


def has_secret(content: bytes) -> bool:
    """Whether a value of the one person is in it."""
    return any(word in content for word in (TEXT.encode(), b"7361925", b"7,361,925"))


def is_asked(path: Path) -> bool:
    return path.name in ASKED


def test_the_values_would_be_found(folder: Path) -> None:
    assert has_secret((folder / "people.csv").read_bytes())
    assert has_secret((folder / "released.csv").read_bytes())


def test_no_file_of_a_run_has_a_value_of_a_record(folder: Path) -> None:
    """Its progress, its job, how it ended, what it said, its documents and its list of people."""
    written = [path for path in (folder / "census" / "runs").rglob("*") if path.is_file()]
    assert {"job.json", "outcome.json", "errors.txt", "progress.jsonl", "people.parquet", "report.html"} <= {
        path.name for path in written
    }
    assert not [path for path in written if not is_asked(path) and has_secret(path.read_bytes())]
    table = pl.read_parquet(folder / "census" / "runs" / "0001" / "people.parquet")
    assert not has_secret(table.write_csv().encode()), "nor where a file is packed"


def test_what_a_run_keeps_of_the_request_has_none_either(folder: Path) -> None:
    written = [path for path in (folder / "census").rglob("*.toml") if path.is_file()]
    assert written
    assert not [path for path in written if has_secret(path.read_bytes())]


def test_no_page_of_people_or_of_work_has_a_value_of_a_record(folder: Path) -> None:
    browser = Browser(folder)
    pages = ["/", f"{P}/run", f"{P}/register", f"{P}/protect", f"{P}/runs/0001/result"]
    pages += [f"{P}/runs/{number}?stay=1" for number in ("0001", "0002", "0003")]
    pages += [f"{P}/runs/0001/people?least=0&page={page}" for page in range(1, 7)]
    pages += [f"{P}/runs/0001/people.csv?least=0", f"{P}/runs/0001/file/result.json"]
    for page in pages:
        answer = browser.get(page)
        assert answer.status_code == 200
        assert not has_secret(unquote(answer.text).encode()), page


def test_errors_of_files_that_do_not_fit_quote_no_value(folder: Path) -> None:
    browser = Browser(folder)
    for step in ("files", "columns", "intruder", "run"):
        text = browser.get(f"{P}/{step}").text
        for line in text.split('role="alert"')[1:]:
            assert not has_secret(line.partition("</div>")[0].encode())


def test_what_a_look_finds_is_on_no_disk(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is there for the page; every file that was written meanwhile, also a temporary one, is without."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    looks = Looks(folder)
    question = {"path": "people.csv", "paths": ["people.csv"], "options": {}}
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    until(lambda: not looks.at("file", "census", **question).waiting)
    seen = looks.at("file", "census", **question)
    assert seen.found is not None
    assert seen.found["records"] == 300
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_category_of_one_person_is_not_named_in_a_sketch(folder: Path) -> None:
    seen = Browser(folder).desk.looks.at(
        "file", "census", path="people.csv", paths=["people.csv"], options={}, schema=None
    )
    assert seen.found is not None
    (column,) = [one for one in seen.found["columns"] if one["name"] == "occupation"]
    assert TEXT not in [bar["label"] for bar in column["sketch"]["bars"]]
    assert not has_secret(" ".join(column["reasons"]).encode())


def test_nothing_is_logged(folder: Path) -> None:
    """Whatever is asked, the terminal has the lines about the link, and no others."""
    with server(folder) as (process, client):
        for path in ("/", f"{P}/runs/0001/result", f"{P}/{TEXT}", "/open?token=wrong", f"/{TEXT}"):
            client.get(path)
        client.post("/new", data={"name": TEXT})
        process.terminate()
        out, err = process.communicate(timeout=20)
    assert not out
    lines = err.splitlines()
    assert lines[0].partition(":")[0] == "for another browser", "the lines before it told of the link too"
    assert lines[1:] in ([], ["terminated"])
    assert not has_secret(err.encode())
