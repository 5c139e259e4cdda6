"""From a request to what the command line leaves behind: tables on the terminal, and files."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from unmask.cli.outputs import check_outputs, complain, write_each
from unmask.cli.where import Where
from unmask.errors import ArgumentError

if TYPE_CHECKING:
    from unmask.assessment.request import Request
    from unmask.assessment.store import Store
    from unmask.studies.run import Result


#: What stands below a decision page.
MORE = "All attacks and measures: --details; the whole report: --html FILE."


@dataclass(frozen=True)
class Recorded:
    """Where the record of a decision goes, who signs it, and in which words."""

    place: Path | None = None
    name: str = ""
    words: str = ""

    def __post_init__(self) -> None:
        if self.place is None and (self.name or self.words):
            raise ArgumentError(
                "a decision is signed or told, and its record has no place",
                hint="name it with --record-of-decision FILE",
            )

    def paths(self) -> tuple[Path, ...]:
        """The files of the record."""
        from unmask.assessment.record_of_decision import record_paths

        return () if self.place is None else record_paths(self.place)

    def write(self, document: object, place: Path) -> None:
        """Write the record of an assessment."""
        from unmask.assessment.record_of_decision import Signature, write_record
        from unmask.documents import AssessmentDocument

        if not isinstance(document, AssessmentDocument):
            raise ArgumentError(
                "only an assessment has a record of its decision", hint="leave --record-of-decision out"
            )
        write_record(document, Signature(self.name, self.words), place)


@dataclass(frozen=True)
class Outputs:
    """Where results go, and how the work is done; none of it changes an answer.

    ``asked_in``: the file that the request was read from, which no output replaces; ``progress``: what a
    program follows while the work goes on.
    """

    json: Path | None = None
    html: Path | None = None
    records: Path | None = None
    save_request: Path | None = None
    where: Where = field(default_factory=Where)
    verbose: bool = False
    resume: bool = False
    details: bool = False
    recorded: Recorded = field(default_factory=Recorded)
    asked_in: Path | None = None
    progress: Path | None = None


def answer(request: Request, outputs: Outputs) -> None:
    """Do what is asked, write what is wanted, and show the result.

    An output that cannot be written at the end keeps neither the others nor the tables from being seen, and
    the exit code tells what a policy says only when all of them are there.
    """
    from unmask.assessment.request import Verb
    from unmask.cli.terminal import err
    from unmask.cli.verdict import dated, leave

    if outputs.records is not None and request.verb is not Verb.ASSESS:
        raise ArgumentError("only an assessment speaks of single records", hint="leave --records out")
    recorded = outputs.recorded
    if recorded.place is not None and request.verb is not Verb.ASSESS:
        raise ArgumentError(
            "only an assessment has a record of its decision", hint="leave --record-of-decision out"
        )
    texts = (outputs.json, outputs.html, outputs.save_request, *recorded.paths(), outputs.progress)
    table = _table(outputs.records)
    check_outputs((*input_paths(request), outputs.asked_in), texts, (table,))
    check_savable(request, outputs.save_request)
    today = dated(request)
    store = _store(today, outputs.resume)
    told = _unfinished(store, outputs.resume)
    # Who waits at a terminal is told now; elsewhere a refusal stands alone.
    if told and err.is_terminal:
        err.print(told)
    result = done(today, outputs.where, outputs.verbose, store, outputs.progress)
    if told and not err.is_terminal:
        err.print(told, soft_wrap=True)
    failed = write_each(
        (
            (outputs.save_request, partial(save, request)),
            (outputs.json, result.to_json),
            (outputs.records, partial(_write_records, result)),
            (outputs.html, result.to_html),
            (recorded.place, partial(recorded.write, result.document)),
        )
    )
    kept = False
    if store is not None and failed:
        kept = store.keep()
    elif store is not None:
        store.remove()
    show(result, outputs.verbose, outputs.details)
    complain(failed, "then run it again with --resume: what was found is kept" if kept else "")
    leave(result.document)


def _table(records: Path | None) -> Path | None:
    """The file of the people, whose suffix tells its format; a folder of parts is checked here."""
    from unmask.data.io.parts import check_folder, names_folder

    if records is None or not names_folder(records):
        return records
    check_folder(records)
    return None


def _write_records(result: Result, path: Path) -> None:
    """The table of the people; it lists them, so others do not read it unless they are let."""
    from unmask.assessment.results import Assessment
    from unmask.data.io.parts import names_folder, write_parts
    from unmask.data.io.replacing import ONLY_USER
    from unmask.data.io.write import write

    if isinstance(result, Assessment) and names_folder(path):
        write_parts(result.records(), path)
    elif isinstance(result, Assessment):
        write(result.records(), path, access=ONLY_USER)


def _store(request: Request, resume: bool) -> Store | None:
    """Where the finished parts of an assessment are kept."""
    from unmask.assessment.request import Verb
    from unmask.assessment.store import Store

    if request.verb is not Verb.ASSESS:
        if resume:
            raise ArgumentError(f"'{request.verb}' cannot be resumed", hint="leave --resume out")
        return None
    return Store.of(request, resume=resume)


def _unfinished(store: Store | None, resume: bool) -> str:
    """What to say of parts that are there from before, or are not."""
    unfinished = store is not None and store.unfinished
    if resume and not unfinished:
        return "no unfinished run of this request on these files: it starts from the beginning"
    if unfinished and not resume:
        return "an unfinished run of this request is there: --resume goes on with it"
    return ""


def done(
    request: Request,
    where: Where | None = None,
    verbose: bool = False,
    store: Store | None = None,
    progress: Path | None = None,
) -> Result:
    """The result of a request, with a bar on the terminal while it is worked out."""
    from unmask.cli.watching import watching
    from unmask.engines.memory import one_arena
    from unmask.ledger import with_ledger
    from unmask.studies.run import run

    one_arena()
    where = Where() if where is None else where
    with watching(verbose, progress) as watcher, where.opened(watcher, input_paths(request)) as engine:
        return with_ledger(request, run(request, engine=engine, store=store))


def show(result: Result, verbose: bool = False, details: bool = False) -> None:
    """The result on the terminal: of an assessment the decision page, ``details``: with all attacks and
    measures; ``verbose``: with the evidence for what was understood of the files too.
    """
    from unmask.assessment.results import Assessment
    from unmask.cli import terminal
    from unmask.cli.decision import show_decision
    from unmask.cli.losses import show_loss, show_losses
    from unmask.cli.study_table import show_study
    from unmask.studies.knowledge import KnowledgeCurves
    from unmask.studies.loss import Losses
    from unmask.studies.protection.study import Study

    if isinstance(result, Assessment):
        show_decision(result.document)
        if details:
            terminal.out.print()
            terminal.show_assessment(result.document)
            if result.document.losses:
                terminal.out.print()
                show_losses(result.document)
        else:
            terminal.say([MORE])
    elif isinstance(result, KnowledgeCurves):
        terminal.show_knowledge(result.document)
    elif isinstance(result, Losses):
        show_loss(result.document)
    elif isinstance(result, Study):
        show_study(result.document, details)
        return  # every release is made by a mask: nothing had to be understood
    else:
        terminal.show_comparison(result.document)
    if verbose:
        terminal.show_evidence(result.document.understood)


def check_savable(request: Request, path: Path | None) -> None:
    """Refuse, before the work, to save a request that no file can hold."""
    from unmask.assessment.request_file import to_toml
    from unmask.data.io.write import checked_text

    if path is not None:
        checked_text(to_toml(request.recorded()), path)


def save(request: Request, path: Path) -> None:
    """The request as TOML, for 'unmask run'; once it is answered, since what is refused writes nothing."""
    from unmask.assessment.request_file import to_toml
    from unmask.data.io.write import write_text

    write_text(to_toml(request.recorded()), path)


def input_paths(request: Request) -> list[str]:
    """The paths that a request reads, so that no output replaces one of them."""
    from unmask.assessment.asked import Given
    from unmask.assessment.inputs import Inputs

    return [path for _, path in Inputs(request, Given()).paths()]
