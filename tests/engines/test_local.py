"""The local engine: nothing but time depends on threads, blocks, strategy or the order of the files."""

from __future__ import annotations

import subprocess
import sys
import threading
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from unmask.engines import Engine, LocalEngine, Nearest, Strategy, Watcher, joined, listed
from unmask.errors import ArgumentError, Cancelled
from unmask.kernels.pairing import CHOQUET, DISCRETE, MAXIMUM, OWA, SUGENO, SUM, TABLE, TIE, Pairing

ENGINES = [
    LocalEngine(threads=1),
    LocalEngine(threads=2, block=7),
    LocalEngine(threads=2, block=1000),
    LocalEngine(threads=3, strategy=Strategy.TREE),
    LocalEngine(threads=2, strategy=Strategy.BRUTE, block=50),
]


def pairing(known: Any, released: Any, code: int = SUM, power: int = 2, **changes: Any) -> Pairing:
    """A pairing of numeric files with equal weights."""
    known, released = np.asarray(known, float), np.asarray(released, float)
    d = known.shape[1]
    sizes = np.array([bin(subset).count("1") for subset in range(1 << d)])
    params = (sizes / d) ** 1.5 if code in (CHOQUET, SUGENO) else np.arange(1.0, d + 1)
    zeros, ones = np.zeros(d, np.int64), np.ones(d)
    p = Pairing(known, released, zeros, ones, np.zeros(0), zeros, zeros, *(ones,) * 3, power, code, params)
    return p._replace(**changes)


