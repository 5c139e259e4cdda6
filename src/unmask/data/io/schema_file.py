"""Schema files: commented TOML, one ``[[column]]`` a column."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from unmask.data.io.sources import read_text, shown
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.errors import SchemaError

_HEADER = """\
# What the columns of the file are. Check every entry: the kinds and roles decide what is measured.
#
# kind: how two values compare
#   numeric           numbers, compared by their difference
#   ordinal           categories with an order; 'levels' lists them from low to high
#   nominal           categories without an order; 'levels' may list them, and is then complete
# role: what the column is to an intruder
#   identifier        names the person or the record; never released, never part of an attack
#   quasi-identifier  an intruder may know it about a person, and links on it
#   confidential      what an intruder would learn
#   weight            the sampling weight of the record
#   household         the same value for all members of a household
#   ignored           takes no part
# Without them, the kind is numeric and the role quasi-identifier.
"""
_KEYS = ("name", "kind", "role", "levels")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_LINE = re.compile(r"line (\d+)")
Choice = TypeVar("Choice", bound=StrEnum)


def to_toml(schema: Schema, reasons: Mapping[str, Iterable[str]] | None = None) -> str:
    """The schema as commented TOML; ``reasons`` gives each column's comments, by its name.

    >>> text = to_toml(Schema((Column("age"),)), {"age": ["Numeric because it holds many numbers."]})
    >>> print(text[text.index("[[") :])
    [[column]]
    # Numeric because it holds many numbers.
    name = "age"
    kind = "numeric"
    role = "quasi-identifier"
    <BLANKLINE>
    """
    told = reasons or {}
    return "\n".join([_HEADER, *(_entry(column, told.get(column.name, ())) for column in schema)])


def _entry(column: Column, reasons: Iterable[str]) -> str:
    lines = ["[[column]]"]
    lines += [f"# {_one_line(reason)}" for reason in reasons]
    lines += [f"name = {_quoted(column.name)}", f'kind = "{column.kind}"', f'role = "{column.role}"']
    if column.levels:
        lines.append(f"levels = [{', '.join(_quoted(level) for level in column.levels)}]")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return (
        '"'
        + "".join(_ESCAPES.get(c, c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}") for c in text)
        + '"'
    )


def _one_line(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)


def read_schema(path: str | Path) -> Schema:
    r"""The schema in a TOML file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "schema.toml"
    ...     _ = path.write_text('[[column]]\nname = "sex"\nkind = "nominal"\n')
    ...     read_schema(path)["sex"].kind.value
    'nominal'
    """
    source = shown(Path(path))
    content = _parsed(Path(path), source)
    unknown = [key for key in content if key != "column"]
    if unknown:
        raise SchemaError(
            f"{source} has an unknown entry '{_one_line(unknown[0])}'",
            hint="a schema holds [[column]] entries and nothing else",
        )
    entries = content.get("column")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries) or not entries:
        raise SchemaError(
            f"{source} lists no columns",
            hint="write a [[column]] entry, in double brackets, for every column",
        )
    return Schema(
        tuple(_column(entry, f"column {i} of {source}") for i, entry in enumerate(entries, start=1))
    )


def _parsed(path: Path, source: str) -> dict[str, Any]:
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        line = _LINE.search(str(error))
        where = f"line {line[1]}" if line else "the last line"
        raise SchemaError(
            f"{source} is not valid TOML at {where}",
            hint="check quotes, brackets and '=' there; texts stand in double quotes",
        ) from None


def _column(entry: dict[str, Any], where: str) -> Column:
    for key in entry:
        if key not in _KEYS:
            raise SchemaError(f"{where} has an unknown key '{_one_line(key)}'", hint=_suggestion(key, _KEYS))
    if "name" not in entry:
        raise SchemaError(f"{where} has no name", hint='add name = "..." with the name in the file\'s header')
    name = entry["name"]
    if not isinstance(name, str) or not name:
        raise SchemaError(f"the name of {where} is not a text", hint="put it in double quotes")
    where = f"column '{_one_line(name)}'"
    return Column(
        name,
        _chosen(Kind, entry.get("kind", Kind.NUMERIC), "kind", where),
        _chosen(Role, entry.get("role", Role.QUASI_IDENTIFIER), "role", where),
        _levels(entry.get("levels", []), where),
    )


def _chosen(choices: type[Choice], value: object, what: str, where: str) -> Choice:
    known = [str(choice) for choice in choices]
    if not isinstance(value, str):
        raise SchemaError(f"the {what} of {where} is not a text", hint=f"use one of {', '.join(known)}")
    if value not in known:
        raise SchemaError(
            f"{where} has the unknown {what} '{_one_line(value)}'", hint=_suggestion(value, known)
        )
    return choices(value)


def _levels(value: object, where: str) -> tuple[str, ...]:
    # True is an integer to Python, not to a user.
    if not isinstance(value, list) or not all(
        isinstance(level, str | int) and not isinstance(level, bool) for level in value
    ):
        raise SchemaError(
            f"the levels of {where} are not a list of texts",
            hint='write levels = ["low", "high"]; whole numbers may stand without quotes',
        )
    return tuple(str(level) for level in value)


def _suggestion(given: str, known: Iterable[str]) -> str:
    names = list(known)
    close = get_close_matches(given, names, n=1)
    return (f"did you mean '{close[0]}'? " if close else "") + f"Known: {', '.join(names)}"
