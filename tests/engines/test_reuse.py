"""Nothing is made twice: indexes belong to matchers, encodings to files; and speed is the engine's to set."""

from __future__ import annotations

import gc
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import unmask
from unmask import Column, Kind, Microdata, Schema
from unmask.attacks import attack_named
from unmask.attacks.learned import LearnedDistance
from unmask.attacks.mechanism import KnownMechanism
from unmask.data.microdata import Masked
from unmask.engines import Cache, LocalEngine, Watcher, blocks
from unmask.errors import Cancelled
from unmask.intruder.dossier import Dossier
from unmask.intruder.scenario import Scenario
from unmask.intruder.truth import Truth
from unmask.linkage.learning import Form
from unmask.linkage.spaces import ranked, standardised, whitened
from unmask.masks import Noise
from unmask.randomness import generator

SIZE = 200
LEVELS = ("low", "mid", "high")
SCHEMA = Schema(
    (
        Column("age"),
        Column("pay"),
        Column("town", Kind.NOMINAL),
        Column("school", Kind.ORDINAL, levels=LEVELS),
    )
)
NUMERIC = ("age", "pay")
SOURCES = Path(unmask.__file__).parent


def people(seed: int = 0) -> Microdata:
    """A file of all kinds of attributes."""
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 70, SIZE),
            "pay": rng.lognormal(size=SIZE),
            "town": rng.choice(list("abcd"), SIZE),
            "school": rng.choice(LEVELS, SIZE),
        }
    )
    return Microdata(SCHEMA, frame)


def staged(**options: Any) -> tuple[Dossier, Truth]:
    """What an intruder sees of a masked file."""
    masked = Noise(a=0.1).apply(people(), np.random.default_rng(1))
    dossier, truth, _ = Scenario(**options).stage(people(), masked, seed=1)
    return dossier, truth


def watched(**options: Any) -> LocalEngine:
    """An engine whose one watcher counts what its cache makes, too."""
    watcher = Watcher()
    return LocalEngine(watcher=watcher, cache=Cache(watcher=watcher), **options)


@pytest.mark.parametrize("attack", ["dbrl", "mahalanobis", "rbrl-max", "owa", "choquet", "prl", "structural"])
def test_a_matcher_builds_its_index_once(attack: str) -> None:
    dossier, truth = staged()
    engine = watched()
    matcher = attack_named(attack).prepare(dossier, generator(1, attack), engine)  # type: ignore[union-attr]
    for some in (None, np.arange(20)):
        matcher.standing(truth, 1, some)
        matcher.standing(truth, 10, some)
        matcher.links(some)
    assert engine.watcher.made["index"] == 1


def test_each_block_is_indexed_once() -> None:
    dossier, truth = staged(block=("school",))
    engine = watched()
    matcher = attack_named("dbrl").prepare(dossier, generator(1, "dbrl"), engine)  # type: ignore[union-attr]
    matcher.standing(truth, 1)
    matcher.links()
    matcher.links(np.arange(20))
    assert engine.watcher.made["index"] == len(LEVELS)


def test_learning_builds_an_index_for_what_it_tries_and_no_more() -> None:
    rng = np.random.default_rng(0)
    original = pl.DataFrame({name: rng.normal(size=400) for name in "abcd"})
    released = original.select(pl.all() + 0.4 * pl.Series(rng.normal(size=400)))
    engine = watched()
    unmask.assess(original, released, attacks=["learned-wm"], engine=engine, seed=1)
    # Equal weights, the first alone, the best, and those with the widest margin, which are linked with:
    # learned on all, where each weight alone is tried, and five times on some.
    assert engine.watcher.made["index"] == (4 + 3) + 5 * 4


def test_several_attacks_encode_each_file_once() -> None:
    dossier, _ = staged()
    engine = watched()
    for attack in ("dbrl", "owa", "choquet", "sugeno", "mahalanobis", "rbrl-sum", "rbrl-max", "prl"):
        attack_named(attack).prepare(dossier, generator(1, attack), engine)  # type: ignore[union-attr]
    made, files = engine.watcher.made, 2
    assert made["places"] == files * len(NUMERIC)
    assert made["positions"] == files * 2  # town and school
    assert made["moments"] == files * 3  # all but town
    assert made["covariance"] == files


