"""The same without the pages: the command line, the TOML and the Python that do what a page asks."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from unmask.assessment.equivalents import command, python
from unmask.assessment.request import Request, Verb
from unmask.assessment.request_file import to_toml
from unmask.errors import ArgumentError


@dataclass(frozen=True)
class Same:
    """Three texts that do the same thing; ``saved``: the file that holds the TOML already."""

    command: str
    toml: str
    python: str
    saved: str


#: Where the results of a command go, which the pages put into the folder of a run.
_OUTPUTS: Mapping[Verb, Mapping[str, str]] = {
    Verb.ASSESS: {"--html": "report.html"},
    Verb.STUDY: {"--html": "study.html"},
    Verb.PROTECT: {"-o": "protected.csv", "--report": "study.html"},
}


def same(request: Request, saved: str) -> Same:
    """What does the same as a request that is kept in the file ``saved``.

    What no single command can say is said by its file. Before there is a release, nothing is assessed: the
    original is described.
    """
    if request.verb is Verb.ASSESS and not request.files.released:
        files = request.files
        shaped = (("--shape", files.shape), ("--nodes", files.nodes))
        line = ["unmask", "describe", *(word for name, said in shaped if said for word in (name, said))]
        line += [*(["--"] if files.original.startswith("-") else []), files.original]
        text = "# The release is not chosen yet: there is nothing to assess.\n"
        return Same(shlex.join(line), to_toml(request.recorded()), text, saved)
    outputs = _OUTPUTS.get(request.verb, {})
    try:
        line = command(request, outputs)
    except ArgumentError:
        told = {("--html" if option == "--report" else option): path for option, path in outputs.items()}
        line = ["unmask", "run", saved, *(word for pair in told.items() for word in pair)]
    try:
        text = python(request)
    except ArgumentError:
        text = f"import unmask\n\nresult = unmask.run({saved!r})\n"
    return Same(shlex.join(line), to_toml(request.recorded()), text, saved)
