"""How codes compare that two files spell in different ways."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable


def code_spellings(codes: Iterable[str]) -> dict[str, str]:
    """What each code of a file compares by: without case, accents, doubled blanks and leading zeros.

    Codes of one file that would become the same stay as they are.

    >>> code_spellings(["ÉVORA ", "home_town", "01", "2.0", "a", "A"])
    {'ÉVORA ': 'evora', 'home_town': 'home town', '01': '1', '2.0': '2', 'a': 'a', 'A': 'A'}
    """
    plain = {code: _plain(code) for code in codes}
    counts = Counter(plain.values())
    return {code: key if counts[key] == 1 else code for code, key in plain.items()}


def _plain(code: str) -> str:
    letters = "".join(c for c in unicodedata.normalize("NFKD", code) if not unicodedata.combining(c))
    text = re.sub(r"[\s_]+", " ", letters.casefold()).strip()
    return re.sub(r"^([+-]?)0*(\d+)([.,]0+)?$", r"\1\2", text)
