"""The document of attacker-knowledge curves: what it must hold, and how it is read back."""

from __future__ import annotations

from typing import Any

from unmask.report.shapes import Document, Kind, Maybe, Number, read

_POINT: dict[str, object] = {
    "attack": str,
    "attributes": [str],
    "error": Number.FINITE,
    "people": int,
    **dict.fromkeys(("value", "low", "high", "chance", "p_value"), Maybe(Number.SHARE)),
    "n": int,
    "reason": Maybe(str),
}
_CURVES = ("minimal_sets", "sets", "path", "errors", "shares")
_SHAPE: dict[str, object] = {
    "unmask": str,
    "seed": int,
    "scenario": {
        "text": str,
        "attributes": [{"name": str, "kind": str}],
        "missing": str,
        "error": Number.FINITE,
        "block": [str],
    },
    "sizes": dict.fromkeys(("original", "released", "targets", "present", "tried"), int),
    "attacks": [str],
    "notes": [str],
    "threshold": Maybe(Number.SHARE),
    **dict.fromkeys(("size", "enumerated", "limit"), int),
    "steps": {"taken": int, "fell": int},
    "by_attribute": [
        {
            "attribute": str,
            "alone": Maybe(Number.SHARE),
            "gain": Maybe(Number.FINITE),
            "minimal_sets": int,
        }
    ],
    **{curve: [_POINT] for curve in _CURVES},
}


def read_curves(text: str) -> dict[str, Any]:
    """The curves in a JSON text, checked, so that a report can be made of them.

    >>> read_curves('{"format": "unmask-knowledge", "version": 7}')
    Traceback (most recent call last):
    unmask.errors.DataError: the curves document has format version 7, and this unmask reads up to 1. Hint:
    update unmask, or use the one that wrote the file.
    """
    return read(text, (KNOWLEDGE,))[1]


def _check(document: Document) -> str | None:
    """What speaks of attacks or attributes that are not listed, or of a value without its interval."""
    names = [attribute["name"] for attribute in document["scenario"]["attributes"]]
    place = {name: i for i, name in enumerate(names)}
    if not names or len(place) != len(names):
        return "scenario.attributes"
    if not 1 <= document["enumerated"] <= len(names):
        return "enumerated"
    if {row["attribute"] for row in document["by_attribute"]} != set(names):
        return "by_attribute"
    for curve in _CURVES:
        for i, point in enumerate(document[curve]):
            known = [place.get(name, -1) for name in point["attributes"]]
            in_order = known == sorted(set(known)) and known[:1] > [-1]
            estimated = None not in (point["value"], point["low"], point["high"])
            absent = point["value"] is None and curve != "minimal_sets"
            if not (in_order and point["attack"] in document["attacks"] and (estimated or absent)):
                return f"{curve}[{i}]"
    return None


KNOWLEDGE = Kind("unmask-knowledge", 1, "curves document", "unmask knowledge", _SHAPE, _check)
