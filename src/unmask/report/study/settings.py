"""For whom the numbers of a study hold, how they were made, and what they do not say."""

from __future__ import annotations

from unmask.documents.study import RISK, SCORE, StudyDocument
from unmask.report.intruder import in_short
from unmask.report.methods import Explained
from unmask.report.numbers import count, people
from unmask.report.page import Section, told
from unmask.report.phrases import sentence
from unmask.report.study.places import MapPlaces

INTERVAL = Explained(
    "95% interval",
    "It holds both what the draws of a mask vary by and what other people of the same kind would: the wider "
    "end of Student's interval for the mean over draws and of the mean interval of a single release. A mask "
    "without chance is drawn once, and its loss then has no interval.",
    anchor="term-interval",
)
RATE = Explained(
    "found",
    "The share of people whose record is found by the attack that finds most, mean over the draws of a mask; "
    "where t records tie for the nearest, each counts 1/t.",
    anchor="term-rate",
)
FRONT = Explained(
    "front",
    "The masks that no other one beats: none is clearly better in one of risk and loss, with intervals that "
    "do not overlap, and no worse in the other.",
    "G. T. Duncan, S. A. Keller-McNulty and S. L. Stokes (2001), Disclosure risk vs. data utility: the R-U "
    "confidentiality map, National Institute of Statistical Sciences, technical report 121.",
    anchor="term-front",
)

LIMITS = (
    "The numbers hold for the attacks named here, before the intruders described above; another attack, or "
    "an intruder who knows more, may find more.",
    "Who chooses the best of many masks by the numbers that were measured takes one that looks a little "
    "better than it is. A check on draws that took no part in the choice is not biased in this way.",
    "The front is known only as far as intervals separate: with more draws, or more people, masks can leave "
    "it.",
    "A loss says how far files differ in one respect. Which loss matters depends on what the release is for.",
    "The score adds what has no common unit. It is here because the literature compares masks by it.",
)


def notes_section(document: StudyDocument) -> Section | None:
    """The notes, where there are any."""
    return told(
        "notes", "Before you read the numbers", [sentence(note) for note in document.notes], template="notes"
    )


def intruder_section(document: StudyDocument) -> Section | None:
    """Who looks at the releases."""
    sentences = [in_short(one) for one in document.intruders]
    title = "The intruder" if len(sentences) < 2 else "The intruders"
    return told("intruder", title, sentences)


def making_section(document: StudyDocument) -> Section | None:
    """How the releases were made and measured."""
    times = "once" if document.replicates == 1 else f"{count(document.replicates)} times"
    return told(
        "making",
        "How the numbers were made",
        [
            f"Each mask was applied to the original file of {people(document.records)} up to {times}, with "
            "the same seeds for all masks; one without chance was applied once. Every release was attacked, "
            "measured and compared with the original. What is shown are means over draws.",
            "Two releases are there to be compared with: the original without protection, and columns that "
            "were shuffled each by itself, which keep every single distribution and no relation.",
        ],
    )


def limits_section(document: StudyDocument) -> Section | None:
    """What a study does not say."""
    return told("limits", "What the numbers do not say", LIMITS, template="limits")


def measures_shown(places: MapPlaces) -> tuple[str, ...]:
    """The measures that the page explains."""
    scored = any(row.keys.measure == SCORE for row in places.document.table)
    risk = any(row.keys.measure == RISK for row in places.document.table)
    shown = (one.key for one in places.measures)
    return (*((RISK,) if risk else ()), *shown, *((SCORE,) if scored else ()))
