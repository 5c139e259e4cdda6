"""How an attribute is in the released file, as a schema file says it: ``[column.released]``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from math import nan
from typing import Any

from unmask.data.correspondence import Banding, Correspondence, Recode, ReleasedColumn, Rounding, RoundingTo
from unmask.data.hierarchy import read_hierarchy
from unmask.data.schema import KIND_WORDS, Column
from unmask.data.values.bands import Band, parse_bands
from unmask.errors import SchemaError

KEYS = (
    "name",
    "kind",
    "levels",
    "missing",
    "recode",
    "hierarchy",
    "level",
    "bands",
    "numbers",
    "step",
    "to",
    "bottom",
    "top",
    "bottom_as",
    "top_as",
)
RULES = ("recode", "hierarchy", "bands", "step", "bottom", "top")
_INTERVAL = re.compile(r"([\[(])\s*([^,\s]+)\s*,\s*([^,\s]+)\s*([\])])")


def released_entry(
    attribute: str, entry: Mapping[str, Any], texts: Callable[[object], tuple[str, ...]]
) -> ReleasedColumn:
    """What a schema file says of an attribute in the release; ``texts`` reads a list of texts.

    >>> entry = released_entry("age", {"bands": ["0-17", "18+"]}, tuple)
    >>> [band.label for band in entry.correspondence.bands]
    ['0-17', '18+']
    """
    where = f"'{attribute}' in the release"
    unknown = [key for key in entry if key not in KEYS]
    if unknown:
        raise SchemaError(f"{where} has an unknown key", hint=f"known: {', '.join(KEYS)}")
    word = entry.get("kind")
    if word is not None and word not in KIND_WORDS:
        raise SchemaError(f"the kind of {where} is unknown", hint=f"use one of {', '.join(KIND_WORDS)}")
    levels = texts(entry.get("levels", []))
    return ReleasedColumn(
        attribute,
        _text(entry.get("name"), f"the name of {where}"),
        texts(entry.get("missing", [])),
        None if word is None else Column.of(attribute, word, levels=levels).kind,
        levels,
        _correspondence(entry, where),
    )


def to_entry(there: ReleasedColumn) -> dict[str, Any]:
    """The same as plain data, without what is not said."""
    entry: dict[str, Any] = {"name": there.name, "missing": list(there.missing)}
    if there.kind is not None:
        entry |= {"kind": there.kind.value, "levels": list(there.levels)}
    rule = there.correspondence
    if isinstance(rule, Recode):
        entry["recode"] = dict(rule.pairs)
    elif isinstance(rule, Banding):
        entry |= {
            "bands": {band.label: _interval(band) for band in rule.bands},
            "numbers": rule.numeric or None,
        }
    elif isinstance(rule, Rounding):
        ends = {key: getattr(rule, key) for key in ("bottom", "top", "bottom_as", "top_as")}
        entry |= {"step": float(rule.step) or None, "to": rule.to.value if rule.step else None}
        entry |= {key: None if end is None else float(end) for key, end in ends.items()}
    return {key: value for key, value in entry.items() if value is not None and value not in ([], {})}


def _interval(band: Band) -> str:
    """A band with its ends, as it is read back, to the last digit."""
    low, high = (repr(float(end)).removesuffix(".0") for end in (band.low, band.high))
    return f"{'(' if band.low_open else '['}{low}, {high}{')' if band.high_open else ']'}"


def _exact_bands(intervals: Mapping[str, str]) -> tuple[Band, ...] | None:
    """The bands of intervals in brackets, by their labels; None where one is written in another way."""
    found = []
    for label, text in intervals.items():
        ends = _INTERVAL.fullmatch(text.strip())
        try:
            low, high = (float(ends[2]), float(ends[3])) if ends else (nan, nan)
        except ValueError:
            return None
        if not low <= high or ends is None:
            return None
        found.append(Band(label, low, high, ends[1] == "(", ends[4] == ")"))
    found.sort(key=lambda band: (band.low, band.high))
    apart = all(
        a.high < b.low or (a.high == b.low and (a.high_open or b.low_open)) for a, b in pairwise(found)
    )
    return tuple(found) if apart else None


def _text(value: object, what: str) -> str | None:
    if value is not None and not isinstance(value, str):
        raise SchemaError(f"{what} is not a text", hint="put it in double quotes")
    return value


def _correspondence(entry: Mapping[str, Any], where: str) -> Correspondence | None:
    told = [key for key in RULES if key in entry]
    if not told:
        return None
    if len(told) > 1 and not set(told) <= {"step", "bottom", "top"}:
        raise SchemaError(f"{where} is recoded in two ways", hint=f"keep one of {', '.join(told)}")
    if "recode" in entry:
        return _recode(entry["recode"], where)
    if "hierarchy" in entry:
        return Recode(tuple(read_hierarchy(str(entry["hierarchy"]), int(entry.get("level", 1))).items()))
    if "bands" in entry:
        return replace(_banding(entry["bands"], where), numeric=_yes(entry.get("numbers", False), where))
    return _rounding(entry, where)


def _recode(value: object, where: str) -> Recode:
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise SchemaError(
            f"the recode of {where} is no table of texts", hint='write recode = { a = "a|b", b = "a|b" }'
        )
    return Recode(tuple((str(before), after) for before, after in value.items()))


def _banding(value: object, where: str) -> Banding:
    """A list of labels that read as bands, or a table of labels and the intervals that they stand for."""
    hint = 'write bands = ["0-17", "18+"], or bands = { young = "[0, 18)", old = "[18, inf)" }'
    if isinstance(value, dict):
        texts = {str(label): str(interval) for label, interval in value.items()}
        renamed = _exact_bands(texts) or _named_bands(texts)
    else:
        renamed = parse_bands(map(str, value)) if isinstance(value, list) else None
    if renamed is None:
        raise SchemaError(f"the bands of {where} do not read as bands", hint=hint)
    return Banding(renamed)


def _named_bands(intervals: Mapping[str, str]) -> tuple[Band, ...] | None:
    """The bands of intervals in any notation, under their labels."""
    bands = parse_bands(intervals.values())
    names = {interval: label for label, interval in intervals.items()}
    return None if bands is None else tuple(replace(band, label=names[band.label]) for band in bands)


def _yes(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise SchemaError(
            f"'numbers' of {where} is neither true nor false",
            hint="write numbers = true where the labels of the bands are numbers in the release",
        )
    return value


def _rounding(entry: Mapping[str, Any], where: str) -> Rounding:
    for key in ("step", "bottom", "top", "bottom_as", "top_as"):
        value = entry.get(key, 1)
        if not isinstance(value, int | float) or isinstance(value, bool) or (key == "step" and value <= 0):
            raise SchemaError(f"the {key} of {where} is no number", hint=f"write {key} = 1000")
    to = entry.get("to", "nearest")
    if to not in list(RoundingTo):
        raise SchemaError(
            f"{where} is rounded to what is unknown", hint=f"use one of {', '.join(RoundingTo)}"
        )
    ends = (entry.get(key) for key in ("bottom", "top", "bottom_as", "top_as"))
    limits = (None if end is None else float(end) for end in ends)
    return Rounding(float(entry.get("step", 0.0)), RoundingTo(to), *limits)
