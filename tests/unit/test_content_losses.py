"""Losses of traces and graphs: hand-worked files, masks that keep what they say, and slow references."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unmask
from tests.contract.shapes import files
from tests.reference.graphs import clustering as slow_clustering
from tests.reference.traces import elsewhere as slow_elsewhere
from tests.reference.traces import flows as slow_flows
from unmask.data.microdata import Masked
from unmask.data.shapes import Content, GraphContent, TraceContent
from unmask.losses import loss_named, loss_rows
from unmask.losses.encoding import loss_evidence
from unmask.losses.evidence import LossEvidence, Side
from unmask.losses.graph_clustering import clustering
from unmask.losses.marks import marks
from unmask.masks import parse
from unmask.measures import FileEvidence
from unmask.measures.estimate import NotEstimable

TRACES, GRAPHS = (
    ("trace-places", "trace-times", "trace-flows"),
    ("graph-ties", "graph-degrees", "graph-clustering"),
)


def lost(name: str, original: Content, released: Content) -> object:
    sides = (Side({}, np.ones(len(one)), one) for one in (original, released))
    return loss_named(name).values(LossEvidence((), *sides, np.arange(len(released))))[None]


def trace(*points: tuple[int, float, str], people: int = 1) -> TraceContent:
    return TraceContent.of(pl.DataFrame(points, schema=["owner", "when", "where"], orient="row"), people)


def test_a_cut_label_stands_for_those_that_begin_with_it():
    """Of four points two are at a1, one at a2 and one at b1; the release tells three at a and one at b."""
    left = trace((0, 1.0, "a1"), (0, 2.0, "a1"), (0, 3.0, "a2"), (0, 4.0, "b1"))
    cut = trace((0, 1.0, "a"), (0, 2.0, "a"), (0, 3.0, "a"), (0, 4.0, "b"))
    # a1 and a2 get 3/8 each: 1/2 (1/8 + 1/8 + 0).
    assert lost("trace-places", left, cut) == pytest.approx(1 / 8)
    # Steps a1-a1, a1-a2, a2-b1; the release: a-a twice, spread over 4 ways, and a-b, spread over 2.
    # |1/3 - 1/6| three times, and 1 - 1/6 - 1/6 - 1/6 on ways that nobody went.
    # Of two steps: a1-a2, a1-b1; the release: a-a and a-b. |1/2 - 1/8|, |1/2 - 1/4|, and 1 - 3/8 elsewhere.
    assert lost("trace-flows", left, cut) == pytest.approx(((3 / 6 + 1 / 2) + (3 / 8 + 1 / 4 + 5 / 8)) / 4)


def test_whoever_goes_on_with_the_trace_of_another_keeps_steps_and_no_way():
    """Two people meet at m; the release has each go on with the other's trace."""
    left = trace(
        (0, 1.0, "a"), (0, 2.0, "m"), (0, 3.0, "b"), (1, 1.0, "c"), (1, 2.0, "m"), (1, 3.0, "d"), people=2
    )
    told = trace(
        (0, 1.0, "a"), (0, 2.0, "m"), (0, 3.0, "d"), (1, 1.0, "c"), (1, 2.0, "m"), (1, 3.0, "b"), people=2
    )
    assert lost("trace-places", left, told) == lost("trace-times", left, told) == 0
    assert lost("trace-flows", left, told) == pytest.approx((0 + 1) / 2)


def test_a_label_of_the_original_stands_for_itself_alone():
    left = trace((0, 1.0, "1"), (0, 2.0, "12"))
    gone = trace((0, 1.0, "1"))
    assert lost("trace-places", left, gone) == pytest.approx(1 / 2)


def test_a_release_without_points_has_lost_everything():
    left = trace((0, 1.0, "a"), (0, 2.0, "b"))
    for name in TRACES:
        assert lost(name, left, left.chosen(np.empty(0, np.int64))) == 1.0
        assert isinstance(lost(name, left.chosen(np.empty(0, np.int64)), left), NotEstimable)


def test_coordinates_are_counted_in_cells_of_a_map():
    rng = np.random.default_rng(1)
    points = pl.DataFrame({"owner": np.arange(400) // 4, "when": rng.random(400), "x": rng.random(400) * 9,
                           "y": rng.random(400)})  # fmt: skip
    left = TraceContent.of(points, 100)
    near = TraceContent.of(points.with_columns(pl.col("x") + 1e-9), 100)
    far = TraceContent.of(points.with_columns(pl.col("x") + 100), 100)
    assert lost("trace-places", left, near) < 0.01
    assert lost("trace-places", left, far) == 1.0


def test_times_that_nobody_told_are_no_loss_of_zero():
    bare = trace((0, 0.0, "a"), (0, 0.0, "b"))
    for name in ("trace-times", "trace-flows"):
        why = lost(name, bare, bare)
        assert isinstance(why, NotEstimable)
        assert "no times" in why.reason


