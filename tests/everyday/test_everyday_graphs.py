"""Everyday graphs: an intruder without seeds finds whom one with a few seeds would, and uses attributes."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tests.everyday.test_everyday_shapes import TIES, found


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
