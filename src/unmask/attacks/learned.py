"""Worst-case linkage: the distance that re-identifies most records, learned from the truth."""

from __future__ import annotations

from dataclasses import dataclass, field, make_dataclass

import numpy as np

from unmask.data.microdata import Ints
from unmask.engines import Engine
from unmask.errors import ArgumentError, unknown_name
from unmask.intruder.dossier import Dossier
from unmask.intruder.truth import Truth
from unmask.linkage.learning import Encoding, Form, LearnedRecord, Twins, teach


@dataclass(frozen=True)
class LearnedDistance:
    """The distance of a form under which most records are linked right, found by who knows the truth.

    Minimise sum K_i such that C(d(a_i, b_j)) - C(d(a_i, b_i)) + c K_i > 0 for all j != i, K_i 0 or 1, with C
    a weighted mean, an OWA, a Choquet integral or a bilinear form (Torra 2013; Abril, Navarro-Arribas and
    Torra 2012). No intruder has this truth: it says how far the best parameters could go, with a bound.

    ``space``: squared differences of standardised ``values``, or plain differences of ``ranks``;
    ``additivity``: how many attributes of a fuzzy measure interact at once (None: all, up to 8 attributes;
    2 beyond); ``twins``: whether identical released records are rivals (``strict``, as published), or one
    class of which any is as good (``shared``). A file of groups of identical records leaves nothing to be
    found strictly, yet people may well be linked to their groups.

    >>> import polars as pl
    >>> from unmask import Column, Microdata, Schema, Scenario
    >>> from unmask.engines import LocalEngine
    >>> from unmask.data.microdata import Masked
    >>> schema = Schema((Column("age"), Column("income")))
    >>> original = Microdata(schema, pl.DataFrame({"age": [20, 30, 40, 50], "income": [1.0, 2.0, 3.0, 4.0]}))
    >>> released = Microdata(schema, pl.DataFrame({"age": [21, 29, 41, 49], "income": [4.0, 3.0, 1.0, 2.0]}))
    >>> rng = np.random.default_rng(1)
    >>> dossier, truth, _ = Scenario().stage(original, Masked(released, np.arange(4)), seed=1)
    >>> taught = LearnedDistance(Form.WM).learn(dossier, truth, rng, LocalEngine())
    >>> taught.lesson.found, taught.lesson.bound, taught.lesson.status
    (4, 4, 'optimal')
    """

    form: Form
    space: Encoding = Encoding.VALUES
    additivity: int | None = None
    twins: Twins = Twins.SHARED

    def __post_init__(self) -> None:
        if self.form not in set(Form):
            raise unknown_name("form of a learned distance", str(self.form), [form.value for form in Form])
        if self.space not in set(Encoding):
            raise unknown_name("space of a learned distance", str(self.space), [e.value for e in Encoding])
        if self.twins not in set(Twins):
            raise unknown_name("reading of twins", str(self.twins), [reading.value for reading in Twins])
        object.__setattr__(self, "form", Form(self.form))
        object.__setattr__(self, "twins", Twins(self.twins))
        object.__setattr__(self, "space", Encoding(self.space))
        if self.additivity is not None and self.form is not Form.CHOQUET:
            raise ArgumentError(
                f"learned-{self.form}: additivity is of fuzzy measures",
                hint="give it to learned-choquet only",
            )
        if self.additivity is not None and self.additivity < 1:
            raise ArgumentError(
                f"additivity is {self.additivity}", hint="give 1 or more; 2 lets pairs interact"
            )
        if self.form is Form.BILINEAR and self.space is Encoding.RANKS:
            raise ArgumentError(
                "a bilinear form squares differences, and rank differences are not squared",
                hint="learn it from values (learned-bilinear)",
            )

    @property
    def name(self) -> str:
        """The name in tables and on the command line."""
        ranks = "-ranks" if self.space is Encoding.RANKS else ""
        given = [] if self.additivity is None else [f"additivity={self.additivity}"]
        given += [] if self.twins is Twins.SHARED else [f"twins={self.twins}"]
        return f"learned-{self.form}{ranks}" + (f":{','.join(given)}" if given else "")

    def learn(
        self,
        dossier: Dossier,
        truth: Truth,
        rng: np.random.Generator,
        engine: Engine,
        *,
        targets: Ints | None = None,
        limit: float = 60.0,
        prove: bool = True,
    ) -> LearnedRecord:
        """The nearest record under the best distance of this form that was found within the limit."""
        return teach(
            dossier,
            truth,
            rng,
            engine,
            form=self.form,
            encoding=self.space,
            additivity=self.additivity,
            twins=self.twins,
            targets=targets,
            limit=limit,
            prove=prove,
        )


def _method(form: Form, space: Encoding) -> type[LearnedDistance]:
    """The class that a name stands for: form and space are settled by the name."""
    settled = [
        ("form", Form, field(default=form, init=False)),
        ("space", Encoding, field(default=space, init=False)),
    ]
    return make_dataclass("LearnedDistance", settled, bases=(LearnedDistance,), frozen=True)


#: Every learned distance by its name, for :func:`unmask.parsing.construct`.
LEARNED: dict[str, type[LearnedDistance]] = {
    LearnedDistance(form, space).name: _method(form, space)
    for space in Encoding
    for form in Form
    if form is not Form.BILINEAR or space is Encoding.VALUES
}
