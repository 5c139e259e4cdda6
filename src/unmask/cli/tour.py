"""Verbs that show what unmask has and can do: demo, list, reproduce."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from unmask.cli.options import SeedOption
from unmask.registry import OWN, Registered, Registry


class Listing(StrEnum):
    """What 'unmask list' can list."""

    MASKS = "masks"
    ATTACKS = "attacks"
    MEASURES = "measures"
    LOSSES = "losses"
    POLICIES = "policies"


def demo(
    out: Annotated[Path, typer.Option(help="Folder for the example's files.")] = Path("demo"),
    seed: SeedOption = 1,
) -> None:
    """Mask a bundled example of 5,000 invented people, attack it and write a report."""
    from unmask.cli.demo import run

    run(out, seed)


def list_(
    what: Annotated[Listing, typer.Argument(help="masks, attacks, measures, losses or policies")],
) -> None:
    """List what there is, with its parameters."""
    from unmask import attacks, losses, masks, measures
    from unmask.cli import terminal

    if what is Listing.POLICIES:
        terminal.show_rows(("policy", "what it asks for, and its source"), _policies())
        return
    rooms: dict[Listing, Registry[Any]] = {
        Listing.MASKS: masks.REGISTRY,
        Listing.ATTACKS: attacks.REGISTRY,
        Listing.MEASURES: measures.REGISTRY,
        Listing.LOSSES: losses.REGISTRY,
    }
    room = rooms[what]
    terminal.show_rows((f"{room.what}, and how it is written", "what it does"), _entries(room))


def _entries(registry: Mapping[str, Registered[Any]]) -> list[tuple[str, str]]:
    """How every method is written and what it does; of another package's, which package that is."""
    return [
        (entry.form, entry.about.sentence + ("" if entry.package == OWN else f" (package {entry.package})"))
        for entry in registry.values()
    ]


def _policies() -> list[tuple[str, str]]:
    """Every bundled policy: its title, and who asks for it."""
    from unmask.policies import bundled_policies

    return [(name, f"{one.title}. Source: {one.source}.") for name, one in bundled_policies().items()]


def reproduce(
    paper: Annotated[str, typer.Argument(help="The published tables to run again, as in rank-based-2016.")],
    replicates: Annotated[
        int | None, typer.Option(min=1, help="Random masked files per cell; 20, with --quick fewer.")
    ] = None,
    seed: SeedOption = 1,
    quick: Annotated[
        bool, typer.Option("--quick", help="What a minute allows; says what is left out.")
    ] = False,
    json: Annotated[Path | None, typer.Option(help="Write the cells as JSON.")] = None,
) -> None:
    """Run published tables again and print both; exits with 1 if they differ by more than chance."""
    from unmask.cli.reproduction import REPLICATES, show
    from unmask.data.io.write import check_target, write_text
    from unmask.papers import paper_named

    chosen, usual = paper_named(paper), REPLICATES
    if quick:
        chosen, usual = chosen.shorter()
    if json is not None:
        check_target(json)
    outcome = show(chosen, usual if replicates is None else replicates, seed)
    if json is not None:
        write_text(outcome.to_json(), json)
    if outcome.failed:
        raise typer.Exit(1)
