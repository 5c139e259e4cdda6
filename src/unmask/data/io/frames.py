"""Frames of other libraries, in and out, by the Arrow interface.

No library is imported here: an object brings its own.
"""

from __future__ import annotations

import sys
from typing import Any, TypeVar, cast

import polars as pl

from unmask.data.io.sources import reading
from unmask.data.io.table import SourceTable, tabulate
from unmask.errors import DataError, MissingDependencyError

Model = TypeVar("Model")

_SUPPORTED = "polars, pandas, pyarrow, duckdb, or any object with '__arrow_c_stream__'"


def from_any(obj: object, source: str = "the frame") -> SourceTable:
    """A table from a frame of polars, pandas, pyarrow, duckdb or anything with the Arrow interface.

    Categorical columns keep the order of their categories. A pandas index is not a column; ``like`` puts it
    back.

    >>> from_any(pl.DataFrame({"age": [31, 54]})).frame.shape
    (2, 1)
    """
    if isinstance(obj, SourceTable):
        return obj
    if isinstance(obj, pl.LazyFrame):
        with reading(source, "a polars query", "collect it first, and mend what that tells"):
            obj = obj.collect()
    if isinstance(obj, pl.DataFrame):
        return tabulate(obj, source)
    if type(obj).__name__ == "Series":  # which has the interface too, in polars and in pandas
        raise DataError(f"{source} is a single column", hint="make a frame of it: to_frame()")
    if not hasattr(obj, "__arrow_c_stream__"):
        raise DataError(f"{source} is of type {type(obj).__name__}, not a frame", hint=f"give {_SUPPORTED}")
    frame: Any = obj
    with reading(source, "a frame", "give every column a name of its own and one type"):
        levels, ordered = _categories(frame)
        columns = _through_arrow(frame, levels)
        texts = [pl.col(name).cast(pl.String) for name in levels]
        return tabulate(columns.with_columns(texts), source, levels, ordered)


def _through_arrow(frame: Any, levels: dict[str, tuple[str, ...]]) -> pl.DataFrame:
    if _library(frame) != "pandas":
        return pl.DataFrame(frame)
    _pyarrow_present("a pandas frame")
    frame = frame.rename(columns=str)
    # Categories may be intervals or other objects that Arrow has no type for; as text they all go through.
    named = {name: frame[name].cat.rename_categories(list(texts)) for name, texts in levels.items()}
    return pl.from_pandas(frame.assign(**named))


def _categories(frame: Any) -> tuple[dict[str, tuple[str, ...]], set[str]]:
    """The categories of each categorical column, in order, and which columns call the order meaningful."""
    match _library(frame):
        case "pandas":
            dtypes = {str(name): dtype for name, dtype in frame.dtypes.items() if dtype.name == "category"}
            levels = {name: tuple(str(v) for v in dtype.categories) for name, dtype in dtypes.items()}
            return levels, {name for name, dtype in dtypes.items() if dtype.ordered}
        case "pyarrow" if hasattr(frame, "column"):
            return _arrow_categories(frame)
        case "duckdb":
            enums = [(n, t) for n, t in zip(frame.columns, frame.types, strict=True) if t.id == "enum"]
            return {name: tuple(dtype.children[0][1]) for name, dtype in enums}, set()
        case _:
            return {}, set()


def _arrow_categories(frame: Any) -> tuple[dict[str, tuple[str, ...]], set[str]]:
    levels, ordered = {}, set()
    for field in frame.schema:
        if not hasattr(field.type, "index_type") or not hasattr(field.type, "ordered"):
            continue
        # One dictionary for all chunks: each may come with its own.
        column = frame.column(field.name)
        column = column.unify_dictionaries() if hasattr(column, "unify_dictionaries") else column
        chunks = column.chunks if hasattr(column, "chunks") else [column]
        values = chunks[0].dictionary.to_pylist() if chunks else []
        levels[field.name] = tuple(str(value) for value in values)
        if field.type.ordered:
            ordered.add(field.name)
    return levels, ordered


def like(frame: pl.DataFrame, model: Model) -> Model:
    """The frame as the type of ``model``: pandas in, pandas out.

    A pandas index is kept where the number of records is the same, and categorical columns of polars and
    pandas stay so where their categories still hold every value. A duckdb relation comes back on duckdb's
    default connection. What is of no known type comes back as polars.

    >>> like(pl.DataFrame({"age": [31]}), pl.LazyFrame()).collect().shape
    (1, 1)
    """
    return cast(Model, _as_library(frame, model))


def _as_library(frame: pl.DataFrame, model: Any) -> object:
    match _library(model):
        case "polars" if isinstance(model, pl.LazyFrame):
            return _as_enumerated(frame, model.collect_schema()).lazy()
        case "polars":
            return _as_enumerated(frame, model.schema)
        case "pandas":
            return _as_pandas(frame, model)
        case "pyarrow":
            return frame.to_arrow()
        case "duckdb":
            return sys.modules["duckdb"].from_arrow(frame)
        case _:
            return frame


def _as_enumerated(frame: pl.DataFrame, schema: pl.Schema) -> pl.DataFrame:
    """The texts that came from enumerations, as such again; not where a value is no longer among theirs."""
    dtypes = {
        name: dtype
        for name, dtype in schema.items()
        if isinstance(dtype, pl.Categorical)
        or (isinstance(dtype, pl.Enum) and _within(frame, name, dtype.categories.to_list()))
    }
    return frame.with_columns(pl.col(name).cast(dtypes[name]) for name in dtypes if name in frame.columns)


def _as_pandas(frame: pl.DataFrame, model: Any) -> Any:
    _pyarrow_present("a pandas frame")
    out = frame.to_pandas()
    if len(out) == len(model):
        out = out.set_axis(model.index)
    for name, dtype in model.dtypes.items():
        # Categories that are not text came in as text, and stay so.
        if dtype.name == "category" and _within(frame, name, list(dtype.categories)):
            out[name] = out[name].astype(dtype)
    return out


def _within(frame: pl.DataFrame, name: str, categories: list[str]) -> bool:
    return name in frame.columns and set(frame[name].drop_nulls().unique().to_list()) <= set(categories)


def _library(obj: object) -> str:
    return type(obj).__module__.partition(".")[0].lstrip("_")


def _pyarrow_present(purpose: str) -> None:
    """Pandas and polars exchange columns through pyarrow, and their own message is not for users."""
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise MissingDependencyError("pyarrow", "arrow", purpose) from None
