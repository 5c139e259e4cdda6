"""Measures say something only about the kinds of release for which they are meant; of others, no number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import unmask
from tests.contract.files import TOWNS, usual
from tests.unit.report_data import assessment, row
from unmask.assessment.asked import Given
from unmask.assessment.request import Request, RequestFiles
from unmask.assessment.session import Session
from unmask.cli import terminal
from unmask.data.example import people
from unmask.data.microdata import Masked, Microdata
from unmask.data.missing import Missing
from unmask.data.release_kind import ReleaseKind
from unmask.data.schema import Role
from unmask.documents import ASSESSMENT, AssessmentDocument
from unmask.engines import LocalEngine
from unmask.linkage.transitions import Transitions
from unmask.masks import LocalSuppression, Microaggregation, Noise
from unmask.measures import (
    COMPLETE_KEYS,
    FILE_MEASURES,
    TRUE_KEYS,
    FileEvidence,
    Misclassified,
    NotEstimable,
    Row,
    measure_named,
    why_not,
)
from unmask.measures.anonymity import KAnonymity, LDiversity, TCloseness
from unmask.measures.attribute import SimpleDisclosure
from unmask.measures.families import SYNTHESIS
from unmask.report.assessment import html
from unmask.studies.assess import assessment as answered
from unmask.studies.assess import file_rows

PEOPLE = people(400)
KEYS = ("region", "sex", "education")
NUMBERS = ("age", "hours", "income", "rent", "commute")
KNOWN = PEOPLE.schema.names(Role.QUASI_IDENTIFIER)
KEY_BASED = [name for name, measure in FILE_MEASURES.items() if measure.says_about <= TRUE_KEYS]
QUICK = [name for name, measure in FILE_MEASURES.items() if not hasattr(measure, "modelling")]
PERTURBED, SUPPRESSED, SYNTHETIC = ReleaseKind.PERTURBED, ReleaseKind.SUPPRESSED, ReleaseKind.SYNTHETIC


def masked(mask) -> Masked:
    return mask.apply(PEOPLE, np.random.default_rng(1))


def findings(evidence: FileEvidence, names=QUICK) -> dict[str, tuple[Row, ...] | NotEstimable]:
    found: dict[str, tuple[Row, ...] | NotEstimable] = {}
    for name in names:
        measure = measure_named(name)
        why = why_not(measure, evidence)
        found[name] = measure.rows(evidence, LocalEngine()) if why is None else why
    return found


def inapplicable(evidence: FileEvidence) -> set[str]:
    found = findings(evidence)
    return {name for name, said in found.items() if isinstance(said, NotEstimable) and not said.applicable}


def value(measure, evidence: FileEvidence) -> float:
    assert why_not(measure, evidence) is None
    return measure.rows(evidence, LocalEngine())[0].estimate.value


def test_the_measures_of_keys_are_those_that_one_expects():
    assert set(KEY_BASED) == {
        "cells-external", "cells-internal", "k-anonymity", "sample-uniques", "small-classes", "l-diversity",
        "l-diversity-entropy", "l-diversity-recursive", "t-closeness", "special-uniques", "dis-suda",
        "prosecutor-risk", "journalist-risk", "marketer-risk", "population-uniques", "individual-risk",
        "household-risk", "log-linear-uniques", "log-linear-matches", "pitman", "zayatz",
        "unique-in-population",
    }  # fmt: skip


@pytest.mark.parametrize("mask", [Noise(a=2.0), Microaggregation(k=3)], ids=lambda mask: mask.name)
def test_after_perturbation_no_measure_of_keys_gives_a_number(mask):
    release = masked(mask)
    before = FileEvidence(PEOPLE, release, KNOWN, population=PEOPLE)
    assert not inapplicable(before), "nothing is known of the release"
    evidence = FileEvidence(
        PEOPLE, release, KNOWN, population=PEOPLE, kinds=frozenset({PERTURBED}), perturbed=NUMBERS
    )
    assert inapplicable(evidence) == set(KEY_BASED)
    why = why_not(measure_named("marketer-risk"), evidence)
    assert why.reason == (
        "not applicable: the release changed attributes that the intruder knows (age, hours, income, rent, "
        "commute), so equal values do not mean the same person"
    )
    assert {"interval-rank", "interval-sd", "interval-drisk"} <= {
        name for name, said in findings(evidence).items() if not isinstance(said, NotEstimable)
    }


def test_what_the_intruder_does_not_know_may_be_perturbed():
    evidence = FileEvidence(
        PEOPLE, masked(Noise(a=2.0)), KEYS, kinds=frozenset({PERTURBED}), perturbed=NUMBERS
    )
    assert not inapplicable(evidence)
    alone = replace(evidence, perturbed=())
    assert inapplicable(alone) >= {"k-anonymity", "marketer-risk"}, (
        "which attributes is not said: all of them"
    )


def permuted() -> Microdata:
    rng = np.random.default_rng(3)
    return Microdata(
        PEOPLE.schema, pl.DataFrame([column.gather(rng.permutation(400)) for column in PEOPLE.frame])
    )


def bootstrap() -> Microdata:
    return PEOPLE.take(np.random.default_rng(4).integers(0, 400, 400))


@pytest.mark.parametrize("release", [permuted(), bootstrap()], ids=["permuted columns", "bootstrap copy"])
def test_a_synthetic_file_gets_no_number_from_keys_nor_from_own_records(release):
    holdout = people(800, seed=7)
    synthetic = Masked(release, np.full(400, -1))
    evidence = FileEvidence(
        PEOPLE, synthetic, KNOWN, population=PEOPLE, holdout=holdout, kinds=frozenset({SYNTHETIC})
    )
    found = findings(evidence)
    valued = {
        name
        for name, said in found.items()
        if not isinstance(said, NotEstimable) and any(one.estimate.estimable for one in said)
    }
    made_for_it = {name for name in valued if measure_named(name).about.family is SYNTHESIS}
    assert {"replicated-uniques", "disco", "linkability", "singling-out-univariate"} <= made_for_it
    membership = {f"membership-{by}" for by in ("distance", "density", "density-ratio", "vulnerable")}
    assert valued - made_for_it == {*membership, "closest-record-proxy"}
    assert set(KEY_BASED) <= inapplicable(evidence)
    for name, said in found.items():
        if isinstance(said, NotEstimable) and said.declared:
            assert said.reason.startswith("not applicable: no record of a synthetic release"), name
    modelled = {name for name, m in FILE_MEASURES.items() if hasattr(m, "modelling")}
    asked = {name for name in modelled if SYNTHETIC in measure_named(name).says_about}
    assert asked == {"model-disclosure", "model-release", "model-attributes"}


@pytest.mark.parametrize("k", [2, 3, 5])
def test_local_suppression_to_k_is_k_anonymous(k):
    release = masked(LocalSuppression(k, attributes=KEYS))
    changed = tuple(name for name in KEYS if release.data.frame[name].null_count())
    assert changed
    plain = FileEvidence(PEOPLE, release, KEYS)
    assert value(KAnonymity(), plain) == 1
    told = replace(plain, kinds=frozenset({SUPPRESSED}), suppressed=changed)
    assert value(KAnonymity(), told) >= k
    assert value(KAnonymity(), told) == value(KAnonymity(), replace(plain, missing=Missing.WILDCARD))
    assert value(measure_named("prosecutor-risk"), told) <= 1 / k
    assert value(measure_named("sample-uniques"), told) == 0
    assert value(measure_named("special-uniques"), told) == 0
    assert value(KAnonymity(), replace(told, missing=Missing.CATEGORY)) == 1, "the policy was declared"
    need_all = {n for n in KEY_BASED if measure_named(n).says_about <= COMPLETE_KEYS}
    assert inapplicable(told) == {*need_all, "unique-in-population"}, (
        "which only a population file could tell"
    )


def test_only_suppressed_values_may_be_anything():
    # Five people whose town is not known to anybody are not alike because a sex was suppressed elsewhere.
    frame = pl.DataFrame(
        {"town": ["A", "A", "B", None, None], "sex": ["f", None, "f", "f", "m"], "ill": list("xyxyx")}
    )
    schema = unmask.Schema(
        (
            unmask.Column("town", unmask.Kind.NOMINAL),
            unmask.Column("sex", unmask.Kind.NOMINAL),
            unmask.Column("ill", unmask.Kind.NOMINAL, Role.CONFIDENTIAL),
        )
    )
    file = Microdata(schema, frame)
    evidence = FileEvidence(file, Masked.by_order(file, file), ("town", "sex"), suppressed=("sex",))
    (found,) = KAnonymity().rows(evidence, LocalEngine())
    assert found.estimate.per_record.tolist() == [1 / 2, 1 / 2, 1, 1, 1]
    cells = measure_named("cells-external").rows(evidence, LocalEngine())[0].estimate.per_record
    assert np.isnan(cells).tolist() == [False, False, True, True, True]
    everybody = replace(evidence, population=Microdata(schema.only(["town", "sex"]), frame.drop("ill")))
    risk = measure_named("journalist-risk").rows(everybody, LocalEngine())[0].estimate.per_record
    assert risk.tolist() == [1 / 2, 1 / 2, 1, 1, 1]


def test_values_of_a_group_that_were_changed_are_not_its_peoples():
    columns = [replace(c, role=Role.CONFIDENTIAL) if c.name == "income" else c for c in PEOPLE.schema]
    original = Microdata(unmask.Schema(tuple(columns)), PEOPLE.frame)
    release = Noise(a=0.5, attributes=("income",)).apply(original, np.random.default_rng(1))
    evidence = FileEvidence(original, release, KEYS, kinds=frozenset({PERTURBED}), perturbed=("income",))
    for measure in (LDiversity(), TCloseness()):
        rows = {one.keys.subject: one.estimate for one in measure.rows(evidence, LocalEngine())}
        assert set(rows) == {"income", "diagnosis"}, "no row of both together"
        assert rows["diagnosis"].estimable
        assert rows["income"].reason == (
            "not applicable: the release changed 'income', so a group's values are not those of its people"
        )


def test_a_recoded_attribute_has_no_unchanged_categories():
    evidence = FileEvidence(PEOPLE, Masked.by_order(PEOPLE, PEOPLE), KEYS, recoded=("region", "education"))
    rows = {one.keys.subject: one.estimate for one in SimpleDisclosure().rows(evidence, LocalEngine())}
    assert not rows["region"].applicable
    assert rows["sex"].value == 1.0
    every = replace(evidence, recoded=KNOWN)
    assert {one.estimate.applicable for one in SimpleDisclosure().rows(every, LocalEngine())} == {True, False}


def test_post_randomisation_needs_a_table_for_all_that_changed():
    measure = Misclassified({"town": Transitions(TOWNS, TOWNS, np.full((3, 3), 0.1) + 0.7 * np.eye(3))})
    one = replace(usual(), kinds=frozenset({PERTURBED}), perturbed=("town",))
    assert why_not(measure, one) is None
    two = replace(one, perturbed=("town", "age"))
    assert why_not(measure, two).reason == (
        "not applicable: the release changed 'age' too, for which no table is declared"
    )


def test_a_measure_that_nothing_calls_for_is_not_called_inapplicable():
    bare = Microdata(PEOPLE.schema.only(KEYS), PEOPLE.frame.select(KEYS))
    evidence = FileEvidence(bare, Masked.by_order(bare, bare), KEYS, perturbed=KEYS)
    why = why_not(measure_named("zayatz"), evidence)
    assert why.applicable
    assert not why.declared


def assessed(measures=None) -> tuple[Session, AssessmentDocument]:
    given = Given({"original": PEOPLE, "released": masked(Noise(a=2.0))})
    request = Request(RequestFiles("(in memory)", "(in memory)"), attacks=("guess",), measures=measures)
    session = Session(request, given)
    session.evidence = replace(session.evidence, kinds=frozenset({PERTURBED}), perturbed=NUMBERS)
    return session, answered(session).document


def test_the_document_has_them_without_a_value_and_the_page_in_an_appendix(capsys):
    names = ("k-anonymity", "interval-sd", "dis-suda")
    session, document = assessed(names)
    rows, _ = file_rows(session)
    assert [one.keys.measure for one in rows if not one.estimate.applicable] == ["k-anonymity", "dis-suda"]
    assert {one.keys.measure for one in document.of_file} == {"interval-sd"}
    text = ASSESSMENT.text(document)
    assert text.count('"applicable": false') == 2
    again = ASSESSMENT.read(text)
    assert ASSESSMENT.text(again) == text
    assert len(again.table.inapplicable) == 2
    page = html(again)
    head, _, appendix = page.partition('<h3 id="inapplicable">What does not apply to this release, and why')
    assert "K-anonymity; probability of a right match, by special uniques: not applicable" in appendix
    assert "not applicable: the release changed" in appendix
    assert "k-anonymity" not in head
    terminal.show_assessment(again)
    assert "k-anonymity; dis-suda: not applicable: the release changed" in capsys.readouterr().out


def without_value(*names: str) -> AssessmentDocument:
    """A document without attacks whose measures do not apply."""
    rows = [row(None, measure=name, unit="level", reason="not applicable: noise") for name in names]
    return ASSESSMENT.build(assessment(table=[one | {"applicable": False} for one in rows]))


def test_the_terminal_counts_what_was_not_asked_for_by_name(capsys):
    terminal.show_assessment(without_value("k-anonymity", "dis-suda"))
    out = capsys.readouterr().out
    assert "2 measures do not apply to this kind of release: --html, --json and --verbose say why" in out
    assert "noise" not in out


def test_without_attacks_and_findings_the_headline_says_so():
    page = html(without_value("k-anonymity"))
    assert "no measure that was taken applies to this kind of release" in page
