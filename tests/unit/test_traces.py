"""Traces on hand-worked tables: scores, resolution, unicity, masks, and what is refused."""

from __future__ import annotations

from math import log

import numpy as np
import polars as pl
import pytest

from unmask.attacks import Traces, attack_named
from unmask.data.microdata import Masked, Microdata
from unmask.data.schema import Column, Schema
from unmask.data.shapes import SeriesContent, TraceContent
from unmask.engines import LocalEngine
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.intruder.glimpse import Glimpse
from unmask.intruder.truth import Truth
from unmask.linkage.points import NOWHERE, common_points
from unmask.masks import TraceCoarsening, TraceSuppression, TraceSwapping, parse
from unmask.measures import FileEvidence, NotEstimable, measure_named

SCHEMA = Schema((Column("points"), Column("places")))
RNG = np.random.default_rng
#: Four people. Point (8, a) is left by three of them, (9, b) and (10, c) by two, the others by one.
FOUR = [
    (0, 8, "a"), (0, 9, "b"), (0, 10, "c"),
    (1, 8, "a"), (1, 9, "b"), (1, 11, "d"),
    (2, 8, "a"), (2, 10, "c"),
    (3, 12, "a"),
]  # fmt: skip


def traces(rows, people=None):
    """Traces of rows (owner, when, place) or (owner, when, x, y)."""
    names = ("owner", "when", "where") if len(rows[0]) == 3 else ("owner", "when", "x", "y")
    kinds = {n: pl.Int64 if n == "owner" else pl.String if n == "where" else pl.Float64 for n in names}
    frame = pl.DataFrame(rows, schema=kinds, orient="row")
    return TraceContent.of(frame, people or max(row[0] for row in rows) + 1)


def file(content):
    return Microdata(SCHEMA, content.summary(), content=content)


def ready(known, released, **parameters):
    return Traces(**parameters).prepare(Dossier(file(known), file(released)), RNG(0), LocalEngine())


def beliefs(matcher, n, m):
    links = matcher.links()
    return np.column_stack([links.belief_in(np.full(n, j)) for j in range(m)])


def shared(both):
    """The points that person 0 of the known file shares with each person of the release."""
    seen = set(both.known.codes[: both.known.indptr[1]])
    spans = zip(both.released.indptr[:-1], both.released.indptr[1:], strict=True)
    return [len(seen & set(both.released.codes[a:b])) for a, b in spans]


def unicity(original, released=None, origin=None, seed=0):
    released = original if released is None else released
    origin = np.arange(len(released)) if origin is None else origin
    evidence = FileEvidence(file(original), Masked(file(released), origin), ("points",), seed=seed)
    rows = measure_named("unicity").rows(evidence, LocalEngine())
    return {(row.keys.measure, row.keys.subject): row.estimate for row in rows}


def test_scores_by_hand():
    content = traces(FOUR)
    matcher = ready(content, content, power=0)
    a, b, c, d, e = (log(5 / holders) for holders in (3, 2, 2, 1, 1))
    expected = [[a + b + c, a + b, a + c, 0], [a + b, a + b + d, a, 0], [a + c, a, a + c, 0], [0, 0, 0, e]]
    from unmask.kernels.postings import _value

    place = matcher.classes.of
    for i, row in enumerate(expected):
        codes = matcher.targets.codes[matcher.targets.indptr[i] : matcher.targets.indptr[i + 1]]
        found = [_value(matcher.index, codes, place[j]) for j in range(4)]
        np.testing.assert_allclose(found, row)


def test_the_plain_sum_leaves_a_tie_that_a_shorter_trace_wins():
    content, truth = traces(FOUR), Truth(np.arange(4))
    # All that the third person left, the first one left too.
    np.testing.assert_allclose(ready(content, content, power=0).standing(truth, 3).belief(), [1, 1, 0.5, 1])
    np.testing.assert_allclose(ready(content, content).standing(truth, 3).belief(), 1)


