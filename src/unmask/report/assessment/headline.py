"""The best attack's outcome beside chance, for a reader without statistics.

Every sentence about risk names the measure and the intruder it holds for, and none promises protection.
"""

from __future__ import annotations

from unmask.documents import EXPECTED, AssessmentDocument, Table
from unmask.measures.estimate import NotEstimable
from unmask.report.assessment.sampled import most_counted
from unmask.report.numbers import count, people
from unmask.report.phrases import Reached, no_more_than_chance


def headline(document: AssessmentDocument) -> str:
    """The best attack's outcome beside chance, in one or two sentences.

    >>> from unmask.documents import Table
    >>> from unmask.documents.sections import AttackSection, FileSizes, ScenarioSection
    >>> from unmask.measures.estimate import Estimate, Keys, Row
    >>> row = Row(Keys(EXPECTED, attack="dbrl"), Estimate(0.9, 0.555, 0.9975, 10, 0.1, 1e-6))
    >>> headline(AssessmentDocument(
    ...     "0.1.0", 0, ScenarioSection("knows all", (), "ignore"), FileSizes(10, 10, 10, 10, 10), (),
    ...     (AttackSection("dbrl", False, (), {}),), "dbrl", Table((row,))))
    'Of the 10 people in the release, the best attack (dbrl) finds the right record of 9 (90.0%; 95% interval
    55.5% to 99.8%). Guessing would find 1 on average.'
    """
    best, worst, findings = Reached.of(document.best()), document.worst, document.of_file
    if not document.attacks and len(findings):
        return f"No attack was made; {_about_the_file(findings)}."
    if not document.attacks and len(document.table.inapplicable):
        return "No attack was made, and no measure that was taken applies to this kind of release."
    if best is None or worst is None:
        return f"Re-identification is not estimable: {_why_not(document)}."
    found, whom = f"{best.about} ({best.precisely})", _whom(document, best.estimate.n)
    name = document.methods.title(worst)
    if document.is_informed(worst):
        return (
            f"Only attacks informed by the truth were made, which no intruder can make: of {whom}, {name} "
            f"finds the right record of {found}.{_by_chance(best)}"
        )
    if not document.is_baseline(worst) and _no_better(best):
        return (
            f"No attack tried does better than guessing: of {whom}, the best one finds the right record of "
            f"{found}.{_by_chance(best)}"
        )
    if not document.is_baseline(worst):
        return f"Of {whom}, the best attack ({name}) finds the right record of {found}.{_by_chance(best)}"
    if document.real_attacks():
        return (
            f"No attack tried does better than guessing, which finds the right record of {found} of {whom}."
        )
    return f"Only guessing was tried; of {whom}, it finds the right record of {found}."


def _about_the_file(rows: Table) -> str:
    """How many findings follow; what is no more than chance is none."""
    chance = sum(no_more_than_chance(row.estimate) for row in rows)
    found = len(rows) - chance
    told = f"{count(found)} {'finding' if found == 1 else 'findings'} about the file"
    if not chance:
        return f"{told} {'follows' if found == 1 else 'follow'}"
    return f"{told} and {count(chance)} {'value' if chance == 1 else 'values'} no more than chance follow"


def _why_not(document: AssessmentDocument) -> str:
    """Why no attack has a value of re-identification."""
    values = (row.estimate.value for row in document.table.attacks.where(measure=EXPECTED))
    reasons = (value.reason for value in values if isinstance(value, NotEstimable) and value.reason)
    return next(reasons, "it was not measured")


def _whom(document: AssessmentDocument, counted: int) -> str:
    """Of whom the best attack's numbers speak; ``counted``: how many people it counts."""
    sizes = document.sizes
    if counted < most_counted(document):  # the attack had to fit the budget
        return f"a random sample of {people(counted)} from {count(sizes.present)} in the release"
    if sizes.tried < sizes.targets:
        return f"a random sample of {people(sizes.tried)} from {count(sizes.present)} in the release"
    n = people(sizes.present)
    if sizes.targets < sizes.original:
        return f"the {n} whom the intruder knows and who are in the release"
    return f"the {n} in the release"


def _no_better(found: Reached) -> bool:
    baseline = found.estimate.baseline
    return baseline is not None and found.value <= baseline + 1e-9


def _by_chance(found: Reached) -> str:
    baseline = found.estimate.baseline
    if baseline is None:
        return ""
    return f" Guessing would find {count(baseline * found.estimate.n)} on average."
