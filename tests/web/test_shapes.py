"""Pages for files that are no plain tables: how people are read, and what was seen of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.web.client import Browser, begun, done
from tests.web.test_pages import error_of
from unmask.assessment.request import Request, Verb
from unmask.intruder.glimpse import Glimpse
from unmask.web.project import Project

P = "/p/ties"
SHAPE = "graph:source=a,target=b"


@pytest.fixture
def project(browser: Browser) -> Project:
    rng = np.random.default_rng(1)
    ties = [(node, int(node * rng.random())) for node in range(1, 60) for _ in range(3)]
    kept = [tie for tie in ties if rng.random() < 0.9]
    for name, edges in (("ties.csv", ties), ("released.csv", kept)):
        (browser.root / name).write_text("a,b\n" + "".join(f"n{a},n{b}\n" for a, b in edges))
    return begun(browser, "ties", "ties.csv", "released.csv")


def shaped(browser: Browser, **more: str) -> int:
    fields = {"pick": "settings", "who": "auto", "shape": SHAPE, **more}
    return browser.post(f"{P}/files", fields).status_code


def request_of(project: Project) -> Request:
    request = project.request
    assert request is not None
    return request


def test_the_pages_show_the_people_of_a_graph(browser: Browser, project: Project) -> None:
    assert shaped(browser) == 303
    assert request_of(project).files.shape == SHAPE
    text = browser.get(f"{P}/files").text
    assert "it holds 60 nodes and" in text
    assert "the released file holds" in text
    assert f'value="{SHAPE}"' in text
    assert "degree" in browser.get(f"{P}/columns").text


def test_what_they_saw_is_kept_and_shown(browser: Browser, project: Project) -> None:
    assert "What they saw" not in browser.get(f"{P}/intruder").text  # a plain table has nothing to see
    shaped(browser)
    assert "What they saw of the ties" in browser.get(f"{P}/intruder").text
    asked = {"known": ["degree"], "glimpse": "edges=0.5,seeds=3", "error": "0"}
    assert browser.post(f"{P}/intruder", asked).status_code == 303
    assert request_of(project).scenario.glimpse == Glimpse(edges=0.5, seeds=3)
    assert 'value="edges=0.5,seeds=3"' in browser.get(f"{P}/intruder").text
    refused = browser.post(f"{P}/intruder", {**asked, "glimpse": "edges=2"})
    assert refused.status_code == 422
    assert "the share of edges is 2" in error_of(refused)


@pytest.mark.parametrize(
    ("shape", "message"), [("tree:a=b", "no shape is called"), ("graph:source=a", "lacks its parameter")]
)
def test_what_is_no_shape_is_refused(browser: Browser, project: Project, shape: str, message: str) -> None:
    before = project.version
    answer = browser.post(f"{P}/files", {"pick": "settings", "who": "auto", "shape": shape})
    assert answer.status_code == 422
    assert message in error_of(answer)
    assert f'value="{shape}"' in answer.text
    assert project.version == before


@pytest.mark.parametrize("part", ["nodes", "released_nodes", "pairs"])
def test_no_file_outside_of_the_folder_is_named(browser: Browser, project: Project, part: str) -> None:
    assert shaped(browser, **{part: "../secret.csv"}) == 422
    assert request_of(project).files.shape is None


def test_a_run_finds_nodes(browser: Browser, project: Project) -> None:
    assert "graph-signatures" not in browser.get(f"{P}/run").text  # while it is a plain table
    shaped(browser)
    page = browser.get(f"{P}/run").text
    assert "graph-signatures" in page
    assert "series-values" not in page
    run = done(
        browser,
        browser.post(
            f"{P}/run",
            {
                "methods": "named",
                "attack": ["guess", "graph-signatures"],
                "measure": ["reidentification"],
                "seed": "1",
            },
        ),
    )
    assert run.has_result
    assert "linkage by signatures of nodes" in browser.get(f"{P}/runs/0001/result").text.lower()


def test_the_masks_of_ties_are_offered_and_compared(browser: Browser, project: Project) -> None:
    assert "edge-deletion" not in browser.get(f"{P}/protect").text  # while it is a plain table
    shaped(browser)
    page = browser.get(f"{P}/protect").text
    assert "edge-deletion:share={0.1,0.5}" in page
    assert "rank-swapping" not in page
    assert "let unmask search" in page
    assert '<option value="graph-ties" selected>' in page
    assert 'value="total-variation"' not in page
    fields = {"verb": "study", "tick": ["0"], "mask-0": "edge-deletion:share=0.5", "least": "graph-ties"}
    run = done(browser, browser.post(f"{P}/protect", {**fields, "replicates": "1"}))
    studied = run.request
    assert studied is not None
    assert studied.files.shape == SHAPE  # else ties would be protected as people are
    page = browser.get(f"{P}/protect").text
    assert "edge-deletion:share=0.5" in page
    assert f"--shape {SHAPE}" in page
    picked = {"candidate": "edge-deletion:share=0.5", "output": "protected.csv"}
    made = done(browser, browser.post(f"{P}/protect/release", picked))
    assert made.has_result
    assert (browser.root / "protected.csv").read_text().startswith("a,b\n")
    released = request_of(project)
    assert (released.files.shape, released.files.truth) == (SHAPE, None)


def test_a_search_keeps_the_shape(browser: Browser, project: Project) -> None:
    shaped(browser)
    fields = {"verb": "protect", "policy": "cell-size-5", "output": "protected.csv", "least": "graph-ties"}
    assert browser.post(f"{P}/protect", fields).status_code == 303
    asked = project.protection
    assert asked is not None
    assert (asked.verb, asked.files.shape) == (Verb.PROTECT, SHAPE)


def test_before_there_is_a_release_the_command_reads_ties(browser: Browser, project: Project) -> None:
    from unmask.web.same import same

    shaped(browser)
    files = replace(request_of(project).files, released="")
    line = same(replace(request_of(project), files=files), "request.toml").command
    assert line == f"unmask describe --shape {SHAPE} ties.csv"
