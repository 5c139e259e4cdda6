"""Attribute disclosure in cells: people who share all that the intruder knows, and the secret as well."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats
from unmask.data.missing import Missing
from unmask.data.schema import Kind
from unmask.engines import Engine
from unmask.measures.attribute.alike import Alike, alike
from unmask.measures.attribute.groups import Intruder, as_values, shown, spans
from unmask.measures.attribute.inside import Inside, deals, finding
from unmask.measures.attribute.interval import check_widths
from unmask.measures.attribute.matched import Matched, joint_categories, matched, spread
from unmask.measures.findings import Case, Finding, Unit, not_estimable
from unmask.randomness import generator


@dataclass(frozen=True)
class CellDisclosure:
    """People whose confidential value follows from the known attributes they share with others.

    Released records with equal known attributes form a cell. Of a person in a cell of two or more,

    *external* attack: everybody learns the value if all records of the cell have it;
    *internal* attack: another member, who knows his own value, learns it if all records but his have it.

    Numbers count as one value if they differ by at most p percent of the attribute's standard deviation
    (n - 1, in the original file). The value must be the person's true one as well: where the confidential
    attribute is masked, a cell that agrees on a wrong value discloses nobody. The intruder is taken to find
    the person's cell. Someone alone in his cell is not concerned: his risk is re-identification
    (Machanavajjhala et al. 2007, homogeneity attack; Torra 2017).

    The baseline deals the released values out to the records at random: it is what the sizes of the cells
    and the frequency of the values alone disclose.

    >>> import polars as pl
    >>> from unmask.engines import LocalEngine
    >>> from unmask.data.microdata import Masked, Microdata
    >>> from unmask.data.schema import Column, Role, Schema
    >>> schema = Schema((Column("age"), Column("illness", Kind.NOMINAL, Role.CONFIDENTIAL)))
    >>> ages, ill = [30, 30, 30, 40, 40, 40, 50], ["flu", "flu", "flu", "flu", "flu", "none", "flu"]
    >>> people = Microdata(schema, pl.DataFrame({"age": ages, "illness": ill}))
    >>> case = Case(people, Masked.by_order(people, people), ("age",))
    >>> (found,) = CellDisclosure().findings(case, LocalEngine())
    >>> found.per_record
    array([ 1., 1., 1., 0., 0., 0., nan])
    >>> (found,) = CellDisclosure(Intruder.INTERNAL).findings(case, LocalEngine())
    >>> found.per_record
    array([ 1., 1., 1., 1., 1., 0., nan])
    """

    intruder: Intruder = Intruder.EXTERNAL
    p: float = 10.0
    curve: tuple[float, ...] = (1, 2, 5, 10, 20, 50, 100)

    def __post_init__(self) -> None:
        check_widths(self.name, "p", (self.p, *self.curve))

    @property
    def name(self) -> str:
        """The name in tables."""
        return f"cells-{self.intruder.value}"

    def why_not(self, case: Case) -> str | None:
        """It needs a confidential and a known attribute in the release."""
        if not case.confidential:
            return "no attribute is declared confidential"
        if not any(name in case.masked.data.schema for name in case.confidential):
            return "the release has no confidential attribute"
        if not any(name in case.masked.data.schema for name in case.known):
            return "the release has none of the attributes that the intruder knows"
        return None

    def findings(self, case: Case, engine: Engine) -> tuple[Finding, ...]:
        """One finding for each confidential attribute that is released."""
        pairs = matched(case)
        subjects = [name for name in case.confidential if name in case.masked.data.schema]
        return tuple(self._finding(case, name, pairs) for name in subjects)

    def _finding(self, case: Case, subject: str, pairs: Matched) -> Finding:
        known = [name for name in case.known if name in case.masked.data.schema and name != subject]
        kinds = case.original.schema[subject].kind, case.masked.data.schema[subject].kind
        numeric = Kind.NUMERIC in kinds
        reason, cells = None, None
        if len(pairs) == 0:
            reason = "no released record stems from an original one"
        elif not known:
            reason = "the release has no other attribute that the intruder knows"
        elif numeric and kinds[0] is not kinds[1]:
            reason = f"'{subject}' is {kinds[0].value} in the original file, {kinds[1].value} in the release"
        else:
            cells = alike(case.masked.data, known, case.missing)
            if cells is None:
                reason = "the known attributes are missing in too many different combinations"
        if cells is None:
            return not_estimable(self.name, subject, Unit.SHARE, reason or "")
        sd = spread(case.original.numbers([subject])[:, 0]) if numeric else 0.0
        if numeric and sd == 0:
            reason = f"'{subject}' is constant or missing, so its value is no secret"
            return not_estimable(self.name, subject, Unit.SHARE, reason)
        inside = self._inside(case, subject, cells, pairs, 100 / sd if numeric else None)
        return finding(self.name, inside, self.p if numeric else 0.0, self.curve if numeric else (), pairs)

    def _inside(
        self, case: Case, subject: str, cells: Alike, pairs: Matched, percent_of_sd: float | None
    ) -> Inside:
        levels = joint_categories(case, subject) if percent_of_sd is None else None
        unit = 1.0 if percent_of_sd is None else percent_of_sd
        true = as_values(case.original, subject, levels)[pairs.original]
        released = shown(as_values(case.masked.data, subject, levels), case.missing)
        nothing = np.isnan(true) & (case.missing is not Missing.CATEGORY)
        true = np.where(np.isnan(true), np.inf, true)
        group = cells.label[pairs.released]
        width = unit * spans(cells.extremes(released), group, released[pairs.released], true, self.intruder)
        size = cells.size[group]

        def by_chance(values: Floats) -> Floats:
            return unit * spans(cells.extremes(values), cells.label, values, values, self.intruder)

        # Missing values that differ even from each other are nobody's secret.
        secret = ~np.isinf(released) | (case.missing is Missing.CATEGORY)
        return Inside(
            subject=subject,
            intruder=self.intruder,
            numeric=percent_of_sd is not None,
            sharing="the known attributes",
            size=size,
            narrowest=np.where(nothing | (size < 2), np.nan, width),
            dealt=deals(released, cells, secret, by_chance, generator(case.seed, self.name, subject)),
        )
