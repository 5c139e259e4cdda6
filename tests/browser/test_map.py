"""The map of a study: what it shows is chosen by key, and said in words where it is no longer the front."""

from __future__ import annotations

from typing import Any

from tests.browser.conftest import Open
from tests.browser.opened import WIDE

#: What is written in the map, and whether the line of the front can be seen.
_TEXTS = "[...document.querySelectorAll('#chart-map text')].map(text => text.textContent)"
_LINE = (
    "[...document.querySelectorAll('#chart-map .mark-line path')].map(path => path.getAttribute('opacity'))"
)


def shown(opened: Open, **options: Any) -> Any:
    page = opened("study", viewport=WIDE, **options).page
    page.locator("#chart-map").scroll_into_view_if_needed()
    page.locator("#chart-map .chart-wrapper[role=img]").wait_for()
    return page


def choose(page: Any, label: str, times: int) -> str:
    """Choose by key what stands so many places further down; what is then chosen."""
    select = page.locator("#choices-map").get_by_label(label)
    select.focus()
    for _ in range(times):
        page.keyboard.press("ArrowDown")
    page.wait_for_timeout(200)
    return str(select.evaluate("select => select.selectedOptions[0].textContent"))


def test_keys_choose_the_loss_the_risk_and_the_intruder(opened: Open) -> None:
    page = shown(opened)
    before = page.evaluate(_TEXTS)
    assert {"total variation", "share of people found by the attack that finds most", "60%"} <= set(before)
    assert set(page.evaluate(_LINE)) == {"0.9"}
    assert choose(page, "Loss across", 1) == "mean change of numbers"
    assert "mean change of numbers" in page.evaluate(_TEXTS)
    assert set(page.evaluate(_LINE)) == {"0"}  # the front is known for the leading pair only
    assert choose(page, "Risk upwards", 2) == "prl"
    assert "share of people found by prl" in page.evaluate(_TEXTS)
    assert choose(page, "Intruder", 1) == "knows 2 of 1000 people"
    assert choose(page, "Risks shown up to", 2) == "20%"
    assert "15%" in page.evaluate(_TEXTS)


def test_choices_stand_outside_of_what_is_an_image(opened: Open) -> None:
    page = shown(opened)
    assert page.locator("#choices-map select").count() == 4
    assert page.locator("[role=img] select").count() == 0


def test_without_scripts_there_is_nothing_to_choose_and_a_still_image(opened: Open) -> None:
    page = opened("study", viewport=WIDE, java_script_enabled=False).page
    assert page.locator("#choices-map").is_hidden()
    assert page.locator("#chart-map svg").is_visible()
    assert page.get_by_text("share of people found by the attack that finds most").first.is_visible()


def test_a_tooltip_says_what_a_mask_leaves_and_costs(opened: Open) -> None:
    page = shown(opened)
    page.locator("#chart-map .mark-symbol.role-mark path").last.hover()
    tip = page.locator("#vg-tooltip-element.visible")
    tip.wait_for()
    for part in ("mask", "risk", "loss", "finds most", "score", "policy", "front"):
        assert tip.locator(".key", has_text=part).count() >= 1
