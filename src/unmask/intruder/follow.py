"""How an intruder follows records from one release to another."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from unmask.errors import ArgumentError
from unmask.fields import chosen, instance, settle

#: What a message calls it.
WAY = "way to follow records"


class How(StrEnum):
    """How the records of two releases come together.

    ``order``: the files list the same people in the same order; ``key``: both have a column, such as a
    pseudonym, that is the same for the same person; ``confidential``: by unmodified confidential values
    that are unique in both; ``none``: not at all, so that only candidates are compared.
    """

    ORDER = "order"
    KEY = "key"
    CONFIDENTIAL = "confidential"
    NONE = "none"


@dataclass(frozen=True)
class Follow:
    """How an intruder follows records, and by which columns.

    ``columns``: the key (one), or the confidential attributes that they take to be unmodified (all that both
    releases have when none are named).

    >>> Follow.parse("key:person")
    Follow(how=<How.KEY: 'key'>, columns=('person',))
    >>> Follow.parse("none:diagnosis,income").columns
    ('diagnosis', 'income')
    >>> str(Follow(How.KEY, ("person",)))
    'key:person'
    """

    how: How = How.NONE
    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        settle(self, {"how": WAY})
        if self.how is How.ORDER and self.columns:
            raise ArgumentError("following by order takes no column", hint="write order")
        if self.how is How.KEY and len(self.columns) != 1:
            raise ArgumentError(
                f"following by a key takes one column, not {len(self.columns)}", hint="write key:COLUMN"
            )
        if len(set(self.columns)) != len(self.columns):
            raise ArgumentError("a column to follow by is named twice", hint="name each once")

    @property
    def key(self) -> tuple[str, ...]:
        """The column that releases go out with so that records can be followed by it; empty: none."""
        return self.columns if self.how is How.KEY else ()

    @staticmethod
    def parse(text: str) -> Follow:
        """From the command line: ``order``, ``key:COLUMN``, ``confidential`` or ``none``.

        The last two take names of confidential attributes too: ``confidential:income,diagnosis``.
        """
        how, _, rest = instance(f"the {WAY}", text, str, "write order, key:COLUMN or none").partition(":")
        return Follow(
            chosen(WAY, how.strip(), How), tuple(name.strip() for name in rest.split(",") if name.strip())
        )

    def __str__(self) -> str:
        """As :meth:`parse` reads it."""
        return f"{self.how}:{','.join(self.columns)}" if self.columns else self.how.value
