"""The families of measures: the question that each answers."""

from __future__ import annotations

from unmask.about import Family

REIDENTIFICATION = Family(
    "reidentification",
    "Whose record can be found",
    "An intruder links each person they know to a released record. These measures say how many people are "
    "found, beside how many guessing would find.",
)
ATTRIBUTE = Family(
    "attribute",
    "What can be learned about a person",
    "An intruder need not find a person's record to learn something about them. These measures say how "
    "close the release brings the intruder to a person's values, beside what they would know without it.",
)
MEMBERSHIP = Family(
    "membership",
    "Who is in the file",
    "Being in a file (of patients, of debtors) can be a secret of its own. These measures say how well "
    "an intruder can tell people who are in it from people who are not.",
)
UNIQUENESS = Family(
    "uniqueness",
    "Who stands out",
    "A person whose combination of known attributes nobody else has is the first whom an intruder "
    "finds. These measures count such people, in the file and in the population behind it.",
)

SYNTHESIS = Family(
    "synthesis",
    "What a synthetic file gives away",
    "No record of a synthetic file is anybody's, and yet it may single people out, link what two sources "
    "know of them, or tell their secrets. These measures try it on the people whom the file was made from, "
    "beside others whom it was not made from where a hold-out file is given.",
)

#: In the order in which a report shows them.
FAMILIES = (REIDENTIFICATION, ATTRIBUTE, MEMBERSHIP, SYNTHESIS, UNIQUENESS)
