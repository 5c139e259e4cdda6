"""People: the rows behind a number, filtered, sorted and page by page; and what may be taken away."""

from __future__ import annotations

import io
import re
import shutil
from pathlib import Path

import polars as pl
import pytest

from tests.web.client import Browser
from tests.web.test_pages import error_of
from unmask.web.pages import people
from unmask.web.run import RunFolder

P = "/p/census/runs/0001"


@pytest.fixture
def table(assessed: Path) -> pl.DataFrame:
    """What is known of each person, as the command line writes it."""
    return pl.read_parquet(assessed / "census" / "runs" / "0001" / "people.parquet", glob=False)


@pytest.fixture
def browser(assessed: Path) -> Browser:
    """A browser at the folder itself, in which these pages change nothing."""
    return Browser(assessed)


def listed(text: str) -> list[tuple[int, str]]:
    """The rows and beliefs of a page."""
    found = re.findall(r'<th scope="row" class="number">([\d,]+)</th><td class="number">([\d.]+%)</td>', text)
    return [(int(row.replace(",", "")), belief) for row, belief in found]


def total(text: str) -> int:
    found = re.search(r"<strong>([\d,]+)</strong> (?:people|person)", text)
    assert found is not None
    return int(found[1].replace(",", ""))


def expected(table: pl.DataFrame, by: str, least: float, reason: str = "") -> list[int]:
    """The rows that fit, by a second way: those believed in most first, then in the order of the file."""
    rows = [
        (-row[by], row["row"])
        for row in table.iter_rows(named=True)
        if row[by] is not None and row[by] >= least and reason in (row["why"] or "")
    ]
    return [number + 1 for _, number in sorted(rows)]


@pytest.mark.parametrize("by", ["", "dbrl", "rbrl-max"])
@pytest.mark.parametrize("least", ["", "0", "0.25", "1"])
def test_people_are_those_of_the_table(browser: Browser, table: pl.DataFrame, by: str, least: str) -> None:
    column = f"{by}_belief" if by else "highest_belief"
    rows = expected(table, column, float(least or 0.5))
    text = browser.get(f"{P}/people", by=by, least=least).text
    assert total(text) == len(rows)
    assert [row for row, _ in listed(text)] == rows[: people.ON_A_PAGE]


def test_pages_follow_each_other_without_a_gap(browser: Browser, table: pl.DataFrame) -> None:
    rows = expected(table, "highest_belief", 0.0)
    seen: list[int] = []
    for page in range(1, 7):
        text = browser.get(f"{P}/people", least="0", page=str(page)).text
        seen += [row for row, _ in listed(text)]
        assert ("page=" in text.partition("aria-label")[2]) == (len(rows) > people.ON_A_PAGE)
        assert (">Next</a>" in text) == (page < 6)
        assert (">Before</a>" in text) == (page > 1)
    assert seen == rows
    assert listed(browser.get(f"{P}/people", least="0", page="7").text) == []


def test_people_are_found_by_a_reason(browser: Browser, table: pl.DataFrame) -> None:
    reason = next(str(why).partition(";")[0] for why in table["why"] if why)
    rows = expected(table, "highest_belief", 0.0, reason)
    text = browser.get(f"{P}/people", least="0", reason=reason).text
    assert 0 < total(text) == len(rows)
    assert total(browser.get(f"{P}/people", least="0", reason="nobody (has) this.*").text) == 0
    assert total(browser.get(f"{P}/people", least="0", reason="(").text) >= 0


@pytest.mark.parametrize(
    "query",
    [
        {"least": "x"},
        {"least": "nan"},
        {"least": "2"},
        {"least": "-1"},
        {"page": "0"},
        {"page": "x"},
        {"page": "9" * 400},
        {"page": "9" * 5000},
        {"by": "nonsense"},
        {"by": "guess"},
        {"by": "highest"},
    ],
)
def test_a_wish_that_cannot_be_is_refused_in_one_line(browser: Browser, query: dict[str, str]) -> None:
    for path in ("people", "people.csv"):
        answer = browser.get(f"{P}/{path}", **query)
        assert answer.status_code == 404
        error_of(answer)


def test_all_of_them_are_taken_away_as_a_table(browser: Browser, table: pl.DataFrame) -> None:
    answer = browser.get(f"{P}/people.csv", by="dbrl", least="0.5")
    assert answer.headers["content-type"].startswith("text/csv")
    assert "unmask-people-0001.csv" in answer.headers["content-disposition"]
    found = pl.read_csv(io.BytesIO(answer.content), infer_schema_length=None)
    assert found["person"].to_list() == expected(table, "dbrl_belief", 0.5)
    assert set(found.columns) == {*table.columns, "person"}


def test_no_value_of_a_record_is_in_the_list(browser: Browser, assessed: Path) -> None:
    original = pl.read_csv(assessed / "people.csv")
    values = {str(value) for name in ("person", "household", "income", "rent") for value in original[name]}
    text = browser.get(f"{P}/people.csv", least="0").text + browser.get(f"{P}/people", least="0").text
    words = set(re.findall(r"[A-Za-z0-9.]+", text))
    found = {value for value in values & words if len(value.removesuffix(".0")) > 4}
    assert not found


def test_a_folder_whose_name_is_a_pattern_is_a_folder(assessed: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(assessed, tmp_path / "census[2026]*")
    browser = Browser(folder)
    assert browser.get(f"{P}/people", least="0").status_code == 200
    assert browser.get(f"{P}/result").status_code == 200


def test_a_run_without_people_or_with_a_damaged_list_says_so(reader: Browser) -> None:
    run = reader.project("census").run("0001")
    (run.folder / "people.parquet").write_bytes(b"PAR1 nonsense")
    for path in (f"{P}/people", f"{P}/people.csv", f"{P}/result"):
        answer = reader.get(path)
        assert answer.status_code == 404
        assert "damaged" in error_of(answer)
    (run.folder / "people.parquet").unlink()
    assert "says nothing of single people" in error_of(reader.get(f"{P}/people"))
    assert reader.get(f"{P}/result").status_code == 200


def test_documents_are_taken_away_as_they_are(browser: Browser, assessed: Path) -> None:
    for name, kind in (("report.html", "text/html"), ("result.json", "application/json")):
        answer = browser.get(f"{P}/file/{name}")
        assert answer.headers["content-type"].startswith(kind)
        assert f"unmask-{name}" in answer.headers["content-disposition"]
        assert answer.content == (assessed / "census" / "runs" / "0001" / name).read_bytes()
    assert browser.get(f"{P}/file/decision.html").status_code == 404, "nobody decided yet"


@pytest.mark.parametrize(
    "written",
    [
        b"",
        b"null",
        b"[]",
        b'{"code": "x"}',
        b'{"code": 0}',
        b"\xff\xfe",
        b'{"code": 2, "message": null, "seconds": "long"}',
    ],
)
def test_a_damaged_file_of_a_run_stops_no_page(reader: Browser, written: bytes) -> None:
    run = reader.project("census").run("0001")
    (run.folder / "outcome.json").write_bytes(written)
    (run.folder / "progress.jsonl").write_bytes(
        written + b'\n{"event": "tell"}\n{"event": "advance", "total": 1}\n'
    )
    (run.folder / "job.json").write_bytes(written)
    for path in ("/", "/p/census/run", f"{P}?stay=1", f"{P}?part=seen", f"{P}/result", "/p/census/register"):
        assert reader.get(path).status_code == 200
    assert RunFolder(run.folder).outcome is None
