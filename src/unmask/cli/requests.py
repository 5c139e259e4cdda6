"""Verbs that do again what was asked before: run, rerun."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unmask.cli.answer import Outputs, Recorded, answer, done
from unmask.cli.options import (
    DecisionOption,
    DetailsOption,
    EngineOption,
    HtmlOption,
    MemoryOption,
    ProgressOption,
    RecordOption,
    RecordsOption,
    ResumeOption,
    ScratchOption,
    SignedByOption,
    ThreadsOption,
    TrustExecOption,
    TrustModelOption,
    VerboseOption,
)
from unmask.cli.studying import ResultsOption, StudyOutputs, answer_study
from unmask.cli.where import LOCAL, Where
from unmask.errors import ArgumentError, DataError

if TYPE_CHECKING:
    from unmask.assessment.request import Request
    from unmask.documents.sections import Provenance


def run(
    request: Annotated[Path, typer.Argument(help="A request (TOML), as --save-request writes it.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Where the masked file of a mask goes, or the schema of a check."
        ),
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write the result as JSON.")] = None,
    html: HtmlOption = None,
    records: RecordsOption = None,
    record_of_decision: RecordOption = None,
    signed_by: SignedByOption = "",
    decision: DecisionOption = "",
    resume: ResumeOption = False,
    trust_model: TrustModelOption = False,
    trust_exec: TrustExecOption = False,
    threads: ThreadsOption = None,
    engine: EngineOption = "local",
    scratch: ScratchOption = None,
    memory: MemoryOption = None,
    progress: ProgressOption = None,
    results: ResultsOption = None,
    details: DetailsOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Do what a request asks; paths in it are read from the present folder."""
    from unmask.assessment.request import Verb
    from unmask.assessment.request_file import check_files_named, from_toml
    from unmask.cli.check import answer_check
    from unmask.cli.files import write_masked
    from unmask.data.io.sources import read_text

    asked = from_toml(read_text(request))
    check_files_named(asked)
    _check_trust(asked, trust_model, trust_exec)
    if results is not None and asked.verb not in (Verb.STUDY, Verb.PROTECT):
        raise ArgumentError(f"'{asked.verb}' has no use for --results", hint="leave it out")
    if asked.verb in (Verb.MASK, Verb.CHECK, Verb.STUDY, Verb.PROTECT):
        if engine != LOCAL or scratch is not None or memory is not None:
            raise ArgumentError(
                f"'{asked.verb}' runs on this machine", hint="leave --engine, --scratch and --memory out"
            )
        made = asked.verb in (Verb.MASK, Verb.CHECK)
        unused = {
            "--html": html if made else None,
            "--records": records,
            "--record-of-decision": record_of_decision,
            "--json": json if asked.verb is Verb.MASK else None,
            "--progress": progress if made else None,
        }
        for option, path in unused.items():
            if path is not None:
                raise ArgumentError(f"'{asked.verb}' has no use for {option}", hint="leave it out")
    if asked.verb is Verb.MASK:
        write_masked(asked, output, asked_in=request)
    elif asked.verb is Verb.CHECK:
        answer_check(asked, output, json, asked_in=request)
    elif asked.verb in (Verb.STUDY, Verb.PROTECT):
        outputs = StudyOutputs(
            json=json, html=html, threads=threads, verbose=verbose, details=details, asked_in=request,
            progress=progress, results=results,
        )  # fmt: skip
        _answer_study(asked, output, outputs)
    else:
        recorded, where = (
            Recorded(record_of_decision, signed_by, decision),
            Where(engine, scratch, threads, memory),
        )
        answer(
            asked,
            Outputs(json, html, records, None, where, verbose, resume, details, recorded, request, progress),
        )


