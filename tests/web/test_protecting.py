"""Protect: masks to compare, a search, the release of a candidate, and what pages do not run."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import polars as pl
import pytest

from tests.web.client import Browser, begun, done
from tests.web.conftest import at_copy
from tests.web.test_pages import error_of
from unmask.assessment.request import Request, Verb
from unmask.assessment.request_file import from_toml
from unmask.web.pages.offered import OFFERED
from unmask.web.project import Project
from unmask.web.run import RunState

P = "/p/census"


@pytest.fixture
def project(browser: Browser) -> Project:
    return begun(browser, "census", "people.csv", "released.csv")


@pytest.fixture
def student(studied: Path, tmp_path: Path) -> Browser:
    """A browser at a copy of the folder with a study."""
    return at_copy(studied, tmp_path)


def asked(project: Project) -> Request:
    assert project.protection is not None
    return project.protection


def test_what_is_ticked_and_written_is_compared(browser: Browser, project: Project) -> None:
    fields = {
        "verb": "study",
        "tick": ["0", "2", "99"],
        "mask-0": "noise:a={0.2,0.4}",
        "mask-1": "cart",
        "mask-2": OFFERED[2],
        "own": "noise:a=0.1 then pram:p=0.9\r\n\r\nnoise:a={0.2,0.4}\r\n",
        "policy": "cell-size-5",
        "replicates": "2",
        "sample": "50",
    }
    answer = browser.post(f"{P}/protect", fields)
    (run,) = project.runs()
    assert answer.headers["location"] == f"{P}/runs/{run.name}"
    request = asked(project)
    assert request.verb is Verb.STUDY
    assert request.masks == ("noise:a={0.2,0.4}", OFFERED[2], "noise:a=0.1 then pram:p=0.9")
    assert (request.policy, request.replicates, request.sample) == ("cell-size-5", 2, 50)
    assert request.files.released == ""
    assert run.request == request
    (step,) = run.job["steps"]
    assert step[:2] == ["run", "census/runs/0001/request.toml"]
    assert "-o" not in step
    text = browser.get(f"{P}/protect").text
    assert 'value="noise:a={0.2,0.4}"' in text
    assert ">noise:a=0.1 then pram:p=0.9</textarea>" in text
    command, toml, python = (unescape(one) for one in re.findall(r"<pre[^>]*>(.*?)</pre>", text, re.S))
    assert command.startswith("unmask study people.csv")
    assert from_toml(toml) == request.recorded()
    assert "import unmask" in python


def test_a_search_writes_a_file_that_is_not_there_yet(browser: Browser, project: Project) -> None:
    fields = {
        "verb": "protect",
        "policy": "cell-size-5",
        "output": "protected.csv",
        "tick": "0",
        "mask-0": "cart",
    }
    assert browser.post(f"{P}/protect", fields).status_code == 303
    request = asked(project)
    assert (request.verb, request.masks) == (Verb.PROTECT, ()), "all lines, where not only the ticked are"
    assert browser.post(f"{P}/protect", {**fields, "lines": "ticked"}).status_code == 303
    assert asked(project).masks == ("cart",)
    *_, run = project.runs()
    assert run.output == "protected.csv"
    assert run.job["steps"][0][-2:] == ["-o", "protected.csv"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "no mask is ticked"),
        ({"own": "nonsense"}, "nonsense"),
        ({"own": "noise:a={1..}"}, "range"),
        ({"own": "noise:a={0..1..0.0000001}"}, "more than"),
        ({"own": "exec:touch {original} {released}"}, "command line"),
        ({"own": "noise:a=1\r\nnoise:a=1 then exec:touch {original} {released}"}, "command line"),
        ({"own": "noise:a=1 then\texec:touch {original} {released}"}, "command line"),
        ({"own": " exec : touch {original} {released}"}, ""),
        ({"own": "{exec,noise}:touch {original} {released}"}, "command line"),
        ({"own": "function:f"}, ""),
        ({"own": "noise:a=1", "replicates": "0"}, "at least once"),
        ({"own": "noise:a=1", "replicates": "many"}, "no whole number"),
        ({"own": "noise:a=1", "replicates": "9" * 5000}, "no whole number"),
        ({"own": "noise:a=1", "sample": "-1"}, "no whole number"),
        ({"own": "noise:a=1", "policy": "../x.toml"}, "leads out"),
        ({"own": "noise:a=1", "least": "nonsense"}, "nonsense"),
        ({"verb": "protect", "output": "p.csv"}, "policy"),
        ({"verb": "protect", "output": "../p.csv", "policy": "cell-size-5"}, "leads out"),
        ({"verb": "protect", "output": "/tmp/p.csv", "policy": "cell-size-5"}, "leads out"),
        ({"verb": "protect", "output": "people.csv", "policy": "cell-size-5"}, "there already"),
        ({"verb": "protect", "output": "p.docx", "policy": "cell-size-5"}, "suffix"),
        ({"verb": "protect", "output": "nowhere/p.csv", "policy": "cell-size-5"}, "no folder"),
        ({"verb": "protect", "output": "census", "policy": "cell-size-5"}, "there already"),
    ],
)
def test_what_cannot_be_tried_is_refused_and_stays_in_the_form(
    browser: Browser, project: Project, fields: dict[str, str], said: str
) -> None:
    before = project.version
    answer = browser.post(f"{P}/protect", {"verb": "study", "replicates": "3", **fields})
    assert answer.status_code == 422
    assert said in error_of(answer)
    assert (project.version, project.runs()) == (before, [])
    own = fields.get("own", "").strip().replace("\r\n", "\n").replace("\t", "\\t")
    assert f">{own}</textarea>" in unescape(answer.text)
    for name in ("replicates", "sample"):
        assert f'value="{fields.get(name, "3" if name == "replicates" else "")}"' in answer.text
    if "output" in fields:
        assert f'value="{fields["output"]}"' in answer.text


def test_a_name_for_the_release_is_not_taken(browser: Browser, project: Project) -> None:
    assert 'value="people-protected.csv"' in browser.get(f"{P}/protect").text
    (browser.root / "people-protected.csv").touch()
    assert 'value="people-protected-2.csv"' in browser.get(f"{P}/protect").text


def test_the_candidates_of_a_study_can_be_picked(student: Browser) -> None:
    text = student.get(f"{P}/protect").text
    assert 'name="candidate" value="noise:a=0.2"' in text
    assert 'name="candidate" value="noise:a=1"' in text
    assert student.get(f"{P}/runs/0001").headers["location"].endswith("/runs/0001/result")


def test_a_candidate_is_written_and_assessed(student: Browser) -> None:
    project = student.project("census")
    fields = {"candidate": "noise:a=1", "output": "chosen.parquet"}
    answer = student.post(f"{P}/protect/release", fields)
    assert answer.status_code == 303
    *_, run = project.runs()
    making, assessing = run.job["steps"]
    assert making == ["run", "census/runs/0002/mask.toml", "-o", "chosen.parquet"]
    assert assessing[:2] == ["run", "census/runs/0002/request.toml"]
    assert project.request is not None
    assert project.request.files.released == "chosen.parquet", "it is the release of the project now"
    quick = from_toml((run.folder / "request.toml").read_text())
    from dataclasses import replace

    from unmask.assessment.request_file import to_toml

    quick = replace(quick, attacks=("guess", "dbrl"), measures=("reidentification",))
    (run.folder / "request.toml").write_text(to_toml(quick))
    done(student, answer)
    assert run.state is RunState.DONE, run.outcome
    assert pl.read_parquet(student.root / "chosen.parquet").height == 300
    assert "rows at risk" in student.get(f"{P}/runs/0002/result").text


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"candidate": "noise:a=0.3"}, "no protection of this study"),
        ({"candidate": ""}, "no protection of this study"),
        ({"candidate": "exec:touch {original} {released}"}, "no protection of this study"),
        ({"candidate": "noise:a=1", "output": "people.csv"}, "there already"),
        ({"candidate": "noise:a=1", "output": ""}, "there already, or is no name"),
        ({"candidate": "noise:a=1", "output": "../x.csv"}, "leads out"),
    ],
)
def test_what_is_no_candidate_is_not_written(student: Browser, fields: dict[str, str], said: str) -> None:
    project = student.project("census")
    before = project.version
    answer = student.post(f"{P}/protect/release", {"output": "new.csv", **fields})
    assert answer.status_code == 422
    assert said in error_of(answer)
    assert (project.version, len(project.runs())) == (before, 1)


def test_a_study_of_another_original_gives_no_release(student: Browser) -> None:
    """It would be the release of a file, assessed against another."""
    student.post(f"{P}/files", {"pick": "original", "path": "below/other.csv"})
    answer = student.post(f"{P}/protect/release", {"candidate": "noise:a=1", "output": "new.csv"})
    assert answer.status_code == 422
    assert "another original" in error_of(answer)
    assert len(student.project("census").runs()) == 1


def test_there_is_no_release_before_a_study(browser: Browser, project: Project) -> None:
    answer = browser.post(f"{P}/protect/release", {"candidate": "noise:a=1", "output": "new.csv"})
    assert answer.status_code == 422
    assert "there is no study yet" in error_of(answer)


def test_a_study_without_its_report_does_not_end_the_page(student: Browser) -> None:
    """It may be ended between the two files that it writes last."""
    run = student.project("census").run("0001")
    (run.folder / "report.html").unlink()
    answer = student.get(f"{P}/protect")
    assert answer.status_code == 200
    assert "Compare the ticked masks" in answer.text
