"""The demo: mask the bundled example, attack it, write a report."""

from __future__ import annotations

from pathlib import Path

from unmask.assessment.request import Request, RequestFiles
from unmask.assessment.results import Assessment
from unmask.assessment.session import Session
from unmask.cli import terminal
from unmask.cli.answer import save
from unmask.cli.decision import show_decision
from unmask.cli.outputs import complain, write_each
from unmask.cli.verdict import dated
from unmask.cli.watching import watching
from unmask.data.example import SCHEMA
from unmask.data.io.replacing import ONLY_USER
from unmask.data.io.schema_file import to_toml
from unmask.data.io.write import check_target, write
from unmask.engines import LocalEngine
from unmask.errors import ArgumentError
from unmask.masks.example import MADE_BY, write_example
from unmask.studies.assess import assessment

FILES = (
    "schema.toml",
    "original.csv",
    "released.csv",
    "request.toml",
    "records.csv",
    "risk.json",
    "report.html",
)


def run(folder: Path, seed: int) -> None:
    """Write the example, its masked version, the assessment and the report into a folder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = error.strerror or "the system refused"
        raise ArgumentError(
            f"'{folder}' cannot be made a folder: {why}",
            hint="name a folder that you may write into with --out",
        ) from None
    for name in FILES:
        check_target(folder / name)
    _check_own(folder)
    terminal.out.print("5,000 invented people; numeric attributes microaggregated, k = 5.\n")
    write_example(folder, seed)
    request = Request(
        RequestFiles(str(folder / "original.csv"), str(folder / "released.csv"), str(folder / "schema.toml")),
        mechanism=MADE_BY,
        seed=seed,
    )
    save(request, folder / "request.toml")
    found = _assessed(request)
    show_decision(found.document)
    failed = write_each(
        (
            (folder / "risk.json", found.to_json),
            (folder / "records.csv", lambda path: write(found.records(), path, access=ONLY_USER)),
            (folder / "report.html", found.to_html),
        )
    )
    complain(failed)
    terminal.out.print(f"\nreport: {folder / 'report.html'}", soft_wrap=True)


def _check_own(folder: Path) -> None:
    """Refuse a folder that has files of these names from somewhere else: the demo would write over them."""
    there = [name for name in FILES if (folder / name).exists()]
    schema = folder / "schema.toml"
    if there and not (schema.exists() and schema.read_bytes() == to_toml(SCHEMA).encode()):
        raise ArgumentError(
            f"'{there[0]}' is there already, and not from the demo", hint="name another folder with --out"
        )


def _assessed(request: Request) -> Assessment:
    """The assessment, with a bar while it is worked out."""
    with watching() as watcher:
        return assessment(Session(dated(request), engine=LocalEngine(watcher=watcher)))
