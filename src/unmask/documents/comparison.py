"""The document of a comparison: a new release against earlier ones."""

from __future__ import annotations

from dataclasses import dataclass, field

from unmask.documents.codec import Count
from unmask.documents.format import Format
from unmask.documents.sections import Methods, Provenance, ReleasesSection, ScenarioSection
from unmask.documents.table import Table
from unmask.documents.understanding import UnderstandingSection
from unmask.documents.upgrade import comparison_from_1


@dataclass(frozen=True, eq=False)
class ComparisonDocument:
    """The risk of each release alone and of all combined. Rows have the keys release and attack.

    ``baselines``: the attacks that are there to be compared with; ``informed``: those whose parameters the
    truth was used to choose.
    """

    unmask: str
    seed: Count
    scenario: ScenarioSection
    releases: ReleasesSection
    table: Table
    baselines: tuple[str, ...] = ()
    informed: tuple[str, ...] = ()
    methods: Methods = field(default_factory=Methods)
    provenance: Provenance = field(default_factory=Provenance)
    understood: UnderstandingSection | None = None

    def is_baseline(self, name: str) -> bool:
        """Whether the attack is there to be compared with."""
        return name in self.baselines

    def is_informed(self, name: str) -> bool:
        """Whether the truth was used to choose the attack's parameters, which no intruder can do."""
        return name in self.informed


def _check(document: ComparisonDocument) -> str | None:
    where = document.releases.unfit()
    if where is not None or not document.releases.earlier:
        return where or "releases.earlier"
    if not len(document.table):
        return "table"
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
