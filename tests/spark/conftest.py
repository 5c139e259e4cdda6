"""A cluster on this machine: a master and two executors, each a process of its own with one core.

Where Java is missing the tests are skipped; under CI it must be there: a skipped check would look like one
that passed.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from unmask.engines.spark import SparkEngine
from unmask.engines.spark.cluster import open_session


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What Spark's own library leaves open is not ours: these tests run in a process of their own."""
    for item in items:
        if "tests/spark" in str(item.path):
            item.add_marker(pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"))
            item.add_marker(pytest.mark.filterwarnings("ignore:PySpark does not yet:FutureWarning"))


MASTER = "local-cluster[2,1,1024]"


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    if shutil.which("java") is None and not os.environ.get("JAVA_HOME"):
        (pytest.fail if os.environ.get("CI") else pytest.skip)("no Java: install openjdk-17-jre-headless")
    pytest.importorskip("pyspark")
    # What the executors of such a cluster leave beside the program goes to a folder of the tests.
    os.environ["SPARK_WORKER_DIR"] = str(tmp_path_factory.mktemp("workers"))
    # Tasks of the tests are found there too.
    root = str(Path(__file__).parents[2])
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    session = open_session(MASTER)
    yield session
    session.stop()


@pytest.fixture
def engine(cluster: Any, tmp_path: Path) -> Iterator[SparkEngine]:
    """An engine that sends everything to the executors, however small it is."""
    with SparkEngine(cluster, tmp_path, least=0) as made:
        yield made
    assert list(tmp_path.iterdir()) == [], "what travelled is still there"
