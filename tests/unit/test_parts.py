"""Tables as folders of Parquet files."""

from __future__ import annotations

import stat
from pathlib import Path

import polars as pl
import pytest

from unmask.data.io.parts import check_folder, write_parts
from unmask.errors import ArgumentError

FRAME = pl.DataFrame({"row": range(10), "why": ["found by dbrl", None] * 5})


def test_parts_are_the_table_in_order(tmp_path: Path) -> None:
    write_parts(FRAME, tmp_path / "people", rows=4)
    parts = sorted((tmp_path / "people").iterdir())
    assert [pl.read_parquet(part).height for part in parts] == [4, 4, 2]
    assert pl.concat([pl.read_parquet(part) for part in parts]).equals(FRAME)


def test_only_the_user_may_look(tmp_path: Path) -> None:
    write_parts(FRAME, tmp_path / "people")
    folder = tmp_path / "people"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(part.stat().st_mode) for part in folder.iterdir()} == {0o600}


def test_nothing_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "people").mkdir()
    with pytest.raises(ArgumentError, match="is there already"):
        write_parts(FRAME, tmp_path / "people")
    with pytest.raises(ArgumentError, match="no folder to write"):
        check_folder(tmp_path / "none" / "people")
    assert list(tmp_path.iterdir()) == [tmp_path / "people"]


def test_a_failure_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: pl.DataFrame, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", full)
    with pytest.raises(Exception, match="No space left"):
        write_parts(FRAME, tmp_path / "people")
    assert list(tmp_path.iterdir()) == []
