"""Candidates before a policy: the mean over draws of a mask, judged as one assessment would be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version

from unmask.assessment.request_file import to_plain
from unmask.documents import BASELINE, AssessmentDocument, Table
from unmask.documents.sections import (
    AttackSection,
    FileSizes,
    KnownAttribute,
    Methods,
    Provenance,
    ScenarioSection,
)
from unmask.documents.study import RISK, SCORE
from unmask.documents.verdict import VerdictSection
from unmask.intruder.scenario import Scenario
from unmask.measures.estimate import Row
from unmask.policies import Policy, judge
from unmask.studies.protection.abouts import abouts
from unmask.studies.protection.summary import Draws, informed
from unmask.studies.protection.workshop import Workshop


def intruder_section(workshop: Workshop, intruder: Scenario) -> ScenarioSection:
    """Who an intruder of the study is assumed to be."""
    original = workshop.original
    known = intruder.attributes(original, original)
    return ScenarioSection(
        intruder.describe(len(original)),
        tuple(KnownAttribute(name, original.schema[name].kind.value) for name in known),
        "as the files suggest" if intruder.missing is None else intruder.missing.value,
        intruder.largest_error,
        intruder.block,
    )


def intruder_sections(workshop: Workshop) -> tuple[ScenarioSection, ...]:
    """All intruders of the study, each with a name of its own, by which rows speak of them.

    Of those who know as much, the attributes are named; who still has the name of another is counted.
    """
    sections = [intruder_section(workshop, intruder) for intruder in workshop.intruders]
    texts = [section.text for section in sections]
    named = [
        f"{one.text} ({', '.join(known.name for known in one.attributes)})"
        if texts.count(one.text) > 1
        else one.text
        for one in sections
    ]
    return tuple(
        replace(one, text=name if named.count(name) < 2 else f"{name}, intruder {place}")
        for place, (one, name) in enumerate(zip(sections, named, strict=True), start=1)
    )


def verdict(
    workshop: Workshop, intruder: Scenario, rows: Sequence[Row], draws: Draws, policy: Policy
) -> VerdictSection:
    """What a policy says of a mask before one intruder, by the rows of its draws."""
    return judge(as_assessment(workshop, intruder, rows, draws), policy)


def as_assessment(
    workshop: Workshop, intruder: Scenario, rows: Sequence[Row], draws: Draws
) -> AssessmentDocument:
    """The rows of a mask as the document of an assessment, which policies judge."""
    told = tuple(row for row in rows if row.keys.measure not in (RISK, SCORE))
    names = dict.fromkeys(row.keys.attack for row in told if row.keys.attack is not None)
    learned = informed(draws)
    cut = any(one.get("cut", False) for outcomes in draws.values() for one in outcomes)
    attacks = tuple(
        AttackSection(name, name == BASELINE, (), {}, informed=name in learned, cut=cut) for name in names
    )
    n = len(workshop.original)
    return AssessmentDocument(
        version("unmask"),
        workshop.request.seed,
        intruder_section(workshop, intruder),
        FileSizes(n, n, n, n, n),
        (),
        attacks,
        None,
        Table(told),
        named=workshop.request.measures is not None,
        methods=Methods.of(abouts(workshop)),
        provenance=Provenance(to_plain(workshop.request.recorded())),
    )
