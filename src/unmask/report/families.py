"""The families of measures of the whole file: what each is about, and which measures belong to it."""

from __future__ import annotations

from dataclasses import dataclass

from unmask.report.measure_titles import ATTRIBUTE, MEMBERSHIP, UNIQUENESS


@dataclass(frozen=True)
class Family:
    """A group of measures that answer one question; ``lead`` are those that a short table shows."""

    name: str
    title: str
    about: str
    measures: tuple[str, ...]
    lead: tuple[str, ...]


FAMILIES: tuple[Family, ...] = (
    Family(
        "attribute",
        "What can be learned about a person",
        "An intruder need not find a person's record to learn something about him. These measures say how "
        "close the release brings him to a person's values, beside what he would know without it.",
        tuple(ATTRIBUTE),
        ("interval-rank", "sadr", "cells-external", "clusters-external", "model-release", "model-own-record"),
    ),
    Family(
        "membership",
        "Who is in the file",
        "Being in a file (of patients, of debtors) can be a secret of its own. These measures say how well "
        "an intruder can tell people who are in it from people who are not.",
        tuple(MEMBERSHIP),
        ("membership-distance", "membership-density", "membership-model"),
    ),
    Family(
        "uniqueness",
        "Who stands out",
        "A person whose combination of known attributes nobody else has is the first whom an intruder "
        "finds. These measures count such people, in the file and in the population behind it.",
        tuple(UNIQUENESS),
        (
            "k-anonymity",
            "sample-uniques",
            "l-diversity",
            "special-uniques",
            "population-uniques",
            "individual-risk",
            "log-linear-uniques",
        ),
    ),
)


def family_of(measure: str) -> str:
    """The family that a measure belongs to; one that none lists is about single persons' attributes.

    >>> family_of("k-anonymity")
    'uniqueness'
    """
    return next((family.name for family in FAMILIES if measure in family.measures), "attribute")
