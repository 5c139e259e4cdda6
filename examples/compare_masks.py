"""Compare masks on the bundled example: how many people does the best attack find under each?

    python examples/compare_masks.py [RECORDS]

Each mask changes the numeric attributes only. The table has one line per mask, and two intruders: one knows
the five numeric attributes, the other every quasi-identifier.
"""

from __future__ import annotations

import sys

import unmask
from unmask.data.example import people
from unmask.masks import (
    CorrelatedNoise,
    IndividualRanking,
    Mask,
    Microaggregation,
    MultiplicativeNoise,
    Noise,
    RankSwapping,
)

MASKS: dict[str, Mask] = {
    "noise, a = 0.1": Noise(a=0.1),
    "noise, a = 0.5": Noise(a=0.5),
    "correlated noise, a = 0.25": CorrelatedNoise(a=0.25),
    "multiplicative noise, b = 0.5": MultiplicativeNoise(b=0.5),
    "rank swapping, p = 5": RankSwapping(p=5),
    "rank swapping, p = 25": RankSwapping(p=25),
    "individual ranking, k = 25": IndividualRanking(k=25),
    "microaggregation, k = 5": Microaggregation(k=5),
    "microaggregation, k = 25": Microaggregation(k=25),
}
NUMERIC = ("age", "hours", "income", "rent", "commute")


def main(records: int = 1000) -> None:
    """Print the table for so many records of the example."""
    original = people(records)
    print(f"{records} people; guessing finds {1 / records:.1%}\n")
    print(f"{'mask':<30}  {'knows the numbers':<26}  knows everything")
    for name, mask in MASKS.items():
        cells = [worst(original, mask, known) for known in (NUMERIC, None)]
        print(f"{name:<30}  {cells[0]:<26}  {cells[1]}")


def worst(original: unmask.Microdata, mask: Mask, known: tuple[str, ...] | None) -> str:
    """The rate of the attack that finds most, and its name."""
    risk = unmask.assess(original, mask, known=known, measures=["reidentification"], seed=1)
    found = risk.worst()
    return f"{found.estimate.value:6.1%} {found.keys.attack}"


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2]))
