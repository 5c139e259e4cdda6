"""What the tests of reports and documents share: texts of a few methods, and version-2 plain data."""

from __future__ import annotations

from typing import Any

FAMILIES = {
    "linkage": "Linkage",
    "attribute": "What can be learned about a person",
    "membership": "Who is in the file",
    "uniqueness": "Who stands out",
    "records": "How far single values moved",
    "distributions": "Shares and tables",
}


def text(title: str, family: str = "linkage", rank: int = 0, **more: Any) -> dict[str, Any]:
    """What a method says of itself."""
    said = {"sentence": f"How {title} works.", "source": "A book.", "rank": rank}
    return {"title": title, "family": family, **said, **more}


LOWER = {"direction": "lower is worse"}
METHODS: dict[str, Any] = {
    "families": [{"name": name, "title": title, "sentence": f"{title}?"} for name, title in FAMILIES.items()],
    "texts": {
        "guess": text("guessing"),
        "dbrl": text("distance-based linkage"),
        "rbrl-max": text("rank-based linkage (maximum)"),
        "structural": text("linkage without common attributes"),
        "union": text("all attacks together"),
        "learned-wm": text("worst case, weighted mean"),
        "learned-wm-holdout": text("worst case, weighted mean, on other people"),
        "learned-choquet": text("worst case, Choquet integral"),
        "sadr": text("attribute linkage", "attribute", 2),
        "model-attributes": text("attributes that models learn", "attribute", **LOWER),
        "membership-distance": text("membership, by distance", "membership", 1, head="AUC"),
        "k-anonymity": text("k-anonymity", "uniqueness", 1, **LOWER),
        "l-diversity": text("l-diversity", "uniqueness", 3, **LOWER),
        "l-diversity-entropy": text("l-diversity, entropy", "uniqueness", **LOWER),
        "t-closeness": text("t-closeness", "uniqueness"),
        "il1s": text("mean change of numbers", "records", 1),
        "total-variation": text("total variation", "distributions", 1),
        "special-uniques": text("unique on few attributes", "uniqueness", 4),
    },
}

#: How the true record of a person stands.
STANDINGS = (
    "only nearest",
    "nearest, 2 to 5 tie",
    "nearest, more tie",
    "1 closer",
    "2 to 9 closer",
    "10 or more closer",
)
#: The three readings of ties.
MEASURES = ("reidentification-strict", "reidentification", "reidentification-lenient")


def assessment(**parts: Any) -> dict[str, Any]:
    """An assessment of 1,080 people without an attack; the parts replace its own."""
    return {
        "format": "unmask-assessment",
        "version": 2,
        "unmask": "0.1.0",
        "seed": 7,
        "scenario": {
            "text": "knows 2 attributes of 1080 people",
            "attributes": [{"name": "age", "kind": "numeric"}, {"name": "town", "kind": "nominal"}],
            "missing": "mismatch",
        },
        "sizes": dict.fromkeys(("original", "released", "targets", "present", "tried"), 1080),
        "notes": [],
        "attacks": [],
        "worst": None,
        "table": [],
        "methods": METHODS,
    } | parts


def row(value: float | None, n: int = 1080, reason: str | None = None, **more: Any) -> dict[str, Any]:
    """A row of the table; one without a value has a reason."""
    low, high = (None, None) if value is None else (max(0.0, value - 0.009), min(1.0, value + 0.007))
    return {"value": value, "low": low, "high": high, "n": n, "reason": reason} | more


def change(attribute: str, what: str, evidence: str = "told by the pairs", **more: Any) -> dict[str, Any]:
    """What happened to one attribute."""
    return {
        "attribute": attribute,
        "what": what,
        "evidence": evidence,
        "share": 1.0,
        "lost": 0.0,
        "rule": "",
    } | more


def understood(**parts: Any) -> dict[str, Any]:
    """What was understood of a release with bands, rounding and noise, in another order than the original."""
    rows = {
        "by": "key",
        "short": "Records were paired by the key 'id', found in both files.",
        "sentence": "Key column 'id' fits: 1080 of 1080 released values are in the original",
        "matched": 1080,
        "unmatched": 0,
        "absent": 20,
        "column": "id",
        "named": False,
        "seen": True,
    }
    left = {"column": "id", "why": "the key that tells who is who"}
    return {
        "rows": rows | parts.pop("rows", {}),
        "columns": {
            "same": ["id", "age", "town", "pay", "rent"],
            "respelled": [["Home", "home"]],
            "dropped": ["name"],
            "new": [],
            "alike": [],
            "renamed": [],
        },
        "changes": [
            change("age", "banded", "its labels read as 9 bands", rule="numbers become one of 9 bands"),
            change("town", "unchanged"),
            change("pay", "rounded", share=0.98, rule="numbers are rounded down to multiples of 10"),
            change("rent", "noise", share=0.01, lost=0.25),
        ],
        "leftovers": [left],
        "guessed": True,
        "missing": "suppressed",
        "kinds": ["perturbed", "recoded"],
        "notes": ["the released file still holds 'id': the key", "kinds and roles were guessed"],
    } | parts
