"""A large table as a folder of Parquet files, as clusters read and write it."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from unmask import temporaries
from unmask.data.io.replacing import PRIVATE
from unmask.data.io.sources import shown
from unmask.errors import ArgumentError, DataError

#: Records in a part, at the most.
ROWS = 1_000_000


def names_folder(path: Path) -> bool:
    """Whether a path is that of a folder of parts: its name has no suffix.

    >>> names_folder(Path("people")), names_folder(Path("people.parquet")), names_folder(Path(""))
    (True, False, False)
    """
    return bool(path.name) and not path.suffix


def check_folder(path: Path) -> None:
    """Refuse, before the work starts, a folder that is there already, or that has no place."""
    if path.exists():
        raise ArgumentError(
            f"'{shown(path)}' is there already", hint="name a new folder, or a file that ends in .parquet"
        )
    if not path.parent.is_dir():
        raise ArgumentError(f"there is no folder to write '{shown(path)}' in", hint="make the folder first")


def write_parts(frame: pl.DataFrame, path: Path, rows: int = ROWS) -> None:
    """Write a table as part-00000.parquet and so on, of so many records each; all of it, or nothing.

    Only the user may look into the folder.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     write_parts(pl.DataFrame({"age": [31, 42, 53]}), Path(home) / "people", rows=2)
    ...     found = sorted(path.name for path in (Path(home) / "people").iterdir())
    ...     found, pl.read_parquet(Path(home) / "people").height
    (['part-00000.parquet', 'part-00001.parquet'], 3)
    """
    check_folder(path)
    temporary = temporaries.new_folder(path.parent)
    try:
        for number, part in enumerate(frame.iter_slices(rows)):
            target = temporary / f"part-{number:05d}.parquet"
            part.write_parquet(target)
            target.chmod(PRIVATE)
        temporary.rename(path)
    except OSError as error:
        raise DataError(
            f"'{shown(path)}' cannot be written: {error.strerror or 'the system refused'}",
            hint="check the permissions of the folder and the space on the disk",
        ) from None
    finally:
        temporaries.clear_folder(temporary)
