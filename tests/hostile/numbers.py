"""The numbers of two assessments, compared: which are lower, and which are gone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Document = Mapping[str, Any]

#: Shares of people that are higher where the risk is higher.
RISKS = frozenset(
    {
        "reidentification",
        "reidentification-strict",
        "reidentification-lenient",
        "interval-rank",
        "interval-sd",
        "interval-drisk",
        "sadr",
        "cells-external",
        "sample-uniques",
        "small-classes",
        "special-uniques",
        "prosecutor-risk",
        "marketer-risk",
    }
)


def rows(document: Document) -> dict[tuple[str, str, str], float | None]:
    """The value of each row that tells a risk, by attack, measure and attribute; None where the row says why
    there is none.
    """
    return {
        (row.get("attack") or "", row["measure"], row.get("subject") or ""): row["value"]
        for row in document["table"]
        if row["measure"] in RISKS
    }


def best(document: Document) -> float:
    """The rate of the attack that finds most."""
    found = [value for (_, measure, _), value in rows(document).items() if measure == "reidentification"]
    return max((value for value in found if value is not None), default=0.0)


def notes_of(document: Document) -> set[str]:
    """All that is noted, of the files and of each attack."""
    noted = [*document["notes"], *(note for attack in document["attacks"] for note in attack["notes"])]
    return {str(note) for note in noted}


def lower(before: Document, after: Document, tolerance: float) -> Iterator[str]:
    """Where the second assessment tells less than the first."""
    if best(after) < best(before) - tolerance - 1e-9:
        yield f"too low without a note: {best(before):.3f} -> {best(after):.3f}"
        return
    found = rows(after)
    for key, value in rows(before).items():
        name = " ".join(part for part in key if part)
        # One wrong cell may be an outlier, which moves single attacks: then the best one counts.
        if value is None or (key[0] and (tolerance or key[1] != "reidentification")):
            continue
        now = found.get(key)
        if key not in found and not _explained(key, found):
            yield f"{name} is gone without a note"
        elif now is not None and now < value - 2 * tolerance - 1e-9:
            yield f"{name} is too low without a note: {value:.3f} -> {now:.3f}"


def _explained(key: tuple[str, str, str], found: Mapping[tuple[str, str, str], float | None]) -> bool:
    """Whether an attribute's row of the same measure says why it has no value."""
    return not key[2] and any(other[1] == key[1] and value is None for other, value in found.items())


def differences(before: Document, after: Document) -> Iterator[str]:
    """Every number of two results that is not the same; texts may list attributes in another order."""
    for part in ("sizes", "worst"):
        if before[part] != after[part]:
            yield f"{part}: {before[part]} and {after[part]}"
    for what, listed in (("attributes", _attributes), ("standing", _standings)):
        if listed(before) != listed(after):
            yield f"{what}: {listed(before)} and {listed(after)}"
    first, second = ({_key(row): _numbers(row) for row in one["table"]} for one in (before, after))
    for key in first.keys() | second.keys():
        if first.get(key) != second.get(key):
            yield f"{' '.join(key)}: {first.get(key)} and {second.get(key)}"


def _attributes(document: Document) -> dict[str, str]:
    return {one["name"]: one["kind"] for one in document["scenario"]["attributes"]}


def _standings(document: Document) -> dict[str, Any]:
    return {one["name"]: one["standing"] for one in document["attacks"]}


def _numbers(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row.get(part) for part in ("value", "low", "high", "n", "baseline", "p_value", "by_setting"))


def _key(row: Mapping[str, Any]) -> tuple[str, ...]:
    parts = ("attack", "measure", "subject", "scenario", "release", "source")
    return tuple(str(row[part]) for part in parts if row.get(part))
