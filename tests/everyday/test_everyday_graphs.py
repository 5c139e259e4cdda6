"""Everyday graphs: an intruder without seeds finds whom one with a few seeds would, and uses attributes."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import unmask
from tests.everyday.test_everyday_shapes import TIES, found
from unmask import Column, Masked, Microdata, Schema
from unmask.data.io.table import SourceTable
from unmask.data.shapes.named import shape_named
from unmask.engines import LocalEngine
from unmask.errors import UnmaskError
from unmask.masks import parse
from unmask.masks.shaped import masked_shape
from unmask.measures import FileEvidence, measure_named
from unmask.report.decision.trust import cautions


def ties(pairs: np.ndarray) -> pl.DataFrame:
    """A file of edges."""
    return pl.DataFrame({"a": pairs[:, 0], "b": pairs[:, 1]}).filter(pl.col("a") != pl.col("b"))


def groups(n: int, size: int, others: float) -> np.ndarray:
    """Groups in which everybody is tied to everybody, and ties at random between their people."""
    rng = np.random.default_rng(7)
    same = [(i, j) for i in range(n) for j in range(i) if i // size == j // size]
    return np.concatenate((same, rng.integers(0, n, (int(n * others), 2))))


def anybody(n: int, many: int) -> np.ndarray:
    """So many ties between people drawn at random."""
    return np.random.default_rng(7).integers(0, n, (many, 2))


def preferred(n: int, many: int) -> np.ndarray:
    """Each new person is tied to so many earlier ones, well-connected ones above all."""
    rng = np.random.default_rng(7)
    ends, pairs = list(range(many)), []
    for new in range(many, n):
        chosen = sorted({ends[i] for i in rng.integers(0, len(ends), many)})
        pairs += [(new, one) for one in chosen]
        ends += [*chosen, *[new] * len(chosen)]
    return np.array(pairs)


@pytest.mark.parametrize(
    ("pairs", "kept"),
    [
        (anybody(400, 1600), 0.9),
        (anybody(400, 600), 0.92),
        (groups(400, 10, 2), 0.93),
        (preferred(500, 5), 0.65),
    ],
    ids=["many ties", "few ties", "groups", "hubs"],
)
def test_few_right_guesses_among_wrong_ones_are_enough(pairs, kept):
    original = ties(pairs)
    released = original.sample(fraction=kept, seed=1)
    assert found(original, released, TIES, "graph-propagation") > 0.85


def neighbours(n: int, many: int) -> np.ndarray:
    """A ring of people who are tied to the next ones, but every fifth tie goes to anybody."""
    rng = np.random.default_rng(7)
    ring = np.concatenate([np.stack((np.arange(n), (np.arange(n) + d) % n), 1) for d in range(1, many + 1)])
    moved = rng.random(len(ring)) < 0.2
    ring[moved, 1] = rng.integers(0, n, moved.sum())
    return ring


@pytest.mark.parametrize(
    ("pairs", "kept"),
    [(preferred(800, 4), 0.6), (neighbours(600, 4), 0.85), (anybody(600, 3000), 0.8)],
    ids=["hubs", "small world", "many ties"],
)
def test_guesses_that_support_each_other_find_people_whom_signatures_do_not_tell_apart(pairs, kept):
    original = ties(pairs)
    released = original.sample(fraction=kept, seed=1)
    assert found(original, released, TIES, "graph-propagation") > 0.8


def test_attributes_tell_who_is_who_where_the_ties_of_half_of_the_people_are_left():
    rng = np.random.default_rng(5)
    original = ties(anybody(300, 1200))
    nodes = pl.DataFrame(
        {"node": range(300), "age": rng.integers(20, 80, 300), "town": rng.choice(list("abcdefgh"), 300)}
    )
    half = nodes.filter(pl.col("node") % 2 == 0)
    released = original.filter((pl.col("a") % 2 == 0) & (pl.col("b") % 2 == 0))
    share = found(original, released, TIES, "graph-propagation", nodes=nodes, released_nodes=half)
    assert share > 0.7


def test_people_without_ties_are_found_by_their_attributes():
    rng = np.random.default_rng(5)
    original = ties(anybody(100, 300))
    nodes = pl.DataFrame({"node": range(160), "income": rng.permutation(160) * 1000})
    released = original.sample(fraction=0.9, seed=1)
    asked = {"nodes": nodes, "released_nodes": nodes}
    assert found(original, released, TIES, "graph-propagation", **asked) > 0.9


DIRECTED = f"{TIES},directed=yes"


def test_directions_tell_people_apart_whom_ties_alone_do_not():
    """A ring with chords: everybody has as many ties, but not as many of them go out."""
    rng = np.random.default_rng(3)
    ring = np.concatenate([np.stack((np.arange(300), (np.arange(300) + d) % 300), 1) for d in range(1, 7)])
    turned = rng.random(len(ring)) < 0.5
    original = ties(np.where(turned[:, None], ring[:, ::-1], ring))
    shuffled = original.sample(fraction=1, shuffle=True, seed=1)
    without, given = (
        found(original, shuffled, shape, "graph-propagation", truth="node") for shape in (TIES, DIRECTED)
    )
    assert without < 0.02
    assert given > 0.9


def test_a_tie_that_is_listed_twice_and_a_loop_are_no_more_directions():
    calls = pl.DataFrame({"a": ["x", "x", "y", "z"], "b": ["y", "y", "x", "z"]})
    people = shape_named(DIRECTED).people(SourceTable(calls, {}, frozenset(), "calls.csv"))
    assert people.frame.rows() == [("x", 1, 1, 1), ("y", 1, 1, 1), ("z", 0, 0, 0)]
    named = pl.DataFrame({"node": ["x", "y", "z"], "ties in": [1, 2, 3]})
    with pytest.raises(UnmaskError, match=r"nodes.csv has a column 'ties in'.*Hint: rename"):
        shape_named(DIRECTED).people(
            SourceTable(calls, {}, frozenset(), "calls.csv"), SourceTable(named, {}, frozenset(), "nodes.csv")
        )


def test_masks_know_no_directions():
    held = SourceTable(ties(anybody(30, 60)), {}, frozenset(), "calls.csv")
    with pytest.raises(UnmaskError, match=r"'edge-deletion' knows no directions.*Hint: leave directed=yes"):
        masked_shape(held, None, shape_named(DIRECTED), parse("edge-deletion:share=0.1"), 1)


def test_what_goes_out_and_comes_in_is_a_signature_of_its_own():
    calls = pl.DataFrame({"a": ["x", "y", "z", "x"], "b": ["y", "z", "x", "w"]})
    held = shape_named(DIRECTED).people(SourceTable(calls, {}, frozenset(), "calls.csv"))
    data = Microdata(Schema((Column("degree"),)), held.frame.select("degree"), content=held.content)
    rows = measure_named("node-signatures").rows(
        FileEvidence(data, Masked.by_order(data, data), ("degree",)), LocalEngine()
    )
    shares = {row.keys.subject: row.estimate.value for row in rows if row.keys.measure == "node-signatures"}
    # w 0 out and 1 in, x 2 and 1, y and z 1 and 1.
    assert shares["ties out and in"] == pytest.approx(3 / 4)


def test_a_file_that_seems_to_have_directions_says_so():
    def notes(a: str, b: str, shape: str = TIES) -> str:
        held = SourceTable(pl.DataFrame({"a": list(a), "b": list(b)}), {}, frozenset(), "calls.csv")
        return " ".join(shape_named(shape).people(held).content.notes)

    assert "some ties are there in both directions (1), others in one" in notes("xyy", "yxz")
    assert "directed=yes" not in notes("xyyz", "yxzy")  # every tie is listed from both ends
    assert "directed=yes" not in notes("xy", "yz")
    assert "directed=yes" not in notes("xyy", "yxz", DIRECTED)


def test_weights_with_decimal_commas_are_numbers():
    held = SourceTable(
        pl.DataFrame({"a": list("xyz"), "b": list("yzx"), "w": ["1,5", "0,0", "2,25"]}),
        {},
        frozenset(),
        "t.csv",
    )
    people = shape_named(f"{TIES},weight=w").people(held)
    assert people.frame["degree"].to_list() == [2, 1, 1]


def test_that_a_few_known_people_lead_to_the_others_is_said_first():
    """Without seeds hardly anybody is found where four ties in ten are left out, from fifty nearly all."""
    original = ties(anybody(600, 3000))
    released = original.sample(fraction=0.6, seed=2)
    asked = {"shape": TIES, "attacks": ["guess", "graph-signatures"]}
    risk = unmask.assess(
        original, released, measures=["reidentification", "seeded-propagation"], seed=1, **asked
    )
    assert risk.document.best().value < 0.05
    (told,) = (one.text for one in cautions(risk.document) if one.serious and "knows more" in one.text)
    assert "propagation finds 9" in told
    # Where an attack finds as many, there is nothing to add.
    near = unmask.assess(
        original, original, measures=["reidentification", "seeded-propagation"], seed=1, **asked
    )
    assert not any("knows more" in one.text for one in cautions(near.document))
