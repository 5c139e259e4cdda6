"""How often the intervals of risk hold the risk of people like these: `python -m bench.coverage`.

Each round draws new people from the same population, masks them, attacks them, and takes the interval of
each reading. The risk is the mean over all rounds. Printed for each: the mean rate, its standard deviation
over the rounds, how often the interval holds the mean, how wide it is in standard deviations (3.92 is what a
normal estimate with a known variance has), and the same for Clopper and Pearson's interval on the number of
people.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import polars as pl

from unmask import Column, Microdata, Schema
from unmask.assessment.experiments import FOLDS
from unmask.assessment.stage import Stage
from unmask.attacks import DBRL, LearnedDistance
from unmask.data.microdata import Floats, Masked
from unmask.data.schema import Kind
from unmask.engines import LocalEngine
from unmask.intruder.scenario import Scenario
from unmask.linkage.learning import Form
from unmask.linkage.links import Standing
from unmask.masks import PRAM, IndividualRanking, Mask, Microaggregation, Noise, RankSwapping
from unmask.measures import LinkEvidence, Reidentification, Ties
from unmask.measures.confidence import clopper_pearson

Draw = Callable[[int, np.random.Generator], Microdata]


@dataclass(frozen=True)
class Case:
    """A population, a mask, and who is attacked how."""

    draw: Draw
    mask: Mask | None
    n: int = 200
    targets: int | None = None
    released: int | None = None
    learned: bool = False


def file(values: Floats, kind: Kind) -> Microdata:
    """A file whose columns have no other names than their places."""
    names = [f"v{j}" for j in range(values.shape[1])]
    data = values if kind is Kind.NUMERIC else values.astype(np.int64).astype(str)
    return Microdata(Schema(tuple(Column(name, kind) for name in names)), pl.DataFrame(data, schema=names))


def continuous(n: int, rng: np.random.Generator) -> Microdata:
    """Three correlated numbers without ties."""
    return file(rng.normal(size=(n, 3)) + rng.normal(size=(n, 1)), Kind.NUMERIC)


def whole(n: int, rng: np.random.Generator, columns: int = 4, values: int = 7) -> Microdata:
    """Correlated whole numbers of few values: most people share theirs in each attribute."""
    z = rng.normal(size=(n, columns)) + rng.normal(size=(n, 1))
    return file(np.clip(np.round(z + values / 2), 0, values - 1), Kind.NUMERIC)


def nominal(n: int, rng: np.random.Generator, columns: int = 4, values: int = 5) -> Microdata:
    """Categories whose frequencies fall as 1, 1/2, 1/3, ..."""
    weight = 1 / np.arange(1, values + 1)
    return file(rng.choice(values, (n, columns), p=weight / weight.sum()).astype(np.float64), Kind.NOMINAL)


def few_cells(n: int, rng: np.random.Generator) -> Microdata:
    """Two attributes of five categories: at most 25 kinds of people."""
    return nominal(n, rng, columns=2)


def matrix(columns: int, values: int, stay: float) -> PRAM:
    """A mask whose strength is the same in every file."""
    rows = np.full((values, values), (1 - stay) / (values - 1))
    np.fill_diagonal(rows, stay)
    return PRAM(matrix={f"v{j}": rows.tolist() for j in range(columns)})


CASES: dict[str, Case] = {
    "noise, no ties": Case(continuous, Noise(a=0.2)),
    "noise, no ties, 20 of 2,000": Case(continuous, Noise(a=0.1), 2000, targets=20),
    "noise, no ties, half released": Case(continuous, Noise(a=0.2), 400, released=200),
    "noise, whole numbers": Case(whole, Noise(a=0.2)),
    "swapping, no ties": Case(continuous, RankSwapping(p=15)),
    "swapping, heavy ties": Case(whole, RankSwapping(p=10)),
    "swapping, heavy ties, 800 people": Case(whole, RankSwapping(p=10), 800),
    "swapping, heavy ties, 20 of 2,000": Case(whole, RankSwapping(p=5), 2000, targets=20),
    "swapping, heavy ties, half released": Case(whole, RankSwapping(p=10), 400, released=200),
    "microaggregation, k=3": Case(continuous, Microaggregation(k=3)),
    "microaggregation, k=10": Case(continuous, Microaggregation(k=10)),
    "microaggregation, k=5, 20 of 2,000": Case(continuous, Microaggregation(k=5), 2000, targets=20),
    "individual ranking, k=20": Case(continuous, IndividualRanking(k=20)),
    "PRAM": Case(nominal, matrix(4, 5, 0.9)),
    "PRAM, 800 people": Case(nominal, matrix(4, 5, 0.9), 800),
    "PRAM, 20 of 2,000": Case(nominal, matrix(4, 5, 0.9), 2000, targets=20),
    "PRAM, half released": Case(nominal, matrix(4, 5, 0.9), 400, released=200),
    "PRAM, 25 cells": Case(few_cells, matrix(2, 5, 0.8), 400),
    "nominal, not masked": Case(nominal, None),
    "nominal, not masked, 800 people": Case(nominal, None, 800),
    "nominal, not masked, 20 of 2,000": Case(nominal, None, 2000, targets=20),
    "nominal, not masked, half released": Case(nominal, None, 400, released=200),
    "nominal, 25 cells, not masked": Case(few_cells, None),
    "whole numbers, not masked": Case(whole, None),
    "learned hold-out, noise": Case(continuous, Noise(a=0.3), learned=True),
    "learned hold-out, swapping, heavy ties": Case(whole, RankSwapping(p=10), learned=True),
}

#: Seconds that a distance may be learned for: enough for these files.
LIMIT = 0.25

#: What the interval does not hold: the strength of the mask is another one in each file.
BEYOND = {"PRAM by the rarest category": Case(nominal, PRAM(p=9))}


def staged(case: Case, rng: np.random.Generator) -> Stage:
    """New people, masked; the release is all of them or some, and so are the targets."""
    original = case.draw(case.n, rng)
    masked = Masked.by_order(original, original) if case.mask is None else case.mask.apply(original, rng)
    if case.released is not None:
        rows = np.sort(rng.choice(case.n, case.released, replace=False))
        masked = Masked(masked.data.take(rows), masked.origin[rows])
    dossier, truth, people = Scenario().stage(original, masked, int(rng.integers(2**31)))
    tried = truth.present if case.targets is None else rng.choice(case.n, case.targets, replace=False)
    return Stage(dossier, truth, people, np.sort(tried))


def standing(case: Case, stage: Stage, rng: np.random.Generator) -> Standing:
    """How the true records stand, by the plain distance or by one learned from other people."""
    engine = LocalEngine()
    if not case.learned:
        return DBRL().prepare(stage.dossier, rng, engine).standing(stage.truth, 1, stage.tried)
    fold = rng.permutation(len(stage.tried)) % FOLDS
    closer, tied = np.zeros_like(stage.tried), np.zeros_like(stage.tried)
    for part in range(FOLDS):
        pupils, others = stage.tried[fold != part], np.flatnonzero(fold == part)
        matcher = LearnedDistance(Form.WM).learn(
            stage.dossier, stage.truth, rng, engine, targets=pupils, limit=LIMIT, prove=False
        )
        found = matcher.standing(stage.truth, 1, stage.tried[others])
        closer[others], tied[others] = found.closer, found.tied
    return Standing(closer, tied, 1)


def intervals(case: Case, rounds: int, seed: int) -> Floats:
    """By round, reading and (rate, low, high, Clopper and Pearson's low and high)."""
    rng = np.random.default_rng(seed)
    found = np.empty((rounds, len(Ties), 5))
    for k in range(rounds):
        stage = staged(case, rng)
        found_by, released = standing(case, stage, rng), len(stage.dossier.released)
        shared = replace(stage.dependence, learning=1 / (FOLDS - 1) if case.learned else 0.0)
        evidence = LinkEvidence(
            "", released, stage.tried_truth, found_by, lambda: 1.0, dependence=partial(lambda d: d, shared)
        )
        for j, ties in enumerate(Ties):
            e = Reidentification(ties).estimate(evidence)
            rate = e.number or 0.0
            found[k, j] = rate, e.low, e.high, *clopper_pearson(rate * e.n, e.n)
    return found


@dataclass(frozen=True)
class Coverage:
    """A rate over the rounds, and of both intervals how often they hold its mean and how wide they are."""

    rate: float
    deviation: float
    covered: tuple[float, float]
    width: tuple[float, float]


def coverage(found: Floats) -> list[Coverage]:
    """One for each reading."""
    result = []
    for reading in np.moveaxis(found, 1, 0):
        rate, deviation = reading[:, 0].mean(), reading[:, 0].std()
        limits = (reading[:, 1:3], reading[:, 3:5])
        covered = tuple(float(((low - 1e-12 <= rate) & (rate <= high + 1e-12)).mean())
                        for low, high in (part.T for part in limits))  # fmt: skip
        width = tuple(float((part[:, 1] - part[:, 0]).mean()) for part in limits)
        result.append(Coverage(float(rate), float(deviation), covered, width))  # type: ignore[arg-type]
    return result


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="cases whose name has this in it")
    parser.add_argument("--skip", default="-", help="leave out cases whose name has this in it")
    given = parser.parse_args()
    print("| case | reading | rate | sd | coverage | width / sd | before: coverage | before: width / sd |")
    print("|---|---|---|---|---|---|---|---|")
    for name, case in (CASES | BEYOND).items():
        if given.only not in name or given.skip in name:
            continue
        rounds = max(given.rounds // 5, 1) if case.learned else given.rounds
        for ties, c in zip(Ties, coverage(intervals(case, rounds, given.seed)), strict=True):
            if c.deviation == 0:
                print(f"| {name} | {ties.value} | {c.rate:.3f} | 0 | always the same | | | |", flush=True)
                continue
            now, before = (
                f"{a:.3f} | {w / c.deviation:.1f}" for a, w in zip(c.covered, c.width, strict=True)
            )
            print(
                f"| {name} | {ties.value} | {c.rate:.3f} | {c.deviation:.4f} | {now} | {before} |", flush=True
            )


if __name__ == "__main__":
    main()
