"""A whole assessment on a cluster: the same document and the same people as on one machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import unmask
from unmask.assessment.results import Assessment
from unmask.engines import LocalEngine
from unmask.engines.spark import SparkEngine

ATTACKS = ("guess", "dbrl", "mahalanobis", "rbrl-sum", "rbrl-max", "prl")
MEASURES = (
    *("k-anonymity", "small-classes", "sample-uniques", "l-diversity-entropy", "t-closeness"),
    *("prosecutor-risk", "marketer-risk", "individual-risk", "sadr", "interval-rank", "interval-sd"),
)


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """People of mixed kinds with missing values; a release with noise, in another order, of some of them."""
    rng, n = np.random.default_rng(11), 900
    income = np.exp(rng.normal(size=n)).round(2)
    original = pl.DataFrame(
        {
            "person": rng.permutation(n) + 1000,
            "age": rng.integers(18, 90, n),
            "town": rng.choice(list("ABCDE"), n, p=[0.6, 0.1, 0.1, 0.1, 0.1]),
            "income": income,
            "weight": rng.integers(1, 30, n).astype(np.float64),
            "disease": rng.choice(["x", "y", "z"], n),
        }
    ).with_columns(town=pl.when(pl.int_range(n) % 29 != 0).then(pl.col("town")))
    noise = pl.Series((income * (1 + 0.05 * rng.normal(size=n))).round(2))
    released = original.with_columns(income=noise).sample(800, shuffle=True, seed=4)
    folder = tmp_path_factory.mktemp("files")
    found = folder / "original.parquet", folder / "released.parquet"
    original.write_parquet(found[0], row_group_size=100)
    released.write_parquet(found[1], row_group_size=70)
    return str(found[0]), str(found[1])


def assessed(original: object, released: object, engine: Any, **asked: Any) -> Assessment:
    return unmask.assess(
        original,
        released,
        engine=engine,
        truth="person",
        roles={"disease": "confidential", "weight": "weight"},
        attacks=ATTACKS,
        measures=("reidentification", "reidentification-strict", *MEASURES),
        **asked,
    )


def told(result: Assessment) -> dict[str, Any]:
    """The document, without where the files were."""
    document: dict[str, Any] = json.loads(result.to_json())
    return {name: part for name, part in document.items() if name not in ("provenance", "created")}


@pytest.fixture(scope="module")
def expected(paths: tuple[str, str]) -> Assessment:
    return assessed(*paths, LocalEngine(threads=1))


def test_paths(engine: SparkEngine, paths: tuple[str, str], expected: Assessment) -> None:
    found = assessed(*paths, engine)
    assert told(found) == told(expected)
    assert found.records().equals(expected.records())


@pytest.mark.parametrize("parts", [1, 5])
def test_frames(
    cluster: Any, paths: tuple[str, str], expected: Assessment, parts: int, tmp_path: Path
) -> None:
    """Spark's own frames, in one partition or several; and neither is collected."""
    frames = [cluster.read.parquet(path).coalesce(1) for path in paths]
    # In five partitions the rows come in another order: each number is that of the people, not of the order.
    frames = frames if parts == 1 else [frame.repartition(parts, "age") for frame in frames]
    with SparkEngine(cluster, tmp_path, least=20_000) as engine:  # small work stays on the driver
        found = assessed(*frames, engine)
    assert found.table().equals(expected.table())
    if parts == 1:
        assert told(found) == told(expected)


def test_command_line(cluster: Any, paths: tuple[str, str], tmp_path: Path) -> None:
    """The command opens a session of its own, and leaves nothing behind."""
    import subprocess
    import sys

    scratch = tmp_path / "scratch"
    scratch.mkdir()
    documents = []
    for number, engine in enumerate((("--engine", "local"), ("--engine", "spark=local[2]"))):
        document = tmp_path / f"{number}.json"
        asked = ("--truth", "person", "--attacks", "guess,dbrl,prl", "--measures", "k-anonymity")
        more = ("--scratch", str(scratch), "--json", str(document))
        done = subprocess.run(
            [sys.executable, "-m", "unmask", "assess", *paths, *asked, *engine, *more],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        documents.append(json.loads(document.read_text()))
    for document_ in documents:
        document_.pop("provenance")
    assert documents[0] == documents[1]
    assert list(scratch.iterdir()) == []