def test_who_shares_no_point_is_linked_to_nobody():
    known, released = traces([(0, 8, "a"), (1, 7, "z")]), traces(FOUR)
    matcher = ready(known, released)
    assert beliefs(matcher, 2, 4)[1].tolist() == [0, 0, 0, 0]
    standing = matcher.standing(Truth(np.array([3, 1])), 9)
    assert standing.closer.tolist() == [3, 9]  # three share (8, a), the true one does not
    assert standing.tied.tolist() == [1, 0]
    assert standing.belief().tolist() == [0, 0]


def test_people_who_are_not_released_are_not_looked_for():
    standing = ready(traces(FOUR), traces(FOUR)).standing(Truth(np.array([-1, 1, 2, -1])), 2)
    assert standing.closer.tolist() == [-1, 0, 0, -1]


def test_everybody_alike_share_the_belief():
    alike = traces([(i, 8, "a") for i in range(5)])
    np.testing.assert_allclose(beliefs(ready(alike, alike), 5, 5), 0.2)


def test_an_empty_trace_is_nobodys():
    released = traces([(0, 8, "a"), (2, 9, "b")], people=3)
    matcher = ready(traces(FOUR), released)
    assert beliefs(matcher, 4, 3)[:, 1].tolist() == [0, 0, 0, 0]
    empty = released.chosen(np.empty(0, np.int64))
    assert not beliefs(ready(traces(FOUR), empty), 4, 3).any()
    assert NOWHERE in ready(traces(FOUR), empty).notes


@pytest.mark.parametrize("rounded", [np.floor, np.round])
def test_the_coarser_release_is_reached(rounded):
    rng = RNG(4)
    seen = np.sort(rng.random(40)) * 30
    known = traces([(i, t, "a") for i, t in enumerate(seen)])
    released = traces([(i, float(rounded(t)), "a") for i, t in enumerate(seen)])
    both = common_points(known, released)
    assert both.notes == ("times are compared in steps of 1",)
    assert np.array_equal(both.known.codes, both.released.codes)


def test_hours_of_days_are_a_grid():
    seen = 20_000 + np.arange(0, 40, 0.7) / 24
    known = traces([(0, t, "a") for t in seen])
    released = traces([(0, np.floor(t * 24 + 1e-9) / 24, "a") for t in seen])
    assert shared(common_points(known, released)) == [released.points]


def test_coarser_knowledge_is_met_by_the_release():
    rng = RNG(5)
    content = traces([(i, float(t), f"p{i}") for i in range(20) for t in rng.integers(0, 24 * 20, 12)])
    known = Glimpse(coarse=24).of(content, 0.0, rng)
    matcher = ready(known, content)
    assert matcher.notes == ("times are compared in steps of 24",)
    assert matcher.standing(Truth(np.arange(20)), 1).belief().min() == 1


def test_two_points_at_even_hours_are_no_coarser_knowledge():
    released = traces([(i, float(t), "a") for i in range(5) for t in range(i, 20)])
    both = common_points(traces([(0, 8.0, "a"), (0, 12.0, "a")]), released)
    assert both.notes == ()
    assert shared(both) == [2] * 5


def test_cells_of_a_grid_are_reached():
    rng = RNG(6)
    at = rng.random((30, 2)) * 2
    known = traces([(i, 8.0, x, y) for i, (x, y) in enumerate(at)])
    released = TraceCoarsening(cell=0.05).apply(file(known), RNG(0)).data.content
    both = common_points(known, released)
    assert both.notes == ("coordinates are compared in steps of 0.05",)
    assert np.array_equal(both.known.codes, both.released.codes)


def test_first_letters_are_reached_from_either_side():
    rows = [(i, 8.0, f"u{i % 7}{i}x") for i in range(30)]
    cut = [(i, t, label[:2]) for i, t, label in rows]
    for one, two in ((rows, cut), (cut, rows)):
        both = common_points(traces(one), traces(two))
        assert both.notes == ("labels are compared by their first 2 letters",)
        assert np.array_equal(both.known.codes, both.released.codes)


