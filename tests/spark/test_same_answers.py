"""The executors of a cluster give the same bytes as one thread."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.engines.test_engines_agree import SUPPRESSED, answers, flat, staged
from tests.engines.test_local import everything, files, pairing
from unmask.attacks import attack_named
from unmask.data.schema import Column, Kind, Schema
from unmask.engines import Engine, LocalEngine, Watcher
from unmask.engines.spark import SparkEngine
from unmask.kernels.pairing import CHOQUET, MAXIMUM, SUM
from unmask.linkage.agreement import comparisons, count_patterns, with_itself
from unmask.randomness import generator


@pytest.mark.parametrize("code", [SUM, CHOQUET])
def test_search(engine: SparkEngine, code: int) -> None:
    cost = np.full(4, 1.0)
    p = pairing(*files(500, 4), code=code, missing_released=cost, missing_both=cost)
    truth = np.arange(500)
    assert everything(engine, p, truth) == everything(LocalEngine(threads=1), p, truth)


def test_a_skewed_file(engine: SparkEngine) -> None:
    """Nine of ten records are one: all of the work is on one key."""
    rng = np.random.default_rng(5)
    x = rng.integers(0, 50, (4000, 3)).astype(np.float64)
    x[:3600] = x[0]
    p = pairing(x, np.where(rng.random(x.shape) < 0.1, x + 1, x))
    truth = rng.permutation(4000)
    found, expected = (flat(*one.index(p).standing(truth, 7)) for one in (engine, LocalEngine(threads=1)))
    assert found == expected


@pytest.mark.parametrize("code", [MAXIMUM, CHOQUET])
def test_a_release_split_in_space(cluster: Any, tmp_path: Path, code: int) -> None:
    """An index that is too large for a machine: shards, and targets that are asked of those they reach."""
    rng = np.random.default_rng(9)
    x = rng.normal(size=(700, 3)).round(1)
    x[:150] = x[0]  # one place that many share
    p = pairing(x, np.where(rng.random(x.shape) < 0.5, x, x + rng.normal(size=x.shape) / 4), code=code)
    truth, watcher = rng.permutation(700), Lines()
    with SparkEngine(cluster, tmp_path, memory=50_000, least=0, watcher=watcher) as engine:
        found = everything(engine, p, truth)
    assert found == everything(LocalEngine(threads=1), p, truth)
    assert any("split in space into" in line for line in watcher.lines)
    assert any("a target reaches" in line for line in watcher.lines)


class Lines(Watcher):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def log(self, line: str) -> None:
        self.lines.append(line)


def test_sets_of_attributes(engine: SparkEngine) -> None:
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 12, (12_000, 4)).astype(np.float64)
    other = np.where(rng.random(codes.shape) < 0.2, rng.integers(0, 12, codes.shape), codes)
    p = pairing(codes, other, power=1, metric=np.ones(4, np.int64))
    expected = flat(*LocalEngine(threads=1).index(p).standing(np.arange(12_000), 5))
    assert flat(*engine.index(p).standing(np.arange(12_000), 5)) == expected


@pytest.mark.parametrize(
    ("attack", "options"),
    [
        ("dbrl", {}),
        ("mahalanobis", {}),
        ("rbrl-sum", {}),
        ("rbrl-max", {}),
        ("prl", {}),
        ("prl:share=fixed,values=frequency", {"block": ("school",)}),
        ("prl", SUPPRESSED),
        ("one-to-one", {}),
    ],
)
def test_attacks(engine: SparkEngine, attack: str, options: dict[str, Any]) -> None:
    dossier, truth = staged(**options)

    def attacked(where: Engine) -> list[bytes]:
        return answers(attack_named(attack).prepare(dossier, generator(1, attack), where), truth)  # type: ignore[union-attr]

    assert attacked(engine) == attacked(LocalEngine(threads=1))


def test_patterns_by_group_bys(engine: SparkEngine) -> None:
    """Fellegi-Sunter: group-bys on the executors, Moebius inversion on the driver."""
    import polars as pl

    from unmask.data.microdata import Microdata
    from unmask.intruder.dossier import Dossier

    rng = np.random.default_rng(8)
    schema = Schema(tuple(Column(f"c{j}", Kind.NOMINAL) for j in range(5)))
    known = pl.DataFrame({f"c{j}": rng.choice(list("abcdefgh"), 3000) for j in range(5)})
    changed = rng.random((3000, 5)) < 0.1
    released = pl.DataFrame(
        {f"c{j}": np.where(changed[:, j], "a", known[f"c{j}"].to_numpy()) for j in range(5)}
    )
    dossier = Dossier(Microdata(schema, known), Microdata(schema, released))
    compared = comparisons(dossier)

    def counted(where: Engine) -> list[bytes]:
        found = count_patterns(compared, where, lambda: with_itself(dossier, compared, {}, False))
        return flat(found.levels, found.count, found.within_known, found.within_released)

    assert counted(engine) == counted(LocalEngine(threads=1))
