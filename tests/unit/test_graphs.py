"""Graphs by hand: signatures, propagation, measures and masks on graphs small enough to draw."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest

from unmask import Column, Kind, Masked, Microdata, Schema, UnmaskError
from unmask.attacks import DBRL, GraphPropagation, GraphSignatures, attack_named
from unmask.attacks.graph_propagation import MappedNodes
from unmask.data.shapes.graphs import GraphContent
from unmask.engines import LocalEngine
from unmask.intruder.dossier import Dossier
from unmask.intruder.truth import Truth
from unmask.linkage.graph_seeds import NodeComparison
from unmask.linkage.propagation import NodeLabels, Seeds, propagate
from unmask.linkage.signatures import signature_files, signatures
from unmask.masks import EdgeAddition, EdgeDeletion, EdgeSwapping, KDegree, parse
from unmask.measures import FileEvidence, NotEstimable, measure_named
from unmask.measures.seeded_propagation import SeededPropagation
from unmask.measures.uniqueness import NodeSignatures

ENGINE = LocalEngine(threads=1)
RNG = np.random.default_rng(0)


def graph(text, order=None):
    """The graph of edges written as "01 12 23"."""
    pairs = np.array([[int(node) for node in edge] for edge in text.split()], np.int64).reshape(-1, 2)
    return GraphContent.of_edges(pairs[:, 0], pairs[:, 1], order or int(pairs.max()) + 1)


def people(content, **attributes):
    columns = [Column("degree"), *(Column(name, Kind.NOMINAL) for name in attributes)]
    frame = content.summary().with_columns(pl.Series(name, values) for name, values in attributes.items())
    return Microdata(Schema(tuple(columns)), frame, content=content)


def scale_free(n, m, seed):
    """Each new node is tied to m earlier ones, in proportion to their ties."""
    rng = np.random.default_rng(seed)
    ends, edges = list(range(m)), []
    for v in range(m, n):
        chosen = sorted({ends[i] for i in rng.integers(0, len(ends), m)})
        edges += [(v, w) for w in chosen]
        ends += [*chosen, *([v] * len(chosen))]
    source, target = np.array(edges).T
    return GraphContent.of_edges(source, target, n)


#: A triangle 0-1-2 with a tail 2-3-4, and a node alone.
KITE = graph("01 02 12 23 34", 6)
LARGE = scale_free(400, 6, 1)


def evidence(original, masked):
    return FileEvidence(original, masked, ("degree",), seed=1)


def unchanged(data):
    return Masked.by_order(data, data)


def values(rows, measure):
    return {row.keys.subject: row.estimate.value for row in rows if row.keys.measure == measure}


def test_signatures_of_the_kite():
    found = signatures(KITE, ENGINE)
    assert found.words["degree"].ravel().tolist() == [2, 2, 3, 2, 1, 0]
    # Nodes, edges: the triangle is whole within one step of 0; within two steps of 0 the tail begins.
    assert found.words["within 1 step"][:, 1:3].tolist() == [[3, 3], [3, 3], [4, 4], [3, 2], [2, 1], [1, 0]]
    assert found.words["within 2 steps"][:, 1:3].tolist() == [[4, 4], [4, 4], [5, 5], [5, 5], [3, 2], [1, 0]]
    assert found.words["within 3 steps"][:, 1:3].tolist() == [[5, 5], [5, 5], [5, 5], [5, 5], [5, 5], [1, 0]]


def test_two_graphs_with_the_same_counts_differ_by_degrees():
    # Within one step of 0: a path and a star, both of 3 edges among 4 nodes.
    star, path = graph("01 02 03"), graph("01 12 23")
    words = [signatures(g, ENGINE).words["within 3 steps"][0] for g in (star, path)]
    assert words[0][1:3].tolist() == words[1][1:3].tolist() == [4, 3]
    assert words[0][3:].tolist() != words[1][3:].tolist()


def test_the_measure_by_hand():
    rows = NodeSignatures().rows(evidence(people(KITE), unchanged(people(KITE))), ENGINE)
    # Degrees 2, 2, 3, 2, 1, 0: four classes. 0 and 1 are alike in all; within 2 steps 2 and 3 see the same.
    found = values(rows, "node-signatures")
    assert found["degree"] == found["within 2 steps"] == pytest.approx(4 / 6)
    assert found["neighbours' degrees"] == found["within 1 step"] == pytest.approx(5 / 6)
    assert found["within 3 steps"] == pytest.approx(2 / 6)  # everybody sees everything, but for the one alone
    alone = values(rows, "node-signatures-unique")
    assert alone["degree"] == pytest.approx(3 / 6)
    assert alone["within 2 steps"] == pytest.approx(2 / 6)
    assert {row.estimate.baseline for row in rows[:5]} == {1 / 6}


def test_a_person_whose_signature_changed_is_not_found_and_one_who_is_gone_does_not_count():
    original = people(KITE)
    released = people(graph("01 12 23 34", 6))  # without 0-2
    rows = NodeSignatures(reach=1).rows(evidence(original, Masked.by_order(original, released)), ENGINE)
    by_degree = rows[0].estimate
    # Released degrees: 1, 2, 2, 2, 1, 0. Node 0 has 1 now, 2 has 2; 1 and 3 share theirs with 2.
    assert by_degree.per_record.tolist() == pytest.approx([0, 1 / 3, 0, 1 / 3, 1 / 2, 1])
    some = Masked(released.take(np.array([1, 3, 5])), np.array([1, 3, 5]))
    found = NodeSignatures(reach=1).rows(evidence(original, some), ENGINE)[0].estimate
    assert np.isnan(found.per_record).tolist() == [True, False, True, False, True, False]
    assert found.n == 3
    nobody = Masked.of_nobody(released)
    assert isinstance(
        NodeSignatures().rows(evidence(original, nobody), ENGINE)[0].estimate.value, NotEstimable
    )


def test_propagation_by_hand():
    # 0 and 4 are seeds. Of 3 the neighbour 4 is mapped: 3 is its only candidate. Then 2 shares 3 with 2' and,
    # with 0, both its neighbours but 1; and 1 shares 0 and 2 with 1'.
    order = np.array([5, 3, 1, 0, 4, 2])
    released, place = KITE.take(order), np.argsort(order)
    found = propagate(KITE, released, Seeds.told(np.array([0, 4]), place[[0, 4]]), 0.5, ENGINE)
    assert found.partner.tolist() == [*place[:5].tolist(), -1]
    assert found.settled


def test_a_tie_maps_nobody():
    star = graph("01 02 03")
    found = propagate(star, star, Seeds.told(np.array([0]), np.array([0])), 0.0, ENGINE)
    assert found.partner.tolist() == [0, -1, -1, -1]


def test_a_wrong_guess_is_mended_and_a_seed_that_is_known_stays():
    known = LARGE
    chosen = np.argsort(-known.degrees(), kind="stable")[:40]
    wrong = chosen.copy()
    wrong[[38, 39]] = chosen[[39, 38]]
    mended = propagate(known, known, Seeds.guessed(chosen, wrong), 0.5, ENGINE).partner
    kept = propagate(known, known, Seeds.told(chosen, wrong), 0.5, ENGINE).partner
    assert (mended == np.arange(known.order)).mean() > 0.95
    assert (kept[chosen] == wrong).all()


def test_labels_that_disagree_are_no_candidates():
    # 1, 2 and 3 are leaves of 0; only their labels tell them apart.
    star = graph("01 02 03")
    labels = NodeLabels(np.array([-2, 0, 1, -1]), np.array([-2, 1, 0, -1]))
    found = propagate(star, star, Seeds.told(np.array([0]), np.array([0])), 0.5, ENGINE, labels)
    assert found.partner.tolist() == [0, 2, 1, -1]


def test_seeds_are_guessed_where_a_graph_is_released_as_it_is_and_with_edges_left_out():
    order = np.random.default_rng(3).permutation(LARGE.order)
    place = np.argsort(order)
    found = NodeComparison.of(Dossier(people(LARGE), people(LARGE.take(order))), ENGINE).guesses(50)
    assert len(found.known) >= 45
    assert (place[found.known] == found.released).all()
    fewer = EdgeDeletion(share=0.05).apply(people(LARGE), RNG).data.content
    found = NodeComparison.of(Dossier(people(LARGE), people(fewer.take(order))), ENGINE).guesses(50)
    assert (place[found.known] == found.released).mean() > 0.5


def test_nobody_is_guessed_in_a_graph_without_edges_or_a_ring():
    for content in (
        GraphContent.of_edges(np.zeros(0, np.int64), np.zeros(0, np.int64), 5),
        graph("01 12 23 30"),
    ):
        assert len(NodeComparison.of(Dossier(people(content), people(content)), ENGINE).guesses().known) == 0
        links = GraphPropagation().prepare(Dossier(people(content), people(content)), RNG, ENGINE).links()
        assert not links.candidates().any()


def staged(content, mask, seed=5, **attributes):
    """Knowledge and a shuffled release, and the truth."""
    data = people(content, **attributes)
    order = np.random.default_rng(seed).permutation(len(data))
    released = mask.apply(data, np.random.default_rng(seed)).data.take(order)
    return Dossier(data, released), Truth(np.argsort(order))


@pytest.mark.parametrize("attack", [GraphSignatures(), GraphSignatures(reach=1), GraphPropagation()])
def test_an_attack_finds_nearly_everybody_where_few_edges_are_left_out(attack):
    dossier, truth = staged(LARGE, EdgeDeletion(share=0.02))
    matcher = attack.prepare(dossier, RNG, ENGINE)
    belief = matcher.standing(truth, 5).belief()
    assert belief.mean() > 0.8
    np.testing.assert_allclose(matcher.links().belief_in(truth.row), belief)
    some = np.array([7, 3, 200])
    np.testing.assert_allclose(matcher.standing(truth, 1, some).belief(), belief[some])
    np.testing.assert_allclose(matcher.links(some).belief_in(truth.row[some]), belief[some])


def test_standing_of_a_mapping():
    # Right, wrong, without a link, and not in the release.
    matcher = MappedNodes(np.array([2, 0, -1, 1]), 3, ())
    standing = matcher.standing(Truth(np.array([2, 1, 0, -1])), 3)
    assert standing.closer.tolist() == [0, 1, 3, -1]
    assert standing.tied.tolist() == [1, 1, 0, 0]
    assert standing.belief().tolist() == [1, 0, 0, 0]
    assert matcher.standing(Truth(np.array([2, 1, 0, -1])), 1).tied.tolist() == [1, 0, 0, 0]
    assert matcher.links().candidates().tolist() == [1, 1, 0, 1]


def test_attributes_help_and_can_be_left_out():
    town = np.random.default_rng(1).choice(list("abcdefgh"), LARGE.order).tolist()
    dossier, truth = staged(LARGE, EdgeDeletion(share=0.2), town=town)
    found = [
        attack_named(text).prepare(dossier, RNG, ENGINE).standing(truth, 1).belief().mean()
        for text in ("graph-signatures", "graph-signatures:attributes=no")
    ]
    assert found[0] > found[1] + 0.1


@pytest.mark.parametrize("seed", [1, 2])
def test_twins_tie_wherever_they_stand(seed):
    """A graph twice over: whatever the numbers of the nodes, nobody is told from their double."""
    half = scale_free(150, 3, 2)
    source, target = half.edges()
    ends = (np.concatenate((end, end + half.order)) for end in (source, target))
    twice = GraphContent.of_edges(*ends, 2 * half.order)
    order = np.random.default_rng(seed).permutation(twice.order)
    dossier, truth = Dossier(people(twice), people(twice.take(order))), Truth(np.argsort(order))
    belief = GraphSignatures(reach=3).prepare(dossier, RNG, ENGINE).standing(truth, 5).belief()
    assert set(belief.tolist()) == {0.5}


def test_surroundings_that_are_too_large_are_told_apart_by_the_ties_of_what_lies_nearer():
    # Within two steps of 0 lie all six nodes; 0 has 2 ties and its neighbours 3 and 2: (nearer, nodes, ties).
    tree = graph("01 02 13 14 25")
    assert signatures(tree, ENGINE, 2, limit=6).words["within 2 steps"][0, :3].tolist() == [2, 6, 5]
    assert signatures(tree, ENGINE, 2, limit=5).words["within 2 steps"][0, :3].tolist() == [1, 3, 7]
    assert signatures(tree, ENGINE, 2, limit=2).words["within 2 steps"][0, :3].tolist() == [0, 1, 2]


def test_both_files_are_counted_up_to_the_same_size(monkeypatch):
    """A release of fewer nodes has a limit of its own: who is cut in one file would never be found."""
    monkeypatch.setattr("unmask.linkage.signatures.VISITS", 400 * 10)
    original = people(LARGE)
    loose = GraphContent.of_edges(*LARGE.edges(), 800)  # as many nodes again, without ties
    masked = Masked(people(loose), np.concatenate((np.arange(400), np.full(400, -1))))
    row = NodeSignatures(reach=1).rows(evidence(original, masked), ENGINE)[2]
    assert row.keys.subject == "within 1 step"
    assert row.estimate.per_record.min() > 0  # everybody's own node looks like them
    assert "more than 5 nodes" in row.estimate.meaning


def test_the_degree_is_not_counted_twice():
    dossier, _ = staged(LARGE, EdgeDeletion(share=0.1))
    known, _ = signature_files(dossier.known.content, dossier.released.content, 2, ENGINE)
    matcher = GraphSignatures().prepare(dossier, RNG, ENGINE)
    assert matcher.pairing.known.shape[1] == len(known.schema.names())


def test_an_intruder_who_looks_for_some_people_of_a_whole_graph():
    dossier, truth = staged(LARGE, EdgeDeletion(share=0.02))
    some = np.array([5, 17, 80, 3])
    partial = Dossier(dossier.known.take(some), dossier.released)
    for attack in (GraphSignatures(), GraphPropagation()):
        standing = attack.prepare(partial, RNG, ENGINE).standing(Truth(truth.row[some]), 1)
        assert standing.belief().mean() >= 0.75


def test_seeds_of_the_scenario_are_used_and_blocks_are_kept():
    town = ["a", "b"] * (LARGE.order // 2)
    dossier, truth = staged(LARGE, EdgeDeletion(share=0.3), town=town)
    chosen = np.argsort(-LARGE.degrees(), kind="stable")[:20]
    told = Dossier(dossier.known, dossier.released, block=("town",), seeds=(chosen, truth.row[chosen]))
    matcher = GraphPropagation().prepare(told, RNG, ENGINE)
    assert (
        "starts from 20 seeds, whose records the intruder knows already and who are not" in matcher.notes[0]
    )
    assert (matcher.row[chosen] == truth.row[chosen]).all()
    released = dossier.released.frame["town"].to_list()
    assert all(released[v] == town[u] for u, v in enumerate(matcher.row) if v >= 0)
    assert "no seeds are given" in GraphPropagation().prepare(dossier, RNG, ENGINE).notes[0]


def test_seeds_that_are_told_never_leave_an_intruder_with_less_than_guesses():
    """Five people are too few to start from: who has them guesses the others all the same."""
    copies = [EdgeDeletion(share=0.2).apply(people(LARGE), np.random.default_rng(s)).data for s in (1, 2)]
    order = np.random.default_rng(3).permutation(LARGE.order)
    place = np.argsort(order)
    dossier, truth = Dossier(copies[0], copies[1].take(order)), Truth(place)
    told = np.sort(np.random.default_rng(4).choice(LARGE.order, 5, replace=False))
    others = np.setdiff1d(np.arange(LARGE.order), told)
    seeded = Dossier(dossier.known, dossier.released, seeds=(told, place[told]))
    found = [
        GraphPropagation().prepare(given, RNG, ENGINE).standing(truth, 1, others).belief().mean()
        for given in (dossier, seeded)
    ]
    seeds = Seeds.told(told, place[told])
    graphs = dossier.known.content, dossier.released.content
    alone = (propagate(*graphs, seeds, 0.5, ENGINE).partner == place)[others].mean()
    assert alone < 0.1 < found[0] <= found[1]


def test_guesses_that_contradict_a_seed_or_a_block_are_dropped():
    guesses = NodeComparison.of(Dossier(people(LARGE), people(LARGE)), ENGINE).guesses(50)
    assert len(guesses.known) > 40
    wrong = Seeds.told(guesses.known[:2], guesses.known[1::-1])  # each the other
    both = wrong.beside(guesses)
    assert both.certain.sum() == 2
    assert len(both.known) == len(guesses.known)
    assert (propagate(LARGE, LARGE, both, 0.5, ENGINE).partner[wrong.known] == wrong.released).all()
    # Nobody is in a block with their own node: who guesses across blocks starts from people it cannot be.
    town = np.array(["a", "b"] * (LARGE.order // 2))
    moved = np.where(town == "a", "b", "a")
    dossier = Dossier(people(LARGE, town=town.tolist()), people(LARGE, town=moved.tolist()), block=("town",))
    row = GraphPropagation().prepare(dossier, RNG, ENGINE).row
    assert (moved[row[row >= 0]] == town[row >= 0]).all()


def test_seeded_propagation_grows_with_the_seeds_and_has_errors_beside_it():
    original = people(LARGE)
    masked = EdgeDeletion(share=0.05).apply(original, np.random.default_rng(1))
    rows = SeededPropagation().rows(evidence(original, masked), ENGINE)
    assert [row.keys.measure for row in rows] == ["seeded-propagation"] * 2 + [
        "seeded-propagation-errors"
    ] * 2
    for row in rows[:2]:
        points = row.estimate.curve.points
        assert [point.at for point in points] == [1, 2, 5, 10, 20]
        assert points[0].value < 0.2 < 0.9 < row.estimate.value == points[-1].value
        assert row.estimate.low <= row.estimate.value <= row.estimate.high
        assert row.estimate.baseline == pytest.approx(1 / 400)
    assert all(row.estimate.value < 0.1 for row in rows[2:])


def test_seeded_propagation_does_not_depend_on_the_order_of_the_files():
    original = people(LARGE)
    masked = EdgeDeletion(share=0.1).apply(original, np.random.default_rng(1))
    rng = np.random.default_rng(2)
    rows, order = rng.permutation(400), rng.permutation(400)
    moved = Masked(masked.data.take(order), np.argsort(rows)[order])
    for measure in (NodeSignatures(reach=2), SeededPropagation(draws=2)):
        before = measure.rows(evidence(original, masked), ENGINE)
        after = measure.rows(evidence(original.take(rows), moved), LocalEngine(threads=2, block=37))
        assert [r.estimate.value for r in before] == pytest.approx([r.estimate.value for r in after])
        if measure.name == "node-signatures":
            np.testing.assert_allclose(before[1].estimate.per_record[rows], after[1].estimate.per_record)


def test_measures_of_plain_tables_and_of_few_people_say_why_not():
    plain = Microdata(Schema((Column("age"),)), pl.DataFrame({"age": [1, 2]}))
    for name in ("node-signatures", "seeded-propagation"):
        why = measure_named(name).why_not(evidence(plain, unchanged(plain)))
        assert why.reason == "the file holds no graph"
        assert not why.declared
    few = people(KITE)
    assert "fewer than 10" in SeededPropagation().why_not(evidence(few, unchanged(few))).reason


def test_masks_do_what_they_say():
    data, m = people(LARGE), LARGE.size
    before = set(zip(*(end.tolist() for end in LARGE.edges()), strict=True))
    made = {}
    for mask in (EdgeDeletion(0.1), EdgeAddition(0.1), EdgeSwapping(0.3), EdgeSwapping(1.0), KDegree(5)):
        masked = mask.apply(data, np.random.default_rng(1))
        content = masked.data.content
        assert masked.data.frame["degree"].to_list() == content.degrees().tolist()
        assert masked.origin.tolist() == list(range(400))
        again = mask.apply(data, np.random.default_rng(1)).data.content
        assert np.array_equal(again.neighbours, content.neighbours)
        made[mask] = set(zip(*(end.tolist() for end in content.edges()), strict=True))
    deleted, added, some, every, k_degree = made.values()
    assert deleted < before
    assert len(deleted) == m - round(0.1 * m)
    assert added > before
    assert len(added) == m + round(0.1 * m)
    assert len(some) == len(every) == m
    assert len(before - some) <= round(0.3 * m) <= len(before - some) + 0.02 * m
    assert len(before & every) < 0.1 * m
    assert k_degree > before


@pytest.mark.parametrize("share", [0.3, 1.0])
def test_switching_keeps_every_degree(share):
    switched = EdgeSwapping(share).apply(people(LARGE), np.random.default_rng(1)).data.content
    assert switched.degrees().tolist() == LARGE.degrees().tolist()


@pytest.mark.parametrize("k", [2, 3, 10, 200, 201, 400])
def test_every_degree_is_that_of_k_people(k):
    content = KDegree(k).apply(people(LARGE), np.random.default_rng(1)).data.content
    assert min(Counter(content.degrees().tolist()).values()) >= k


def test_a_star_becomes_k_degree_by_probing():
    star = graph("01 02 03 04")
    for k in (2, 3, 5):
        content = KDegree(k).apply(people(star), np.random.default_rng(1)).data.content
        assert min(Counter(content.degrees().tolist()).values()) >= k
    with pytest.raises(UnmaskError, match=r"k=6 exceeds the 5 nodes of the graph\. Hint: "):
        KDegree(6).apply(people(star), RNG)


@pytest.mark.parametrize("share", [0.5, 0.8, 0.95, 1.0])
def test_dense_graphs_become_k_degree_too(share):
    for seed in range(6):
        pairs = np.argwhere(np.triu(np.random.default_rng(seed).random((12, 12)) < share, 1))
        dense = GraphContent.of_edges(pairs[:, 0].copy(), pairs[:, 1].copy(), 12)
        content = KDegree(3).apply(people(dense), np.random.default_rng(seed)).data.content
        assert min(Counter(content.degrees().tolist()).values()) >= 3


def test_masks_follow_each_other():
    masked = parse("edge-deletion:share=0.1 then edge-addition:share=0.1").apply(people(LARGE), RNG)
    fewer = LARGE.size - round(0.1 * LARGE.size)
    assert masked.data.content.size == fewer + round(0.1 * fewer)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: GraphSignatures(reach=4), "reach is no whole number from 1 to 3"),
        (lambda: GraphSignatures(reach=True), "reach is no whole number"),
        (lambda: GraphPropagation(theta=-1), "theta is no number from 0 on"),
        (lambda: GraphPropagation(theta=float("nan")), "theta is no number"),
        (lambda: NodeSignatures(reach=0), "reach is no whole number"),
        (lambda: SeededPropagation(draws=1), "draws is 1"),
        (lambda: SeededPropagation(theta=-0.5), "theta is no number"),
        (lambda: EdgeDeletion(share=1.1), "edge-deletion"),
        (lambda: EdgeAddition(share=-0.1), "edge-addition"),
        (lambda: EdgeSwapping(share=float("nan")), "edge-swapping"),
        (lambda: KDegree(k=0), "k must be a whole number"),
        (lambda: Seeds.told(np.array([1, 1]), np.array([1, 2])), "a seed is given twice"),
        (lambda: Seeds.told(np.array([1]), np.array([1, 2])), "1 seeds have 2 released records"),
        (lambda: EdgeAddition(0.9).apply(people(graph("01 12 02")), RNG), "0 pairs have none"),
        (
            lambda: EdgeSwapping(1.0).apply(people(graph("01 02 03")), RNG),
            "0 of the 2 edges could be switched",
        ),
    ],
)
def test_bad_input_is_refused_in_one_line(make, message):
    with pytest.raises(UnmaskError, match=message) as refused:
        make()
    assert "Hint: " in str(refused.value)
    assert "\n" not in str(refused.value)


def test_plain_tables_are_refused():
    plain = Microdata(Schema((Column("age"),)), pl.DataFrame({"age": [1, 2]}))
    for attack in (GraphSignatures(), GraphPropagation()):
        with pytest.raises(UnmaskError, match="compares files of the shape 'graph'"):
            attack.prepare(Dossier(plain, plain), RNG, ENGINE)
    for mask in (EdgeDeletion(0.1), EdgeAddition(0.1), EdgeSwapping(0.1), KDegree(2)):
        with pytest.raises(UnmaskError, match="works on files of the shape 'graph'"):
            mask.apply(plain, RNG)


def test_signatures_beat_the_degree_alone():
    dossier, truth = staged(LARGE, EdgeDeletion(share=0.1))
    found = [
        a.prepare(dossier, RNG, ENGINE).standing(truth, 1).belief().mean()
        for a in (GraphSignatures(), DBRL())
    ]
    assert found[0] > 10 * found[1]
