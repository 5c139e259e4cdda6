"""The promises that every registered measure keeps, of attacks and of the whole file."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.contract.files import (
    KNOWN,
    SCHEMA,
    TOWNS,
    VALUE,
    evidence_of,
    people,
    released_of,
    usual,
    with_holes,
)
from unmask.about import About, Direction
from unmask.data.microdata import Microdata
from unmask.data.missing import Missing
from unmask.data.release_kind import ReleaseKind
from unmask.engines import LocalEngine
from unmask.errors import DataError
from unmask.intruder.truth import Truth
from unmask.linkage.links import Standing
from unmask.linkage.transitions import Transitions
from unmask.measures import (
    FILE_MEASURES,
    MEASURES,
    FileEvidence,
    FileMeasure,
    LinkEvidence,
    Measure,
    Misclassified,
    NotEstimable,
    Unit,
    abouts,
    measure_named,
    of_claims,
    why_not,
)
from unmask.measures.anonymity import TCloseness
from unmask.measures.attribute import Modelling
from unmask.measures.families import FAMILIES, UNIQUENESS

# What a mask redraws: no town stays as it is for sure.
REDRAWN = {"town": Transitions(TOWNS, TOWNS, np.full((3, 3), 0.1) + 0.7 * np.eye(3))}
TREES = Modelling(DecisionTreeClassifier(max_depth=3), DecisionTreeRegressor(max_depth=3), folds=2)


def quick(measure):
    """The measure with small models in the place of forests."""
    return replace(measure, modelling=TREES) if hasattr(measure, "modelling") else measure


#: Those of series, traces and graphs have a contract of their own (test_shapes).
OF_TABLES = [measure for measure in FILE_MEASURES.values() if not hasattr(measure, "shape")]
OF_FILE = [*OF_TABLES, Misclassified(REDRAWN), TCloseness(ordered=False)]
of_file = pytest.mark.parametrize("measure", [quick(m) for m in OF_FILE], ids=lambda m: m.name)
of_attacks = pytest.mark.parametrize("measure", list(MEASURES.values()), ids=lambda m: m.name)
every = pytest.mark.parametrize("measure", [*MEASURES.values(), *OF_FILE], ids=lambda m: m.name)


def rows_of(measure: FileMeasure, evidence: FileEvidence, engine: LocalEngine | None = None):
    """What the measure finds, or that it says why not."""
    why = measure.why_not(evidence)
    if why is not None:
        assert why.reason
        return ()
    rows = measure.rows(evidence, engine or LocalEngine())
    assert rows
    return rows


def told(rows) -> list[tuple[object, ...]]:
    """Everything that rows say, as plain values."""
    return [
        (
            *row.keys.given().items(), row.estimate.value, row.estimate.low, row.estimate.high,
            row.estimate.n, row.estimate.baseline, row.estimate.meaning, row.estimate.curve,
            None if row.estimate.per_record is None else row.estimate.per_record.tobytes(),
            None if row.estimate.why is None else tuple(row.estimate.why),
        )
        for row in rows
    ]  # fmt: skip


def check(measure: FileMeasure, evidence: FileEvidence, rows) -> None:
    """What holds of every row, whatever the files."""
    for row in rows:
        e = row.estimate
        assert row.keys.measure in abouts(measure)
        assert row.keys.subject != ""
        if e.per_record is not None:
            assert len(e.per_record) == len(evidence.original)
        if e.why is not None:
            assert len(e.why) == len(evidence.original)
        if isinstance(e.value, NotEstimable):
            assert e.value.reason in e.meaning
            assert (e.low, e.high) == (None, None)
            continue
        assert np.isfinite(e.value)
        # A count of those among nobody is 0; a share or a level of nobody does not exist.
        assert e.n > 0 or e.unit is Unit.COUNT
        if e.low is not None:
            assert e.low - 1e-12 <= e.value <= e.high + 1e-12


def same(one, two) -> bool:
    """Equal, numbers but for the order in which sums were added up."""
    return one == two or (None not in (one, two) and one == pytest.approx(two, rel=1e-9))


def texts(rows) -> list[str]:
    found = []
    for row in rows:
        e = row.estimate
        found += [e.meaning, e.reason or "", row.keys.subject or ""]
        found += e.why.phrases if e.why is not None else ()
        found += [e.curve.over] if e.curve is not None else []
    return found


@of_file
def test_it_finds_something_in_the_usual_files(measure):
    evidence = usual()
    rows = rows_of(measure, evidence)
    check(measure, evidence, rows)
    assert any(row.estimate.estimable for row in rows)


@of_file
def test_same_seed_same_rows_however_the_work_is_cut(measure):
    first = told(rows_of(measure, usual()))
    assert told(rows_of(measure, usual())) == first
    assert told(rows_of(measure, usual(), LocalEngine(threads=1, block=7))) == first


@of_file
def test_what_was_kept_for_another_measure_changes_nothing(measure):
    evidence = usual()
    for other in OF_FILE[::3]:
        if other.name != measure.name and not hasattr(other, "modelling"):
            rows_of(other, evidence)
    assert told(rows_of(measure, evidence)) == told(rows_of(measure, usual()))


@of_file
def test_the_order_of_the_files_does_not_matter(measure):
    original = people(60)
    released = released_of(original)
    rng = np.random.default_rng(5)
    rows, order = rng.permutation(60), rng.permutation(60)
    moved = evidence_of(original[rows], released[rows][order], origin=order)
    # Households go with their people; a model is asked about people, not about places in a file.
    before = rows_of(measure, evidence_of(original, released))
    after = rows_of(measure, moved)
    for one, two in zip(before, after, strict=True):
        assert one.keys == two.keys
        for name in ("number", "low", "high", "n", "baseline", "reason"):
            assert same(getattr(one.estimate, name), getattr(two.estimate, name)), name
        if one.estimate.per_record is not None:
            np.testing.assert_allclose(one.estimate.per_record[rows], two.estimate.per_record, rtol=1e-9)
        if one.estimate.why is not None:
            assert [one.estimate.why[i] for i in rows] == list(two.estimate.why)


@of_file
@pytest.mark.parametrize("missing", Missing)
def test_missing_values_under_every_policy(measure, missing):
    original = with_holes(people(45), 0.15, seed=11)
    released = with_holes(released_of(people(45)), 0.15, seed=12)
    evidence = evidence_of(original, released, missing=missing)
    check(measure, evidence, rows_of(measure, evidence))


@of_file
def test_a_constant_release(measure):
    original = people(60)
    released = released_of(original)
    evidence = evidence_of(original, released[np.zeros(60, dtype=np.int64)])
    check(measure, evidence, rows_of(measure, evidence))


@of_file
def test_one_record(measure):
    original = people(60)
    evidence = evidence_of(original[:1], released_of(original)[:1])
    rows = rows_of(measure, evidence)
    check(measure, evidence, rows)
    # One record says nothing about a population, and is too few to learn or to tell members from.
    if measure.name.startswith(("log-linear", "pitman", "zayatz", "misclassified", "model-", "membership")):
        assert not any(row.estimate.estimable for row in rows)


@of_file
def test_nobody_is_in_the_release(measure):
    original = people(60)
    evidence = evidence_of(original, released_of(original), origin=np.full(60, -1))
    check(measure, evidence, rows_of(measure, evidence))


@of_file
def test_keys_without_any_value_are_not_estimable(measure):
    original = people(60)
    released = released_of(original).with_columns(pl.lit(None).alias(name) for name in KNOWN)
    released = released.cast({"town": pl.String, "class": pl.String})
    evidence = evidence_of(original, released)
    rows = rows_of(measure, evidence)
    check(measure, evidence, rows)
    if measure.about.family == UNIQUENESS:
        assert not rows


@of_file
def test_no_value_of_a_record_is_told(measure):
    original = people(60)
    holes = with_holes(original, 0.3, 4), with_holes(released_of(original), 0.3, 5)
    for evidence in (usual(), evidence_of(*holes), evidence_of(original[:1], released_of(original)[:1])):
        why = measure.why_not(evidence)
        said = texts(rows_of(measure, evidence)) + ([why.reason] if why is not None else [])
        assert not [text for text in said if VALUE.search(text)]


@of_file
def test_no_value_of_a_record_is_in_an_error(measure):
    # A file of strangers is no population of the sample.
    evidence = usual(population=Microdata(SCHEMA.only(KNOWN), people(90, seed=8).select(KNOWN)))
    try:
        said = texts(rows_of(measure, evidence))
    except DataError as error:
        said = [str(error)]
    assert not [text for text in said if VALUE.search(text)]


@of_file
def test_it_declares_the_kinds_of_release_that_it_says_something_about(measure):
    said = [kind for kind in type(measure).__mro__ if "says_about" in vars(kind)]
    assert said[:1] == [type(measure)], "the class itself must say it: nothing is silently taken for granted"
    assert measure.says_about <= set(ReleaseKind)
    assert ReleaseKind.SAMPLE in measure.says_about


def done(kind: ReleaseKind) -> dict[str, object]:
    """A release of that kind, with the attributes named to which it was done."""
    named = {kind.value: KNOWN} if kind.value in ("recoded", "suppressed", "perturbed") else {}
    return {"kinds": frozenset({kind}), **named}


@of_file
@pytest.mark.parametrize("kind", ReleaseKind)
@pytest.mark.parametrize("whole", [True, False], ids=["whole file", "attributes"])
def test_of_a_kind_that_it_does_not_declare_it_says_nothing(measure, kind, whole):
    evidence = usual(**({"kinds": frozenset({kind})} if whole else done(kind)))
    why = why_not(measure, evidence)
    if kind not in measure.says_about:
        assert why.reason.startswith("not applicable: ")
        assert not why.applicable
        assert why.declared, "the reader is told that it was considered"
        assert not VALUE.search(why.reason)
    elif why is None:
        check(measure, evidence, measure.rows(evidence, LocalEngine()))
    else:
        # What it is not declared for is another attribute than those of its own table.
        assert isinstance(measure, Misclassified)


@of_file
def test_a_release_of_which_nothing_is_known_is_measured_as_ever(measure):
    assert why_not(measure, usual()) is None


@every
def test_it_says_what_it_is(measure):
    assert isinstance(measure, Measure | FileMeasure)
    for about in abouts(measure).values():
        assert isinstance(about, About)
        assert about.title
        assert about.sentence.endswith(".")
        assert re.search(r"\(?\d{4}\)?", about.source)
        assert about.family in FAMILIES
        assert isinstance(about.direction, Direction)


@every
def test_its_class_says_how_it_works_with_an_example_and_a_source(measure):
    text = inspect.getdoc(type(measure)) or ""
    assert ">>>" in text
    assert re.search(r"\d{4}", text)


def test_every_name_is_registered_once_and_ranks_are_unique():
    assert not set(MEASURES) & set(FILE_MEASURES)
    for name, measure in {**MEASURES, **FILE_MEASURES}.items():
        assert measure.name == name
        assert measure_named(name) is measure
    for family in FAMILIES:
        of_family = [about for m in OF_FILE for about in abouts(m).values() if about.family == family]
        ranks = [about.rank for about in of_family if about.rank]
        assert sorted(ranks) == list(range(1, len(ranks) + 1))


def links(n=20, seed=0, claims=True) -> LinkEvidence:
    rng = np.random.default_rng(seed)
    row = rng.permutation(n)
    row[::5] = -1
    closer = np.where(row < 0, -1, rng.integers(0, 3, n))
    standing = Standing(closer, np.where(row < 0, 0, rng.integers(1, 4, n)), depth=3)
    claimed = rng.random(n)
    claimed[:9] = 0.99
    return LinkEvidence("any", n, Truth(row), standing, lambda: 1.5, (lambda: claimed) if claims else None)


@of_attacks
def test_estimates_of_attacks_hold_together(measure):
    evidence = links()
    e = measure.estimate(evidence)
    assert e.low <= e.value <= e.high
    assert 0 <= e.p_value <= 1
    assert 0 <= e.baseline <= 1
    assert len(e.per_record) == len(evidence.truth.row)
    assert np.isnan(e.per_record[evidence.truth.row < 0]).all()
    again = measure.estimate(links())
    assert (e.value, e.low, e.high, e.p_value) == (again.value, again.low, again.high, again.p_value)


@of_attacks
def test_the_order_of_the_targets_does_not_matter(measure):
    evidence = links()
    order = np.random.default_rng(9).permutation(20)
    standing = Standing(evidence.standing.closer[order], evidence.standing.tied[order], depth=3)
    moved = replace(
        evidence,
        truth=Truth(evidence.truth.row[order]),
        standing=standing,
        claims=lambda: evidence.claims()[order],
    )
    one, two = measure.estimate(evidence), measure.estimate(moved)
    assert one.value == pytest.approx(two.value)
    np.testing.assert_allclose(one.per_record[order], two.per_record)


@of_attacks
def test_nobody_to_find_is_not_estimable(measure):
    gone = Standing(np.full(4, -1), np.zeros(4, np.int64), depth=3)
    evidence = LinkEvidence("any", 5, Truth(np.full(4, -1)), gone, lambda: 1.0, lambda: np.ones(4))
    e = measure.estimate(evidence)
    assert e.value == NotEstimable("no target has a released record")
    assert np.isnan(e.per_record).all()
    assert len(e.per_record) == 4


@of_attacks
def test_an_attack_without_claims_has_no_measure_of_claims(measure):
    assert measure.estimate(links(claims=False)).estimable != of_claims(measure)
