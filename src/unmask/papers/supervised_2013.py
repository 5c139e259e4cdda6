"""Torra (2013): the worst case. Distances learned from the truth against plain ones, table 2, on Census.

Six microaggregated files of 400 records; the share of records that each distance links strictly to their own,
for the plain mean (d2AM), the Mahalanobis distance (d2MD), and the weighted mean (d2WM), Choquet integral
(d2CI) and bilinear form (d2MD*) whose parameters re-identify most records.

The paper's columns and records are not published, so cells have no tolerance. Table 2 is run under two
readings of the first columns of the file (see :mod:`unmask.papers.supervised_2013_readings`). The plain one
does all as elsewhere in this program and is 16.6 points off the published cells (root mean square of 30
cells, 5 draws, seed 1). The closest one, found by :mod:`unmask.papers.supervised_2013_search`, is 1.7 points
off: MDAV on values as they are, each masked record linked to the nearest original one as in formula (4), and
for d2MD the covariance of the differences of true pairs. All published d2AM and d2MD are within 2 standard
deviations of its draws, and its learned cells within 2.2 points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from unmask.attacks.learned import LearnedDistance
from unmask.data.microdata import Floats, Masked, Microdata
from unmask.engines import Engine, LocalEngine
from unmask.intruder.dossier import Dossier
from unmask.intruder.scenario import Scenario
from unmask.intruder.truth import Truth
from unmask.kernels.moments import covariance
from unmask.kernels.pairing import DIFFERENCE
from unmask.linkage.aggregations import Sum
from unmask.linkage.axes import Axis
from unmask.linkage.decisions import nearest_record
from unmask.linkage.learning.forms import Form
from unmask.linkage.learning.lesson import Twins
from unmask.linkage.spaces import Space, assemble, standardised, whitened
from unmask.papers.base import Cell, Finding, Step, unseen
from unmask.papers.supervised_2013_findings import findings
from unmask.papers.supervised_2013_readings import (
    AM,
    BOUND,
    CEILING,
    CI,
    CLOSEST,
    DISTANCES,
    MASKINGS,
    MD,
    MD_LEARNED,
    PLAIN,
    PROOFS,
    PROVEN,
    SIZE,
    STANDARDISED_AM,
    WM,
    Covariance,
    Linked,
    Masking,
    PaperReading,
    Values,
    census,
    drawn,
    masked_files,
    proof_table,
    table,
    turned,
)
from unmask.randomness import generator

#: The learned distances and the form of each.
FORMS = {WM: Form.WM, CI: Form.CHOQUET, MD_LEARNED: Form.BILINEAR}

#: Seconds for each solve, after which the best found is taken with the bound proven so far.
LIMIT = 10.0

#: What a reader of the closest reading must know.
SEARCHED = (
    "the closest reading was found by a search against this very table (its d2AM and d2MD cells), so that "
    "these are near is no evidence; the learned distances were no part of the search, and are"
)


@dataclass(frozen=True)
class Supervised2013:
    """Table 2, or some of its rows, under some readings.

    Learning takes seconds where the other papers' replicates take milliseconds, so one draw of 400 records
    stands for four replicates, and at least ``fewest`` are made.
    """

    maskings: tuple[Masking, ...] = MASKINGS
    readings: tuple[tuple[str, PaperReading], ...] = (("plain", PLAIN), ("closest", CLOSEST))
    size: int = SIZE
    fewest: int = 5
    limit: float = LIMIT
    name: str = "supervised-2013"
    citation: str = (
        "Torra, Record linkage approaches for dynamic database integration, Data without Boundaries, "
        "deliverable D11.2, 2013"
    )
    left_out: tuple[str, ...] = ()
    #: Seconds for the five distances on one masked file.
    pace: float = 10.0

    @property
    def notes(self) -> tuple[str, ...]:
        """How the paper is read, and what the numbers are."""
        return (
            f"draws of {self.size} records of Census, one for four replicates and at least {self.fewest}; "
            "percent of records whose own record is the only nearest (strict reading of ties): mean over "
            "draws, standard deviation, published",
            *(f"{name} reading: {reading.describe()}" for name, reading in self.readings),
            *([SEARCHED] if CLOSEST in dict(self.readings).values() else []),
            f"learned distances (d2WM, d2CI, d2MD*) are informed by the truth; each has {self.limit:g} s, "
            "then its bound counts: no parameters of that form can link more",
            *self.left_out,
        )

    def __len__(self) -> int:
        return len(self.readings) * len(self.maskings) * (len(DISTANCES) + len(PROOFS))

    def draws(self, replicates: int) -> int:
        """How many draws so many replicates stand for.

        >>> Supervised2013().draws(20), Supervised2013().draws(100)
        (5, 25)
        """
        return max(self.fewest, replicates // 4)

    def steps(self, replicates: int) -> int:
        """One for each masked file."""
        return len(self.readings) * len(self.maskings) * self.draws(replicates)

    def shorter(self) -> tuple[Supervised2013, int]:
        """Two maskings whose distances are learned quickly, and three draws."""
        maskings = (MASKINGS[0], MASKINGS[4])
        note = "quick: 3 draws of two of the six maskings, those whose distances are learned quickly"
        return replace(self, maskings=maskings, fewest=3, pace=4.0, left_out=(note,)), 12

    def cells(self, replicates: int, seed: int, step: Step = unseen) -> Iterator[Cell]:
        """The cells of table 2 for each reading, then what is proven of them."""
        people, engine = census(), LocalEngine()
        rows = [drawn(people, self.size, seed + r) for r in range(self.draws(replicates))]
        for name, reading in self.readings:
            proofs = []
            for masking in self.maskings:
                found = []
                for r, drawn_rows in enumerate(rows):
                    files = masked_files(people, masking, reading, drawn_rows)
                    found.append(linked(files, reading, seed + r, self.limit, engine))
                    step()
                for distance, published in zip(DISTANCES, masking.published, strict=True):
                    values = tuple(each[distance] for each in found)
                    yield Cell(table(name), masking.name, distance, 100 * published, values)
                for what in PROOFS:
                    values = tuple(each[what] for each in found)
                    digits = 0 if what.endswith(PROVEN) else 2
                    proofs.append(Cell(proof_table(name), masking.name, what, None, values, digits=digits))
            yield from proofs

    def findings(self, cells: Sequence[Cell]) -> tuple[Finding, ...]:
        """What must hold in every draw, and how close the cells are."""
        return findings(cells)


def linked(
    files: tuple[Microdata, Microdata], reading: PaperReading, seed: int, limit: float, engine: Engine
) -> dict[str, float]:
    """The percentage of records that each distance links strictly, and what is proven, on one masked file."""
    known, released = files if reading.linked is Linked.ORIGINALS else files[::-1]
    dossier, truth, _ = Scenario().stage(known, Masked(released, np.arange(len(released))), seed)
    share = 100 / len(known)
    found = {
        AM: _percent(dossier, truth, _plain(dossier, reading.compared), engine),
        STANDARDISED_AM: _percent(dossier, truth, standardised(dossier), engine),
        MD: _percent(dossier, truth, _mahalanobis(dossier, truth, reading.covariance), engine),
    }
    for distance, form in FORMS.items():
        rng = generator(seed, "supervised-2013", distance)
        attack = LearnedDistance(form, twins=Twins.STRICT)
        lesson = attack.learn(dossier, truth, rng, engine, limit=limit).lesson
        assert lesson.bound is not None
        found[distance] = share * lesson.found
        found[f"{distance} {BOUND}"] = share * lesson.bound
        found[f"{distance} {PROVEN}"] = 100.0 * (lesson.found >= lesson.bound)
        found[CEILING] = share * lesson.ceiling
    return found


def _percent(dossier: Dossier, truth: Truth, space: Space, engine: Engine) -> float:
    """The percentage of targets whose record is the only nearest by the sum of squares."""
    standing = nearest_record(dossier, space, Sum(power=2), engine).standing(truth, depth=1)
    return float(100 * np.mean((standing.closer == 0) & (standing.tied == 1)))


def _plain(dossier: Dossier, values: Values) -> Space:
    if values is Values.STANDARDISED:
        return standardised(dossier)
    names = dossier.attributes
    return _space(dossier, dossier.known.numbers(names), dossier.released.numbers(names))


def _mahalanobis(dossier: Dossier, truth: Truth, matrix: Covariance) -> Space:
    """Standardised files turned so that the Mahalanobis distance is a sum of squares."""
    if matrix is Covariance.FILES:
        return whitened(dossier)
    space = standardised(dossier)
    differences = covariance(space.known - space.released[truth.row])
    return _space(dossier, *turned(space.known, space.released, differences))


def _space(dossier: Dossier, known: Floats, released: Floats) -> Space:
    """Two matrices as a space; the file has no missing values, so how far one would be does not matter."""
    axes = [
        Axis(np.ascontiguousarray(x), np.ascontiguousarray(y), DIFFERENCE, 1.0, 0.0)
        for x, y in zip(known.T, released.T, strict=True)
    ]
    return assemble(axes, dossier.missing)