def test_labels_of_many_lengths_that_were_cut_are_cut():
    rows = [(i, 8.0, str(i)) for i in range(150)]
    cut = [(i, t, label[:2]) for i, t, label in rows]
    assert shared(common_points(traces([(0, 8.0, "123"), *rows[1:]]), traces(cut)))[12] == 1


def test_times_that_one_file_does_not_tell_are_not_compared():
    both = common_points(traces([(0, 0.0, "a"), (0, 0.0, "b")]), traces(FOUR))
    assert both.notes == ("times are not compared: a file does not tell them, or only one",)
    assert shared(both) == [2, 2, 1, 1]


def test_steps_of_which_none_divides_the_other_are_compared_with_a_note():
    seen = np.arange(0.0, 600.0)
    known = traces([(0, 4 * np.floor(t / 4), "a") for t in seen])
    released = traces([(0, 6 * np.floor(t / 6), "a") for t in seen])
    both = common_points(known, released)
    (note,) = both.notes
    assert note.startswith("times are compared in steps of 6, which the other file's do not divide")
    assert shared(both) == [100]


def test_times_in_another_unit_are_refused():
    seconds = [(0, 1.7e9 + 3600.0 * t, "a") for t in range(30)]
    with pytest.raises(ArgumentError, match=r"the times of the two files are far apart.*Hint: "):
        common_points(traces(seconds), traces([(0, 1000 * t, "a") for _, t, _ in seconds]))
    found = unicity(traces(seconds), traces([(0, 1000 * t, "a") for _, t, _ in seconds]))
    assert "far apart" in found["unicity-known", "4 points"].reason


def test_labels_and_coordinates_are_refused():
    with pytest.raises(ArgumentError, match="labels in one file and coordinates in the other"):
        common_points(traces(FOUR), traces([(0, 8.0, 1.5, 2.5)]))


def test_nothing_in_common_is_said():
    assert NOWHERE in ready(traces([(0, 8.0, "q")]), traces(FOUR)).notes


def test_a_clock_that_is_off_is_tolerated():
    rng = RNG(7)
    content = traces(
        [(i, float(t), f"p{rng.integers(3)}") for i in range(30) for t in rng.integers(0, 200, 15)]
    )
    late = Glimpse(clock=1.0).of(content, 0.0, rng)
    truth = Truth(np.arange(30))
    assert ready(late, content).standing(truth, 1).belief().mean() < 0.2
    assert ready(late, content, tolerance=1).standing(truth, 1).belief().mean() > 0.9


def test_unicity_by_hand():
    found = unicity(traces(FOUR))
    # Three points or more show a whole trace, and the third person's is part of the first one's.
    assert found["unicity", "4 points"].value == 0.75
    assert found["unicity", "4 points"].per_record.tolist() == [1, 1, 0, 1]
    assert found["unicity", "4 points"].baseline == 0.25
    assert found["unicity", "3 points"].value == found["unicity", "8 points"].value == 0.75
    # One point: nobody but the second person (one of three) and the fourth one.
    shares = [unicity(traces(FOUR), seed=seed)["unicity", "1 point"].value for seed in range(40)]
    assert np.mean(shares) == pytest.approx((0 + 1 / 3 + 0 + 1) / 4, abs=0.02)
    curve = found["unicity", "4 points"].curve
    assert [point.at for point in curve.points] == list(range(1, 9))
    assert all(point.low <= point.value <= point.high for point in curve.points)


def test_unicity_of_known_points_counts_the_own_trace_alone():
    original = traces(FOUR)
    released = original.take(np.array([1, 0, 2, 3]))
    right = unicity(original, released, np.array([1, 0, 2, 3]))["unicity-known", "4 points"]
    wrong = unicity(original, released)["unicity-known", "4 points"]
    assert (right.value, wrong.value) == (0.75, 0.25)


