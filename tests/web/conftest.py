"""Folders to serve: one with files, one with a project that was really assessed, one with a study."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.web.client import Browser, begun, done
from unmask.data.example import people
from unmask.data.io.write import write
from unmask.masks import parse

METHODS = {
    "methods": "named",
    "attack": ["guess", "dbrl", "rbrl-max"],
    "measure": ["reidentification", "sadr"],
    "seed": "7",
}


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with 300 people and a release of them, neither of which a test may change."""
    folder = tmp_path_factory.mktemp("files")
    original = people(300)
    released = parse("noise:a=0.5").apply(original, np.random.default_rng(1)).data.frame.drop("person")
    write(original.frame, folder / "people.csv")
    write(released, folder / "released.csv")
    (folder / "below").mkdir()
    write(original.frame.head(50).select("age", "sex", "income"), folder / "below" / "other.csv")
    return folder


@pytest.fixture
def browser(files: Path, tmp_path: Path) -> Browser:
    """A browser at a folder with the files and no project."""
    return at_copy(files, tmp_path)


@pytest.fixture(scope="session")
def assessed(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a project 'census' whose first run is an assessment that was really made."""
    browser = at_copy(files, tmp_path_factory.mktemp("assessed"))
    begun(browser, "census", "people.csv", "released.csv")
    done(browser, browser.post("/p/census/run", {**METHODS, "policy": "cell-size-5"}))
    return browser.root


@pytest.fixture(scope="session")
def studied(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a project 'census' whose first run is a study of two masks."""
    browser = at_copy(files, tmp_path_factory.mktemp("studied"))
    begun(browser, "census", "people.csv")
    asked = {"verb": "study", "own": "noise:a={0.2,1}", "replicates": "1", "sample": "100"}
    done(browser, browser.post("/p/census/protect", asked))
    return browser.root


@pytest.fixture
def reader(assessed: Path, tmp_path: Path) -> Browser:
    """A browser at a copy of the folder with an assessment."""
    return at_copy(assessed, tmp_path)


def at_copy(folder: Path, place: Path, readonly: bool = False) -> Browser:
    """A browser at a copy of a folder."""
    return Browser(shutil.copytree(folder, place / "served"), readonly)
