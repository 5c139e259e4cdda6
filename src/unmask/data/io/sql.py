"""Tables and queries of databases: SQLite by the standard library, PostgreSQL by its Arrow driver.

An address is ``sqlite:people.db`` (or ``sqlite:///people.db``, with four slashes before an absolute path), or
``postgresql://user@host/database``. What to read is a table's name or a query that starts with SELECT or
WITH, either told apart or after two colons: ``sqlite:people.db::SELECT age, sex FROM persons``. Databases are
opened for reading only. No message shows an address, which may hold a password.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import polars as pl

from unmask.data.io.sources import Options, existing, optional, reading, shown
from unmask.data.io.table import SourceTable, tabulate
from unmask.errors import ArgumentError, DataError, UnmaskError

_ADDRESS = re.compile(r"(?:sqlite|postgres(?:ql)?):|[a-z][a-z0-9+.-]+://", re.IGNORECASE)
# The two colons that end the address: not those of an IPv6 host in brackets, nor of a cast in the query.
_SPLIT = re.compile(r"((?:[^\[\]:]|:(?!:)|\[[^\]]*\])*)::(.*)", re.DOTALL)
_QUERY = re.compile(r"\s*(?:select|with)\b", re.IGNORECASE)
# What SQLite says of a sound file, and of values that break a rule of their table but can be read.
_SOUND = re.compile(r"ok$|[\w-]+ value in |CHECK constraint failed")
_SQLITE_TABLES = """
    SELECT name FROM sqlite_schema
    WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name
"""
_POSTGRESQL_TABLES = """
    SELECT table_name, table_schema, table_schema = ANY (current_schemas(false)) AS near
    FROM information_schema.tables
    WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY table_schema, table_name
"""


def is_address(source: str) -> bool:
    """Whether a source is the address of a database, or means to be one.

    >>> is_address("sqlite:people.db"), is_address("people.csv"), is_address("C:/people.csv")
    (True, False, False)
    """
    return _ADDRESS.match(source) is not None


def read_address(source: str, options: Options) -> SourceTable:
    """A table from the address of a database."""
    parts = _SPLIT.fullmatch(source)
    address, what = (parts[1], parts[2]) if parts and options.table is None else (source, options.table)
    scheme = address.partition(":")[0].lower()
    if scheme == "sqlite":
        return read_sqlite(_sqlite_path(address), Options(table=what))
    if scheme in ("postgresql", "postgres"):
        return _read_postgresql(address, what)
    raise ArgumentError(
        f"an address that starts with '{scheme}:' cannot be read",
        hint="use sqlite:FILE or postgresql://USER@HOST/DATABASE, or download the file and name it",
    )


def address_file(source: str) -> Path | None:
    """The file behind a path or an address; None for a database that is no file.

    >>> address_file("people.csv").name, address_file("sqlite:people.db::persons").name
    ('people.csv', 'people.db')
    >>> address_file("postgresql://me@host/census") is None
    True
    """
    if not is_address(source):
        return Path(source)
    parts = _SPLIT.fullmatch(source)
    address = parts[1] if parts else source
    return _sqlite_path(address) if address.lower().startswith("sqlite:") else None


def read_sqlite(path: Path, options: Options) -> SourceTable:
    """A table from a SQLite file; ``table`` is a table's name or a query."""
    source = shown(path)
    address = f"{existing(path).resolve().as_uri()}?mode=ro"
    with reading(source, "a SQLite database"), closing(sqlite3.connect(address, uri=True)) as connection:
        _check_whole(connection, path, source)
        found = connection.execute(_SQLITE_TABLES)
        query = _query(options.table, {name: _quoted(name) for (name,) in found}, source)
        try:
            cursor = connection.execute(query)
        except (sqlite3.Error, sqlite3.Warning) as error:
            # What SQLite says of a query that it cannot prepare is about the query, not about records.
            raise _failed(source, str(error)) from None
        names = [item[0] for item in cursor.description]
        return tabulate(_frame(names, cursor.fetchall(), source), source)


def _check_whole(connection: sqlite3.Connection, path: Path, source: str) -> None:
    """Refuse a database of which pages are lost or damaged: SQLite would read what is left, with nulls."""
    (pages,), (size,) = (
        connection.execute(f"PRAGMA {what}").fetchone() for what in ("page_count", "page_size")
    )
    # Pages that were written and are not in the file yet stand in the log beside it.
    whole = path.stat().st_size >= pages * size or path.with_name(f"{path.name}-wal").exists()
    found = connection.execute("PRAGMA integrity_check") if whole else [("cut",)]
    if all(_SOUND.match(verdict) for (verdict,) in found):
        return
    raise DataError(
        f"{source} is cut off or damaged",
        hint="copy it again, while no program writes to it; sqlite3's .recover may save what is left",
    )


