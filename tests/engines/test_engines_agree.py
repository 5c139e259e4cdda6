"""Every engine gives the same bytes: one thread, two with odd blocks, and processes that share no memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from tests.engines.process_engine import ProcessEngine, started_pool
from unmask import Column, Kind, Microdata, Missing, Schema
from unmask.attacks import attack_named
from unmask.attacks.learned import LearnedDistance
from unmask.attacks.mechanism import KnownMechanism
from unmask.engines import Engine, LocalEngine
from unmask.intruder.dossier import Dossier
from unmask.intruder.scenario import Scenario
from unmask.intruder.truth import Truth
from unmask.kernels.pairing import CHOQUET, SUM
from unmask.linkage.learning import Form
from unmask.linkage.links import Links
from unmask.masks import Noise
from unmask.randomness import generator

from .test_local import everything, files, pairing

PEOPLE = 150
SUPPRESSED = {"missing": Missing.SUPPRESSED}
LEVELS = ("low", "mid", "high")
SCHEMA = Schema(
    (
        Column("age"),
        Column("pay"),
        Column("town", Kind.NOMINAL),
        Column("school", Kind.ORDINAL, levels=LEVELS),
    )
)


@pytest.fixture(scope="module")
def others() -> Iterator[list[Engine]]:
    """The engines that are compared with one thread."""
    with started_pool(2) as pool:
        yield [LocalEngine(threads=2, block=7), ProcessEngine(pool)]


def people(seed: int = 0) -> Microdata:
    """People with a missing value here and there."""
    rng = np.random.default_rng(seed)
    age = rng.integers(20, 70, PEOPLE)
    frame = pl.DataFrame(
        {
            "age": age,
            "pay": np.exp(rng.normal(size=PEOPLE) * 0.5 + age / 50).round(2),
            "town": rng.choice(list("abcdef"), PEOPLE),
            "school": rng.choice(LEVELS, PEOPLE),
        }
    )
    gone = pl.Series(rng.random(PEOPLE) < 0.05)
    return Microdata(SCHEMA, frame.with_columns(town=pl.when(gone).then(None).otherwise(pl.col("town"))))


def staged(**options: Any) -> tuple[Dossier, Truth]:
    """What an intruder sees of a masked file."""
    original = people()
    masked = Noise(a=0.1).apply(original, np.random.default_rng(1))
    # Values that only the release lacks, beside those that nobody has.
    hidden = {
        name: pl.select(pl.when(pl.int_range(PEOPLE) % 11 != at).then(masked.data.frame[name])).to_series()
        for at, name in enumerate(("pay", "town"))
    }
    masked = replace(masked, data=masked.data.replace(hidden))
    dossier, truth, _ = Scenario(**options).stage(original, masked, seed=1)
    return dossier, truth


def flat(*values: object) -> list[bytes]:
    """Arrays as bytes, with everything that arrays hold in them."""
    found: list[bytes] = []
    for value in values:
        if isinstance(value, Links):
            found += flat(value.row, value.indptr, value.cls, value.mass, value.cls_of, value.cls_size)
        elif isinstance(value, np.ndarray):
            found.append(str(value.dtype).encode() + np.ascontiguousarray(value).tobytes())
        else:
            found.append(repr(value).encode())
    return found


def answers(matcher: Any, truth: Truth) -> list[bytes]:
    """All that a matcher can be asked, as bytes."""
    standing = matcher.standing(truth, 5)
    found = flat(standing.closer, standing.tied, standing.share, matcher.links(), matcher.notes)
    for name in ("posterior", "claims", "candidates", "decide"):
        found += flat(getattr(matcher, name)()) if hasattr(matcher, name) else []
    return found


@pytest.mark.parametrize("hidden", [0.0, 1.0])
@pytest.mark.parametrize("code", [SUM, CHOQUET])
def test_search(others: list[Engine], code: int, hidden: float) -> None:
    cost = np.full(4, hidden)
    p = pairing(*files(500, 4), code=code, missing_released=cost, missing_both=cost)
    truth = np.arange(500)
    expected = everything(LocalEngine(threads=1), p, truth)
    for engine in others:
        assert everything(engine, p, truth) == expected


def test_a_tree_of_several_parts(others: list[Engine]) -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(9000, 3))
    p, some = pairing(x, x + 0.05 * rng.normal(size=x.shape)), np.arange(0, 9000, 90)
    expected = flat(*LocalEngine(threads=1).index(p).k_nearest(3, some))
    for engine in others:
        assert flat(*engine.index(p).k_nearest(3, some)) == expected


def test_sets_of_attributes(others: list[Engine]) -> None:
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 12, (12_000, 4)).astype(np.float64)
    other = np.where(rng.random(codes.shape) < 0.2, rng.integers(0, 12, codes.shape), codes)
    p = pairing(codes, other, power=1, metric=np.ones(4, np.int64))
    engine = LocalEngine(threads=1)
    expected = flat(*engine.index(p).standing(np.arange(12_000), 5))
    assert engine.watcher.made["index"] == 0  # no tree: sets were counted
    for engine_ in others:
        assert flat(*engine_.index(p).standing(np.arange(12_000), 5)) == expected


@pytest.mark.parametrize(
    ("attack", "options"),
    [
        ("dbrl", {}),
        ("dbrl", {"block": ("school",)}),
        ("mahalanobis", {}),
        ("rbrl-max", {}),
        ("prl", {}),
        ("prl", {"known": ("town", "school")}),
        ("prl:share=fixed,values=frequency", {"block": ("school",)}),
        ("one-to-one", {}),
        ("one-to-one:over=prl", {}),
        ("one-to-one:over=owa,power=0.5", {}),
        ("structural", {}),
        *((attack, SUPPRESSED) for attack in ("dbrl", "rbrl-max", "owa", "prl", "structural")),
        ("dbrl", {**SUPPRESSED, "block": ("school",)}),
        ("prl:share=fixed,values=frequency", SUPPRESSED),
        ("one-to-one", SUPPRESSED),
        ("one-to-one:over=prl", SUPPRESSED),
    ],
)
def test_attacks(others: list[Engine], attack: str, options: dict[str, Any]) -> None:
    dossier, truth = staged(**options)

    def attacked(engine: Engine) -> list[bytes]:
        return answers(attack_named(attack).prepare(dossier, generator(1, attack), engine), truth)  # type: ignore[union-attr]

    expected = attacked(LocalEngine(threads=1))
    for engine in others:
        assert attacked(engine) == expected


@pytest.mark.parametrize("missing", [Missing.MISMATCH, Missing.SUPPRESSED])
@pytest.mark.parametrize("rivals", [True, False])
def test_known_mechanism(others: list[Engine], rivals: bool, missing: Missing) -> None:
    dossier, truth = staged(known=("age", "pay", "school"), missing=missing)
    attack = KnownMechanism(Noise(a=0.1), rivals=rivals, belief="posterior")  # type: ignore[arg-type]

    def attacked(engine: Engine) -> list[bytes]:
        return answers(attack.prepare(dossier, generator(1, attack.name), engine), truth)

    expected = attacked(LocalEngine(threads=1))
    for engine in others:
        assert attacked(engine) == expected


@pytest.mark.parametrize("missing", [Missing.MISMATCH, Missing.SUPPRESSED])
@pytest.mark.parametrize(("form", "prove"), [(Form.WM, True), (Form.OWA, False)])
def test_learned_distance(others: list[Engine], form: Form, prove: bool, missing: Missing) -> None:
    dossier, truth = staged(known=("age", "pay", "school"), missing=missing)

    def learned(engine: Engine) -> list[bytes]:
        matcher = LearnedDistance(form).learn(
            dossier, truth, generator(1, "learn"), engine, targets=np.arange(60), prove=prove
        )
        return [*flat(matcher.lesson), *answers(matcher, truth)]

    expected = learned(LocalEngine(threads=1))
    for engine in others:
        assert learned(engine) == expected
