"""The document that reports are made from: what it must hold, how it is read back, how it is looked up."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from unmask.errors import DataError

#: Plain data, as JSON holds it.
Document = Mapping[str, Any]

FORMAT = "unmask-assessment"
NEWEST = 1

#: The measure that headlines, tables and charts show: a tie of t counts 1/t.
EXPECTED = "reidentification"
STRICT = "reidentification-strict"
LENIENT = "reidentification-lenient"
UNION = "union"

_REMEDY = "write it again with 'unmask assess ... --json FILE'"


class _Share:
    """The shape of a number between 0 and 1 that may be missing."""


class _Number:
    """The shape of a number that may be missing."""


_RESULT: dict[str, object] = {
    "attack": str,
    "measure": str,
    "n": int,
    **dict.fromkeys(("value", "low", "high", "chance", "p_value"), _Share),
    "reason": str | None,
}
_SHAPE: dict[str, object] = {
    "unmask": str,
    "seed": int,
    "scenario": {"text": str, "attributes": [{"name": str, "kind": str}], "missing": str},
    "sizes": dict.fromkeys(("original", "released", "targets", "present"), int),
    "notes": [str],
    "attacks": [{"name": str, "baseline": bool, "notes": [str], "standing": dict}],
    "worst": str | None,
    "results": [_RESULT],
}
_FINDING: dict[str, object] = {
    "measure": str,
    "subject": str,
    "n": int,
    **dict.fromkeys(("value", "low", "high", "baseline"), _Number),
    "unit": str,
    "meaning": str,
    "reason": str | None,
}
_POINT: dict[str, object] = dict.fromkeys(("at", "value", "low", "high"), _Number)
_CURVE: dict[str, object] = {"over": str, "points": [_POINT]}


def read_document(text: str) -> dict[str, Any]:
    """The document in a JSON text, checked, so that a report can be made of it.

    >>> read_document("{}")
    Traceback (most recent call last):
    unmask.errors.DataError: the JSON is not an unmask assessment. Hint: write it again with 'unmask assess
    ... --json FILE'.
    """
    try:
        document = json.loads(text, parse_constant=_not_a_number)
    except (ValueError, RecursionError):
        raise DataError("the text is not JSON", hint=f"give a file of 'unmask assess'; {_REMEDY}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise DataError("the JSON is not an unmask assessment", hint=_REMEDY)
    version = document.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise DataError("the assessment has no format version", hint=_REMEDY)
    if version > NEWEST:
        raise DataError(
            f"the assessment has format version {version}, and this unmask reads up to {NEWEST}",
            hint="update unmask, or use the one that wrote the file",
        )
    _check(document, _SHAPE, "")
    _check_findings(document.get("findings", []))
    _check_names(document)
    return document


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


def _not_a_number(token: str) -> NoReturn:
    # Python reads NaN and Infinity, which JSON does not have and no share can be.
    raise ValueError(token)


def _check(value: object, shape: object, where: str) -> None:
    """Compare a value with its shape, and name the first part that does not fit."""
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            raise _unfit(where)
        for key, inner in shape.items():
            place = f"{where}.{key}".lstrip(".")
            if key not in value:
                raise DataError(f"the assessment lacks '{place}'", hint=_REMEDY)
            _check(value[key], inner, place)
    elif isinstance(shape, list):
        if not isinstance(value, list):
            raise _unfit(where)
        for i, item in enumerate(value):
            _check(item, shape[0], f"{where}[{i}]")
    elif not _fits(value, shape):
        raise _unfit(where)


def _check_findings(findings: object) -> None:
    """Findings came later than the rest: an assessment without them is whole."""
    _check(findings, [_FINDING], "findings")
    for i, finding in enumerate(findings if isinstance(findings, list) else []):
        if finding.get("curve") is not None:
            _check(finding["curve"], _CURVE, f"findings[{i}].curve")


def _fits(value: object, shape: Any) -> bool:
    if isinstance(value, bool):  # which Python also counts as a whole number
        return shape is bool
    if shape is _Share:
        return value is None or (isinstance(value, int | float) and 0 <= value <= 1)
    if shape is _Number:
        return value is None or isinstance(value, int | float)
    if shape is int:
        return isinstance(value, int) and value >= 0
    if shape is dict:
        return isinstance(value, dict) and all(_fits(item, int) for item in value.values())
    return isinstance(value, shape)


def _check_names(document: Document) -> None:
    names = [attack["name"] for attack in document["attacks"]]
    if len(set(names)) != len(names) or not (names or document.get("findings")):
        raise _unfit("attacks")
    worst = document["worst"]
    if worst is None:
        return
    found = result(document, worst)
    if worst not in names or found is None or found["value"] is None:
        raise _unfit("worst")


def _unfit(where: str) -> DataError:
    return DataError(f"the assessment's '{where}' is not what unmask writes", hint=_REMEDY)
