"""loss(): what a release is no longer good for, beside what chance alone changes."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Unpack

from unmask.assessment.asked import Asked, requested
from unmask.assessment.request import Verb
from unmask.assessment.result import DocumentResult
from unmask.assessment.results import methods_of
from unmask.assessment.session import Session
from unmask.documents import LOSS, LossDocument, Table
from unmask.documents.loss import ComparedSizes
from unmask.documents.understanding import UnderstandingSection
from unmask.engines import Engine
from unmask.errors import DataError
from unmask.studies.losses import loss_evidence_of, loss_rows_of

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False)
class Losses(DocumentResult[LossDocument]):
    """What a release has lost. It holds shares and levels only, never a value of a record."""

    format = LOSS

    def table(self, *, references: bool = False) -> pl.DataFrame:
        """One row per loss, and per attribute or part of it; the baseline is that of the people drawn again.

        ``references``: also the rows of the people drawn again and of columns without relation; their
        ``curve`` says which.
        """
        table = self.document.table
        return (table if references else table.where(curve=None)).frame()


def loss(
    original: object, released: object, *, engine: Engine | None = None, **asked: Unpack[Asked]
) -> Losses:
    """What a released file is no longer good for, by every loss, each beside what chance alone changes.

    Files are given as to :func:`unmask.assess`; ``released`` may also be a mask, which is then applied to
    the original. ``losses``: some of them, by name or as objects; ``mechanism``: the mask that made the
    release, for losses that look at its declared transitions; ``full``: compare everybody, however many they
    are.

    >>> from unmask.data.example import people
    >>> from unmask.masks import Noise
    >>> found = loss(people(200), Noise(a=0.1), losses=["il1s"], seed=1)
    >>> [(row["subject"], round(row["value"], 2)) for row in found.table().head(2).to_dicts()]
    [(None, 0.05), ('age', 0.05)]
    """
    request, given = requested(Verb.LOSS, original, released, asked)
    return losses_found(Session(request, given, engine))


def losses_found(session: Session) -> Losses:
    """The losses that a session's request asks for."""
    evidence = loss_evidence_of(session)
    if not evidence.attributes:
        raise DataError(
            "the two files have no attribute about people in common, so nothing can be compared",
            hint="check the names and roles of the columns ('unmask check'; --renamed, --role)",
        )
    rows, texts = loss_rows_of(session)
    table, files = Table(tuple(rows)), session.files
    return Losses(
        LossDocument(
            unmask=version("unmask"),
            seed=session.request.seed,
            sizes=ComparedSizes(
                len(files.original),
                len(files.masked.data),
                int((files.masked.origin >= 0).sum()),
                len(evidence.original),
            ),
            notes=session.notes,
            table=table,
            methods=methods_of(table, texts),
            provenance=session.provenance(),
            understood=UnderstandingSection.of(files.understanding),
        )
    )
