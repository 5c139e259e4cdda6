"""unmask report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from unmask.cli.answer import Recorded
from unmask.cli.options import DecisionOption, PolicyOption, RecordOption, SignedByOption
from unmask.cli.outputs import check_outputs
from unmask.errors import ArgumentError


def report(
    file: Annotated[
        Path,
        typer.Argument(help="A result, as assess, knowledge, loss, study or ledger assess --json writes it."),
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where the report goes; by default FILE with .html."),
    ] = None,
    policy: PolicyOption = None,
    record_of_decision: RecordOption = None,
    signed_by: SignedByOption = "",
    decision: DecisionOption = "",
) -> None:
    """Make the report of a result, judge it by a policy, or record the decision on it."""
    from unmask.cli import terminal
    from unmask.cli.decision import show_verdict
    from unmask.cli.verdict import leave
    from unmask.data.io.sources import existing, read_text
    from unmask.data.io.write import write_text
    from unmask.documents import AssessmentDocument, read_any
    from unmask.policies import judge
    from unmask.report.pages import PAGES

    source, recorded = existing(file), Recorded(record_of_decision, signed_by, decision)
    target = output or source.with_suffix(".html")
    check_outputs((source, policy), (target, *recorded.paths()))
    form, document = read_any(read_text(source), tuple(PAGES))
    if policy is not None:
        if not isinstance(document, AssessmentDocument):
            raise ArgumentError("only an assessment is judged by a policy", hint="leave --policy out")
        document = replace(document, verdict=judge(document, policy))
    if recorded.place is not None:
        recorded.write(document, recorded.place)
    write_text(PAGES[form](document).html(), target)
    terminal.out.print(f"report: {target}", soft_wrap=True)
    if policy is not None:
        show_verdict(document.verdict)
        leave(document)
