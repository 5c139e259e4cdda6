"""Files of SAS, SPSS and Stata, with their value labels and missing values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from unmask.data.io.sources import Options, existing, optional, reading, shown
from unmask.data.io.table import SourceTable, tabulate, whole_numbers
from unmask.data.microdata import as_text

_FUNCTIONS = {
    ".sas7bdat": ("read_sas7bdat", "a SAS file"),
    ".xpt": ("read_xport", "a SAS transport file"),
    ".sav": ("read_sav", "an SPSS file"),
    ".zsav": ("read_sav", "an SPSS file"),
    ".por": ("read_por", "an SPSS portable file"),
    ".dta": ("read_dta", "a Stata file"),
}


def read_statistical(path: Path, options: Options) -> SourceTable:
    """A table from a file of SAS, SPSS or Stata.

    System and user-defined missing values, and empty texts, are missing. A column whose every value has a
    label becomes text; one that is labelled in part (the ends of a scale, a special code) keeps its numbers.
    """
    source = shown(path)
    existing(path)
    pyreadstat = optional("pyreadstat", "stats", "a file of SAS, SPSS or Stata")
    function, what = _FUNCTIONS[path.suffix.lower()]
    with reading(source, what, "check that it is whole; if its texts are at fault, tell its encoding"):
        told = {"encoding": options.encoding} if options.encoding and function != "read_por" else {}
        parse = getattr(pyreadstat, function)
        frame, meta = parse(path, output_format="polars", **told)
        unused = _user_missing(parse, path, told) if function == "read_sav" else {}
        labels = {
            name: _labels(values, unused.get(name, []))
            for name, values in meta.variable_value_labels.items()
            if name in frame.columns
        }
        columns = {name: _missing_texts(whole_numbers(frame[name])) for name in frame.columns}
        labelled = {
            name: _labelled(columns[name], codes)
            for name, codes in labels.items()
            if _covers(columns[name], codes)
        }
        levels = {name: tuple(labels[name].values()) for name in labelled}
        return tabulate(pl.DataFrame([*(columns | labelled).values()]), source, levels)


def _user_missing(parse: Any, path: Path, told: dict[str, str]) -> dict[str, list[dict[str, Any]]]:
    """The ranges of values that SPSS calls missing; they are already gone from the records."""
    _, meta = parse(path, metadataonly=True, user_missing=True, **told)
    ranges: dict[str, list[dict[str, Any]]] = meta.missing_ranges
    return ranges


def _labels(values: dict[Any, str], missing: list[dict[str, Any]]) -> dict[str, str]:
    """The labels by code, in the order of the codes, without those of missing values."""
    numbers = any(isinstance(code, int | float) for code in values)
    # Among numbers, a code of text is Stata's ".a" to ".z": a kind of missing value.
    codes = sorted(code for code in values if isinstance(code, int | float) or not numbers)
    codes = [code for code in codes if not any(_within(code, bounds) for bounds in missing)]
    texts = [values[code] for code in codes]
    keys = as_text(pl.Series(codes)).to_list()
    # Two codes with one label stay apart by their codes.
    return {
        key: text if texts.count(text) == 1 else f"{text} [{key}]"
        for key, text in zip(keys, texts, strict=True)
    }


def _within(code: Any, bounds: dict[str, Any]) -> bool:
    low, high = bounds["lo"], bounds["hi"]
    return type(code) in (type(low), type(high)) and bool(low <= code <= high)


def _covers(series: pl.Series, labels: dict[str, str]) -> bool:
    found = as_text(series).drop_nulls().unique()
    return bool(labels) and bool(found.is_in(list(labels)).all())


def _labelled(series: pl.Series, labels: dict[str, str]) -> pl.Series:
    return as_text(series).replace_strict(list(labels), list(labels.values()), return_dtype=pl.String)


def _missing_texts(series: pl.Series) -> pl.Series:
    """These formats have no missing text but the empty one."""
    return series.set(series == "", None) if series.dtype == pl.String else series
