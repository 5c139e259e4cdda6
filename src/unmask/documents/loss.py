"""The document of losses: what a release is no longer good for."""

from __future__ import annotations

from dataclasses import dataclass, field

from unmask.documents.codec import Count
from unmask.documents.format import Format
from unmask.documents.sections import Methods, Provenance
from unmask.documents.table import Table
from unmask.documents.understanding import UnderstandingSection
from unmask.losses import INDEPENDENT, RESAMPLED


@dataclass(frozen=True)
class ComparedSizes:
    """How many records the files hold, how many released ones stem from a person, on how many people the
    losses rest.
    """

    original: Count
    released: Count
    matched: Count
    compared: Count


@dataclass(frozen=True, eq=False)
class LossDocument:
    """Every loss of a release. Rows have the keys measure (the loss) and subject (an attribute or a part).

    Those of a ``curve`` are its references: the people drawn again, and columns without relation. Holds no
    value of a record.
    """

    unmask: str
    seed: Count
    sizes: ComparedSizes
    notes: tuple[str, ...]
    table: Table
    methods: Methods = field(default_factory=Methods)
    provenance: Provenance = field(default_factory=Provenance)
    understood: UnderstandingSection | None = None

    @property
    def losses(self) -> tuple[str, ...]:
        """The losses, by name."""
        return tuple(dict.fromkeys(row.keys.measure for row in self.table))


def _check(document: LossDocument) -> str | None:
    if not len(document.table):
        return "table"
    for i, row in enumerate(document.table):
        if row.keys.attack is not None or row.keys.curve not in (None, RESAMPLED, INDEPENDENT):
            return f"table[{i}]"
    return None


LOSS: Format[LossDocument] = Format(
    "unmask-loss", 1, "document of losses", "unmask loss", LossDocument, {}, _check
)
