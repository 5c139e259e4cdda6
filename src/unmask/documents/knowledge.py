"""The document of attacker-knowledge curves: risk by what the intruder knows."""

from __future__ import annotations

from dataclasses import dataclass, field

from unmask.documents.codec import Count, Finite, Share
from unmask.documents.format import Format
from unmask.documents.sections import FileSizes, Methods, Provenance, ScenarioSection
from unmask.documents.table import Table
from unmask.documents.understanding import UnderstandingSection
from unmask.documents.upgrade import knowledge_from_1
from unmask.measures.estimate import Row

#: The curves of the table: all sets of attributes up to a size; from the best of them on, the attribute added
#: that raises the risk most; all attributes with errors; and of shares of the people.
SETS, PATH, ERROR, SHARE = "sets", "path", "error", "share"


@dataclass(frozen=True)
class Steps:
    """Of how many steps from a set to one attribute more, how many lower the risk."""

    taken: Count
    fell: Count


@dataclass(frozen=True)
class AttributeSection:
    """What one attribute does: the risk of knowing it alone, what it adds on average, its minimal sets."""

    attribute: str
    alone: Share | None
    gain: Finite | None
    minimal_sets: Count


@dataclass(frozen=True, eq=False)
class KnowledgeDocument:
    """Risk at every point of what the intruder may know. Rows have the keys curve, known, error, targets.

    ``size``: up to which size sets were asked for; ``enumerated``: up to which all were tried; ``limit``: how
    many at most; ``minimal``: the sets that reach the threshold while none of their proper subsets does.
    """

    unmask: str
    seed: Count
    scenario: ScenarioSection
    sizes: FileSizes
    attacks: tuple[str, ...]
    notes: tuple[str, ...]
    threshold: Share | None
    size: Count
    enumerated: Count
    limit: Count
    steps: Steps
    by_attribute: tuple[AttributeSection, ...]
    minimal: tuple[tuple[str, ...], ...]
    table: Table
    methods: Methods = field(default_factory=Methods)
    provenance: Provenance = field(default_factory=Provenance)
    understood: UnderstandingSection | None = None

    def curve(self, name: str) -> tuple[Row, ...]:
        """The rows of one curve."""
        return self.table.where(curve=name).rows


def _check(document: KnowledgeDocument) -> str | None:
    """What speaks of attacks or attributes that are not listed, or of a value without its interval."""
    names = [attribute.name for attribute in document.scenario.attributes]
    place = {name: i for i, name in enumerate(names)}
    if not names or len(place) != len(names):
        return "scenario.attributes"
    if not 1 <= document.enumerated <= len(names):
        return "enumerated"
    if {part.attribute for part in document.by_attribute} != set(names):
        return "by_attribute"
    for i, row in enumerate(document.table):
        keys, estimate = row.keys, row.estimate
        known = [place.get(name, -1) for name in keys.known or ()]
        in_order = known == sorted(set(known)) and known[:1] > [-1]
        whole = not estimate.estimable or None not in (estimate.low, estimate.high)
        placed = None not in (keys.curve, keys.error, keys.targets)
        if not (in_order and keys.attack in document.attacks and placed and whole):
            return f"table[{i}]"
    rows = (*document.curve(SETS), *document.curve(PATH))
    tried = {row.keys.known for row in rows if row.estimate.estimable}
    return next((f"minimal[{i}]" for i, known in enumerate(document.minimal) if known not in tried), None)


KNOWLEDGE: Format[KnowledgeDocument] = Format(
    "unmask-knowledge",
    2,
    "curves document",
    "unmask knowledge",
    KnowledgeDocument,
    {1: knowledge_from_1},
    _check,
)
