"""Domingo-Ferrer and Torra (2002): DBRL against PRL on categorical data, tables 2 to 6, on a stand-in file.

Four masks with p = 1 to 9, five groups of attributes: 180 experiments for each method. The paper's file is
not to be had, so the design is run again, not the cells: they have no tolerance, and the findings say where
the stand-in agrees.

How the paper counts is not said in it, but its numbers show it. Each masked record is linked to an original
one, and the link is right if that one equals the true original in the attributes compared: 1,000 links of
1,000 with four small attributes exclude that only unique records count, and the 3 and 51 links that are left
where a mask makes all records alike exclude that any tie counts. A tie between t records of which c equal
the true one counts c/t here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from statistics import fmean

import numpy as np
import polars as pl

from unmask.attacks import MaskAware, dbrl, prl
from unmask.data.correspondence import ReleaseTerms
from unmask.data.microdata import Floats, Ints, Masked, Microdata
from unmask.linkage.agreement import Exact
from unmask.linkage.axes import Scale
from unmask.linkage.fellegi_sunter import MatchShare, NonMatches
from unmask.linkage.links import Standing
from unmask.linkage.transitions import Declared, Declares, Transitions
from unmask.masks import PRAM, BottomCoding, GlobalRecoding, Mask, TopCoding
from unmask.papers.base import Cell, Finding, Step, unseen
from unmask.papers.categorical_2002_findings import findings
from unmask.papers.categorical_2002_tables import (
    AWARE,
    DBRL,
    MASKS,
    METHODS,
    PRL,
    STRENGTHS,
    TABLES,
    UNION,
    key,
    published,
    published_average,
)
from unmask.papers.housing import described, group, housing_file
from unmask.randomness import generator
from unmask.studies.assess import assess

SIZE = 1000


class LinkReading(StrEnum):
    """How a link to one of several tied records is read.

    ``alike``: records that equal the true one count as it does; ``expected``: only the true one counts, by
    its share of the tie; ``lenient``: the true one is found wherever it is in the tie.
    """

    ALIKE = "counted as published"
    EXPECTED = "expected value of ties"
    LENIENT = "every tie counts"


#: p categories join another one, so p + 1 become one: at p = 1 the published masks change the file already,
#: and at p = 8 they leave nothing of nine categories.
MADE: dict[str, Callable[[int], Mask]] = {
    "Bottom": lambda p: BottomCoding(p=p + 1),
    "Global": lambda p: GlobalRecoding(p=p + 1),
    "PRAM": lambda p: PRAM(p=p),
    "Top": lambda p: TopCoding(p=p + 1),
}

#: The counts of one experiment, one a replicate, by method and reading.
Counts = Mapping[tuple[str, LinkReading], tuple[float, ...]]


@dataclass(frozen=True)
class Categorical2002:
    """The tables, or some of their rows, on a sample of so many records."""

    groups: tuple[str, ...] = tuple(TABLES)
    strengths: tuple[int, ...] = STRENGTHS
    size: int = SIZE
    name: str = "categorical-2002"
    citation: str = (
        "Domingo-Ferrer and Torra, Validating distance-based record linkage with probabilistic record "
        "linkage, Topics in Artificial Intelligence 2002"
    )
    left_out: tuple[str, ...] = ()
    #: Seconds for one masked file.
    pace: float = 0.23

    @property
    def notes(self) -> tuple[str, ...]:
        """What stands for what, and how cells are counted."""
        return (
            f"stand-in: {self.size:,} records of the New York City Housing and Vacancy Survey 2014, drawn "
            "with the seed; cells are ours/published and not judged",
            f"attributes (categories in the whole file): {described()}",
            "masks: the p + 1 lowest (Bottom), rarest (Global; neighbours if ordinal) or highest (Top) "
            "categories of every attribute become one; PRAM with strength p, averaged over the replicates",
            "counting: each masked record is linked to an original one; a link to a record that equals the "
            "true one in the attributes compared is right, and a tie counts by its share of those",
            *self.left_out,
        )

    def __len__(self) -> int:
        experiments = len(self.groups) * len(self.strengths) * len(MASKS)
        return len(METHODS) * (experiments + len(LinkReading) * (len(MASKS) + 1))

    def steps(self, replicates: int) -> int:
        """One for each masked file; only PRAM is random."""
        return len(self.groups) * len(self.strengths) * (len(MASKS) - 1 + replicates)

    def shorter(self) -> tuple[Categorical2002, int]:
        """Three strengths and five replicates."""
        note = "quick: p = 1, 5 and 9 of nine, 5 replicates of PRAM"
        return replace(self, strengths=(1, 5, 9), left_out=(note,)), 5

    def cells(self, replicates: int, seed: int, step: Step = unseen) -> Iterator[Cell]:
        """One cell a method and experiment, then averages over the experiments of each mask, and of all."""
        original = housing_file(self.size, seed)
        done: dict[tuple[str, int, str], Counts] = {}
        for letter in self.groups:
            for p in self.strengths:
                for mask in MASKS:
                    done[letter, p, mask] = _experiment(original, letter, mask, p, replicates, seed, step)
                for method in METHODS:
                    for mask in MASKS:
                        found = done[letter, p, mask][method, LinkReading.ALIKE]
                        value = published(letter, p, mask, method)
                        yield Cell(*key(letter, p, mask, method), value, found)
        for reading in LinkReading:
            for chosen in (*MASKS, None):
                counts = [c for (_, _, mask), c in done.items() if chosen in (mask, None)]
                for method in METHODS:
                    yield _average(chosen, method, reading, [c[method, reading] for c in counts])

    def findings(self, cells: Sequence[Cell]) -> tuple[Finding, ...]:
        """Where the stand-in agrees with the paper and where it differs, and what must hold anywhere."""
        return findings(cells)


def _average(
    mask: str | None, method: str, reading: LinkReading, counts: Sequence[tuple[float, ...]]
) -> Cell:
    """The average over experiments, for each replicate; what is not random is the same in all."""
    replicates = max(len(found) for found in counts)
    means = tuple(fmean(found[r % len(found)] for found in counts) for r in range(replicates))
    value = published_average(mask, method) if reading is LinkReading.ALIKE else None
    return Cell(f"Averages, {reading}", mask or "all", method, value, means)


def _experiment(
    original: Microdata, letter: str, mask: str, p: int, replicates: int, seed: int, step: Step = unseen
) -> dict[tuple[str, LinkReading], tuple[float, ...]]:
    """Every method against one mask and group of attributes."""
    method = MADE[mask](p)
    runs = []
    for r in range(replicates if mask == "PRAM" else 1):
        masked = method.apply(original, generator(seed + r, "mask", method.name, str(p)))
        runs.append(_linked(original, masked, method, group(letter), seed + r))
        step()
    return {case: tuple(run[case] for run in runs) for case in runs[0]}


def _linked(
    original: Microdata, masked: Masked, mask: Mask, known: Sequence[str], seed: int
) -> dict[tuple[str, LinkReading], float]:
    """How many masked records each method links to their original, under each reading."""
    # The masked file is what is to be linked, the original what it is linked to. The paper's intruders take
    # both for what they say, and put nothing into the terms of the other.
    found = assess(
        masked.data,
        Masked(original, np.arange(len(original)), terms=ReleaseTerms()),
        known=known,
        attacks=[
            _classical(known),
            dbrl.DBRL(scale=Scale.PUBLISHED),
            MaskAware(_backwards(mask, original), Scale.PUBLISHED),
        ],
        measures=["reidentification"],
        seed=seed,
        depth=1,
    )
    equals = _equals(original, known)
    links = {
        method: _right(run.standing, equals)
        for method, run in zip((PRL, DBRL, AWARE), found.runs, strict=True)
    }
    links[UNION] = {reading: np.maximum(links[PRL][reading], links[DBRL][reading]) for reading in LinkReading}
    return {
        (method, reading): float(links[method][reading].sum())
        for method in METHODS
        for reading in LinkReading
    }


def _right(standing: Standing, equals: Ints) -> dict[LinkReading, Floats]:
    """How far each link is right, by reading; ``equals`` counts the originals equal to the true one."""
    belief = standing.belief()
    return {
        LinkReading.ALIKE: belief * equals,
        LinkReading.EXPECTED: belief,
        LinkReading.LENIENT: (belief > 0).astype(np.float64),
    }


def _classical(known: Sequence[str]) -> prl.PRL:
    """PRL as of 2002: attributes are equal or not, and agree independently of each other."""
    return prl.PRL(
        share=MatchShare.FIXED,
        non_matches=NonMatches.INDEPENDENT,
        agreements=tuple((name, Exact()) for name in known),
    )


def _backwards(mask: Mask, original: Microdata) -> Declared:
    """Which original category a masked one may come from."""
    assert isinstance(mask, Declares)
    tables = mask.transitions(original)
    return Declared(
        mask.name,
        {name: Transitions(t.released, t.original, t.probability.T) for name, t in tables.items()},
    )


def _equals(original: Microdata, known: Sequence[str]) -> Ints:
    """How many records, itself included, equal each record in these attributes."""
    size = original.frame.select(pl.len().over(list(known))).to_series()
    return np.asarray(size.to_numpy(), np.int64)
