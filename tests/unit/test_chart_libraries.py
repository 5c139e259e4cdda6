"""The chart libraries are bundled once, kept in the user's cache, and never taken from a spoiled file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import vl_convert

from unmask import cache_folder
from unmask.cache_folder import NoCacheError
from unmask.errors import UnmaskError
from unmask.report import libraries


@pytest.fixture
def bundles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A cache of our own, and what was bundled."""
    made: list[str] = []

    def bundle(snippet: str, vl_version: str) -> str:
        made.append(vl_version)
        return f"/* </script <!-- */ {snippet} // ä"

    monkeypatch.setattr(vl_convert, "javascript_bundle", bundle)
    monkeypatch.setenv("UNMASK_CACHE_DIR", str(tmp_path / "new" / "cache"))
    libraries.chart_libraries.cache_clear()
    yield made
    libraries.chart_libraries.cache_clear()


def again() -> str:
    """As in a new process."""
    libraries.chart_libraries.cache_clear()
    return str(libraries.chart_libraries())


def test_bundled_once(bundles: list[str], tmp_path: Path) -> None:
    first = again()
    assert "</script" not in first
    assert "<!--" not in first
    assert again() == first
    assert len(bundles) == 1
    assert len(list((tmp_path / "new" / "cache" / "charts").iterdir())) == 1


@pytest.mark.parametrize("spoiled", [b"", b"alert(1)", b"\xff\xfe", b"0000\nalert(1)"])
def test_a_spoiled_file_is_made_anew(bundles: list[str], tmp_path: Path, spoiled: bytes) -> None:
    first = again()
    (kept,) = (tmp_path / "new" / "cache" / "charts").iterdir()
    kept.write_bytes(spoiled)
    assert again() == first
    assert len(bundles) == 2
    assert again() == first
    assert len(bundles) == 2


def test_without_a_cache_the_page_is_the_same(
    bundles: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = again()
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("UNMASK_CACHE_DIR", str(tmp_path / "file"))

    def homeless() -> Path:
        raise NoCacheError("no home")

    assert again() == first
    monkeypatch.setattr(cache_folder, "cache_folder", homeless)
    assert again() == first
    assert len(bundles) == 3


def test_a_pair_of_libraries_that_does_not_fit_is_named(
    bundles: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vl_convert, "get_vegalite_versions", lambda: ["5.8"])
    with pytest.raises(UnmaskError, match=r"does not know Vega-Lite .* pip install --upgrade vl-convert"):
        again()
    assert bundles == []
