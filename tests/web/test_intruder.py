"""Intruder: presets in words, what a form says in detail, and what no intruder can be."""

from __future__ import annotations

import re

import pytest

from tests.web.client import Browser, begun
from tests.web.test_pages import error_of
from unmask.intruder.presets import PRESETS
from unmask.intruder.scenario import Scenario
from unmask.web.project import Project

P = "/p/census"


@pytest.fixture
def project(browser: Browser) -> Project:
    return begun(browser, "census", "people.csv", "released.csv")


def scenario(project: Project) -> Scenario:
    assert project.request is not None
    return project.request.scenario


def ticked(text: str) -> list[str]:
    return re.findall(r'name="known" value="([^"]*)" checked', text)


def filled(text: str, name: str) -> str:
    found = re.search(rf'name="{name}"[^>]* value="([^"]*)"', text)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_shown_then_kept_then_recognised(browser: Browser, project: Project, name: str) -> None:
    before = project.version
    text = browser.get(f"{P}/intruder", preset=name).text
    assert project.version == before, "looking at one keeps nothing"
    assert f'?preset={name}" aria-current="true"' in text
    known, targets, error = ticked(text), filled(text, "targets"), filled(text, "error")
    assert known
    fields = {"known": known, "targets": targets, "error": error, "then": "run"}
    assert browser.post(f"{P}/intruder", fields).headers["location"] == f"{P}/run"
    kept = scenario(project)
    assert (kept.targets, kept.error) == (PRESETS[name].targets, PRESETS[name].error)
    again = browser.get(f"{P}/intruder").text
    assert ticked(again) == known
    assert f'?preset={name}" aria-current="true"' in again
    assert again.count('aria-current="true"') == 1


def test_the_first_intruder_is_the_one_who_holds_all(browser: Browser, project: Project) -> None:
    text = browser.get(f"{P}/intruder").text
    assert '?preset=owner" aria-current="true"' in text
    assert "diagnosis" not in ticked(text)
    assert 'value="diagnosis"' in text, "who knows more can be said"
    assert 'value="person"' not in text


def test_an_own_intruder_is_none_of_the_presets(browser: Browser, project: Project) -> None:
    fields = {"known": ["age", "diagnosis"], "targets": "25%", "error": "0.2", "mechanism": "noise:a=0.5"}
    assert browser.post(f"{P}/intruder", fields).headers["location"] == f"{P}/intruder"
    kept = scenario(project)
    assert (kept.known, kept.targets, kept.error) == (("age", "diagnosis"), 0.25, 0.2)
    assert project.request is not None
    assert project.request.mechanism == "noise:a=0.5"
    text = browser.get(f"{P}/intruder").text
    assert ticked(text) == ["age", "diagnosis"]
    assert (filled(text, "targets"), filled(text, "error")) == ("25%", "0.2")
    assert filled(text, "mechanism") == "noise:a=0.5"
    assert 'aria-current="true"' not in text


@pytest.mark.parametrize(
    ("typed", "kept", "shown"),
    [
        ("", None, ""),
        ("100%", None, ""),
        ("10%", 0.1, "10%"),
        ("0.5", 0.5, "50%"),
        ("40", 40, "40"),
        ("1", 1, "1"),
    ],
)
def test_so_many_people(
    browser: Browser, project: Project, typed: str, kept: float | None, shown: str
) -> None:
    assert browser.post(f"{P}/intruder", {"known": ["age"], "targets": typed}).status_code == 303
    assert scenario(project).targets == kept
    assert filled(browser.get(f"{P}/intruder").text, "targets") == shown


@pytest.mark.parametrize(
    "fields",
    [
        {"known": []},
        {"targets": "many"},
        {"targets": "inf"},
        {"targets": "nan"},
        {"targets": "1e999"},
        {"targets": "-5"},
        {"targets": "0"},
        {"targets": "%"},
        {"targets": "150%"},
        {"error": "some"},
        {"error": "-1"},
        {"error": "nan"},
        {"error": "inf"},
        {"mechanism": "nonsense"},
        {"mechanism": "noise:b=1"},
        {"mechanism": "exec:touch {original} {released}"},
        {"mechanism": "noise:a=1 then exec:touch {original} {released}"},
        {"mechanism": "noise:a=1 then\texec:touch {original} {released}"},
    ],
)
def test_what_no_intruder_can_be_is_refused_and_stays_in_the_form(
    browser: Browser, project: Project, fields: dict[str, str]
) -> None:
    before = project.version
    answer = browser.post(f"{P}/intruder", {"known": ["age", "sex"], **fields})
    assert answer.status_code == 422
    error_of(answer)
    assert project.version == before
    for name in ("targets", "error", "mechanism"):
        assert filled(answer.text, name) == fields.get(name, "").replace("\t", "\\t")
    assert ticked(answer.text) == list(fields.get("known", ["sex", "age"]))


def test_the_key_that_tells_the_truth_is_not_known(browser: Browser, project: Project) -> None:
    browser.post(f"{P}/files", {"pick": "settings", "who": "key", "key": "age"})
    answer = browser.post(f"{P}/intruder", {"known": ["age", "sex"]})
    assert answer.status_code == 422
    assert "key that tells the truth" in error_of(answer)
