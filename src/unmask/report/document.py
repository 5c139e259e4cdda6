"""The document that reports are made from: what it must hold, how it is read back, how it is looked up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unmask.report.shapes import Document, Each, Kind, Later, Maybe, Number, read

__all__ = [
    "ASSESSMENT",
    "EXPECTED",
    "LENIENT",
    "RELEASES",
    "STRICT",
    "UNION",
    "Document",
    "is_baseline",
    "is_informed",
    "read_document",
    "real_attacks",
    "result",
]

#: The measure that headlines, tables and charts show: a tie of t counts 1/t.
EXPECTED = "reidentification"
STRICT = "reidentification-strict"
LENIENT = "reidentification-lenient"
UNION = "union"

_RESULT: dict[str, object] = {
    "attack": str,
    "measure": str,
    "n": int,
    **dict.fromkeys(("value", "low", "high", "chance", "p_value"), Maybe(Number.SHARE)),
    "reason": Maybe(str),
}
_LESSON: dict[str, object] = {
    "form": str,
    **dict.fromkeys(("records", "found", "ceiling"), int),
    "bound": Maybe(int),
    "margin": Maybe(Number.FINITE),
    "attributes": [str],
    "weights": [Number.FINITE],
    "interactions": [(int, int, Number.FINITE)],
    "parameters": [Number.FINITE],
    "status": str,
}
_READING: dict[str, object] = {
    **dict.fromkeys(("value", "low", "high"), Maybe(Number.SHARE)),
    "n": int,
    "reason": Maybe(str),
}
_NULL: dict[str, object] = {
    **dict.fromkeys(("observed", "mean", "upper"), Number.FINITE),
    "p_value": Number.SHARE,
    "draws": int,
}
_ATTACK: dict[str, object] = {
    "name": str,
    "baseline": bool,
    "informed": Later(bool),
    "learned": Later(Maybe(_LESSON)),
    "readings": Later(Maybe(dict.fromkeys(("alone", "group", "expected"), _READING))),
    "cut": Later(bool),
    "permutation": Later(Maybe(_NULL)),
    "notes": [str],
    "standing": Each(int),
}
_POINT: dict[str, object] = {
    **dict.fromkeys(("at", "value"), Number.FINITE),
    **dict.fromkeys(("low", "high"), Maybe(Number.FINITE)),
}
_FINDING: dict[str, object] = {
    "measure": str,
    "subject": str,
    "n": int,
    **dict.fromkeys(("value", "low", "high", "baseline"), Maybe(Number.FINITE)),
    "unit": str,
    "meaning": str,
    "reason": Maybe(str),
    "curve": Later(Maybe({"over": str, "points": [_POINT]})),
}
#: The comparison of a release with earlier ones, also where it stands alone.
RELEASES: dict[str, object] = {
    "how": frozenset(("order", "key", "confidential", "none")),
    "through": [str],
    **dict.fromkeys(("joined", "joined right"), Maybe(int)),
    "earlier": [
        {"release": str, "records": int, **dict.fromkeys(("joined", "joined right"), Maybe(int))},
    ],
    "notes": [str],
    "rows": [_RESULT | {"release": str}],
}
_SOURCES: dict[str, object] = {
    "sources": [{"source": str, "attributes": [str], "people": int, "error": Number.FINITE}],
    "people": int,
    "common": int,
    "notes": [str],
    "rows": [_RESULT | {"source": str, "whom": str}],
}
_SHAPE: dict[str, object] = {
    "unmask": str,
    "seed": int,
    "scenario": {
        "text": str,
        "attributes": [{"name": str, "kind": str}],
        "missing": str,
        "error": Later(Number.FINITE),
        "block": Later([str]),
    },
    "sizes": {**dict.fromkeys(("original", "released", "targets", "present"), int), "tried": Later(int)},
    "notes": [str],
    "named": Later(bool),
    "attacks": [_ATTACK],
    "worst": Maybe(str),
    "results": [_RESULT],
    "findings": Later([_FINDING]),
    "releases": Later(Maybe(RELEASES)),
    "sources": Later(Maybe(_SOURCES)),
}


def read_document(text: str) -> dict[str, Any]:
    """The assessment in a JSON text, checked, so that a report can be made of it.

    >>> read_document("{}")
    Traceback (most recent call last):
    unmask.errors.DataError: the JSON is not an unmask assessment. Hint: give a file that 'unmask assess'
    wrote with --json.
    """
    return read(text, (ASSESSMENT,))[1]


def result(document: Document, attack: str, measure: str = EXPECTED) -> Mapping[str, Any] | None:
    """The result of an attack under a measure, if the assessment has it.

    >>> found = {"attack": "dbrl", "measure": "reidentification", "value": 0.5}
    >>> result({"results": [found]}, "dbrl")["value"], result({"results": [found]}, "guess")
    (0.5, None)
    """
    matching = (r for r in document["results"] if r["attack"] == attack and r["measure"] == measure)
    return next(matching, None)


def real_attacks(document: Document) -> list[str]:
    """The attacks that an intruder can make: neither the baseline nor informed by the truth.

    >>> real_attacks({"attacks": [{"name": "guess", "baseline": True}, {"name": "dbrl", "baseline": False}]})
    ['dbrl']
    """
    return [
        attack["name"]
        for attack in document["attacks"]
        if not attack["baseline"] and not attack.get("informed", False)
    ]


def is_informed(document: Document, name: str) -> bool:
    """Whether the truth was used to choose the attack's parameters, which no intruder can do.

    >>> is_informed({"attacks": [{"name": "learned-wm", "informed": True}]}, "learned-wm")
    True
    """
    return any(attack.get("informed", False) for attack in document["attacks"] if attack["name"] == name)


def is_baseline(document: Document, name: str) -> bool:
    """Whether the attack is there to be compared with.

    >>> is_baseline({"attacks": [{"name": "guess", "baseline": True}]}, "guess")
    True
    """
    return any(attack["baseline"] for attack in document["attacks"] if attack["name"] == name)


def unjoined(section: Document) -> bool:
    """Whether a comparison counts records that were followed, but not into every earlier release."""
    keys = ("joined", "joined right")
    return section["joined"] is not None and any(
        earlier[key] is None for earlier in section["earlier"] for key in keys
    )


def _check(document: Document) -> str | None:
    names = [attack["name"] for attack in document["attacks"]]
    if len(set(names)) != len(names) or not (names or document.get("findings")):
        return "attacks"
    for i, attack in enumerate(document["attacks"]):
        if attack.get("learned") and not _sound(attack["learned"]):
            return f"attacks[{i}].learned"
    if document.get("releases") and unjoined(document["releases"]):
        return "releases.earlier"
    worst = document["worst"]
    if worst is None:
        return None
    found = result(document, worst)
    return "worst" if worst not in names or found is None or found["value"] is None else None


def _sound(lesson: Document) -> bool:
    """Whether weights and interactions belong to the attributes, and no count is beyond the people."""
    n = len(lesson["attributes"])
    counts = [lesson["found"], lesson["ceiling"], lesson["bound"] or 0]
    return (
        (lesson["form"] == "owa" or len(lesson["weights"]) == n)
        and all(i < n and j < n for i, j, _ in lesson["interactions"])
        and all(count <= lesson["records"] for count in counts)
    )


ASSESSMENT = Kind("unmask-assessment", 1, "assessment", "unmask assess", _SHAPE, _check)
