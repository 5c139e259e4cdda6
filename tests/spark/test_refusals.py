"""What cannot be done is refused in one line that says what to do, before any work."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import unmask
from unmask.engines import LocalEngine
from unmask.engines.spark import SparkEngine
from unmask.engines.spark.cluster import SparkError, check_executors
from unmask.errors import ArgumentError, DataError


def refused(tmp_path: Path, *engine: str, **environment: str) -> str:
    """What the command says; it must be one line, with the exit code of a mistake."""
    paths = [str(tmp_path / name) for name in ("original.csv", "released.csv")]
    for path in paths:
        pl.DataFrame({"age": [31, 42, 53, 64], "pay": [1.5, 2.5, 3.5, 4.5]}).write_csv(path)
    done = subprocess.run(
        [sys.executable, "-m", "unmask", "assess", *paths, *engine],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    return done.stderr


def test_no_java(tmp_path: Path) -> None:
    text = refused(tmp_path, "--engine", "spark=local[1]", PATH=str(tmp_path), JAVA_HOME="")
    assert "Java" in text
    assert "openjdk-17-jre-headless" in text


def test_java_home_without_java(tmp_path: Path) -> None:
    assert "JAVA_HOME" in refused(tmp_path, "--engine", "spark=local[1]", JAVA_HOME=str(tmp_path))


def test_no_pyspark(tmp_path: Path) -> None:
    (tmp_path / "pyspark.py").write_text("raise ImportError('none here')")
    text = refused(
        tmp_path,
        "--engine",
        "spark",
        PYTHONPATH=os.pathsep.join((str(tmp_path), os.environ.get("PYTHONPATH", ""))),
    )
    assert "pip install 'unmask[spark]'" in text


@pytest.mark.parametrize("name", ["sprk", "spark=", "local=2"])
def test_no_such_engine(tmp_path: Path, name: str) -> None:
    assert "is no engine" in refused(tmp_path, "--engine", name)


def test_threads_are_not_sparks(tmp_path: Path) -> None:
    assert "--threads" in refused(tmp_path, "--engine", "spark", "--threads", "2")


def test_no_scratch_folder(tmp_path: Path) -> None:
    assert "there is no folder" in refused(tmp_path, "--scratch", str(tmp_path / "none"))


def test_address_of_a_cluster_file_without_spark(tmp_path: Path) -> None:
    pytest.importorskip("pyspark")
    path = "s3a://archive/people.parquet"
    done = subprocess.run(
        [sys.executable, "-m", "unmask", "assess", path, path, "--truth", "person"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "--engine spark" in done.stderr


def test_a_spark_frame_on_one_machine(cluster: Any) -> None:
    frame = cluster.createDataFrame([(31, 1.5), (42, 2.5)], "age int, pay double")
    with pytest.raises(ArgumentError, match="SparkEngine"):
        unmask.assess(frame, frame, engine=LocalEngine(), known=["age"])


def test_an_empty_spark_frame(engine: SparkEngine) -> None:
    frame = engine.session.createDataFrame([], "age int, pay double")
    with pytest.raises(DataError, match="holds no records"):
        unmask.assess(frame, frame, engine=engine, known=["age"])


def test_executors_that_do_not_see_the_folder(cluster: Any, tmp_path: Path) -> None:
    with pytest.raises(SparkError, match="does not see the folder"):
        check_executors(cluster, tmp_path, shown_as="/nowhere/at/all")


def test_a_cluster_without_a_shared_folder(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster.sparkContext, "master", "spark://host:7077")
    with pytest.raises(ArgumentError, match="--scratch"):
        SparkEngine(cluster).room  # noqa: B018


def test_no_such_folder(cluster: Any, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="there is no folder"):
        SparkEngine(cluster, tmp_path / "none")


def test_settings(cluster: Any) -> None:
    """A session that is opened here encrypts what it spills, keeps its workers, and shows no page."""
    conf = cluster.sparkContext.getConf()
    assert conf.get("spark.io.encryption.enabled") == "true"
    assert conf.get("spark.python.worker.reuse") == "true"
    assert conf.get("spark.ui.enabled") == "false"