def test_ties_of_people_who_are_not_released_do_not_count():
    path = GraphContent.of_edges(np.array([0, 1]), np.array([1, 2]), 3)
    part = GraphContent.of_edges(np.array([0]), np.array([1]), 2)
    assert lost("graph-ties", path, part) == 0.0


def test_swapping_keeps_degrees_and_suppression_at_random_keeps_shares():
    original, _ = files("graph")
    swapped = parse("edge-swapping:share=0.5").apply(original, np.random.default_rng(1)).data
    assert lost("graph-degrees", original.content, swapped.content) == 0.0
    assert 0.3 < lost("graph-ties", original.content, swapped.content) < 1.0
    deleted = parse("edge-deletion:share=0.4").apply(original, np.random.default_rng(1)).data
    assert lost("graph-ties", original.content, deleted.content) == pytest.approx(0.4, abs=0.05)
    assert lost("graph-degrees", original.content, deleted.content) > 0.2


@pytest.mark.parametrize(
    ("shape", "name"), [*(("traces", n) for n in TRACES), *(("graph", n) for n in GRAPHS)]
)
def test_rows_stand_beside_their_references_and_no_order_of_rows_matters(shape, name):
    original, masked = files(shape, 0.3)
    found = FileEvidence(original, masked, original.schema.names())
    rows = loss_rows(loss_named(name), loss_evidence(found))
    turned = np.random.default_rng(5).permutation(len(original))
    moved = original.take(turned), masked.data.take(turned)
    other = FileEvidence(moved[0], Masked.by_order(*moved), original.schema.names())
    again = loss_rows(loss_named(name), loss_evidence(other))
    for one, two in zip(rows, again, strict=True):
        assert one.estimate.value == pytest.approx(two.estimate.value, abs=1e-12)
    if name in (
        "trace-flows",
        "graph-ties",
        "graph-clustering",
    ):  # what no relation leaves is far from nothing
        assert rows[-1].estimate.value > rows[-2].estimate.value


@pytest.mark.parametrize("name", [*TRACES, *GRAPHS])
def test_other_files_are_no_loss_of_zero(name):
    bare = Side({"age": np.ones(3)}, np.ones(3))
    why = loss_named(name).why_not(LossEvidence((), bare, bare, np.arange(3)))
    assert isinstance(why, NotEstimable)


def test_marks_follow_the_content_and_not_its_order():
    left = trace(
        (0, 1.0, "a"), (0, 2.0, "b"), (1, 2.0, "b"), (1, 1.0, "a"), (2, 1.0, "b"), (2, 2.0, "a"), people=3
    )
    one, two, three = marks(Side({}, np.ones(3), left))
    assert one == two != three


def test_a_study_of_traces_tells_what_flows_are_lost():
    rng = np.random.default_rng(3)
    who, step = np.repeat(np.arange(40), 10), rng.integers(0, 2, 400)
    cells = [f"c{home % 9}{way}" for home, way in zip(who, step, strict=True)]
    frame = pl.DataFrame({"id": who, "t": np.tile(np.arange(10), 40), "cell": cells})
    study = unmask.study(
        frame,
        ["trace-suppression:share={0.1,0.9}"],
        shape="traces:id=id,time=t,place=cell",
        attacks=["traces"],
        least="trace-flows",
        replicates=2,
    )
    weak, strong = (study.document.loss(f"trace-suppression:share={share}").value for share in (0.1, 0.9))
    assert weak < strong
    assert study.document.loss("independent columns").value > 0.3


@given(st.integers(2, 9), st.floats(0, 1), st.integers(0, 99))
def test_clustering_is_its_definition(order, share, seed):
    rng = np.random.default_rng(seed)
    source, target = np.triu_indices(order, 1)
    kept = rng.random(len(source)) < share
    graph = GraphContent.of_edges(source[kept], target[kept], order)
    np.testing.assert_allclose(clustering(graph), slow_clustering(graph))


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 99))
def test_places_and_flows_are_their_definitions(points, others, seed):
    rng = np.random.default_rng(seed)

    def some(size: int, letters: int) -> TraceContent:
        where = ["".join(rng.choice(["a", "b"], letters)) for _ in range(size)]
        rows = zip(rng.integers(0, 2, size).tolist(), range(size), where, strict=True)
        return trace(*((owner, float(when), label) for owner, when, label in rows), people=2)

    left, told = some(points, 2), some(others, int(rng.integers(1, 3)))
    assert lost("trace-places", left, told) == pytest.approx(slow_elsewhere(left, told, 0))
    found = lost("trace-flows", left, told)
    if not isinstance(found, NotEstimable):
        assert found == pytest.approx(slow_flows(left, told))
