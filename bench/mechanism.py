"""What knowing the mask adds, for docs/evidence/known-mechanisms.md: `python -m bench.mechanism`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from unmask.attacks import ATTACKS, Attack
from unmask.attacks.mechanism import KnownMechanism
from unmask.data.io import read
from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Schema
from unmask.engines import LocalEngine
from unmask.intruder.scenario import Scenario
from unmask.linkage.mechanism import MechanismMatcher
from unmask.linkage.transitions import Transparent
from unmask.masks import Mask, Microaggregation, parse
from unmask.papers.data import reference_file
from unmask.parsing import written
from unmask.randomness import generator

GENERIC = ("dbrl", "mahalanobis", "rbrl-sum", "rbrl-max", "prl")
MASKS = {
    "census": (
        *(f"noise:a={a}" for a in (0.25, 0.5, 1)),
        *(f"correlated-noise:a={a}" for a in (0.1, 0.5, 1)),
        *(f"multiplicative-noise:b={b}" for b in (0.25, 0.5, 1)),
        *(f"rank-swapping:p={p}" for p in (10, 25, 50)),
        *(f"p-distribution-rank-swapping:p={p}" for p in (10, 25, 50)),
        *(f"individual-ranking:k={k}" for k in (54, 270, 540)),
        *(f"microaggregation:k={k}" for k in (3, 10)),
        *(f"microaggregation by blocks:k={k}" for k in (10, 50)),
        *(f"top-coding:share={share}" for share in (0.5, 0.8)),
        *(f"bottom-coding:share={share}" for share in (0.5, 0.8)),
        *(f"global-recoding:bands={bands}" for bands in (8, 3)),
    ),
    "eia": (
        *(f"noise:a={a}" for a in (0.1, 0.25, 0.5)),
        *(f"correlated-noise:a={a}" for a in (0.1, 0.5)),
        *(f"multiplicative-noise:b={b}" for b in (0.25, 0.5, 1)),
        *(f"rank-swapping:p={p}" for p in (5, 10, 25)),
        *(f"p-distribution-rank-swapping:p={p}" for p in (5, 10)),
        *(f"individual-ranking:k={k}" for k in (341, 1023, 2046)),
        *(f"microaggregation:k={k}" for k in (3, 10)),
        *(f"microaggregation by blocks:k={k}" for k in (10, 50)),
        *(f"top-coding:share={share}" for share in (0.5, 0.8)),
        *(f"global-recoding:bands={bands}" for bands in (8, 3)),
    ),
}


@dataclass(frozen=True)
class Line:
    """Shares of the targets, the mean over replicates."""

    mask: str
    best: str
    generic: float
    known: float
    alone: float
    candidates: float
    certain: float
    claimed: float
    precision: float


def file(name: str) -> Microdata:
    """Census has 13 numeric columns; of EIA, the last 10 are used."""
    table = read(str(reference_file(f"casc_{name}.csv")))
    columns = table.frame.columns if name == "census" else table.frame.columns[-10:]
    return Microdata(Schema(tuple(Column(c) for c in columns)), table.frame.select(columns), name)


def mask_of(text: str, original: Microdata) -> Mask:
    """The mask that a text asks for; blocks are of three neighbouring attributes each."""
    if not text.startswith("microaggregation by blocks"):
        return parse(text)
    names = original.schema.names()
    groups = tuple(tuple(names[i : i + 3]) for i in range(0, len(names), 3))
    return Microaggregation(k=int(text.partition("k=")[2]), groups=groups)


def share(attack: Attack, original: Microdata, mask: Mask, scenario: Scenario, seed: int) -> dict[str, float]:
    """What an attack finds in one replicate."""
    masked = mask.apply(original, generator(seed, "mask", mask.name))
    dossier, truth, _ = scenario.stage(original, masked, seed)
    matcher = attack.prepare(dossier, generator(seed, attack.name), LocalEngine())
    belief = matcher.standing(truth, 1).belief()
    found = {"found": float(belief.mean())}
    if isinstance(matcher, MechanismMatcher):
        wide, sure = matcher.candidates(), matcher.claims() >= 0.95
        found |= {
            "candidates": float(wide.mean()),
            "certain": float((wide == 1).mean()),
            "claimed": float(sure.mean()),
            "right": float(belief[sure].sum()) / len(belief),
        }
    return found


def lines(
    name: str, texts: Sequence[str], scenario: Scenario, replicates: int, generic: Sequence[str]
) -> Iterator[Line]:
    """One line a mask."""
    original = file(name)
    for text in texts:
        mask = mask_of(text, original)
        seeds = range(1 if _fixed(mask) else replicates)

        def mean(attack: Attack, what: str = "found", mask: Mask = mask, seeds: range = seeds) -> float:
            return float(np.mean([share(attack, original, mask, scenario, seed)[what] for seed in seeds]))

        plain = {attack: mean(ATTACKS[attack]) for attack in generic}
        best = max(plain, key=lambda attack: plain[attack])
        assert isinstance(mask, Transparent)
        knows = KnownMechanism(mask)
        runs = [share(knows, original, mask, scenario, seed) for seed in seeds]
        average = {key: float(np.mean([run[key] for run in runs])) for key in runs[0]}
        yield Line(
            text if text.startswith("microaggregation by") else written(mask.name, mask),
            best,
            plain[best],
            average["found"],
            mean(KnownMechanism(mask, rivals=False)),
            average["candidates"],
            average["certain"],
            average["claimed"],
            average["right"] / average["claimed"] if average["claimed"] else float("nan"),
        )


def _fixed(mask: Mask) -> bool:
    return not any(word in mask.name for word in ("noise", "swapping", "pram"))


def table(found: Iterator[Line]) -> Iterator[str]:
    """The lines in Markdown, percentages."""
    yield (
        "| mask | best generic attack | | knows the mask | without rivals | possible records | one possible "
        "| claims of 95% | of them right |"
    )
    yield "|---|---|--:|--:|--:|--:|--:|--:|--:|"
    for line in found:
        right = "–" if np.isnan(line.precision) else f"{100 * line.precision:.1f}"
        yield (
            f"| {line.mask} | {line.best} | {100 * line.generic:.1f} | **{100 * line.known:.1f}** "
            f"| {100 * line.alone:.1f} | {line.candidates:.1f} | {100 * line.certain:.1f} "
            f"| {100 * line.claimed:.1f} | {right} |"
        )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=3)
    parser.add_argument("--generic", default=",".join(GENERIC), help="the attacks to compare with")
    parser.add_argument("--targets", type=float, help="the share of people whom the intruder knows")
    parser.add_argument("files", nargs="*", default=["census", "eia"])
    given = parser.parse_args()
    scenario = Scenario(targets=given.targets)
    for name in given.files:
        print(f"\n{name}\n")
        generic = given.generic.split(",")
        for line in table(lines(name, MASKS[name], scenario, given.replicates, generic)):
            print(line)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
