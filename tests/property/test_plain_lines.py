"""Counting delimiters tells the same as reading the rows, or leaves them to who reads."""

from __future__ import annotations

import csv
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unmask.data.io import plain_lines
from unmask.data.io.encoded import Utf8Text

LINES = st.lists(st.text('ab,"\r', max_size=8), min_size=1, max_size=12)


def read(text: str) -> tuple[list[int], set[int]]:
    """Places of blank rows after the header, and the numbers of cells of the others."""
    _, *rows = csv.reader(StringIO(text, newline=""))
    return [i for i, row in enumerate(rows) if not row], {len(row) for row in rows if row}


@given(lines=LINES, end=st.sampled_from(["\n", "\r\n"]), ended=st.booleans(), block=st.integers(1, 40))
def test_counting_agrees_with_a_reader_of_quotes(lines: list[str], end: str, ended: bool, block: int) -> None:
    text = end.join(["x,y", *lines]) + (end if ended else "")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_lines, "_BLOCK", block)
        found = plain_lines.blank_lines(Utf8Text(text.encode()), ",", 2, 100)
    if '"' in text:
        assert found is None
    if found is not None:
        blank, cells = read(text)
        assert found == blank
        assert cells <= {2}


def test_a_plain_file_is_counted() -> None:
    assert plain_lines.blank_lines(Utf8Text(b"x,y\n1,2\n\n3,4"), ",", 2, 100) == [1]
    assert plain_lines.blank_lines(Utf8Text(b"x,y\r\n1,2\r\n\r\n3,4\r\n"), ",", 2, 100) == [1]
    assert plain_lines.blank_lines(Utf8Text(b"x,y\n1,2\n1,2,3\n"), ",", 2, 100) is None
    assert plain_lines.blank_lines(Utf8Text(b"x,y\r1,2\n"), ",", 2, 100) is None
    assert plain_lines.blank_lines(Utf8Text(b"x,y\n1,22222\n"), ",", 2, 5) is None
