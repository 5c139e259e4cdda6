"""Older documents, brought to the present version: nothing is lost, and nothing is made up.

Version 1 had a list of rows for each question (results, findings, rows of releases and of sources, one list
per curve), called a baseline ``chance`` and had no texts of methods. Version 2 has one table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from unmask.about import About
from unmask.documents.codec import plain

Plain = Mapping[str, Any]

#: What a number is called now.
_NAMES = {"chance": "baseline", "whom": "people", "attributes": "known"}


def assessment_from_1(old: Plain) -> dict[str, Any]:
    """An assessment of version 1.

    >>> result = {"attack": "dbrl", "measure": "reidentification", "value": 0.5, "chance": 0.1}
    >>> old = {"sizes": {"targets": 3}, "attacks": [], "results": [result]}
    >>> assessment_from_1(old)["table"]
    [{'attack': 'dbrl', 'measure': 'reidentification', 'value': 0.5, 'baseline': 0.1}]
    """
    findings = [_finding(row) for row in old.get("findings", [])]
    rows = [*_rows(old["results"]), *_rows(findings)]
    for part in ("releases", "sources"):
        rows += _rows((old.get(part) or {}).get("rows", []))
    return {
        **old,
        "sizes": {"tried": old["sizes"]["targets"], **old["sizes"]},
        "attacks": [_attack(attack) for attack in old["attacks"]],
        "releases": _releases(old.get("releases")),
        "table": rows,
        "methods": _methods(rows),
    }


def knowledge_from_1(old: Plain) -> dict[str, Any]:
    """Knowledge curves of version 1."""
    curves = {"sets": "sets", "path": "path", "errors": "error", "shares": "share"}
    rows = [
        {**row, "curve": curve, "measure": "reidentification", "targets": row["people"], "people": None}
        for name, curve in curves.items()
        for row in _rows(old[name])
    ]
    minimal = [point["attributes"] for point in old["minimal_sets"]]
    return {**old, "minimal": minimal, "table": rows, "methods": _methods(rows)}


def comparison_from_1(old: Plain) -> dict[str, Any]:
    """A comparison of releases of version 1."""
    rows = _rows(old["releases"]["rows"])
    attacks = list(dict.fromkeys(row["attack"] for row in rows))
    return {
        **old,
        "scenario": {"attributes": [], **old["scenario"]},
        "releases": _releases(old["releases"]),
        "table": rows,
        "methods": _methods(rows),
        # Version 1 told them by their names.
        "baselines": [name for name in attacks if name == "guess"],
        "informed": [name for name in attacks if name.startswith("learned-")],
    }


def _methods(rows: Iterable[Plain]) -> Plain:
    """What the methods of these rows say of themselves today: version 1 left that to its reader."""
    from unmask.documents.sections import Methods

    rows = list(rows)
    names = [name for key in ("attack", "measure") for name in dict.fromkeys(row.get(key) for row in rows)]
    bases = dict.fromkeys(str(name).partition(":")[0] for name in names if name is not None)
    texts = _texts()
    found: Plain = plain(Methods.of({name: texts[name] for name in bases if name in texts}))
    return found


def _texts() -> dict[str, About]:
    """All that is registered, by name, with what is no entry of a registry."""
    from unmask import attacks, measures
    from unmask.attacks.mechanism import ABOUTS
    from unmask.linkage.mechanism import Belief

    texts = {"union": attacks.UNION_ABOUT, "misclassified-matches": measures.Misclassified.about}
    texts |= {"mechanism": ABOUTS[Belief.BEST], "mechanism-posterior": ABOUTS[Belief.POSTERIOR]}
    for name, entry in attacks.REGISTRY.items():
        texts[name] = entry.about
        attack = entry.made() if hasattr(entry.kind, "about_holdout") else None
        if isinstance(attack, attacks.WorstCase):
            texts[f"{name}-holdout"] = attack.about_holdout
    for measure in measures.REGISTRY.values():
        texts |= measures.abouts(measure.made())
    return texts


def _finding(row: Plain) -> dict[str, Any]:
    kept = {key: value for key, value in row.items() if key != "curve"}
    return {**kept, "subject": row["subject"] or None, "by_setting": row.get("curve")}


def _rows(rows: Iterable[Plain]) -> list[dict[str, Any]]:
    return [{_NAMES.get(key, key): value for key, value in row.items()} for row in rows]


def _releases(section: Plain | None) -> dict[str, Any] | None:
    if section is None:
        return None
    joins = [{**one, "right": one["joined right"]} for one in section["earlier"]]
    return {**section, "earlier": joins}


def _attack(attack: Plain) -> dict[str, Any]:
    """An attack; what was learned says its reading in words that are one word now."""
    lesson = attack.get("learned")
    if not lesson:
        return dict(attack)
    of = lesson.get("weights of", "attributes")
    return {**attack, "learned": {**lesson, "weights_of": of}}
