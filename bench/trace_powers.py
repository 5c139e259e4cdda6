"""Which power of a trace's own weight finds the most people: `python -m bench.trace_powers --seed 1`.

The attack `traces` against made-up mobility traces under several masks, with whole traces known, four points,
or ten points of which half are wrong; one column for each power.
"""

from __future__ import annotations

import argparse

import numpy as np

from bench.mobility import Mobility, simulated
from unmask.attacks import Traces
from unmask.data.microdata import Microdata
from unmask.engines import LocalEngine
from unmask.intruder.dossier import Dossier
from unmask.intruder.glimpse import Glimpse
from unmask.intruder.truth import Truth
from unmask.masks import parse

POWERS = (0.0, 0.125, 0.25, 0.375, 0.5)
MASKS = (
    "trace-suppression:share=0",
    "trace-suppression:share=0.5",
    "trace-suppression:share=0.9",
    "trace-suppression:least=20",
    "trace-coarsening:step=6",
    "trace-coarsening:step=24,letters=4",
    "trace-swapping:share=0.01",
)
#: What is known: in words, the points of each person, and how many of them are wrong.
SEEN = (("whole traces", None, 0.0), ("4 points", 4, 0.0), ("10 points, half wrong", 10, 0.5))


def found(file: Microdata, released: Microdata, points: int | None, error: float) -> list[float]:
    """The share of people found by each power."""
    known = Glimpse(points=points).of(file.content, error, np.random.default_rng(5))
    order = np.random.default_rng(6).permutation(len(file))
    dossier, truth = Dossier(file.containing(known), released.take(order)), Truth(np.argsort(order))
    attacks = (Traces(power=power) for power in POWERS)
    ready = (attack.prepare(dossier, np.random.default_rng(0), LocalEngine()) for attack in attacks)
    return [float(matcher.standing(truth, 1).belief().mean()) for matcher in ready]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=5_000)
    parser.add_argument("--antennas", type=int, default=75)
    parser.add_argument("--weeks", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    file = simulated(Mobility(given.people, given.antennas, given.weeks, seed=given.seed))
    print(f"| release | known | {' | '.join(f'{power:g}' for power in POWERS)} |")
    print(f"|---|---|{'---|' * len(POWERS)}")
    total = np.zeros(len(POWERS))
    for text in MASKS:
        released = parse(text).apply(file, np.random.default_rng(3)).data
        for words, points, error in SEEN:
            shares = found(file, released, points, error)
            total += shares
            print(f"| `{text}` | {words} | {' | '.join(f'{share:.1%}' for share in shares)} |", flush=True)
    mean = total / (len(MASKS) * len(SEEN))
    print(f"| mean | | {' | '.join(f'{share:.1%}' for share in mean)} |")


if __name__ == "__main__":
    main()
