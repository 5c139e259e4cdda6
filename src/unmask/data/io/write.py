"""Writers. A file appears whole or not at all: it is written beside its place and then renamed."""

from __future__ import annotations

import gzip
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

import polars as pl
import polars.selectors as cs

from unmask.data.io.excel_write import write_excel
from unmask.data.io.sources import shown
from unmask.data.io.statistical_write import write_compressed_spss, write_sas, write_spss, write_stata
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


def write(frame: pl.DataFrame, path: str | Path, template: Template | None = None) -> None:
    r"""Write the records in the format that the suffix of the path tells.

    ``template`` is the file that they stem from. SPSS and Stata files get its value labels, its labels of
    columns and its formats, and a cell that is still missing gets its user-missing code back; one that lost
    its value in the release is just missing. Formats without value labels get the labels as text.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "out.csv"
    ...     write(pl.DataFrame({"age": [31, None]}), path)
    ...     path.read_text()
    'age\n31\n\n'
    """
    target = Path(path)
    writer = _writer(target)
    with _replacing(target) as temporary:
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


def write_text(text: str, path: str | Path) -> None:
    """Write a text file in UTF-8, whole or not at all."""
    with _replacing(Path(path)) as temporary:
        temporary.write_bytes(text.encode())


def check_target(path: Path, *, table: bool = False) -> None:
    """Refuse a place that cannot be written to before the work starts, not after it.

    >>> check_target(Path("out.docx"), table=True)
    Traceback (most recent call last):
    unmask.errors.ArgumentError: 'out.docx' has no suffix of a format that can be written. Hint: ...
    """
    if table:
        _writer(path)
    _check_place(path)


def _writer(target: Path) -> Writer:
    for suffix, writer in WRITERS.items():
        if target.name.lower().endswith(suffix):
            return writer
    raise ArgumentError(
        f"'{shown(target)}' has no suffix of a format that can be written",
        hint=f"end its name with one of {', '.join(WRITERS)}",
    )


def _check_place(target: Path) -> None:
    label = shown(target)
    try:
        has_folder, is_folder = target.parent.is_dir(), target.is_dir()
    except OSError:
        raise ArgumentError(f"no file can be called '{label}'", hint="choose a shorter name") from None
    if not has_folder:
        raise ArgumentError(f"there is no folder to write '{label}' in", hint="make the folder first")
    if is_folder:
        raise ArgumentError(f"'{label}' is a folder, not a file", hint="name a file in it")
    if target.exists() and not target.is_file():
        # A device or a pipe would be replaced by a file, which is not what it is named for.
        raise ArgumentError(f"'{label}' is not an ordinary file", hint="name a file to write")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise DataError(
            f"'{label}' cannot be written: its folder is closed to you",
            hint="name a file in a folder that you may write into",
        )


@contextmanager
def _replacing(target: Path) -> Iterator[Path]:
    """An empty temporary file in the target's folder, which takes the target's place at the end."""
    label = shown(target)
    _check_place(target)
    # Opened by name, not by tempfile: the file shall have the permissions that the user's umask gives.
    temporary = target.with_name(f".{target.name[:200]}.{secrets.token_hex(8)}.tmp")
    try:
        temporary.open("xb").close()
        yield temporary
        temporary.replace(target)
    except OSError as error:
        raise DataError(
            f"'{label}' cannot be written: {error.strerror or 'the system refused'}",
            hint="check the permissions of the folder and the space on the disk",
        ) from None
    finally:
        temporary.unlink(missing_ok=True)
