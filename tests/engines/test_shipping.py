"""What travels to executors: large arrays as places in files, all else as it is."""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from unmask.engines import Cache, Watcher
from unmask.engines.room import Room
from unmask.engines.spark.shipping import Shipment, take, unpack
from unmask.kernels.pairing import SUM, Pairing


@pytest.fixture
def shipment(tmp_path: Path) -> Shipment:
    return Shipment(Room(tmp_path, least=1), small=64)


def files(shipment: Shipment) -> list[Path]:
    assert shipment.room.folder is not None
    return list(shipment.room.folder.iterdir())


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int32, np.uint8, np.bool_])
def test_arrays_come_back(shipment: Shipment, dtype: Any) -> None:
    array = (np.arange(600) % 2).astype(dtype).reshape(20, 30)
    found = unpack(shipment.pack(array))
    assert np.array_equal(found, array)
    assert found.dtype == array.dtype
    assert len(files(shipment)) == 1


def test_an_array_is_written_once(shipment: Shipment) -> None:
    array = np.arange(1000.0)
    shipment.pack((array, array))
    shipment.pack(array)
    assert shipment.written == array.nbytes


def test_threads_that_pack_one_array_write_it_once(shipment: Shipment) -> None:
    array, column = np.arange(500_000.0), pl.Series("town", ["Aberdeen", None] * 5000)
    with ThreadPoolExecutor(8) as pool:
        packed = list(pool.map(shipment.pack, [(array, column, number) for number in range(16)]))
    for number, one in enumerate(packed):
        values, towns, told = unpack(one)
        assert np.array_equal(values, array)
        assert towns.equals(column)
        assert (towns.name, told) == ("town", number)
    assert len(files(shipment)) == 2


def test_another_array_in_the_same_place_is_written(shipment: Shipment) -> None:
    for number in range(20):  # the memory of the last one is likely to be used again
        array = np.full(1000, float(number))
        assert unpack(shipment.pack(array))[0] == number
        del array


def test_a_view_of_what_lies_in_the_room_is_not_written(shipment: Shipment) -> None:
    whole = shipment.room.empty((100, 4), np.float64)
    whole[:] = np.arange(400).reshape(100, 4)
    part = whole[20:60]
    assert np.array_equal(unpack(shipment.pack(part)), part)
    assert shipment.written == 0


def test_gaps_between_values(shipment: Shipment) -> None:
    array = np.arange(2000).reshape(100, 20)
    for view in (array[:, ::2], array.T, array[::-1]):
        assert np.array_equal(unpack(shipment.pack(view)), view)


def test_read_only_stays_read_only(shipment: Shipment) -> None:
    array = np.arange(100.0)
    array.flags.writeable = False
    assert not unpack(shipment.pack(array)).flags.writeable


def test_what_a_worker_writes_stays_there(shipment: Shipment) -> None:
    array = np.zeros(100)
    packed = shipment.pack(array)
    unpack(packed)[:] = 1.0
    assert not unpack(packed).any()


def test_files_go_with_their_arrays(shipment: Shipment) -> None:
    array = np.arange(1000.0)
    packed = shipment.pack(array)
    assert len(files(shipment)) == 1
    del array
    gc.collect()
    assert files(shipment) == []
    assert len(packed) < 1000


def test_results_go_with_who_takes_them(tmp_path: Path) -> None:
    shipment = Shipment(Room(tmp_path, least=1), small=64, passing=False)
    packed = shipment.pack((np.arange(1000.0), "age"))
    gc.collect()
    assert len(files(shipment)) == 1
    values, name = take(packed)
    part = values[10:20]
    del values
    gc.collect()
    assert (part[0], name, len(files(shipment))) == (10.0, "age", 1)
    del part
    gc.collect()
    assert files(shipment) == []


def test_what_is_the_drivers_stays_there(shipment: Shipment) -> None:
    cache, watcher = Cache(), Watcher()
    watcher.cancel()
    cache.get(watcher, ("ranks",), lambda: np.arange(10_000))
    there, seen = unpack(shipment.pack((cache, watcher)))
    seen.check()  # that of a worker is another one
    assert there.watcher.made["ranks"] == 0
    assert shipment.written == 0


def test_a_pairing(shipment: Shipment) -> None:
    one, none = np.ones(2), np.zeros(2, np.int64)
    pairing = Pairing(
        np.ones((50, 2)), np.zeros((60, 2)), none, one, np.zeros(0), none, none, one, one, one, 2, SUM, one
    )
    found = unpack(shipment.pack(pairing))
    assert isinstance(found, Pairing)
    assert np.array_equal(found.released, pairing.released)
