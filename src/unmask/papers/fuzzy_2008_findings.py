"""What the cells of Torra and Nin (2008) show: how far readings are off, and what the paper says in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from unmask.papers import chance
from unmask.papers.base import Cell, Finding, FindingKind
from unmask.papers.chance import Precision
from unmask.papers.fuzzy_2008_rankings import RANKED_RECORDS, RANKINGS_TABLE
from unmask.papers.fuzzy_2008_tables import OTHER_READINGS, WATER, WDBC

ASSIGNED, LEARNED = "one-to-one", "alignment"

#: The published means are of so many draws.
RUNS = 10
#: What "around 10" and "a maximum of 16" of water-treatment are taken to mean.
AROUND, LARGEST = (7.0, 13.0), (10.0, 22.0)


def table(title: str) -> str:
    """The title of a file's table."""
    return f"Table {title}"


def findings(cells: Sequence[Cell]) -> tuple[Finding, ...]:
    """How far the readings of wdbc are off, what the paper concludes, and what goes beyond it."""
    others = {table(split.title) for split in OTHER_READINGS}
    used = [cell for cell in cells if cell.table not in others and cell.table != RANKINGS_TABLE]
    return (
        *_readings(cells),
        *_conclusions(used),
        *_water([cell for cell in used if cell.table == table(WATER.title)]),
        *_rankings([cell for cell in cells if cell.table == RANKINGS_TABLE]),
        *_beyond(used),
    )


def _readings(cells: Sequence[Cell]) -> Iterator[Finding]:
    """The root mean square distance from the published DBRL cells, for each reading of the columns."""
    for split in (WDBC, *OTHER_READINGS):
        here = [c for c in cells if c.table == table(split.title) and _compared(c, "dbrl")]
        if here:
            off = chance.root_mean_square([cell.difference or 0.0 for cell in here])
            text = f"{split.title}: {off:.1f} links off in the root mean square of {len(here)} DBRL cells"
            if split is WDBC:
                text += "; this reading was chosen after seeing the published values"
            yield Finding(FindingKind.NEW, text)


def _compared(cell: Cell, linkage: str) -> bool:
    return cell.published is not None and cell.row.endswith(linkage)


def _conclusions(cells: Sequence[Cell]) -> Iterator[Finding]:
    """What the paper concludes from its tables."""
    dbrl, prl = ([cell for cell in cells if _compared(cell, linkage)] for linkage in ("dbrl", "prl"))
    if not dbrl:
        return
    for text, better, worse in (
        ("OWA re-identifies more than Sugeno", ("owa", ""), ("sugeno", "")),
        ("thresholds (t) re-identify more than sigmoids (s)", ("", " t"), ("", " s")),
        ("thresholds (t) re-identify more than powers (e)", ("", " t"), ("", " e")),
    ):
        yield _compare(text, _mean(dbrl, *better), _mean(dbrl, *worse))
    if prl:
        yield _compare("DBRL re-identifies more than PRL", _mean(dbrl), _mean(prl))


def _compare(text: str, better: float, worse: float) -> Finding:
    verdict = FindingKind.AGREES if better > worse else FindingKind.DIFFERS
    return Finding(verdict, f"{text}: {better:.1f} against {worse:.1f} on average")


def _mean(cells: Sequence[Cell], start: str = "", end: str = "") -> float:
    return fmean(c.ours for c in cells if c.column.startswith(start) and c.column.endswith(end))


def _water(cells: Sequence[Cell]) -> Iterator[Finding]:
    """The file of which the paper tells two numbers in words: the best mean, and the most of one draw."""
    ours = [cell for cell in cells if cell.row.endswith(("dbrl", "prl"))]
    if not ours:
        return
    best = max(cell.ours for cell in ours)
    # A maximum rises with the number of draws: the paper made ten.
    most = max(value for cell in ours for value in cell.found[:RUNS])
    agrees = AROUND[0] <= best <= AROUND[1] and LARGEST[0] <= most <= LARGEST[1]
    yield Finding(
        FindingKind.AGREES if agrees else FindingKind.DIFFERS,
        f"{WATER.title}: the best cell finds {best:.1f} on average, and {most:.0f} in the best of "
        f"{min(RUNS, len(ours[0].found))} draws (published: around 10, maximum 16; taken as "
        f"{AROUND[0]:g} to {AROUND[1]:g}, and {LARGEST[0]:g} to {LARGEST[1]:g})",
    )


def _rankings(cells: Sequence[Cell]) -> Iterator[Finding]:
    """The two simple methods; the published counts are of one draw."""
    for cell in cells:
        assert cell.published is not None
        z = chance.deviate(cell.found, cell.published, Precision(runs=1, step=1.0))
        verdict = FindingKind.NEW
        if z is not None:
            verdict = FindingKind.AGREES if abs(z) <= chance.limit(len(cells)) else FindingKind.DIFFERS
        told = "too few replicates to judge" if z is None else f"z {z:+.1f}"
        yield Finding(
            verdict,
            f"census, ranking by the {cell.row}: {cell.ours:.1f} of {RANKED_RECORDS} "
            f"(published: {cell.published:.0f}; {told})",
        )


def _beyond(cells: Sequence[Cell]) -> Iterator[Finding]:
    """For each file: the best of the paper's attacks beside the assignment and the alignment."""
    for name in dict.fromkeys(cell.table for cell in cells):
        here = [cell for cell in cells if cell.table == name]
        learned = [cell.ours for cell in here if cell.row == LEARNED]
        if learned:
            paper = max(cell.ours for cell in here if cell.row.endswith(("dbrl", "prl")))
            assigned = max(cell.ours for cell in here if cell.row.endswith(ASSIGNED))
            yield Finding(
                FindingKind.NEW,
                f"{name}: best cell of the paper's attacks {paper:.1f}, of the assignment {assigned:.1f}, "
                f"alignment {learned[0]:.1f}; chance gives 1",
            )
