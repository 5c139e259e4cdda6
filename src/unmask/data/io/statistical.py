"""Files of SAS, SPSS and Stata, with their value labels and missing values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from unmask.data.io.sources import Options, existing, optional, reading, shown
from unmask.data.io.stored import Code, Stored, plain
from unmask.data.io.table import SourceTable, tabulate, whole_numbers
from unmask.data.io.transport import check_transport
from unmask.data.text import plain_text


@dataclass(frozen=True)
class _Format:
    """How a format is read; ``special``: its missing values may be told apart (".a", ".b")."""

    function: str
    what: str
    package: str
    encoded: bool = True
    special: bool = False


_FORMATS = {
    ".sas7bdat": _Format("read_sas7bdat", "a SAS file", "SAS", special=True),
    ".xpt": _Format("read_xport", "a SAS transport file", "SAS"),
    ".sav": _Format("read_sav", "an SPSS file", "SPSS"),
    ".zsav": _Format("read_sav", "an SPSS file", "SPSS"),
    ".por": _Format("read_por", "an SPSS portable file", "SPSS", encoded=False),
    ".dta": _Format("read_dta", "a Stata file", "Stata", special=True),
}


def read_statistical(path: Path, options: Options) -> SourceTable:
    """A table from a file of SAS, SPSS or Stata.

    System and user-defined missing values, and empty texts, are missing. A column whose every value has a
    label becomes text; one that is labelled in part (the ends of a scale, a special code) keeps its numbers.
    ``stored`` remembers the codes, their labels and which user-defined missing value stood where.
    """
    source = shown(path)
    existing(path)
    pyreadstat = optional("pyreadstat", "stats", "a file of SAS, SPSS or Stata")
    form = _FORMATS[path.suffix.lower()]
    with reading(source, form.what, "check that it is whole; if its texts are at fault, tell its encoding"):
        if form.function == "read_xport":
            check_transport(path, source)
        told = {"encoding": options.encoding} if options.encoding and form.encoded else {}
        parse = partial(getattr(pyreadstat, form.function), path, output_format="polars", **told)
        frame, stored = _special(parse, form) if form.special else _declared(parse, form)
        columns = {name: _missing_texts(whole_numbers(frame[name])) for name in frame.columns}
        texts = {name: _texts(column) for name, column in stored.items()}
        texts = {name: codes for name, codes in texts.items() if _covers(columns[name], codes)}
        columns |= {name: _labelled(columns[name], codes) for name, codes in texts.items()}
        stored |= {name: replace(stored[name], texts=codes) for name, codes in texts.items()}
        levels = {name: tuple(codes) for name, codes in texts.items()}
        table = tabulate(pl.DataFrame([*columns.values()]), source, levels)
        return replace(table, stored={plain_text(name): column for name, column in stored.items()})


def _declared(parse: Any, form: _Format) -> tuple[pl.DataFrame, dict[str, Stored]]:
    """The records, and the columns with the missing values that the file declares (in SPSS)."""
    frame, _ = parse()
    # Labels and missing values of dates are numbers of seconds: they are read as they stand in the file.
    kept = {"user_missing": True} if form.function == "read_sav" else {}
    _, meta = parse(metadataonly=True, disable_datetime_conversion=True, **kept)
    stored = {name: _stored(meta, name, form) for name in frame.columns}
    names = [name for name, column in stored.items() if column.missing]
    if names:
        raw, _ = parse(usecols=names, disable_datetime_conversion=True, **kept)
        for name in names:
            stored[name] = replace(stored[name], codes=_user_missing(raw[name], stored[name]))
    return frame, stored


def _special(parse: Any, form: _Format) -> tuple[pl.DataFrame, dict[str, Stored]]:
    """The records, and the columns with the special missing values that stand in them (Stata, SAS)."""
    frame, _ = parse()
    _, meta = parse(metadataonly=True, disable_datetime_conversion=True)
    stored = {name: _stored(meta, name, form) for name in frame.columns}
    numbers = [name for name in frame.columns if meta.readstat_variable_types[name] != "string"]
    if not numbers:
        return frame, stored
    # Numbers and letters stand together here, so that the columns have no type: it is a reading of its own.
    mixed, found = parse(usecols=numbers, user_missing=True, disable_datetime_conversion=True)
    for name in found.missing_user_values:
        cells = [f".{cell}" if isinstance(cell, str) else None for cell in mixed[name]]
        codes = pl.Series(name, cells, dtype=pl.String)
        tags = tuple((tag, tag) for tag in codes.drop_nulls().unique().sort())
        stored[name] = replace(stored[name], missing=tags, codes=codes)
    return frame, stored


def _stored(meta: Any, name: str, form: _Format) -> Stored:
    values = meta.variable_value_labels.get(name, {})
    numbers = any(isinstance(code, int | float) for code in values)
    # Among numbers, a code of text is Stata's ".a" to ".z": a kind of missing value.
    labels: dict[Code, str] = {
        f".{code}" if numbers and isinstance(code, str) else plain(code): text
        for code, text in values.items()
    }
    return Stored(
        form.package,
        meta.column_names_to_labels.get(name) or "",
        labels,
        missing=tuple((plain(one["lo"]), plain(one["hi"])) for one in meta.missing_ranges.get(name, [])),
        format=meta.original_variable_types.get(name) or "",
        measure=meta.variable_measure.get(name) or "",
    )


def _user_missing(series: pl.Series, column: Stored) -> pl.Series | None:
    """The codes of the records whose value is declared to be missing, null elsewhere."""
    codes = [code for code in series.unique().drop_nulls() if column.is_missing(code)]
    return series.set(~series.is_in(codes), None) if codes else None


def _texts(column: Stored) -> dict[str, Code]:
    """The codes by the texts that stand for them, in the order of the codes, without missing values."""
    numbers = any(not isinstance(code, str) for code in column.labels)
    codes = [code for code in column.labels if isinstance(code, str) != numbers]
    codes = sorted(code for code in codes if not column.is_missing(code))
    labels = [column.labels[code] for code in codes]
    # Two codes with one label stay apart by their codes.
    return {
        label if labels.count(label) == 1 else f"{label} [{code}]": code
        for code, label in zip(codes, labels, strict=True)
    }


def _covers(series: pl.Series, texts: dict[str, Code]) -> bool:
    codes = _comparable(pl.Series(list(texts.values()), strict=False))
    found = _comparable(series).drop_nulls()
    return len(codes) > 0 and codes.dtype == found.dtype and bool(found.is_in(codes.implode()).all())


def _labelled(series: pl.Series, texts: dict[str, Code]) -> pl.Series:
    codes = _comparable(pl.Series(list(texts.values()), strict=False))
    return _comparable(series).replace_strict(codes, list(texts), return_dtype=pl.String)


def _comparable(series: pl.Series) -> pl.Series:
    """Numbers as floats, however they are stored; a column without values fits any label."""
    return series.cast(pl.Float64) if series.dtype.is_numeric() or series.dtype == pl.Null else series


def _missing_texts(series: pl.Series) -> pl.Series:
    """These formats have no missing text but the empty one."""
    return series.set(series == "", None) if series.dtype == pl.String else series
