"""What the cells of Torra (2013), table 2, show: what must hold in every draw, and how close they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import sqrt
from statistics import fmean

from unmask.papers.base import Cell, Finding, FindingKind
from unmask.papers.supervised_2013_readings import (
    AM,
    BOUND,
    CEILING,
    CI,
    DISTANCES,
    MD,
    MD_LEARNED,
    PROVEN,
    STANDARDISED_AM,
    WM,
)

#: Percentages come from counts of records: a smaller excess is rounding.
_ROUNDING = 1e-9

#: The reading that a search against the table found.
CLOSEST_READING = "closest reading"

_LEARNED = (WM, CI, MD_LEARNED)

#: What may not exceed what, in any draw.
_PROMISES = (
    ("the plain mean links no more records than learned weights", STANDARDISED_AM, WM),
    ("learned weights link no more records than a learned Choquet integral", WM, CI),
    ("learned weights link no more records than a learned bilinear form", WM, MD_LEARNED),
    *((f"{one} links no more records than its bound", one, f"{one} {BOUND}") for one in _LEARNED),
    *((f"the bound of {one} is not above the ceiling", f"{one} {BOUND}", CEILING) for one in _LEARNED),
)

#: The cells of a reading by row and column.
Cells = Mapping[tuple[str, str], Cell]


def findings(cells: Sequence[Cell]) -> tuple[Finding, ...]:
    """The promises, then reading by reading how close the cells are and what is proven."""
    readings = {
        reading: {(cell.row, cell.column): cell for cell in cells if _reading(cell) == reading}
        for reading in dict.fromkeys(_reading(cell) for cell in cells)
    }
    promises = [_promise(text, low, high, list(readings.values())) for text, low, high in _PROMISES]
    compared = [finding for reading in readings for finding in _compared(reading, readings[reading])]
    return (*promises, *compared)


def _reading(cell: Cell) -> str:
    """The reading that a cell's table is of."""
    return cell.table.partition(", ")[2]


def _rows(found: Cells) -> list[str]:
    return list(dict.fromkeys(row for row, _ in found))


def _promise(text: str, low: str, high: str, readings: Sequence[Cells]) -> Finding:
    """Whether one column is at most another, draw by draw."""
    tried = [
        (a, b)
        for found in readings
        for row in _rows(found)
        for a, b in zip(found[row, low].found, found[row, high].found, strict=True)
    ]
    broken = sum(a > b + _ROUNDING for a, b in tried)
    if broken:
        return Finding(FindingKind.BROKEN, f"{text}, but does in {broken} of {len(tried)} masked files")
    return Finding(FindingKind.HOLDS, f"{text}, in all {len(tried)} masked files")


def _compared(reading: str, found: Cells) -> Iterator[Finding]:
    """Ours beside the published numbers."""
    for distance in DISTANCES:
        yield _closeness(reading, distance, [found[row, distance] for row in _rows(found)])
    yield _all_cells(reading, [found[row, distance] for row in _rows(found) for distance in DISTANCES])
    yield _order(reading, found)
    yield from _above_the_ceiling(reading, found)
    proofs = {one: [found[row, f"{one} {PROVEN}"].found for row in _rows(found)] for one in _LEARNED}
    told = ", ".join(
        f"{one} in {sum(value > 0 for draws in rows for value in draws)} of {sum(map(len, rows))}"
        for one, rows in proofs.items()
    )
    yield Finding(FindingKind.NEW, f"{reading}: proven optimal {told} masked files")


def _closeness(reading: str, distance: str, cells: Sequence[Cell]) -> Finding:
    """How far each cell is, and whether the published one could be one of our draws."""
    told = ", ".join(f"{cell.row} {_difference(cell):+.2f}" for cell in cells)
    near = sum(abs(_difference(cell)) <= 2 * (cell.spread or 0.0) + _ROUNDING for cell in cells)
    verdict = FindingKind.AGREES if near == len(cells) else FindingKind.DIFFERS
    searched = "; the search for this reading used these cells" if _searched(reading, distance) else ""
    return Finding(
        verdict,
        f"{reading}, {distance}: ours minus published in points: {told}; {near} of {len(cells)} published "
        f"are within 2 standard deviations of a draw{searched}",
    )


def _searched(reading: str, distance: str) -> bool:
    """Whether a reading was chosen by the published cells of a distance."""
    return reading == CLOSEST_READING and distance in (AM, MD)


def _all_cells(reading: str, cells: Sequence[Cell]) -> Finding:
    off = sqrt(fmean(_difference(cell) ** 2 for cell in cells))
    worst = max(cells, key=lambda cell: abs(_difference(cell)))
    return Finding(
        FindingKind.NEW,
        f"{reading}: {len(cells)} cells are {off:.2f} points off in the root mean square, {worst.row} "
        f"{worst.column} most ({_difference(worst):+.2f})",
    )


def _order(reading: str, found: Cells) -> Finding:
    """The paper's methods rise from left to right in every row."""
    rising = [
        row
        for row in _rows(found)
        if all(found[row, a].ours <= found[row, b].ours + _ROUNDING for a, b in pairwise(DISTANCES))
    ]
    rows = len(_rows(found))
    return Finding(
        FindingKind.AGREES if len(rising) == rows else FindingKind.DIFFERS,
        f"{reading}: each distance links at least as many as the one before it, {', '.join(DISTANCES)}, in "
        f"{len(rising)} of {rows} maskings (published: in all)",
    )


def _above_the_ceiling(reading: str, found: Cells) -> Iterator[Finding]:
    """Published numbers that no distance can reach under the reading, in any draw."""
    above = [
        f"{row} {distance}"
        for row in _rows(found)
        for distance in DISTANCES
        if (found[row, distance].published or 0.0) > max(found[row, CEILING].found) + _ROUNDING
    ]
    if above:
        yield Finding(
            FindingKind.DIFFERS,
            f"{reading}: published above what any distance can reach in any draw: {', '.join(above)}; the "
            "paper's files must be others",
        )


def _difference(cell: Cell) -> float:
    assert cell.published is not None
    return cell.ours - cell.published
