"""Torra and Nin (2008): linkage of files without a common attribute, tables V to VIII and the other files.

Each cell is the mean number of correct links among 100 records drawn at random, in the paper over 10 draws.
Beside the published attacks stand a one-to-one assignment over the same representatives, and the alignment
that is learned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from unmask.attacks import Attack
from unmask.attacks.alignment import Alignment
from unmask.attacks.rbrl import RBRL
from unmask.attacks.structural import LEVELS, STEP, LinkBy, Structural
from unmask.data.io import read
from unmask.data.microdata import Masked, Microdata
from unmask.data.schema import Column, Schema
from unmask.engines import LocalEngine
from unmask.intruder.scenario import Scenario
from unmask.linkage.representatives import Absent, Normalisation, Operator, Quantifiers
from unmask.papers.base import Cell, Finding, Step, unseen
from unmask.papers.chance import Precision
from unmask.papers.data import reference_file
from unmask.papers.fuzzy_2008_findings import ASSIGNED, LEARNED, RUNS, findings, table
from unmask.papers.fuzzy_2008_rankings import (
    PUBLISHED_LINKS,
    RANKED_RECORDS,
    RANKINGS,
    RANKINGS_TABLE,
    scored,
)
from unmask.papers.fuzzy_2008_tables import (
    CENSUS,
    COLUMNS,
    FILES,
    NORMALISATIONS,
    OTHER_READINGS,
    WATER,
    SplitFile,
)
from unmask.randomness import generator

RECORDS = 100
#: Seconds for one cell and draw, on average, and without the rows that take longest.
PACE, QUICK_PACE = 0.1, 0.02


@dataclass(frozen=True)
class Fuzzy2008:
    """The tables, or some of them.

    ``others``: readings of table VIII that are not used, for which the DBRL cells are made; ``thorough``:
    with the rows beside DBRL; ``rankings``: with the two simple methods on census.
    """

    files: tuple[SplitFile, ...] = FILES
    others: tuple[SplitFile, ...] = OTHER_READINGS
    thorough: bool = True
    rankings: bool = True
    name: str = "fuzzy-2008"
    citation: str = (
        "Torra and Nin, Record linkage for database integration using fuzzy integrals, "
        "International Journal of Intelligent Systems 23 (2008)"
    )
    notes: tuple[str, ...] = (
        f"Mean number of correct links of {RECORDS} records; a replicate is a draw of {RECORDS} records.",
        "Reading: both parts of a file hold the same draw and are normalised within it; representatives are "
        "linked as they are, not standardised again; each record of the second part named in the paper is "
        "linked to the nearest of the first; ties count as shares; missing values are 0 once normalised.",
        "Columns of wdbc: the paper numbers them, and the reading used (the 30 features are numbered, V2-V4 "
        "is a range, V32 does not exist) was chosen after seeing the published values. What the paper says "
        "of how it chose columns fits the 32 columns of the file instead, which gives many more links; "
        "the findings say how far each reading is off.",
        f"DBRL cells are judged, on both sides; the published ones are means of {RUNS} draws.",
        f"PRL: representatives on a grid of {STEP:g} standard deviations (both parts together), agreement "
        f"within {', '.join(f'{cut}' for cut in LEVELS.cuts)} steps or farther; the paper does not tell its "
        "levels, so PRL cells are shown, not judged.",
        f"Rankings: {RANKED_RECORDS} records of census, linked by the rank of one number each.",
        f"Not in the paper: {ASSIGNED} (the assignment of least total squared distance over the "
        f"representatives of the column) and {LEARNED} (once a file).",
    )
    pace: float = PACE

    def __len__(self) -> int:
        rows = 6 * len(COLUMNS) + 1 if self.thorough else 2 * len(COLUMNS)
        others = 2 * len(COLUMNS) * len(self.others)
        return len(self.files) * rows + others + len(RANKINGS) * self.rankings

    def steps(self, replicates: int) -> int:
        """One for each cell and draw."""
        return len(self) * replicates

    def shorter(self) -> tuple[Fuzzy2008, int]:
        """The DBRL cells of the published files, and ten draws."""
        files = tuple(split for split in self.files if split.published or split is WATER)
        left_out = f"PRL, {ASSIGNED}, {LEARNED}, and the files with poor results"
        note = f"quick: {RUNS} draws of the DBRL cells; left out are {left_out}"
        quick = replace(self, files=files, thorough=False, pace=QUICK_PACE, notes=(*self.notes, note))
        return quick, RUNS

    def cells(self, replicates: int, seed: int, step: Step = unseen) -> Iterator[Cell]:
        """The rows of each table, with one more for the assignment under each normalisation."""
        for split in self.files:
            draws = _draws(split, RECORDS, replicates, seed)
            yield from _dbrl(split, draws, Precision(RUNS), step)
            if self.thorough:
                yield from _further(split, draws, step)
        for split in self.others:
            yield from _dbrl(split, _draws(split, RECORDS, replicates, seed), None, step)
        if self.rankings:
            yield from _ranked(_draws(CENSUS, RANKED_RECORDS, replicates, seed), step)

    def findings(self, cells: Sequence[Cell]) -> tuple[Finding, ...]:
        """How far readings are off, what the paper says in words, and what goes beyond it."""
        return findings(cells)


Draw = tuple[Microdata, Masked, int]


def _dbrl(split: SplitFile, draws: Sequence[Draw], precision: Precision | None, step: Step) -> Iterator[Cell]:
    """The DBRL rows; without a precision they are shown, not judged."""
    for normalisation, published in zip(NORMALISATIONS, split.rows("dbrl"), strict=True):
        for (operator, family), value in zip(COLUMNS, published, strict=True):
            attack = _structural(operator, family, normalisation, "dbrl")
            cell = _cell(split, f"{normalisation} dbrl", f"{operator} {family}", draws, attack, step)
            yield replace(cell, published=value, precision=None if value is None else precision)


def _further(split: SplitFile, draws: Sequence[Draw], step: Step) -> Iterator[Cell]:
    """The rows of PRL, then those that the paper does not have."""
    for normalisation, published in zip(NORMALISATIONS, split.rows("prl"), strict=True):
        for (operator, family), value in zip(COLUMNS, published, strict=True):
            attack = _structural(operator, family, normalisation, "prl")
            cell = _cell(split, f"{normalisation} prl", f"{operator} {family}", draws, attack, step)
            yield replace(cell, published=value)
        for operator, family in COLUMNS:
            over = replace(_structural(operator, family, normalisation, "dbrl"), one_to_one=True)
            yield _cell(split, f"{normalisation} {ASSIGNED}", f"{operator} {family}", draws, over, step)
    yield _cell(split, LEARNED, " ".join(COLUMNS[0]), draws, Alignment(), step)


def _ranked(draws: Sequence[Draw], step: Step) -> Iterator[Cell]:
    """The two simple methods on draws of census."""
    for name, score in RANKINGS.items():
        found = []
        for known, masked, seed in draws:
            released = replace(masked, data=scored(masked.data, score))
            found.append(_links(scored(known, score), released, seed, RBRL()))
            step()
        title = f"links of {RANKED_RECORDS}"
        yield Cell(RANKINGS_TABLE, name, title, PUBLISHED_LINKS, tuple(found), digits=1)


def _structural(operator: str, family: str, normalisation: str, link: str) -> Structural:
    return Structural(
        operator=Operator(operator),
        family=Quantifiers(family),
        normalisation=Normalisation(normalisation),
        missing=Absent.ZERO,
        link=LinkBy(link),
    )


def _cell(split: SplitFile, row: str, column: str, draws: Sequence[Draw], attack: Attack, step: Step) -> Cell:
    """The number of links of each draw, without what was published."""
    found = []
    for draw in draws:
        found.append(_links(*draw, attack))
        step()
    return Cell(table(split.title), row, column, None, tuple(found), digits=1)


def _links(known: Microdata, masked: Masked, seed: int, attack: Attack) -> float:
    """The number of correct links of one draw."""
    dossier, truth, _ = Scenario().stage(known, masked, seed)
    matcher = attack.prepare(dossier, generator(seed, "attack", attack.name), LocalEngine())
    return float(matcher.standing(truth, 1).belief().sum())


def _draws(split: SplitFile, records: int, replicates: int, seed: int) -> list[Draw]:
    whole = whole_file(split)
    return [_draw(split, whole, records, seed + r) for r in range(replicates)]


def _draw(split: SplitFile, whole: pl.DataFrame, records: int, seed: int) -> Draw:
    """A draw of records as two files: the second part is known, the first released."""
    rows = generator(seed, "draw", split.file).choice(len(whole), records, replace=False)
    drawn = whole[np.sort(rows)]
    known, released = (
        Microdata(Schema(tuple(Column(name) for name in names)), drawn, label)
        for names, label in ((split.second, "the second part"), (split.first, "the first part"))
    )
    return known, Masked(released, np.arange(records)), seed


def whole_file(split: SplitFile) -> pl.DataFrame:
    """The attributes of both parts as numbers: the diagnosis of wdbc is 1 for M; '?' is missing."""
    frame = read(reference_file(split.file)).frame.select([*split.first, *split.second])
    if "diagnosis" in frame.columns:
        frame = frame.with_columns((pl.col("diagnosis") == "M").cast(pl.Float64))
    return frame.with_columns(pl.all().cast(pl.Float64, strict=False))
