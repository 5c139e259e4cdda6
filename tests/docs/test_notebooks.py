"""The notebooks run, and show what a run shows."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples"


def runner():
    spec = importlib.util.spec_from_file_location("examples_notebooks", FOLDER / "notebooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


RUNNER = runner()
NOTEBOOKS = RUNNER.notebooks()


def cell(*lines, kind="code"):
    outputs = {"outputs": [], "execution_count": None} if kind == "code" else {}
    return {"cell_type": kind, "id": "cell", "metadata": {}, "source": "\n".join(lines), **outputs}


def test_there_are_notebooks():
    assert len(NOTEBOOKS) == 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_shows_what_a_run_shows(path, tmp_path, monkeypatch):
    stored = RUNNER.read(path)
    monkeypatch.chdir(tmp_path)
    again = RUNNER.executed(stored)
    assert RUNNER.texts(again) == RUNNER.texts(stored), "run: python examples/notebooks.py"
    assert list(tmp_path.iterdir()) == [], "a notebook leaves no file behind"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_small_and_begins_with_its_title(path):
    stored = RUNNER.read(path)
    assert path.stat().st_size < 200_000
    assert stored["nbformat"] == 4
    assert "".join(stored["cells"][0]["source"]).startswith("# ")


def test_the_cells_of_a_notebook_are_one_session():
    notebook = {"cells": [cell("a = 20"), cell("text", kind="markdown"), cell("print('a')", "a + 1")]}
    first, text, second = RUNNER.executed(notebook)["cells"]
    assert (first["outputs"], first["execution_count"]) == ([], 1)
    assert "outputs" not in text
    assert [output["output_type"] for output in second["outputs"]] == ["stream", "execute_result"]
    assert RUNNER.texts(RUNNER.executed(notebook)) == ["a\n", "21"]


def test_an_error_in_a_cell_is_no_output():
    with pytest.raises(ZeroDivisionError):
        RUNNER.executed({"cells": [cell("1 / 0")]})


def test_every_notebook_is_in_the_documentation():
    page = (FOLDER.parent / "docs" / "how-to" / "run-the-notebooks.md").read_text(encoding="utf-8")
    assert all(f"examples/{path.name}" in page for path in NOTEBOOKS)