def _sqlite_path(address: str) -> Path:
    text = address.partition(":")[2]
    path = Path(text.removeprefix("///"))
    # "sqlite:///data/x.db" is relative by convention and absolute by habit.
    rooted = Path("/") / path
    return rooted if text.startswith("///") and not path.exists() and rooted.exists() else path


def _frame(names: list[str], rows: Sequence[Sequence[Any]], source: str) -> pl.DataFrame:
    _once(names, source)
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    return pl.DataFrame([_series(name, list(values)) for name, values in zip(names, columns, strict=True)])


def _series(name: str, values: list[Any]) -> pl.Series:
    """A column of SQLite, whose values may each have a type of their own."""
    types = {type(value) for value in values if value is not None}
    if len(types) <= 1:
        return pl.Series(name, values)
    if types == {int, float}:
        return pl.Series(name, values, dtype=pl.Float64)
    return pl.Series(name, [None if value is None else str(value) for value in values], dtype=pl.String)


def _read_postgresql(address: str, what: str | None) -> SourceTable:
    source = f"the PostgreSQL database '{_database(address)}'"
    driver = optional("adbc_driver_postgresql.dbapi", "sql", "a PostgreSQL database")
    failure = "check host, user, password, database and that the server runs"
    with reading(source, "a database", failure), driver.connect(address, autocommit=True) as connection:
        with connection.cursor() as cursor:
            cursor.execute("BEGIN READ ONLY")
            cursor.execute(_POSTGRESQL_TABLES)
            query = _query(what, dict(_postgresql_tables(_fetched(cursor, source).rows())), source)
            try:
                cursor.execute(query)
            except driver.Error as error:
                # Class 42 is about names and syntax; other messages may quote values of records.
                about_query = (error.sqlstate or "").startswith("42")
                raise _failed(source, str(error) if about_query else "") from None
            with reading(source, "what the query asks for", "mend the query, or choose other columns"):
                frame = _fetched(cursor, source)
        return tabulate(frame.select(_storage(frame[name]) for name in frame.columns), source)


def _fetched(cursor: Any, source: str) -> pl.DataFrame:
    """The answer of a PostgreSQL server. The driver's other ways need pyarrow, which need not be there."""
    try:
        return pl.DataFrame(cursor.fetch_arrow())
    except pl.exceptions.DuplicateError as error:
        name = str(error).partition("'")[2].rpartition("'")[0]  # of a column, not a value
        raise _twice(name, source) from None


def _database(address: str) -> str:
    """The name of the database alone: nothing before it is fit to be shown."""
    last = address.partition("?")[0].rpartition("/")[2]
    return "" if "@" in last or ":" in last else last


def _postgresql_tables(rows: Iterable[tuple[str, str, bool]]) -> Iterable[tuple[str, str]]:
    for table, schema, near in rows:
        yield (table if near else f"{schema}.{table}"), f"{_quoted(schema)}.{_quoted(table)}"
        if near:
            yield f"{schema}.{table}", f"{_quoted(schema)}.{_quoted(table)}"


def _storage(series: pl.Series) -> pl.Series:
    """A column of a type that only PostgreSQL has, as what it is stored as: its exact numbers are text."""
    if not isinstance(series.dtype, pl.BaseExtension):
        return series
    stored = series.ext.storage()
    return stored.cast(pl.Float64) if '"numeric"' in (series.dtype.ext_metadata() or "") else stored


def _query(what: str | None, tables: dict[str, str], source: str) -> str:
    """The query that reads what was told; the only table there is when nothing was."""
    if what is not None and _QUERY.match(what):
        return what
    listing = ", ".join(tables) or "none"
    if what is None:
        if len(set(tables.values())) != 1:
            raise DataError(f"{source} needs the name of a table or a query", hint=f"its tables: {listing}")
        what = next(iter(tables))
    if what not in tables:
        close = get_close_matches(what, tables, n=1)
        suggestion = f"did you mean '{close[0]}'? " if close else ""
        raise DataError(
            f"{source} has no table '{' '.join(what.split())}'",
            hint=f"{suggestion}Its tables: {listing}; a query starts with SELECT or WITH",
        )
    return f"SELECT * FROM {tables[what]}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _once(names: Sequence[str], source: str) -> None:
    for name in names:
        if names.count(name) > 1:
            raise _twice(name, source)


def _twice(name: str, source: str) -> UnmaskError:
    return DataError(f"the query of {source} returns two columns '{name}'", hint="rename one with AS")


def _failed(source: str, message: str) -> UnmaskError:
    first = message.partition("ERROR:")[2] or message
    detail = f": {' '.join(first.splitlines()[0].split())}" if first.strip() else ""
    return DataError(f"the query of {source} failed{detail}", hint="mend the query")
