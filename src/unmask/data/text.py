"""Text as it compares: one spelling for what reads the same.

"é" is one character, or an "e" and an accent (composed and decomposed forms, Unicode Standard Annex 15);
a blank may be one that does not break a line; and some characters are not seen at all. Files from different
systems differ in these, and nobody would agree with themselves. Composed forms (NFC), ordinary blanks and
digits, and no invisible marks are the one spelling here.
"""

from __future__ import annotations

import re
import unicodedata

import polars as pl

#: Blanks that look like the ordinary one: no-break, figure, thin, narrow no-break, ideographic.
_BLANKS = "[\u00a0\u2007\u2009\u202f\u3000]"
#: Digits of full width.
_WIDE, _ASCII = "０１２３４５６７８９", "0123456789"
#: Marks that are not seen: byte-order mark, zero-width blank, word joiner, soft hyphen.
_UNSEEN = "[\ufeff\u200b\u2060\u00ad]"


def plain_text(text: str) -> str:
    r"""A text in the one spelling.

    >>> plain_text("Ev\u00f3ra") == plain_text("Evo\u0301ra"), plain_text("a\u00a0b\ufeff")
    (True, 'a b')
    """
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFC", text).translate(str.maketrans(_WIDE, _ASCII))
    return re.sub(_UNSEEN, "", re.sub(_BLANKS, " ", composed))


def is_text(text: str) -> bool:
    r"""Whether every character is one: half of a pair of UTF-16, from a damaged name, is in no file.

    >>> is_text("Ev\u00f3ra"), is_text("Ev\ud800ra")
    (True, False)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def plain_texts(series: pl.Series) -> pl.Series:
    """A column of text in the one spelling.

    >>> plain_texts(pl.Series(["e\u0301", None])).to_list() == ["\u00e9", None]
    True
    """
    if is_ascii(series):
        return series
    digits = series.str.normalize("NFC").str.replace_many(list(_WIDE), list(_ASCII))
    return digits.str.replace_all(_BLANKS, " ").str.replace_all(_UNSEEN, "").alias(series.name)


def is_ascii(series: pl.Series) -> bool:
    """Whether a column of text has no character beyond ASCII: then there is one spelling only."""
    return not (series.str.len_bytes() > series.str.len_chars()).any()


def composed(series: pl.Series) -> bool:
    """Whether a column of text is in the one spelling already."""
    return is_ascii(series) or bool((plain_texts(series) == series).all())