def test_sets_of_attributes_share_the_encodings_of_single_ones() -> None:
    dossier, _ = staged()
    engine = watched()
    names = dossier.known.schema.names()
    for known in (names, names[:2], names[1:], names[::2], names[:1]):
        part = Dossier(dossier.known.only(known), dossier.released)
        attack_named("dbrl").prepare(part, generator(1, "dbrl"), engine)  # type: ignore[union-attr]
        attack_named("rbrl-sum").prepare(part, generator(1, "rbrl"), engine)  # type: ignore[union-attr]
    made = engine.watcher.made
    assert (made["places"], made["positions"], made["moments"]) == (4, 4, 4)


def test_what_is_kept_changes_no_bit() -> None:
    dossier, _ = staged()
    names = dossier.known.schema.names()
    cache = Cache()
    for known in (names, names[:3], names):
        part = Dossier(dossier.known.only(known), dossier.released)
        for encode in (standardised, ranked, whitened):
            kept, fresh = encode(part, cache=cache), encode(part)
            assert kept.known.tobytes() == fresh.known.tobytes()
            assert kept.released.tobytes() == fresh.released.tobytes()
            assert (kept.farthest == fresh.farthest).all()
            assert kept.notes == fresh.notes


def test_encodings_go_with_their_file() -> None:
    cache = Cache()
    dossier, _ = staged()
    standardised(dossier, cache=cache)
    assert cache._kept
    del dossier
    gc.collect()
    assert not cache._kept


def test_a_part_of_a_file_is_checked_no_more_and_knows_its_whole() -> None:
    file = people()
    part = file.only(("town", "age"))
    assert part.whole is file
    assert part.only(("age",)).whole is file
    assert part.take(np.arange(5)).whole is not file
    assert part.codes("town", ["a", "b", "c", "d"]).tolist() == file.codes("town", list("abcd")).tolist()


def attacked(attack: str, engine: LocalEngine) -> None:
    """An attack from the beginning to its links."""
    dossier, truth = staged()
    rng = generator(1, attack)
    if attack == "learned":
        matcher = LearnedDistance(Form.CHOQUET).learn(dossier, truth, rng, engine, prove=False)
    else:
        method = KnownMechanism(Noise(a=0.1)) if attack == "mechanism" else attack_named(attack)
        matcher = method.prepare(dossier, rng, engine)  # type: ignore[union-attr]
    matcher.standing(truth, 3)
    matcher.links()


EVERY = ["dbrl", "prl", "one-to-one", "learned", "mechanism"]


@pytest.mark.parametrize("attack", EVERY)
def test_one_thread_is_one_thread(attack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a pool of threads was started")

    monkeypatch.setattr(blocks, "ThreadPoolExecutor", refuse)
    attacked(attack, LocalEngine(threads=1, block=10))


@pytest.mark.parametrize("attack", EVERY)
def test_every_attack_can_be_cancelled(attack: str) -> None:
    engine = watched()
    engine.watcher.cancel()
    with pytest.raises(Cancelled):
        attacked(attack, engine)


def test_no_code_asks_which_engine_it_has() -> None:
    asked = re.compile(r"isinstance\([^)]*Engine\b|run_blocks|thread_count|ThreadPoolExecutor")
    found = [
        f"{path.relative_to(SOURCES)}: {line.strip()}"
        for path in SOURCES.rglob("*.py")
        if "engines" not in path.relative_to(SOURCES).parts
        for line in path.read_text().splitlines()
        if asked.search(line)
    ]
    assert found == []


def test_released_people_who_are_nobody_need_no_index() -> None:
    file = people()
    dossier, truth, _ = Scenario().stage(file, Masked.of_nobody(file), seed=1)
    engine = watched()
    standing = attack_named("dbrl").prepare(dossier, generator(1, "dbrl"), engine).standing(truth, 1)  # type: ignore[union-attr]
    assert (standing.closer == -1).all()
    assert engine.watcher.made["index"] == 0
