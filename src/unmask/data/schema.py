"""What the columns of a file are: their kind (how values compare) and their role (who knows them)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from unmask.errors import SchemaError, missing_columns


class Kind(StrEnum):
    """How two values of an attribute compare."""

    NUMERIC = "numeric"
    ORDINAL = "ordinal"
    NOMINAL = "nominal"


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

    An ordinal attribute needs its levels; a nominal one may leave them open.

    >>> Column("health", Kind.ORDINAL, levels=("poor", "fair", "good")).levels[0]
    'poor'
    """

    name: str
    kind: Kind = Kind.NUMERIC
    role: Role = Role.QUASI_IDENTIFIER
    levels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.name:
            raise SchemaError("a column of the schema has no name", hint="give every column a name")
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
        if len(set(self.levels)) != len(self.levels):
            raise SchemaError(f"column '{self.name}' lists a level twice", hint="list every level once")


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

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for column in self.columns:
            if column.name in seen:
                raise SchemaError(
                    f"column '{column.name}' stands twice in the schema", hint="keep one of the two"
                )
            seen.add(column.name)

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def __contains__(self, name: object) -> bool:
        return any(column.name == name for column in self.columns)

    def __getitem__(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        raise missing_columns([name], self.names(), "the schema")

    def names(self, role: Role | None = None, kind: Kind | None = None) -> tuple[str, ...]:
        """The names of the columns with that role and kind (all when not given)."""
        return tuple(
            column.name
            for column in self.columns
            if (role is None or column.role is role) and (kind is None or column.kind is kind)
        )

    def only(self, names: Iterable[str]) -> Schema:
        """The schema of these columns, in the order of the names."""
        return Schema(tuple(self[name] for name in names))

    def with_roles(self, names: Iterable[str], role: Role) -> Schema:
        """The same schema with another role for these columns."""
        chosen = set(names)
        for name in chosen:
            self[name]
        return Schema(tuple(replace(c, role=role) if c.name in chosen else c for c in self.columns))
