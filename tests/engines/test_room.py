"""Room: arrays and columns read the same wherever they live, and go when nobody needs them."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest

from unmask.engines import LocalEngine
from unmask.engines.cache import Cache
from unmask.engines.columns import kept, kept_frame
from unmask.engines.holding import held, side_by_side, taken
from unmask.engines.outside import _group_limits as group_limits
from unmask.engines.outside import at_hand, engine_for, needed, outside, values_of
from unmask.engines.room import Room, mapped


@dataclass(frozen=True, eq=False)
class Derived:
    """Something that a cache keeps."""

    ranks: np.ndarray
    parts: tuple[np.ndarray, ...]
    label: str = "age"


def test_small_arrays_stay_in_memory(tmp_path):
    room = Room(tmp_path, least=100)
    assert mapped(room.empty(12, np.float64)) is None
    assert mapped(room.empty(13, np.float64)) is not None


def test_an_array_that_is_mapped_is_not_written_again(tmp_path):
    room = Room(tmp_path, least=1)
    once = room.keep(np.arange(5))
    assert room.keep(once) is once


def test_a_kept_array_stays_read_only(tmp_path):
    values = np.arange(5)
    values.flags.writeable = False
    assert not Room(tmp_path, least=1).keep(values).flags.writeable


def test_files_go_with_their_arrays(tmp_path):
    room = Room(tmp_path, least=1)
    array = room.keep(np.arange(5.0))
    part = array[2:].reshape(3, 1)
    del array
    assert part.tolist() == [[2.0], [3.0], [4.0]]
    assert len(list(tmp_path.iterdir())) == 1
    del part
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="the system reserves no space")
def test_a_full_disk_is_an_error_and_no_crash(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(OSError, match="No space"):
        Room(tmp_path, least=1).empty(5, np.float64)
    assert not list(tmp_path.iterdir())


def test_what_a_cache_keeps_lies_in_the_room(tmp_path):
    engine = LocalEngine(cache=Cache(), room=Room(tmp_path, least=1))
    made = Derived(np.arange(3), (np.zeros(2), np.ones(2)))
    found = engine.cache.get(engine.watcher, ("ranks",), lambda: made)
    assert found is made  # the same object, whose arrays lie elsewhere
    assert all(mapped(array) is not None for array in (found.ranks, *found.parts))
    assert found.ranks.tolist() == [0, 1, 2]


def test_in_memory_nothing_is_touched():
    made = Derived(np.arange(3), (np.zeros(2),))
    ranks = made.ranks
    assert held(made, Room()).ranks is ranks


def test_matrices_are_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr("unmask.engines.holding.TAKEN", 2)
    rng, room = np.random.default_rng(1), Room(tmp_path, least=1)
    columns, rows = rng.normal(size=(3, 7)), np.array([6, 0, 3, 3, 5])
    stacked = side_by_side(iter(columns), 3, room)
    assert np.array_equal(stacked, np.column_stack(columns))
    assert stacked.flags.c_contiguous
    assert np.array_equal(taken(stacked, rows, room), stacked[rows])


COLUMNS = {
    "whole": pl.Series([3, 1, 2], dtype=pl.Int32),
    "float": pl.Series([0.5, float("nan"), -0.0]),
    "gaps": pl.Series([0.5, None, 2.0]),
    "text": pl.Series(["a", None, "a text of more than twelve letters"]),
    "truth": pl.Series([True, False, None]),
    "day": pl.Series(["2020-01-31", None, "1999-12-01"]).str.to_date(),
    "nothing": pl.Series([None, None, None], dtype=pl.Null),
    "chunks": pl.concat([pl.Series([1.0, 2.0]), pl.Series([3.0])], rechunk=False),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_read_the_same(tmp_path, name):
    column = COLUMNS[name].alias(name)
    found = kept(column, Room(tmp_path, least=1))
    assert found.dtype == column.dtype
    assert found.name == name
    assert found.equals(column, null_equal=True)


def test_a_column_that_is_mapped_is_not_written_again(tmp_path):
    room = Room(tmp_path, least=1)
    frame = kept_frame(pl.DataFrame({"age": [1.0, 2.0], "pay": [3.0, 4.0]}), room)
    kept_frame(frame.select("pay", "age"), room)
    assert len(list(tmp_path.iterdir())) == 2


def test_the_folder_goes_however_the_work_ends():
    folders = []

    def work():
        with outside(least=1) as engine:
            folders.append(engine.room.folder)
            engine.room.keep(np.zeros(9))
            raise KeyError

    with pytest.raises(KeyError):
        work()
    assert not folders[0].exists()


def test_files_that_fit_are_worked_on_in_memory(tmp_path):
    path = tmp_path / "people.parquet"
    pl.DataFrame({"age": range(1000), "pay": range(1000)}).write_parquet(path)
    assert values_of(path) == 2000
    with engine_for([path]) as engine:
        assert engine.room.folder is None
    with engine_for([path], threads=1, memory=needed([path])) as engine:
        assert engine.room.folder is not None
        assert engine.threads == 1


def test_other_files_are_told_by_their_size(tmp_path):
    plain, packed, damaged = (tmp_path / name for name in ("a.csv", "a.csv.gz", "a.parquet"))
    for path in (plain, packed, damaged):
        path.write_bytes(b"x" * 8000)
    assert values_of(plain) == 1000
    assert values_of(packed) == 5000
    assert values_of(damaged) == 2000
    assert values_of(tmp_path / "none.csv") == values_of("sqlite:people.db::persons") == 0


@pytest.mark.parametrize(
    ("line", "file"),
    [("0::/a/b", "a/memory.max"), ("5:cpu,memory:/a/b", "memory/a/memory.limit_in_bytes")],
)
def test_control_groups_of_both_versions_are_asked(tmp_path, line, file):
    own, limit = tmp_path / "own", tmp_path / file
    own.write_text(f"3:pids:/a\n{line}\n")
    limit.parent.mkdir(parents=True)
    limit.write_text("4096\n")
    assert list(group_limits(tmp_path, own)) == [4096]
    limit.write_text("max\n")
    assert not list(group_limits(tmp_path, own))
    assert not list(group_limits(tmp_path, tmp_path / "none"))
    assert at_hand() > 0
