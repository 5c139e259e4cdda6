"""A first schema from the data itself: a kind and a role for every column, each with its reason.

The rules, in the order they are tried (a user is asked to check them all):

- *role*: a numeric column that is nowhere negative and has a name like ``weight``, ``wgt``, ``pond`` or
  ``s006`` is the weight. A column without values, with one value, with nested or binary values, or of long
  free text is ignored. A column with a name like ``hhid``, ``household`` or ``famid`` and small groups of
  repeated values is the household. An identifier is a column of text or whole numbers with (nearly) all
  values distinct and a name like ``id``, ``name`` or ``ssn``; text under any name with all values
  distinct; or a running number. A confidential column is proposed by name alone, from a short list
  (diagnoses, diseases, religion, politics, convictions). All else is a quasi-identifier: a risk is better
  over- than understated. There is one weight and one household at most; further ones are ignored.
- *kind*: ordered factors, known vocabularies (low, medium, high) and bands (20-29) are ordinal, with levels.
  Dates in any usual notation are dates. Text and whole numbers with few codes are nominal. Other numbers
  are numeric, also where they are stored as text. Long text is free text; text under a name like ``zip``,
  ``nuts`` or ``icd`` is a hierarchy of codes.
- *missing*: numbers far from all others that look like codes (9999, -9), and words among numbers ("N");
  mistyped cells among numbers and dates.

Reasons count values; they never quote one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import polars as pl

from unmask.data.column_facts import FEWEST_FOR_KEYS, ColumnFacts, column_facts
from unmask.data.column_names import (
    CODE_NAMES,
    CONFIDENTIAL,
    HOUSEHOLD,
    WEIGHT,
    names_records,
    snake_case,
)
from unmask.data.io.table import SourceTable
from unmask.data.io.vocabulary import in_order
from unmask.data.schema import Column, Kind, Role, Schema, ValueForm
from unmask.engines.blocks import each

# Whole numbers with at most so many values, each of them repeated on average, are taken for codes.
MOST_CODES = 12
# So many categories may be listed in a schema and still be read by a person.
MOST_LEVELS = 50
NEARLY_ALL = 0.95
FREE_TEXT_LENGTH = 40
LARGESTHOUSEHOLD = 20


#: Why what is counted of series, traces or ties is a number that an intruder may know.
COUNTED = "Numeric: it is counted of what each person has."
MAY_BE_KNOWN = "Quasi-identifier: nothing says that an intruder cannot know it."


@dataclass(frozen=True)
class Proposed:
    """One column of a proposal, with a sentence for its kind and one for its role, and what looks odd."""

    column: Column
    kind_reason: str
    role_reason: str
    odd: tuple[str, ...] = ()


@dataclass(frozen=True)
class Proposal:
    """A schema to check, with the reasons for it."""

    columns: tuple[Proposed, ...]

    @property
    def schema(self) -> Schema:
        """The schema without its reasons."""
        return Schema(tuple(proposed.column for proposed in self.columns))

    @property
    def reasons(self) -> dict[str, tuple[str, ...]]:
        """The reasons for the kind and for the role, by column, as a schema file takes them."""
        return {item.column.name: (item.kind_reason, item.role_reason, *item.odd) for item in self.columns}


def propose(table: SourceTable) -> Proposal:
    """A kind and a role for every column of the table.

    >>> from unmask.data.io import from_any
    >>> people = pl.DataFrame({"age": [31.5, 54.0, 8.0], "town": ["A", "B", "B"]})
    >>> for item in propose(from_any(people)).columns:
    ...     print(item.column.name, item.column.kind, item.column.role)
    age numeric quasi-identifier
    town nominal quasi-identifier
    """
    proposed: list[Proposed] = []
    taken: set[Role] = set()

    counted = () if table.content is None else table.content.counted

    def one(name: str) -> Proposed:
        if name in counted:
            return Proposed(Column(name), COUNTED, MAY_BE_KNOWN)
        return _with_missing(_proposed(column_facts(table, name)), table.missing_codes.get(name, ()))

    for item in each(one, table.frame.columns):
        role = item.column.role
        if role in (Role.WEIGHT, Role.HOUSEHOLD):
            item = _second(item) if role in taken else item
            taken.add(role)
        proposed.append(item)
    return Proposal(tuple(proposed))


def _with_missing(item: Proposed, codes: tuple[str, ...]) -> Proposed:
    """The column, with the codes that the file declares to be missing."""
    if not codes:
        return item
    note = f"The file declares as missing: {', '.join(codes)}."
    return replace(item, kind_reason=f"{item.kind_reason} {note}")


def _second(item: Proposed) -> Proposed:
    role = item.column.role
    reason = f"Ignored: it looks like a {role} too; swap the roles if it is the right one."
    return replace(item, column=replace(item.column, role=Role.IGNORED), role_reason=reason)


def _proposed(facts: ColumnFacts) -> Proposed:
    role, role_reason = _role(facts)
    word, levels, kind_reason = _kind(facts, role)
    # Among codes, one that may mean "missing" stays a category: that tells more than no value.
    missing = () if word == Kind.NOMINAL else facts.missing
    column = Column.of(facts.name, word, role, levels, missing)
    return Proposed(column, kind_reason, role_reason, facts.odd)


def _role(facts: ColumnFacts) -> tuple[Role, str]:
    name = snake_case(facts.name)
    if WEIGHT.fullmatch(name) and facts.values.dtype.is_numeric() and _weighing(facts.values):
        return Role.WEIGHT, "Weight: its name says so and no value is negative; a body weight is not one."
    if reason := _useless(facts):
        return Role.IGNORED, reason
    if (
        HOUSEHOLD.fullmatch(name)
        and facts.values.len() <= facts.distinct * LARGESTHOUSEHOLD
        and _grouped(facts)
    ):
        return Role.HOUSEHOLD, "Household: its name says so and its values come in small groups."
    if reason := _identifying(facts, name):
        return Role.IDENTIFIER, reason
    if CONFIDENTIAL.fullmatch(name):
        return Role.CONFIDENTIAL, "Confidential: by its name alone; check that it is what must not be learnt."
    return Role.QUASI_IDENTIFIER, "Quasi-identifier: nothing says that an intruder cannot know it."


def _useless(facts: ColumnFacts) -> str | None:
    """Why a column can take no part, if it cannot."""
    if facts.values.is_empty():
        return "Ignored: it holds no values."
    if facts.distinct == 0:
        return "Ignored: its values are nested or binary."
    if facts.distinct == 1 and facts.records > 1:
        return "Ignored: it holds one value only, which tells nobody apart."
    if _free_text(facts):
        return "Ignored: it looks like free text, which may hold names; do not release it unread."
    return None


def _free_text(facts: ColumnFacts) -> bool:
    if not facts.is_text or facts.levels:
        return False
    if facts.distinct < max(FEWEST_FOR_KEYS, NEARLY_ALL * facts.values.len()):
        return False
    length = facts.values.str.len_chars().mean()
    return isinstance(length, float) and length >= FREE_TEXT_LENGTH


def _weighing(values: pl.Series) -> bool:
    return bool((values >= 0).all()) and bool((values > 0).any())


def _grouped(facts: ColumnFacts) -> bool:
    return 1 < facts.distinct < facts.values.len()


def _identifying(facts: ColumnFacts, name: str) -> str | None:
    """Why a column names its record, if it does."""
    if not (facts.is_text or facts.is_whole) or facts.levels:
        return None
    if names_records(name) and facts.distinct >= NEARLY_ALL * facts.values.len() and facts.distinct > 1:
        return "Identifier: its name says so and (nearly) all its values are distinct."
    if facts.is_text and facts.all_distinct and not facts.date:  # a birth date is what an intruder knows
        return f"Identifier: its {facts.distinct} values are text and all distinct."
    if facts.is_whole and facts.all_distinct and _running(facts.values):
        return "Identifier: it numbers the records."
    return None


def _running(values: pl.Series) -> bool:
    steps = values.cast(pl.Int128).diff().drop_nulls()  # 64 bits without a sign have no differences
    return len(steps) > 0 and bool((steps == 1).all())


def _kind(facts: ColumnFacts, role: Role) -> tuple[str, tuple[str, ...], str]:
    """The kind as a schema file calls it, the levels, and a sentence."""
    dtype = facts.values.dtype
    if facts.ordered and facts.levels:
        return Kind.ORDINAL, facts.levels, "Ordinal: the file calls the order of its categories meaningful."
    if role in (Role.IDENTIFIER, Role.HOUSEHOLD):
        return Kind.NOMINAL, (), "Nominal: its values are names, equal or not."
    if facts.levels:
        return _labelled(facts.levels)
    if dtype == pl.Boolean:
        return ValueForm.BOOLEAN, (), "Boolean: it is true or false."
    if facts.date and role is not Role.WEIGHT:
        return ValueForm.DATE, (), f"Date: its {facts.distinct} values are dates in one notation."
    if facts.is_text:
        return _text(facts)
    if role is not Role.WEIGHT and facts.is_whole and facts.distinct <= MOST_CODES and facts.repeated:
        return (
            Kind.NOMINAL,
            (),
            f"Nominal: {facts.distinct} whole numbers that look like codes; make it ordinal and list its "
            "levels in order if the order means something, or numeric if they are counts.",
        )
    if dtype.is_numeric():
        return Kind.NUMERIC, (), f"Numeric: it holds numbers, {facts.distinct} of them distinct."
    return Kind.NOMINAL, (), "Nominal: its values have no order that could be read."


def _labelled(levels: tuple[str, ...]) -> tuple[str, tuple[str, ...], str]:
    if found := in_order(levels):
        return Kind.ORDINAL, found, "Ordinal: its labels are words of a known scale; check their order."
    if len(levels) <= MOST_LEVELS:
        reason = (
            f"Nominal: the file lists {len(levels)} labels; make it ordinal if their order means something."
        )
        return Kind.NOMINAL, levels, reason
    return Kind.NOMINAL, (), f"Nominal: the file lists {len(levels)} labels, too many to repeat here."


def _text(facts: ColumnFacts) -> tuple[str, tuple[str, ...], str]:
    if 1 < facts.distinct <= MOST_LEVELS and (found := in_order(facts.values.unique().to_list())):
        return (
            Kind.ORDINAL,
            found,
            "Ordinal: its categories are words of a known scale, or bands; check their order.",
        )
    if _free_text(facts):
        return (
            ValueForm.TEXT,
            (),
            "Text: it looks like free text, which takes part in no attack unless named.",
        )
    if CODE_NAMES.fullmatch(snake_case(facts.name)) and facts.distinct > MOST_CODES:
        return (
            ValueForm.CODE,
            (),
            "Code: its name says so; codes are the nearer the more of the beginning they share.",
        )
    return Kind.NOMINAL, (), f"Nominal: it is text with {facts.distinct} categories."
