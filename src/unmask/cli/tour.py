"""Verbs that show what unmask has and can do: demo, list, reproduce."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from unmask.cli.options import SeedOption


class Registry(StrEnum):
    """What 'unmask list' can list."""

    MASKS = "masks"
    ATTACKS = "attacks"
    MEASURES = "measures"


def demo(
    out: Annotated[Path, typer.Option(help="Folder for the example's files.")] = Path("demo"),
    seed: SeedOption = 1,
) -> None:
    """Mask a bundled example of 5,000 invented people, attack it and write a report."""
    from unmask.cli.demo import run

    run(out, seed)


def list_(what: Annotated[Registry, typer.Argument(help="masks, attacks or measures")]) -> None:
    """List what there is, with its parameters."""
    from unmask.attacks import ATTACKS, METHODS
    from unmask.cli import terminal
    from unmask.masks import MASKS
    from unmask.measures import FILE_MEASURES, MEASURES
    from unmask.parsing import form
    from unmask.report.titles import title

    if what is Registry.MASKS:
        rows = [(form(name, method), _summary(method)) for name, method in MASKS.items()]
        terminal.show_rows(("mask, and how it is written", "what it does"), rows)
    else:
        names = {**MEASURES, **FILE_MEASURES} if what is Registry.MEASURES else {**ATTACKS, **METHODS}
        named = [(name, title(name).explanation) for name in names]
        terminal.show_rows((what.value.rstrip("s"), "what it does"), named)


def reproduce(
    paper: Annotated[str, typer.Argument(help="The published tables to run again, as in rank-based-2016.")],
    replicates: Annotated[int, typer.Option(min=1, help="Random masked files a cell.")] = 20,
    seed: SeedOption = 1,
    json: Annotated[Path | None, typer.Option(help="Write the cells as JSON.")] = None,
) -> None:
    """Run published tables again, and print published against ours; exits with 1 if a check fails."""
    from unmask.cli.reproduction import show
    from unmask.data.io.write import check_target, write_text
    from unmask.papers import paper_named

    chosen = paper_named(paper)
    if json is not None:
        check_target(json)
    outcome = show(chosen, replicates, seed)
    if json is not None:
        write_text(outcome.to_json(), json)
    if outcome.failed:
        raise typer.Exit(1)


def _summary(item: object) -> str:
    return (item.__doc__ or "").strip().splitlines()[0]
