"""Files: choosing them, how they are read, and requests that name files which lie elsewhere."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.web.client import Browser, DirectLooks, begun
from tests.web.test_pages import error_of
from unmask.assessment.request import Request, RequestFiles
from unmask.assessment.request_file import to_toml
from unmask.web.project import Project

P = "/p/census"


@pytest.fixture
def project(browser: Browser) -> Project:
    return begun(browser, "census", "people.csv", "released.csv")


def files_of(project: Project) -> RequestFiles:
    assert project.request is not None
    return project.request.files


def test_the_page_says_what_was_read_and_understood(browser: Browser, project: Project) -> None:
    text = browser.get(f"{P}/files").text
    assert "300 records, 14 columns" in text
    assert "How the release came from the original" in text
    assert "What happened to each attribute" in text
    part = browser.get(f"{P}/files", part="seen").text
    assert "300 records" in part
    assert "<html" not in part


def test_a_folder_is_browsed_to_choose_from(browser: Browser) -> None:
    browser.post("/new", name="census")
    text = browser.get(f"{P}/files", pick="original").text
    assert 'value="people.csv"' in text
    assert "folder=below" in text
    assert "request.toml" not in text
    below = browser.get(f"{P}/files", pick="original", folder="below").text
    assert 'value="below/other.csv"' in below
    assert "the folder above" in below
    assert "the folder above" not in browser.get(f"{P}/files").text
    for folder in ("..", "/", "nowhere", "people.csv"):
        assert browser.get(f"{P}/files", pick="original", folder=folder).status_code == 404


@pytest.mark.parametrize("role", ["original", "released"])
@pytest.mark.parametrize(
    "path", ["../people.csv", "/etc/passwd", "nowhere.csv", "below", "sqlite:///x", ".", "a\tb"]
)
def test_what_is_no_file_of_the_folder_is_refused(
    browser: Browser, project: Project, role: str, path: str
) -> None:
    before = project.version
    answer = browser.post(f"{P}/files", {"pick": role, "path": path})
    assert answer.status_code == 422
    error_of(answer)
    assert project.version == before


def test_a_project_has_an_original_first(browser: Browser) -> None:
    browser.post("/new", name="census")
    for fields in ({"pick": "original", "path": ""}, {"pick": "released", "path": "released.csv"}, {}):
        answer = browser.post(f"{P}/files", fields)
        assert answer.status_code == 422
        assert browser.project("census").request is None


def test_a_release_can_be_taken_back(browser: Browser, project: Project) -> None:
    assert browser.post(f"{P}/files", {"pick": "released", "path": ""}).status_code == 303
    assert files_of(project).released == ""
    assert "none yet" in browser.get(f"{P}/files").text


def test_a_name_may_have_blanks_at_its_ends(browser: Browser, project: Project) -> None:
    name = " two  blanks .csv"
    (browser.root / name).write_bytes((browser.root / "below" / "other.csv").read_bytes())
    assert f'value="{name}"' in browser.get(f"{P}/files", pick="original").text
    assert browser.post(f"{P}/files", {"pick": "original", "path": name}).status_code == 303
    assert files_of(project).original == name
    assert "50 records" in browser.get(f"{P}/files").text


@pytest.mark.parametrize(
    ("who", "truth", "synthetic"),
    [("auto", None, False), ("rows", "rows", False), ("key", "person", False), ("synthetic", None, True)],
)
def test_who_is_who_is_kept_and_shown(
    browser: Browser, project: Project, who: str, truth: str | None, synthetic: bool
) -> None:
    answer = browser.post(
        f"{P}/files", {"pick": "settings", "who": who, "key": "person", "encoding": "utf-8"}
    )
    assert answer.status_code == 303
    files = files_of(project)
    assert (files.truth, files.synthetic, files.options.encoding) == (truth, synthetic, "utf-8")
    text = browser.get(f"{P}/files").text
    assert text.count(" checked") == 1
    assert f'value="{who}" checked' in text
    assert 'name="encoding" size="10" value="utf-8"' in text


def test_a_tab_is_written_with_two_signs_and_stays_one(browser: Browser, project: Project) -> None:
    (browser.root / "tabs.csv").write_text("age\tsex\n31\tm\n42\tf\n")
    browser.post(f"{P}/files", {"pick": "original", "path": "tabs.csv"})
    for typed in ("\\t", "tab"):
        browser.post(f"{P}/files", {"pick": "settings", "who": "auto", "delimiter": typed})
        assert files_of(project).options.delimiter == "\t"
        assert 'name="delimiter" size="3" value="\\t"' in browser.get(f"{P}/files").text


def test_refused_settings_keep_what_was_typed(browser: Browser, project: Project) -> None:
    before = project.version
    fields = {
        "pick": "settings",
        "who": "key",
        "key": "",
        "delimiter": ";",
        "encoding": "latin-1",
        "table": "x",
    }
    answer = browser.post(f"{P}/files", fields)
    assert answer.status_code == 422
    assert "no column is named" in error_of(answer)
    assert 'value="key" checked' in answer.text
    for name in ("delimiter", "encoding", "table"):
        assert f'value="{fields[name]}"' in answer.text
    assert project.version == before


def test_a_file_that_cannot_be_read_says_why_in_one_line(browser: Browser) -> None:
    (browser.root / "broken.parquet").write_bytes(b"PAR1 nonsense")
    begun(browser, "census", "broken.parquet")
    for step in ("files", "columns", "intruder"):
        answer = browser.get(f"{P}/{step}")
        assert answer.status_code == 200
        assert "broken.parquet" in error_of(answer)
        assert "Traceback" not in answer.text
        assert "again=1" in answer.text


OUTSIDE = ("../secret.csv", "/etc/passwd", "sqlite:///secret.db", "postgresql://me@host/census::people")


@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize("part", ["original", "released", "schema", "population", "holdout"])
def test_a_request_that_names_a_file_elsewhere_shows_nothing_of_it(
    browser: Browser, project: Project, part: str, path: str
) -> None:
    """Anybody may have written the request of a folder: opening its pages reads nothing outside."""
    request = Request(replace(files_of(project), **{part: path}))
    (project.folder / "request.toml").write_text(to_toml(request))
    looks = browser.desk.looks
    assert isinstance(looks, DirectLooks)
    for step in ("files", "columns", "intruder", "run", "protect", "register"):
        answer = browser.get(f"{P}/{step}")
        assert answer.status_code in (200, 404)
    assert looks.asked == []
    for step in ("run", "protect", "columns", "register"):
        browser.post(f"{P}/{step}", verb="study", own="noise:a=1", then="start")
    for run in project.runs():  # a study has no use for most of them
        assert path not in (run.folder / "job.json").read_text()
        assert path not in (run.folder / "request.toml").read_text()


def test_a_request_with_a_model_runs_nothing_of_it(
    browser: Browser, project: Project, tmp_path: Path
) -> None:
    """A model can be a program: it is not read, whoever says that it can be trusted."""
    (browser.root / "model.pkl").write_bytes(b"cposix\nsystem\n(S'touch ran'\ntR.")
    request = Request(replace(files_of(project), model="model.pkl", trust_model=True))
    (project.folder / "request.toml").write_text(to_toml(request))
    for step in ("files", "run"):
        assert "command line" in error_of(browser.get(f"{P}/{step}"))
    assert browser.post(f"{P}/run").status_code == 422
    assert not (browser.root / "ran").exists()
    assert not project.runs()


def test_a_request_that_is_damaged_is_said_on_every_page(browser: Browser, project: Project) -> None:
    (project.folder / "request.toml").write_text("format = nonsense")
    home = browser.get("/")
    assert home.status_code == 200
    assert "not TOML" in home.text
    for step in ("files", "columns", "intruder", "run", "protect", "register"):
        assert browser.get(f"{P}/{step}").status_code == 404
        assert browser.post(f"{P}/{step}").status_code == 422


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_links_of_a_project_lead_nowhere(browser: Browser, project: Project, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "0001").mkdir(parents=True)
    (elsewhere / "0001" / "report.html").write_text("<main>secret</main>")
    (elsewhere / "0001" / "result.json").write_text("secret")
    (project.folder / "runs").symlink_to(elsewhere)
    assert browser.get(f"{P}/runs/0001/result").status_code == 404
    assert browser.get(f"{P}/runs/0001/file/report.html").status_code == 404
    (project.folder / "runs").unlink()
    (project.folder / "runs").mkdir()
    (project.folder / "runs" / "0001").symlink_to(elsewhere / "0001")
    assert browser.get(f"{P}/runs/0001/file/report.html").status_code == 404
    (project.folder / "runs" / "0002").mkdir()
    (project.folder / "runs" / "0002" / "report.html").symlink_to(elsewhere / "0001" / "report.html")
    assert browser.get(f"{P}/runs/0002/file/report.html").status_code == 404
    (browser.root / "linked").symlink_to(project.folder)
    assert browser.get("/p/linked/files").status_code == 404, "nor is a link a project"
