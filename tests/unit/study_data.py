"""A small study, built by hand: seven masks, two attacks, two losses, and a policy with a ceiling of 10%."""

from __future__ import annotations

from dataclasses import replace

from unmask.about import About, Family
from unmask.documents import Table
from unmask.documents.sections import KnownAttribute, Methods, ScenarioSection
from unmask.documents.study import (
    RISK,
    SCORE,
    Attempt,
    CandidateSection,
    RecommendationSection,
    StudyDocument,
)
from unmask.documents.verdict import CriterionSection, Verdict, VerdictSection
from unmask.measures.estimate import Estimate, Keys, NotEstimable, Row, Unit

PEOPLE = 1000
LOST = "no released record stems from an original one"

#: Risk (by the attack that finds most) and loss of each mask; None is not estimable.
PLACES: dict[str, tuple[float | None, float]] = {
    "unprotected": (1.0, 0.0),
    "independent columns": (0.002, 0.5),
    "noise:a=0.1": (0.7, 0.1),
    "noise:a=0.5": (0.3, 0.3),
    "noise:a=1": (0.05, 0.45),
    "rank-swapping:p=10": (0.08, 0.2),
    "pram:p=5": (None, 0.15),
}
FRONT = ("unprotected", "independent columns", "noise:a=0.1", "rank-swapping:p=10")
REFERENCES = ("unprotected", "independent columns")

_LINKAGE = Family("distance", "Distance-based linkage", "Whose record is it?")
_WORST = Family("worst-case", "Worst case", "The truth chooses.")
_TABLES = Family("distributions", "Shares and tables", "What a table gets wrong.")
_RECORDS = Family("records", "How far values moved", "Value by value.")
METHODS = Methods.of(
    {
        "guess": About("guessing", _LINKAGE, "A record is picked.", "None."),
        "dbrl": About("distance-based linkage", _LINKAGE, "The nearest record.", "A book."),
        "learned-wm": About("worst case, weighted mean", _WORST, "Informed.", "A book."),
        "total-variation": About("total variation", _TABLES, "How far tables differ.", "A book."),
        "il1s": About("mean change of numbers", _RECORDS, "How far numbers moved.", "A book."),
        "uniques": About("records alone", _LINKAGE, "Who is alone.", "A book."),
        RISK: About("found by the attack that finds most", _LINKAGE, "The largest.", "A book."),
        SCORE: About("score", _LINKAGE, "Half and half.", "A book."),
    }
)


def share(value: float, by: float = 0.01) -> Estimate:
    """A share with an interval."""
    return Estimate(value, max(0.0, value - by), min(1.0, value + by), PEOPLE, baseline=0.001)


def study(intruders: int = 1, **parts: object) -> StudyDocument:
    """The study before so many intruders, of whom each finds half of what the one before finds."""
    who = tuple(_intruder(i) for i in range(intruders))
    rows = [row for mask in PLACES for i in range(intruders) for row in _rows(mask, who, i)]
    document = StudyDocument(
        "0.1.0",
        7,
        PEOPLE,
        3,
        who,
        "total-variation",
        ("il1s", "total-variation"),
        tuple(_candidate(mask, intruders) for mask in PLACES),
        ("the codes of 'rent' were taken for missing",),
        Table(tuple(rows)),
        METHODS,
    )
    return replace(document, **parts)  # type: ignore[arg-type]  # the parts of a document, by name


def recommended(mask: str | None = "rank-swapping:p=10") -> RecommendationSection:
    """A search that ended."""
    tried = (Attempt("noise:a=0.5", 200, 0.3, 0.3, False), Attempt("pram:p=5", 200, None, 0.15, False))
    told = (f"take {mask}, which costs 20.0%", "it was checked on 5 fresh draws")
    near = ("nothing that was tried meets the policy", "the nearest is noise:a=1")
    return RecommendationSection(
        mask, "total-variation", "found", 5, told if mask else near, tried, () if mask else ("noise:a=1",)
    )


def _intruder(i: int) -> ScenarioSection:
    known = (KnownAttribute("age", "numeric"), KnownAttribute("sex", "nominal"))[: 2 - i]
    return ScenarioSection(f"knows {len(known)} of {PEOPLE} people", known, "mismatch", 0.0)


def _rows(mask: str, who: tuple[ScenarioSection, ...], i: int) -> list[Row]:
    risk, loss = PLACES[mask]
    name = who[i].text if len(who) > 1 else None
    none = Estimate.none(NotEstimable(LOST))
    found = none if risk is None else share(risk / 2**i)
    weak = none if risk is None else share(risk / 2**i / 2)
    by = {"guess": share(0.001, 0.0), "dbrl": found, "prl": weak, "learned-wm": share(0.9)}
    rows = [Row(Keys(RISK, mask=mask, intruder=name), found)]
    rows += [Row(Keys("reidentification", one, mask=mask, intruder=name), e) for one, e in by.items()]
    rows.append(Row(Keys("uniques", mask=mask, intruder=name), share(0.4)))
    rows.append(Row(Keys("uniques", subject="age", mask=mask, intruder=name), share(0.9)))
    rows.append(Row(Keys(SCORE, mask=mask, intruder=name), Estimate(25.0, None, None, 3, unit=Unit.LEVEL)))
    if i == 0:
        level = Estimate(3 * loss, None, None, PEOPLE, unit=Unit.LEVEL)
        rows.append(Row(Keys("total-variation", mask=mask, intruder=name), share(loss)))
        rows.append(Row(Keys("il1s", mask=mask, intruder=name), level))
    return rows


def _candidate(mask: str, intruders: int) -> CandidateSection:
    family = mask.partition(":")[0]
    reference = mask in REFERENCES
    verdicts = tuple(_verdict(mask, i) for i in range(intruders))
    return CandidateSection(mask, family, f"{family} itself", reference, 3, mask in FRONT, verdicts)


def _verdict(mask: str, i: int) -> VerdictSection:
    risk = PLACES[mask][0]
    judged = None if risk is None else risk / 2**i + 0.01
    verdict = Verdict.NOT_ESTIMABLE if judged is None else Verdict.EXCEEDED if judged > 0.1 else Verdict.MET
    criteria = (
        CriterionSection(
            "found", "the share of people found", "reidentification", 0.1, verdict, f"{mask}: why", "knows",
            reading="found", value=risk, judged=judged,
        ),
        CriterionSection("loss", "tables", "total-variation", 0.4, Verdict.MET, "little", "", reading="loss"),
    )  # fmt: skip
    return VerdictSection("ours", "At most one in ten found", "The office.", verdict, criteria)
