"""The attacks of files with other schemas against their definitions, one pair of records at a time."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.reference import schema_matching as reference
from unmask import Column, Kind, LocalEngine, Microdata, Schema
from unmask.attacks import MarginalityRBRL, Partitions, RankedScore, SchemaMatching
from unmask.attacks import schema_matching as attack_module
from unmask.intruder.dossier import Dossier
from unmask.linkage.partitions import answering, partition
from unmask.linkage.record_scores import RecordScore, record_scores
from unmask.linkage.representatives import (
    Normalisation,
    Operator,
    Quantifiers,
    family,
    normalised,
    representatives,
)
from unmask.linkage.schema_matching import match_columns_of

quick = settings(deadline=None, max_examples=25)
seeds = st.integers(0, 10**6)
SLOW = {RecordScore.SUM_OF_Z: reference.sum_of_z, RecordScore.FIRST_COMPONENT: reference.first_component}


def numbers(seed: int, n: int, d: int, label: str) -> Microdata:
    """Numbers that vary together, the first most."""
    rng = np.random.default_rng(seed)
    common = rng.normal(size=(n, 1))
    values = (common * np.linspace(2, 1, d) + rng.normal(size=(n, d))).round(1)
    names = [f"{label}{j}" for j in range(d)]
    return Microdata(Schema(tuple(map(Column, names))), pl.DataFrame(values, schema=names, orient="row"))


def linked(attack, known: Microdata, released: Microdata) -> np.ndarray:
    """The belief of every known record (row) in every released one."""
    links = attack.prepare(Dossier(known, released), np.random.default_rng(0), LocalEngine()).links()
    return np.column_stack([links.belief_in(np.full(len(known), row)) for row in range(len(released))])


def nearest(distance: np.ndarray) -> np.ndarray:
    """Belief shared by the records of least distance."""
    near = distance <= distance.min(axis=1, keepdims=True) + 1e-9
    return near / near.sum(axis=1, keepdims=True)


@quick
@given(seed=seeds, score=st.sampled_from(RecordScore))
def test_scores_are_their_definition(seed: int, score: RecordScore) -> None:
    values = numbers(seed, 12, 3, "x").numbers(["x0", "x1", "x2"])
    np.testing.assert_allclose(record_scores(values, score), SLOW[score](values.tolist()), atol=1e-6)


@quick
@given(seed=seeds)
def test_a_missing_value_of_a_score_is_the_mean(seed: int) -> None:
    rows = numbers(seed, 10, 3, "x").numbers(["x0", "x1", "x2"]).tolist()
    rows[3][1] = None
    values = np.array([[np.nan if x is None else x for x in row] for row in rows])
    np.testing.assert_allclose(
        record_scores(values, RecordScore.SUM_OF_Z), reference.sum_of_z(rows), atol=1e-8
    )


@quick
@given(seed=seeds, score=st.sampled_from(RecordScore))
def test_the_record_of_the_nearest_rank_is_linked(seed: int, score: RecordScore) -> None:
    known, released = numbers(seed, 9, 3, "x"), numbers(seed + 1, 9, 2, "y")
    ranks = [
        np.array(reference.mid_ranks(record_scores(side.numbers(side.schema.names()), score).tolist()))
        for side in (known, released)
    ]
    expected = nearest(np.abs(ranks[0][:, None] - ranks[1][None, :]))
    np.testing.assert_allclose(linked(RankedScore(score), known, released), expected)


@quick
@given(seed=seeds, parts=st.integers(2, 5))
def test_parts_are_those_of_k_means_from_parts_of_equal_size(seed: int, parts: int) -> None:
    values = np.random.default_rng(seed).normal(size=(20, 2))  # no two records alike
    score = values.sum(axis=1)
    start = [int(parts * (place - 0.5) / 20) for place in reference.mid_ranks(score.tolist())]
    assert partition(values, score, parts).tolist() == reference.clusters(values.tolist(), start)


@quick
@given(seed=seeds)
def test_partitions_link_the_records_with_most_votes(seed: int) -> None:
    known, released = numbers(seed, 14, 3, "x"), numbers(seed + 1, 16, 2, "y")
    z = [
        normalised(side.numbers(side.schema.names()), Normalisation.STANDARDISATION)
        for side in (known, released)
    ]
    profiles = tuple(representatives(one, family(Quantifiers.THRESHOLDS), Operator.OWA) for one in z)
    clusterings = []
    for parts in (2, 4):
        for score in RecordScore:
            left, right = (partition(one, record_scores(one, score), parts) for one in z)
            clusterings.append((left, right, answering(left, right, profiles, parts)))
    lost = [[-reference.votes(clusterings, b, a) for a in range(16)] for b in range(14)]
    expected = nearest(np.array(lost, dtype=float))
    np.testing.assert_allclose(linked(Partitions((2, 4)), known, released), expected)


@quick
@given(seed=seeds)
def test_schema_matching_links_the_record_of_least_expected_distance(seed: int) -> None:
    known, released = numbers(seed, 40, 3, "x"), numbers(seed + 1, 40, 3, "y")
    first, second = known.schema.names(), released.schema.names()
    found = match_columns_of(known, released, first, second, names=False)
    probability = np.where(found.probability >= attack_module.LEAST, found.probability, 0.0)
    assume(probability.any())
    sides = [
        [reference.standardised(column) for column in side.numbers(side.schema.names()).T.tolist()]
        for side in (known, released)
    ]
    apart = [[reference.expected_distance(*sides, probability, b, a) for a in range(40)] for b in range(40)]
    np.testing.assert_allclose(linked(SchemaMatching(), known, released), nearest(np.array(apart)))


@quick
@given(seed=seeds)
def test_categories_are_linked_by_the_ranks_of_their_marginality(seed: int) -> None:
    rng = np.random.default_rng(seed)
    towns = [rng.choice(list(codes), 12, p=[0.5, 0.3, 0.2]).tolist() for codes in ("abc", "xyz")]
    known, released = (
        Microdata(Schema((Column("town", Kind.NOMINAL),)), pl.DataFrame({"town": side})) for side in towns
    )
    ranks = [
        np.array(reference.mid_ranks([1 - side.count(code) / len(side) for code in side])) for side in towns
    ]
    expected = nearest(np.abs(ranks[0][:, None] - ranks[1][None, :]))
    np.testing.assert_allclose(linked(MarginalityRBRL(), known, released), expected)
