"""Reading and writing tables, and schema files.

A reader takes a path and returns a :class:`SourceTable`; the suffix of the file chooses it, or the scheme of
a database's address. Optional libraries are imported by the reader that needs them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from unmask.data.io.columnar import read_arrow, read_parquet
from unmask.data.io.delimited import read_delimited
from unmask.data.io.excel import read_excel
from unmask.data.io.frames import from_any, like
from unmask.data.io.rfiles import read_r
from unmask.data.io.schema_file import read_schema, to_toml
from unmask.data.io.sources import Options, existing, shown
from unmask.data.io.sql import is_address, read_address, read_sqlite
from unmask.data.io.statistical import read_statistical
from unmask.data.io.table import SourceTable
from unmask.data.io.write import write, write_text
from unmask.errors import ArgumentError

__all__ = [
    "READERS",
    "SourceTable",
    "from_any",
    "like",
    "read",
    "read_schema",
    "to_toml",
    "write",
    "write_text",
]

READERS: dict[str, Callable[[Path, Options], SourceTable]] = {
    ".csv": read_delimited,
    ".tsv": read_delimited,
    ".tab": read_delimited,
    ".txt": read_delimited,
    ".csv.gz": read_delimited,
    ".tsv.gz": read_delimited,
    ".txt.gz": read_delimited,
    ".csv.zip": read_delimited,
    ".tsv.zip": read_delimited,
    ".parquet": read_parquet,
    ".pq": read_parquet,
    ".arrow": read_arrow,
    ".arrows": read_arrow,
    ".feather": read_arrow,
    ".ipc": read_arrow,
    ".xlsx": read_excel,
    ".xlsm": read_excel,
    ".xlsb": read_excel,
    ".xls": read_excel,
    ".ods": read_excel,
    ".sas7bdat": read_statistical,
    ".xpt": read_statistical,
    ".sav": read_statistical,
    ".zsav": read_statistical,
    ".por": read_statistical,
    ".dta": read_statistical,
    ".rda": read_r,
    ".rdata": read_r,
    ".rds": read_r,
    ".db": read_sqlite,
    ".sqlite": read_sqlite,
    ".sqlite3": read_sqlite,
}


def read(
    source: str | Path,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
    table: str | None = None,
) -> SourceTable:
    r"""Read a file of records, or a table of a database.

    ``delimiter`` and ``encoding`` are found in delimited text unless told; ``sheet`` chooses the sheet of a
    workbook; ``table`` chooses the object of an R file, and the table of a database or a query to it. The
    address of a database may hold the table or query itself: ``sqlite:people.db::SELECT age FROM persons``
    (see :mod:`unmask.data.io.sql`). An option that the format has no use for is not looked at.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "people.csv"
    ...     _ = path.write_text("age;income;zip\n31;1500,5;08193\n54;;43002\n")
    ...     read(path).frame.rows()
    [(31, 1500.5, '08193'), (54, None, '43002')]
    """
    options = Options(delimiter, encoding, sheet, table)
    if isinstance(source, str) and is_address(source):
        return read_address(source, options)
    path = Path(source)
    name = path.name.lower()
    # The longest suffix wins: ".csv.gz" before ".gz".
    suffix = max((s for s in READERS if name.endswith(s)), key=len, default=None)
    if suffix is None:
        existing(path)
        raise ArgumentError(
            f"'{shown(path)}' has no suffix of a format that can be read",
            hint=f"known suffixes: {', '.join(READERS)}",
        )
    return READERS[suffix](path, options)
