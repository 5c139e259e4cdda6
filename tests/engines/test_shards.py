"""A release split in space answers as one index does, to the bit, for any number of shards."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.property.test_search import CODES, links_of, pairings, same, some_pairing
from tests.reference import linkage as reference
from unmask.engines import LocalEngine, Merge, Strategy, Task
from unmask.engines.prepare import distinct, frozen
from unmask.engines.room import Room, mapped
from unmask.engines.search import SearchIndex
from unmask.engines.shard_tree import UNEVEN, build_shards, split_up
from unmask.engines.shards import ShardedIndex
from unmask.engines.watcher import Watcher
from unmask.errors import ArgumentError
from unmask.kernels.pairing import DIFFERENCE, DISCRETE, MAXIMUM, SUM, TIE, Pairing

Result = TypeVar("Result")
SHARDS = [1, 2, 3, 7, 500]  # the last: more than there are records
quick = settings(deadline=None, max_examples=20, suppress_health_check=list(HealthCheck))


@dataclass(frozen=True)
class Pickling(LocalEngine):
    """Tasks and their parts are pickled, as they are on their way to other machines and back."""

    def map(
        self,
        task: Task[Result],
        total: int,
        merge: Merge[Result],
        block: int | None = None,
        *,
        quiet: bool = False,
    ) -> Result:
        sent = pickle.dumps(task, protocol=5)

        def run(start: int, stop: int) -> Any:
            return pickle.loads(pickle.dumps(pickle.loads(sent)(start, stop), protocol=5))

        return super().map(run, total, merge, block, quiet=quiet)


def answers(index: SearchIndex, truth: np.ndarray, targets: np.ndarray | None = None) -> list[Any]:
    """All that an index can be asked: types and bytes."""
    found: list[Any] = []
    for depth in (1, 2, 5, 1000):
        found += index.standing(truth, depth, targets)
    nearest = index.nearest(targets)
    found += vars(nearest).values()
    for k in (1, 3, 8):
        found += index.k_nearest(k, targets)
    return [(str(array.dtype), array.shape, array.tobytes()) for array in found]


def some_truth(p: Pairing, seed: int) -> np.ndarray:
    """True records, and nobody's (-1)."""
    return np.random.default_rng(seed).integers(-1, len(p.released), len(p.known))


def sharded(p: Pairing, shards: int, **options: Any) -> ShardedIndex:
    return ShardedIndex(LocalEngine(threads=1), p, shards, **options)


@pytest.mark.parametrize("code", CODES)
@quick
@given(data=st.data())
def test_shards_answer_as_one_index(code: int, data: Any) -> None:
    p, seed = data.draw(pairings(code)), data.draw(st.integers(0, 1000))
    shards, strategy = data.draw(st.sampled_from(SHARDS)), data.draw(st.sampled_from(list(Strategy)))
    targets = data.draw(
        st.one_of(st.none(), st.lists(st.integers(0, len(p.known) - 1), max_size=9).map(np.array))
    )
    targets = None if targets is None else targets.astype(np.int64)
    truth = some_truth(p, seed)
    one = answers(SearchIndex(LocalEngine(threads=1), p), truth, targets)
    assert answers(sharded(p, shards, strategy=strategy), truth, targets) == one


@pytest.mark.parametrize("code", CODES)
@quick
@given(data=st.data())
def test_shards_agree_with_every_pair(code: int, data: Any) -> None:
    p = data.draw(pairings(code))
    depth, k = data.draw(st.sampled_from([1, 3, 1000])), data.draw(st.integers(1, 5))
    truth, table = some_truth(p, 1), reference.values(p)
    index = sharded(p, data.draw(st.sampled_from(SHARDS)))
    closer, tied = index.standing(truth, depth)
    expected = [reference.standing(row, t, depth) for row, t in zip(table, truth, strict=True)]
    assert list(zip(closer.tolist(), tied.tolist(), strict=True)) == expected
    found, (rows, best) = index.nearest(), index.k_nearest(k)
    for i, row in enumerate(table):
        records, least, beyond = reference.nearest(row)
        assert links_of(found, i, len(p.released)) == records
        same([found.value[i], found.runner_up[i]], [least, beyond])
        same(best[i], reference.k_nearest(row, k)[1])
        same(np.where(rows[i] < 0, np.inf, row[rows[i]]), best[i])


def numbers(known: Any, released: Any, code: int = SUM, metric: int = DIFFERENCE) -> Pairing:
    """A pairing of numbers (or codes), differences added up."""
    known, released = np.asarray(known, float), np.asarray(released, float)
    d = known.shape[1]
    ones, whole = np.ones(d), np.zeros(d, np.int64)
    return Pairing(
        known, released, whole + metric, ones, np.zeros(0), whole, whole, ones, ones, 0 * ones, 1, code, ones
    )


