"""A conclusion adds up, and is the same whoever works on it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unmask import Session
from unmask.assessment.asked import requested
from unmask.assessment.request import Verb
from unmask.data.example import people
from unmask.documents.codec import plain
from unmask.documents.conclusion import CHANGE, FACTS, WITHOUT
from unmask.documents.table import row_plain
from unmask.engines import LocalEngine
from unmask.masks import parse
from unmask.studies.conclusion import conclusion, repeating
from unmask.studies.conclusion.coarsening import entropy, neighbours, rarest
from unmask.studies.conclusion.groups import holm
from unmask.studies.conclusion.spread import spread

SHARES = st.lists(st.sampled_from([0.0, 1.0, 0.5, 1 / 3, 0.25, 0.05]), min_size=1, max_size=80)


def concluded(original: Any, released: Any, threads: int = 1, **asked: Any) -> Any:
    request, handed = requested(Verb.ASSESS, original, released, {"attacks": ["guess", "dbrl"], **asked})
    session = Session(request, handed, LocalEngine(threads=threads))
    runs = [run for attack in session.attacks for run in session.attempts(attack)]
    return runs, *conclusion(session, runs)


@given(SHARES)
def test_every_person_is_counted_once(belief: list[float]) -> None:
    found = spread("dbrl", np.array(belief))
    assert found.certain + found.likely + found.possible + found.none == found.people == len(belief)
    carriers = len(belief) - found.none
    assert 0 <= found.half <= found.most <= carriers
    ordered = np.sort(belief)[::-1]
    for fewest, share in ((found.half, 0.5), (found.most, 0.8)):
        if fewest:
            assert ordered[:fewest].sum() >= share * sum(belief) - 1e-9
            assert ordered[: fewest - 1].sum() < share * sum(belief)
    risks = [point.risk for point in found.points]
    assert risks == sorted(risks)
    assert len(risks) <= 51
    slopes = np.diff(risks) / np.diff([point.people for point in found.points])
    assert all(a >= b - 1e-9 for a, b in pairwise(slopes))  # the riskiest come first


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3), st.sampled_from("AB")), min_size=2, max_size=40),
    st.integers(0, 3),
)
def test_facts_and_beliefs_are_those_of_the_attack(rows: list[tuple[int, int, str]], moved: int) -> None:
    """With three attributes, all facts are the attack; without one, two of the others are."""
    original = pl.DataFrame(rows, schema={"a": pl.Float64, "b": pl.Float64, "c": pl.String}, orient="row")
    released = original.with_columns(a=pl.col("a") + pl.Series([moved * (i % 2) for i in range(len(rows))]))
    known = ["a", "b", "c"]
    runs, found, section = concluded(original, released, known=known, truth="rows")
    beliefs = runs[1].standing.belief()
    assert section.rate == pytest.approx(beliefs.mean())
    spread_of = section.spread
    assert spread_of.people == len(rows)
    assert spread_of.none == int((beliefs == 0).sum())
    by_facts = {row.keys.known: row.estimate.value for row in found if row.keys.curve == FACTS}
    assert by_facts[tuple(known)] == pytest.approx(section.rate)
    assert [len(names) for names in by_facts] == [1, 2, 3]
    without = {row.keys.subject: row.estimate.value for row in found if row.keys.curve == WITHOUT}
    (pair,) = (names for names in by_facts if len(names) == 2)
    (left,) = set(known) - set(pair)
    assert without[left] == pytest.approx(by_facts[pair])
    for row in found:
        if row.keys.curve == CHANGE:
            assert row.estimate.value < section.rate


@pytest.mark.parametrize("most", [None, 80])
def test_the_same_bytes_on_any_number_of_threads(most: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if most is not None:  # a part of the release, and a few of the people
        monkeypatch.setattr(repeating, "MOST_RECORDS", 2 * most)
        monkeypatch.setattr(repeating, "MOST_PEOPLE", most)
    results = []
    for threads in (1, 2, 3):
        _, rows, section = concluded(people(250), parse("noise:a=0.3"), threads, seed=7)
        results.append((plain(section), [row_plain(row) for row in rows]))
    assert results[0] == results[1] == results[2]


@given(st.lists(st.floats(0, 1), max_size=30))
def test_adjusted_p_values_keep_their_order(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert all(p <= q <= 1 for p, q in zip(p_values, adjusted, strict=True))
    order = np.argsort(p_values, kind="stable")
    assert (np.diff(np.array(adjusted)[order]) >= 0).all() if len(order) else not adjusted


@given(st.lists(st.integers(0, 50), min_size=1, max_size=12), st.integers(0, 30))
def test_merged_classes_are_large_enough_and_tell_less(counts: list[int], least: int) -> None:
    count = np.array(counts)
    for groups in (rarest(count, least), neighbours(count, least)):
        members = [i for group in groups for i in group]
        assert len(set(members)) == len(members)
        after = [*np.delete(count, members), *(count[group].sum() for group in groups)]
        assert sum(after) == count.sum()
        if groups and count.sum():
            present = [n for n in after if n]
            assert len(present) == 1 or min(present) >= least
            assert entropy(np.array(after)) <= entropy(count) + 1e-12
    for group in neighbours(count, least):
        assert group == list(range(group[0], group[-1] + 1))
