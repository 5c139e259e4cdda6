"""study(): many masks of one file, each attacked, measured and held against the original."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from unmask.assessment.asked import Asked, Given, requested_study
from unmask.assessment.request import REPLICATES, Request, Verb
from unmask.assessment.result import DocumentResult
from unmask.documents.study import STUDY, StudyDocument
from unmask.engines import Engine
from unmask.masks import Mask
from unmask.studies.protection.candidates import candidates
from unmask.studies.protection.document import document_of
from unmask.studies.protection.results_file import results_place
from unmask.studies.protection.workshop import Workshop

if TYPE_CHECKING:
    import altair as alt
    import polars as pl


@dataclass(frozen=True, eq=False)
class Study(DocumentResult[StudyDocument]):
    """What was found of each mask: its risk, what it costs, and whether it meets the policy."""

    format = STUDY

    def table(self) -> pl.DataFrame:
        """One row per mask, intruder, and attack, measure or loss: means over draws, with their intervals."""
        return self.document.table.frame()

    def candidates(self) -> pl.DataFrame:
        """One row per mask and intruder, by what it costs: risk, every loss, score, verdict, front."""
        from unmask.report.study.frame import candidates_frame
        from unmask.report.study.places import MapPlaces

        return candidates_frame(MapPlaces(self.document))

    def map(self) -> alt.TopLevelMixin:
        """The risk-utility map as an Altair chart."""
        return self.chart("map")

    def front(self) -> tuple[str, ...]:
        """The masks that no other one clearly beats in risk or loss."""
        return tuple(one.mask for one in self.document.candidates if one.front)


def study(
    original: object,
    masks: Sequence[Mask | str | Callable[..., object]],
    *,
    replicates: int = REPLICATES,
    least: str | None = None,
    results: str | Path | None = None,
    engine: Engine | None = None,
    **asked: Unpack[Asked],
) -> Study:
    """Protect a file in many ways, attack each release, and say what each costs.

    ``original``: a frame, a path or Microdata; ``masks``: objects, texts or texts with ranges, as in
    ``"noise:a={0.1,0.5}"``, which stand for several, and "then" for one after the other; ``replicates``: how
    often each mask is drawn, all of them with the same seeds; ``least``: the loss by which they are compared;
    ``results``: an SQLite file in which every finished part is kept at once: a study that was ended goes on,
    and a larger one computes only what is new. What else may be asked is listed at
    :class:`~unmask.assessment.asked.Asked`.

    >>> from unmask.data.example import people
    >>> asked = {"known": ["age", "income", "rent"], "attacks": ["dbrl"], "losses": ["il1s"], "least": "il1s"}
    >>> found = study(people(200), ["rank-swapping:p={5,50}"], replicates=2, **asked)
    >>> for one in found.document.candidates:
    ...     print(one.mask, round(found.document.risk(one.mask).value, 2))
    unprotected 1.0
    independent columns 0.0
    rank-swapping:p=5 0.67
    rank-swapping:p=50 0.01
    """
    request, given = requested_study(Verb.STUDY, original, masks, asked, replicates, least)
    return study_of(request, given, engine, results_place(results))


def study_of(
    request: Request,
    given: Given | None = None,
    engine: Engine | None = None,
    results: Path | None = None,
) -> Study:
    """The study that a request asks for."""
    with Workshop(request, given, engine, results) as workshop:
        chosen = candidates(request.masks, workshop.original, workshop.given.methods)
        found = workshop.draws(chosen, range(request.replicates))
        return Study(document_of(workshop, chosen, found))
