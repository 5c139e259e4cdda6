"""What the command line shows: tables, sentences, progress. Results go to stdout, the rest to stderr."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as RichTable

from unmask.engines import LocalEngine

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


@dataclass
class Watch:
    """A progress bar over the targets of the attack at work; shown on a terminal only."""

    progress: Progress

    def __post_init__(self) -> None:
        self.task = self.progress.add_task("reading", total=None)

    def announce(self, name: str) -> None:
        """The next attack starts."""
        self.progress.reset(self.task, description=name, total=None)

    def advance(self, done: int, total: int) -> None:
        """So many targets of so many are done."""
        self.progress.update(self.task, completed=done, total=total)


@contextmanager
def watching() -> Iterator[Watch]:
    """A progress bar on stderr, gone when the work is done."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        yield Watch(progress)


def engine(watch: Watch, threads: int | None, verbose: bool) -> LocalEngine:
    """The engine of the command line: it reports to the bar, and its choices to stderr if asked."""
    return LocalEngine(threads=threads, progress=watch.advance, log=err.print if verbose else None)


def show_assessment(document: Mapping[str, Any]) -> None:
    """The findings in a sentence, then one row an attack; the worst attack is marked."""
    from unmask.report import headline

    out.print(headline(document), soft_wrap=True)
    out.print()
    table = RichTable(box=None, pad_edge=False, header_style="bold")
    for title in ("attack", "correct links", "rate", "95% interval", "strict - lenient", "chance", "p-value", ""):
        table.add_column(title, justify="left" if title in ("attack", "") else "right", no_wrap=True)
    for attack, by_measure in _by_attack(document).items():
        table.add_row(*_row(attack, by_measure, document["worst"] == attack))
    out.print(table)
    for note in _notes(document):
        out.print(f"note: {note}", soft_wrap=True)


def _by_attack(document: Mapping[str, Any]) -> dict[str, dict[str, Mapping[str, Any]]]:
    grouped: dict[str, dict[str, Mapping[str, Any]]] = {}
    for result in document["results"]:
        grouped.setdefault(result["attack"], {})[result["measure"]] = result
    return grouped


def _row(attack: str, by_measure: Mapping[str, Mapping[str, Any]], worst: bool) -> list[str]:
    strict, lenient = by_measure.get("reidentification-strict"), by_measure.get("reidentification-lenient")
    main = by_measure.get("reidentification") or strict or lenient
    if main is None or main["value"] is None:
        reason = main["reason"] if main else "not measured"
        return [attack, "-", "-", "-", "-", "-", "-", f"not estimable: {reason}"]
    band = f"{share(strict['value'])} - {share(lenient['value'])}" if strict and lenient else ""
    return [
        attack,
        f"{main['value'] * main['n']:,.1f} of {main['n']:,}",
        share(main["value"]),
        f"{share(main['low'])} - {share(main['high'])}",
        band,
        share(main["chance"]),
        probability(main["p_value"]),
        "<- worst" if worst else "",
    ]


def _notes(document: Mapping[str, Any]) -> list[str]:
    notes = list(document["notes"])
    for attack in document["attacks"]:
        notes += [f"{attack['name']}: {note}" for note in attack["notes"]]
    return notes


def share(value: float) -> str:
    """A share as a percentage, with more digits where it is small.

    >>> share(0.984), share(0.00093), share(0.0)
    ('98.4%', '0.093%', '0.0%')
    """
    percent = 100 * value
    return f"{percent:.2g}%" if 0 < percent < 0.1 else f"{percent:.1f}%"


def probability(value: float) -> str:
    """A p-value, never written as 0.

    >>> probability(0.0341), probability(1e-40)
    ('0.034', '<1e-16')
    """
    if value < 1e-16:
        return "<1e-16"
    return f"{value:.1e}" if value < 0.001 else f"{value:.2g}"


def show_rows(titles: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """A plain table."""
    table = RichTable(box=None, pad_edge=False, header_style="bold")
    for title in titles:
        table.add_column(title)
    for row in rows:
        table.add_row(*row)
    out.print(table)