def _answer_study(request: Request, output: Path | None, outputs: StudyOutputs) -> None:
    """A study, or the search for a protection, which needs a place for the protected file."""
    from unmask.assessment.request import Verb
    from unmask.cli.protect import answer_protect

    if request.verb is Verb.STUDY:
        answer_study(request, outputs)
    elif output is None:
        raise ArgumentError("the protected file has no place", hint="name it with --output FILE")
    else:
        answer_protect(request, output, outputs)


def rerun(
    file: Annotated[
        Path, typer.Argument(help="A result as JSON: of assess, knowledge, loss, study, ledger assess.")
    ],
    trust_model: TrustModelOption = False,
    trust_exec: TrustExecOption = False,
    threads: ThreadsOption = None,
) -> None:
    """Repeat a result, and tell whether the same bytes come out or what changed (exit code 1)."""
    from unmask.assessment.request_file import check_files_named, from_plain
    from unmask.cli import terminal
    from unmask.data.io.sources import read_text, shown
    from unmask.documents import ASSESSMENT, COMPARISON, KNOWLEDGE, LOSS, read_any
    from unmask.documents.study import STUDY

    before = read_text(file)
    _, document = read_any(before, (ASSESSMENT, KNOWLEDGE, COMPARISON, LOSS, STUDY))
    provenance: Provenance = document.provenance
    if provenance.request is None:
        raise DataError(
            f"'{shown(file)}' does not carry its request", hint="assess the files again with this unmask"
        )
    request = from_plain(provenance.request)
    check_files_named(request)
    _check_trust(request, trust_model, trust_exec)
    changed = changed_files(provenance)
    if changed:
        terminal.out.print(f"not repeated: changed since: {', '.join(changed)}", soft_wrap=True)
        raise typer.Exit(1)
    result = done(request, Where(threads=threads))
    versions = changed_versions(document.unmask, provenance)
    if result.to_json() == before:
        also = f", though these versions changed: {', '.join(versions)}" if versions else ""
        terminal.out.print(f"the same result, byte for byte{also}", soft_wrap=True)
        return
    why = f"these versions changed: {', '.join(versions)}" if versions else _unexplained(result.to_json())
    terminal.out.print(f"another result: {why}", soft_wrap=True)
    raise typer.Exit(1)


def _check_trust(request: Request, model: bool, program: bool) -> None:
    """A request may be somebody else's: that it trusts a model, or names a program, is not enough."""
    check_programs(request, program)
    if request.files.trust_model and not model:
        raise ArgumentError(
            "the request trusts a model whose file can run any program",
            hint="if the request and the model are your own, say --trust-model",
        )


def check_programs(request: Request, trusted: bool) -> None:
    """Refuse masks that run a program, unless the request is said to be one's own."""
    from unmask.masks import check_trusted, expand, parse

    single = () if request.mask is None else (request.mask,)
    check_trusted([parse(one) for text in (*single, *request.masks) for one in expand(text)], trusted)


def changed_files(provenance: Provenance) -> list[str]:
    """The inputs whose bytes are not those of the result any more; a missing one is refused elsewhere."""
    from unmask.assessment.inputs import input_files
    from unmask.assessment.request_file import from_plain

    before = {one.role: one for one in provenance.inputs}
    now = input_files(from_plain(provenance.request or {}))
    gone = before.keys() - {one.role for one in now}
    return [
        *(f"{one.name} ({one.role})" for one in now if before.get(one.role) != one),
        *(f"{one.name} ({role}), which is gone" for role, one in before.items() if role in gone),
    ]


def changed_versions(unmask: str, provenance: Provenance) -> list[str]:
    """The libraries that have another version now."""
    from unmask.assessment.inputs import versions

    now = versions()
    before = {"unmask": unmask, **provenance.versions}
    return [f"{name} {before[name]} -> {now.get(name)}" for name in before if now.get(name) != before[name]]


def _unexplained(text: str) -> str:
    if '"cut": true' in text:
        return "the time limit ended a search, and this machine took another time"
    return "no file and no version changed; the result may have been edited"
