"""Verbs: what can be asked, and what each has no use for."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Verb(StrEnum):
    """What is to be done."""

    ASSESS = "assess"  # every attack on one release, and what is learned without one
    KNOWLEDGE = "knowledge"  # risk by what the intruder knows
    COMPARE = "compare"  # one release together with earlier ones
    MASK = "mask"  # make a release
    CHECK = "check"  # say how a release came from its original
    LOSS = "loss"  # what a release is no longer good for
    STUDY = "study"  # many masks beside each other: what each costs, and what it leaves to find
    PROTECT = "protect"  # the mask that costs least under a policy


#: What a verb has no use for. It is refused, not ignored: who gives it expects that it counts.
_MEASURED = ("synthetic", "population", "holdout", "model", "trust_model")
_ERRORS = ("false_links", "missed")
_TIME = ("budget", "full")
_MADE = ("exact", "keep_identifiers")
_CONCLUDED = ("policy", "occasion")
_STUDIED = ("masks", "replicates", "scenarios", "least")
_ATTACKED = (
    "grid",
    "candidates",
    "attacks",
    "measures",
    "losses",
    "mechanism",
    "sample",
    "depth",
    "time_limit",
    *_ERRORS,
    *_TIME,
    *_STUDIED,
)
_SHAPED = ("shape", "nodes", "released_nodes", "pairs", "released_shape")
_RELEASE = ("released", "released_schema", "truth", "synthetic", "earlier", "follow", "mechanism")
UNUSED: Mapping[Verb, tuple[str, ...]] = {
    Verb.CHECK: (*_ATTACKED, *_CONCLUDED, "mask", *_MADE, "earlier", "follow", *_MEASURED[1:]),
    Verb.ASSESS: ("grid", *_MADE, *_STUDIED),
    Verb.LOSS: (
        *(name for name in _ATTACKED if name not in ("losses", "full", "mechanism")),
        *(*_MADE, *_CONCLUDED, *_MEASURED[1:], "earlier", "follow", "scenario"),
    ),
    Verb.KNOWLEDGE: (
        *("measures", "losses", *_MADE, "candidates", "earlier", "follow", *_MEASURED, *_ERRORS, *_TIME),
        *(*_CONCLUDED, *_STUDIED, *_SHAPED),
    ),
    Verb.COMPARE: (*_SHAPED, "grid", "losses", *_MADE, *_MEASURED, *_ERRORS, *_CONCLUDED, *_STUDIED),
    Verb.MASK: (*_ATTACKED, *_CONCLUDED, "scenario", *_RELEASE[:-1], *_MEASURED[1:], *_SHAPED[2:]),
    Verb.STUDY: (
        *_SHAPED[2:],
        "grid",
        "candidates",
        *_MADE,
        *_ERRORS,
        *_RELEASE,
        "ledger",
        "model",
        "trust_model",
        "mask",
    ),
    Verb.PROTECT: (
        *(
            *_SHAPED[2:],
            "grid",
            "candidates",
            *_MADE,
            *_ERRORS,
            *_RELEASE,
            "ledger",
            "model",
            "trust_model",
            "mask",
            "scenarios",
        ),
    ),
}
