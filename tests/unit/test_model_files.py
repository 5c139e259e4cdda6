"""A model is read without running its code, unless the user trusts the file."""

from __future__ import annotations

import pickle
from pathlib import Path

import joblib
import numpy as np
import polars as pl
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

from tests.cli.console import run
from unmask.assessment.request import Request, RequestFiles
from unmask.assessment.request_file import from_toml, to_plain, to_toml
from unmask.assessment.session import Session
from unmask.data.io import sources
from unmask.data.io.model import read_model
from unmask.errors import DataError, MissingDependencyError

PEOPLE = pl.DataFrame({"age": [20.0, 30.0, 40.0, 50.0]})


def classifier() -> DecisionTreeClassifier:
    return DecisionTreeClassifier(random_state=0).fit(PEOPLE, np.array(["no", "no", "yes", "yes"]))


class Intruding:
    """A pickle that runs a program: it makes a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> object:
        return Path.touch, (self._path,)


@pytest.mark.parametrize("name", ["model.joblib", "model.pkl", "model", "model.skops"])
def test_no_code_is_run_unasked(tmp_path: Path, name: str) -> None:
    mark = tmp_path / "it-ran"
    (tmp_path / name).write_bytes(pickle.dumps(Intruding(mark)))
    with pytest.raises((DataError, MissingDependencyError)) as caught:
        read_model(tmp_path / name)
    assert not mark.exists()
    assert "\n" not in str(caught.value)
    if name != "model.skops":
        assert "can run any program" in str(caught.value)
        assert "--trust-model" in str(caught.value)
        with pytest.raises(DataError, match=r"is not a model|no classifier"):
            read_model(tmp_path / name, trusted=True)
        assert mark.exists()


def test_a_trusted_pickle_is_read(tmp_path: Path) -> None:
    joblib.dump(classifier(), tmp_path / "model.joblib")
    read = read_model(tmp_path / "model.joblib", trusted=True)
    assert read.predict_proba(PEOPLE).tolist() == classifier().predict_proba(PEOPLE).tolist()  # type: ignore[attr-defined]


def test_a_skops_file_is_read(tmp_path: Path) -> None:
    skops = pytest.importorskip("skops.io")
    skops.dump(classifier(), tmp_path / "model.skops")
    read = read_model(tmp_path / "model.skops")
    assert read.predict_proba(PEOPLE).tolist() == classifier().predict_proba(PEOPLE).tolist()  # type: ignore[attr-defined]
    assert list(read.feature_names_in_) == ["age"]  # type: ignore[attr-defined]


def test_strange_types_in_a_skops_file_are_named(tmp_path: Path) -> None:
    skops = pytest.importorskip("skops.io")
    model = make_pipeline(FunctionTransformer(np.save), classifier())  # a function that writes files
    skops.dump(model, tmp_path / "model.skops")
    with pytest.raises(DataError, match=r"not known to be harmless: numpy\.save.*--trust-model"):
        read_model(tmp_path / "model.skops")
    assert hasattr(read_model(tmp_path / "model.skops", trusted=True), "predict_proba")
    skops.dump(FunctionTransformer(), tmp_path / "other.skops")
    with pytest.raises(DataError, match="no classifier"):
        read_model(tmp_path / "other.skops")


def test_without_skops_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr(sources, "import_module", missing)
    (tmp_path / "model.skops").write_text("")
    with pytest.raises(MissingDependencyError, match=r"'skops'.*unmask\[models\]"):
        read_model(tmp_path / "model.skops")


def test_it_is_refused_before_the_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "model.joblib").write_bytes(b"")
    files = {"original": "nowhere.csv", "released": "nowhere.csv", "model": str(tmp_path / "model.joblib")}
    with pytest.raises(DataError, match="can run any program"):
        Session(Request(RequestFiles(**files)))
    assert Session(Request(RequestFiles(**files, trust_model=True)))


def test_trust_is_recorded_and_asked_for_again(tmp_path: Path) -> None:
    """A request may come from somebody else."""
    (tmp_path / "model.joblib").write_bytes(b"")
    files = RequestFiles("nowhere.csv", "nowhere.csv", model=str(tmp_path / "model.joblib"), trust_model=True)
    request = Request(files)
    assert to_plain(request)["files"]["trust_model"] is True
    assert from_toml(to_toml(request)) == request
    (tmp_path / "request.toml").write_text(to_toml(request))
    refused = run("run", tmp_path / "request.toml")
    assert refused.code == 2
    assert "trusts a model" in refused.err
    assert "no file 'nowhere.csv'" in run("run", tmp_path / "request.toml", "--trust-model").err
