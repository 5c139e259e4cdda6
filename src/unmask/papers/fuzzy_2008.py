"""Torra and Nin (2008): linkage of files without a common attribute, tables V to VIII and the poor files.

Each cell is the mean number of correct links among 100 records drawn at random. Beside the published attacks
stand a one-to-one assignment over the same representatives, and the alignment that is learned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

import numpy as np
import polars as pl

from unmask.attacks import Attack
from unmask.attacks.alignment import Alignment
from unmask.attacks.structural import LEVELS, STEP, LinkBy, Structural
from unmask.data.io import read
from unmask.data.microdata import Masked, Microdata
from unmask.data.schema import Column, Schema
from unmask.engines import LocalEngine
from unmask.intruder.scenario import Scenario
from unmask.linkage.representatives import Absent, Normalisation, Operator, Quantifiers
from unmask.papers.base import Cell, Finding, Verdict
from unmask.papers.data import reference_file
from unmask.papers.fuzzy_2008_tables import COLUMNS, FILES, ROWS, SplitFile
from unmask.randomness import generator

RECORDS = 100
#: A DBRL cell is near the published one when it is no more links below it; higher is better.
NEAR = 2.5
#: The share of near cells that is promised.
PROMISED = 0.8
ASSIGNED, LEARNED = "one-to-one", "alignment"


@dataclass(frozen=True)
class Fuzzy2008:
    """The tables, or some of them."""

    files: tuple[SplitFile, ...] = FILES
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
        f"PRL: representatives on a grid of {STEP:g} standard deviations (both parts together), agreement "
        f"within {', '.join(f'{cut}' for cut in LEVELS.cuts)} steps or farther; the paper does not tell its "
        "levels, so PRL cells are shown, not promised.",
        f"Not in the paper: {ASSIGNED} (the assignment of least total squared distance over the "
        f"representatives of the column) and {LEARNED} (once a file).",
    )

    def __len__(self) -> int:
        return len(self.files) * (6 * len(COLUMNS) + 1)

    def cells(self, replicates: int, seed: int) -> Iterator[Cell]:
        """The rows of each table, with one more for the assignment under each normalisation."""
        for split in self.files:
            whole = _file(split)
            draws = [_draw(split, whole, seed + r) for r in range(replicates)]
            for row, (normalisation, link) in enumerate(ROWS):
                for column, (operator, family) in enumerate(COLUMNS):
                    attack = _structural(operator, family, normalisation, link)
                    published = split.published[row][column] if split.published else None
                    yield _cell(
                        split, f"{normalisation} {link}", (operator, family), published, draws, attack
                    )
                if link == "prl":
                    for operator, family in COLUMNS:
                        over = replace(_structural(operator, family, normalisation, "dbrl"), one_to_one=True)
                        yield _cell(
                            split, f"{normalisation} {ASSIGNED}", (operator, family), None, draws, over
                        )
            yield _cell(split, LEARNED, COLUMNS[0], None, draws, Alignment())

    def findings(self, cells: Sequence[Cell]) -> tuple[Finding, ...]:
        """The promise on DBRL, what the paper concludes, and what goes beyond it."""
        compared = [cell for cell in cells if cell.published is not None and cell.row.endswith("dbrl")]
        if not compared:
            return tuple(_beyond(cells))
        found = [_promise(compared)]
        for text, better, worse in (
            ("OWA re-identifies more than Sugeno", ("owa", ""), ("sugeno", "")),
            ("thresholds (t) re-identify more than sigmoids (s)", ("", " t"), ("", " s")),
            ("thresholds (t) re-identify more than powers (e)", ("", " t"), ("", " e")),
        ):
            found.append(_compare(text, _mean(compared, *better), _mean(compared, *worse)))
        prl = [cell for cell in cells if cell.published is not None and cell.row.endswith("prl")]
        found.append(_compare("DBRL re-identifies more than PRL", _mean(compared), _mean(prl)))
        return (*found, *_beyond(cells))


def _promise(compared: Sequence[Cell]) -> Finding:
    far = [cell for cell in compared if cell.ours < (cell.published or 0.0) - NEAR]
    above = [cell for cell in compared if cell.ours > (cell.published or 0.0) + NEAR]
    near = len(compared) - len(far)
    text = (
        f"{near} of {len(compared)} DBRL cells are within {NEAR:g} links of the published mean, or above it "
        f"(promised: {PROMISED:.0%}); {len(above)} are more than {NEAR:g} above"
    )
    if far:
        text += "; below: " + ", ".join(f"{c.table} {c.row} {c.column} ({c.ours:.1f})" for c in far)
    return Finding(Verdict.HOLDS if near >= PROMISED * len(compared) else Verdict.BROKEN, text)


def _compare(text: str, better: float, worse: float) -> Finding:
    verdict = Verdict.AGREES if better > worse else Verdict.DIFFERS
    return Finding(verdict, f"{text}: {better:.1f} against {worse:.1f} on average")


def _mean(cells: Sequence[Cell], start: str = "", end: str = "") -> float:
    return fmean(c.ours for c in cells if c.column.startswith(start) and c.column.endswith(end))


def _beyond(cells: Sequence[Cell]) -> Iterator[Finding]:
    """For each file: the best of the paper's attacks beside the assignment and the alignment."""
    for table in dict.fromkeys(cell.table for cell in cells):
        here = [cell for cell in cells if cell.table == table]
        paper = max(cell.ours for cell in here if cell.row.endswith(("dbrl", "prl")))
        assigned = max(cell.ours for cell in here if cell.row.endswith(ASSIGNED))
        learned = max(cell.ours for cell in here if cell.row == LEARNED)
        text = (
            f"{table}: best cell of the paper's attacks {paper:.1f}, of the assignment {assigned:.1f}, "
            f"alignment {learned:.1f}; chance gives 1"
        )
        yield Finding(Verdict.NEW, text)


