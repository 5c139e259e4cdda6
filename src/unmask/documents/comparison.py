"""The document of a comparison: a new release against earlier ones."""

from __future__ import annotations

from dataclasses import dataclass, field

from unmask.documents.assessment import half_joined
from unmask.documents.format import Format
from unmask.documents.sections import Methods, Provenance, ReleasesSection, ScenarioSection
from unmask.documents.table import Table
from unmask.documents.upgrade import comparison_from_1


@dataclass(frozen=True, eq=False)
class ComparisonDocument:
    """The risk of each release alone and of all combined. Rows have the key release."""

    unmask: str
    seed: int
    scenario: ScenarioSection
    releases: ReleasesSection
    table: Table
    methods: Methods = field(default_factory=Methods)
    provenance: Provenance = field(default_factory=Provenance)


def _check(document: ComparisonDocument) -> str | None:
    if half_joined(document.releases):
        return "releases.earlier"
    lost = [i for i, row in enumerate(document.table) if None in (row.keys.release, row.keys.attack)]
    return f"table[{lost[0]}]" if lost else None


COMPARISON: Format[ComparisonDocument] = Format(
    "unmask-releases",
    2,
    "comparison",
    "unmask ledger assess",
    ComparisonDocument,
    {1: comparison_from_1},
    _check,
)
