"""Releases in which categories were merged, renamed, turned into codes, or cut to fewer digits."""

from __future__ import annotations

import polars as pl

from tests.everyday.people import (
    ADULT,
    FEBRL,
    GERMAN,
    GERMAN_KNOWN,
    HOUSEHOLD_KNOWN,
    NHTS,
    NHTS_KNOWN,
    TESTDATA,
    WORK_KNOWN,
    born,
    borrowers,
    household,
    travellers,
    work,
)
from tests.everyday.release import EverydayRelease, changed, recoding

RECODED, RELABELLED = ("recoded",), ("relabelled",)
SCHOOL = ("Preschool", "1st-4th", "5th-6th", "7th-8th", "9th", "10th", "11th", "12th")
DEGREES = ("Assoc-acdm", "Assoc-voc", "Bachelors", "Masters", "Prof-school", "Doctorate")
RARE = ("Amer-Indian-Eskimo", "Asian-Pac-Islander", "Other")
RELATIONS = {
    "1": "head",
    "2": "partner",
    "3": "child",
    "4": "child-in-law",
    "5": "grandchild",
    "6": "parent",
    "7": "parent-in-law",
    "8": "other relative",
    "9": "no relative",
}
REGION_KNOWN = ("postcode", "state", "decade")


def joined(value: str) -> str:
    """Merged categories under both names."""
    for group in (SCHOOL, DEGREES):
        if value in group:
            return "|".join(group)
    return value


def rare_as_other(value: str) -> str:
    return "other" if value in RARE else value


def married(value: str) -> str:
    return "Married" if value.startswith("Married") else value


def work_for(value: str) -> str:
    return "government" if value.endswith("-gov") else "self-employed" if value.startswith("Self") else value


def code_of(*labels: str):
    """The place of a label in a list, from 1."""
    return {label: place for place, label in enumerate(labels, start=1)}.__getitem__


def telephones() -> pl.DataFrame:
    """Borrowers of whom the file says yes or no to a telephone."""
    people = borrowers()
    return people.with_columns(changed(people["telephone"], {"A191": "no", "A192": "yes"}.__getitem__))


def regions() -> pl.DataFrame:
    """People with a postcode and the decade of their birth."""
    return born().select("postcode", "state", decade=pl.col("date_of_birth").dt.year() // 10 * 10)


RELEASES = [
    EverydayRelease(
        "merged under both names",
        "Merged levels of education under joined names, `Masters|Doctorate`",
        ADULT,
        work,
        known=WORK_KNOWN,
        **recoding(("education", joined, RECODED)),
    ),
    EverydayRelease(
        "rare as other",
        "Merged rare categories into `other`",
        ADULT,
        work,
        known=WORK_KNOWN,
        **recoding(("race", rare_as_other, RECODED)),
    ),
    EverydayRelease(
        "three attributes in part",
        "Merged some categories of three attributes, and left the others as they are",
        ADULT,
        work,
        known=WORK_KNOWN,
        **recoding(
            ("workclass", work_for, RECODED),
            ("marital-status", married, RECODED),
            ("education", joined, RECODED),
        ),
    ),
    EverydayRelease(
        "labels for codes",
        "Labels instead of codes, `male` for 1",
        TESTDATA,
        household,
        known=HOUSEHOLD_KNOWN,
        **recoding(
            ("sex", {"1": "male", "2": "female"}.__getitem__, RELABELLED),
            ("relat", RELATIONS.__getitem__, RELABELLED),
        ),
    ),
    EverydayRelease(
        "codes for labels",
        "Codes instead of labels, 1 for `Male`",
        ADULT,
        work,
        known=WORK_KNOWN,
        **recoding(
            ("sex", code_of("Male", "Female"), RELABELLED),
            (
                "relationship",
                code_of("Wife", "Own-child", "Husband", "Not-in-family", "Other-relative", "Unmarried"),
                RELABELLED,
            ),
        ),
    ),
    EverydayRelease(
        "yes/no as 1/0",
        "Yes and no as 1 and 0",
        GERMAN,
        telephones,
        known=GERMAN_KNOWN,
        **recoding(("telephone", {"yes": 1, "no": 0}.__getitem__, ("relabelled", "unchanged"))),
    ),
    EverydayRelease(
        "region with stars",
        "Postcode with its last digits hidden, `47**`",
        FEBRL,
        regions,
        known=REGION_KNOWN,
        **recoding(("postcode", lambda code: code[:2] + "**", ("recoded", "banded"))),
    ),
    EverydayRelease(
        "region cut",
        "Postcode cut to its first digits, `47`",
        FEBRL,
        regions,
        known=REGION_KNOWN,
        **recoding(("postcode", lambda code: code[:2], ("recoded", "banded"))),
    ),
    EverydayRelease(
        "leading zeros lost",
        "Code of the state without its leading zero, 6 for `06`",
        NHTS,
        travellers,
        known=NHTS_KNOWN,
        **recoding(("hhstfips", int, ("relabelled", "unchanged"))),
    ),
]
