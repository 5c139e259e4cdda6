"""What scaling attributes of different kinds alike finds, by mask: `python -m bench.mixed_kinds [RECORDS]`.

Percent of people found, ten known attributes of three kinds: the bundled people, and the Adult file where the
reference data are there. `published` are the distances of Domingo-Ferrer and Torra (2002).
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import polars as pl

import unmask
from bench.data import folder
from unmask import Column, Kind, Microdata, Role, Scenario, Schema, masks
from unmask.data.example import people

MASKS = (
    "noise:a=0.5",
    "noise:a=1",
    "rank-swapping:p=20",
    "rank-swapping:p=40",
    "microaggregation:k=10",
    "pram:p=5",
)
#: The masks tried with an error in what is known, and the errors.
FALLIBLE = ("microaggregation:k=3", "microaggregation:k=10", "noise:a=0.5", "rank-swapping:p=20")
ERRORS = (0.05, 0.1, 0.5)
ATTACKS = ("dbrl:scale=published", "dbrl", "mahalanobis", "rbrl-sum", "rbrl-max", "prl")


def adult(n: int) -> Microdata:
    """The first records of Adult: five numbers and seven categories."""
    frame = pl.read_csv(folder() / "adult.csv", n_rows=n)
    numbers = {"age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"}
    columns = [
        Column(name, Kind.NUMERIC if name in numbers else Kind.NOMINAL)
        for name in frame.columns
        if name not in ("fnlwgt", "education")
    ]
    return Microdata(Schema(tuple(columns)), frame.select([column.name for column in columns]))


def rates(original: Microdata, mask: str, error: float = 0.0) -> list[float]:
    """The share of people that each attack finds."""
    known = [c.name for c in original.schema.columns if c.role is Role.QUASI_IDENTIFIER]
    masked = masks.parse(mask).apply(original, np.random.default_rng(1))
    scenario = Scenario(known=tuple(known), error=error)
    asked: Any = {"attacks": list(ATTACKS), "measures": ["reidentification"]}
    found = (
        unmask.assess(original, masked, scenario=scenario, **asked).table().filter(measure="reidentification")
    )
    by = dict(zip(found["attack"].to_list(), found["value"].to_list(), strict=True))
    return [by[attack] for attack in ATTACKS]


def main(n: int = 2000) -> None:
    """Print one row per file and mask."""
    print("| file | mask |" + "".join(f" {attack} |" for attack in ATTACKS))
    print("|---|---|" + "---|" * len(ATTACKS))
    cases = [(mask, 0.0) for mask in MASKS] + [(mask, error) for mask in FALLIBLE for error in ERRORS]
    for name, original in (("people", people(n)), ("Adult", adult(n))):
        for mask, error in cases:
            cells = "".join(f" {100 * rate:.1f} |" for rate in rates(original, mask, error))
            said = f"`{mask}`" + (f", error {error:g} in what is known" if error else "")
            print(f"| {name} | {said} |{cells}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