def _structural(operator: str, family: str, normalisation: str, link: str) -> Structural:
    return Structural(
        operator=Operator(operator),
        family=Quantifiers(family),
        normalisation=Normalisation(normalisation),
        missing=Absent.ZERO,
        link=LinkBy(link),
    )


Draw = tuple[Microdata, Masked, int]


def _cell(
    split: SplitFile,
    row: str,
    column: tuple[str, str],
    published: float | None,
    draws: Sequence[Draw],
    attack: Attack,
) -> Cell:
    found = tuple(_links(*draw, attack) for draw in draws)
    return Cell(f"Table {split.title}", row, " ".join(column), published, found, digits=1)


def _links(known: Microdata, masked: Masked, seed: int, attack: Attack) -> float:
    """The number of correct links of one draw."""
    dossier, truth, _ = Scenario().stage(known, masked, seed)
    matcher = attack.prepare(dossier, generator(seed, "attack", attack.name), LocalEngine())
    return float(matcher.standing(truth, 1).belief().sum())


def _draw(split: SplitFile, whole: pl.DataFrame, seed: int) -> Draw:
    """A draw of records as two files: the second part is known, the first released."""
    rows = generator(seed, "draw", split.file).choice(len(whole), RECORDS, replace=False)
    drawn = whole[np.sort(rows)]
    known, released = (
        Microdata(Schema(tuple(Column(name) for name in names)), drawn, label)
        for names, label in ((split.second, "the second part"), (split.first, "the first part"))
    )
    return known, Masked(released, np.arange(RECORDS)), seed


def _file(split: SplitFile) -> pl.DataFrame:
    """The attributes of both parts as numbers: the diagnosis of wdbc is 1 for M; '?' is missing."""
    frame = read(reference_file(split.file)).frame.select([*split.first, *split.second])
    if "diagnosis" in frame.columns:
        frame = frame.with_columns((pl.col("diagnosis") == "M").cast(pl.Float64))
    return frame.with_columns(pl.all().cast(pl.Float64, strict=False))
