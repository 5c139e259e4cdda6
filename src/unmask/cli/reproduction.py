"""A reproduction on the terminal: published against ours, cell by cell, and what the cells show."""

from __future__ import annotations

from collections.abc import Sequence

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from unmask.cli import terminal
from unmask.papers.base import Cell, Outcome, Paper, run


def show(paper: Paper, replicates: int, seed: int) -> Outcome:
    """Run a paper's tables again and print every cell, with its tolerance if it has one."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = terminal.err
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("cells", total=len(paper))
        outcome = run(paper, replicates, seed, lambda _: progress.advance(task))
    terminal.out.print(f"{paper.citation}; {replicates} replicates, seed {seed}", soft_wrap=True)
    for note in paper.notes:
        terminal.out.print(note, soft_wrap=True)
    for table in dict.fromkeys(cell.table for cell in outcome.cells):
        terminal.out.print(f"\n{table}")
        cells = [cell for cell in outcome.cells if cell.table == table]
        if any(cell.tolerance is not None for cell in cells):
            titles = ("row", "attack", "published", "ours", "sd", "difference", "tolerance", "")
            terminal.show_rows(titles, [_row(cell) for cell in cells])
        else:
            terminal.show_rows(*_grid(cells))
    _sum_up(outcome)
    return outcome


def _sum_up(outcome: Outcome) -> None:
    """How many cells are within their tolerance, and the findings."""
    bound = {cell: cell.slack for cell in outcome.cells if cell.slack is not None}
    if bound:
        nearest = min(bound, key=lambda cell: bound[cell])
        terminal.out.print(
            f"\n{len(bound) - len(outcome.outside)} of {len(bound)} cells within tolerance; "
            f"nearest to its limit: {nearest.table}, {nearest.row}, {nearest.column} "
            f"({_difference(nearest)} of {nearest.tolerance:g})",
            soft_wrap=True,
        )
    if outcome.findings:
        terminal.out.print()
    for finding in outcome.findings:
        terminal.out.print(f"{finding.verdict}: {finding.text}", soft_wrap=True)


def _row(cell: Cell) -> tuple[str, ...]:
    spread = cell.spread
    return (
        cell.row,
        cell.column,
        "" if cell.published is None else f"{cell.published:.1f}",
        f"{cell.ours:.2f}",
        "" if spread is None else f"{spread:.2f}",
        _difference(cell),
        "" if cell.tolerance is None else f"{cell.tolerance:g}",
        "" if cell.inside else "OUT",
    )


def _difference(cell: Cell) -> str:
    return "" if cell.published is None else f"{cell.ours - cell.published:+.2f}"


def _grid(cells: Sequence[Cell]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The titles and rows of a table without tolerances, shaped as it was published: ours/published.

    Where all that was published is random, ours have their standard deviation: ours±sd/published.
    """
    columns = tuple(dict.fromkeys(cell.column for cell in cells))
    found = {(cell.row, cell.column): cell for cell in cells}
    # Ours have decimals where the published numbers of the table have them.
    digits = 0 if all((cell.published or 0.0).is_integer() for cell in cells) else 2
    random = all(cell.spread is not None for cell in cells if cell.published is not None)
    rows = [
        (
            row,
            *(
                _both(found[row, column], digits, random) if (row, column) in found else ""
                for column in columns
            ),
        )
        for row in dict.fromkeys(cell.row for cell in cells)
    ]
    return ("", *columns), rows


def _both(cell: Cell, digits: int, random: bool) -> str:
    digits = digits if cell.digits is None else cell.digits
    ours = f"{cell.ours:.{digits}f}"
    if cell.published is None:
        return ours
    return f"{ours}{f'±{cell.spread:.{digits}f}' if random else ''}/{cell.published:.{digits}f}"
