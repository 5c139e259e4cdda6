"""The report of a comparison: a new release against recorded earlier ones."""

from __future__ import annotations

from dataclasses import dataclass

from unmask.documents import COMPARISON, EXPECTED, ComparisonDocument
from unmask.report.comparing import AVERAGED, COMBINED, THIS
from unmask.report.comparison.releases import headline, releases_chart, sentences
from unmask.report.intruder import about_mask, missing
from unmask.report.methods import CHANCE, INTERVAL, RATE, Explained, methods_section, terms_section
from unmask.report.page import Chapter, Page, Section, chapter, chapters_of, origin, told
from unmask.report.phrases import Reached, not_estimable
from unmask.report.understanding import short_section

__all__ = ["headline", "html", "page"]

_NAMES = {THIS: "this release", COMBINED: "all combined", AVERAGED: "all combined, numbers averaged"}
_LIMITS = (
    "The numbers hold for the attacks, the intruder and the earlier releases described here; an intruder who "
    "holds others, or who follows records in another way, may find more people.",
    "What is counted are people whose record in this release is found. The highest rate is the risk: an "
    "intruder may use the releases together or the best one alone.",
    "The 95% interval covers the accident of who is in the file, not what other intruders know, nor a "
    "mask of another strength.",
)
_COMBINED = Explained(
    "all combined",
    "Records that are followed make one wide file, whose attribute differences add up; or their numbers "
    "are averaged first, each release weighed by the noise that the intruder estimates in it. Where no "
    "records are followed, the candidates of each release are intersected.",
    anchor="term-combined",
)


@dataclass(frozen=True, eq=False)
class ReleaseRow:
    """One attack on one release; what cannot be estimated gives its reason instead."""

    name: str
    title: str
    release: str
    found: Reached | None
    reason: str


def release_rows(document: ComparisonDocument) -> list[ReleaseRow]:
    """One row per attack and release."""
    return [
        ReleaseRow(
            row.keys.attack or "",
            document.methods.title(row.keys.attack or ""),
            _NAMES.get(row.keys.release or "", row.keys.release or ""),
            Reached.of(row.estimate),
            not_estimable(row.estimate),
        )
        for row in document.table.where(measure=EXPECTED)
    ]


def releases_section(document: ComparisonDocument) -> Section:
    """What the releases give away: in words, as a chart, as a table."""
    part = {"told": sentences(document), "rows": release_rows(document)}
    title = "This release, the earlier ones, and all combined"
    return Section("told", title, "releases.html.jinja", part, releases_chart(document, tabled=True))


def intruder_section(document: ComparisonDocument) -> Section | None:
    """Who the intruder is assumed to be."""
    attacks = dict.fromkeys(row.name for row in release_rows(document))
    sentences = [f"The intruder {document.scenario.text}.", missing(document.scenario)]
    return told("intruder", "The intruder", [*sentences, *about_mask(attacks, document.methods)])


def limits_section(document: ComparisonDocument) -> Section | None:
    """What the comparison does not say."""
    return told("limits", "What the numbers do not say", _LIMITS, template="limits")


def page(document: ComparisonDocument) -> Page:
    """All that the report shows. A new section is its function, its template, and its line in a chapter."""
    made = origin("Made", document.unmask, document.seed, COMPARISON)
    return Page(
        "Risk of a release together with earlier ones",
        headline(document),
        _chapters(document),
        f"{made} The same files, options and seed give the same numbers.",
        document.unmask,
    )


def _chapters(document: ComparisonDocument) -> tuple[Chapter, ...]:
    attacks = [row.name for row in release_rows(document)]
    return chapters_of(
        chapter("files", "What was understood of the files", short_section(document), open=True),
        chapter("releases", "Releases", releases_section(document), open=True),
        chapter("meaning", "What the numbers mean", intruder_section(document), limits_section(document)),
        chapter(
            "definitions",
            "Definitions",
            methods_section(document.methods, attacks, (), document.scenario),
            terms_section(RATE, INTERVAL, CHANCE, _COMBINED),
        ),
    )


def html(document: ComparisonDocument) -> str:
    """A self-contained report of the comparison. The same document gives the same bytes."""
    return page(document).html()
