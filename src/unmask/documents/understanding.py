"""What was understood of the two files, as documents hold it: names, counts and shares, never a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from unmask.documents.codec import Count, Share

if TYPE_CHECKING:
    from unmask.data.understanding.summary import Understanding


@dataclass(frozen=True)
class RowsSection:
    """How the records of the two files were paired.

    ``by``: order, key, asserted, mask or nobody; ``short``: in one plain sentence; ``sentence``: with the
    evidence. The rest is as in :class:`~unmask.data.understanding.matching.RowMatch`.
    """

    by: str
    short: str
    sentence: str
    matched: Count
    unmatched: Count
    absent: Count
    column: str | None = None
    named: bool = False
    seen: bool = True
    synthetic: bool = False
    respelt: Count = 0
    ways: tuple[str, ...] = ()
    keyless: tuple[Count, Count] = (0, 0)


@dataclass(frozen=True)
class ColumnsSection:
    """Which columns correspond: pairs have the original's name first. ``alike``: renames to confirm.

    ``renamed``: those that the user says have another name in the release.
    """

    same: tuple[str, ...]
    respelled: tuple[tuple[str, str], ...]
    dropped: tuple[str, ...]
    new: tuple[str, ...]
    alike: tuple[tuple[str, str], ...]
    renamed: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ChangeSection:
    """What happened to one attribute.

    ``share``: of the pairs of records, how many ``what`` explains; ``lost``: of the original values, how
    many are missing in the release; ``rule``: how a value became another, empty where chance is in it. A rule
    is told by its kind and size: the name of a category or band that one person has would be their value.
    """

    attribute: str
    what: str
    evidence: str
    share: Share = 1.0
    lost: Share = 0.0
    rule: str = ""


@dataclass(frozen=True)
class LeftoverSection:
    """A released column that takes no part in the attacks, and why it may matter."""

    column: str
    why: str


@dataclass(frozen=True)
class UnderstandingSection:
    """How a release came from its original, as far as the two files tell.

    ``guessed``: kinds and roles are unmask's proposal; ``missing``: how missing values compare, as the files
    suggest; ``kinds``: what kinds of release this is; ``notes``: those of the document's notes that say in
    words what this section holds, so that who shows the section leaves them out.
    """

    rows: RowsSection
    columns: ColumnsSection
    changes: tuple[ChangeSection, ...]
    leftovers: tuple[LeftoverSection, ...] = ()
    guessed: bool = False
    missing: str = ""
    kinds: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @staticmethod
    def of(understood: Understanding) -> UnderstandingSection:
        """The section of what was understood.

        >>> import polars as pl, unmask
        >>> people = pl.DataFrame({"age": [23, 37, 41, 58, 64, 70], "pay": [1.5, 4.0, 2.5, 8.0, 7.5, 3.0]})
        >>> released = people.with_columns(pl.col("age").floordiv(10) * 10)
        >>> [change.rule for change in UnderstandingSection.of(unmask.check(people, released)).changes]
        ['numbers are rounded down to multiples of 10', '']
        """
        from unmask.data.understanding.notes import repeating_notes

        rows, columns = understood.rows, understood.columns
        return UnderstandingSection(
            RowsSection(
                rows.by.value,
                rows.short,
                rows.sentence,
                rows.matched,
                rows.unmatched,
                rows.absent,
                rows.column,
                rows.named,
                rows.seen,
                rows.synthetic,
                rows.respelt,
                rows.ways,
                rows.keyless,
            ),
            ColumnsSection(
                columns.same,
                columns.respelled,
                columns.dropped,
                columns.new,
                columns.alike,
                columns.renamed,
            ),
            tuple(
                ChangeSection(
                    change.attribute,
                    change.what.value,
                    change.evidence,
                    change.share,
                    change.lost,
                    "" if change.correspondence is None else change.correspondence.describe(),
                )
                for change in understood.changes
            ),
            tuple(LeftoverSection(left.column, left.why) for left in understood.leftovers),
            understood.guessed,
            understood.missing.value,
            tuple(sorted(kind.value for kind in understood.kinds)),
            tuple(repeating_notes(understood)),
        )