def test_a_point_that_was_left_out_singles_nobody_out():
    original = traces(FOUR)
    released = TraceSuppression(least=2).apply(file(original), RNG(0)).data.content
    found = unicity(original, released)
    assert found["unicity-known", "4 points"].value == 0.25  # of the first person all points are left
    assert found["unicity", "4 points"].value == 0.25


def test_of_few_points_and_many_people_unicity_is_low_and_sampled():
    content = traces([(i, float(i % 3), "a") for i in range(12_000)])
    found = unicity(content)["unicity", "4 points"]
    assert (found.value, found.n) == (0, 10_000)
    assert np.isnan(found.per_record).sum() == 2_000
    assert "10,000 of them drawn at random" in found.meaning


def test_unicity_needs_traces_and_people():
    series = SeriesContent(np.arange(2.0), np.ones((4, 2)))
    plain = Microdata(SCHEMA, traces(FOUR).summary(), content=series)
    why = measure_named("unicity").why_not(FileEvidence(plain, Masked.by_order(plain, plain), ("points",)))
    assert why == NotEstimable("the file holds no traces")
    nobody = unicity(traces(FOUR), origin=np.full(4, -1))
    assert not nobody["unicity-known", "4 points"].estimable
    assert np.isnan(nobody["unicity", "4 points"].per_record).all()


def test_coarsening_by_hand():
    masked = TraceCoarsening(step=2).apply(file(traces(FOUR)), RNG(0)).data
    assert masked.content.frame().filter(owner=0).rows() == [(0, 8, "a"), (0, 8, "b"), (0, 10, "c")]
    assert masked.frame["points"].to_list() == [3, 3, 2, 1]
    one = TraceCoarsening(step=100, letters=1).apply(file(traces([(0, 8.0, "ab"), (0, 9.0, "ac")])), RNG(0))
    assert one.data.content.frame().rows() == [(0, 0, "a")]


def test_suppression_keeps_the_people():
    masked = TraceSuppression(share=1.0).apply(file(traces(FOUR)), RNG(0))
    assert masked.data.frame["points"].to_list() == [0, 0, 0, 0]
    assert masked.origin.tolist() == [0, 1, 2, 3]
    half = TraceSuppression(share=0.5).apply(file(traces([(0, float(t), "a") for t in range(2000)])), RNG(0))
    assert half.data.content.points == pytest.approx(1000, abs=100)


def test_swapping_moves_no_point_and_goes_on_from_a_meeting():
    rows = [(0, 1, "a"), (0, 2, "m"), (0, 3, "b"), (0, 4, "c")]
    rows += [(1, 1, "x"), (1, 2, "m"), (1, 3, "y"), (1, 4, "z"), (0, 5, "d"), (1, 5, "w")]
    content = traces(rows)
    found = set()
    for seed in range(20):
        released = TraceSwapping(share=1).apply(file(content), RNG(seed)).data.content
        assert sorted(released.frame().select("when", "where").rows()) == sorted(
            content.frame().select("when", "where").rows()
        )
        found.add("".join(released.frame().filter(owner=0)["where"]))
    # What each left after the meeting is more than what they left before, and names the trace.
    assert found == {"ambcd", "xmbcd"}
    untouched = TraceSwapping(share=0).apply(file(content), RNG(1)).data.content
    assert untouched.frame().equals(content.frame())


