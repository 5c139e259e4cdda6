"""Policies: how they are written and refused, and what they say of assessments that are made by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import unmask
from tests.unit.report_data import METHODS, STANDINGS, assessment, row, text
from unmask.documents import ASSESSMENT, AssessmentDocument
from unmask.errors import ArgumentError, DataError, UnmaskError
from unmask.policies import (
    Criterion,
    CriterionSection,
    Policy,
    Reading,
    Verdict,
    bundled_policies,
    judge,
    policy_file,
    policy_named,
    read_policy,
)
from unmask.policies.policy_file import policy_in

HEAD = 'format = "unmask-policy"\nversion = 1\ntitle = "Ours"\nsource = "A book."\n'
FOUND = '[[criterion]]\nreading = "found"\nat_most = 0.1\n'
TEXTS = {
    **METHODS["texts"],
    "prosecutor-risk": text("prosecutor risk", "uniqueness"),
    "model-disclosure": text("models", "attribute"),
    "known-reidentification": text("re-identification that the intruder is sure of"),
}


def attack(name: str, **more: Any) -> dict[str, Any]:
    standing = dict.fromkeys(STANDINGS, 0)
    return {"name": name, "baseline": name == "guess", "notes": [], "standing": standing, **more}


def of_attack(name: str, value: float | None, high: float | None = None, **more: Any) -> dict[str, Any]:
    """What an attack finds; chance finds 1%."""
    told = row(value, measure="reidentification", attack=name, baseline=0.01, **more)
    return told | ({} if high is None else {"high": high})


def of_file(measure: str, value: float | None, **more: Any) -> dict[str, Any]:
    """What a measure of the file says, without an interval."""
    return row(value, measure=measure, **{"low": None, "high": None, **more})


#: The usual attacks were made: nobody named others.
ASKED = {"request": {"attacks": None}}


def document(
    *table: Mapping[str, Any], attacks: tuple[Any, ...] = ("guess", "dbrl", "rbrl-max"), **parts: Any
) -> AssessmentDocument:
    sections = [attack(one) if isinstance(one, str) else one for one in attacks]
    methods = {**METHODS, "texts": TEXTS}
    told = {"table": list(table), "attacks": sections, "methods": methods, "provenance": ASKED}
    return ASSESSMENT.build(assessment(**(told | parts)))


def judged(found: AssessmentDocument, reading: Reading | str, **bound: Any) -> CriterionSection:
    policy = Policy("ours", "Ours", "A book.", (Criterion(Reading(reading), **bound),))
    (section,) = judge(found, policy).criteria
    return section


def said(section: CriterionSection) -> str:
    return section.verdict.value


# ---- attacks ----

LINKED = (
    of_attack("guess", 0.01),
    of_attack("dbrl", 0.10, 0.12),
    of_attack("rbrl-max", 0.09, 0.13),
    of_attack("union", 0.15, 0.17),
)


def test_found_is_the_largest_upper_end_and_not_that_of_the_largest_value() -> None:
    section = judged(document(*LINKED), "found", at_most=0.125)
    assert (section.attack, section.value, section.judged) == ("rbrl-max", 0.09, 0.13)
    assert (said(section), section.measure, section.unit) == ("exceeded", "reidentification", "share")
    assert section.why == (
        "The share of people found is 9%, up to 13% in its 95% interval for an intruder who knows 2 "
        "attributes of 1080 people (reidentification, rank-based linkage (maximum)): above the ceiling of "
        "12.5%."
    )


@pytest.mark.parametrize(
    ("bound", "verdict"), [(0.13, "met"), (0.13 - 1e-13, "met"), (0.13 - 1e-9, "exceeded"), (1, "met")]
)
def test_a_bound_is_met_where_the_end_equals_it(bound: float, verdict: str) -> None:
    assert said(judged(document(*LINKED), "found", at_most=bound)) == verdict


def test_chance_is_taken_off() -> None:
    section = judged(document(*LINKED), "found-beyond-chance", at_most=0.12)
    assert section.value == pytest.approx(0.08)
    assert section.judged == pytest.approx(0.12)
    assert said(section) == "met"
    assert said(judged(document(*LINKED), "found-beyond-chance", at_most=0.119)) == "exceeded"


def test_without_an_interval_the_value_is_judged() -> None:
    bare = of_attack("dbrl", 0.1) | {"low": None, "high": None}
    section = judged(document(bare), "found", at_most=0.1)
    assert (section.judged, said(section)) == (0.1, "met")
    assert "interval" not in section.why


def test_the_union_is_a_reading_of_its_own() -> None:
    section = judged(document(*LINKED), "found-by-any-attack", at_most=0.16)
    assert (section.attack, section.judged, said(section)) == ("union", 0.17, "exceeded")
    alone = document(of_attack("dbrl", 0.1, 0.12), attacks=("guess", "dbrl"))
    assert judged(alone, "found-by-any-attack", at_most=0.5).attack == "dbrl"


def test_attacks_that_are_informed_or_a_baseline_do_not_count() -> None:
    attacks = ("guess", "dbrl", attack("learned-wm", informed=True, cut=True))
    table = (of_attack("guess", 0.9), of_attack("dbrl", 0.0), of_attack("learned-wm", 0.8))
    assert said(judged(document(*table, attacks=attacks), "found", at_most=0.01)) == "met"


@pytest.mark.parametrize("attacks", [(), ("guess",), ("guess", attack("learned-wm", informed=True))])
@pytest.mark.parametrize("reading", [one for one in Reading if one.text.of_attacks])
def test_without_an_attack_nothing_is_estimable(attacks: tuple[Any, ...], reading: Reading) -> None:
    found = document(of_attack("guess", 0.01), of_file("sadr", 0.1), attacks=attacks)
    section = judged(found, reading, at_most=1)
    assert (said(section), section.value, section.attack) == ("not estimable", None, None)
    assert "no attack was made" in section.why


def test_an_attack_without_a_value_leaves_the_question_open() -> None:
    open_ = document(of_attack("dbrl", 0.1, 0.12), of_attack("rbrl-max", None, reason="it failed"))
    section = judged(open_, "found", at_most=0.5)
    assert said(section) == "not estimable"
    assert "reidentification of rbrl-max has no value (it failed)" in section.why
    assert said(judged(open_, "found", at_most=0.05)) == "exceeded"  # whatever the other would find


def test_an_attack_that_was_ended_leaves_the_question_open() -> None:
    cut = document(of_attack("dbrl", 0.1, 0.12), attacks=("guess", attack("dbrl", cut=True)))
    section = judged(cut, "found", at_most=0.5)
    assert (said(section), "the time limit ended dbrl" in section.why) == ("not estimable", True)


def test_who_names_a_weak_attack_meets_nothing() -> None:
    named = {"request": {"attacks": ["guess", "rbrl-max"]}}
    table, attacks = (of_attack("rbrl-max", 0.0, 0.001),), ("guess", "rbrl-max")
    few = document(*table, attacks=attacks, provenance=named)
    section = judged(few, "found", at_most=0.05)
    assert said(section) == "not estimable"
    assert "dbrl" in section.why
    assert "not tried" in section.why
    assert said(judged(few, "found", at_most=0.05, attacks=("rbrl-max",))) == "met"
    assert said(judged(few, "found", at_most=0.05, attacks=("rbrl-max", "prl"))) == "not estimable"
    old = document(*table, attacks=attacks, provenance={})
    assert said(judged(old, "found", at_most=0.05)) == "not estimable"  # it does not tell what was asked


def test_all_usual_attacks_by_name_are_as_good_as_none_named() -> None:
    names = [name for name in unmask.attacks.ATTACKS if name != "prl"]
    attacks = ("guess", *(name for name in names if name != "guess"), "prl:false_links=0.01")
    table = [of_attack(name, 0.02, 0.03) for name in attacks if name != "guess"]
    every = document(*table, attacks=attacks, provenance={"request": {"attacks": list(attacks)}})
    assert said(judged(every, "found", at_most=0.05)) == "met"


def test_files_without_common_attributes_have_other_usual_attacks() -> None:
    random = {"observed": 1.0, "mean": 1.0, "upper": 2.0, "p_value": 0.5, "draws": 99}
    names = [name for name in unmask.attacks.WITHOUT_COMMON if name != "guess"]
    attacks = ("guess", *(attack(name, permutation=random) for name in names))
    table = [of_attack(name, 0.02, 0.03) for name in names]
    found = document(*table, attacks=attacks, provenance={"request": {"attacks": ["guess", *names]}})
    assert said(judged(found, "found", at_most=0.05)) == "met"


def test_releases_together_count_and_points_of_curves_do_not() -> None:
    together = of_attack("dbrl", 0.4, 0.42, release="combined")
    assert judged(document(*LINKED, together), "found", at_most=0.5).judged == 0.42
    elsewhere = (
        of_attack("dbrl", 0.9, release="earlier.csv"),
        of_attack("dbrl", 0.9, source="source 1", people="all"),
        of_attack("dbrl", 0.9, curve="facts", known=["age"]),
    )
    assert judged(document(*LINKED, *elsewhere), "found", at_most=0.5).judged == 0.13


def test_known_reidentification_is_of_those_attacks_that_can_tell() -> None:
    sure = row(0.02, measure="known-reidentification", attack="dbrl", baseline=0.001)
    section = judged(document(*LINKED, sure), "known-reidentification", at_most=0.01)
    assert (section.attack, said(section)) == ("dbrl", "exceeded")
    assert said(judged(document(*LINKED), "known-reidentification", at_most=0.01)) == "not estimable"


# ---- measures of the file ----


def test_a_probability_of_one_in_eleven_meets_one_in_eleven() -> None:
    found = document(of_file("prosecutor-risk", 1 / 11))
    for name in ("ema-0070", "health-canada-prci"):
        assert judge(found, name).verdict is Verdict.MET
    worse = judge(document(of_file("prosecutor-risk", 1 / 10)), "ema-0070")
    assert worse.verdict is Verdict.EXCEEDED
    assert worse.criteria[0].why == (
        "The largest probability of a right match of a record is 0.1 for an intruder who knows 2 attributes "
        "of 1080 people (prosecutor risk): above the ceiling of 0.0909."
    )


def test_a_probability_where_keys_are_not_peoples_is_not_estimable() -> None:
    reason = "not applicable: the release changed attributes that the intruder knows (age)"
    found = document(of_file("prosecutor-risk", None, reason=reason, applicable=False))
    section = judge(found, "ema-0070").criteria[0]
    assert (said(section), section.value, section.judged) == ("not estimable", None, None)
    assert "cannot be told: the release changed attributes" in section.why
    assert "0.0909" in section.why


@pytest.mark.parametrize(
    ("reading", "measure"),
    [
        ("largest-match-probability-in-population", "journalist-risk"),
        ("mean-match-probability", "marketer-risk"),
        ("t-closeness", "t-closeness-equal"),
    ],
)
def test_ceilings_of_single_measures(reading: str, measure: str) -> None:
    found = document(of_file(measure, 0.2))
    assert judged(found, reading, at_most=0.2).measure == measure
    assert [said(judged(found, reading, at_most=bound)) for bound in (0.2, 0.19)] == ["met", "exceeded"]


@pytest.mark.parametrize(("k", "verdict"), [(5, "met"), (6, "met"), (4, "exceeded"), (1, "exceeded")])
def test_a_floor(k: int, verdict: str) -> None:
    section = judge(document(of_file("k-anonymity", float(k), unit="level")), "cell-size-5").criteria[0]
    assert (said(section), section.at_least, section.unit, section.bound) == (verdict, True, "level", 5.0)


def test_the_lower_end_is_held_against_a_floor() -> None:
    found = document(of_file("k-anonymity", 5.0, low=4.0, high=9.0))
    section = judged(found, "smallest-class", at_least=5)
    assert (section.judged, said(section)) == (4.0, "exceeded")
    assert "5, down to 4 in its 95% interval" in section.why


def test_the_least_diverse_attribute_counts() -> None:
    levels = [of_file("l-diversity", level, subject=name) for name, level in (("job", 4.0), ("illness", 2.0))]
    section = judged(document(*levels), "l-diversity", at_least=3)
    assert (section.subject, section.value, said(section)) == ("illness", 2.0, "exceeded")
    assert "'illness'" in section.why
    lost = of_file("l-diversity", None, subject="pay", reason="too many values")
    assert said(judged(document(*levels, lost), "l-diversity", at_least=2)) == "not estimable"
    changed = lost | {"applicable": False}
    assert said(judged(document(*levels, changed), "l-diversity", at_least=2)) == "met"


CLASSES = of_file(
    "small-classes",
    0.03,
    by_setting={
        "over": "size",
        "points": [{"at": k, "value": v} for k, v in ((2, 0.01), (3, 0.03), (5, 0.1))],
    },
)


def test_small_classes_of_any_size_that_was_measured() -> None:
    found = document(CLASSES)
    values = [judged(found, "records-in-small-classes", at_most=1, below=k).value for k in (None, 2, 5)]
    assert values == [0.03, 0.01, 0.1]
    lost = judged(found, "records-in-small-classes", at_most=1, below=7)
    assert (said(lost), "classes of fewer than 7" in lost.why) == ("not estimable", True)
    uniques = document(of_file("sample-uniques", 0.2))
    assert judged(uniques, "records-in-small-classes", at_most=0.2, below=2).value == 0.2
    assert said(judged(document(), "records-in-small-classes", at_most=1)) == "not estimable"
    none = document(of_file("small-classes", None, reason="not applicable: noise", applicable=False))
    assert "noise" in judged(none, "records-in-small-classes", at_most=1).why


def test_population_uniques_are_those_of_the_leading_estimate_or_bounded() -> None:
    in_sample = of_file("sample-uniques", 0.1)
    leading = of_file("unique-in-population", 0.025, n=1080, low=0.01, high=0.05)
    refused = of_file("unique-in-population", None, reason="no estimate can be believed")

    def uniques(*table: Mapping[str, Any], at_most: float) -> tuple[str, str, float | None]:
        section = judged(document(*table), "population-uniques", at_most=at_most)
        return said(section), section.measure, section.judged and round(section.judged, 6)

    assert uniques(in_sample, leading, at_most=0.05) == ("met", "unique-in-population", 0.05)
    assert uniques(in_sample, leading, at_most=0.04) == ("exceeded", "unique-in-population", 0.05)
    assert uniques(in_sample, refused, at_most=0.04) == ("not estimable", "sample-uniques", 0.1)
    assert uniques(in_sample, at_most=0.1) == ("met", "sample-uniques", 0.1)
    assert uniques(in_sample, at_most=0.09) == ("not estimable", "sample-uniques", 0.1)
    assert uniques(at_most=0.5) == ("not estimable", "unique-in-population", None)


def test_nobody_unique_in_the_release_is_unique_in_the_population() -> None:
    reason = "no released record is unique, so none can be unique in the population"
    found = document(of_file("unique-in-population", None, reason=reason), of_file("sample-uniques", 0.0))
    section = judged(found, "population-uniques", at_most=0)
    assert (said(section), section.judged) == ("met", 0.0)


LEARNED = (
    row(0.7, measure="sadr", subject="job", baseline=0.5),
    row(0.8, measure="model-disclosure", subject="illness", baseline=0.75),
    row(0.99, measure="membership-distance", subject="recall", baseline=0.1),
    of_file("model-attributes", 3.0, unit="count"),
)


def test_attribute_disclosure_is_the_largest_excess_over_a_baseline() -> None:
    section = judged(document(*LEARNED), "attribute-disclosure-beyond-baseline", at_most=0.1)
    assert (section.measure, section.subject, said(section)) == ("sadr", "job", "exceeded")
    assert section.judged == pytest.approx(0.207)
    few = judged(
        document(*LEARNED),
        "attribute-disclosure-beyond-baseline",
        at_most=0.1,
        measures=("model-disclosure",),
    )
    assert (few.measure, said(few)) == ("model-disclosure", "met")


def test_measures_of_a_family_that_are_not_there_leave_the_question_open() -> None:
    reading = "attribute-disclosure-beyond-baseline"
    lacking = judged(document(*LEARNED), reading, at_most=1, measures=("sadr", "cells-external"))
    assert (said(lacking), "cells-external was not measured" in lacking.why) == ("not estimable", True)
    named = judged(document(*LEARNED, named=True), reading, at_most=1)
    assert (said(named), "chosen by name" in named.why) == ("not estimable", True)
    assert said(judged(document(*LEARNED), reading, at_most=1)) == "met"
    assert said(judged(document(), reading, at_most=1)) == "not estimable"


def test_membership_is_the_largest_auc() -> None:
    table = (
        row(0.6, measure="membership-distance", subject="AUC", baseline=0.5),
        row(0.9, measure="membership-distance", subject="accuracy", baseline=0.5),
        row(0.55, measure="membership-density", subject="AUC", baseline=0.5, high=0.65),
        of_file("closest-record-proxy", 0.99, baseline=0.5),
    )
    section = judged(document(*table), "membership-auc", at_most=0.64)
    assert (section.measure, section.judged, said(section)) == ("membership-density", 0.65, "exceeded")
    nobody = judged(document(*LINKED), "membership-auc", at_most=1)
    assert (said(nobody), "--holdout" in nobody.why) == ("not estimable", True)
    refused = of_file("membership-model", None, reason="the model refused the file")
    assert said(judged(document(*table, refused), "membership-auc", at_most=1)) == "not estimable"


def test_what_was_not_asked_for_was_not_measured() -> None:
    section = judged(document(*LINKED, named=True), "smallest-class", at_least=1)
    assert section.why.endswith("cannot be told: it was not measured.")


# ---- scenario, and all criteria together ----


def test_a_weak_intruder_meets_nothing_and_can_exceed() -> None:
    found = document(*LINKED)  # who knows age and town
    assert said(judged(found, "found", at_most=0.5, known=2)) == "met"
    assert said(judged(found, "found", at_most=0.5, known=("town",))) == "met"
    assert "at least 3 attributes" in judged(found, "found", at_most=0.5, known=3).why
    section = judged(found, "found", at_most=0.5, known=("town", "job"))
    assert (said(section), "'job'" in section.why) == ("not estimable", True)
    assert said(judged(found, "found", at_most=0.05, known=3)) == "exceeded"


def test_the_scenario_stands_beside_every_verdict() -> None:
    found = document(*LINKED, CLASSES, of_file("prosecutor-risk", 0.5))
    for section in judge(found, "example").criteria:
        assert section.scenario == "knows 2 attributes of 1080 people"
        # What is lost is lost whoever looks at it.
        assert (section.scenario in section.why) == (section.reading != "loss")


@pytest.mark.parametrize(
    ("bounds", "verdict"),
    [
        ({"found": 0.5, "largest-match-probability": 0.9}, "met"),
        ({"found": 0.05, "largest-match-probability": 0.9}, "exceeded"),
        ({"found": 0.5, "membership-auc": 0.9}, "not estimable"),
        ({"found": 0.05, "membership-auc": 0.9}, "exceeded"),
    ],
)
def test_all_criteria_together(bounds: dict[str, float], verdict: str) -> None:
    criteria = tuple(Criterion(Reading(name), at_most=bound) for name, bound in bounds.items())
    found = judge(document(*LINKED, of_file("prosecutor-risk", 0.5)), Policy("p", "P", "S", criteria))
    assert (found.verdict.value, len(found.criteria)) == (verdict, 2)


def test_a_number_next_to_its_bound_is_told_from_it() -> None:
    section = judged(document(of_file("prosecutor-risk", 0.20001)), "largest-match-probability", at_most=0.2)
    assert "is 0.20001 for" in section.why


def test_judging_is_a_function_of_the_document() -> None:
    found = document(*LINKED)
    again = ASSESSMENT.read(ASSESSMENT.text(replace(found, verdict=judge(found, "example"))))
    assert again.verdict == judge(again, "example") == judge(unmask.Assessment(found), "example")
    assert unmask.Assessment(again).verdict == again.verdict
    assert unmask.Assessment(found).verdict is None
    assert unmask.judge is judge


def test_what_cannot_be_judged_is_refused() -> None:
    with pytest.raises(ArgumentError, match=r"what is judged is a text, not an assessment\. Hint"):
        judge("risk.json", "ema-0070")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="the policy is a whole number"):
        judge(document(*LINKED), 3)  # type: ignore[arg-type]


# ---- files ----


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'p.toml has no format = "unmask-policy"'),
        ("format = ", "p.toml is not valid TOML"),
        ('format = "unmask-request"\nversion = 1\n', 'p.toml has no format = "unmask-policy"'),
        ('format = "unmask-policy"\n' + FOUND, "p.toml has no version of its format"),
        ('format = "unmask-policy"\nversion = true\n' + FOUND, "p.toml has no version of its format"),
        ('format = "unmask-policy"\nversion = 2\n' + FOUND, "p.toml has format version 2, and this unmask"),
        ('format = "unmask-policy"\nversion = 1\nsource = "s"\n' + FOUND, "p.toml has no title"),
        ('format = "unmask-policy"\nversion = 1\ntitle = "t"\n' + FOUND, "p.toml has no source"),
        (HEAD, "p.toml has no criterion"),
        (HEAD + "criterion = []", "p.toml has no criterion"),
        (HEAD + "criterion = 3", "p.toml has no criterion"),
        (HEAD.replace('"Ours"', '" "') + FOUND, "p.toml: the policy has no title"),
        (HEAD.replace('"Ours"', "3") + FOUND, "p.toml: title is a whole number, not a text"),
        (HEAD + 'titel = "x"\n' + FOUND, "p.toml has an unknown key 'titel'. Hint: did you mean 'title'?"),
        (
            HEAD + FOUND + "atmost = 1",
            "criterion 1 of p.toml has an unknown key 'atmost'. Hint: did you mean",
        ),
        (HEAD + "[[criterion]]\nat_most = 1", "criterion 1 of p.toml has no reading"),
        (HEAD + "[[criterion]]\nreading = 1", "criterion 1 of p.toml has a reading that is not a text"),
        (
            HEAD + FOUND + '[[criterion]]\nreading = "fond"',
            "criterion 2 of p.toml has the unknown reading 'fond'",
        ),
        (
            HEAD + '[[criterion]]\nreading = "found"',
            "criterion 1 of p.toml: 'found' has no bound. Hint: write",
        ),
        (HEAD + FOUND + "at_least = 0", "criterion 1 of p.toml: 'found' has a ceiling and a floor"),
        (HEAD + FOUND.replace("at_most", "at_least"), "'found' has a floor, and is worse the higher it is"),
        (HEAD + FOUND.replace("0.1", "1.5"), "the at_most of 'found' is out of range. Hint: give a number"),
        (HEAD + FOUND.replace("0.1", "-0.1"), "the at_most of 'found' is out of range"),
        (HEAD + FOUND.replace("0.1", "nan"), "the at_most of 'found' is out of range"),
        (HEAD + FOUND.replace("0.1", "1" + "0" * 400), "the at_most of 'found' is out of range"),
        (HEAD + FOUND.replace("0.1", "1" + "0" * 5000), "p.toml is not valid TOML"),
        (HEAD + FOUND.replace("0.1", '"a tenth"'), "at_most is a text, not a number"),
        (HEAD + FOUND.replace("0.1", '"1/0"'), "at_most is a text, not a number"),
        (HEAD + FOUND.replace("0.1", "true"), "at_most is True, not a number"),
        (HEAD + FOUND + FOUND, "two criteria of the policy are called 'found'"),
        (HEAD + FOUND + "known = 0", "'found' asks for an intruder who knows nothing"),
        (HEAD + FOUND + "known = []", "'found' names no known attribute"),
        (HEAD + FOUND + 'known = "age"', "known is a text, not a"),
        (HEAD + FOUND + "attacks = []", "'found' names no attack"),
        (HEAD + FOUND + 'attacks = ["dbrll"]', "no attack is called 'dbrll'. Hint: did you mean 'dbrl'?"),
        (HEAD + FOUND + 'measures = ["sadr"]', "'found' names measures, and looks at one"),
        (HEAD + FOUND + "below = 3", "'found' has 'below', which is the size of small classes"),
        (HEAD + FOUND.replace("found", "smallest-class"), "has a ceiling, and is worse the lower it is"),
        (
            HEAD + FOUND.replace("found", "membership-auc") + 'attacks = ["dbrl"]',
            "names attacks, and looks at",
        ),
        (HEAD + FOUND.replace("found", "membership-auc") + 'measures = ["x"]', "no measure is called 'x'"),
        (HEAD + FOUND.replace("found", "records-in-small-classes") + "below = 1", "has below = 1"),
        (HEAD + "x = " + "[" * 5000, "p.toml"),
    ],
)
def test_wrong_files_are_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(DataError) as refused:
        policy_in(text, "p", "p.toml")
    told = str(refused.value)
    assert message in told
    assert "Hint: " in told
    assert "\n" not in told
    assert len(told) < 1000


def test_a_file_says_all_that_a_criterion_has(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(
        HEAD
        + 'note = "For researchers."\n[[criterion]]\n'
        + 'name = "few"\ntitle = "few are found"\nreading = "found"\n'
        + 'at_most = " 1 / 8 "\nknown = ["age"]\nattacks = ["dbrl"]\nsource = "Page 3."\nwhy = "Said so."\n'
    )
    policy = read_policy(str(path))
    assert (policy.name, policy.title, policy.source, policy.note) == (
        "ours.toml",
        "Ours",
        "A book.",
        "For researchers.",
    )
    assert policy.criteria == (
        Criterion(
            Reading.FOUND,
            at_most=0.125,
            name="few",
            title="few are found",
            known=("age",),
            attacks=("dbrl",),
            source="Page 3.",
            why="Said so.",
        ),
    )


def test_a_name_is_bundled_or_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine").write_text(HEAD + FOUND)
    Path("ema-0070").write_text("not a policy")
    assert policy_named("mine").title == "Ours"
    assert policy_named("ema-0070") is bundled_policies()["ema-0070"]
    assert (policy_file("ema-0070"), policy_file("mine")) == (None, Path("mine"))
    for name, message in (
        ("ema0070", "no policy is called 'ema0070'. Hint: did you mean 'ema-0070'? Known: "),
        ("", "no policy is called ''. Hint: Known: "),
        ("x" * 50_000, "no policy is called 'xxx"),
        ("a\0b", "no policy is called"),
        ("./ema-0070", "is not valid TOML at line 1"),
        ("nowhere.toml", "no file 'nowhere.toml'"),
        (".", "is a folder, not a file"),
    ):
        with pytest.raises(UnmaskError) as refused:
            policy_named(name)
        assert message in str(refused.value)


def test_a_misspelt_policy_is_refused_before_a_file_is_read() -> None:
    files = unmask.RequestFiles("nowhere.csv", "nowhere-else.csv")
    with pytest.raises(ArgumentError, match="no policy is called 'ema'"):
        unmask.Session(unmask.Request(files, policy="ema"))


# ---- the bundled ones ----


@pytest.mark.parametrize("name", bundled_policies())
def test_a_bundled_policy_has_a_source_and_promises_nothing(name: str) -> None:
    policy = bundled_policies()[name]
    assert policy.name == name
    assert len(policy.source) > 20
    told = " ".join((policy.title, policy.note, *(c.why for c in policy.criteria))).lower()
    assert "no statement that the law is met" in told or "no authority" in told
    assert not {"safe", "anonymous", "compliant", "lawful"} & set(told.replace(".", " ").split())


def test_the_example_shows_every_reading() -> None:
    assert {criterion.reading for criterion in bundled_policies()["example"].criteria} == set(Reading)


def test_the_bounds_of_the_bundled_ones() -> None:
    bounds = {
        name: policy.criteria[0].bound for name, policy in bundled_policies().items() if name != "example"
    }
    assert bounds == {
        "cell-size-3": 3,
        "cell-size-5": 5,
        "cell-size-11": 11,
        "cell-size-20": 20,
        "ema-0070": 1 / 11,
        "health-canada-prci": 1 / 11,
    }


def test_every_reading_is_judged_of_real_files() -> None:
    from unmask.data.example import people

    asked: dict[str, Any] = {"known": ["region", "sex", "education"], "seed": 1}
    measures = [
        "reidentification",
        "known-reidentification",
        "k-anonymity",
        "prosecutor-risk",
        "sample-uniques",
    ]
    original = people(300)
    for released in (original, unmask.masks.Noise(a=0.2)):
        risk = unmask.assess(original, released, policy="example", measures=measures, **asked)
        assert risk.verdict is not None
        assert risk.verdict == judge(risk, "example")
        assert {one.reading for one in risk.verdict.criteria} == {one.value for one in Reading}
        for name in bundled_policies():
            assert judge(risk, name).verdict in Verdict
