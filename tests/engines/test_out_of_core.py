"""An assessment whose arrays all lie in mapped files gives the document of one in memory, to the byte."""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from unmask import temporaries
from unmask.assessment.request import Request, RequestFiles
from unmask.assessment.store import LONG_VARIABLE
from unmask.cache_folder import own_folder
from unmask.data.example import people
from unmask.engines import LocalEngine
from unmask.engines.outside import outside
from unmask.studies.run import run

PEOPLE = 120
#: The bytes from which on an array is mapped: fewer than one of everybody has.
LEAST = 100

#: Assesses the two files of a folder with every array in mapped files; kills itself after so many parts.
CHILD = """
import os, signal, sys
from pathlib import Path
from unmask.assessment.store import Store
from unmask.engines.outside import outside
from unmask.studies.run import run
from tests.engines.test_out_of_core import LEAST, few

folder, parts = Path(sys.argv[1]), int(sys.argv[2])
write = Store._write

def written(self):
    write(self)
    if len(list(self.folder.glob("*.part"))) == parts:
        os.kill(os.getpid(), signal.SIGKILL)

Store._write = written
asked = few(folder)
with outside(least=LEAST) as engine:
    run(asked, engine=engine, store=Store.of(asked, resume=not parts)).to_json(folder / "child.json")
"""


def released(original: pl.DataFrame) -> pl.DataFrame:
    """Noise, bands, suppression and a swap, in another order."""
    rng = np.random.default_rng(2)
    income = original["income"] + 500 * rng.normal(size=len(original)).round(2)
    rent = original["rent"].scatter(np.arange(0, len(original), 9), None)
    changed = original.with_columns(
        income, rent, region=original["region"].scatter([1, 5, 7], None), age=(original["age"] // 5) * 5
    )
    return changed.drop("household").sample(fraction=0.9, shuffle=True, seed=3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two files of mixed kinds with missing values, as Parquet and as CSV."""
    path = tmp_path_factory.mktemp("files")
    original = people(PEOPLE).frame
    original = original.with_columns(commute=original["commute"].scatter(np.arange(0, PEOPLE, 11), None))
    for name, frame in (("original", original), ("released", released(original))):
        frame.write_parquet(path / f"{name}.parquet", row_group_size=40)
        frame.write_csv(path / f"{name}.csv")
    return path


def request(folder: Path, suffix: str) -> Request:
    """All default attacks and measures."""
    files = RequestFiles(str(folder / f"original{suffix}"), str(folder / f"released{suffix}"), truth="person")
    return Request(files, time_limit=5.0)


def few(folder: Path) -> Request:
    """Some attacks and measures, for runs that are killed and go on."""
    asked = request(folder, ".parquet")
    return replace(asked, attacks=("guess", "dbrl", "prl"), measures=("reidentification", "interval-sd"))


@pytest.fixture(scope="module")
def documents(folder: Path) -> dict[str, bytes]:
    """What an assessment in memory writes."""
    return {
        suffix: written(run(request(folder, suffix), engine=LocalEngine()), folder)
        for suffix in (".parquet", ".csv")
    }


def written(result: object, folder: Path) -> bytes:
    path = folder / "assessment.json"
    result.to_json(path)  # type: ignore[attr-defined]
    return path.read_bytes()


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_the_document_is_the_same(folder, documents, suffix):
    with outside(least=LEAST) as engine:
        found = run(request(folder, suffix), engine=engine)
        place = engine.room.folder
        assert list(place.iterdir())
        assert written(found, folder) == documents[suffix]
    assert not place.exists()


def test_a_run_that_was_killed_goes_on(folder, tmp_path, monkeypatch):
    expected = written(run(few(folder), engine=LocalEngine()), folder)
    kernels = own_folder("kernels")
    (tmp_path / "cache").mkdir(mode=0o700)
    (tmp_path / "cache" / "kernels").symlink_to(kernels)  # to compile them takes minutes
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("UNMASK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setenv(LONG_VARIABLE, "0")

    def child(parts: int) -> int:
        return subprocess.run([sys.executable, "-c", CHILD, str(folder), str(parts)], check=False).returncode

    assert child(2) == -signal.SIGKILL
    (left,) = (tmp_path / "temporary").iterdir()  # nobody could remove it
    assert any(left.iterdir())
    assert child(0) == 0
    assert not list((tmp_path / "temporary").iterdir())  # the next run did
    assert (folder / "child.json").read_bytes() == expected


def test_the_folder_is_private(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with outside(least=1) as engine:
        assert engine.room.folder.stat().st_mode & 0o077 == 0
        temporaries.sweep(tmp_path)  # a process that lives keeps its own
        assert engine.room.folder.is_dir()
    assert not list(tmp_path.iterdir())
