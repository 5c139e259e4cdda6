"""The names of columns in formats where a user types them."""

from __future__ import annotations

import re

from unmask.errors import DataError

_NUMBER = re.compile(r"[+-]?\d*[.,]?\d+(?:[eE][+-]?\d+)?")


def checked_header(names: list[str], source: str) -> list[str]:
    r"""The names, without blanks around them, once each is known to be there and to stand once.

    >>> checked_header([" age", "home\n town"], "people.csv")
    ['age', 'home town']
    """
    # A name may hold a line end; in messages it must not.
    names = [" ".join(name.split()) for name in names]
    if all(_NUMBER.fullmatch(name) for name in names):
        raise DataError(
            f"{source} has no header row: its first line holds only numbers",
            hint="add a first line with the names of the columns",
        )
    seen: set[str] = set()
    for position, name in enumerate(names, start=1):
        if not name:
            raise DataError(
                f"column {position} of {source} has no name", hint="give every column a name in the header"
            )
        if name in seen:
            raise DataError(f"{source} has two columns called '{name}'", hint="rename one of the two")
        seen.add(name)
    return names
