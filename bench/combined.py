"""When several attacks combined beat the best of them: `python -m bench.combined [RECORDS]`.

For each file and mask: percent of people that each attack finds, and the combined one; `gain`: by how much it
finds more than the best of them, which an intruder does not know. In brackets: the percent of links that the
record answers.
"""

from __future__ import annotations

import re
import sys

import numpy as np
import polars as pl

import unmask
from bench.data import folder
from bench.mixed_kinds import adult
from unmask import Column, Microdata, Role, Scenario, Schema, masks
from unmask.attacks.combined import OF
from unmask.data.example import people

MASKS = (
    "noise:a=0.5",
    "noise:a=1",
    "rank-swapping:p=20",
    "multiplicative-noise:b=0.5",
    "microaggregation:k=10",
    "individual-ranking:k=100",
    "pram:p=5",
)


def census(n: int) -> Microdata:
    """The first records of the Census file: thirteen numbers."""
    frame = pl.read_csv(folder() / "casc_census.csv", n_rows=n)
    return Microdata(Schema(tuple(Column(name) for name in frame.columns)), frame)


def rates(original: Microdata, mask: str, share: float) -> dict[str, tuple[float, float]]:
    """What each attack finds, and the share of its links that are answered, which needs no truth."""
    known = tuple(c.name for c in original.schema.columns if c.role is Role.QUASI_IDENTIFIER)
    masked = masks.parse(mask).apply(original, np.random.default_rng(1))
    risk = unmask.assess(
        original,
        masked,
        scenario=Scenario(known=known, targets=share),
        attacks=[*OF, "combined"],
        measures=["reidentification"],
    )
    answered = dict(re.findall(r"([a-z-]+) (\d+)%", risk.runs[-1].notes[-1]))
    return {
        run.attack: (run.estimates["reidentification"].value, float(answered.get(run.attack, "nan")) / 100)
        for run in risk.runs
    }


def main(n: int = 400) -> None:
    """Print one row per file, mask and share of people known."""
    print("| file | mask | people known |" + "".join(f" {attack} |" for attack in OF) + " combined | gain |")
    print("|---|---|---|" + "---|" * (len(OF) + 2))
    gains, apart = [], []
    for name, original in (("people", people(n)), ("Adult", adult(n)), ("Census", census(n))):
        for mask in MASKS:
            if name == "Census" and mask.startswith("pram"):
                continue  # it has no categories
            for share in (1.0, 0.1):
                found = rates(original, mask, share)
                best, combined = max(found[attack][0] for attack in OF), found["combined"][0]
                gains.append((share, combined - best))
                apart += [(share, found[attack][1] - found[attack][0]) for attack in OF]
                cells = "".join(f" {100 * found[a][0]:.1f} ({100 * found[a][1]:.0f}) |" for a in OF)
                gain = f"{100 * combined:.1f} | {100 * (combined - best):+.1f}"
                print(f"| {name} | `{mask}` | {share:.0%} |{cells} {gain} |", flush=True)
    for share in (1.0, 0.1):
        mine = np.array([gain for s, gain in gains if s == share])
        above = np.array([difference for s, difference in apart if s == share])
        ahead, behind = (mine > 0).sum(), (mine < 0).sum()
        print(
            f"\n{share:.0%} known: ahead of the best single attack in {ahead} of {len(mine)}, behind in "
            f"{behind},\nmean gain {100 * mine.mean():+.1f}; answered links are {100 * above.mean():.0f} "
            f"points more\nthan right ones in the mean, {100 * np.quantile(above, 0.9):.0f} in the last 10%."
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
