"""A reproduction on the terminal: published against ours, cell by cell, and what the cells show."""

from __future__ import annotations

from collections.abc import Sequence

from unmask.cli import terminal
from unmask.cli.watching import watching
from unmask.papers import PAPERS, chance
from unmask.papers.base import Cell, Paper
from unmask.papers.outcome import Nearness, Outcome, TableFit, run

RULE = (
    "rule: z is the difference in standard errors of both means (rounding of the published one included), as "
    "a normal deviate. A cell is OUT beyond what chance reaches in any of the cells; a table is OUT if its "
    "root mean square z or its mean difference is beyond what chance reaches in any of the tables (with "
    f"probability {chance.LEVEL:.0%} each). No link at all where the paper found some is never near."
)
REPLICATES = 20


def show(paper: Paper, replicates: int, seed: int) -> Outcome:
    """Run a paper's tables again, and print every cell and whether chance explains its difference."""
    if terminal.err.is_terminal:  # as the progress bar: a log has nobody who waits
        terminal.err.print(_beforehand(paper, replicates), soft_wrap=True)
    with watching() as watcher:
        outcome = run(paper, replicates, seed, watcher)
    terminal.out.print(f"{paper.citation}; {replicates} replicates, seed {seed}", soft_wrap=True)
    for note in paper.notes:
        terminal.out.print(note, soft_wrap=True)
    for table in dict.fromkeys(cell.table for cell in outcome.cells):
        terminal.out.print(f"\n{table}")
        cells = [cell for cell in outcome.cells if cell.table == table]
        if all(cell in outcome.judged for cell in cells):
            titles = ("row", "attack", "published", "ours", "sd", "difference", "allowed", "z", "")
            terminal.show_rows(titles, [_row(outcome, cell) for cell in cells])
        else:
            terminal.show_rows(*_grid(outcome, cells))
    _sum_up(outcome)
    return outcome


def _beforehand(paper: Paper, replicates: int) -> str:
    """How long it will take, so that nobody waits for ten minutes without knowing it.

    >>> _beforehand(PAPERS["rank-based-2016"], 20)
    'rank-based-2016 takes about 3 minutes on two cores; Ctrl-C ends it, --quick takes about a minute'
    """
    minutes = round(paper.pace * paper.steps(replicates) / 60)
    time = "a minute" if minutes <= 1 else f"{minutes} minutes"
    hint = ", --quick takes about a minute" if minutes > 1 and PAPERS[paper.name] == paper else ""
    return f"{paper.name} takes about {time} on two cores; Ctrl-C ends it{hint}"


def _sum_up(outcome: Outcome) -> None:
    """How many cells are near, how near the tables are, and the findings."""
    if outcome.judged:
        counts = {kind: sum(outcome.nearness(c) is kind for c in outcome.judged) for kind in Nearness}
        told = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        terminal.out.print(f"\n{len(outcome.judged)} cells are judged: {told}")
    if outcome.fits:
        titles = ("table", "cells", "root mean square z", "by chance", "mean difference", "allowed", "")
        terminal.show_rows(titles, [_fit_row(fit) for fit in outcome.fits])
        terminal.out.print(RULE, soft_wrap=True)
    elif outcome.random:
        terminal.out.print(f"{chance.FEWEST} replicates at least are needed to judge random cells")
    if outcome.findings:
        terminal.out.print()
    for finding in outcome.findings:
        terminal.out.print(f"{finding.verdict}: {finding.text}", soft_wrap=True)


def _fit_row(fit: TableFit) -> tuple[str, ...]:
    low, high = fit.limits
    return (
        fit.table,
        str(fit.cells),
        f"{fit.root_mean_square:.2f}",
        f"{low:.2f} to {high:.2f}",
        f"{fit.bias:+.2f}",
        f"{fit.bias_allowed:.2f}",
        Nearness.OUT if fit.out else "",
    )


def _row(outcome: Outcome, cell: Cell) -> tuple[str, ...]:
    nearness = outcome.nearness(cell)
    return (
        cell.row,
        cell.column,
        f"{cell.published:.1f}",
        f"{cell.ours:.2f}",
        "" if cell.spread is None else f"{cell.spread:.2f}",
        f"{cell.difference:+.2f}",
        _allowed(outcome, cell),
        "" if cell.z is None else f"{cell.z:+.1f}",
        "" if nearness is Nearness.NEAR else nearness,
    )


def _allowed(outcome: Outcome, cell: Cell) -> str:
    """The largest difference that is not out."""
    if cell.precision is None:
        return f"{cell.tolerance:g}"
    if cell.z is None:
        return ""
    return f"{chance.allowance(cell.found, cell.precision, len(outcome.random)):.2f}"


def _grid(outcome: Outcome, cells: Sequence[Cell]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The titles and rows of a table of which not all is judged, shaped as it was published: ours/published.

    Where all that was published is random, ours have their standard deviation: ours±sd/published.
    """
    out = set(outcome.outside)
    columns = tuple(dict.fromkeys(cell.column for cell in cells))
    found = {(cell.row, cell.column): cell for cell in cells}
    # Ours have decimals where the published numbers of the table have them.
    digits = 0 if all((cell.published or 0.0).is_integer() for cell in cells) else 2
    random = all(cell.spread is not None for cell in cells if cell.published is not None)
    rows = [
        (
            row,
            *(
                _both(cell, digits, random) + (f" {Nearness.OUT}" if cell in out else "")
                for cell in (found.get((row, column)) for column in columns)
            ),
        )
        for row in dict.fromkeys(cell.row for cell in cells)
    ]
    return ("", *columns), rows


def _both(cell: Cell | None, digits: int, random: bool) -> str:
    if cell is None:
        return ""
    digits = digits if cell.digits is None else cell.digits
    ours = f"{cell.ours:.{digits}f}"
    if cell.published is None:
        return ours
    return f"{ours}{f'±{cell.spread:.{digits}f}' if random else ''}/{cell.published:.{digits}f}"
