"""Read only: results, the register and documents; no data, no work, no change."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.web.client import Browser, DirectLooks
from tests.web.conftest import at_copy
from tests.web.test_pages import filled
from unmask.web.app import CHANGING, READING, WORKING

P = "/p/census"


@pytest.fixture
def reader(assessed: Path, tmp_path: Path) -> Browser:
    """A browser at pages that are served with --readonly."""
    return at_copy(assessed, tmp_path, readonly=True)


def tree(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file below a folder, with its time and size."""
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.stat().st_size)
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("route", READING)
def test_what_may_be_read_answers(reader: Browser, route: str) -> None:
    before = tree(reader.root)
    assert reader.get(filled(route)).status_code in (200, 204, 303)
    assert tree(reader.root) == before


@pytest.mark.parametrize("route", WORKING)
def test_what_shows_data_or_starts_work_is_not_there(reader: Browser, route: str) -> None:
    answer = reader.get(filled(route))
    assert answer.status_code == 404
    assert answer.text == "There is no such page.\n"


@pytest.mark.parametrize("route", [*CHANGING, "/", "/open", "/nowhere", "/p/census/result"])
def test_nothing_is_changed(reader: Browser, route: str) -> None:
    before = tree(reader.root)
    answer = reader.post(filled(route), name="mine", version="x", pick="original", path="people.csv")
    assert answer.status_code == 403
    assert "--readonly" in answer.text
    assert tree(reader.root) == before


def test_pages_offer_nothing_that_is_not_there(reader: Browser) -> None:
    for path in ("/", f"{P}/runs/0001/result", f"{P}/register", "/p/nobody"):
        text = reader.get(path).text
        assert "read only" in text
        assert "<form" not in text
        assert "people?" not in text
        assert "/runs/0001/people" not in text
        for step in ("files", "columns", "intruder", "run", "protect"):
            assert f'href="{P}/{step}"' not in text
    assert reader.get("/p/census").headers["location"] == f"{P}/result"


def test_documents_may_be_taken_away_and_nothing_else(reader: Browser) -> None:
    for name in ("report.html", "result.json"):
        assert reader.get(f"{P}/runs/0001/file/{name}").status_code == 200
    for name in ("people.parquet", "request.toml", "job.json", "progress.jsonl", "errors.txt"):
        assert reader.get(f"{P}/runs/0001/file/{name}").status_code == 404


def test_a_study_can_be_read_too(studied: Path) -> None:
    browser = Browser(studied, readonly=True)
    text = browser.get(f"{P}/runs/0001/result").text
    assert "noise:a=0.2" in text
    assert "Pick a protection" not in text


def test_no_process_is_started_and_no_run_is_done(reader: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    def started(*_: object, **__: object) -> None:
        raise AssertionError("a process was started")

    writer = Browser(reader.root)
    writer.post(f"{P}/register", label="waits")
    monkeypatch.setattr(subprocess, "Popen", started)
    with reader.http:  # from the start of the app to its end
        for route in READING:
            reader.get(filled(route))
        assert not reader.desk.jobs._thread.is_alive()
    looks = reader.desk.looks
    assert isinstance(looks, DirectLooks)
    assert looks.asked == []
    *_, waiting = reader.project("census").runs()
    assert waiting.state.value == "waiting"
