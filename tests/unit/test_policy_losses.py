"""Policies on losses: in a release that tells nothing nobody is found, so an office may ask for more."""

from __future__ import annotations

from typing import Any

import pytest

import unmask
from tests.unit.report_data import assessment, row
from unmask.data.example import people
from unmask.documents import ASSESSMENT, AssessmentDocument
from unmask.documents.verdict import CriterionSection
from unmask.errors import ArgumentError, UnmaskError
from unmask.losses import LOSSES
from unmask.masks import Noise
from unmask.policies import Criterion, Policy, Reading, judge, read_policy


def lost(value: float | None, measure: str = "total-variation", **more: Any) -> dict[str, Any]:
    return row(value, measure=measure, **{"low": None, "high": None, "unit": "share", **more})


def document(*rows: dict[str, Any]) -> AssessmentDocument:
    return ASSESSMENT.build(assessment(table=list(rows), losses=list({one["measure"] for one in rows})))


def judged(found: AssessmentDocument, at_most: float, loss: str = "total-variation") -> CriterionSection:
    criterion = Criterion(Reading.LOSS, at_most=at_most, measures=(loss,))
    (section,) = judge(found, Policy("ours", "Ours", "A book.", (criterion,))).criteria
    return section


@pytest.mark.parametrize(("value", "verdict"), [(0.1, "met"), (0.2, "met"), (0.21, "exceeded")])
def test_the_value_is_held_against_the_ceiling(value: float, verdict: str) -> None:
    references = (lost(0.9, curve="resampled", high=0.95), lost(0.99, curve="independent"))
    section = judged(document(lost(value), lost(0.9, subject="age"), *references), 0.2)
    assert (section.verdict.value, section.value, section.judged) == (verdict, value, value)
    assert (section.measure, section.unit, section.subject) == ("total-variation", "share", None)


def test_a_share_is_told_in_percent_and_a_level_is_not() -> None:
    assert judged(document(lost(0.1)), 0.2).why == (
        "What the release has lost is 10% (total variation): not above the ceiling of 20%."
    )
    level = judged(document(lost(1.5, "il1s", unit="level")), 1.2, "il1s")
    assert level.why == "What the release has lost is 1.5 (mean change of numbers): above the ceiling of 1.2."
    assert level.unit == "level"


def test_what_was_not_computed_is_not_estimable_and_the_remedy_is_told() -> None:
    section = judged(document(lost(0.1, "hellinger")), 0.2)
    assert (section.verdict.value, section.measure) == ("not estimable", "total-variation")
    assert section.why.endswith("cannot be told: it was not measured (--losses total-variation).")


def test_what_has_no_value_meets_nothing() -> None:
    section = judged(document(lost(None, reason="the files have no attribute in common")), 0.2)
    assert section.verdict.value == "not estimable"
    assert "no attribute in common" in section.why


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({}, "'loss' does not name the loss that it looks at. Hint: write measures"),
        ({"measures": ()}, "does not name the loss"),
        ({"measures": ("total-variation", "il1s")}, "does not name the loss"),
        ({"measures": ("total-variaton",)}, "no loss is called 'total-variaton'. Hint: did you mean"),
        ({"measures": ("k-anonymity",)}, "no loss is called 'k-anonymity'"),
        ({"measures": ("total-variation",), "at_most": 1.5}, "out of range. Hint: give a number from 0 to 1"),
        ({"measures": ("il1s",), "at_most": -1.0}, "out of range. Hint: give a number from 0 on"),
        ({"measures": ("il1s",), "at_most": None, "at_least": 1.0}, "has a floor, and is worse the higher"),
        ({"measures": ("il1s",), "attacks": ("dbrl",)}, "names attacks, and looks at none"),
    ],
)
def test_mistakes_are_told(given: dict[str, Any], says: str) -> None:
    with pytest.raises(ArgumentError) as refused:
        Criterion(Reading.LOSS, **{"at_most": 0.1, **given})
    assert says in str(refused.value)


def test_a_level_has_no_largest_bound() -> None:
    assert Criterion(Reading.LOSS, at_most=300.0, measures=("il1s",)).bound == 300.0


def test_a_measure_of_a_risk_names_no_loss() -> None:
    with pytest.raises(UnmaskError, match="no measure is called 'il1s'"):
        Criterion(Reading.MEMBERSHIP_AUC, at_most=0.6, measures=("il1s",))


def test_a_policy_file_names_a_loss(tmp_path: Any) -> None:
    path = tmp_path / "ours.toml"
    head = 'format = "unmask-policy"\nversion = 1\ntitle = "Ours"\nsource = "A book."\n[[criterion]]\n'
    path.write_text(f'{head}reading = "loss"\nmeasures = ["il1s"]\nat_most = 0.4\n')
    policy = read_policy(path)
    asked = {"attacks": ["dbrl"], "measures": ["reidentification"], "losses": ["il1s"], "seed": 1}
    few, many = (unmask.assess(people(60), Noise(a=a), **asked) for a in (0.01, 9.0))
    assert judge(few, policy).verdict.value == "met"
    assert judge(many, policy).verdict.value == "exceeded"


def test_no_loss_has_the_name_of_a_measure_or_an_attack() -> None:
    """A row goes by its name alone."""
    from unmask import attacks, measures
    from unmask.studies.conclusion import ABOUTS

    assert not set(LOSSES) & {*attacks.REGISTRY, *measures.REGISTRY, *ABOUTS}
