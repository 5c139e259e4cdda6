"""Where the work runs, as the command line says it."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from unmask.cli.where import Where
from unmask.engines import LocalEngine, Watcher
from unmask.errors import ArgumentError


class Told(Watcher):
    """Keeps what whoever waits is told."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def tell(self, line: str) -> None:
        self.lines.append(line)


@pytest.fixture
def path(tmp_path: Path) -> str:
    found = tmp_path / "people.parquet"
    pl.DataFrame({"age": range(1000), "pay": range(1000)}).write_parquet(found)
    return str(found)


def test_what_fits_stays_in_memory(path: str) -> None:
    with Where(threads=2).opened(Told(), [path]) as engine:
        assert isinstance(engine, LocalEngine)
        assert (engine.room.folder, engine.threads) == (None, 2)


def test_what_does_not_fit_goes_to_the_scratch_folder(path: str, tmp_path: Path) -> None:
    scratch, watcher = tmp_path / "scratch", Told()
    scratch.mkdir()
    with Where(scratch=scratch, memory=1e-6).opened(watcher, [path]) as engine:
        assert engine.room.folder is not None
        assert engine.room.folder.parent == scratch
        assert engine.room.folder.stat().st_mode & 0o777 == 0o700
    assert list(scratch.iterdir()) == []
    assert any("do not fit the memory" in line for line in watcher.lines)


def test_the_folder_goes_when_the_work_fails(path: str, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with pytest.raises(KeyError), Where(scratch=scratch, memory=1e-6).opened(Told(), [path]):
        raise KeyError
    assert list(scratch.iterdir()) == []


@pytest.mark.parametrize("name", ["", "Spark", "spark=", "local=2", "dask"])
def test_no_such_engine(name: str) -> None:
    with pytest.raises(ArgumentError, match="is no engine"):
        Where(name)


def test_a_master_may_hold_an_equals_sign() -> None:
    assert Where("spark=k8s://host?a=b").master == "k8s://host?a=b"
    assert Where("spark").master is None


def test_threads_and_spark() -> None:
    with pytest.raises(ArgumentError, match="--threads"):
        Where("spark", threads=2)


def test_no_scratch_folder(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="there is no folder"):
        Where(scratch=tmp_path / "none")
