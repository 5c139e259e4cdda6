"""Characters that command a terminal or turn the order of a line, written so that they can be seen.

The names of files and columns come from others: one that holds an escape sequence could write over what the
terminal shows, and one that turns the direction of writing could show another name than it has.
"""

from __future__ import annotations

import re

#: Controls but the line end; marks of direction and others without a width, but the two joiners that scripts
#: need; ends of lines and paragraphs that only some programs take for one; halves of characters.
_UNSEEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    r"""The text with such characters as backslash escapes; the line end stays.

    >>> print(visible("age\x1b[2J"), visible("\u202egpj.exe"), visible("sex\x00"))
    age\x1b[2J \u202egpj.exe sex\x00
    >>> visible("año, 年齢") == "año, 年齢"
    True
    """
    return _UNSEEN.sub(_escaped, text)


def visible_line(text: str) -> str:
    r"""The same of a name that must stay in one line.

    >>> print(visible_line("home\ntown"))
    home\ntown
    """
    return visible(text).replace("\n", "\\n")


def _escaped(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()
