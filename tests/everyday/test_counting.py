"""The evidence itself is right: releases are what they say, and counting counts."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tests.everyday.counting import becomes, brute_force_risk, exact_risk, or_else, own_possible, same, within
from tests.everyday.release import Expected
from tests.everyday.releases import RELEASES
from unmask.data.io import read

every_release = pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.name)


def test_there_are_enough_of_them_and_no_two_alike():
    assert len(RELEASES) >= 25
    assert len({release.name for release in RELEASES}) == len({release.what for release in RELEASES})
    assert len({release.name for release in RELEASES}) == len(RELEASES)


def test_counting_by_hand():
    """Three people, two of them in one band; of the last one the band is suppressed."""
    people = pl.DataFrame({"age": [20, 21, 35], "town": ["A", "A", "B"]})
    released = pl.DataFrame({"age": ["20s", "20s", None], "town": ["A", "B", "B"]})
    age = or_else(becomes(lambda value: f"{value // 10 * 10}s"), None)
    # The first: record 0 only. The second: their own record shows another town. The third: record 2.
    rules = {("age", "age"): age, ("town", "town"): same}
    assert exact_risk(people, released, np.arange(3), rules) == pytest.approx((1 + 0 + 1) / 3)
    # By age alone, records 0, 1 and 2 are possible for the first two, and record 2 for the last.
    assert exact_risk(people, released, np.arange(3), {("age", "age"): age}) == pytest.approx((2 / 3 + 1) / 3)


def test_a_record_of_nobody_is_a_candidate_but_no_person():
    people = pl.DataFrame({"age": [20, 30]})
    released = pl.DataFrame({"age": [20, 20, 30]})
    origin = np.array([0, -1, 1])
    assert exact_risk(people, released, origin, {("age", "age"): same}) == pytest.approx((1 / 2 + 1) / 2)


def test_a_moved_value_may_be_anywhere_within_the_width():
    rule = within(2, float, float)
    assert rule([10], [8, 12, 12.5]).tolist() == [[True, True, False]]


@every_release
def test_counting_is_that_of_all_pairs(release):
    """On sixty records of the release, against the definition."""
    handed = release.handed()
    rows = np.sort(np.random.default_rng(3).choice(handed.released.height, 60, replace=False))
    files = handed.original, handed.released[rows], handed.origin[rows]
    assert exact_risk(*files, release.rules()) == pytest.approx(brute_force_risk(*files, release.rules()))


@every_release
def test_the_rules_are_true(release):
    """Everybody's own record is possible for them (where nothing can be counted, there are no rules)."""
    handed = release.handed()
    if release.expected is not Expected.NEAREST:
        assert own_possible(handed.original, handed.released, handed.origin, release.rules()).all()


@every_release
def test_the_risk_is_neither_nothing_nor_everybody(release):
    risk = release.risk()
    assert (risk is None) == (release.expected is Expected.REFUSED)
    assert risk is None or 0 < risk < 1


@every_release
def test_what_was_done_was_done(release):
    """The touched attributes differ from the original's, and the others do not."""
    handed = release.handed()
    people = handed.original[handed.origin]
    for name in release.known:
        change = release.change(name)
        shown = handed.released[change.name or name]
        assert (people[name].to_list() == shown.to_list()) == (
            name not in release.changes or bool(change.name)
        )


@every_release
def test_the_same_files_every_time(release):
    first, second = release.handed(), release.handed()
    assert first.released.equals(second.released)
    assert first.original.equals(second.original)


@every_release
def test_both_files_can_be_read(release, tmp_path):
    handed = release.handed()
    for path, frame in zip(release.write(tmp_path), (handed.original, handed.released), strict=True):
        found = read(path).frame
        assert found.columns == frame.columns
        assert found.height == frame.height


MOVED = ("shuffled, key named", "shuffled, key spelled otherwise", "inner join", "SQL without ORDER BY")


@pytest.mark.parametrize("release", [r for r in RELEASES if r.name in MOVED], ids=lambda r: r.name)
def test_rows_that_moved_are_elsewhere(release):
    """Row i of the release is not row i of the original, for nearly everybody."""
    origin = release.handed().origin
    assert (origin == np.arange(len(origin))).mean() < 0.02
