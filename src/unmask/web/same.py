"""The same without the pages: the command line, the TOML and the Python that do what a page asks."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from unmask.assessment.equivalents import command, python
from unmask.assessment.request import Request
from unmask.assessment.request_file import to_toml
from unmask.errors import ArgumentError


@dataclass(frozen=True)
class Same:
    """Three texts that do the same thing; ``saved``: the file that holds the TOML already."""

    command: str
    toml: str
    python: str
    saved: str


def same(request: Request, saved: str, outputs: Mapping[str, str] | None = None) -> Same:
    """What does the same as a request that is kept in the file ``saved``.

    What no single command can say is said by its file.
    """
    written = outputs or {}
    try:
        line = command(request, written)
    except ArgumentError:
        line = ["unmask", "run", saved, *(word for pair in written.items() for word in pair)]
    try:
        text = python(request)
    except ArgumentError:
        text = f"import unmask\n\nresult = unmask.run({saved!r})\n"
    return Same(shlex.join(line), to_toml(request.recorded()), text, saved)