def files(n: int, d: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Records with ties and a missing value here and there, and a noisy release."""
    rng = np.random.default_rng(seed)
    x = np.exp(rng.normal(size=(n, d))).round(1)
    y = (x + rng.choice([0.0, 0.1, -0.1], x.shape)).round(1)
    x[::17, 0] = np.nan
    y[::23, d - 1] = np.nan
    return x, y


def everything(engine: Engine, p: Pairing, truth: np.ndarray) -> list[bytes]:
    """All answers of an engine, as bytes."""
    index = engine.index(p)
    arrays = [*index.standing(truth), *index.standing(truth, depth=5), *index.k_nearest(3)]
    found = index.nearest()
    arrays += [found.cls_of, found.cls_size, found.row, found.indptr, found.cls, found.value, found.runner_up]
    return [np.ascontiguousarray(array).tobytes() for array in arrays]


@pytest.mark.parametrize("code", [SUM, MAXIMUM, OWA, CHOQUET, SUGENO])
def test_identical_bytes_for_any_threads_blocks_and_strategy(code: int) -> None:
    p = pairing(*files(1500, 4), code=code)
    truth = np.arange(1500)
    expected = everything(ENGINES[0], p, truth)
    for engine in ENGINES[1:]:
        assert everything(engine, p, truth) == expected


def test_three_levels_of_boxes_agree_with_every_pair() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(9000, 3))
    y = x + rng.normal(size=x.shape) * 0.05
    targets = np.arange(0, 9000, 60)
    table = ((x[targets, None] - y[None]) ** 2 * np.arange(1.0, 4.0)).sum(axis=2)
    engine = LocalEngine(strategy=Strategy.TREE)
    closer, tied = engine.index(pairing(x, y)).standing(np.arange(9000), 10_000, targets)
    true_value = table[np.arange(targets.size), targets]
    assert (closer == (table * (1 + TIE) < true_value[:, None]).sum(axis=1)).all()
    assert (tied == 1).all()
    rows, values = engine.index(pairing(x, y)).k_nearest(4, targets)
    assert (rows == np.argsort(table, axis=1, kind="stable")[:, :4]).all()
    np.testing.assert_allclose(values, np.sort(table, axis=1)[:, :4], rtol=1e-12)
    assert (engine.index(pairing(x, y)).nearest(targets).runner_up == values[:, 1]).all()


def linked(found: Nearest, target: int) -> set[int]:
    """The records that a target is linked to."""
    classes = found.cls[found.indptr[found.row[target]] : found.indptr[found.row[target] + 1]]
    return set(np.flatnonzero(np.isin(found.cls_of, classes)).tolist())


def test_a_permutation_of_either_file_changes_nothing() -> None:
    x, y = files(400, 3)
    rng = np.random.default_rng(1)
    a, b = rng.permutation(400), rng.permutation(400)
    back = np.argsort(b)
    truth = np.arange(400)
    engine = LocalEngine()
    closer, tied = engine.index(pairing(x, y)).standing(truth, 4)
    moved = engine.index(pairing(x[a], y[b])).standing(back[a], 4)
    assert (moved[0] == closer[a]).all()
    assert (moved[1] == tied[a]).all()
    found, other = engine.index(pairing(x, y)).nearest(), engine.index(pairing(x[a], y[b])).nearest()
    for i in range(400):
        assert {int(b[k]) for k in linked(other, i)} == linked(found, int(a[i]))


def test_heavy_ties_cost_distinct_records() -> None:
    codes = np.array([[i % 2, i % 3] for i in range(30_000)], float)
    p = pairing(codes, codes, metric=np.full(2, DISCRETE), power=1)
    found = LocalEngine().index(p).nearest()
    assert (found.cls_size.size, found.cls.size, found.indptr.size) == (6, 6, 7)
    closer, tied = LocalEngine().index(p).standing(np.arange(30_000))
    assert (closer == 0).all()
    assert (tied == 5000).all()


def test_ties_beyond_the_first_room_are_all_found() -> None:
    released = np.column_stack([np.arange(3000.0), np.arange(3000.0)[::-1]])
    p = pairing([[0.0, 2999.0], [1.0, 1.0]], released, power=1, params=np.ones(2))
    found = LocalEngine().index(p).nearest()
    assert linked(found, 1) == set(range(1, 2999))
    assert LocalEngine().index(p).standing(np.array([0, 5]))[1].tolist() == [1, 2998]


def test_an_impossible_record_is_never_linked() -> None:
    table = np.array([0.0, np.inf, np.inf, np.inf])
    p = pairing(
        [[0.0], [1.0], [0.0]], [[0.0], [1.0]], metric=np.array([TABLE]), tables=table, width=np.array([2])
    )
    closer, tied = LocalEngine().index(p).standing(np.array([0, 1, 1]), depth=3)
    assert closer.tolist() == [0, 3, 3]
    assert tied.tolist() == [1, 0, 0]
    found = LocalEngine().index(p).nearest()
    assert found.row.tolist() == [0, -1, 0]
    assert found.value.tolist() == [0.0, np.inf, 0.0]
    assert LocalEngine().index(p).k_nearest(2)[0].tolist() == [[0, -1], [-1, -1], [0, -1]]


def test_nothing_to_do() -> None:
    p, empty = pairing([[1.0]], np.zeros((0, 1))), np.zeros(0, np.int64)
    closer, tied = LocalEngine().index(p).standing(np.array([-1]))
    assert (closer.tolist(), tied.tolist()) == ([-1], [0])
    assert LocalEngine().index(p).nearest().row.tolist() == [-1]
    assert LocalEngine().index(p).k_nearest(2)[0].tolist() == [[-1, -1]]
    assert LocalEngine().index(pairing([[1.0]], [[1.0]])).nearest(targets=empty).row.size == 0


def test_targets_are_rows_in_their_own_order() -> None:
    x, y = files(200, 2)
    targets = np.array([5, 3, 5, 199])
    whole, some = (
        LocalEngine().index(pairing(x, y)).k_nearest(2),
        LocalEngine().index(pairing(x, y)).k_nearest(2, targets),
    )
    assert (whole[0][targets] == some[0]).all()
    closer, _ = LocalEngine().index(pairing(x, y)).standing(np.arange(200), targets=targets)
    assert (closer == LocalEngine().index(pairing(x, y)).standing(np.arange(200))[0][targets]).all()


def test_read_only_and_fortran_arrays_serve() -> None:
    x, y = files(50, 2)
    x.flags.writeable = False
    p = pairing(x, np.asfortranarray(y))
    assert LocalEngine().index(p).nearest().value.shape == (50,)


class Notes(Watcher):
    """A watcher that writes everything down, and can cancel itself after some steps."""

    def __init__(self, steps: int | None = None) -> None:
        super().__init__()
        self.seen: list[tuple[int, int]] = []
        self.lines: list[str] = []
        self.steps = steps

    def advance(self, done: int, total: int) -> None:
        self.seen.append((done, total))
        if len(self.seen) == self.steps:
            self.cancel()

    def log(self, line: str) -> None:
        self.lines.append(line)


def test_progress_and_log_name_no_value() -> None:
    notes = Notes()
    engine = LocalEngine(threads=2, block=100, watcher=notes)
    x, y = files(1000, 3)
    engine.index(pairing(x, y)).nearest()
    assert notes.seen[-1][0] == notes.seen[-1][1]
    assert notes.seen == sorted(notes.seen)
    assert len(notes.lines) == 1
    assert notes.lines[0].startswith(("tree: ", "brute force: "))


def test_an_index_is_built_once_and_when_first_needed() -> None:
    engine = LocalEngine()
    index = engine.index(pairing(*files(300, 3)))
    assert engine.watcher.made["index"] == 0
    index.standing(np.arange(300))
    index.nearest()
    index.k_nearest(2, np.arange(10))
    assert engine.watcher.made["index"] == 1


@dataclass(frozen=True)
class Begun:
    """A task that notes which blocks began."""

    starts: list[int]

    def __call__(self, start: int, stop: int) -> list[int]:
        self.starts.append(start)
        return [start]


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_stops_the_work(threads: int) -> None:
    class Interrupt(Watcher):
        def advance(self, done: int, total: int) -> None:
            raise KeyboardInterrupt

    begun = Begun([])
    with pytest.raises(KeyboardInterrupt):
        LocalEngine(threads, block=1, watcher=Interrupt()).map(begun, 100_000, listed)
    assert len(begun.starts) < 100_000


@pytest.mark.parametrize("threads", [1, 2])
def test_a_cancelled_search_ends_and_leaves_nothing_behind(threads: int) -> None:
    x, y = files(1000, 3)
    engine = LocalEngine(threads, block=10, watcher=Notes(steps=5))
    before = threading.active_count()
    with pytest.raises(Cancelled):
        engine.index(pairing(x, y)).nearest()
    assert threading.active_count() == before
    with pytest.raises(Cancelled):  # until somebody else watches
        engine.index(pairing(x, y)).nearest()
    again = replace(engine, watcher=Watcher())
    assert everything(again, pairing(x, y), np.arange(1000)) == everything(
        LocalEngine(), pairing(x, y), np.arange(1000)
    )


def test_another_thread_cancels() -> None:
    """The work would take minutes."""
    rng = np.random.default_rng(0)
    watcher = Watcher()
    engine = LocalEngine(2, block=1, strategy=Strategy.BRUTE, watcher=watcher)
    index = engine.index(pairing(rng.normal(size=(20_000, 8)), rng.normal(size=(200_000, 8)), code=CHOQUET))
    before = threading.active_count()
    timer = threading.Timer(0.3, watcher.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        index.k_nearest(5)
    timer.join()
    assert threading.active_count() == before


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("total", [0, 1, 50])
def test_parts_are_merged_in_order(threads: int, total: int) -> None:
    found = LocalEngine(threads, block=1).map(Range(), total, joined)
    assert found.tolist() == list(range(total))


@dataclass(frozen=True)
class Range:
    """A task whose parts are known."""

    def __call__(self, start: int, stop: int) -> np.ndarray:
        return np.arange(start, stop)


def test_bad_arguments_are_named() -> None:
    p, truth = pairing([[1.0]], [[1.0]]), np.zeros(1, np.int64)
    with pytest.raises(ArgumentError, match="k is 0"):
        LocalEngine().index(p).k_nearest(0)
    with pytest.raises(ArgumentError, match="depth is 0"):
        LocalEngine().index(p).standing(truth, 0)
    with pytest.raises(ArgumentError, match="3 entries for 1"):
        LocalEngine().index(p).standing(np.zeros(3, np.int64))
    with pytest.raises(ArgumentError, match="no attribute"):
        LocalEngine().index(pairing(np.zeros((1, 0)), np.zeros((1, 0)))).nearest()


def test_engines_are_imported_without_numba() -> None:
    code = "import sys, unmask.engines; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