def test_people_meet_within_a_step_and_a_cell():
    content = traces([(0, 1.0, 0.1, 0.1), (0, 9.0, 5.0, 5.0), (1, 1.5, 0.2, 0.2), (1, 9.0, 7.0, 7.0)])
    with pytest.raises(ArgumentError, match=r"nobody in the file meets anybody. Hint: give a step"):
        TraceSwapping(share=1).apply(file(content), RNG(0))
    swaps = [TraceSwapping(1, 2.0, 1.0).apply(file(content), RNG(seed)).data.content.x for seed in range(20)]
    assert len({tuple(x) for x in swaps}) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("trace-coarsening", "trace-coarsening needs one of its parameters step, cell, letters"),
        ("trace-coarsening:step=0", "step=0 is out of range"),
        ("trace-coarsening:letters=0", "letters is no whole number of at least 1"),
        ("trace-suppression:share=2", "share=2 is out of range"),
        ("trace-suppression:share=0.5,least=2", "share and least are given"),
        ("trace-swapping:share=-1", "share=-1 is out of range"),
    ],
)
def test_parameters_of_masks_that_do_not_fit_are_refused(text, message):
    with pytest.raises(ArgumentError, match=f"{message}.*Hint: "):
        parse(text)


@pytest.mark.parametrize("given", ["power=0.6", "power=-1", "tolerance=-1", "tolerance=x"])
def test_parameters_of_the_attack_that_do_not_fit_are_refused(given):
    with pytest.raises(ArgumentError, match="Hint: "):
        attack_named(f"traces:{given}")


def test_masks_say_what_they_cannot_do():
    labelled, placed = file(traces(FOUR)), file(traces([(0, 8.0, 1.5, 2.5), (1, 8.0, 1.5, 2.5)]))
    timeless = file(traces([(0, 0.0, "a"), (1, 0.0, "a")]))
    plain = Microdata(SCHEMA, labelled.frame)
    for mask, data, message in (
        (TraceCoarsening(cell=1), labelled, "cell is given, and the places of the file are labels"),
        (TraceCoarsening(letters=1), placed, "letters is given, and the places of the file are coordinates"),
        (TraceSwapping(share=1, cell=1), labelled, "cell is given"),
        (TraceSwapping(share=1), timeless, "works along time"),
        (TraceSuppression(share=0.5), plain, "is a plain table"),
    ):
        with pytest.raises(ArgumentError, match=f"{message}.*Hint: "):
            mask.apply(data, RNG(0))


def test_the_attack_needs_traces_and_no_blocks():
    plain = Microdata(SCHEMA, traces(FOUR).summary())
    with pytest.raises(ArgumentError, match="compares files of the shape 'traces'"):
        Traces().prepare(Dossier(plain, plain), RNG(0), LocalEngine())
    held = file(traces(FOUR))
    with pytest.raises(ArgumentError, match="not within blocks"):
        Traces().prepare(Dossier(held, held, block=("points",)), RNG(0), LocalEngine())


def test_neither_the_order_of_people_nor_blocks_change_unicity():
    rng = RNG(8)
    points = [(i, float(t), f"p{rng.integers(4)}") for i in range(60) for t in rng.integers(0, 9, 6)]
    original = traces(points)
    released = TraceSuppression(share=0.2).apply(file(original), RNG(1)).data.content
    rows, order = rng.permutation(60), rng.permutation(60)
    first = unicity(original, released)
    moved = unicity(original.take(rows), released.take(rows).take(order), order)
    assert {key: e.value for key, e in first.items()} == {key: e.value for key, e in moved.items()}
    assert 0 < first["unicity", "2 points"].value < 1
    risk, other = (found["unicity", "4 points"].per_record for found in (first, moved))
    assert np.array_equal(risk[rows], other)
    evidence = FileEvidence(file(original), Masked(file(released), np.arange(60)), ("points",))
    cut = measure_named("unicity").rows(evidence, LocalEngine(threads=2, block=7))
    assert [row.estimate.value for row in cut] == [e.value for e in first.values()]


def test_nobody_left_a_point():
    nothing = pl.DataFrame(schema={"owner": pl.Int64, "when": pl.Float64, "where": pl.String})
    content = TraceContent.of(nothing, 3)
    assert content.place.dtype == np.int64
    assert content.summary().rows() == [(0, 0)] * 3
