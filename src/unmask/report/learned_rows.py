"""What was learned from the truth, as rows: how much each attribute counts, alone and in pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unmask.report.charts import Row
from unmask.report.document import Document
from unmask.report.numbers import percent

MORE, LESS = "more together", "less together"


def lessons(document: Document) -> dict[str, Mapping[str, Any]]:
    """What was learned, by attack."""
    return {attack["name"]: attack["learned"] for attack in document["attacks"] if attack.get("learned")}


def weight_rows(lesson: Mapping[str, Any]) -> list[Row]:
    """The weights with their labels: attributes by falling weight, or places from the largest difference."""
    if lesson["form"] == "owa":
        n = len(lesson["parameters"])
        pairs = [(_place(i, n), float(weight)) for i, weight in enumerate(lesson["parameters"])]
    else:
        pairs = list(zip(lesson["attributes"], map(float, lesson["weights"]), strict=True))
        pairs.sort(key=lambda pair: -pair[1])
    return [{"label": label, "weight": weight, "share": _weight(weight)} for label, weight in pairs]


def interaction_rows(lesson: Mapping[str, Any]) -> list[Row]:
    """The pairs of attributes by falling strength of interaction."""
    names = lesson["attributes"]
    strongest = sorted(lesson["interactions"], key=lambda entry: -abs(entry[2]))
    return [
        {
            "pair": f"{names[i]} and {names[j]}",
            "value": value,
            "shown": f"{value:+.3f}",
            "kind": MORE if value > 0 else LESS,
        }
        for i, j, value in strongest
    ]


def _place(i: int, n: int) -> str:
    if n > 1 and i == n - 1:
        return "smallest difference"
    ordinal = {0: "", 1: "2nd ", 2: "3rd "}.get(i, f"{i + 1}th ")
    return f"{ordinal}largest difference"


def _weight(weight: float) -> str:
    return percent(min(max(weight, 0.0), 1.0))
