"""What the methods of a study say of themselves, for readers who never met them."""

from __future__ import annotations

from unmask.about import About, defined
from unmask.assessment.methods import loss_of
from unmask.attacks import GuessedMechanism, attack_named
from unmask.attacks.mechanism import ABOUTS as KNOWN_ABOUTS
from unmask.documents.study import RISK, SCORE
from unmask.linkage.mechanism import Belief
from unmask.measures import FileMeasure, Measure
from unmask.measures import abouts as measure_abouts
from unmask.measures.families import REIDENTIFICATION
from unmask.measures.sources import TORRA_2017
from unmask.studies.protection.cell import GUESSED_MASK, KNOWN_MASK
from unmask.studies.protection.workshop import Workshop

#: What a study works out from several attacks or measures.
OF_STUDIES = {
    RISK: About(
        title="found by the attack that finds most",
        family=REIDENTIFICATION,
        sentence="The share of people whose record is found by the attack that finds most, among all that an "
        "intruder can make.",
        source=TORRA_2017,
        rank=1,
    ),
    SCORE: About(
        title="score of Domingo-Ferrer and Torra",
        family=REIDENTIFICATION,
        sentence="Half loss, half risk, from 0 to 100: 1/2 of the loss, 1/8 of distance-based and 1/8 of "
        "probabilistic linkage, 1/4 of interval disclosure.",
        source="J. Domingo-Ferrer and V. Torra (2001), A quantitative comparison of disclosure control "
        "methods for microdata, Confidentiality, Disclosure and Data Access, North-Holland, 111-134.",
        rank=2,
    ),
}


def abouts(workshop: Workshop) -> dict[str, About]:
    """The texts of all attacks, measures and losses of a study, by name."""
    found = dict(OF_STUDIES)
    for name in workshop.attacks:
        handed = workshop.given.methods.get(name)
        if name == KNOWN_MASK:
            found[name] = KNOWN_ABOUTS[Belief.BEST]
        elif name == GUESSED_MASK:
            found[name] = defined(GuessedMechanism())
        else:
            found[name] = defined(attack_named(name) if handed is None else handed)
    measures: tuple[Measure | FileMeasure, ...] = (*workshop.attack_measures, *workshop.file_measures)
    for measure in measures:
        found |= measure_abouts(measure)
    return found | {name: defined(loss_of(name, workshop.given)) for name in workshop.losses}
