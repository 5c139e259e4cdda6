"""Writers. A file appears whole or not at all: it is written beside its place and then renamed."""

from __future__ import annotations

import gzip
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import polars as pl
import polars.selectors as cs

from unmask.errors import ArgumentError, DataError
from unmask.io.sources import shown

Writer = Callable[[pl.DataFrame, IO[bytes]], None]


def _csv(frame: pl.DataFrame, stream: IO[bytes]) -> None:
    # An empty cell is a missing value; "NaN" would look like a category to other programs.
    frame.with_columns(cs.float().fill_nan(None)).write_csv(stream)


def _csv_gz(frame: pl.DataFrame, stream: IO[bytes]) -> None:
    # Neither the name nor the time goes into the file, so that equal tables give equal files.
    with gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0) as packed:
        _csv(frame, packed)  # type: ignore[arg-type]


def _tsv(frame: pl.DataFrame, stream: IO[bytes]) -> None:
    frame.with_columns(cs.float().fill_nan(None)).write_csv(stream, separator="\t")


def _parquet(frame: pl.DataFrame, stream: IO[bytes]) -> None:
    frame.write_parquet(stream)


def _arrow(frame: pl.DataFrame, stream: IO[bytes]) -> None:
    frame.write_ipc(stream)


WRITERS: dict[str, Writer] = {
    ".csv": _csv,
    ".csv.gz": _csv_gz,
    ".tsv": _tsv,
    ".parquet": _parquet,
    ".arrow": _arrow,
    ".feather": _arrow,
}


def write(frame: pl.DataFrame, path: str | Path) -> None:
    r"""Write the records as CSV, TSV, Parquet or Arrow, as the suffix of the path tells.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> write(pl.DataFrame({"age": [31, None]}), folder / "out.csv")
    >>> (folder / "out.csv").read_text()
    'age\n31\n\n'
    """
    target = Path(path)
    writer = next((w for suffix, w in WRITERS.items() if target.name.lower().endswith(suffix)), None)
    if writer is None:
        raise ArgumentError(
            f"'{shown(target)}' has no suffix of a format that can be written",
            hint=f"end its name with one of {', '.join(WRITERS)}",
        )
    with _replacing(target) as stream:
        try:
            writer(frame, stream)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
            raise DataError(
                f"a column of the table does not fit into '{shown(target)}'",
                hint="drop nested columns, or write Parquet",
            ) from None


def write_text(text: str, path: str | Path) -> None:
    """Write a text file in UTF-8, whole or not at all."""
    with _replacing(Path(path)) as stream:
        stream.write(text.encode())


@contextmanager
def _replacing(target: Path) -> Iterator[IO[bytes]]:
    """A stream to a temporary file in the target's folder, which takes the target's place at the end."""
    label = shown(target)
    if not target.parent.is_dir():
        raise ArgumentError(f"there is no folder to write '{label}' in", hint="make the folder first")
    if target.is_dir():
        raise ArgumentError(f"'{label}' is a folder, not a file", hint="name a file in it")
    # Opened by name, not by tempfile: the file shall have the permissions that the user's umask gives.
    temporary = target.with_name(f".{target.name[:200]}.{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as stream:
            yield stream
        temporary.replace(target)
    except OSError as error:
        raise DataError(
            f"'{label}' cannot be written: {error.strerror or 'the system refused'}",
            hint="check the permissions of the folder and the space on the disk",
        ) from None
    finally:
        temporary.unlink(missing_ok=True)
