"""Files that are none: every one gives a sentence, and a way on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.served import Server, Window, serving, small_files, window

_LETTER = "Dear colleague,\n\nthank you for the file; I will look at it, perhaps tomorrow.\nYours\n"


@pytest.fixture(scope="module")
def server(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("files")
    small_files(folder)
    (folder / "letter.csv").write_text(_LETTER, encoding="utf-8")
    (folder / "empty.csv").touch()
    (folder / "broken.parquet").write_bytes(b"PAR1 and no more")
    (folder / "below").mkdir()
    (folder / "below" / "other.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    with serving(folder) as started:
        yield started


@pytest.fixture
def opened(browser: Any, server: Server, artefacts: Path) -> Iterator[Window]:
    with window(browser, server, artefacts) as shown:
        yield shown


def _project(opened: Window, name: str) -> Any:
    """A new project, by the form of the first page."""
    page = opened.go()
    page.get_by_label("Name of the project").fill(name)
    opened.press("Choose files")
    page.get_by_role("heading", name="Files", exact=True).wait_for()
    return page


def _pick(opened: Window, role: str, file: str) -> None:
    page = opened.page
    panel = page.locator(f"section[aria-labelledby={role}-title]")
    panel.get_by_role("link").first.click()
    page.get_by_role("button", name=file, exact=True).click()
    panel.get_by_text(file, exact=True).wait_for()


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        ("letter.csv", "column 2 of letter.csv has no name"),
        ("empty.csv", "empty.csv is empty"),
        ("broken.parquet", "broken.parquet cannot be read as a Parquet file"),
    ],
)
def test_a_file_that_is_no_table_is_told_and_another_one_can_be_chosen(
    opened: Window, file: str, sentence: str
) -> None:
    page = _project(opened, file.partition(".")[0])
    _pick(opened, "original", file)
    trouble = page.locator("#seen [role=alert]")
    trouble.wait_for()
    assert sentence in trouble.inner_text()
    assert "Hint: " in trouble.inner_text()
    opened.picture(f"bad-{file.partition('.')[0]}")
    # No step that needs the file breaks, and each leads back.
    for step in ("columns", "intruder"):
        opened.go(file.partition(".")[0], step)
        page.locator("#seen [role=alert]").wait_for()
        assert sentence in page.locator("#seen [role=alert]").inner_text()
    opened.follow("Try again")
    _pick(opened, "original", "original.csv")
    page.get_by_text("300 records, 14 columns").wait_for()


def test_a_file_that_vanished_is_told_and_found_again(opened: Window) -> None:
    folder = opened.server.folder
    page = _project(opened, "vanished")
    _pick(opened, "original", "original.csv")
    _pick(opened, "released", "released.csv")
    page.get_by_text("How the release came from the original").wait_for()
    (folder / "released.csv").rename(folder / "elsewhere.txt")
    page.reload()
    page.get_by_text("no file 'released.csv'").first.wait_for()
    opened.picture("bad-vanished")
    assert page.get_by_text("300 records, 14 columns").is_visible()  # the other one is there
    opened.go("vanished", "run")
    page.get_by_text("no file 'released.csv'").wait_for()
    (folder / "elsewhere.txt").rename(folder / "released.csv")
    opened.follow("Try again")
    page.get_by_text("How the release came from the original").wait_for()


def test_a_run_of_a_file_that_vanished_ends_with_a_sentence(opened: Window) -> None:
    folder = opened.server.folder
    page = _project(opened, "vanished-later")
    _pick(opened, "original", "original.csv")
    _pick(opened, "released", "released.csv")
    opened.go("vanished-later", "run")
    page.get_by_text("By the estimates").wait_for()
    (folder / "released.csv").rename(folder / "elsewhere.txt")
    opened.press("Start")
    page.get_by_text("It ended with an error:").wait_for()
    assert "no file 'released.csv'" in page.locator(".notes[role=alert]").inner_text()
    opened.picture("bad-run")
    (folder / "elsewhere.txt").rename(folder / "released.csv")
    assert page.get_by_role("button", name="Try again").is_visible()


def test_the_folder_can_be_walked_and_not_left(opened: Window) -> None:
    page = _project(opened, "walk")
    page.locator("section[aria-labelledby=original-title]").get_by_role("link").click()
    opened.follow("below/")
    page.get_by_role("button", name="other.csv").wait_for()
    opened.follow(".. (the folder above)")
    page.get_by_role("button", name="original.csv").wait_for()
    assert page.get_by_text("the folder above").count() == 0
    page.goto(f"{opened.base}/p/walk/files?pick=original&folder=..")
    page.get_by_text("that path leads out of the folder that is served").wait_for()
    assert "leads out" in opened.refused(404)
    opened.follow("Go back")
    page.get_by_role("heading", name="Files", exact=True).wait_for()


def test_a_name_that_cannot_be_is_told_beside_what_was_typed(opened: Window) -> None:
    page = _project(opened, "twice")
    opened.go()
    page.get_by_label("Name of the project").fill("twice")
    opened.press("Choose files")
    assert "'twice' is there already" in opened.refused()
    assert page.get_by_label("Name of the project").input_value() == "twice"
