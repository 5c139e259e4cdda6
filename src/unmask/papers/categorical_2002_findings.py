"""What the cells of Domingo-Ferrer and Torra (2002) show on a stand-in: computed, and put in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import fmean

from unmask.papers.base import Cell, Finding, FindingKind
from unmask.papers.categorical_2002_tables import (
    AVERAGES,
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
)

#: Counts are sums of floating-point shares: a smaller difference is none.
ROUNDING = 1e-6
#: The paper calls averages similar that differ by 2% of the better one; here they may differ by so much.
SIMILAR = 0.1

Experiment = tuple[str, int, str]
#: The count of an experiment (group, p, mask) by a method.
Counted = Callable[[Experiment, str], float]


def findings(cells: Sequence[Cell]) -> tuple[Finding, ...]:
    """Promises first, then what the paper says, then what it does not."""
    held = {(cell.table, cell.row, cell.column): cell.ours for cell in cells}
    done = [
        (group, p, mask)
        for group in TABLES
        for p in STRENGTHS
        for mask in MASKS
        if all(key(group, p, mask, method) in held for method in METHODS)
    ]
    if not done:
        return ()

    def ours(experiment: Experiment, method: str) -> float:
        return held[key(*experiment, method)]

    return (
        *_promises(done, ours),
        _similar(done, ours),
        *(_better(mask, done, ours) for mask in MASKS),
        *_aware(done, ours),
        *(_falls(method, done, ours) for method in (PRL, DBRL)),
        *_groups(done, ours),
        *_union(done, ours),
    )


def _theirs(experiment: Experiment, method: str) -> float:
    """The published count; the tables have one for PRL and DBRL in every experiment."""
    return published(*experiment, method) or 0.0


def _mean(done: Sequence[Experiment], counted: Counted, method: str) -> float:
    return fmean(counted(experiment, method) for experiment in done)


def _compared(agrees: bool, text: str) -> Finding:
    return Finding(FindingKind.AGREES if agrees else FindingKind.DIFFERS, text)


def _promises(done: Sequence[Experiment], ours: Counted) -> list[Finding]:
    """What must hold on any file."""
    stated = (
        (AWARE, (DBRL,), "knowing the mask finds at least as many records as DBRL in every experiment"),
        (
            UNION,
            (PRL, DBRL),
            "the union finds at least as many records as PRL and as DBRL in every experiment",
        ),
    )
    found = []
    for more, fewer, text in stated:
        short = sum(any(ours(e, more) < ours(e, method) - ROUNDING for method in fewer) for e in done)
        if short:
            found.append(Finding(FindingKind.BROKEN, f"{text}; it does not in {short} of {len(done)}"))
        else:
            found.append(Finding(FindingKind.HOLDS, f"{text} ({len(done)})"))
    return found


def _similar(done: Sequence[Experiment], ours: Counted) -> Finding:
    prl, dbrl = (_mean(done, ours, method) for method in (PRL, DBRL))
    apart = abs(prl - dbrl) / max(prl, dbrl, ROUNDING)
    return _compared(
        apart <= SIMILAR,
        f"on average DBRL finds {dbrl:.2f} records and PRL {prl:.2f}, {apart:.0%} of the larger apart; "
        f"in the paper {AVERAGES[DBRL]} and {AVERAGES[PRL]}, 2% apart",
    )


def _better(mask: str, done: Sequence[Experiment], ours: Counted) -> Finding:
    """Which method is better on a mask: in the paper's words DBRL on PRAM, and PRL on the others."""
    part = [e for e in done if e[2] == mask]
    mine = {method: _mean(part, ours, method) for method in (PRL, DBRL)}
    theirs = {method: _mean(part, _theirs, method) for method in (PRL, DBRL)}
    claimed = DBRL if mask == "PRAM" else PRL
    other = PRL if claimed == DBRL else DBRL
    text = (
        f"on {mask} {_winner(mine)} is better ({DBRL} {mine[DBRL]:.1f}, {PRL} {mine[PRL]:.1f}); "
        f"the paper says {claimed}"
    )
    if theirs[claimed] < theirs[other]:
        text += ", though not by the averages of its tables"
    return _compared(mine[claimed] > mine[other], f"{text} ({theirs[DBRL]:.1f}, {theirs[PRL]:.1f})")


