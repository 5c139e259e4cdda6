"""Worst cases beside the forms that they contain: `python -m bench.learned_forms`.

Invented files of 150 people with four or five attributes. Nominal: three to five categories, a quarter of the
values drawn anew. Mixed: every second attribute is a number of few values. Numeric: continuous values, noise.
Printed are right links on average (ties shared) of dbrl and of each learned form, in parentheses the bound.
"""

from __future__ import annotations

import argparse

import numpy as np
import polars as pl

from unmask import Column, Microdata, Schema
from unmask.attacks.dbrl import DBRL
from unmask.attacks.learned import LearnedDistance
from unmask.data.microdata import Masked
from unmask.data.schema import Kind
from unmask.engines import LocalEngine
from unmask.intruder.dossier import Dossier
from unmask.intruder.scenario import Scenario
from unmask.intruder.truth import Truth
from unmask.linkage.learning import Form

PEOPLE, CHANGED, NOISE = 150, 0.25, 0.7


def invented(sort: str, seed: int) -> tuple[Dossier, Truth]:
    """A file of a sort, masked and shuffled."""
    rng = np.random.default_rng(seed)
    d = 4 + seed % 2
    sizes = rng.integers(3, 6, d)
    x = np.column_stack([rng.choice(k, PEOPLE, p=rng.dirichlet(np.full(k, 2.0))) for k in sizes])
    y = np.where(rng.random(x.shape) < CHANGED, rng.permuted(x, axis=0), x)
    if sort == "numeric":
        x = x + rng.normal(size=x.shape)
        y = x + NOISE * rng.normal(size=x.shape)
    numeric = [sort == "numeric" or (sort == "mixed" and j % 2 == 0) for j in range(d)]
    schema = Schema(tuple(Column(f"v{j}", Kind.NUMERIC if numeric[j] else Kind.NOMINAL) for j in range(d)))

    def file(values: np.ndarray) -> Microdata:
        columns = {
            f"v{j}": values[:, j].astype(float) if numeric[j] else [f"c{v}" for v in values[:, j]]
            for j in range(d)
        }
        return Microdata(schema, pl.DataFrame(columns))

    dossier, truth, _ = Scenario().stage(file(x), Masked(file(y), np.arange(PEOPLE)), seed)
    return dossier, truth


def row(sort: str, seed: int, limit: float) -> str:
    """One file: right links of the plain distance, and of each form with its bound."""
    (dossier, truth), engine = invented(sort, seed), LocalEngine(threads=1)
    plain = DBRL().prepare(dossier, np.random.default_rng(0), engine).standing(truth, 1).belief().sum()
    cells = [f"{sort} {seed}, {len(dossier.attributes)} attributes", f"{plain:.2f}"]
    for form in Form:
        lesson = (
            LearnedDistance(form).learn(dossier, truth, np.random.default_rng(1), engine, limit=limit).lesson
        )
        cells.append(f"{lesson.found:.2f} ({lesson.bound:.2f})")
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=10.0)
    parser.add_argument("--files", type=int, default=4)
    given = parser.parse_args()
    print("| file | dbrl | " + " | ".join(f"learned-{form}" for form in Form) + " |")
    print("|---|---|" + "---|" * len(Form))
    for sort in ("nominal", "mixed", "numeric"):
        for seed in range(given.files):
            print(row(sort, seed, given.limit), flush=True)


if __name__ == "__main__":
    main()
