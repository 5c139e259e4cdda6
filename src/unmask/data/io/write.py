"""Writers. A file appears whole or not at all: it is written beside its place and then renamed."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import IO, cast

import polars as pl
import polars.selectors as cs

from unmask.data.io.excel_write import check_excel, write_excel
from unmask.data.io.replacing import Access, check_writable, replacing
from unmask.data.io.sources import shown
from unmask.data.io.statistical_write import (
    check_statistical,
    write_compressed_spss,
    write_sas,
    write_spss,
    write_stata,
)
from unmask.data.io.stored import Template
from unmask.errors import ArgumentError, DataError, UnmaskError

Writer = Callable[[pl.DataFrame, Path, Template], None]


def _csv(frame: pl.DataFrame, path: Path, _: Template) -> None:
    # An empty cell is a missing value; "NaN" would look like a category to other programs.
    frame.with_columns(cs.float().fill_nan(None)).write_csv(path)


def _csv_gz(frame: pl.DataFrame, path: Path, _: Template) -> None:
    # Neither the name nor the time goes into the file, so that equal tables give equal files.
    with path.open("wb") as stream, gzip.GzipFile("", "wb", fileobj=stream, mtime=0) as packed:
        frame.with_columns(cs.float().fill_nan(None)).write_csv(cast(IO[bytes], packed))


def _tsv(frame: pl.DataFrame, path: Path, _: Template) -> None:
    frame.with_columns(cs.float().fill_nan(None)).write_csv(path, separator="\t")


def _parquet(frame: pl.DataFrame, path: Path, _: Template) -> None:
    frame.write_parquet(path)


def _arrow(frame: pl.DataFrame, path: Path, _: Template) -> None:
    frame.write_ipc(path)


WRITERS: dict[str, Writer] = {
    ".csv": _csv,
    ".csv.gz": _csv_gz,
    ".tsv": _tsv,
    ".parquet": _parquet,
    ".arrow": _arrow,
    ".feather": _arrow,
    ".xlsx": write_excel,
    ".sav": write_spss,
    ".zsav": write_compressed_spss,
    ".dta": write_stata,
    ".xpt": write_sas,
}

#: The formats that need a library which is perhaps not there, and what asks for it.
_NEEDS: dict[str, Callable[[], object]] = {
    ".xlsx": check_excel,
    **dict.fromkeys((".sav", ".zsav", ".dta", ".xpt"), check_statistical),
}


def write(
    frame: pl.DataFrame, path: str | Path, template: Template | None = None, access: Access | None = None
) -> None:
    r"""Write the records in the format that the suffix of the path tells.

    ``template`` is the file that they stem from. SPSS and Stata files get its value labels, its labels of
    columns and its formats, and a cell that is still missing gets its user-missing code back; one that lost
    its value in the release is just missing. Formats without value labels get the labels as text.
    ``access``: who may read a new file; one that is replaced keeps its permissions.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "out.csv"
    ...     write(pl.DataFrame({"age": [31, None]}), path)
    ...     path.read_text()
    'age\n31\n\n'
    """
    target = Path(path)
    writer = WRITERS[_suffix(target)]
    with replacing(target, access or Access()) as temporary:
        try:
            writer(frame, temporary, template or Template())
        except (UnmaskError, OSError, MemoryError):
            raise
        except (Exception, pl.exceptions.PanicException):
            # The libraries raise exceptions of many kinds, and may quote values.
            raise DataError(
                f"a column of the table does not fit into '{shown(target)}'",
                hint="drop nested columns, or write Parquet",
            ) from None


def write_text(text: str, path: str | Path, access: Access | None = None) -> None:
    """Write a text file in UTF-8, whole or not at all."""
    content = checked_text(text, path)
    with replacing(Path(path), access or Access()) as temporary:
        temporary.write_bytes(content)


def checked_text(text: str, path: str | Path) -> bytes:
    """A text that belongs into a file, as UTF-8; refused where a name in it is not valid text."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise DataError(
            f"'{shown(Path(path))}' cannot be written: a name that belongs into it is not valid text",
            hint="rename the files and columns whose names are not",
        ) from None


def check_target(path: Path, *, table: bool = False) -> None:
    """Refuse a place that cannot be written to before the work starts, not after it.

    >>> check_target(Path("out.docx"), table=True)
    Traceback (most recent call last):
    unmask.errors.ArgumentError: 'out.docx' has no suffix of a format that can be written. Hint: ...
    """
    if table:
        _NEEDS.get(_suffix(path), lambda: None)()
    check_writable(path)


def _suffix(target: Path) -> str:
    for suffix in WRITERS:
        if target.name.lower().endswith(suffix):
            return suffix
    raise ArgumentError(
        f"'{shown(target)}' has no suffix of a format that can be written",
        hint=f"end its name with one of {', '.join(WRITERS)}",
    )
