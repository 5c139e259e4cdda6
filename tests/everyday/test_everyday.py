"""Everyday releases: unmask understands them and finds what exact counting finds, or gives no number."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.everyday.answers import finding, understanding
from tests.everyday.release import Expected
from tests.everyday.releases import RELEASES
from tests.everyday.table import line
from unmask.errors import UnmaskError

PAGE = Path(__file__).parents[2] / "docs" / "evidence" / "everyday-releases.md"
#: How far the best attack may stay behind counting: sums of fractions differ in their last digits.
ROUNDING = 1e-9
#: The same where values were drawn: candidates are equally likely, and the nearest is the true one by luck.
LUCK = 0.05
RELEASED = [release for release in RELEASES if release.expected is not Expected.REFUSED]


def releases(*expected):
    chosen = [release for release in RELEASES if release.expected in expected]
    return pytest.mark.parametrize("release", chosen, ids=lambda release: release.name)


every_accepted = pytest.mark.parametrize("release", RELEASED, ids=lambda release: release.name)


@every_accepted
def test_no_number_is_too_low(release):
    found = finding(release)
    assert not isinstance(found, UnmaskError), str(found)
    slack = LUCK if release.expected is Expected.ABOUT else ROUNDING
    assert found.best >= release.risk() - slack


@releases(Expected.EQUAL)
def test_the_nearest_records_are_those_that_counting_finds(release):
    """A value that may have become the released one is at no distance from it, every other one is."""
    found = finding(release)
    assert not isinstance(found, UnmaskError), str(found)
    assert found.risks["dbrl"] == pytest.approx(release.risk(), abs=ROUNDING)


@releases(Expected.REFUSED)
def test_no_number_where_rows_cannot_be_told(release):
    refusal = finding(release)
    assert isinstance(refusal, UnmaskError)
    assert "--truth" in str(refusal)
    assert "\n" not in str(refusal)


@every_accepted
def test_what_was_done_is_understood(release):
    words = understanding(release).changes
    for name in release.known:
        assert words[name] in release.change(name).understood, name


@every_accepted
def test_whose_record_is_whose_is_said(release):
    """The sentence names the key, if the rows moved."""
    sentence = understanding(release).rows
    assert sentence
    origin = release.handed().origin
    if not np.array_equal(origin, np.arange(len(release.handed().original))):
        assert "'id'" in sentence


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.name)
def test_the_page_shows_this_line(release):
    assert line(release) in PAGE.read_text(encoding="utf-8"), "run: python -m tests.everyday.table --write"
