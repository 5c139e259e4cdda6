"""An optional library that is missing or too old is named; the file is not blamed."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pyreadstat
import pytest

from unmask.data.io import read, sources, write
from unmask.errors import MissingDependencyError


@pytest.fixture
def spss(tmp_path: Path) -> Path:
    """A file of SPSS with every kind of column."""
    people = pl.DataFrame({"age": [31, 54, None], "town": ["Reus", None, "Salt"], "income": [1.5, None, 2.0]})
    write(people, tmp_path / "people.sav")
    return tmp_path / "people.sav"


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Hides a library, even from those that are imported already."""
    hidden: set[str] = set()
    plain = builtins.__import__

    def refusing(name: str, *rest: object) -> object:
        if name.partition(".")[0] in hidden:
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)
        return plain(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", refusing)
    yield hidden.add
    hidden.clear()


@pytest.mark.parametrize("suffix", [".sav", ".zsav", ".dta", ".xpt"])
def test_statistical_files_need_no_pandas(
    tmp_path: Path, without: Callable[[str], None], suffix: str
) -> None:
    people = pl.DataFrame({"age": [31, 54, None], "town": ["Reus", None, "Salt"]})
    without("pandas")
    without("pyarrow")
    write(people, tmp_path / f"people{suffix}")
    assert read(tmp_path / f"people{suffix}").frame.rows() == people.rows()


def test_what_a_library_needs_itself_is_named(
    spss: Path, without: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = pyreadstat.read_sav
    monkeypatch.setattr(
        pyreadstat, "read_sav", lambda path, **told: plain(path, **{**told, "output_format": "pandas"})
    )
    without("pandas")
    with pytest.raises(MissingDependencyError) as caught:
        read(spss)
    assert str(caught.value) == (
        "reading people.sav as an SPSS file needs the library 'pandas', which is not installed. "
        "Hint: pip install pandas."
    )


def test_a_library_that_is_too_old_is_named(spss: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = sources.version
    monkeypatch.setattr(sources, "version", lambda name: "1.2.8" if name == "pyreadstat" else plain(name))
    sources._versions.cache_clear()
    try:
        with pytest.raises(MissingDependencyError, match=r"1\.3\.7 on, and 1\.2\.8 is installed"):
            read(spss)
    finally:
        sources._versions.cache_clear()
