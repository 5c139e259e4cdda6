"""A reproduction on the terminal: published against ours, cell by cell."""

from __future__ import annotations

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from unmask import terminal
from unmask.papers.base import Cell, Outcome, Paper, run


def show(paper: Paper, replicates: int, seed: int) -> Outcome:
    """Run a paper's tables again and print every cell with its tolerance."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = terminal.err
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("cells", total=len(paper))
        outcome = run(paper, replicates, seed, lambda _: progress.advance(task))
    terminal.out.print(f"{paper.citation}; {replicates} replicates, seed {seed}", soft_wrap=True)
    for table in dict.fromkeys(cell.table for cell in outcome.cells):
        terminal.out.print(f"\n{table}")
        rows = [_row(cell) for cell in outcome.cells if cell.table == table]
        terminal.show_rows(("row", "attack", "published", "ours", "sd", "difference", "tolerance", ""), rows)
    farthest = max(outcome.cells, key=lambda c: abs(c.ours - c.published) - c.tolerance)
    terminal.out.print(
        f"\n{len(outcome.cells) - len(outcome.outside)} of {len(outcome.cells)} cells within tolerance; "
        f"nearest to its limit: {farthest.table}, {farthest.row}, {farthest.column} "
        f"({farthest.ours - farthest.published:+.2f} of {farthest.tolerance:g})",
        soft_wrap=True,
    )
    return outcome


def _row(cell: Cell) -> tuple[str, ...]:
    spread = cell.spread
    return (
        cell.row,
        cell.column,
        f"{cell.published:.1f}",
        f"{cell.ours:.2f}",
        "" if spread is None else f"{spread:.2f}",
        f"{cell.ours - cell.published:+.2f}",
        f"{cell.tolerance:g}",
        "" if cell.inside else "OUT",
    )
