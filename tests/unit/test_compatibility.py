"""Compatibility of a claimed with a true probability: hand-worked cases and bad input."""

from __future__ import annotations

import numpy as np
import pytest

from unmask.errors import ArgumentError
from unmask.linkage.compatibility import LARGEST_SHOWN, compatible, completed


def shown(answer):
    return {tuple(sorted(members)): round(mass, 9) for members, mass in answer.masses().items()}


def test_a_guess_is_the_mass_of_everybody():
    assert shown(compatible([1, 0, 0, 0], [0.25] * 4)) == {(0, 1, 2, 3): 1.0}


def test_a_right_link_is_compatible_and_a_wrong_one_is_not():
    assert shown(compatible([1, 0], [1, 0])) == {(0,): 1.0}
    wrong = compatible([0, 1], [1, 0])
    assert not wrong.compatible
    assert wrong.distance == pytest.approx(0.5)  # half of it must go to the true record


def test_certainty_about_one_of_two_equally_likely_records_is_not_evidence():
    """Of record 1's half at least a half must stay with it: 0.25 is claimed for it at the least."""
    answer = compatible([0.5, 0.5], [1, 0])
    assert (answer.compatible, answer.distance) == (False, pytest.approx(0.25))
    assert compatible([0.5, 0.5], [0.75, 0.25]).compatible


def test_a_tie_admits_any_truth_inside_it_and_none_outside():
    assert compatible([0.9, 0.1, 0], [0.5, 0.5, 0]).compatible
    assert not compatible([0.9, 0, 0.1], [0.5, 0.5, 0]).compatible


def test_keeping_as_much_as_possible_is_not_always_possible():
    """Record 2 must give record 0 something: record 1 may not get more of it than it keeps itself."""
    true, claimed = [0.4, 0.0, 0.6], [0.3 + 0.12, 0.24 + 0.1, 0.24]
    answer = compatible(true, claimed)
    assert answer.compatible
    split = answer.split()
    kept = sum(x / len(members) for members, parts in split.items() for i, x in parts.items() if i == 0)
    assert kept < 0.4 - 1e-6


def test_a_million_records_of_few_kinds_are_a_small_question():
    n = 1_000_000
    true, claimed = np.zeros(n), np.zeros(n)
    true[:10], claimed[:20] = 0.1, 0.05
    assert compatible(true, claimed).compatible
    claimed[:20] = [0.0, *[1 / 19] * 19]
    wrong = compatible(true, claimed)
    assert not wrong.compatible
    assert wrong.distance >= 0.1 / n


def test_a_certain_truth_needs_no_program():
    claimed = np.random.default_rng(0).dirichlet(np.ones(100_000))
    best, other = np.zeros(100_000), np.zeros(100_000)
    best[np.argmax(claimed)] = other[np.argmin(claimed)] = 1.0
    assert compatible(best, claimed).compatible
    assert not compatible(other, claimed).compatible


def test_the_tolerance_is_that_of_the_total_variation():
    claimed = [0.5 - 1e-5, 0.5 + 1e-5]
    assert not compatible([1, 0], claimed).compatible
    assert compatible([1, 0], claimed, tolerance=1e-4).compatible
    assert compatible([1, 0], claimed).tolerance == 1e-8


@pytest.mark.parametrize(
    ("true", "claimed", "message"),
    [
        ([], [], "no list"),
        ([[1.0]], [1.0], "no list"),
        ([1.0], [0.5, 0.5], "1 true probabilities and 2 claimed"),
        ([1.0, np.nan], [0.5, 0.5], "negative or missing"),
        ([1.5, -0.5], [0.5, 0.5], "negative or missing"),
        ([0.5, 0.5], [0.5, 0.1], "claimed probabilities add up to 0.6"),
        (["a"], [1.0], "not numbers"),
    ],
)
def test_bad_input_is_told(true, claimed, message):
    with pytest.raises(ArgumentError, match=message):
        compatible(true, claimed)


@pytest.mark.parametrize("tolerance", [0, 1, -1, float("nan")])
def test_a_tolerance_is_between_0_and_1(tolerance):
    with pytest.raises(ArgumentError, match="tolerance"):
        compatible([1.0], [1.0], tolerance=tolerance)


def test_no_belief_function_is_shown_where_there_is_none_or_it_is_too_large():
    with pytest.raises(ArgumentError, match="no belief function"):
        compatible([0, 1], [1, 0]).split()
    even = np.full(LARGEST_SHOWN + 1, 1 / (LARGEST_SHOWN + 1))
    with pytest.raises(ArgumentError, match="too large"):
        compatible(even, even).masses()


def test_too_many_unknowns_are_refused_before_the_work():
    rng = np.random.default_rng(0)
    with pytest.raises(ArgumentError, match="unknowns"):
        compatible(rng.dirichlet(np.ones(400)), rng.dirichlet(np.ones(400)))


def test_what_a_belief_leaves_open_is_a_guess():
    assert completed([0.0, 0.0]).tolist() == [0.5, 0.5]
    assert completed([0.2, 0.4]).tolist() == pytest.approx([0.4, 0.6])
    for bad in ([0.9, 0.2], [np.nan], [], [-0.1, 0.5]):
        with pytest.raises(ArgumentError):
            completed(bad)
