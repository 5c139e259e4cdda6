"""Schema files: commented TOML, one ``[[column]]`` a column."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any

from unmask.data.correspondence import ReleasedColumn
from unmask.data.io.released_entry import released_entry, to_entry
from unmask.data.io.sources import read_text, shown
from unmask.data.io.write import write_text
from unmask.data.schema import KIND_WORDS, Column, Kind, Role, Schema, nearest, one_line, word_of
from unmask.errors import SchemaError
from unmask.fields import instance
from unmask.visible import visible

_HEADER = """\
# What the columns of the file are. Check every entry: the kinds and roles decide what is measured.
#
# kind: how two values compare
#   numeric           numbers, compared by their difference
#   ordinal           categories with an order; 'levels' lists them from low to high
#   nominal           categories without an order; 'levels' may list them, and is then complete
#   date              dates or times in any usual notation, compared by their difference in days
#   boolean           two values, however they are written: yes and no, true and false, 1 and 0
#   code              codes whose beginning counts most (NUTS, ICD, NACE, ZIP)
#   text              free text: no part of an attack unless somebody names it as known
# role: what the column is to an intruder
#   identifier        names the person or the record; never released, never part of an attack
#   quasi-identifier  an intruder may know it about a person, and links on it
#   confidential      what an intruder would learn
#   weight            the sampling weight of the record
#   household         the same value for all members of a household
#   ignored           takes no part
# Without them, the kind is numeric and the role quasi-identifier.
# minimum, maximum: the least and the largest value that a number can have; masks keep to them
# missing: codes in the file that mean that there is no value, such as [9999, "N"]
# [column.released], below a column, says how it is in the released file, where that differs: its 'name'
#   there, its 'missing' codes there, and how values were recoded: 'recode' = { a = "a|b", b = "a|b" },
#   'hierarchy' = "file.csv" and 'level', 'bands' = ["0-17", "18+"], 'step' = 1000, 'bottom', 'top'
#   (and what stands for values beyond them: 'bottom_as', 'top_as'; 'numbers' = true where the labels of
#   bands are numbers). 'unmask check ORIGINAL RELEASED -o schema.toml' proposes it.
"""
_LIMITS = ("minimum", "maximum")
_KEYS = ("name", "kind", "role", "levels", "missing", *_LIMITS, "released")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
#: What a file beside a release says that it is; it holds the schema of the release.
SIDECAR = "unmask-sidecar"
_LINE = re.compile(r"line (\d+)")


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
    return f"{_HEADER}\n{columns_to_toml(schema, reasons)}"


def columns_to_toml(schema: Schema, reasons: Mapping[str, Iterable[str]] | None = None) -> str:
    """The entries of the columns alone, as a part of another file."""
    told = reasons or {}
    entries = (_entry(column, told.get(column.name, ()), schema.in_release(column.name)) for column in schema)
    return "\n".join(entries)


def _entry(column: Column, reasons: Iterable[str], there: ReleasedColumn | None) -> str:
    lines = ["[[column]]"]
    lines += [f"# {one_line(reason)}" for reason in reasons]
    lines += [f"name = {quoted(column.name)}", f'kind = "{column.word}"', f'role = "{column.role}"']
    if column.levels:
        lines.append(f"levels = {_list(column.levels)}")
    if column.missing:
        lines.append(f"missing = {_list(column.missing)}")
    if column.word == Kind.NUMERIC:
        limits = ((key, getattr(column, key)) for key in _LIMITS)
        lines += [f"{key} = {limit!r}" for key, limit in limits if limit is not None]
    if there is not None:
        lines.append("[column.released]")
        lines += [f"{key} = {_value(value)}" for key, value in to_entry(there).items()]
    return "\n".join(lines) + "\n"


def _list(texts: Iterable[str]) -> str:
    return f"[{', '.join(quoted(text) for text in texts)}]"


def _value(value: object) -> str:
    if isinstance(value, dict):
        return (
            f"{{ {', '.join(f'{quoted(str(key))} = {quoted(str(text))}' for key, text in value.items())} }}"
        )
    if isinstance(value, list):
        return _list(value)
    if isinstance(value, bool):
        return str(value).lower()
    return quoted(value) if isinstance(value, str) else repr(value)


def quoted(text: str) -> str:
    """A text as TOML writes it; what cannot be seen is written as an escape, which means the same."""
    return '"' + "".join(_ESCAPES.get(c, c if visible(c) == c else _escape(c)) for c in text) + '"'


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def read_schema(path: str | Path) -> Schema:
    r"""The schema in a TOML file: a schema file, or the one that unmask left beside a release.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "schema.toml"
    ...     _ = path.write_text('[[column]]\nname = "sex"\nkind = "nominal"\n')
    ...     read_schema(path)["sex"].kind.value
    'nominal'
    """
    place = _place(path)
    source = shown(place)
    content = _parsed(place, source)
    if content.get("format") == SIDECAR:
        content = {key: value for key, value in content.items() if key == "column"}
    return schema_in(content, source)


def write_schema(schema: Schema, path: str | Path) -> None:
    """Write a schema file, as 'unmask describe' does: commented TOML, to read and to correct.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "schema.toml"
    ...     write_schema(Schema((Column("sex", Kind.NOMINAL),)), path)
    ...     read_schema(path) == Schema((Column("sex", Kind.NOMINAL),))
    True
    """
    hint = "give an unmask.Schema, such as unmask.read_schema(path) reads"
    write_text(to_toml(instance("the schema", schema, Schema, hint)), _place(path))


def _place(path: str | Path) -> Path:
    return Path(instance("the path of the schema", path, str | Path, "write 'schema.toml'"))


def schema_in(content: Mapping[str, Any], source: str) -> Schema:
    """The schema that parsed TOML holds; ``source`` is its name in messages."""
    unknown = [key for key in content if key != "column"]
    if unknown:
        raise SchemaError(
            f"{source} has an unknown entry '{one_line(unknown[0])}'",
            hint="a schema holds [[column]] entries and nothing else",
        )
    entries = content.get("column")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries) or not entries:
        raise SchemaError(
            f"{source} lists no columns",
            hint="write a [[column]] entry, in double brackets, for every column",
        )
    columns = tuple(_column(entry, f"column {i} of {source}") for i, entry in enumerate(entries, start=1))
    return Schema(columns, tuple(_there(entry) for entry in entries if "released" in entry))


def _parsed(path: Path, source: str) -> dict[str, Any]:
    try:
        return tomllib.loads(read_text(path))
    except RecursionError:
        raise SchemaError(
            f"{source} nests brackets more deeply than any schema does",
            hint="write [[column]] entries; 'unmask describe FILE -o schema.toml' writes a schema",
        ) from None
    except ValueError as error:  # also a number of thousands of digits
        line = _LINE.search(str(error))
        where = f" at line {line[1]}" if line else " at the last line" if "end of" in str(error) else ""
        raise SchemaError(
            f"{source} is not valid TOML{where}",
            hint="check quotes, brackets and '=' there; texts stand in double quotes",
        ) from None


def _column(entry: dict[str, Any], where: str) -> Column:
    for key in entry:
        if key not in _KEYS:
            raise SchemaError(f"{where} has an unknown key '{one_line(key)}'", hint=nearest(key, _KEYS))
    if "name" not in entry:
        raise SchemaError(f"{where} has no name", hint='add name = "..." with the name in the file\'s header')
    name = entry["name"]
    if not isinstance(name, str) or not name:
        raise SchemaError(f"the name of {where} is not a text", hint="put it in double quotes")
    where = f"column '{one_line(name)}'"
    column = Column.of(
        name,
        _chosen(KIND_WORDS, entry.get("kind", Kind.NUMERIC.value), "kind", where),
        Role(_chosen([str(role) for role in Role], entry.get("role", "quasi-identifier"), "role", where)),
        _texts(entry.get("levels", []), f"the levels of {where}"),
        _texts(entry.get("missing", []), f"the missing codes of {where}"),
    )
    low, high = (_limit(entry.get(key), f"the {key} of {where}") for key in _LIMITS)
    if (low, high) != (None, None) and column.word != Kind.NUMERIC:
        raise SchemaError(
            f"{where} has a minimum or a maximum, and is {column.word}", hint="only numbers have them"
        )
    return replace(column, minimum=low, maximum=high)


def _limit(value: object, what: str) -> float | None:
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool) or not isfinite(value):
        raise SchemaError(f"{what} is not a number", hint="write minimum = 0")
    return float(value)


def _there(entry: dict[str, Any]) -> ReleasedColumn:
    name, told = entry["name"], entry["released"]
    if not isinstance(told, dict):
        raise SchemaError(
            f"what column '{one_line(name)}' is in the release is no table", hint="write [column.released]"
        )
    return released_entry(name, told, lambda value: _texts(value, f"a list of '{one_line(name)}'"))


def _chosen(known: Sequence[str], value: object, what: str, where: str) -> str:
    if not isinstance(value, str):
        raise SchemaError(f"the {what} of {where} is not a text", hint=f"use one of {', '.join(known)}")
    return word_of(known, value, what, where)


def _texts(value: object, what: str) -> tuple[str, ...]:
    # True is an integer to Python, not to a user.
    if not isinstance(value, list) or not all(
        isinstance(text, str | int) and not isinstance(text, bool) for text in value
    ):
        raise SchemaError(
            f"{what} are not a list of texts",
            hint='write ["low", "high"]; whole numbers may stand without quotes',
        )
    return tuple(str(text) for text in value)