def _winner(counts: dict[str, float]) -> str:
    prl, dbrl = counts[PRL], counts[DBRL]
    if abs(prl - dbrl) <= ROUNDING:
        return "neither"
    return PRL if prl > dbrl else DBRL


def _aware(done: Sequence[Experiment], ours: Counted) -> list[Finding]:
    aware, dbrl, prl = (_mean(done, ours, method) for method in (AWARE, DBRL, PRL))
    gain, theirs = aware - dbrl, AVERAGES[AWARE] - AVERAGES[DBRL]
    return [
        _compared(
            gain > ROUNDING,
            f"knowing the mask raises the average of DBRL by {gain:.2f} to {aware:.2f}; in the paper by "
            f"{theirs:.2f} to {AVERAGES[AWARE]}",
        ),
        _compared(
            aware > prl,
            f"DBRL that knows the mask finds {'more' if aware > prl else 'no more'} than PRL on average "
            f"({aware:.2f}, {prl:.2f}); in the paper more ({AVERAGES[AWARE]}, {AVERAGES[PRL]})",
        ),
    ]


def _falls(method: str, done: Sequence[Experiment], ours: Counted) -> Finding:
    """Whether fewer records are found the stronger the mask: the steps from p to p + 1 that rise."""
    steps = [
        ((group, p, mask), (group, q, mask))
        for group in TABLES
        for mask in MASKS
        for p, q in pairwise(s for s in STRENGTHS if (group, s, mask) in done)
    ]
    rising, published_rising = (
        sum(counted(after, method) > counted(before, method) + ROUNDING for before, after in steps)
        for counted in (ours, _theirs)
    )
    most = len(steps) / 2
    return _compared(
        (rising < most) == (published_rising < most),
        f"{method} finds more at p + 1 than at p in {rising} of {len(steps)} steps, in the paper in "
        f"{published_rising}",
    )


def _groups(done: Sequence[Experiment], ours: Counted) -> list[Finding]:
    """Where the two methods part: the groups of attributes in which each is better."""
    found = []
    for letter in TABLES:
        part = [e for e in done if e[0] == letter]
        if part:
            mine, theirs = (
                {method: _mean(part, counted, method) for method in (PRL, DBRL)}
                for counted in (ours, _theirs)
            )
            found.append(
                _compared(
                    _winner(mine) == _winner(theirs),
                    f"in group {letter} {_winner(mine)} is better ({DBRL} {mine[DBRL]:.1f}, {PRL} "
                    f"{mine[PRL]:.1f}); in the paper {_winner(theirs)} ({theirs[DBRL]:.1f}, "
                    f"{theirs[PRL]:.1f})",
                )
            )
    return found


def _union(done: Sequence[Experiment], ours: Counted) -> list[Finding]:
    """The records that one method finds and the other does not: the union less the other's."""
    union, prl, dbrl = (_mean(done, ours, method) for method in (UNION, PRL, DBRL))
    only_dbrl, only_prl = union - prl, union - dbrl
    return [
        _compared(
            only_dbrl > ROUNDING and only_prl > ROUNDING,
            f"the methods find different records: on average {only_dbrl:.2f} are found by DBRL only and "
            f"{only_prl:.2f} by PRL only; the paper says that they differ and gives no number",
        ),
        Finding(
            FindingKind.NEW,
            f"the union of DBRL and PRL, which the paper recommends and does not compute, finds {union:.2f} "
            f"on average, {union - max(prl, dbrl):.2f} more than the better of the two",
        ),
    ]
