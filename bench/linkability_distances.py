"""Linkability by two distances, with ties in several random orders: `python -m bench.linkability_distances`.

The files of `bench.anonymeter`: the distance of unmask's measure (standardised, squared) beside that of
anonymeter (Gower's: differences as shares of the range, and 0 or 1 for categories, added up), both by
unmask's engine.
"""

from __future__ import annotations

import argparse

import numpy as np

from bench.anonymeter import GROUPS, NEIGHBOURS, TRIED, Case, adult_file, example, microdata
from unmask.data.microdata import Ints, Microdata
from unmask.engines import LocalEngine
from unmask.intruder.dossier import Dossier
from unmask.linkage.aggregations import Sum
from unmask.linkage.axes import Scale
from unmask.linkage.spaces import standardised

DISTANCES = {"standardised, squared": (Scale.ALIKE, 2), "Gower": (Scale.RANGE, 1)}


def nearest(people: Microdata, released: Microdata, scale: Scale, power: int) -> Ints:
    """The nearest released records of each person; of records at one distance the first."""
    space = standardised(Dossier(people, released), scale=scale, by_release=True)
    return LocalEngine().index(space.pairing(Sum(power=power))).k_nearest(NEIGHBOURS)[0]


def rates(case: Case, scale: Scale, power: int, seed: int) -> tuple[float, float, float]:
    """The share of people linked, the same of the control, and the risk."""
    order = np.random.default_rng(seed).permutation(len(case.released))
    found = []
    for frame in (case.original, case.control):
        first, second = (
            nearest(
                *(microdata(f.select(names), "") for f in (frame[:TRIED], case.released[order])), scale, power
            )
            for names in GROUPS
        )
        found.append(float((first[:, :, None] == second[:, None, :]).any(axis=(1, 2)).mean()))
    success, control = found
    return success, control, (success - control) / (1 - control)


def main() -> None:
    """Print the table: means over the orders, and the least and the largest risk."""
    parser = argparse.ArgumentParser(prog="python -m bench.linkability_distances", description=__doc__)
    parser.add_argument("--people", type=int, default=5000)
    parser.add_argument("--orders", type=int, default=5)
    given = parser.parse_args()
    print("| release | distance | success | control | risk | least to largest |\n|---|---|---|---|---|---|")
    for case in example(adult_file(), given.people):
        for name, how in DISTANCES.items():
            found = np.array([rates(case, *how, seed) for seed in range(given.orders)])
            success, control, risk = found.mean(axis=0)
            limits = f"{found[:, 2].min():.3f} to {found[:, 2].max():.3f}"
            print(
                f"| {case.name} | {name} | {success:.3f} | {control:.3f} | {risk:.3f} | {limits} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
