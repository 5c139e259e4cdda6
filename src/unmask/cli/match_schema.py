"""unmask match-schema: which column of one file is which of the other."""

from __future__ import annotations

import json as json_text
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unmask.cli.options import (
    DelimiterOption,
    EncodingOption,
    SeedOption,
    SheetOption,
    TableOption,
    reader,
)
from unmask.cli.outputs import check_outputs, complain, write_each
from unmask.visible import visible_line

if TYPE_CHECKING:
    from unmask.linkage.schema_matching import SchemaMatch


def match_schema(
    first: Annotated[str, typer.Argument(help="One file, such as the original one.")],
    second: Annotated[str, typer.Argument(help="The other file, such as the released one.")],
    no_names: Annotated[
        bool, typer.Option("--no-names", help="Take no notice of the names of columns.")
    ] = False,
    seed: SeedOption = 0,
    csv: Annotated[Path | None, typer.Option(help="Write the pairs and their evidence as CSV.")] = None,
    json: Annotated[Path | None, typer.Option(help="Write the same as JSON.")] = None,
    delimiter: DelimiterOption = None,
    encoding: EncodingOption = None,
    sheet: SheetOption = None,
    table: TableOption = None,
) -> None:
    """Say which column of one file is which of the other, by names, values, distributions and relations."""
    from unmask.cli import terminal
    from unmask.data.io.write import write, write_text
    from unmask.linkage.schema_matching import match_schema as matched

    check_outputs((first, second), (json,), (csv,))
    read = reader(delimiter, encoding, sheet, table)
    found = matched(read(first), read(second), names=not no_names, seed=seed)
    failed = write_each(
        (
            (csv, lambda path: write(found.table(), path)),
            (json, lambda path: write_text(_json(found), path)),
        )
    )
    if found.pairs:
        rows = [(one.first, one.second, f"{one.probability:.2f}", one.why) for one in found.pairs]
        terminal.show_rows(("first file", "second file", "probability", "why"), rows)
    _say((*_alone(found), *(f"note: {note}" for note in found.notes), "", *_next(first, second, found)))
    complain(failed)


def _json(found: SchemaMatch) -> str:
    alone = dict(zip(("first", "second"), found.alone, strict=True))
    plain = {"pairs": found.table().to_dicts(), "alone": alone, "notes": found.notes}
    return json_text.dumps(plain, indent=1, ensure_ascii=False) + "\n"


def _alone(found: SchemaMatch) -> Iterator[str]:
    for names, file in zip(found.alone, ("first", "second"), strict=True):
        if names:
            yield f"without a likely partner in the {file} file: {', '.join(names)}"


def _next(first: str, second: str, found: SchemaMatch) -> Iterator[str]:
    """How an assessment is told of the likely pairs."""
    words = ["unmask", "assess", first, second]
    for before, after in found.renamed.items():
        if "," in before or any(mark in after for mark in ",="):
            yield f"'{before}' cannot be written on the command line: rename it in one of the files"
        else:
            words += ["--renamed", f"{before}={after}"]
    if len(words) > 4:
        yield f"next, once you agree: {shlex.join(words)}"


def _say(sentences: Iterable[str]) -> None:
    from unmask.cli import terminal

    for sentence in sentences:
        terminal.out.print(visible_line(sentence), soft_wrap=True)
