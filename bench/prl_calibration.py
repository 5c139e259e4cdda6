"""Whether beliefs of probabilistic linkage mean what they say: `python -m bench.prl_calibration`.

For each file and mask: the share of best links that are right, and the belief in them with independent
attributes and with the tree of dependences; then, over all files, both by bins of the belief.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bench.data import folder
from unmask import Column, Kind, Microdata, Schema
from unmask.attacks import PRL
from unmask.attacks.prl import ProbabilisticMatcher
from unmask.data.example import people
from unmask.engines import LocalEngine
from unmask.intruder.dossier import Dossier
from unmask.linkage.fellegi_sunter.tree import AgreementTree
from unmask.linkage.links import Links
from unmask.masks import parse

Floats = NDArray[np.float64]

SIZE = 1000
BINS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 1.0)
ADULT = ("workclass", "education", "marital-status", "occupation", "relationship", "race", "sex")
HOUSING = (
    "Borough", "Condition of Building (Observation)", "Condo/Coop Status", "New Control Status Recode",
    "Number of Bedrooms", "Number of Rooms", "Number of Units in Building", "Tenure (1)",
    "Year Householder Moved into Unit Recode",
)  # fmt: skip
CENSUS = ("AGI", "EMCONTRB", "FEDTAX", "PTOTVAL", "TAXINC", "INTVAL", "PEARNVAL")
PEOPLE = ("region", "sex", "age", "education", "occupation", "hours", "income")


@dataclass(frozen=True, eq=False)
class Calibration:
    """The best link of every target: how far it is right, and the belief in it, without and with the tree."""

    right: Floats
    independent: Floats
    tree: Floats


def cases() -> Iterator[tuple[str, Microdata, tuple[str, ...]]]:
    """Files and the masks laid on them."""
    adult, housing, census = _nominal("adult", ADULT), _nominal("nyc_hvs_2014_occupied", HOUSING), _census()
    for pd in (0.8, 0.4):
        yield "adult, 7 categories", adult, (f"pram:pd={pd}",)
        yield "housing, 9 categories", housing, (f"pram:pd={pd}",)
    mixed = people(SIZE).only(PEOPLE)
    yield "people, 7 of mixed kinds", mixed, ("pram:pd=0.6", "noise:a=0.3")
    yield "people, 7 of mixed kinds", mixed, ("rank-swapping:p=15",)
    for mask in ("noise:a=0.25", "noise:a=0.5", "rank-swapping:p=10", "microaggregation:k=5"):
        yield "census, 7 numbers", census, (mask,)


def _nominal(name: str, columns: Sequence[str]) -> Microdata:
    frame = pl.read_csv(folder() / f"{name}.csv", infer_schema_length=0).select(columns).sample(SIZE, seed=0)
    return Microdata(Schema(tuple(Column(c, Kind.NOMINAL) for c in columns)), frame.fill_null("none"))


def _census() -> Microdata:
    frame = pl.read_csv(folder() / "casc_census.csv").select(CENSUS).cast(pl.Float64)
    return Microdata(Schema(tuple(Column(c) for c in CENSUS)), frame)


def calibration(original: Microdata, masks: Sequence[str], seed: int = 0) -> Calibration:
    """Mask, shuffle, link, and compare beliefs with the truth."""
    rng = np.random.default_rng(seed)
    released = original
    for mask in masks:
        released = parse(mask).apply(released, rng).data
    order = rng.permutation(len(original))
    dossier = Dossier(original, released.take(order))
    truth = np.argsort(order)
    matcher = PRL().prepare(dossier, np.random.default_rng(seed), LocalEngine())
    links = matcher.links()
    tree = belief_in_links(matcher, links)
    levels = matcher.model.fit.matched.shape[1]
    none = np.empty(0, np.int64)
    matcher.model.__dict__["tree"] = AgreementTree(none, none, np.empty((0, levels, levels)))
    return Calibration(links.belief_in(truth), belief_in_links(matcher, links), tree)


def belief_in_links(matcher: ProbabilisticMatcher, links: Links) -> Floats:
    """The posterior probability of the record that each target is linked to, ties shared."""
    posterior = matcher.posterior(least=1e-6)
    total = np.zeros(len(matcher.nearest.pairing.known))
    for record in range(len(matcher.nearest.pairing.released)):
        asked = np.full(len(total), record)
        total += links.belief_in(asked) * posterior.belief_in(asked)
    return total


def main() -> None:
    """Print both tables."""
    found = []
    print(f"{'file':26} {'mask':26} right  claimed: independent  tree")
    for name, data, masks in cases():
        one = calibration(data, masks)
        found.append(one)
        means = one.right.mean(), one.independent.mean(), one.tree.mean()
        print(f"{name:26} {', '.join(masks):26} {means[0]:.3f}  {means[1]:19.3f}  {means[2]:.3f}", flush=True)
    print("\nbelief        independent: links  claimed  right        tree: links  claimed  right")
    right = np.concatenate([one.right for one in found])
    both = [np.concatenate([getattr(one, way) for one in found]) for way in ("independent", "tree")]
    for low, high in pairwise(BINS):
        cells = []
        for claimed in both:
            inside = (claimed >= low) & ((claimed < high) | (high == 1.0))
            n = int(inside.sum())
            means = (claimed[inside].mean(), right[inside].mean()) if n else (np.nan, np.nan)
            cells.append(f"{n:18}  {means[0]:7.3f}  {means[1]:5.3f}")
        print(f"{low:4.2f} to {high:4.2f}  {cells[0]}  {cells[1]}")


if __name__ == "__main__":
    main()
