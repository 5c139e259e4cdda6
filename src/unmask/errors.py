"""Errors that a user can act on: what was wrong, what was expected, what to do.

None of them carries a value of a record: microdata is confidential.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

#: How long the list of known names in a hint may become.
LONGEST_LISTING = 800


class UnmaskError(Exception):
    """A mistake that the user can mend; the command line prints it in one line and exits with 2.

    >>> str(UnmaskError("no file 'people.csv'", hint="check the path"))
    "no file 'people.csv'. Hint: check the path."
    """

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        self.message = message
        self.hint = hint
        text = f"{message.rstrip('.')}. Hint: {hint.rstrip('.')}." if hint else f"{message.rstrip('.')}."
        # One line that moves no cursor, whatever a column is called.
        super().__init__(" ".join("".join(c if c.isprintable() else " " for c in text).split()))


class DataError(UnmaskError):
    """A file or frame that cannot be read, or whose content does not fit."""


class SchemaError(UnmaskError):
    """A schema that contradicts itself or the data."""


class ArgumentError(UnmaskError):
    """A parameter outside its range, or a name that nothing is registered under."""


class Cancelled(Exception):  # noqa: N818  # not an error: somebody asked for it
    """The work was ended on request, by an interrupt or by :meth:`unmask.engines.watcher.Watcher.cancel`."""

    def __init__(self) -> None:
        super().__init__("the work was cancelled")


class MissingDependencyError(UnmaskError):
    """An optional library that the chosen feature needs, and that is not there or too old.

    ``extra``: the extra of unmask that brings it; empty if another library needs it unasked.

    >>> str(MissingDependencyError("pyreadstat", "stats", "a file of SPSS", found="1.2.0", needed="1.3.7"))
    "a file of SPSS needs the library 'pyreadstat' from version 1.3.7 on, and 1.2.0 is installed. Hint: pip
    install 'unmask[stats]'."
    """

    def __init__(self, library: str, extra: str, purpose: str, *, found: str = "", needed: str = "") -> None:
        lack = f" from version {needed} on, and {found} is installed" if found else ", which is not installed"
        super().__init__(
            f"{purpose} needs the library '{library}'{lack}",
            hint=f"pip install 'unmask[{extra}]'" if extra else f"pip install {library}",
        )


#: More characters of what a user wrote are not repeated.
LONGEST = 80


def clipped(text: str) -> str:
    """What a user wrote, as a message repeats it: not endlessly.

    >>> clipped("dbrl"), len(clipped("x" * 100_000))
    ('dbrl', 83)
    """
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def unknown_name(what: str, name: str, known: Iterable[str]) -> ArgumentError:
    """The error for a name that is not registered, with the nearest ones that are.

    >>> str(unknown_name("attack", "dbrll", ["dbrl", "guess"]))
    "no attack is called 'dbrll'. Hint: did you mean 'dbrl'? Known: dbrl, guess."
    """
    names = sorted(known)
    hint = f"{_suggestion(name, names)}Known: {_listing(names)}"
    return ArgumentError(f"no {what} is called '{clipped(name)}'", hint=hint)


def _listing(names: list[str]) -> str:
    """The names that fit into a hint, and how many more there are."""
    listing = ", ".join(names)
    if len(listing) <= LONGEST_LISTING:
        return listing
    shown = listing[:LONGEST_LISTING].count(",")
    return f"{', '.join(names[:shown])} and {len(names) - shown} more"


def missing_columns(wanted: Iterable[str], present: Iterable[str], where: str) -> DataError:
    """The error for columns that a file lacks.

    >>> str(missing_columns(["aeg"], ["age", "sex"], "the released file"))
    "the released file has no column 'aeg'. Hint: did you mean 'age'? It has: age, sex."
    """
    have = list(present)
    lost = [name for name in wanted if name not in have]
    listing = ", ".join(have[:12]) + (" and more" if len(have) > 12 else "")
    noun = "column" if len(lost) == 1 else "columns"
    return DataError(
        f"{where} has no {noun} {', '.join(repr(clipped(name)) for name in lost)}",
        hint=f"{_suggestion(lost[0], have)}It has: {listing}",
    )


def _suggestion(name: str, known: list[str]) -> str:
    """The nearest known name, whatever the case of its letters.

    >>> _suggestion("INCOME", ["income", "age"])
    "did you mean 'income'? "
    """
    if len(name) > LONGEST:
        return ""
    folded = {one.casefold(): one for one in reversed(known)}
    close = get_close_matches(name, known, n=1)
    close = close or [folded[found] for found in get_close_matches(name.casefold(), folded, n=1)]
    return f"did you mean '{close[0]}'? " if close else ""
