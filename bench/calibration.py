"""How honest the probabilities of who knows the mask are: `python -m bench.calibration`.

Mean claim against the share of links that are right, by bins of the claim, for every mask that declares what
it does; for everybody known, one in ten known, and people known of whom the release has only some.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unmask.attacks.mechanism import KnownMechanism
from unmask.data.microdata import Masked, Microdata
from unmask.data.schema import Column, Kind, Schema
from unmask.engines import LocalEngine
from unmask.intruder.scenario import Scenario
from unmask.linkage.transitions import Transparent
from unmask.masks import Mask, Microaggregation, parse
from unmask.randomness import generator

Floats = NDArray[np.float64]

#: The masks, weak enough that some links are sure and strong enough that most are not.
NUMBERS = (
    "noise:a=0.2",
    "noise:a=0.5",
    "correlated-noise:a=0.1",
    "multiplicative-noise:b=0.3",
    "rank-swapping:p=10",
    "rank-swapping:p=25",
    "p-distribution-rank-swapping:p=5",
    "individual-ranking:k=50",
    "microaggregation:k=3",
    "microaggregation by blocks:k=10",
    "top-coding:share=0.5",
    "bottom-coding:share=0.5",
    "global-recoding:bands=8",
)
CATEGORIES = ("pram:p=6", "pram:pd=0.6", "global-recoding:p=2", "local-suppression:k=3")
#: Who is known: how many people there are, the share of them released, the share of the released known.
WHO = {
    "everybody known": (1000, 1.0, 1.0),
    "one in ten known": (1000, 1.0, 0.1),
    "three in ten released": (1200, 0.3, 1.0),
    "one in twenty known, half released": (2000, 0.5, 0.05),
}
EDGES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0)


@dataclass(frozen=True, eq=False)
class Claimed:
    """The claim of each target's link, and how far it is right."""

    claim: Floats
    right: Floats

    def bins(self, edges: Sequence[float] = EDGES) -> Iterator[tuple[int, float, float]]:
        """How many claims are between two edges, their mean, and the share that is right."""
        place = np.clip(np.searchsorted(edges, self.claim, "right") - 1, 0, len(edges) - 2)
        for b in range(len(edges) - 1):
            here = place == b
            yield (
                int(here.sum()),
                float(self.claim[here].mean()) if here.any() else float("nan"),
                float(self.right[here].mean()) if here.any() else float("nan"),
            )

    @property
    def error(self) -> float:
        """The mean over all claims of how far their bin's mean is from the share that is right."""
        parts = [n * abs(claim - right) for n, claim, right in self.bins() if n]
        return sum(parts) / max(len(self.claim), 1)


def people(n: int, categories: bool, seed: int) -> Microdata:
    """Correlated people: five numbers, or six categorical attributes of 3 to 13 categories."""
    rng = generator(seed, "people", str(n))
    common = rng.normal(size=(n, 1))
    if not categories:
        values = np.exp(0.5 * (np.sqrt(0.5) * (common + rng.normal(size=(n, 5)))) + 3)
        frame = pl.DataFrame({f"x{j}": values[:, j].round(3) for j in range(5)})
        return Microdata(Schema(tuple(Column(name) for name in frame.columns)), frame)
    sizes = (3, 5, 7, 9, 11, 13)
    latent = np.sqrt(0.3) * common + np.sqrt(0.7) * rng.normal(size=(n, len(sizes)))
    columns, schema = {}, []
    for j, size in enumerate(sizes):
        cuts = np.linspace(-1.8, 1.8, size - 1)
        columns[f"c{j}"] = [f"{code:02d}" for code in np.searchsorted(cuts, latent[:, j])]
        schema.append(Column(f"c{j}", Kind.ORDINAL, levels=tuple(f"{code:02d}" for code in range(size))))
    return Microdata(Schema(tuple(schema)), pl.DataFrame(columns))


def mask_of(text: str, original: Microdata) -> Mask:
    """The mask that a text asks for; blocks are of neighbouring attributes."""
    if not text.startswith("microaggregation by blocks"):
        return parse(text)
    names = original.schema.names()
    return Microaggregation(k=int(text.partition("k=")[2]), groups=(names[:2], names[2:]))


def claimed(text: str, who: str, seed: int, size: float = 1.0) -> Claimed:
    """The claims of one replicate; ``size``: of a file so many times as large."""
    everybody, released, known = WHO[who]
    n = int(size * everybody)
    original = people(n, text in CATEGORIES, seed)
    mask = mask_of(text, original)
    chosen = np.sort(generator(seed, "released").choice(n, int(released * n), replace=False))
    made = mask.apply(original.take(chosen), generator(seed, "mask", text))
    masked = Masked(made.data, chosen[made.origin])
    scenario = Scenario(targets=None if known == 1 else int(known * n))
    dossier, truth, _ = scenario.stage(original, masked, seed)
    assert isinstance(mask, Transparent)
    matcher = KnownMechanism(mask).prepare(dossier, generator(seed, "attack"), LocalEngine())
    return Claimed(matcher.claims(), np.where(truth.row >= 0, matcher.standing(truth, 1).belief(), 0.0))


def pooled(text: str, who: str, replicates: int, size: float = 1.0) -> Claimed:
    """The claims of several replicates; more where few people are known."""
    times = replicates * (4 if WHO[who][2] < 1 else 1)
    parts = [claimed(text, who, seed, size) for seed in range(times)]
    return Claimed(np.concatenate([p.claim for p in parts]), np.concatenate([p.right for p in parts]))


def table(texts: Sequence[str], who: str, replicates: int) -> Iterator[str]:
    """One line per mask: in each bin the mean claim and the percent that is right."""
    heads = [f"{100 * a:g}-{100 * b:g}%" for a, b in pairwise(EDGES)]
    yield f"| {who} | claims | " + " | ".join(heads) + " | mean difference |"
    yield "|---|--:|" + "--:|" * (len(heads) + 1)
    for text in texts:
        found = pooled(text, who, replicates)
        cells = [f"{100 * c:.0f} → {100 * r:.0f} ({n})" if n else "–" for n, c, r in found.bins()]
        yield f"| {text} | {len(found.claim)} | " + " | ".join(cells) + f" | {100 * found.error:.1f} |"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=3)
    parser.add_argument("masks", nargs="*", default=[*NUMBERS, *CATEGORIES])
    given = parser.parse_args()
    for who in WHO:
        print()
        for line in table(given.masks, who, given.replicates):
            print(line)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
