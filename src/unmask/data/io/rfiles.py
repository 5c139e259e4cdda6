"""Files of R: .rds with one object, .rda and .RData with several."""

from __future__ import annotations

import warnings
from pathlib import Path

import polars as pl

from unmask.data.io.limits import check_packed
from unmask.data.io.sources import Options, existing, optional, reading, shown
from unmask.data.io.table import SourceTable, tabulate
from unmask.errors import DataError

# The name that pyreadr gives to the column of row names.
_ROW_NAMES = "rownames"


def read_r(path: Path, options: Options) -> SourceTable:
    """A table from a data frame saved by R; ``table`` chooses among several.

    Factors become text with levels. The library that reads the file does not tell ordered factors from
    others, so their order is kept but not called meaningful. Row names are a column, unless they only count.
    """
    source = shown(path)
    existing(path)
    pyreadr = optional("pyreadr", "r", "a file of R")
    with reading(source, "a file of R"), warnings.catch_warnings():
        # It warns of objects that it leaves out; the error below lists those that are there.
        warnings.simplefilter("ignore")
        check_packed(path, source)
        objects = pyreadr.read_r(path, output_format="polars")
    frames = {name or "": frame for name, frame in objects.items() if isinstance(frame, pl.DataFrame)}
    return tabulate(_plain_rows(_chosen(frames, options.table, source)), source)


def _chosen(frames: dict[str, pl.DataFrame], told: str | None, source: str) -> pl.DataFrame:
    if not frames:
        raise DataError(f"{source} holds no data frame", hint="save a data frame with save() or saveRDS()")
    names = ", ".join(frames)
    # The object in an .rds file has no name.
    if len(frames) == 1 and (told is None or "" in frames):
        return next(iter(frames.values()))
    if told is None:
        raise DataError(f"{source} holds {len(frames)} objects", hint=f"tell which table to read: {names}")
    if told not in frames:
        raise DataError(f"{source} has no object '{told}'", hint=f"its objects: {names}")
    return frames[told]


def _plain_rows(frame: pl.DataFrame) -> pl.DataFrame:
    if _ROW_NAMES in frame.columns and frame.width > 1:
        counting = [str(i) for i in range(1, frame.height + 1)]
        if frame[_ROW_NAMES].to_list() == counting:
            return frame.drop(_ROW_NAMES)
    return frame
