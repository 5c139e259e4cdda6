"""From the attacks and measures of a request to the parts of its plan, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from unmask.assessment.cost import Sizes, attack_cost, measure_cost
from unmask.assessment.plan import Plan, Planned
from unmask.assessment.request import Request, Verb
from unmask.assessment.stage import Stage
from unmask.attacks import Attack, WorstCase
from unmask.measures import FileMeasure, why_not
from unmask.measures.attribute.models import Modelling
from unmask.measures.evidence import FileEvidence


def attack_parts(attacks: Iterable[Attack | WorstCase], stage: Stage, times: int) -> Iterator[Planned]:
    """What each attack takes that is made so many times; those that learn have a time limit of their own."""
    dossier, people = stage.dossier, len(stage.present)
    compared = dossier.attributes if dossier.comparable else dossier.known.schema.names()
    sizes = Sizes(len(dossier.known), len(dossier.released), max(1, len(compared)))
    # Who is not in the release is tried as well, and counted with those who are.
    each = times * len(stage.tried) / max(1, people)
    for attack in attacks:
        if not isinstance(attack, WorstCase):
            cost = attack_cost(attack.name)
            person = each * cost.person(sizes)
            person *= sizes.known / max(1, len(stage.tried)) if cost.apart else 1.0
            yield Planned.of(attack.name, times * cost.files(sizes), person, people)


def experiments(request: Request) -> int:
    """How many times an attack is made: once, on earlier releases and with them, and by source."""
    earlier, sources = len(request.files.earlier), len(request.scenario.sources)
    by_release = earlier + 2 if earlier else 0
    by_source = 2 * (sources + 1) if sources > 1 and request.verb is Verb.ASSESS else 0
    return 1 + by_release + by_source


def measure_parts(measures: Iterable[FileMeasure], evidence: FileEvidence) -> Iterator[Planned]:
    """What each measure takes that says something of these files; people are those that models predict."""
    known, released = len(evidence.original), len(evidence.released)
    sizes = Sizes(known, released, max(1, len(evidence.known)))
    for measure in measures:
        if why_not(measure, evidence) is None:
            cost, modelling = measure_cost(measure.name), modelling_of(measure)
            people = 0 if modelling is None else min(modelling.limit, known)
            person = len(evidence.confidential) * cost.person(sizes)
            yield Planned.of(measure.name, cost.files(sizes), person, people)


def fitting(measures: tuple[FileMeasure, ...], plan: Plan) -> tuple[FileMeasure, ...]:
    """The measures, with models of as few people as fit the plan: all of the same people."""
    limits = [plan.tried(measure.name) for measure in measures if modelling_of(measure) is not None]
    fewest = min((limit for limit in limits if limit is not None), default=None)
    return measures if fewest is None else tuple(_limited(measure, fewest) for measure in measures)


def modelling_of(measure: FileMeasure) -> Modelling | None:
    """How the measure's models are trained, where it has any."""
    found = getattr(measure, "modelling", None)
    return found if isinstance(found, Modelling) else None


def _limited(measure: Any, people: int) -> FileMeasure:
    modelling = modelling_of(measure)
    if modelling is None or modelling.limit <= people:
        return measure  # type: ignore[no-any-return]
    limited: FileMeasure = replace(measure, modelling=replace(modelling, limit=people))
    return limited
