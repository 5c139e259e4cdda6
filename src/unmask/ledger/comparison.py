"""A new release against the recorded ones: what the ledger knows of the files that are compared."""

from __future__ import annotations

from pathlib import Path

from unmask.assessment.request import Request
from unmask.ledger.book import earlier_releases, entries
from unmask.studies.releases import Comparison
from unmask.studies.run import Result


def with_ledger(request: Request, result: Result) -> Result:
    """The result; a comparison whose request names a ledger says which recorded releases were compared."""
    if request.files.ledger is None or not isinstance(result, Comparison):
        return result
    return result.with_notes(ledger_notes(request))


def ledger_notes(request: Request) -> list[str]:
    """Which recorded release each earlier one is, and which recorded ones were not given.

    A file that the ledger does not know as a release of this original is refused.
    """
    files = request.files
    held = entries(Path(files.ledger or ""))
    given, lacking = earlier_releases(
        held, Path(files.original), Path(files.released), [Path(one) for one in files.earlier]
    )
    notes = [f"earlier {i} is {one.title}" for i, one in enumerate(given, start=1)]
    if lacking:
        noun = (
            "earlier release of this file was" if len(lacking) == 1 else "earlier releases of this file were"
        )
        notes.append(f"{len(lacking)} {noun} not given: {', '.join(one.title for one in lacking)}")
    return notes
