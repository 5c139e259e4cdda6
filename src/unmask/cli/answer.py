"""From a request to what the command line leaves behind: tables on the terminal, and files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from unmask.cli.options import check_outputs
from unmask.errors import ArgumentError

if TYPE_CHECKING:
    from unmask.assessment.request import Request
    from unmask.studies.run import Result


@dataclass(frozen=True)
class Outputs:
    """Where results go, and how the work is done; none of it changes an answer."""

    json: Path | None = None
    html: Path | None = None
    records: Path | None = None
    save_request: Path | None = None
    threads: int | None = None
    verbose: bool = False


def answer(request: Request, outputs: Outputs) -> None:
    """Do what is asked, write what is wanted, and show the result."""
    from unmask.assessment.results import Assessment
    from unmask.data.io.write import write

    texts = (outputs.json, outputs.html, outputs.save_request)
    check_outputs(input_paths(request), texts, (outputs.records,))
    save(request, outputs.save_request)
    result = done(request, outputs.threads, outputs.verbose)
    if outputs.records is not None:
        if not isinstance(result, Assessment):
            raise ArgumentError("only an assessment speaks of single records", hint="leave --records out")
        write(result.records(), outputs.records)
    if outputs.json is not None:
        result.to_json(outputs.json)
    if outputs.html is not None:
        result.to_html(outputs.html)
    show(result, outputs.verbose)


def done(request: Request, threads: int | None = None, verbose: bool = False) -> Result:
    """The result of a request, with a bar on the terminal while it is worked out."""
    from unmask.cli.watching import watching
    from unmask.engines import LocalEngine
    from unmask.ledger import with_ledger
    from unmask.studies.run import run

    with watching(verbose) as watcher:
        return with_ledger(request, run(request, engine=LocalEngine(threads=threads, watcher=watcher)))


def show(result: Result, verbose: bool = False) -> None:
    """The result on the terminal; ``verbose``: with the evidence for what was understood of the files."""
    from unmask.assessment.results import Assessment
    from unmask.cli import terminal
    from unmask.studies.knowledge import KnowledgeCurves

    if isinstance(result, Assessment):
        terminal.show_assessment(result.document, verbose)
    elif isinstance(result, KnowledgeCurves):
        terminal.show_knowledge(result.document, verbose)
    else:
        terminal.show_comparison(result.document, verbose)


def save(request: Request, path: Path | None) -> None:
    """The request as TOML, for 'unmask run'."""
    from unmask.assessment.request_file import to_toml
    from unmask.data.io.write import write_text

    if path is not None:
        write_text(to_toml(request.recorded()), path)


def input_paths(request: Request) -> Iterable[str]:
    """The paths that a request reads, so that no output replaces one of them."""
    from unmask.assessment.asked import Given
    from unmask.assessment.inputs import Inputs

    return [path for _, path in Inputs(request, Given()).paths()]
