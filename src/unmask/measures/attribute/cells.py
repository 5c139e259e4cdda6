"""Attribute disclosure in cells: people who share all that the intruder knows, and the secret as well."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats
from unmask.data.missing import Missing
from unmask.data.release_kind import ReleaseKind
from unmask.data.schema import Kind
from unmask.engines import Engine
from unmask.measures.applicability import TRUE_KEYS
from unmask.measures.attribute.alike import Alike, alike
from unmask.measures.attribute.groups import GroupIntruder, as_values, shown, spans
from unmask.measures.attribute.inside import Inside, deals, row
from unmask.measures.attribute.interval import check_widths
from unmask.measures.attribute.matched import NOBODY, Matched, matched, spread, why_no_secret
from unmask.measures.estimate import NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import ATTRIBUTE
from unmask.measures.sources import TORRA_2017
from unmask.randomness import generator

_ABOUT = {
    GroupIntruder.EXTERNAL: About(
        "cells that give a value away",
        ATTRIBUTE,
        "The share of people in a group of alike records that all have one confidential value: whoever knows "
        "that a person is in the group knows the value.",
        TORRA_2017,
        rank=3,
    ),
    GroupIntruder.INTERNAL: About(
        "cells that give a value away to a member",
        ATTRIBUTE,
        "The same for an intruder who is a member of the group and knows their own value.",
        TORRA_2017,
    ),
}


#: The true value of somebody who has none: not concerned, or a value of its own where missing is a category.
_LOST = {False: np.nan, True: np.inf}


@dataclass(frozen=True)
class CellDisclosure:
    """People whose confidential value follows from the known attributes they share with others.

    Released records with equal known attributes form a cell. Of a person in a cell of two or more,

    *external* attack: everybody learns the value if all records of the cell have it;
    *internal* attack: another member, who knows their own value, learns it if all records but theirs have it.

    Numbers count as one value if they differ by at most p percent of the attribute's standard deviation
    (n - 1, in the original file). The value must be the person's true one as well: where the confidential
    attribute is masked, a cell that agrees on a wrong value discloses nobody. The intruder is taken to find
    the person's cell. Someone alone in a cell is not concerned: their risk is re-identification
    (Machanavajjhala et al. 2007, homogeneity attack; Torra 2017).

    The baseline deals the people, each with their true and their released value, out to the cells at random,
    and counts by the same rule: it is what the sizes of the cells, the frequency of the values and the mask
    of the secret alone disclose.

    >>> import polars as pl
    >>> from unmask.engines import LocalEngine
    >>> from unmask.data.microdata import Masked, Microdata
    >>> from unmask.data.schema import Column, Role, Schema
    >>> schema = Schema((Column("age"), Column("illness", Kind.NOMINAL, Role.CONFIDENTIAL)))
    >>> ages, ill = [30, 30, 30, 40, 40, 40, 50], ["flu", "flu", "flu", "flu", "flu", "none", "flu"]
    >>> people = Microdata(schema, pl.DataFrame({"age": ages, "illness": ill}))
    >>> evidence = FileEvidence(people, Masked.by_order(people, people), ("age",))
    >>> (row,) = CellDisclosure().rows(evidence, LocalEngine())
    >>> row.estimate.per_record
    array([ 1., 1., 1., 0., 0., 0., nan])
    >>> (row,) = CellDisclosure(GroupIntruder.INTERNAL).rows(evidence, LocalEngine())
    >>> row.estimate.per_record
    array([ 1., 1., 1., 1., 1., 0., nan])
    """

    intruder: GroupIntruder = GroupIntruder.EXTERNAL
    p: float = 10.0
    curve: tuple[float, ...] = (1, 2, 5, 10, 20, 50, 100)
    says_about: ClassVar[frozenset[ReleaseKind]] = TRUE_KEYS  # who knows the key must find the cell

    def __post_init__(self) -> None:
        check_widths(self.name, "p", (self.p, *self.curve))

    @property
    def name(self) -> str:
        """The name in tables."""
        return f"cells-{self.intruder.value}"

    @property
    def about(self) -> About:
        """What it is called, says and comes from."""
        return _ABOUT[self.intruder]

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs a confidential and a known attribute in the release."""
        return why_no_secret(evidence)

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """One row for each confidential attribute that is released."""
        pairs = matched(evidence)
        return tuple(self._row(evidence, name, pairs) for name in evidence.released_confidential)

    def _row(self, evidence: FileEvidence, subject: str, pairs: Matched) -> Row:
        cells = _cells(evidence, subject, pairs)
        if isinstance(cells, NotEstimable):
            return Row.none(self.name, cells, subject=subject)
        numeric = evidence.original.schema[subject].kind is Kind.NUMERIC
        sd = spread(evidence.numbers(evidence.original, subject)) if numeric else 0.0
        if numeric and sd == 0:
            why = NotEstimable(f"'{subject}' is constant or missing, so its value is no secret")
            return Row.none(self.name, why, subject=subject)
        inside = self._inside(evidence, subject, cells, pairs, 100 / sd if numeric else None)
        return row(self.name, inside, self.p if numeric else 0.0, self.curve if numeric else (), pairs)

    def _inside(
        self, evidence: FileEvidence, subject: str, cells: Alike, pairs: Matched, percent_of_sd: float | None
    ) -> Inside:
        numeric = percent_of_sd is not None
        unit = 1.0 if percent_of_sd is None else percent_of_sd
        true = np.full(len(evidence.released), np.nan)  # of nobody, or not concerned
        own = as_values(evidence, evidence.original, subject, numeric)[pairs.original]
        true[pairs.released] = np.where(np.isnan(own), _LOST[evidence.missing is Missing.CATEGORY], own)
        released = shown(as_values(evidence, evidence.released, subject, numeric), evidence.missing)

        def widths(both: Floats) -> Floats:
            """From which width on a cell tells the true value (first) of each record that shows another."""
            found = spans(cells.extremes(both[:, 1]), cells.label, both[:, 1], both[:, 0], self.intruder)
            return np.where(np.isnan(both[:, 0]) | (cells.size[cells.label] < 2), np.nan, unit * found)

        both = np.column_stack((true, released))
        return Inside(
            subject=subject,
            intruder=self.intruder,
            numeric=numeric,
            sharing="the known attributes",
            size=cells.size[cells.label[pairs.released]],
            narrowest=widths(both)[pairs.released],
            dealt=deals(both, cells, widths, generator(evidence.seed, self.name, subject)),
        )


def _cells(evidence: FileEvidence, subject: str, pairs: Matched) -> Alike | NotEstimable:
    """The released records that share the known attributes, or why they tell nothing of this one."""
    known = [name for name in evidence.released_known if name != subject]
    kinds = [data.schema[subject].kind for data in (evidence.original, evidence.released)]
    if len(pairs) == 0:
        return NOBODY
    if not known:
        return NotEstimable("the release has no other attribute that the intruder knows")
    if Kind.NUMERIC in kinds and kinds[0] is not kinds[1]:
        return NotEstimable(
            f"'{subject}' is {kinds[0].value} in the original file, {kinds[1].value} in the release"
        )
    cells = alike(evidence, known, evidence.missing, evidence.wildcards(known))
    if cells is None:
        return NotEstimable("the known attributes are missing in too many different combinations")
    return cells
