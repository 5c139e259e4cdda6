"""The definitions: what each method is called, does and comes from, and what the terms of tables mean.

Every number of a page links here: the name of its method to the method's entry, and the heading of its column
to the term's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from unmask.about import About
from unmask.documents.sections import Methods, ScenarioSection
from unmask.report.anchors import anchor
from unmask.report.page import Section
from unmask.report.phrases import capital


@dataclass(frozen=True)
class Explained:
    """One entry: a title, what stands behind it, and where it comes from; ``name`` is what commands take.

    ``anchor``: where tables link to; ``kind``: what it is one of, and how its value is read;
    ``definition``: with the formula.
    """

    title: str
    sentence: str
    source: str = ""
    name: str = ""
    anchor: str = ""
    kind: str = ""
    definition: str = ""


RATE = Explained(
    "rate",
    "The share of people whose record is found; where t records tie for the nearest, each counts 1/t.",
    anchor="term-rate",
)
CHANCE = Explained(
    "chance and p-value",
    "Chance is the rate of a guess. The p-value is how often a random matching of people to records "
    "would give as many correct links; an attack whose parameters were chosen by the very result has "
    "none. For all attacks together both are upper bounds.",
    "V. Torra and J. Nin (2008), Record linkage for database integration using fuzzy integrals, "
    "International Journal of Intelligent Systems 23.",
    anchor="term-chance",
)
INTERVAL = Explained(
    "95% interval",
    "Where the rate among people like these lies, masked by the same rule with the same strength: the "
    "exact binomial interval, for an effective number of people where ties share a hit or people with "
    "identical or exchanged values hang together. It does not say how the rate varies with a mask "
    "whose strength hangs on the file.",
    "E. L. Korn and B. I. Graubard (1998), Confidence intervals for proportions with small expected "
    "number of positive counts estimated from survey data, Survey Methodology 24, 193-201.",
    anchor="term-interval",
)
BASELINE = Explained(
    "without the release, or by chance",
    "What an intruder would reach who does not have the release, or who guesses. Only what a measure finds "
    "beyond it is disclosed by the release; a share that is no larger is no finding.",
    anchor="term-baseline",
)


def methods_section(
    methods: Methods, attacks: Iterable[str], measures: Iterable[str], scenario: ScenarioSection
) -> Section:
    """The attacks and measures of these names, each with the scenario that its numbers hold for."""
    entries = [_entry(methods, name, "Attack") for name in dict.fromkeys(attacks)]
    entries += [_entry(methods, name, "Measure") for name in dict.fromkeys(measures)]
    part = {"entries": tuple(entries), "scenario": f"the intruder {scenario.text}"}
    return Section("methods", "Attacks and measures", "methods.html.jinja", part)


def loss_methods_section(methods: Methods, losses: Iterable[str]) -> Section | None:
    """The losses of these names, which hold whoever the intruder is; None where there are none."""
    part = {"entries": tuple(_entry(methods, name, "Loss") for name in losses), "scenario": ""}
    return Section("loss-methods", "Losses", "methods.html.jinja", part) if part["entries"] else None


def terms_section(*terms: Explained) -> Section:
    """What the headings of the tables mean."""
    return Section("terms", "Terms of the tables", "methods.html.jinja", {"entries": terms, "scenario": ""})


def _entry(methods: Methods, name: str, what: str) -> Explained:
    about = methods.about(name)
    kind = _kind(about, what)
    return Explained(about.title, about.sentence, about.source, name, anchor(name), kind, about.definition)


def _kind(about: About, what: str) -> str:
    """What a method is one of; of a measure or a loss, which way it is read."""
    family = f"{what} of the family '{about.family.title}'."
    return family if what == "Attack" else f"{family} {capital(about.direction)}."