@quick
@given(
    seed=st.integers(0, 10_000),
    step=st.sampled_from([0.3, 0.6, 0.9, 1.1]),
    shards=st.sampled_from(SHARDS),
    code=st.sampled_from([SUM, MAXIMUM]),
)
def test_ties_that_lie_apart_are_settled_by_the_smallest_value(
    seed: int, step: float, shards: int, code: int
) -> None:
    # On both sides of the targets, at distances that differ by parts of the tie: which of them tie depends on
    # the smallest distance of all, which is on the other side.
    rng = np.random.default_rng(seed)
    away = 1 + TIE * step * rng.integers(-3, 4, 40)
    released = np.column_stack([away * rng.choice([-1.0, 1.0], 40), rng.choice([0.0, 1.0], 40)])
    p = numbers(np.zeros((40, 2)), released, code)
    truth, table = np.arange(40), reference.values(p)
    one, split = SearchIndex(LocalEngine(threads=1), p), sharded(p, shards)
    assert answers(split, truth) == answers(one, truth)
    for depth in (1, 4):
        expected = [reference.standing(row, t, depth) for row, t in zip(table, truth, strict=True)]
        assert [tuple(x) for x in np.column_stack(split.standing(truth, depth)).tolist()] == expected


@pytest.mark.parametrize("metric", [DIFFERENCE, DISCRETE])
@pytest.mark.parametrize("shards", [2, 7, 16])
def test_skewed_files_are_cut_evenly(metric: int, shards: int) -> None:
    rng = np.random.default_rng(3)
    x = np.where(rng.random((3000, 5)) < 0.9, 1.0, rng.integers(0, 40, (3000, 5)))
    p, engine = frozen(numbers(x[:200], x, metric=metric)), LocalEngine(threads=1)
    released = distinct(p.released)
    parts = split_up(engine, p, released, shards)
    sizes = np.diff(parts.start)
    assert len(sizes) == shards
    assert sizes.max() < 1.2 * UNEVEN**2 * len(released.first) / shards
    assert sorted(parts.order.tolist()) == list(range(len(released.first)))
    truth = np.arange(200)
    assert answers(sharded(p, shards), truth) == answers(SearchIndex(engine, p), truth)


def test_records_that_differ_in_nothing_that_counts_are_shared_out() -> None:
    rng = np.random.default_rng(4)
    p = numbers(rng.random((50, 2)), np.column_stack([np.ones(900), np.arange(900)]))
    p = p._replace(params=np.array([1.0, 0.0]))
    index = sharded(p, 4)
    assert answers(index, np.arange(50)) == answers(SearchIndex(LocalEngine(), p), np.arange(50))
    assert np.diff(index._parts.start).tolist() == [225] * 4


@pytest.mark.parametrize("code", CODES)
def test_tasks_survive_their_journey(code: int) -> None:
    p, truth = some_pairing(5, code, 60, 400, 4, 0.1, (1.0, 1.0, 0.0)), np.arange(60)
    one = answers(SearchIndex(LocalEngine(threads=1), p), truth)
    assert answers(ShardedIndex(Pickling(threads=2, block=23), p, 5), truth) == one


def test_shards_of_large_boxes_where_these_serve_better(monkeypatch: pytest.MonkeyPatch) -> None:
    p, truth = some_pairing(8, SUM, 60, 900, 4, 0.1, (1.0, 1.0, 0.0)), np.arange(60)
    one = answers(SearchIndex(LocalEngine(threads=1), p), truth)
    monkeypatch.setattr("unmask.engines.split_search.MOST_SCREENS", 0)
    monkeypatch.setattr("unmask.engines.split_search.STANDING_SHARE", 0.0)
    index = sharded(p, 3)
    assert answers(index, truth) == one
    assert "_of_boxes" in vars(index)


def test_shards_live_where_the_engine_has_room(tmp_path: Path) -> None:
    p, truth = frozen(some_pairing(6, SUM, 60, 400, 4, 0.1, (1.0, 1.0, 0.0))), np.arange(60)
    engine, released = LocalEngine(threads=1, room=Room(tmp_path, least=64)), distinct(p.released)
    parts = split_up(engine, p, released, 3)
    for shard in build_shards(engine, p, released, parts, splits=True):
        place = mapped(shard.points)
        assert place is not None
        assert place.path.parent == tmp_path
    assert answers(ShardedIndex(engine, p, 3), truth) == answers(SearchIndex(LocalEngine(), p), truth)


def test_near_targets_reach_few_shards_and_say_so() -> None:
    class Notes(Watcher):
        lines: tuple[str, ...] = ()

        def log(self, line: str) -> None:
            self.lines += (line,)

    rng = np.random.default_rng(7)
    released = rng.normal(size=(4000, 3))
    watcher = Notes()
    p = numbers(released + 0.001, released)
    index = ShardedIndex(LocalEngine(watcher=watcher), p, 16)
    index.standing(np.arange(4000))
    assert index.asked == 4000
    assert 4000 <= index.reached < 6000
    assert watcher.lines[-1].startswith("split in space: 16 shards of about 250 records; a target reaches 1.")
    assert watcher.made["index"] == 1


def test_no_shard_is_no_number_of_shards() -> None:
    with pytest.raises(ArgumentError, match="0 shards"):
        sharded(numbers([[1.0]], [[1.0]]), 0)


def test_an_empty_release_has_no_shards() -> None:
    p = numbers(np.ones((2, 1)), np.ones((0, 1)))
    truth = np.full(2, -1)
    assert answers(sharded(p, 3), truth) == answers(SearchIndex(LocalEngine(), p), truth)
