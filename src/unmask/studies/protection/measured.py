"""What a study measures unless somebody says otherwise: what its policy asks for, and what its map shows."""

from __future__ import annotations

from collections.abc import Iterable

from unmask.assessment.asked import Given
from unmask.assessment.methods import loss_of, measures_of, of_shape
from unmask.assessment.request import Request
from unmask.attacks import ATTACKS, OF_CONTENT
from unmask.errors import ArgumentError
from unmask.losses import LOSSES, by_name_only
from unmask.losses.of_shapes import leading_of
from unmask.measures import FILE_MEASURES, MEASURES, FileMeasure, Measure, Reidentification
from unmask.measures.attribute import RankInterval
from unmask.measures.families import ATTRIBUTE
from unmask.policies import Criterion, Policy, Reading
from unmask.studies.protection.cell import GUESSED_MASK, KNOWN_MASK
from unmask.studies.protection.score import WIDTHS


def studied_attacks(request: Request) -> tuple[str, ...]:
    """The attacks that are named; else the usual ones, and those of who knows or guesses the mask.

    Whoever publishes a protected file usually says how it was protected.
    """
    if request.attacks is not None:
        return request.attacks
    of_content = (name for name, attack in OF_CONTENT.items() if of_shape(attack, request))
    return (*ATTACKS, *of_content, KNOWN_MASK, GUESSED_MASK)


def studied_measures(
    request: Request, given: Given, policy: Policy | None
) -> tuple[tuple[Measure, ...], tuple[FileMeasure, ...]]:
    """The measures of attacks and those of the file: those named, else what policy, map and score need."""
    if request.measures is not None:
        of_attacks, of_file = measures_of(request, given)
        return of_attacks or (Reidentification(),), of_file
    names = set(_asked(policy))
    attacks = tuple(m for name, m in MEASURES.items() if name in names or name == Reidentification().name)
    rank = RankInterval(curve=WIDTHS)
    wanted = [m for name, m in FILE_MEASURES.items() if name in names and name != rank.name]
    return attacks, (rank, *wanted)


def compared_by(request: Request) -> str:
    """The loss by which masks are compared: the one that is named, else the usual one of the shape.

    What is counted of people beside their series, traces or ties says little of what these are good for.

    >>> from unmask.assessment.request import RequestFiles, Verb
    >>> compared_by(Request(RequestFiles("ties.csv", shape="graph:source=a,target=b")))
    'graph-ties'
    """
    return request.least or leading_of(request.files.shape)[0]


def studied_losses(request: Request, given: Given, policy: Policy | None) -> tuple[str, ...]:
    """The losses that are named, else all quick ones; always the one by which candidates are compared."""
    quick = tuple(name for name, loss in LOSSES.items() if not by_name_only(loss) and of_shape(loss, request))
    names = quick if request.losses is None else request.losses
    for name in (*names, compared_by(request)):
        loss_of(name, given)  # which knows the nearest name
    asked = [name for name in _asked(policy) if name in LOSSES]
    return tuple(dict.fromkeys((*names, compared_by(request), *asked)))


def _asked(policy: Policy | None) -> Iterable[str]:
    """The measures and losses that a policy looks at."""
    for criterion in () if policy is None else policy.criteria:
        yield from _looked_at(criterion)


def _looked_at(criterion: Criterion) -> Iterable[str]:
    if criterion.measures is not None:
        return criterion.measures
    if criterion.reading is Reading.ATTRIBUTE_DISCLOSURE:
        return [name for name, m in FILE_MEASURES.items() if m.about.family.name == ATTRIBUTE.name]
    return criterion.reading.text.measures


def check_attacked(names: Iterable[str]) -> None:
    """Refuse a study without an attack that an intruder can make."""
    if not [name for name in names if name != "guess"]:
        raise ArgumentError("no attack is left to compare masks by", hint="name one beside guess")
