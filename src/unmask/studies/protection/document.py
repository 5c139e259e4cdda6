"""The document of a study, from what was found of each candidate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version

from unmask.assessment.results import methods_of
from unmask.documents import Table
from unmask.documents.study import RISK, CandidateSection, RecommendationSection, StudyDocument
from unmask.documents.verdict import VerdictSection
from unmask.intruder.scenario import Scenario
from unmask.masks.synthetic import NOT_COUNTED, draws_people
from unmask.measures.estimate import Estimate, Row
from unmask.parsing import steps
from unmask.studies.protection.abouts import abouts
from unmask.studies.protection.candidates import MaskCandidate
from unmask.studies.protection.cell import LOSS
from unmask.studies.protection.front import Place, front
from unmask.studies.protection.judging import intruder_sections, verdict
from unmask.studies.protection.measured import compared_by
from unmask.studies.protection.summary import Draws, summed_up
from unmask.studies.protection.workshop import Workshop

Found = Mapping[tuple[str, Scenario], Draws]


def document_of(
    workshop: Workshop,
    candidates: Sequence[MaskCandidate],
    found: Found,
    recommendation: RecommendationSection | None = None,
    notes: Sequence[str] = (),
) -> StudyDocument:
    """All that a study found."""
    request, intruders = workshop.request, workshop.intruders
    sections = intruder_sections(workshop)
    rows: dict[tuple[str, Scenario], tuple[Row, ...]] = {
        key: summed_up(draws) for key, draws in found.items()
    }
    least = compared_by(request)
    places = {one.text: _place([rows[one.text, i] for i in intruders], least) for one in candidates}
    leading = front({name: place for name, place in places.items() if place is not None})
    table = Table(
        tuple(
            _keyed(row, one.text, section.text if len(sections) > 1 else None)
            for one in candidates
            for intruder, section in zip(intruders, sections, strict=True)
            for row in rows[one.text, intruder]
            if intruder == intruders[0] or (LOSS, row.keys.measure) not in workshop.parts
        )
    )
    return StudyDocument(
        unmask=version("unmask"),
        seed=request.seed,
        records=len(workshop.original),
        replicates=request.replicates,
        intruders=sections,
        least=least,
        losses=workshop.losses,
        candidates=tuple(
            CandidateSection(
                one.text,
                family_of(one.text),
                one.mask.about.title,
                one.reference,
                max(len(draws) for draws in found[one.text, intruders[0]].values()),
                one.text in leading,
                _verdicts(workshop, one, rows, found),
            )
            for one in candidates
        ),
        notes=(*notes, *([NOT_COUNTED] if any(draws_people(one.mask) for one in candidates) else [])),
        table=table,
        methods=methods_of(table, abouts(workshop)),
        provenance=workshop.inputs.provenance(),
        recommendation=recommendation,
    )


def family_of(text: str) -> str:
    """The masks in a text, without their parameters.

    >>> family_of("noise:a=0.1 then pram:p=9"), family_of("unprotected")
    ('noise then pram', 'unprotected')
    """
    return " then ".join(part.partition(":")[0].strip() for part in steps(text))


def _verdicts(
    workshop: Workshop,
    candidate: MaskCandidate,
    rows: Mapping[tuple[str, Scenario], tuple[Row, ...]],
    found: Found,
) -> tuple[VerdictSection, ...]:
    if workshop.policy is None:
        return ()
    return tuple(
        verdict(workshop, one, rows[candidate.text, one], found[candidate.text, one], workshop.policy)
        for one in workshop.intruders
    )


def _place(by_intruder: Sequence[Sequence[Row]], least: str) -> Place | None:
    """The largest risk over intruders, and the loss; None where one of them is not there."""
    risks = [row.estimate for rows in by_intruder for row in rows if row.keys.measure == RISK]
    losses = [e for e in (_loss(rows, least) for rows in by_intruder) if e is not None]
    known = [e for e in risks if e.number is not None]
    if not losses or len(known) < len(by_intruder):
        return None
    return max(known, key=lambda e: e.number or 0.0), losses[0]


def _loss(rows: Sequence[Row], name: str) -> Estimate | None:
    keys = ((row.keys.measure, row.keys.subject, row.keys.attack) for row in rows)
    found = [row.estimate for row, key in zip(rows, keys, strict=True) if key == (name, None, None)]
    return found[0] if found and found[0].estimable else None


def _keyed(row: Row, mask: str, intruder: str | None) -> Row:
    keys = replace(row.keys, mask=mask, intruder=intruder)
    return Row(keys, replace(row.estimate, per_record=None, why=None))
