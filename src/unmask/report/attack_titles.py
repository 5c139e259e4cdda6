"""What every measure of an attack is called, says and comes from."""

from __future__ import annotations

from unmask.report.entry import Title

_TORRA_2017 = (
    "V. Torra (2017), Data Privacy: Foundations, New Developments and the Big Data Challenge, Springer."
)

OF_ATTACKS: dict[str, Title] = {
    "known-reidentification": Title(
        "re-identification that the intruder is sure of",
        "The share of people whose record is found by a link that the attack itself gives 95% or more.",
        _TORRA_2017,
    ),
    "claimed-precision": Title(
        "how many sure links are right",
        "Of the links that the attack itself gives a probability of 95% or more, the share that is right.",
        _TORRA_2017,
    ),
    "reidentification": Title(
        "re-identification",
        "The share of people whose record is found; where t records tie for the nearest, each counts 1/t.",
    ),
    "reidentification-strict": Title(
        "re-identification, strict",
        "The share of people whose record is the only nearest one.",
    ),
    "reidentification-lenient": Title(
        "re-identification, lenient",
        "The share of people whose record is among the nearest ones, however many tie.",
    ),
}
