"""The cache: what goes first, how much is kept, with whom values go, and threads."""

from __future__ import annotations

import gc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Barrier
from weakref import ref

import numpy as np
import polars as pl
import pytest

from unmask.engines.cache import Cache, size_of
from unmask.engines.watcher import Watcher


class File:
    """Something that values are derived from."""


def hundred(value: float = 0.0) -> Callable[[], np.ndarray]:
    """An array of 100 bytes, when it is asked for."""
    return lambda: np.full(100, value).astype(np.int8)


def kept(cache: Cache, file: object, *names: str) -> list[bool]:
    """Whether these values are there, asked without moving them up: an asked one would be the newest."""
    return [(id(file), (name,)) in cache._kept for name in names]


def test_a_value_is_made_once_and_is_the_same_object() -> None:
    cache, file = Cache(), File()
    made = cache.get(file, ("ranks", "age"), hundred(1))
    assert cache.get(file, ("ranks", "age"), hundred(2)) is made
    assert cache.get(file, ("ranks", "sex"), hundred(3)) is not made
    assert cache.get(File(), ("ranks", "age"), hundred(4)) is not made
    assert cache.watcher.made == {"ranks": 3}


def test_what_was_not_asked_for_longest_goes_first() -> None:
    cache, file = Cache(limit=300), File()
    for name in "abc":
        cache.get(file, (name,), hundred())
    cache.get(file, ("a",), hundred())  # asked again, so that b is the oldest
    cache.get(file, ("d",), hundred())
    assert kept(cache, file, *"abcd") == [True, False, True, True]
    cache.get(file, ("b",), hundred())
    assert kept(cache, file, *"abcd") == [True, True, False, True]
    assert cache.watcher.made == {"a": 1, "b": 2, "c": 1, "d": 1}


def test_all_values_together_stay_within_the_bound() -> None:
    cache, files = Cache(limit=1000), [File() for _ in range(5)]
    rng = np.random.default_rng(0)
    for step in range(200):
        size = int(rng.integers(0, 1200))
        cache.get(files[step % 5], ("array", step), lambda size=size: np.zeros(size, np.int8))
        total = sum(size_of(value) for value, _ in cache._kept.values())
        assert total == cache._bytes <= 1000
    assert cache._kept


def test_a_value_larger_than_the_bound_is_made_each_time_and_moves_nothing() -> None:
    cache, file = Cache(limit=150), File()
    cache.get(file, ("small",), hundred())
    for _ in range(2):
        assert len(cache.get(file, ("large",), lambda: np.zeros(200, np.int8))) == 200
    assert kept(cache, file, "small", "large") == [True, False]
    assert cache.watcher.made == {"small": 1, "large": 2}


def test_a_bound_of_nothing_keeps_nothing_that_has_a_size() -> None:
    cache, file = Cache(limit=0), File()
    assert cache.get(file, ("array",), hundred(1)) is not cache.get(file, ("array",), hundred(1))
    assert not cache._kept


def test_values_go_with_their_owner() -> None:
    cache, file, other = Cache(), File(), File()
    value = ref(cache.get(file, ("part",), File))
    cache.get(other, ("array",), hundred())
    cache.get(file, ("array",), hundred())
    assert value() is not None
    del file
    gc.collect()
    assert value() is None
    assert list(cache._kept) == [(id(other), ("array",))]
    assert cache._bytes == 100


def test_what_was_derived_from_a_value_goes_with_it() -> None:
    """A stage is derived from files, and runs from a stage: when the stage goes, so do the runs."""
    cache, file = Cache(limit=250), File()

    @dataclass(eq=False)
    class Stage:
        array: np.ndarray

    cache.get(cache.get(file, ("stage",), lambda: Stage(np.zeros(100, np.int8))), ("run",), hundred())
    assert cache._bytes == 200
    cache.get(file, ("other",), hundred())
    gc.collect()
    assert kept(cache, file, "stage", "other") == [False, True]
    assert cache._bytes == 100


def test_what_goes_with_a_value_that_goes_with_its_owner_is_counted_once() -> None:
    """In a study every release goes, its stage with it, and with that the runs: nothing is left of them."""
    cache, original = Cache(limit=1000), File()

    @dataclass(eq=False)
    class Stage:
        array: np.ndarray

    cache.get(original, ("ranks",), hundred())
    for _ in range(5):
        release = File()
        cache.get(release, ("array",), hundred())
        stage = cache.get(release, ("stage",), lambda: Stage(np.zeros(100, np.int8)))
        cache.get(stage, ("run",), hundred())
        cache.get(stage, ("another run",), hundred())
        del stage, release
        gc.collect()
        assert kept(cache, original, "ranks") == [True]
        assert cache._bytes == 100 * len(cache._kept) == 100


def test_an_error_is_passed_on_and_nothing_is_kept() -> None:
    cache, file = Cache(), File()
    with pytest.raises(ZeroDivisionError):
        cache.get(file, ("value",), lambda: 1 / 0)
    assert cache.get(file, ("value",), lambda: 1.0) == 1.0
    assert cache.watcher.made == {"value": 1}


def test_a_value_may_be_made_from_another() -> None:
    cache, file = Cache(), File()
    made = cache.get(file, ("sum",), lambda: cache.get(file, ("array",), hundred(1)).sum())
    assert made == 100
    assert cache.watcher.made == {"array": 1, "sum": 1}


def test_threads_that_make_a_value_at_once_get_the_same_one() -> None:
    threads = 6
    cache, file, gate = Cache(), File(), Barrier(threads)

    def make() -> np.ndarray:
        gate.wait(timeout=60)  # nobody is done before all have begun
        return hundred(7)()

    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(lambda _: cache.get(file, ("array",), make), range(threads)))
    assert len({id(value) for value in found}) == 1
    assert cache._bytes == 100
    assert cache.watcher.made == {"array": threads}


def test_threads_keep_the_bound_and_lose_no_count() -> None:
    cache, files = Cache(limit=500), [File() for _ in range(3)]

    def ask(i: int) -> int:
        return sum(
            int(cache.get(files[step % 3], ("array", (step * i) % 11), hundred(1)).sum())
            for step in range(300)
        )

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(1, 9))) == [300 * 100] * 8
    assert cache._bytes == 100 * len(cache._kept) <= 500


def test_made_things_are_counted_by_the_watcher_given() -> None:
    watcher = Watcher()
    Cache(watcher=watcher).get(File(), ("index", 3), hundred())
    assert watcher.made == {"index": 1}


def test_the_size_of_what_holds_arrays_and_frames() -> None:
    @dataclass(frozen=True)
    class Held:
        codes: np.ndarray
        more: tuple[object, ...]
        name: str = "not counted"

    frame = pl.DataFrame({"x": [1.0, 2.0, 3.0]})
    held = Held(np.zeros(10, np.int8), (frame, {"ranks": np.zeros(5)}, None, 7))
    assert size_of(held) == 10 + frame.estimated_size() + 40
    assert size_of(Held) == size_of("text") == size_of(None) == 0
