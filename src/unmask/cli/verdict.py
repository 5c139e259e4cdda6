"""What the command line makes of a policy: a day for the record, a verdict, and an exit code."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import typer

from unmask.errors import ArgumentError

if TYPE_CHECKING:
    from unmask.assessment.request import Request

#: The exit code where a bound is exceeded, or where nobody can tell: a pipeline must stop at both.
NOT_MET = 3
#: What builds that must give the same bytes on any day set (reproducible-builds.org).
EPOCH = "SOURCE_DATE_EPOCH"


def dated(request: Request) -> Request:
    """The request with the day on which it is answered, where it is an assessment without one."""
    from unmask.assessment.request import Verb

    if request.verb is not Verb.ASSESS or request.occasion.date:
        return request
    return replace(request, occasion=replace(request.occasion, date=today()))


def today() -> str:
    """The day in UTC, or that of SOURCE_DATE_EPOCH.

    >>> from unittest.mock import patch
    >>> with patch.dict(os.environ, {EPOCH: "1700000000"}):
    ...     today()
    '2023-11-14'
    """
    told = os.environ.get(EPOCH)
    if not told:
        return datetime.now(UTC).date().isoformat()
    try:
        return datetime.fromtimestamp(int(told), UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        raise ArgumentError(f"{EPOCH} is no number of seconds", hint="set it rightly, or unset it") from None


def leave(document: Any) -> None:
    """Exit with 3 where a policy is not met, and say in one line on stderr what is lacking."""
    from unmask.cli.terminal import err
    from unmask.documents import AssessmentDocument
    from unmask.policies import Verdict

    found = document.verdict if isinstance(document, AssessmentDocument) else None
    if found is None or found.verdict is Verdict.MET:
        return
    told = [
        f"{verdict}: {', '.join(names)}"
        for verdict in (Verdict.EXCEEDED, Verdict.NOT_ESTIMABLE)
        if (names := [one.name for one in found.criteria if one.verdict is verdict])
    ]
    err.print(f"policy '{found.policy}' is not met: {'; '.join(told)}", soft_wrap=True)
    raise typer.Exit(NOT_MET)
