"""Worst-case linkage: the distance that re-identifies most records, learned from the truth."""

from __future__ import annotations

from dataclasses import dataclass, field, make_dataclass, replace

import numpy as np

from unmask.about import About
from unmask.attacks.families import WORST_CASE
from unmask.data.microdata import Ints
from unmask.engines import Engine
from unmask.errors import ArgumentError, unknown_name
from unmask.intruder.dossier import Dossier
from unmask.intruder.truth import Truth
from unmask.linkage.learning import Encoding, Form, LearnedRecord, Twins, teach

SUPERVISED = (
    "D. Abril, G. Navarro-Arribas and V. Torra (2012), Improving record linkage with supervised learning for "
    "disclosure risk assessment, Information Fusion 13, 274-284."
)
#: What each form is called, and what it is free to choose.
FORMS = {
    Form.WM: ("weighted mean", "a weight for each attribute"),
    Form.OWA: ("OWA", "a weight for each place in the order of a pair's differences"),
    Form.CHOQUET: ("Choquet integral", "a weight for each set of attributes"),
    Form.BILINEAR: ("bilinear form", "a weight for each attribute and each pair of them"),
}


@dataclass(frozen=True)
class LearnedDistance:
    """The distance of a form under which most records are linked right, found by who knows the truth.

    Minimise sum K_i such that C(d(a_i, b_j)) - C(d(a_i, b_i)) + c K_i > 0 for all j != i, K_i 0 or 1, with C
    a weighted mean, an OWA, a Choquet integral or a bilinear form (Torra 2013; Abril, Navarro-Arribas and
    Torra 2012). No intruder has this truth: it says how far the best parameters could go, with a bound.

    ``space``: squared differences of standardised ``values``, or plain differences of ``ranks``;
    ``additivity``: how many attributes of a fuzzy measure interact at once (None: all, up to 8 attributes;
    2 beyond); ``twins``: what counts where records tie. ``expected``: 1/t where t tie for the nearest and the
    true one is among them, which is what tables show of every attack. ``strict``, as published: only who is
    the only nearest, so that identical released records are rivals. ``shared``: identical released records
    are one class, of which any is as good.

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
    (4.0, 4.0, 'optimal')
    """

    form: Form
    space: Encoding = Encoding.VALUES
    additivity: int | None = None
    twins: Twins = Twins.EXPECTED

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

    @classmethod
    def variants(cls) -> tuple[type[LearnedDistance], ...]:
        """One method of each form, in values and in ranks."""
        return tuple(LEARNED.values())

    @property
    def about(self) -> About:
        """What the distance of this form is called, does and comes from."""
        return _about(self.form, self.space).of(self)

    @property
    def about_holdout(self) -> About:
        """The same of a distance that is learned on some people and tried on the others."""
        about = _about(self.form, self.space)
        sentence = (
            "The same, chosen on four fifths of the people and tried on the others, in turn: what an "
            "intruder could reach who knows the truth of some people already."
        )
        return replace(about, title=f"{about.title}, on other people", sentence=sentence).of(self)

    @property
    def name(self) -> str:
        """The name in tables and on the command line."""
        ranks = "-ranks" if self.space is Encoding.RANKS else ""
        given = [] if self.additivity is None else [f"additivity={self.additivity}"]
        given += [] if self.twins is Twins.EXPECTED else [f"twins={self.twins}"]
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


def _about(form: Form, space: Encoding) -> About:
    """What the distance of a form in a space says of itself."""
    title, chosen = FORMS[form]
    ranks = space is Encoding.RANKS
    return About(
        title=f"worst case, {title}{', in ranks' if ranks else ''}",
        family=WORST_CASE,
        sentence=f"With the truth in hand, {chosen} is chosen so that as many people as possible are "
        "found. No intruder can do this: it is the yardstick for every attack of this form.",
        source=SUPERVISED,
        rank=1 + list(FORMS).index(form) + ranks * len(FORMS),
    )


def _method(form: Form, space: Encoding) -> type[LearnedDistance]:
    """The class that a name stands for: form and space are settled by the name."""
    settled = [
        ("form", Form, field(default=form, init=False)),
        ("space", Encoding, field(default=space, init=False)),
    ]
    carried = {"about": _about(form, space), "__doc__": LearnedDistance.__doc__}
    return make_dataclass(
        "LearnedDistance", settled, bases=(LearnedDistance,), namespace=carried, frozen=True
    )


#: Every learned distance by its name, for :func:`unmask.parsing.construct`.
LEARNED: dict[str, type[LearnedDistance]] = {
    LearnedDistance(form, space).name: _method(form, space)
    for space in Encoding
    for form in Form
    if form is not Form.BILINEAR or space is Encoding.VALUES
}
