"""Deciding: the record of a decision that somebody signs, and the register of what went out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.client import Browser, begun, done
from tests.web.conftest import at_copy
from tests.web.test_pages import error_of
from unmask.ledger import entries
from unmask.web.run import RunFolder, RunState

P = "/p/census"


@pytest.fixture(scope="module")
def recorded(assessed: Path, tmp_path_factory: pytest.TempPathFactory) -> Browser:
    """A folder whose assessment was signed, and whose release was recorded with it."""
    browser = at_copy(assessed, tmp_path_factory.mktemp("recorded"))
    said = {"name": "A. <Nobody>", "decision": "--help\r\nnot to be released"}
    done(browser, browser.post(f"{P}/runs/0001/sign", said))
    noted = {"label": "--first <release>", "note": "for 'researchers'", "assessment": "yes"}
    done(browser, browser.post(f"{P}/register", noted))
    return browser


def state(browser: Browser, number: str) -> tuple[RunFolder, RunState]:
    run = browser.project("census").run(number)
    return run, run.state


def test_a_decision_is_signed_in_words(recorded: Browser) -> None:
    run, how = state(recorded, "0002")
    assert (run.verb, how) == ("sign", RunState.DONE), run.outcome
    record = recorded.get(f"{P}/runs/0001/file/decision.html")
    assert record.status_code == 200
    assert "A. &lt;Nobody&gt;" in record.text
    assert "not to be released" in record.text
    assert f"{P}/runs/0001/file/decision.html" in recorded.get(f"{P}/runs/0001/result").text
    followed = recorded.get(f"{P}/runs/0002")
    assert followed.status_code == 200
    assert "Done in" in followed.text


def test_a_release_is_recorded_with_its_assessment(recorded: Browser) -> None:
    run, how = state(recorded, "0003")
    assert (run.verb, how) == ("register", RunState.DONE), run.outcome
    (entry,) = entries(recorded.root / "releases.db")
    assert (entry.label, entry.note) == ("--first <release>", "for 'researchers'")
    assert entry.assessment is not None
    text = recorded.get(f"{P}/register").text
    assert "--first &lt;release&gt;" in text
    assert "not assessed" not in text
    chosen = recorded.get(f"{P}/register", entry="1").text
    assert entry.sha256 in chosen
    assert "for &#39;researchers&#39;" in chosen
    for strange in ("2", "x", "-1", "1 or 1=1"):
        assert entry.sha256 not in recorded.get(f"{P}/register", entry=strange).text


def test_the_register_is_for_all_projects_of_the_folder(recorded: Browser) -> None:
    recorded.post("/new", name="another")
    assert "--first &lt;release&gt;" in recorded.get("/p/another/register").text
    assert "Record it" not in recorded.get("/p/another/register").text, "it has no release"


def test_nobody_signs_without_a_name(reader: Browser) -> None:
    answer = reader.post(f"{P}/runs/0001/sign", decision="yes")
    assert answer.status_code == 422
    assert "no name" in error_of(answer)
    assert len(reader.project("census").runs()) == 1


def test_only_an_assessment_is_signed(reader: Browser, studied: Path, tmp_path: Path) -> None:
    study = Browser(studied)
    answer = study.post(f"{P}/runs/0001/sign", name="A. Nobody")
    assert answer.status_code == 422
    assert "only an assessment" in error_of(answer)
    assert reader.post(f"{P}/runs/0007/sign", name="A. Nobody").status_code == 422


def test_there_is_nothing_to_record_before_a_release(browser: Browser) -> None:
    begun(browser, "census", "people.csv")
    answer = browser.post(f"{P}/register", label="kept", note="kept too")
    assert answer.status_code == 422
    assert "no release to record" in error_of(answer)
    assert not browser.project("census").runs()


def test_a_release_that_was_not_assessed_is_recorded_without(browser: Browser) -> None:
    begun(browser, "census", "people.csv", "released.csv")
    assert "not assessed yet" in browser.get(f"{P}/register").text
    assert browser.post(f"{P}/register", label="", assessment="yes").status_code == 303
    (run,) = browser.project("census").runs()
    (step,) = run.job["steps"]
    assert step[:4] == ["ledger", "add", "releases.db", "./released.csv"]
    assert "--label=released.csv" in step
    assert "--assessment" not in step


def test_the_assessment_of_another_release_is_not_recorded_with_this_one(reader: Browser) -> None:
    reader.post(f"{P}/files", {"pick": "released", "path": "below/other.csv"})
    reader.post(f"{P}/register", label="", assessment="yes")
    *_, run = reader.project("census").runs()
    assert "--assessment" not in run.job["steps"][0]


def test_a_damaged_register_is_said_in_one_line(reader: Browser) -> None:
    (reader.root / "releases.db").write_bytes(b"no database at all, but long enough to be taken for one" * 20)
    answer = reader.get(f"{P}/register")
    assert answer.status_code == 404
    assert "releases.db" in error_of(answer)


def test_a_text_that_no_command_can_hold_is_refused_in_one_line(reader: Browser) -> None:
    run = done(reader, reader.post(f"{P}/register", note="x" * 300_000))
    assert run.state is RunState.FAILED
    assert run.outcome is not None
    assert "cannot be started" in run.outcome.message
    assert "\n" not in run.outcome.message
