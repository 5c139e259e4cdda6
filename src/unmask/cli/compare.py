"""unmask compare."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unmask.cli.options import HtmlOption
from unmask.cli.outputs import check_outputs
from unmask.errors import ArgumentError


def compare(
    files: Annotated[list[Path], typer.Argument(help="Assessments, as assess --json writes them.")],
    html: HtmlOption = None,
) -> None:
    """Put assessments of several releases side by side."""
    from unmask.cli import terminal
    from unmask.data.io.sources import existing, read_text
    from unmask.data.io.write import write_text
    from unmask.documents import ASSESSMENT
    from unmask.report.side_by_side import ReleaseSide, cautions, lines, page

    if len(files) < 2:
        raise ArgumentError("one assessment has nothing to be compared with", hint="name two or more")
    check_outputs(files, (html,))
    names = _names(files)
    sides = [
        ReleaseSide.of(name, ASSESSMENT.read(read_text(existing(file))))
        for name, file in zip(names, files, strict=True)
    ]
    rows = [(line.question, *line.answers) for line in lines(sides)]
    terminal.show_rows(("question", *names), rows)
    terminal.say(cautions(sides))
    if html is not None:
        write_text(page(sides), html)


def _names(files: list[Path]) -> list[str]:
    """The names of the files; where two are the same, with their folders."""
    short = [file.stem for file in files]
    return short if len(set(short)) == len(short) else [str(file) for file in files]
