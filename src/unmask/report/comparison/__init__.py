"""The report of a comparison: a new release against recorded earlier ones."""

from __future__ import annotations

from dataclasses import dataclass

from unmask.documents import COMPARISON, EXPECTED, ComparisonDocument
from unmask.report.comparing import AVERAGED, COMBINED, THIS
from unmask.report.comparison.releases import headline, releases_chart, sentences
from unmask.report.intruder import about_mask, missing
from unmask.report.methods import Explained, methods_section
from unmask.report.page import Maker, Page, Section, origin, sections_of, told
from unmask.report.phrases import Reached, not_estimable
from unmask.report.understanding import short_section

__all__ = ["SECTIONS", "headline", "html"]

_NAMES = {THIS: "this release", COMBINED: "all combined", AVERAGED: "all combined, numbers averaged"}
_CAPTION = "Share of people found in each release and in all combined. Line: its 95% interval."
_LIMITS = (
    "The numbers hold for the attacks, the intruder and the earlier releases described here; an intruder who "
    "holds others, or who follows records in another way, may find more people.",
    "What is counted are people whose record in this release is found. The highest rate is the risk: an "
    "intruder may use the releases together or the best one alone.",
    "The 95% interval covers the accident of who is in the file, not what other intruders know, nor a "
    "mask of another strength.",
)
_TERMS = (
    Explained(
        "all combined",
        "Records that are followed make one wide file, whose attribute differences add up; or their numbers "
        "are averaged first, each release weighed by the noise that the intruder estimates in it. Where no "
        "records are followed, the candidates of each release are intersected.",
    ),
    Explained(
        "rate, chance and 95% interval",
        "The share of people whose record is found. Chance is the rate of a guess, and the p-value how often "
        "a random matching would give as many correct links. The interval is the exact binomial one, "
        "for an effective number of people where ties or exchanged values make them hang together (Korn and "
        "Graubard 1998).",
    ),
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
    return Section("releases.html.jinja", part, releases_chart(document, _CAPTION))


def intruder_section(document: ComparisonDocument) -> Section | None:
    """Who the intruder is assumed to be."""
    attacks = dict.fromkeys(row.name for row in release_rows(document))
    sentences = [f"The intruder {document.scenario.text}.", missing(document.scenario)]
    return told("intruder", "The intruder", [*sentences, *about_mask(attacks, document.methods)])


def limits_section(document: ComparisonDocument) -> Section | None:
    """What the comparison does not say."""
    return told("limits", "What the numbers do not say", _LIMITS, template="limits")


def glossary_section(document: ComparisonDocument) -> Section:
    """The attacks, then the terms of the table."""
    return methods_section(document.methods, [row.name for row in release_rows(document)], _TERMS)


#: The sections of the page. A new one is its function, its template, and its line here.
SECTIONS: tuple[Maker[ComparisonDocument], ...] = (
    short_section,
    releases_section,
    intruder_section,
    limits_section,
    glossary_section,
)


def html(document: ComparisonDocument) -> str:
    """A self-contained report of the comparison. The same document gives the same bytes."""
    made = origin("Made", document.unmask, document.seed, COMPARISON)
    return Page(
        "Risk of a release together with earlier ones",
        headline(document),
        sections_of(document, SECTIONS),
        f"{made} The same files, options and seed give the same numbers.",
        document.unmask,
    ).html()
