"""A new release against the recorded ones: the document of the comparison, for JSON and the report."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from unmask.documents import COMPARISON
from unmask.intruder.scenario import Scenario
from unmask.ledger.book import Entry
from unmask.studies.releases.outcome import Comparison


def comparison_document(
    found: Comparison,
    scenario: Scenario,
    people: int,
    seed: int,
    given: Sequence[Entry],
    lacking: Sequence[Entry],
) -> dict[str, Any]:
    """The comparison as plain data: what JSON holds and reports are made from.

    ``people``: how many the original file has; ``given`` and ``lacking``: the recorded releases whose files
    were given, in that order, and those whose files were not.
    """
    return {
        "format": COMPARISON.mark,
        "version": 1,
        "unmask": version("unmask"),
        "seed": seed,
        "scenario": {"text": scenario.describe(people), "missing": scenario.missing.value},
        "releases": {**found.section(), "notes": [*_remarks(given, lacking), *found.notes]},
    }


def to_json(document: Mapping[str, Any]) -> str:
    """The document as JSON text."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _remarks(given: Sequence[Entry], lacking: Sequence[Entry]) -> list[str]:
    """Which recorded release each earlier one is, and which recorded ones were not given."""
    remarks = [f"earlier {i} is {one.title}" for i, one in enumerate(given, start=1)]
    if lacking:
        noun = (
            "earlier release of this file was" if len(lacking) == 1 else "earlier releases of this file were"
        )
        remarks.append(f"{len(lacking)} {noun} not given: {', '.join(one.title for one in lacking)}")
    return remarks
