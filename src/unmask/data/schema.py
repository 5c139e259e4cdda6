"""What the columns of a file are: their kind (how values compare) and their role (who knows them)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, cast

from unmask.data.anchor import NO_ANCHOR, Anchor
from unmask.data.text import is_text, plain_text
from unmask.errors import SchemaError, missing_columns
from unmask.fields import listed, settle

if TYPE_CHECKING:
    from unmask.data.correspondence import ReleasedColumn


class Kind(StrEnum):
    """How two values of an attribute compare."""

    NUMERIC = "numeric"
    ORDINAL = "ordinal"
    NOMINAL = "nominal"


class ValueForm(StrEnum):
    """How the values of an attribute are written in a file, where that is more than their kind.

    ``date``: dates and times, in any usual notation; they compare as numbers of days.
    ``boolean``: two values, however they are written (yes, Y, true, 1); nominal.
    ``code``: a hierarchy of codes (NUTS, ICD, NACE, ZIP); nominal, and the nearer the more of the beginning
    two codes share.
    ``text``: free text; nominal, and part of an attack only where somebody names it as known.
    """

    PLAIN = "plain"
    DATE = "date"
    BOOLEAN = "boolean"
    CODE = "code"
    TEXT = "text"


class Role(StrEnum):
    """What an attribute is to an intruder."""

    IDENTIFIER = "identifier"
    QUASI_IDENTIFIER = "quasi-identifier"
    CONFIDENTIAL = "confidential"
    WEIGHT = "weight"
    HOUSEHOLD = "household"
    IGNORED = "ignored"


@dataclass(frozen=True)
class Column:
    """One attribute. ``levels`` lists the categories, in order for an ordinal attribute.

    An ordinal attribute needs its levels; a nominal one may leave them open. ``form``: how its values are
    written; ``missing``: the codes in the file that mean that there is no value.

    >>> Column("health", Kind.ORDINAL, levels=("poor", "fair", "good")).levels[0]
    'poor'
    >>> Column.of("born", "date").kind.value, Column.of("born", "date").word
    ('numeric', 'date')
    """

    name: str
    kind: Kind = Kind.NUMERIC
    role: Role = Role.QUASI_IDENTIFIER
    levels: tuple[str, ...] = ()
    form: ValueForm = ValueForm.PLAIN
    missing: tuple[str, ...] = ()
    #: The least and the largest value that a number can have, where that is known; masks keep to them.
    minimum: float | None = None
    maximum: float | None = None
    #: How its numbers are held where floating point could not keep them apart; no file says it.
    anchor: Anchor = NO_ANCHOR

    @staticmethod
    def of(
        name: str,
        word: str,
        role: Role = Role.QUASI_IDENTIFIER,
        levels: tuple[str, ...] = (),
        missing: tuple[str, ...] = (),
    ) -> Column:
        """The column that a schema file calls by one of :data:`KIND_WORDS`: a kind, or a form."""
        return Column(name, word, role, levels, missing=missing)  # type: ignore[arg-type]

    @property
    def word(self) -> str:
        """What a schema file calls it: its form where it has one, else its kind."""
        return self.kind.value if self.form is ValueForm.PLAIN else self.form.value

    def __post_init__(self) -> None:
        self._take_words()
        settle(self, refusal=SchemaError)
        object.__setattr__(self, "name", plain_text(self.name))
        object.__setattr__(self, "levels", tuple(plain_text(level).strip() for level in self.levels))
        if not self.name:
            raise SchemaError("a column of the schema has no name", hint="give every column a name")
        if not all(map(is_text, (*self.levels, *self.missing))):
            raise SchemaError(
                f"a level or missing code of column '{self.name}' is no valid text", hint="write it anew"
            )
        if not all(isfinite(limit) for limit in (self.minimum, self.maximum) if limit is not None):
            raise SchemaError(f"a limit of column '{self.name}' is not a number", hint="write minimum=0")
        if self.kind is Kind.ORDINAL and not self.levels:
            raise SchemaError(
                f"ordinal column '{self.name}' lists no levels",
                hint="list its categories in order under 'levels', or make it nominal",
            )
        if self.kind is Kind.NUMERIC and self.levels:
            raise SchemaError(
                f"numeric column '{self.name}' lists levels",
                hint="make it ordinal or nominal, or drop its levels",
            )
        if self.minimum is not None and self.maximum is not None and self.minimum > self.maximum:
            raise SchemaError(
                f"the minimum of column '{self.name}' is above its maximum", hint="exchange the two"
            )
        if len(set(self.levels)) != len(self.levels):
            raise SchemaError(f"column '{self.name}' lists a level twice", hint="list every level once")

    def _take_words(self) -> None:
        """Take the words and codes of a schema file: its kinds, its roles, and whole numbers as texts."""
        kind, role = cast(object, self.kind), cast(object, self.role)
        if isinstance(kind, Kind) and isinstance(role, Role) and not self.levels and not self.missing:
            return
        where = f"column '{one_line(str(self.name))}'"
        if isinstance(kind, str) and not isinstance(kind, Kind):
            word = word_of(KIND_WORDS, kind, "kind", where)
            if word in list(ValueForm):
                object.__setattr__(self, "form", ValueForm(word))
                word = Kind.NUMERIC if word == ValueForm.DATE else Kind.NOMINAL
            object.__setattr__(self, "kind", Kind(word))
        if isinstance(role, str) and not isinstance(role, Role):
            object.__setattr__(self, "role", Role(word_of(list(Role), role, "role", where)))
        for name in ("levels", "missing"):
            value = getattr(self, name)
            if isinstance(value, list | tuple) and any(type(one) is int for one in value):
                object.__setattr__(self, name, tuple(str(v) if type(v) is int else v for v in value))


#: What a schema file may call the kind of a column.
KIND_WORDS = (
    *(kind.value for kind in Kind),
    *(form.value for form in ValueForm if form is not ValueForm.PLAIN),
)


def word_of(known: Iterable[str], word: str, what: str, where: str) -> str:
    """The word, if it is among the known ones.

    >>> word_of(KIND_WORDS, "numerc", "kind", "column 'age'")
    Traceback (most recent call last):
    unmask.errors.SchemaError: column 'age' has the unknown kind 'numerc'. Hint: did you mean 'numeric'? ...
    """
    names = [str(name) for name in known]
    if word in names:
        return word
    raise SchemaError(f"{where} has the unknown {what} '{one_line(word)}'", hint=nearest(word, names))


def nearest(given: str, known: Iterable[str]) -> str:
    """The known word that is nearest to one that is not, and all of them, for a hint."""
    names = list(known)
    close = get_close_matches(given, names, n=1)
    return (f"did you mean '{close[0]}'? " if close else "") + f"Known: {', '.join(names)}"


def one_line(text: str) -> str:
    """The text without characters that end a line or move a cursor."""
    return "".join(c if c.isprintable() else " " for c in text)


@dataclass(frozen=True)
class Schema:
    """The columns of a file, in order.

    >>> schema = Schema((Column("age"), Column("sex", Kind.NOMINAL), Column("id", role=Role.IDENTIFIER)))
    >>> schema.names(Role.QUASI_IDENTIFIER)
    ('age', 'sex')
    >>> schema["sex"].kind.value
    'nominal'
    """

    columns: tuple[Column, ...]
    #: What is said of the same attributes in the released file, where they differ there.
    released: tuple[ReleasedColumn, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", listed("columns", self.columns, Column, SchemaError))
        seen: set[str] = set()
        for column in self.columns:
            if column.name in seen:
                raise SchemaError(
                    f"column '{column.name}' stands twice in the schema", hint="keep one of the two"
                )
            seen.add(column.name)
        for there in self.released:
            if not hasattr(there, "attribute"):
                raise SchemaError(
                    "released holds something that is not a ReleasedColumn", hint="leave it out, or write one"
                )
            if there.attribute not in seen:
                raise missing_columns([there.attribute], sorted(seen), "the schema")

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        """The columns by name: files of thousands of columns are looked up thousands of times."""
        return {column.name: column for column in self.columns}

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __getitem__(self, name: str) -> Column:
        if name not in self._by_name:
            raise missing_columns([name], self.names(), "the schema")
        return self._by_name[name]

    def names(self, role: Role | None = None, kind: Kind | None = None) -> tuple[str, ...]:
        """The names of the columns with that role and kind (all when not given)."""
        return tuple(
            column.name
            for column in self.columns
            if (role is None or column.role is role) and (kind is None or column.kind is kind)
        )

    def only(self, names: Iterable[str]) -> Schema:
        """The schema of these columns, in the order of the names."""
        chosen = tuple(self[name] for name in names)
        kept = {column.name for column in chosen}
        return Schema(chosen, tuple(there for there in self.released if there.attribute in kept))

    def with_roles(self, names: Iterable[str], role: Role) -> Schema:
        """The same schema with another role for these columns."""
        chosen = set(names)
        for name in chosen:
            self[name]
        columns = tuple(replace(c, role=role) if c.name in chosen else c for c in self.columns)
        return Schema(columns, self.released)

    def in_release(self, name: str) -> ReleasedColumn | None:
        """What is said of an attribute in the released file."""
        return next((there for there in self.released if there.attribute == name), None)
