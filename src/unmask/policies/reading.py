"""Readings: which number of an assessment a criterion looks at, and in which words it is told."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from unmask.measures.estimate import Unit


@dataclass(frozen=True)
class ReadingText:
    """What a reading says of itself.

    ``phrase``: what it is a number of, as in "the share of people found"; ``sentence``: how it is read;
    ``measures``: the measures that it looks at; ``floor``: lower is worse, so that the bound is a floor;
    ``least``, ``most``: the smallest and the largest value that there is; ``unit``: that of the measures;
    ``percent``: told in percent;
    ``of_attacks``: it is a number of attacks; ``chosen``: a criterion may choose among measures; ``needs``:
    what must be given for it to be measured; ``of_loss``: it is that of the loss that the criterion names,
    whose unit it has, and holds whoever the intruder is.
    """

    phrase: str
    sentence: str
    measures: tuple[str, ...]
    floor: bool = False
    least: float = 0.0
    most: float | None = 1.0
    unit: Unit = Unit.SHARE
    percent: bool = True
    of_attacks: bool = False
    chosen: bool = False
    needs: str = ""
    of_loss: bool = False


class Reading(StrEnum):
    """Which number a criterion looks at.

    >>> Reading("smallest-class").text.floor, Reading.FOUND.text.phrase
    (True, 'the share of people found')
    """

    FOUND_BEYOND_CHANCE = "found-beyond-chance"
    FOUND = "found"
    FOUND_BY_ANY_ATTACK = "found-by-any-attack"
    KNOWN_REIDENTIFICATION = "known-reidentification"
    LARGEST_MATCH_PROBABILITY = "largest-match-probability"
    LARGEST_MATCH_PROBABILITY_IN_POPULATION = "largest-match-probability-in-population"
    MEAN_MATCH_PROBABILITY = "mean-match-probability"
    SMALLEST_CLASS = "smallest-class"
    RECORDS_IN_SMALL_CLASSES = "records-in-small-classes"
    POPULATION_UNIQUES = "population-uniques"
    ATTRIBUTE_DISCLOSURE = "attribute-disclosure-beyond-baseline"
    MEMBERSHIP_AUC = "membership-auc"
    L_DIVERSITY = "l-diversity"
    T_CLOSENESS = "t-closeness"
    LOSS = "loss"

    @property
    def text(self) -> ReadingText:
        """What the reading says of itself."""
        return _TEXTS[self]


_KEYS = "attributes that the intruder knows and that are in the release"
_CONFIDENTIAL = "a confidential attribute, as the schema or --role names it"

_TEXTS = {
    Reading.FOUND_BEYOND_CHANCE: ReadingText(
        "the share of people found beyond chance",
        "The share of people whose record an attack finds (a tie of t counts 1/t), less the share that "
        "guessing finds: the largest over all attacks that an intruder can make.",
        ("reidentification",),
        of_attacks=True,
    ),
    Reading.FOUND: ReadingText(
        "the share of people found",
        "The share of people whose record an attack finds (a tie of t counts 1/t): the largest over all "
        "attacks that an intruder can make.",
        ("reidentification",),
        of_attacks=True,
    ),
    Reading.FOUND_BY_ANY_ATTACK: ReadingText(
        "the share of people found by any attack",
        "The share of people whose record at least one attack finds: more than any intruder finds who does "
        "not know which attack is right about whom.",
        ("reidentification",),
        of_attacks=True,
    ),
    Reading.KNOWN_REIDENTIFICATION: ReadingText(
        "the share of people found by links that the intruder can be sure of",
        "The share of people whose record an attack finds by a link of which the intruder has reason to be "
        "sure: the largest over all attacks that can tell.",
        ("known-reidentification",),
        of_attacks=True,
    ),
    Reading.LARGEST_MATCH_PROBABILITY: ReadingText(
        "the largest probability of a right match of a record",
        "One over the size of the smallest class of released records that are alike in what the intruder "
        "knows: the largest probability, over records, that an exact match is right for an intruder who "
        "knows that the person is in the release (prosecutor).",
        ("prosecutor-risk",),
        percent=False,
        needs=_KEYS,
    ),
    Reading.LARGEST_MATCH_PROBABILITY_IN_POPULATION: ReadingText(
        "the largest probability of a right match of a record with the population",
        "One over the fewest people of the population with the key of a released record: the same for an "
        "intruder who does not know who is in the release (journalist).",
        ("journalist-risk",),
        percent=False,
        needs="a file of the population (--population)",
    ),
    Reading.MEAN_MATCH_PROBABILITY: ReadingText(
        "the mean probability of a right match",
        "The share of records that are matched right by an intruder who matches all of them (marketer), "
        "with the population where there is a file of it.",
        ("marketer-risk",),
        percent=False,
        needs=_KEYS,
    ),
    Reading.SMALLEST_CLASS: ReadingText(
        "the size of the smallest class",
        "How many released records at least are alike in what the intruder knows (k of k-anonymity).",
        ("k-anonymity",),
        floor=True,
        least=1.0,
        most=None,
        unit=Unit.LEVEL,
        percent=False,
        needs=_KEYS,
    ),
    Reading.RECORDS_IN_SMALL_CLASSES: ReadingText(
        "the share of records in small classes",
        "The share of released records that fewer than so many records equal in what the intruder knows "
        "(below: 3 where nothing is said).",
        ("small-classes", "sample-uniques"),
        needs=_KEYS,
    ),
    Reading.POPULATION_UNIQUES: ReadingText(
        "the share of records that are unique in the population",
        "The share of released records that nobody else of the population equals in what the intruder "
        "knows: counted where there is a file of the population, else by the estimate that leads. "
        "Without either, the records that are unique in the release are an upper bound, which can meet a "
        "ceiling and cannot exceed it.",
        ("unique-in-population", "sample-uniques"),
        needs="a file of the population (--population) or a column with the role weight",
    ),
    Reading.ATTRIBUTE_DISCLOSURE: ReadingText(
        "the share of people whose value is learned beyond what is known anyway",
        "By how much the share of people whose value is disclosed exceeds that without the release: the "
        "largest over all measures of the attribute family that have such a baseline, and all attributes. "
        "Most of them look at a person's own record as if the intruder knew which it is, so that a value "
        "that is released unchanged is disclosed for everybody; 'measures' names those that count.",
        (),
        chosen=True,
        needs="an attribute that can be learned",
    ),
    Reading.MEMBERSHIP_AUC: ReadingText(
        "how often a member is told from somebody who is not in the file",
        "The area under the curve (AUC) of the best membership attack: 0.5 is guessing, 1 is always right.",
        ("membership-distance", "membership-density", "membership-model"),
        chosen=True,
        percent=False,
        needs="people who are not in the file (--holdout)",
    ),
    Reading.L_DIVERSITY: ReadingText(
        "the smallest number of different confidential values in a class",
        "How many different values of a confidential attribute there are at least among records that are "
        "alike in what the intruder knows (distinct l-diversity), over all confidential attributes.",
        ("l-diversity",),
        floor=True,
        least=1.0,
        most=None,
        unit=Unit.LEVEL,
        percent=False,
        needs=_CONFIDENTIAL,
    ),
    Reading.T_CLOSENESS: ReadingText(
        "the largest distance between the confidential values of a class and of the file",
        "How far the distribution of a confidential attribute in a class is from that in the whole file "
        "(t-closeness; 0: the same, 1: opposite ends), the largest over all confidential attributes.",
        ("t-closeness", "t-closeness-equal"),
        unit=Unit.LEVEL,
        percent=False,
        needs=_CONFIDENTIAL,
    ),
    Reading.LOSS: ReadingText(
        "what the release has lost",
        "The loss of the whole file that 'measures' names, which must be one: how much of what it looks at "
        "the release is no longer good for, in the unit of the loss (a share from 0 to 1, or a level from 0 "
        "on). It is judged by its value, and holds whoever the intruder is.",
        (),
        chosen=True,
        of_loss=True,
    ),
}
