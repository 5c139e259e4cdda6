"""The whole way, from the bundled example to an entry in the register, by clicking.

It takes the pictures of the documentation too:

    UNMASK_PICTURES=docs/assets python -m pytest tests/browser/test_web_journey.py
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.served import Server, Window, serving
from tests.browser.small_png import write_small


@pytest.fixture(scope="module")
def server(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("office")) as started:
        yield started


class Journey(Window):
    """A window whose pictures go to the documentation as well, where it asks for them."""

    def __init__(self, browser: Any, server: Server, artefacts: Path) -> None:
        super().__init__(browser, server, artefacts)
        self._browser, named = browser, os.environ.get("UNMASK_PICTURES")
        self.documented = Path(named) if named else None

    def show(self, name: str) -> None:
        """A picture that the documentation shows."""
        self.picture(name)
        if self.documented is not None:
            # The folder of whoever reads it, and not that of the test.
            self.page.evaluate("document.querySelector('footer code').textContent = '/home/you/census'")
            write_small(self._browser, self.page.screenshot(), self.documented / f"web-{name}.png")

    def at(self, step: str) -> None:
        """Wait until the page of a step is there, and says so."""
        self.page.locator(".steps a[aria-current=step]", has_text=step).wait_for()
        self.page.wait_for_load_state()


def test_from_two_files_to_a_decision(browser: Any, server: Server, artefacts: Path) -> None:
    journey = Journey(browser, server, artefacts)
    try:
        for step in (files, columns, intruder, run, result, rows_at_risk, sign, study, release, register):
            step(journey)
    finally:
        journey.picture("last")
    journey.close()


def files(journey: Journey) -> None:
    page = journey.page
    journey.picture("home")
    journey.press("Open the example")
    journey.at("Files")
    assert page.url.endswith("/p/example/files")
    # What is read appears by itself.
    page.get_by_text("5,000 records, 14 columns").wait_for()
    page.get_by_text("Row i of one file is row i of the other").wait_for()
    page.get_by_role("rowheader", name="income").wait_for()
    journey.show("files")
    journey.follow("Next: columns")


def columns(journey: Journey) -> None:
    page = journey.page
    journey.at("Columns")
    page.get_by_label("Kind of education").wait_for()
    assert page.get_by_label("Kind of education").input_value() == "ordinal"
    assert page.get_by_label("Role of diagnosis").input_value() == "confidential"
    assert page.locator(".columns-table .sketch").count() == 14
    journey.show("columns")
    journey.press("Keep, and go on to the intruder")


def intruder(journey: Journey) -> None:
    page = journey.page
    journey.at("Intruder")
    journey.follow("A neighbour")
    page.locator(".chosen", has_text="A neighbour").wait_for()
    ticked = page.locator("input[name=known]:checked")
    assert [box.get_attribute("value") for box in ticked.all()] == ["region", "sex", "age", "rent"]
    journey.show("intruder")
    page.get_by_label("education").check()
    page.get_by_label("income").check()
    page.get_by_label("rent").uncheck()
    journey.press("Keep")
    page.wait_for_load_state()
    known = [box.get_attribute("value") for box in ticked.all()]
    assert known == ["region", "sex", "age", "education", "income"]
    journey.press("Keep, and go on to the run")


def run(journey: Journey) -> None:
    page = journey.page
    journey.at("Run")
    page.get_by_text("By the estimates, about").wait_for()
    page.get_by_label("Who assesses it").fill("A. Officer")
    page.get_by_label("For whom it is meant").fill("researchers under contract")
    if not journey.documented:
        page.get_by_label("seconds", exact=True).fill("5")
    journey.picture("run-before")
    journey.press("Start")
    # Lines appear while it is at work, by themselves, in the words of the report.
    page.get_by_role("row", name="distance-based linkage dbrl").wait_for()
    assert page.get_by_role("button", name="Cancel").is_visible()
    assert page.get_by_role("heading", name="So far").is_visible()
    journey.show("run")
    page.wait_for_url("**/runs/0001/result")


def result(journey: Journey) -> None:
    page = journey.page
    journey.at("Result")
    assert "Of the 5,000 people in the release" in page.locator(".headline").first.inner_text()
    assert page.locator(".card").count() >= 4
    journey.show("result")
    assert page.locator("#attacks").is_hidden()
    page.locator(".contents a", has_text="Attack by attack").click()
    page.locator("#attacks").wait_for(state="visible")
    chart = page.locator("#chapter-attacks .chart").first
    chart.scroll_into_view_if_needed()
    chart.locator(".chart-wrapper[role=img]").wait_for()
    assert chart.locator(".mark-symbol path, .mark-rect path, .mark-rule line").count() > 3
    journey.picture("chapter")


def rows_at_risk(journey: Journey) -> None:
    page = journey.page
    journey.follow("The rows at risk")
    everybody = _count(page)
    page.get_by_label("By", exact=True).select_option("dbrl")
    page.get_by_label("from belief").fill("0.95")
    journey.press("Show")
    page.wait_for_url("**by=dbrl*")
    assert 0 < _count(page) < everybody
    journey.show("people")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download them all").click()
    rows = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert len(rows) == _count(page) + 1
    journey.follow("Back to the result")
    journey.at("Result")


def _count(page: Any) -> int:
    return int(page.locator("p[role=status] strong").inner_text().replace(",", ""))


def sign(journey: Journey) -> None:
    page = journey.page
    page.get_by_label("Who decides").fill("B. Director")
    page.get_by_label("The decision, in words").fill("Not in this form.")
    journey.press("Write the record")
    journey.follow("Look at the result")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record of the decision", exact=True).click()
    assert "Not in this form." in Path(download.value.path()).read_text(encoding="utf-8")


def study(journey: Journey) -> None:
    page = journey.page
    # What follows is assessed by one attack: it is not the point here.
    journey.follow("Run")
    journey.at("Run")
    page.evaluate(_ONLY, ["attack", "dbrl"])
    page.evaluate(_ONLY, ["measure", "reidentification"])
    journey.press("Keep without starting")
    page.wait_for_load_state()
    assert page.get_by_label("Only those that are ticked below").is_checked()
    journey.follow("Protect")
    journey.at("Protect")
    for box in page.locator("input[name=tick]").all():
        box.uncheck()
    page.get_by_label("independent noise, with its strengths").fill("noise:a={0.25,1}")
    assert page.locator("input[name=tick]:checked").count() == 1  # who fills it in wants it
    page.get_by_label("Draws of each mask").fill("1")
    page.get_by_label("People tried in each").fill("200")
    journey.picture("protect-before")
    journey.press("Compare the ticked masks")
    page.wait_for_url("**/runs/*/result")
    journey.follow("Pick a protection")
    journey.at("Protect")


#: Open what folds, and tick one box of a name.
_ONLY = """([name, kept]) => {
  for (const box of document.querySelectorAll(`input[name=${name}]`)) {
    box.closest("details").open = true;
    if (box.checked !== (box.value === kept)) box.click();
  }
}"""


def release(journey: Journey) -> None:
    page = journey.page
    chart = page.locator("#chart-map")
    chart.scroll_into_view_if_needed()
    chart.locator(".chart-wrapper[role=img]").wait_for()
    assert chart.locator(".mark-symbol path").count() >= 2
    page.evaluate("document.querySelector('#chart-map').closest('section, figure').scrollIntoView()")
    journey.show("protect")
    page.get_by_role("radio", name="noise:a=1", exact=True).check()
    page.evaluate("scrollTo(0, 0)")
    journey.picture("pick")
    journey.press("Write it, and assess it")
    page.wait_for_url("**/runs/*/result")
    assert "original-protected.csv" in page.locator(".facts-of-file").inner_text()
    assert (journey.server.folder / "example" / "original-protected.csv").is_file()
    journey.picture("result-of-protected")


def register(journey: Journey) -> None:
    page = journey.page
    journey.follow("or record that it goes out")
    page.get_by_label("A name for the release").fill("Census 2026, for researchers")
    page.get_by_label("What else to remember").fill("agreed with the data protection officer")
    journey.press("Record it")
    journey.follow("Look at the register")
    journey.follow("Census 2026, for researchers")
    page.get_by_text("agreed with the data protection officer").wait_for()
    page.get_by_text("noise:a=1").first.wait_for()
    assert page.get_by_role("row", name="Census 2026").get_by_text("5,000").is_visible()
    journey.show("register")
    journey.follow("unmask")
    row = page.get_by_role("row", name="example")
    assert row.get_by_role("cell").all_inner_texts()[:2] == [
        "example/original.csv",
        "example/original-protected.csv",
    ]
