"""Signatures, propagation and the masks of graphs against slow references, on small random graphs."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.reference import graphs as slow
from unmask.data.microdata import Masked, Microdata
from unmask.data.schema import Column, Schema
from unmask.data.shapes.graphs import GraphContent
from unmask.engines import LocalEngine
from unmask.linkage.candidate_pairs import ROUNDS, CandidatePairs, refined_guesses
from unmask.linkage.propagation import NodeLabels, Seeds, propagate
from unmask.linkage.signatures import FARTHEST, signature_classes, signatures, within
from unmask.masks import KDegree
from unmask.measures import FileEvidence
from unmask.measures.uniqueness import NodeSignatures

ENGINE = LocalEngine(threads=1)


@st.composite
def graphs(draw, least=1, most=14):
    """The edges and the order of a graph, some with more edges than others."""
    order = draw(st.integers(least, most))
    seed, share = draw(st.integers(0, 10_000)), draw(st.sampled_from((0.1, 0.2, 0.4, 0.8)))
    upper = np.triu(np.random.default_rng(seed).random((order, order)) < share, 1)
    return [(int(a), int(b)) for a, b in np.argwhere(upper)], order


def content(edges, order):
    pairs = np.array(edges, dtype=np.int64).reshape(-1, 2)
    return GraphContent.of_edges(pairs[:, 0], pairs[:, 1], order)


def partition(labels):
    """Which entries are equal, whatever they are called."""
    first = {}
    return [first.setdefault(label, i) for i, label in enumerate(labels)]


def words(found, knowledge):
    return [tuple(row) for row in found.words[knowledge].tolist()]


@given(graph=graphs(), limit=st.sampled_from((2, 4, 7, 100)))
@settings(deadline=None, max_examples=150)
def test_signatures_are_equal_exactly_where_those_of_the_reference_are(graph, limit):
    edges, order = graph
    reference, found = slow.adjacency(edges, order), signatures(content(edges, order), ENGINE, limit=limit)
    assert partition(words(found, "degree")) == partition(len(reference[v]) for v in range(order))
    expected = [slow.neighbours_degrees(reference, v) for v in range(order)]
    assert partition(words(found, "neighbours' degrees")) == partition(expected)
    for d in range(1, FARTHEST + 1):
        expected = [slow.surroundings(reference, v, d, limit) for v in range(order)]
        assert partition(words(found, within(d))) == partition(expected)
        assert [w[:3] for w in words(found, within(d))] == [s[:3] for s in expected]
        assert found.cut[within(d)] == pytest.approx(np.mean([s[0] < d for s in expected]))


@given(graph=graphs(), other=graphs())
@settings(deadline=None, max_examples=60)
def test_signatures_of_two_graphs_are_comparable(graph, other):
    one, two = (signatures(content(*g), ENGINE) for g in (graph, other))
    left, right = slow.adjacency(*graph), slow.adjacency(*other)
    for d in range(1, FARTHEST + 1):
        classes = np.concatenate(signature_classes(one.words[within(d)], two.words[within(d)]))
        expected = [slow.surroundings(g, v, d) for g in (left, right) for v in g]
        assert partition(classes.tolist()) == partition(expected)


@given(graph=graphs(least=2), seed=st.integers(0, 1000))
@settings(deadline=None, max_examples=60)
def test_signatures_go_with_the_nodes_and_blocks_change_nothing(graph, seed):
    edges, order = graph
    order_of_rows = np.random.default_rng(seed).permutation(order)
    whole = content(edges, order)
    before, after = (
        signatures(whole, ENGINE),
        signatures(whole.take(order_of_rows), LocalEngine(threads=2, block=3)),
    )
    for knowledge, found in before.words.items():
        assert (found[order_of_rows] == after.words[knowledge]).all()


@given(
    graph=graphs(least=3, most=16),
    seed=st.integers(0, 10_000),
    loss=st.sampled_from((0.0, 0.1, 0.3)),
    theta=st.sampled_from((0.0, 0.5, 1.0, 2.0)),
    kinds=st.sampled_from((1, 2)),
)
@settings(deadline=None, max_examples=200)
def test_propagation_follows_the_reference(graph, seed, loss, theta, kinds):
    edges, order = graph
    rng = np.random.default_rng(seed)
    kept = [edge for edge in edges if rng.random() >= loss]
    place = rng.permutation(order)
    moved = [(int(place[a]), int(place[b])) for a, b in kept]
    many = int(rng.integers(1, 4))
    chosen = rng.choice(order, min(many, order), replace=False)
    label = rng.integers(0, kinds, order)
    there = np.empty(order, np.int64)
    there[place] = label
    seeds = Seeds(chosen, place[chosen], rng.random(len(chosen)) < 0.5)
    labels = NodeLabels(label, there)
    found = propagate(content(edges, order), content(moved, order), seeds, theta, ENGINE, labels)
    expected = slow.propagation(
        slow.adjacency(edges, order), slow.adjacency(moved, order),
        dict(zip(chosen.tolist(), place[chosen].tolist(), strict=True)), theta,
        lambda u, v: label[u] == there[v], fixed=set(chosen[seeds.certain].tolist()),
    )  # fmt: skip
    assert {u: int(v) for u, v in enumerate(found.partner) if v >= 0} == expected


@given(graph=graphs(least=4, most=16), seed=st.integers(0, 10_000))
@settings(deadline=None, max_examples=60)
def test_propagation_does_not_depend_on_numbers_threads_or_blocks(graph, seed):
    edges, order = graph
    rng = np.random.default_rng(seed)
    known, rows, columns = content(edges, order), rng.permutation(order), rng.permutation(order)
    released = content([edge for edge in edges if rng.random() < 0.9], order)
    chosen = rng.choice(order, 2, replace=False)
    one = propagate(known, released, Seeds.told(chosen, chosen), 0.5, ENGINE).partner
    place, back = np.argsort(rows), np.argsort(columns)
    seeds = Seeds.told(place[chosen], back[chosen])
    other = LocalEngine(threads=2, block=3)
    two = propagate(known.take(rows), released.take(columns), seeds, 0.5, other).partner
    assert np.array_equal(np.where(one >= 0, back[one], -1)[rows], two)
    assert len(np.unique(one[one >= 0])) == (one >= 0).sum()


@given(degrees=st.lists(st.integers(0, 9), min_size=1, max_size=9), k=st.integers(1, 4))
@settings(deadline=None, max_examples=150)
def test_the_sequence_of_k_degrees_costs_the_least(degrees, k):
    from unmask.kernels.degree_sequences import k_sequence

    assume(k <= len(degrees))
    order = np.array(sorted(degrees, reverse=True))
    raised = k_sequence(order, k)
    assert (raised >= order).all()
    assert min(Counter(raised.tolist()).values()) >= k
    assert (raised - order).sum() == slow.k_degrees(degrees, k)


@given(graph=graphs(least=2), k=st.integers(1, 6), seed=st.integers(0, 1000))
@settings(deadline=None, max_examples=60)
def test_a_graph_becomes_k_degree_or_is_refused(graph, k, seed):
    from unmask.errors import DataError

    edges, order = graph
    assume(k <= order)
    whole = content(edges, order)
    data = Microdata(Schema((Column("degree"),)), whole.summary(), content=whole)
    try:
        made = KDegree(k).apply(data, np.random.default_rng(seed)).data.content
    except DataError:
        return
    assert min(Counter(made.degrees().tolist()).values()) >= k
    assert (made.degrees() >= whole.degrees()).all()


@given(graph=graphs(least=2), seed=st.integers(0, 1000), loss=st.sampled_from((0.0, 0.2)))
@settings(deadline=None, max_examples=60)
def test_the_risk_of_each_person_is_that_of_the_reference(graph, seed, loss):
    edges, order = graph
    rng = np.random.default_rng(seed)
    kept = [edge for edge in edges if rng.random() >= loss]
    origin = np.where(rng.random(order) < 0.2, -1, rng.permutation(order))
    place = np.argsort(np.where(origin < 0, order, origin), kind="stable")  # any order of the released nodes
    moved = [(int(place[a]), int(place[b])) for a, b in kept]
    files = []
    for some in (edges, moved):
        whole = content(some, order)
        files.append(Microdata(Schema((Column("degree"),)), whole.summary(), content=whole))
    evidence = FileEvidence(files[0], Masked(files[1], origin), ("degree",))
    rows = NodeSignatures(reach=2).rows(evidence, ENGINE)
    before, after = slow.adjacency(edges, order), slow.adjacency(moved, order)
    kinds = (
        lambda g, v: len(g[v]),
        slow.neighbours_degrees,
        lambda g, v: slow.surroundings(g, v, 1),
        lambda g, v: slow.surroundings(g, v, 2),
    )
    for row, kind in zip(rows, kinds, strict=False):
        expected = [np.nan if risk is None else risk for risk in slow.risks(before, after, origin, kind)]
        np.testing.assert_allclose(row.estimate.per_record, expected)


@given(graph=graphs(least=2), other=graphs(least=2), seed=st.integers(0, 1000))
@settings(deadline=None, max_examples=60)
def test_kept_ties_are_those_of_the_reference(graph, other, seed):
    from unmask.kernels.kept_ties import kept_ties

    rng = np.random.default_rng(seed)
    here, there = content(*graph), content(*other)
    partner = rng.permutation(np.concatenate((np.arange(other[1]), np.full(graph[1], -1))))[: graph[1]]
    left, right = slow.adjacency(*graph), slow.adjacency(*other)
    expected = [sum(partner[w] in right.get(partner[u], ()) for w in left[u]) for u in left]
    assert (
        kept_ties(here.indptr, here.neighbours, partner, there.indptr, there.neighbours).tolist() == expected
    )


def pairs_of(table):
    """The weights of pairs (u, v) of a table of candidates."""
    return {
        (u, int(v)): int(weight)
        for u, (nodes, weights) in enumerate(zip(*table, strict=True))
        for v, weight in zip(nodes, weights, strict=True)
        if v >= 0
    }


@given(
    graph=graphs(least=2),
    other=graphs(least=2),
    seed=st.integers(0, 1000),
    kinds=st.sampled_from((1, 2)),
    kept=st.integers(1, 6),
)
@settings(deadline=None, max_examples=100)
def test_candidates_are_refined_as_by_the_reference(graph, other, seed, kinds, kept):
    from unmask.kernels.candidate_pairs import OWN, SHARPNESS, UNIT, refined_candidates
    from unmask.kernels.mapped_graph import MappedGraph

    rng = np.random.default_rng(seed)
    left, right, tables = slow.adjacency(*graph), slow.adjacency(*other), []
    labels = [rng.integers(0, kinds, order) for order in (graph[1], other[1])]
    for _ in range(2):
        nodes = np.array([rng.permutation(other[1])[:2] for _ in range(graph[1])])
        nodes[rng.random(len(nodes)) < 0.3, 1] = -1
        weights = rng.integers(1, 4, nodes.shape) * (UNIT // 4)
        tables.append((nodes, weights))
    here, there = (
        MappedGraph(whole.indptr, whole.neighbours, np.full(whole.order, -1), label)
        for whole, label in zip((content(*graph), content(*other)), labels, strict=True)
    )
    found = refined_candidates(here, there, *tables[0], *tables[1], 0, graph[1], kept)
    expected = slow.refined(
        left, right, pairs_of(tables[0]), pairs_of(tables[1]),
        lambda u, v: labels[0][u] == labels[1][v], kept, UNIT, OWN, SHARPNESS,
    )  # fmt: skip
    assert pairs_of((found[:, 0], found[:, 1])) == expected


@given(graph=graphs(least=4, most=16), seed=st.integers(0, 10_000))
@settings(deadline=None, max_examples=40)
def test_refined_guesses_do_not_depend_on_numbers_threads_or_blocks(graph, seed):
    edges, order = graph
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(order), rng.permutation(order)
    known, released = content(edges, order), content([edge for edge in edges if rng.random() < 0.8], order)
    nodes = np.array([rng.permutation(order)[:3] for _ in range(order)])
    weights = rng.integers(1, 1000, nodes.shape)
    back = np.argsort(columns)
    turned = CandidatePairs(back[nodes[rows]], weights[rows])
    sides = (
        (known, released, CandidatePairs(nodes, weights), ENGINE),
        (known.take(rows), released.take(columns), turned, LocalEngine(threads=2, block=3)),
    )
    one, two = (
        [
            (found.known, found.released)
            for found in refined_guesses(k, r, like, engine, NodeLabels.unknown(k, r))
        ]
        for k, r, like, engine in sides
    )
    assert len(one) == len(two) == len(ROUNDS)
    for (known_one, released_one), (known_two, released_two) in zip(one, two, strict=True):
        pairs = {(int(u), int(v)) for u, v in zip(known_one, released_one, strict=True)}
        assert pairs == {
            (int(rows[u]), int(columns[v])) for u, v in zip(known_two, released_two, strict=True)
        }
