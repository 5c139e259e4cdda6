"""What the command line shows: tables, sentences, progress. Results go to stdout, the rest to stderr."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as RichTable

from unmask.engines import LocalEngine, Watcher
from unmask.report import disclosure, headline, learned, releases
from unmask.report.numbers import count, interval, p_value, percent
from unmask.report.words import permutations

# What is printed holds names of columns and files: brackets and colons in them are no markup.
out = Console(highlight=False, markup=False, emoji=False)
if not out.is_terminal:
    out.width = 100  # a pipe or a file has no width of its own
err = Console(stderr=True, highlight=False, markup=False, emoji=False)


class Watch(Watcher):
    """A progress bar over the targets of the attack at work; shown on a terminal only."""

    def __init__(self, progress: Progress) -> None:
        super().__init__()
        self.progress, self.verbose = progress, False
        self.task = progress.add_task("reading", total=None)

    def announce(self, name: str) -> None:
        """The next attack starts."""
        self.progress.reset(self.task, description=name, total=None)

    def advance(self, done: int, total: int) -> None:
        """So many targets of so many are done."""
        super().advance(done, total)
        self.progress.update(self.task, completed=done, total=total)

    def log(self, line: str) -> None:
        """A choice that was made, if it is asked for."""
        if self.verbose:
            err.print(line)


@contextmanager
def watching() -> Iterator[Watch]:
    """A progress bar on stderr, gone when the work is done."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        yield Watch(progress)


def engine(watch: Watch, threads: int | None, verbose: bool) -> LocalEngine:
    """The engine of the command line: it reports to the bar, and its choices to stderr if asked."""
    watch.verbose = verbose
    return LocalEngine(threads=threads, watcher=watch)


def show_assessment(document: Mapping[str, Any]) -> None:
    """The findings in a sentence, then one row an attack and one a measure; ">" marks the worst attack."""
    out.print(headline(document), soft_wrap=True)
    if document["attacks"]:
        out.print()
        _show_attacks(document)
    if learned.rows(document):
        out.print()
        _show_worst_case(document)
    if document.get("releases"):
        out.print()
        show_releases(document["releases"])
    if document.get("sources"):
        out.print()
        for sentence in releases.source_sentences(document["sources"]):
            out.print(sentence, soft_wrap=True)
    if document.get("findings"):
        out.print()
        _show_findings(document)
    for sentence in permutations(document):
        out.print(sentence, soft_wrap=True)
    for note in _notes(document):
        out.print(f"note: {note}", soft_wrap=True)


def _show_attacks(document: Mapping[str, Any]) -> None:
    table = RichTable("", box=None, pad_edge=False, padding=(0, 1), header_style="bold")
    table.add_column("attack", overflow="fold", min_width=11)
    for title in ("correct", "rate", "95% interval", "strict-lenient", "chance", "p-value"):
        table.add_column(title, justify="right", no_wrap=True)
    for attack, by_measure in _by_attack(document).items():
        table.add_row(">" if document["worst"] == attack else "", attack, *_row(by_measure))
    out.print(table)


def _show_worst_case(document: Mapping[str, Any]) -> None:
    """What is proven of the attacks that the truth informed."""
    table = RichTable(box=None, pad_edge=False, padding=(0, 1), header_style="bold")
    table.add_column("informed by the truth", overflow="fold", min_width=11)
    columns = {"found": "found", "bound": "at most", "status": "proof", "hold-out": "found, on others"}
    columns |= {"ceiling": "without a twin"}  # what no distance can pass, beside every result
    if learned.in_groups(document):
        columns |= {"links": "right links", "hold-out links": "right, on others"}
    for name in columns.values():
        table.add_column(name, justify="right")
    for row in learned.rows(document):
        table.add_row(row["name"], *(row[key] for key in columns))
    out.print(table)
    out.print(learned.legend(document), soft_wrap=True)


def _show_findings(document: Mapping[str, Any]) -> None:
    """One row a measure of the file: its worst finding; then the measures that found nothing, and why."""
    rows, missing = disclosure.worst_findings(document), disclosure.unfounded(document)
    table = RichTable(box=None, pad_edge=False, header_style="bold")
    table.add_column("without linking", overflow="fold")
    table.add_column("about", overflow="fold")
    for name in ("value", "95% interval", "otherwise"):
        table.add_column(name, justify="right", overflow="fold")
    for row in rows:
        about = row["subject"] + (f" (and {row['others']} more)" if row["others"] else "")
        table.add_row(row["name"], about, row["value"], row["interval"], row["baseline"])
    if rows:
        out.print(table)
    for line in missing:
        out.print(line, soft_wrap=True)
    rest = sum(found["value"] is not None for found in document["findings"]) - len(rows)
    if rest:
        out.print(f"{rest} more {'finding' if rest == 1 else 'findings'}: see --html, --json and --records")


def show_releases(section: Mapping[str, Any]) -> None:
    """The comparison of releases in sentences, then one row an attack and release."""
    for sentence in releases.sentences(section):
        out.print(sentence, soft_wrap=True)
    out.print()
    rows = []
    for row in section["rows"]:
        if row["measure"] != "reidentification":
            continue
        if row["value"] is None:
            rows.append((row["attack"], row["release"], "not estimable", "", "", ""))
            continue
        found = count(row["value"] * row["n"]), percent(row["value"]), interval(row["low"], row["high"])
        rows.append((row["attack"], row["release"], *found, p_value(row["p_value"])))
    show_rows(("attack", "release", "correct", "rate", "95% interval", "p-value"), rows)


def _by_attack(document: Mapping[str, Any]) -> dict[str, dict[str, Mapping[str, Any]]]:
    grouped: dict[str, dict[str, Mapping[str, Any]]] = {}
    for result in document["results"]:
        grouped.setdefault(result["attack"], {})[result["measure"]] = result
    return grouped


def _row(by_measure: Mapping[str, Mapping[str, Any]]) -> list[str]:
    strict, lenient = by_measure.get("reidentification-strict"), by_measure.get("reidentification-lenient")
    main = by_measure.get("reidentification") or next(iter(by_measure.values()))
    if main["value"] is None:
        return [f"not estimable: {main['reason']}"]
    return [
        count(main["value"] * main["n"]),
        percent(main["value"]),
        _span(main["low"], main["high"]),
        _span(strict["value"], lenient["value"]) if strict and lenient else "",
        percent(main["chance"]),
        p_value(main["p_value"]) if main["p_value"] is not None or not main["reason"] else "none",
    ]


def _span(low: float, high: float) -> str:
    start = "0" if low < 5e-6 else percent(low).removesuffix("%")
    return f"{start} - {percent(high)}"


def _notes(document: Mapping[str, Any]) -> list[str]:
    notes = list(document["notes"])
    for attack in document["attacks"]:
        notes += [f"{attack['name']}: {note}" for note in attack["notes"]]
    return notes


def show_rows(titles: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    """A plain table."""
    table = RichTable(box=None, pad_edge=False, header_style="bold")
    for title in titles:
        table.add_column(title, overflow="fold")
    for row in rows:
        table.add_row(*row)
    out.print(table)
