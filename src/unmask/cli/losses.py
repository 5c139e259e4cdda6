"""Losses on the terminal: one row each, beside their references."""

from __future__ import annotations

from unmask.cli.terminal import out, say, show_rows, show_understood
from unmask.documents import LossDocument
from unmask.report import losses
from unmask.report.losses.lines import WithLosses, loss_families
from unmask.report.understanding import remaining_notes


def show_loss(document: LossDocument) -> None:
    """What was understood of the files, the leading loss in a sentence, then every loss."""
    show_understood(document.understood)
    say([losses.headline(document)])
    out.print()
    show_losses(document)
    say(f"note: {note}" for note in remaining_notes(document))


def show_losses(document: WithLosses) -> None:
    """One row per loss of the whole file; then those that have no value, and why."""
    families = loss_families(document)
    lines = [line for family in families for line in family.lines]
    rows = [(line.name, line.value, line.again, line.interval, line.apart) for line in lines if line.value]
    titles = ("loss", "value", "people drawn again", "95% of draws", "columns without relation")
    if rows:
        show_rows(titles, rows)
    say(f"{line.name}: {line.reason}" for line in lines if line.reason)
    more = sum(len(family.parts) for family in families)
    if more:
        noun = "1 value" if more == 1 else f"{more} values"
        out.print(f"{noun} by attribute or part: see --html and --json")
