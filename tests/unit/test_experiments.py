"""Attacks informed by the truth: two runs each, marked, kept out of the headline and the union."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import unmask
from unmask.assessment import experiments
from unmask.attacks import OneToOne
from unmask.data.example import people
from unmask.data.microdata import Ints
from unmask.documents import ASSESSMENT, UNION, AssessmentDocument
from unmask.documents.codec import plain
from unmask.documents.sections import AttackSection
from unmask.linkage.decisions import NearestRecord
from unmask.linkage.links import Links
from unmask.masks import Microaggregation, Noise
from unmask.measures.confidence import clopper_pearson
from unmask.measures.estimate import Estimate
from unmask.report import headline, html

KNOWN = ("age", "income", "rent")
MEASURES = ["reidentification", "reidentification-strict", "reidentification-lenient"]


@pytest.fixture(scope="module")
def risk() -> unmask.Assessment:
    attacks = ["guess", "dbrl", "rbrl-sum", "learned-wm"]
    return unmask.assess(
        people(80), Noise(a=0.3), known=KNOWN, attacks=attacks, measures=MEASURES, time_limit=600, seed=1
    )


@pytest.fixture(scope="module")
def whole() -> unmask.Assessment:
    """One attack, and every measure of the file that the schema of the example calls for."""
    return unmask.assess(people(200), Noise(a=0.01), attacks=["dbrl"], seed=1)


def estimates(risk: unmask.Assessment, measure: str = "reidentification") -> dict[str, Estimate]:
    """What the attacks reach under a measure."""
    return {row.keys.attack: row.estimate for row in risk.document.table.attacks.where(measure=measure)}


def value(risk: unmask.Assessment, attack: str, measure: str = "reidentification-strict") -> float:
    return estimates(risk, measure)[attack].value


def read_again(risk: unmask.Assessment) -> AssessmentDocument:
    """The document as a reader of its JSON has it."""
    return ASSESSMENT.read(risk.to_json())


def test_a_learned_attack_has_a_run_on_its_own_people_and_one_on_others(risk):
    names = [run.attack for run in risk.runs]
    assert names == ["guess", "dbrl", "rbrl-sum", "learned-wm", "learned-wm-holdout"]
    assert [run.informed for run in risk.runs] == [False, False, False, True, True]
    assert value(risk, "learned-wm") >= value(risk, "dbrl")
    assert value(risk, "learned-wm") >= value(risk, "learned-wm-holdout")
    (lesson,) = [run.lesson for run in risk.runs if run.lesson is not None]
    assert lesson.found <= lesson.bound
    assert lesson.found == round(value(risk, "learned-wm") * 80)  # without twins both readings agree


def test_what_the_truth_informed_has_no_p_value_on_its_own_people(risk):
    found = estimates(risk)
    assert found["learned-wm"].p_value is experiments.NO_P_VALUE
    assert 0 <= found["learned-wm-holdout"].p_value <= 1
    again = read_again(risk).table.attacks
    assert again.find(attack="learned-wm").p_value == experiments.NO_P_VALUE


def test_the_headline_and_the_union_are_an_intruders(risk):
    assert risk.worst().keys.attack in ("dbrl", "rbrl-sum")
    best = max(value(risk, name, "reidentification") for name in ("dbrl", "rbrl-sum"))
    assert value(risk, UNION, "reidentification") >= best
    only = unmask.assess(
        people(80), Noise(a=0.3), known=KNOWN, attacks=["dbrl", "rbrl-sum"], measures=MEASURES, seed=1
    )
    assert value(risk, UNION, "reidentification") == value(only, UNION, "reidentification")


def test_the_report_says_who_informed_it(risk):
    document = read_again(risk)
    page = html(document)
    assert "informed by the truth" in page
    assert "The worst case" in page
    assert "distance-based" in headline(document) or "rank-based" in headline(document)


def test_a_time_limit_of_nothing_is_refused():
    with pytest.raises(unmask.UnmaskError, match="time limit is 0"):
        unmask.assess(people(20), Noise(a=0.3), known=KNOWN, attacks=["learned-wm"], time_limit=0)


def test_files_without_a_common_attribute_are_attacked_all_the_same():
    original = people(40).frame.select("person", "age", "income", "rent", "hours")
    renamed = original.rename({name: name + "2" for name in original.columns if name != "person"})
    risk = unmask.assess(original, renamed.reverse(), truth="person", seed=1)
    names = [run.attack for run in risk.runs]
    assert names == ["guess", "structural", "alignment", "schema-matching"]
    assert value(risk, "structural", "reidentification") > 0.5  # the same numbers under other names
    nulls = {run.attack: run.null for run in risk.runs}
    assert nulls["structural"].p_value < 0.01
    assert "dealt out at random" in html(risk.document)
    with pytest.raises(unmask.UnmaskError, match="share no quasi-identifier"):
        unmask.assess(original, renamed, truth="person", attacks=["dbrl"])


def test_who_knows_the_mask_is_an_attack_of_its_own():
    mask = unmask.masks.RankSwapping(p=10)
    risk = unmask.assess(
        people(100), mask, known=KNOWN, mechanism="rank-swapping:p=10", attacks=["dbrl"], measures=MEASURES
    )
    assert [run.attack for run in risk.runs] == ["dbrl", "mechanism:rank-swapping:p=10"]
    full = unmask.assess(people(100), mask, known=KNOWN, mechanism=mask, attacks=["dbrl"])
    rows = [row.keys for row in full.document.table.attacks]
    assert "known-reidentification" in {k.measure for k in rows if k.attack.startswith("mechanism")}
    assert "known-reidentification" in {k.measure for k in rows if k.attack == "dbrl"}  # by its margins


def test_measures_of_the_file_follow_what_the_schema_declares(whole):
    table = whole.document.table
    found = {row.keys.measure for row in (*whole.document.of_file, *table.inapplicable)}
    assert {"interval-rank", "k-anonymity", "l-diversity", "individual-risk", "household-risk"} <= found
    assert not any(name.startswith("membership") for name in found)  # no hold-out is given
    held = unmask.assess(
        people(200), Noise(a=0.2), measures=["membership-distance"], holdout=people(100, seed=2), seed=1
    )
    assert held.runs == ()
    assert {row.keys.measure for row in held.document.table} == {"membership-distance"}
    assert "No attack was made" in html(read_again(held))


def test_a_measure_that_was_asked_for_says_why_it_has_no_value():
    risk = unmask.assess(people(60), Noise(a=0.2), measures=["population-uniques", "membership-model"])
    names = [row.keys.measure for row in risk.rows]
    assert sorted(set(names)) == ["membership-model", "population-uniques"]
    assert all(row.estimate.number is None and row.estimate.reason for row in risk.rows)


def test_the_record_table_has_every_measure_and_a_reason(whole):
    records = whole.records()
    assert records.height == 200
    assert {"k-anonymity", "interval-rank_age", "dbrl_belief", "why"} <= set(records.columns)
    assert "found by dbrl" in records["why"][0]
    assert records["why"].dtype == pl.String


def test_one_to_one_over_another_attack_by_name():
    risk = unmask.assess(
        people(60), Noise(a=0.3), known=KNOWN, attacks=[OneToOne(over="rbrl-sum")], measures=MEASURES
    )
    assert risk.runs[0].attack == "one-to-one:over=rbrl-sum"


def test_earlier_releases_and_several_sources_are_in_the_document():
    rng_free = people(120)
    noise = Noise(a=0.5)
    risk = unmask.assess(
        rng_free,
        noise,
        known=KNOWN,
        attacks=["dbrl"],
        measures=MEASURES,
        earlier=[noise],
        follow="order",
        seed=1,
    )
    rows = risk.document.table.having("release")
    assert {"this", "earlier 1", "combined"} <= {row.keys.release for row in rows}
    assert [join.release for join in risk.document.releases.earlier] == ["earlier 1"]
    sources = (unmask.Source(("age", "income")), unmask.Source(("rent",), targets=0.5))
    both = unmask.assess(
        rng_free,
        noise,
        scenario=unmask.Scenario(sources=sources),
        attacks=["dbrl"],
        measures=MEASURES,
        seed=1,
    )
    assert {row.keys.source for row in both.document.table.having("source")} >= {"source 1", "source 2"}
    assert [part.source for part in both.document.sources.sources] == ["source 1", "source 2"]
    page = html(read_again(both))
    assert "Several sources of knowledge" in page
    assert "With earlier releases" in html(read_again(risk))


def learned(
    release: object, measures: list[str], attack: str = "learned-wm", **more: object
) -> dict[str, AttackSection]:
    original = people(60).frame.select(KNOWN)
    risk = unmask.assess(original, release, attacks=[attack], measures=measures, seed=1, **more)
    return {section.name: section for section in read_again(risk).attacks}


def test_what_is_learned_is_read_alike_on_the_same_people_and_on_others_whatever_is_measured():
    grouped = unmask.masks.Microaggregation(k=3)
    few, all_ = (learned(grouped, names) for names in (["reidentification"], MEASURES))
    assert {name: plain(a.readings) for name, a in few.items()} == {
        name: plain(a.readings) for name, a in all_.items()
    }
    same, others = few["learned-wm"], few["learned-wm-holdout"]
    lesson, readings = same.learned, same.readings
    assert readings.expected.value * readings.expected.n == pytest.approx(lesson.found)
    assert readings.alone.value == 0  # everybody has two twins
    assert readings.expected.value == pytest.approx(readings.group.value / 3)
    assert others.readings.expected.value == pytest.approx(others.readings.group.value / 3)


def test_the_same_group_is_not_any_tie():
    """Two different records at the same distance tie for the nearest: neither is singled out."""
    original = pl.DataFrame({"x": [float(i) for i in range(12)]})
    released = pl.DataFrame({"x": [i + (0.5 if i % 2 == 0 else -2.5) for i in range(12)]})
    risk = unmask.assess(original, released, known=["x"], attacks=["learned-wm:twins=shared"], seed=1)
    run = risk.runs[0]
    lenient = run.estimates["reidentification-lenient"].value * 12
    group = run.readings.group.value * 12
    assert round(group) == run.lesson.found
    assert group <= lenient


def test_on_a_constant_release_a_link_is_right_by_chance_only():
    constant = people(60).frame.select(KNOWN).with_columns(pl.lit(1.5).alias(name) for name in KNOWN)
    entries = learned(constant, ["reidentification"])
    for entry in entries.values():
        assert entry.readings.group.value == 1
        assert entry.readings.expected.value == pytest.approx(1 / 60)


def test_without_a_person_found_or_a_rival_there_is_no_margin():
    constant = people(60).frame.select(KNOWN).with_columns(pl.lit(1.5).alias(name) for name in KNOWN)
    strict = learned(constant, ["reidentification"], "learned-owa:twins=strict")["learned-owa:twins=strict"]
    assert strict.learned.margin is None
    assert strict.learned.weights_of == "places"
    assert learned(constant, ["reidentification"])["learned-wm"].learned.margin is None  # no rival
    noisy = learned(Noise(a=0.1), ["reidentification"])["learned-wm"].learned
    assert noisy.margin > 0
    assert noisy.weights_of == "attributes"


def test_a_search_that_the_clock_ended_is_said_to_depend_on_the_machine(risk):
    told = "The same files, options and seed give the same numbers."
    assert told in html(risk.document)
    attacks = ["dbrl", "learned-wm"]
    asked = {"known": KNOWN, "attacks": attacks, "measures": ["reidentification"], "seed": 1}
    cut = unmask.assess(people(40), Noise(a=0.3), time_limit=1e-6, **asked)
    assert [run.cut for run in cut.runs] == [False, True, True]
    assert all("depend on the machine" in run.notes[-1] for run in cut.runs[1:])
    page = html(read_again(cut))
    assert told not in page
    assert "except those of worst case, weighted mean; worst case, weighted mean, on other people:" in page


def test_too_few_people_for_others_to_be_tried_on_is_said():
    risk = unmask.assess(people(9), Noise(a=0.3), known=KNOWN, attacks=["learned-wm"], seed=1)
    assert [run.attack for run in risk.runs] == ["learned-wm"]
    assert "not tried on other people: fewer than 10 people are in the release" in risk.runs[0].notes


def test_a_p_value_that_is_missing_has_a_reason(risk):
    found = estimates(risk)
    assert found["learned-wm"].reason.startswith("no p-value")
    assert found["learned-wm-holdout"].reason is None
    table = {row["attack"]: row for row in risk.table().filter(measure="reidentification").to_dicts()}
    assert table["learned-wm"]["p_value"] is None
    assert table["learned-wm"]["reason"].startswith("no p-value")


def test_where_all_records_tie_the_width_of_beliefs_is_measured_on_few(monkeypatch):
    asked: list[int] = []
    links = NearestRecord.links

    def counted(self: NearestRecord, targets: Ints | None = None) -> Links:
        asked.append(len(targets))
        return links(self, targets)

    monkeypatch.setattr(NearestRecord, "links", counted)
    towns = pl.DataFrame({"town": ["A"] * 100, "job": ["x", "y"] * 50})

    def chance() -> float:
        found = unmask.assess(towns, towns.with_columns(job=pl.lit("x")), attacks=["dbrl"], measures=MEASURES)
        return estimates(found, "reidentification-lenient")["dbrl"].baseline

    whole = chance()
    assert asked == [100]
    monkeypatch.setattr(experiments, "MOST_CANDIDATES", 5000)
    monkeypatch.setattr(experiments, "FEW_TARGETS", 9)
    assert chance() == whole == 1.0
    assert asked == [100, 9]


def test_a_run_on_other_people_varies_with_what_was_learned(risk):
    """80 people found or not: the exact interval, and a wider one where a distance was learned."""
    found = estimates(risk, "reidentification-strict")
    for attack, people_in_effect in (("dbrl", 80), ("learned-wm-holdout", 80 / 1.25)):
        e = found[attack]
        assert (e.low, e.high) == pytest.approx(clopper_pearson(e.value * people_in_effect, people_in_effect))


@pytest.fixture(scope="module")
def in_pairs() -> unmask.Assessment:
    """60 people, released as 30 pairs of identical records."""
    attacks = ["dbrl", "rbrl-sum"]
    return unmask.assess(people(60), Microaggregation(k=2), known=KNOWN, attacks=attacks, measures=MEASURES)


@pytest.mark.parametrize("attack", ["dbrl", "rbrl-sum", UNION])
def test_people_with_identical_records_are_not_independent(in_pairs, attack):
    lenient, expected = (
        estimates(in_pairs, m)[attack] for m in ("reidentification-lenient", "reidentification")
    )
    assert 0 < lenient.value < 1
    # The pairs are 30 units at most; shares of 1/2 vary a fourth as much as whole hits.
    assert lenient.high - lenient.low != pytest.approx(
        np.diff(clopper_pearson(60 * lenient.value, 60)).item(), rel=0.01
    )
    assert expected.high - expected.low < np.diff(clopper_pearson(60 * expected.value, 60)).item()
