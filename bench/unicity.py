"""Unicity of made-up mobility traces, by points known and by resolution: `python -m bench.unicity`.

Prints the share of people who are singled out by 1 to 8 points at the resolution of hours and antennas, then
by 4 points as hours and antennas are put together, and the power by which that falls along either.
"""

from __future__ import annotations

import argparse

import numpy as np

from bench.mobility import Mobility, coarsened, simulated
from unmask.data.microdata import Microdata
from unmask.engines import LocalEngine
from unmask.linkage.points import own_points
from unmask.measures.uniqueness.unicity import Crowd

STEPS, CELLS = (1, 2, 4, 8), (1, 2, 4, 8)


def unicity(file: Microdata) -> dict[str, tuple[float, float, float]]:
    """The share of people by the number of points, with its interval; points are those of the file itself."""
    traces, points = own_points(file.content)
    shares = Crowd.of(traces, points).shares(
        traces, np.arange(len(traces)), np.random.default_rng(1), LocalEngine()
    )
    rows = shares.rows("unicity", "", None)
    return {row.keys.subject: (row.estimate.value, row.estimate.low, row.estimate.high) for row in rows}


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=Mobility.people)
    parser.add_argument("--antennas", type=int, default=Mobility.antennas)
    parser.add_argument("--weeks", type=int, default=Mobility.weeks)
    parser.add_argument("--seed", type=int, default=Mobility.seed)
    given = parser.parse_args()
    made = Mobility(given.people, given.antennas, given.weeks, seed=given.seed)
    file = simulated(made)
    print(f"{made}\n{file.content.describe()}\n\n| points | unicity | interval |\n|---|---|---|")
    found = unicity(file)
    for subject in sorted(found):
        value, low, high = found[subject]
        print(f"| {subject} | {value:.3f} | {low:.3f} to {high:.3f} |")
    print(f"\n| hours | {' | '.join(f'{cell} antennas' for cell in CELLS)} |\n|---|{'---|' * len(CELLS)}")
    table = np.array([[_four(coarsened(file, step, cell)) for cell in CELLS] for step in STEPS])
    for step, row in zip(STEPS, table, strict=True):
        print(f"| {step} | {' | '.join(f'{value:.3f}' for value in row)} |")
    for what, along, values in (("hours", STEPS, table[:, 0]), ("antennas", CELLS, table[0])):
        level, power = fitted(np.array(along, float), values)
        print(f"\nalong {what}: unicity = {level:.2f} - x^{power:.3f}")


def _four(file: Microdata) -> float:
    return unicity(file)["4 points"][0]


def fitted(x: np.ndarray, values: np.ndarray) -> tuple[float, float]:
    """Level and power of unicity = level - x^power, by least squares."""
    from scipy.optimize import curve_fit

    (level, power), _ = curve_fit(lambda at, level, power: level - at**power, x, values, (2.0, 0.1))
    return float(level), float(power)


if __name__ == "__main__":
    main()
