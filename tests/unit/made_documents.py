"""Documents of every kind as plain data, with every section that a report can have."""

from __future__ import annotations

from typing import Any

from tests.unit.report_data import MEASURES, STANDINGS, assessment, row
from unmask.documents import COMPARISON, KNOWLEDGE, LOSS

NUMBERS = ["age", "income", "rent"]
EXPECTED = MEASURES[1]


def scenario() -> dict[str, Any]:
    attributes = [{"name": name, "kind": "numeric"} for name in NUMBERS]
    text = "knows 3 attributes of 80 people"
    return {"text": text, "attributes": attributes, "missing": "mismatch", "error": 0.0, "block": []}


def attacked(value: float | None, attack: str = "dbrl", **keys: Any) -> dict[str, Any]:
    reason = None if value is not None else "nobody is in it"
    numbers = {"baseline": None if value is None else 0.0125, "p_value": None if value is None else 0.001}
    return row(value, 80, reason, attack=attack, measure=EXPECTED, **numbers, **keys)


def releases_section() -> dict[str, Any]:
    join = {"release": "earlier 1", "records": 80, "joined": 80, "right": 80}
    notes = ["earlier 1 is release 1 (spring, 2026-01-31)"]
    return {"how": "order", "through": [], "earlier": [join], "notes": notes}


def by_release() -> list[dict[str, Any]]:
    values = {"this": 0.2, "earlier 1": 0.1, "combined": 0.3, "averaged": 0.4}
    return [attacked(value, release=release) for release, value in values.items()]


def curves() -> dict[str, Any]:
    at = {"error": 0.0, "targets": 80}
    sets = [["age"], ["income"], ["rent"], ["age", "income"], ["age", "rent"], ["income", "rent"]]
    values = (0.1, 0.25, 0.05, 0.3, 0.2, 0.4)
    rows = [
        attacked(value, curve="sets", known=known, **at) for known, value in zip(sets, values, strict=True)
    ]
    rows.append(attacked(0.6, curve="path", known=NUMBERS, **at))
    rows += [attacked(0.6 - e, curve="error", known=NUMBERS, **at | {"error": e}) for e in (0.0, 0.5)]
    rows += [attacked(0.5, curve="share", known=NUMBERS, **at | {"targets": n}) for n in (40, 80)]
    base = assessment(scenario=scenario(), table=rows, attacks=["dbrl"], notes=["first"])
    del base["worst"]
    each = {"alone": 0.1, "gain": 0.05, "minimal_sets": 1}
    return base | {
        "format": KNOWLEDGE.mark,
        "threshold": 0.2,
        "size": 3,
        "enumerated": 2,
        "limit": 6,
        "steps": {"taken": 6, "fell": 1},
        "by_attribute": [{"attribute": name, **each} for name in NUMBERS],
        "minimal": [["income"], ["age", "rent"]],
    }


def comparison() -> dict[str, Any]:
    base = assessment(scenario=scenario())
    kept = {key: base[key] for key in ("version", "unmask", "seed", "scenario", "methods")}
    rows = [*by_release(), attacked(0.9, "guess", release="this")]
    held = {"releases": releases_section(), "table": rows, "baselines": ["guess"], "informed": []}
    return {"format": COMPARISON.mark, **kept, **held}


def of_loss(name: str, value: float, again: float, apart: float, **keys: Any) -> list[dict[str, Any]]:
    """The rows of a loss: of the whole file, of one attribute, and its references."""
    whole = {"low": None, "high": None, "measure": name, **keys}
    return [
        row(value, 80, baseline=again, **whole),
        row(value / 2, 80, baseline=again, subject="age", **whole),
        row(again, 80, curve="resampled", **whole | {"low": again / 2, "high": again * 2}),
        row(apart, 80, curve="independent", **whole),
    ]


def loss_rows() -> list[dict[str, Any]]:
    """A loss that is a level, one that is a share, and one that cannot be told."""
    lost = row(None, 80, "no mask declares it", measure="ebil", unit="level", low=None, high=None)
    return [
        *of_loss("il1s", 1.25, 0.0, 0.8, unit="level"),
        *of_loss("total-variation", 0.2, 0.05, 0.6, unit="share"),
        lost,
    ]


def losses() -> dict[str, Any]:
    base = assessment()
    kept = {key: base[key] for key in ("unmask", "seed", "methods")}
    sizes = {"original": 80, "released": 80, "matched": 80, "compared": 80}
    head = {"format": LOSS.mark, "version": LOSS.version, "notes": ["first"]}
    return {**head, **kept, "sizes": sizes, "table": loss_rows()}


def whole() -> dict[str, Any]:
    """An assessment with every section."""
    lesson = {
        "form": "choquet", "records": 80, "found": 40, "bound": 44, "ceiling": 70, "margin": 0.01,
        "attributes": NUMBERS, "weights": [0.5, 0.3, 0.2], "interactions": [[0, 1, 0.2]],
        "parameters": [0.5, 0.3, 0.2], "status": "bounded",
    }  # fmt: skip
    standing = dict.fromkeys(STANDINGS, 10)
    points = [{"at": at, "value": at / 10, "low": None, "high": None} for at in (1, 2)]
    curve = {"over": "percent", "points": points}
    attacks: list[dict[str, Any]] = [
        {"name": "guess", "baseline": True, "notes": [], "standing": standing},
        {"name": "dbrl", "baseline": False, "notes": ["first"], "standing": standing},
        {"name": "learned-choquet", "baseline": False, "notes": [], "standing": standing},
    ]
    attacks[2] |= {"informed": True, "learned": lesson}
    found = [
        attacked(value, name) for name, value in (("guess", 0.01), ("dbrl", 0.2), ("learned-choquet", 0.5))
    ]
    found += by_release()
    found += [attacked(0.3, source=name, people="common") for name in ("source 1", "combined")]
    found.append(row(0.4, 80, measure="sadr", subject="age", unit="share", by_setting=curve))
    source = {"source": "source 1", "attributes": NUMBERS, "people": 80, "error": 0.0}
    return assessment(
        scenario=scenario(),
        attacks=attacks,
        worst="dbrl",
        table=found,
        releases=releases_section(),
        sources={"sources": [source], "people": 80, "common": 80, "notes": []},
    )
