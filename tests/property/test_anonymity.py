"""What holds of keys, classes and minimal uniques for any file: kernels beside slow references."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.flat import flat_rows
from tests.reference import anonymity as slow
from tests.reference import suda as slow_suda
from tests.reference.loglinear import full_table, proportional_fit
from unmask.data.key_classes import classes, compatible_sums, place_codes, same_rows
from unmask.data.microdata import Masked, Microdata
from unmask.data.missing import Missing
from unmask.data.ranks import dense_ranks
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.kernels.classes import earth_movers, tally
from unmask.measures.anonymity import SUDA, Diversity, KAnonymity, LDiversity, SmallClasses, TCloseness
from unmask.measures.anonymity.keys import population_counts, released_keys
from unmask.measures.anonymity.special_uniques import minimal_sample_uniques
from unmask.measures.evidence import FileEvidence
from unmask.measures.uniqueness import IndividualRisk, LogLinear, Pitman, Zayatz
from unmask.measures.uniqueness.decomposable import Graph, KeyTable, drawn_cells, fitted


def tables(columns=4, most=14, levels=3, missing=True):
    value = st.sampled_from([*"abcd"[:levels], None] if missing else list("abcd"[:levels]))
    width = st.integers(1, columns)
    return width.flatmap(lambda m: st.lists(st.tuples(*[value] * m), min_size=1, max_size=most))


def frame_of(rows):
    return pl.DataFrame(
        {f"k{j}": pl.Series([row[j] for row in rows], dtype=pl.String) for j in range(len(rows[0]))}
    )


def case_of(rows, missing=Missing.MISMATCH, values=None, kind=Kind.NOMINAL):
    frame = frame_of(rows)
    columns = [Column(name, Kind.NOMINAL) for name in frame.columns]
    known = tuple(frame.columns)
    if values is not None:
        levels = ("u", "v", "w") if kind is Kind.ORDINAL else ()
        columns.append(Column("secret", kind, Role.CONFIDENTIAL, levels))
        frame = frame.with_columns(secret=pl.Series(values))
    file = Microdata(Schema(tuple(columns)), frame)
    return FileEvidence(file, Masked.by_order(file, file), known, missing)


def has_value(rows):
    return any(value is not None for row in rows for value in row)


@settings(deadline=None)
@given(tables())
def test_classes_are_the_distinct_keys(rows):
    found = classes(frame_of(rows))
    assert [rows[i] for i in found.first] == list(dict.fromkeys(rows))
    assert [rows[found.first[c]] for c in found.of] == rows
    np.testing.assert_array_equal(found.size[found.of], slow.counts(rows))
    assert [found.of[i] for i in found.members] == sorted(found.of)


@settings(deadline=None)
@given(st.lists(st.tuples(*[st.sampled_from([0, 1, 2**40, 2**40 + 1])] * 3), min_size=1, max_size=20))
def test_rows_that_fill_several_words_are_told_apart(rows):
    found = same_rows([np.array(column) for column in zip(*rows, strict=True)])
    assert [rows[i] for i in found.first] == list(dict.fromkeys(rows))
    assert [rows[found.first[c]] for c in found.of] == rows


@settings(deadline=None)
@given(
    st.one_of(
        st.lists(st.one_of(st.none(), st.sampled_from([-0.0, 0.0, 1.5, -2.0]))),
        st.lists(st.one_of(st.none(), st.sampled_from(["", "b", "a", "ab"]))),
        st.lists(st.one_of(st.none(), st.integers(-2, 2))),
    ),
    st.integers(1, 5),
)
def test_dense_ranks_are_places_among_the_distinct_values(values, times):
    place = {value: k for k, value in enumerate(sorted({v for v in values if v is not None}), 1)}
    ranks = dense_ranks(pl.Series(values * times, strict=False))
    assert ranks.tolist() == [place.get(value, 0) for value in values * times]


def with_own_value(rows, wild):
    """Missing values of the other attributes as one more value."""
    return [tuple("missing" if v is None and j not in wild else v for j, v in enumerate(row)) for row in rows]


@settings(deadline=None)
@given(tables(levels=2), st.sets(st.integers(0, 3)), st.sampled_from([0.0, 0.4, 1.0]))
def test_only_suppressed_values_are_compatible_with_every_other(rows, wild, alpha):
    suppressed = tuple(f"k{j}" for j in wild)
    keys = released_keys(replace(case_of(rows), suppressed=suppressed))
    settled = with_own_value(rows, wild)
    np.testing.assert_allclose(keys.counts(alpha)[keys.classes.of], slow.counts(settled, True, alpha))


@settings(deadline=None)
@given(tables(levels=2), st.sets(st.integers(0, 3)))
def test_minimal_uniques_beside_suppressed_values(rows, wild):
    keys = released_keys(replace(case_of(rows), suppressed=tuple(f"k{j}" for j in wild)))
    if not keys.wild:
        return
    settled = released_keys(case_of(with_own_value(rows, wild), Missing.WILDCARD))
    one, two = (minimal_sample_uniques(each).scores()[each.classes.of] for each in (keys, settled))
    np.testing.assert_allclose(one, two)


@settings(deadline=None)
@given(tables(levels=2), st.sampled_from([0.0, 0.4, 1.0]))
def test_compatible_counts_are_the_slow_ones(rows, alpha):
    found = classes(frame_of(rows))
    codes = place_codes(frame_of(rows)[found.first])
    sums = compatible_sums(codes, codes, found.size[:, None].astype(float), alpha)[:, 0]
    np.testing.assert_allclose(sums[found.of], slow.counts(rows, True, alpha), rtol=1e-12)


@settings(deadline=None)
@given(tables(columns=3, levels=2), st.data(), st.sampled_from(list(Missing)))
def test_population_counts_are_the_slow_ones(rows, more, missing):
    if not has_value(rows):
        return
    others = more.draw(st.lists(st.tuples(*[st.sampled_from(["a", "b", None])] * len(rows[0])), max_size=8))
    everybody = [*rows, *others]
    evidence = replace(case_of(rows, missing), population=case_of(everybody).original)
    found = population_counts(evidence)[released_keys(evidence).classes.of]
    wild = missing not in (Missing.MISMATCH, Missing.CATEGORY)
    np.testing.assert_allclose(found, slow.counts(rows, wild, among=everybody), rtol=1e-12)


@settings(deadline=None)
@given(st.integers(1, 7), st.data())
def test_earth_movers_distance_is_the_slow_one(m, draws):
    share = np.array(draws.draw(st.lists(st.integers(0, 5), min_size=m, max_size=m)), dtype=float)
    share[0] += 1
    share /= share.sum()
    groups = draws.draw(
        st.lists(st.dictionaries(st.integers(0, m - 1), st.integers(1, 4), min_size=1), min_size=1)
    )
    start = np.cumsum([0, *(len(group) for group in groups)])
    position = np.array([v for group in groups for v in sorted(group)])
    count = np.array([float(group[v]) for group in groups for v in sorted(group)])
    expected = []
    for group in groups:
        p = np.array([group.get(v, 0) for v in range(m)], dtype=float)
        expected.append(slow.earth_movers(p / p.sum(), share))
    np.testing.assert_allclose(earth_movers(start, position, count, share), expected, atol=1e-12)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 4)), min_size=1, max_size=20))
def test_tallies_are_the_slow_ones(pairs):
    found = classes(pl.DataFrame({"k": [k for k, _ in pairs]}))
    place = np.array([v for _, v in pairs])
    start, value, count = tally(found.start, found.members, place, 5)
    for c, row in enumerate(found.first):
        counted = Counter(v for k, v in pairs if k == pairs[row][0] and v >= 0)
        here = slice(start[c], start[c + 1])
        assert list(zip(value[here], count[here], strict=True)) == sorted(counted.items())


@settings(deadline=None)
@given(tables(), st.sampled_from(list(Missing)), st.sampled_from([None, 1, 2]))
def test_minimal_uniques_are_the_slow_ones(rows, missing, largest):
    if not has_value(rows):
        return
    keys = released_keys(case_of(rows, missing))
    found = minimal_sample_uniques(keys, largest)
    reading = {Missing.IGNORE: "wildcard", Missing.SUPPRESSED: "wildcard"}.get(missing, missing.value)
    expected = slow_suda.minimal_uniques(rows, reading, largest)
    for i in range(len(rows)):
        ours = found.mask[found.of == keys.classes.of[i]]
        assert sorted(ours) == sorted(sum(1 << a for a in chosen) for chosen in expected[i])
        smallest = min((len(chosen), chosen) for chosen in expected[i])[1] if expected[i] else ()
        assert found.smallest()[keys.classes.of[i]] == sum(1 << a for a in smallest)


@settings(deadline=None)
@given(tables(columns=3), st.data(), st.sampled_from(list(Missing)))
def test_diversity_and_closeness_are_the_slow_ones(rows, draws, missing):
    if not has_value(rows):
        return
    n = len(rows)
    values = draws.draw(st.lists(st.sampled_from(["u", "v", "w", None]), min_size=n, max_size=n).filter(any))
    wild = missing not in (Missing.MISMATCH, Missing.CATEGORY)
    counted = slow.class_values(rows, values, wild)
    case = case_of(rows, missing, values)
    for kind in Diversity:
        [finding] = flat_rows(LDiversity(kind), case)
        expected = [slow.diversity(one, kind.value) for one in counted]
        np.testing.assert_allclose(1 / finding.per_record, expected, rtol=1e-9)
    [finding] = flat_rows(TCloseness(), case)
    q = [values.count(v) / n for v in ("u", "v", "w", None)]
    expected = [
        slow.total_variation([one[v] / sum(one.values()) for v in ("u", "v", "w", None)], q)
        for one in counted
    ]
    np.testing.assert_allclose(finding.per_record, expected, atol=1e-9)
    present = [v for v in values if v is not None]
    [finding] = flat_rows(TCloseness(), case_of(rows, missing, values, Kind.ORDINAL))
    q = [present.count(v) / len(present) for v in ("u", "v", "w")]
    for one, ours in zip(counted, finding.per_record, strict=True):
        total = sum(one[v] for v in ("u", "v", "w"))
        if total == 0:
            assert np.isnan(ours)
        else:
            expected_one = slow.earth_movers([one[v] / total for v in ("u", "v", "w")], q)
            np.testing.assert_allclose(ours, expected_one, atol=1e-9)


@settings(deadline=None, max_examples=25)
@given(tables(most=30), st.randoms(use_true_random=False), st.sampled_from(list(Missing)))
def test_the_order_of_the_records_does_not_matter(rows, random, missing):
    if not has_value(rows) or len(rows) < 2:
        return
    values = [random.choice("uvw") for _ in rows]
    order = random.sample(range(len(rows)), len(rows))
    one = case_of(rows, missing, values)
    other = case_of([rows[i] for i in order], missing, [values[i] for i in order])
    measures = (
        KAnonymity(), SmallClasses(), LDiversity(), TCloseness(), SUDA(), IndividualRisk(0.1),
        LogLinear(fraction=0.1), Pitman(0.1), Zayatz(0.1),
    )  # fmt: skip
    for measure in measures:
        for a, b in zip(flat_rows(measure, one), flat_rows(measure, other), strict=True):
            assert (a.value is None) == (b.value is None)
            if a.value is None:
                continue
            np.testing.assert_allclose(a.value, b.value, rtol=1e-9)
            assert a.reason == b.reason
            if a.per_record is not None:
                np.testing.assert_allclose(a.per_record[order], b.per_record, rtol=1e-9, atol=1e-12)
            if a.why is not None:
                assert [a.why[i] for i in order] == list(b.why)


def chordal(m, random):
    graph = Graph(m)
    for _ in range(random.randint(0, 2 * m)):
        a, b = random.sample(range(m), 2)
        if (min(a, b), max(a, b)) not in graph.edges and graph.separator(a, b) is not None:
            graph = graph.joined(a, b)
    return graph


@settings(deadline=None, max_examples=40)
@given(st.randoms(use_true_random=False))
def test_decomposable_fits_are_those_of_iterative_fitting(random):
    m = random.randint(2, 4)
    rows = sorted({tuple(random.randint(0, 2) for _ in range(m)) for _ in range(random.randint(2, 30))})
    codes = np.array(rows)
    codes = np.column_stack([np.unique(column, return_inverse=True)[1] for column in codes.T])
    weight = np.array([float(random.randint(1, 9)) for _ in rows])
    graph = chordal(m, random)
    cliques = [clique for clique, _ in graph.cliques()]
    assert set(range(m)) == set().union(*cliques)
    assert all(any({a, b} <= set(c) for c in cliques) for a, b in graph.edges)
    table = full_table(codes, weight)
    expected = proportional_fit(table, cliques)
    np.testing.assert_allclose(fitted(KeyTable(codes, weight), graph), expected[tuple(codes.T)], rtol=1e-6)
    # Draws in proportion to the fit: the mean of 1 / fit is the number of cells with a fit, over the total.
    _, drawn = drawn_cells(KeyTable(codes, weight), graph, 20_000, np.random.default_rng(1))
    cells = (expected > 1e-9 * weight.sum()).sum()
    values = weight.sum() / drawn
    assert abs(values.mean() - cells) <= 5 * values.std() / np.sqrt(20_000) + 1e-6 * cells
