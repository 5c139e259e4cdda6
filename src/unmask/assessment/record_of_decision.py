"""The record of a decision: one page for the file, with all that is needed to defend and to repeat it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unmask.assessment.request_file import from_plain, to_toml
from unmask.data.io.write import write_text
from unmask.documents import AssessmentDocument
from unmask.errors import UnmaskError
from unmask.fields import settle
from unmask.report.decision import DecisionPage, decision
from unmask.report.page import Page, Section
from unmask.report.phrases import capital
from unmask.visible import visible_line

TITLE = "Record of a decision on a release"

#: The two files of a record, one for people who write and one for people who read.
SUFFIXES = (".md", ".html")


@dataclass(frozen=True)
class Signature:
    """Who decides, and in which words; both stand in the record as they are given, and may stay open."""

    name: str = ""
    words: str = ""

    def __post_init__(self) -> None:
        settle(self)


@dataclass(frozen=True)
class Record:
    """What a record says; ``request``: as the TOML text that 'unmask run' reads, empty where it is lost."""

    page: DecisionPage
    signature: Signature
    scenario: str
    inputs: tuple[tuple[str, str, str], ...]
    versions: tuple[tuple[str, str], ...]
    request: str


def record_of(document: AssessmentDocument, signature: Signature) -> Record:
    """The record of an assessment."""
    provenance = document.provenance
    return Record(
        decision(document),
        signature,
        document.scenario.text,
        tuple((file.role, file.name, file.sha256 or "no file") for file in provenance.inputs),
        (("unmask", document.unmask), *provenance.versions.items()),
        _request(provenance.request),
    )


def record_paths(path: Path) -> tuple[Path, Path]:
    """The two files that a record is written to, whichever of them, or neither, is named.

    >>> [str(one) for one in record_paths(Path("spring.md"))]
    ['spring.md', 'spring.html']
    >>> [str(one) for one in record_paths(Path("spring.2026"))]
    ['spring.2026.md', 'spring.2026.html']
    """
    stem = path.with_suffix("") if path.suffix.lower() in SUFFIXES else path
    markdown, html = (stem.with_name(stem.name + suffix) for suffix in SUFFIXES)
    return markdown, html


def write_record(document: AssessmentDocument, signature: Signature, path: Path) -> None:
    """Write the record as Markdown and as HTML."""
    record = record_of(document, signature)
    markdown, html = record_paths(path)
    write_text(record_markdown(record), markdown)
    write_text(record_html(record, document), html)


def record_html(record: Record, document: AssessmentDocument) -> str:
    """The record as a page that loads nothing."""
    part = {"record": record, "verdict": record.page.verdict}
    section = Section("record", TITLE, "record.html.jinja", part)
    made = f"Made by unmask {document.unmask}, seed {document.seed}."
    return Page(TITLE, record.page.answer[0], (), made, document.unmask, section).html()


def record_markdown(record: Record) -> str:
    """The record as Markdown.

    >>> from unmask.documents import Table
    >>> from unmask.documents.sections import FileSizes, ScenarioSection
    >>> scenario, sizes = ScenarioSection("knows 1 attribute", (), "ignore"), FileSizes(3, 3, 3, 0, 3)
    >>> document = AssessmentDocument("0.1.0", 0, scenario, sizes, (), (), None, Table())
    >>> print(record_markdown(record_of(document, Signature("A. Officer", "Not released.")))[:104])
    # Record of a decision on a release
    <BLANKLINE>
    ## Decision
    <BLANKLINE>
    > Not released.
    <BLANKLINE>
    Signed: A. Officer
    <BLANKLINE>
    ## What was found
    """
    return "\n".join(_lines(record)) + "\n"


def _lines(record: Record) -> Iterator[str]:
    page, signature = record.page, record.signature
    yield from (f"# {TITLE}", "", "## Decision", "")
    words = signature.words.strip().splitlines() or ["(in your own words)"]
    yield from (f"> {visible_line(line)}" for line in words)
    yield from ("", f"Signed: {visible_line(signature.name) or '_' * 30}", "")
    yield from ("## What was found", "", *(line for told in page.answer for line in (_text(told), "")))
    if page.facts:
        yield from (_text(page.facts), "")
    yield from _verdicts(page)
    yield from ("## How far to trust it", "", *(f"- {_text(one.text)}" for one in page.trust), "")
    yield from ("## The release and the intruder", "")
    yield from (f"- {capital(fact.label)}: {_text(fact.text)}" for fact in page.file)
    yield from ("", "## Files", "", *_table(("file", "name", "SHA-256"), record.inputs), "")
    yield from ("## Versions", "", *_table(("library", "version"), record.versions), "")
    if record.request:
        yield from (
            "## How to repeat it",
            "",
            "Save this as `request.toml`, then run `unmask run request.toml`.",
        )
        yield from ("", "```toml", record.request.rstrip(), "```")
    yield from ("", _text(page.not_said))


def _verdicts(page: DecisionPage) -> Iterator[str]:
    if page.verdict is None:
        yield from ("No policy was given: nothing here is called acceptable or not.", "")
        return
    yield from (f"## Policy: {_text(page.verdict.title)}", "", f"Source: {_text(page.verdict.source)}", "")
    rows = ((one.title, one.verdict.value, one.why) for one in page.verdict.criteria)
    yield from (*_table(("criterion", "verdict", "why"), rows), "")


def _table(heads: tuple[str, ...], rows: Any) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(_text(cell) for cell in row)} |"


def _text(text: str) -> str:
    """A text in which nothing is markup: names of columns and files are shown as they are."""
    shown = visible_line(text)
    for sign in ("\\", "|", "`", "*", "_", "<", "[", "#"):
        shown = shown.replace(sign, f"\\{sign}")
    return shown


def _request(plain: Any) -> str:
    """The request as TOML; nothing where it is lost, or of a version that is read no more."""
    if plain is None:
        return ""
    try:
        return to_toml(from_plain(plain))
    except UnmaskError:
        return ""
