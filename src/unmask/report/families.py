"""The families of measures of the whole file, and which measures belong to each, as the measures say."""

from __future__ import annotations

from dataclasses import dataclass

from unmask.measures import FAMILIES as OF_MEASURES
from unmask.measures import FILE_MEASURES, Misclassified, abouts
from unmask.measures.anonymity import TCloseness

#: What every name says of itself under which a measure of the file makes rows.
ABOUTS = {
    name: about
    for measure in (*FILE_MEASURES.values(), TCloseness(ordered=False), Misclassified())
    for name, about in abouts(measure).items()
}


@dataclass(frozen=True)
class Family:
    """A group of measures that answer one question; ``lead`` are those that a short table shows."""

    name: str
    title: str
    about: str
    measures: tuple[str, ...]
    lead: tuple[str, ...]


def _family(name: str, title: str, sentence: str) -> Family:
    mine = {measure: about for measure, about in ABOUTS.items() if about.family.name == name}
    leading = sorted((about.rank, measure) for measure, about in mine.items() if about.rank)
    return Family(name, title, sentence, tuple(mine), tuple(measure for _, measure in leading))


#: The first family is that of attacks.
FAMILIES = tuple(_family(family.name, family.title, family.sentence) for family in OF_MEASURES[1:])


def family_of(measure: str) -> str:
    """The family that a measure belongs to; one that none lists is about single persons' attributes.

    >>> family_of("k-anonymity")
    'uniqueness'
    """
    return ABOUTS[measure].family.name if measure in ABOUTS else "attribute"
