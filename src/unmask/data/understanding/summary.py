"""What was understood of two files: rows, columns, what happened to each attribute, what is left over."""

from __future__ import annotations

from dataclasses import dataclass

from unmask.data.correspondence import ReleaseTerms
from unmask.data.missing import Missing
from unmask.data.release_kind import ReleaseKind
from unmask.data.understanding.changes import Change
from unmask.data.understanding.columns import ColumnMatches
from unmask.data.understanding.leftovers import Leftover
from unmask.data.understanding.matching import By, RowMatch

#: Above this share of the pairs, missing values were filled in on purpose.
FILLED = 0.05


@dataclass(frozen=True)
class Understanding:
    """How a release came from its original, as far as the two files tell.

    ``guessed``: whether kinds and roles are unmask's proposal, because no schema was given; ``notes``: what
    the user must know about how values were read.
    """

    rows: RowMatch
    columns: ColumnMatches
    changes: tuple[Change, ...]
    leftovers: tuple[Leftover, ...] = ()
    guessed: bool = False
    notes: tuple[str, ...] = ()

    def __getitem__(self, attribute: str) -> Change:
        return next(change for change in self.changes if change.attribute == attribute)

    @property
    def terms(self) -> ReleaseTerms:
        """How released values stand for original ones."""
        return ReleaseTerms(
            {c.attribute: c.correspondence for c in self.changes if c.correspondence is not None},
            frozenset(c.attribute for c in self.changes if c.exact),
            self.missing,
            self.changes,
        )

    @property
    def missing(self) -> Missing:
        """How missing values compare: as what the two files do with them suggests.

        Values that were lost are hidden ones; a value that is missing in both files is one more thing that
        they have in common; where many missing values were filled in, nothing is known of them. A few that
        were cost fewer people than it would to let every missing value agree with everything. Where the two
        files share no attribute, a value that the release lacks may be a hidden one.
        """
        if not self.changes:
            return Missing.SUPPRESSED
        if any(change.filled > FILLED for change in self.changes):
            return Missing.WILDCARD
        if any(change.lost for change in self.changes):
            return Missing.SUPPRESSED
        return Missing.CATEGORY if any(change.kept for change in self.changes) else Missing.MISMATCH

    @property
    def perturbed(self) -> tuple[str, ...]:
        """The attributes whose released values are others than the original ones or coarser ones."""
        return tuple(change.attribute for change in self.changes if change.perturbed)

    @property
    def recoded(self) -> tuple[str, ...]:
        """The attributes whose values were made coarser, or written in another way, without chance."""
        return tuple(c.attribute for c in self.changes if not c.perturbed and c.correspondence is not None)

    @property
    def kinds(self) -> frozenset[ReleaseKind]:
        """What kinds of release this is."""
        if self.rows.by is By.NOBODY:
            return frozenset((ReleaseKind.SYNTHETIC,))
        told = {
            ReleaseKind.SAMPLE: self.rows.absent > 0,
            ReleaseKind.RECODED: bool(self.recoded),
            ReleaseKind.SUPPRESSED: bool(self.suppressed),
            ReleaseKind.PERTURBED: bool(self.perturbed),
        }
        return frozenset(kind for kind, so in told.items() if so)

    @property
    def suppressed(self) -> tuple[str, ...]:
        """The attributes of which some values were made missing."""
        return tuple(change.attribute for change in self.changes if change.lost)
