"""Structural linkage: files that share no attribute, by representatives of their records."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar

import numpy as np
import polars as pl

from unmask.about import About
from unmask.attacks.base import Matcher, Usual
from unmask.attacks.families import NOTHING_COMMON
from unmask.attacks.one_to_one import one_to_one
from unmask.attacks.prl import PRL
from unmask.data.microdata import Floats, Ints, Microdata
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.engines import Engine
from unmask.errors import ArgumentError, unknown_name
from unmask.intruder.dossier import Dossier
from unmask.kernels.pairing import DIFFERENCE
from unmask.linkage.aggregations import Sum
from unmask.linkage.agreement import Positions
from unmask.linkage.axes import Axis
from unmask.linkage.decisions import NearestRecord, nearest_record
from unmask.linkage.representatives import (
    Absent,
    Normalisation,
    Operator,
    Quantifier,
    Quantifiers,
    attribute_values,
    family,
    normalised,
    representatives,
)
from unmask.linkage.spaces import assemble
from unmask.parsing import choice, written


class LinkBy(StrEnum):
    """How representatives are linked: nearest, or probabilistic."""

    DBRL = "dbrl"
    PRL = "prl"


#: Probabilistic linkage puts representatives on a grid of this many standard deviations of both files
#: together; they agree on levels of so many steps. Few levels, for the representatives say much the same.
STEP = 0.05
LEVELS = Positions(cuts=(0, 2, 6, 14))
MOST_STEPS = 1000


@dataclass(frozen=True)
class Structural:
    """The released record with the most similar representatives; the files need no attribute in common.

    Each file is normalised by itself, each record replaced by OWA_Q or Sugeno_Q of its values for ten
    functions Q, and the representatives, as they are, linked (Torra and Nin 2008; see
    :mod:`unmask.linkage.representatives`). It works as far as the two files tell the same story in other
    words: income tax here, net income there. Every quasi-identifier of both files is used, common ones too;
    nominal ones are left out, and a note says so.

    ``operator``: ``owa`` or ``sugeno``; ``family``: ``e`` (powers), ``s`` (sigmoids), ``t`` (thresholds);
    ``quantifiers``: functions of your own instead; ``normalisation``: ``n1`` (range 0 to 1) or ``n2``
    (standardisation); ``missing``: ``project`` leaves a missing value out of its record's aggregation,
    ``zero`` makes it 0 once normalised, as the paper did; ``link``: ``dbrl`` or ``prl``; ``one_to_one``: by
    the assignment of least total distance instead.

    >>> import polars as pl, unmask
    >>> known = pl.DataFrame({"id": [1, 2, 3, 4], "wage": [1.0, 4.0, 2.5, 8.0], "tax": [0.3, 0.4, 0.2, 0.9]})
    >>> released = pl.DataFrame({"id": [1, 2, 3, 4], "pay": [11.0, 19.0, 14.0, 33.0], "dues": [2, 3, 2, 5]})
    >>> risk = unmask.assess(known, released, truth="id", attacks=[Structural()])
    >>> risk.table().filter(measure="reidentification")["value"].item()
    1.0
    """

    about = About(
        title="linkage without common attributes",
        family=NOTHING_COMMON,
        sentence="The two files share no attribute. Each record is replaced by what it looks like as a "
        "whole: how large its values are, from the largest to all of them; records that look alike are "
        "linked.",
        source="V. Torra and J. Nin (2008), Record linkage for database integration using fuzzy integrals, "
        "International Journal of Intelligent Systems 23, 715-734.",
        rank=1,
    )
    usual = Usual.NOTHING_COMMON
    needs_numbers: ClassVar[bool] = True

    operator: Operator = Operator.OWA
    family: Quantifiers = Quantifiers.THRESHOLDS
    normalisation: Normalisation = Normalisation.STANDARDISATION
    missing: Absent = Absent.PROJECT
    link: LinkBy = LinkBy.DBRL
    one_to_one: bool = False
    quantifiers: tuple[Quantifier, ...] | None = None

    def __post_init__(self) -> None:
        choices: tuple[tuple[str, type[StrEnum]], ...] = (
            ("operator", Operator),
            ("family", Quantifiers),
            ("normalisation", Normalisation),
            ("missing", Absent),
            ("link", LinkBy),
        )
        for name, kind in choices:
            object.__setattr__(self, name, choice(name, getattr(self, name), kind))
        object.__setattr__(self, "one_to_one", _yes(self.one_to_one))
        if self.quantifiers is not None and not self.quantifiers:
            raise ArgumentError(
                "no quantifier is given", hint="give at least one function, or leave them out"
            )

    @property
    def name(self) -> str:
        """The name in tables; functions of the user's own are counted."""
        text = written("structural", replace(self, quantifiers=None))
        if self.quantifiers is None:
            return text
        return f"{text}{',' if ':' in text else ':'}quantifiers={len(self.quantifiers)} own"

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> Matcher:
        """Normalise, represent and link."""
        known, released, notes = self.represented(dossier)
        if self.link is LinkBy.PRL:
            matcher: Matcher = _probabilistic(dossier, known, released, notes, rng, engine)
        else:
            matcher = _nearest(dossier, known, released, notes, engine)
        return one_to_one(matcher, engine, self.name) if self.one_to_one else matcher

    def represented(self, dossier: Dossier) -> tuple[Floats, Floats, tuple[str, ...]]:
        """The representatives of both files, and what the user must know about them."""
        quantifiers = self.quantifiers or family(self.family)
        sides, notes = [], []
        for data, label in ((dossier.known, "known"), (dossier.released, "released")):
            names = data.schema.names(Role.QUASI_IDENTIFIER) or data.schema.names()
            values, used, left_out = attribute_values(data, names)
            if left_out:
                notes.append(f"left out of the {label} file, as nominal: {', '.join(left_out)}")
            if len(used) < 2:
                notes.append(f"the {label} file has one attribute only: all its representatives are alike")
            values = normalised(values, self.normalisation)
            if self.missing is Absent.ZERO:
                values = np.nan_to_num(values)
            sides.append(representatives(values, quantifiers, self.operator))
        return sides[0], sides[1], tuple(notes)


def _nearest(
    dossier: Dossier, known: Floats, released: Floats, notes: tuple[str, ...], engine: Engine
) -> NearestRecord:
    """The sum of squared differences of the representatives; nearest."""
    axes = []
    for j in range(known.shape[1]):
        both = np.concatenate((known[:, j], released[:, j]))
        both = both[~np.isnan(both)]
        farthest = float(both.max() - both.min()) if len(both) else 0.0
        axes.append(Axis(known[:, j], released[:, j], DIFFERENCE, 1.0, farthest))
    return nearest_record(dossier, assemble(axes, dossier.missing, notes), Sum(power=2), engine)


def _probabilistic(
    dossier: Dossier,
    known: Floats,
    released: Floats,
    notes: tuple[str, ...],
    rng: np.random.Generator,
    engine: Engine,
) -> Matcher:
    """Probabilistic linkage with the representatives as attributes, on a few levels of agreement."""
    if dossier.block:
        raise ArgumentError(
            "probabilistic linkage of representatives cannot be blocked", hint="use link=dbrl, or no block"
        )
    names = [f"Q{j + 1}" for j in range(known.shape[1])]
    columns, places = [], []
    for j, name in enumerate(names):
        position = _on_grid(np.concatenate((known[:, j], released[:, j])))
        levels = tuple(str(k) for k in range(max(int(position.max()), 1) + 1))
        columns.append(Column(name, Kind.ORDINAL, levels=levels))
        places.append(pl.Series(name, position).replace(-1, None).cast(pl.String))
    both = pl.DataFrame(places)
    left = Microdata(Schema(tuple(columns)), both[: len(known)], dossier.known.label)
    right = Microdata(Schema(tuple(columns)), both[len(known) :], dossier.released.label)
    attack = PRL(agreements=tuple((name, LEVELS) for name in names))
    matcher = attack.prepare(Dossier(left, right, dossier.missing), rng, engine)
    return replace(matcher, notes=(*notes, *matcher.notes))


def _on_grid(values: Floats) -> Ints:
    """Steps from the smallest value; -1 where there is none."""
    present = ~np.isnan(values)
    if not present.any():
        return np.full(len(values), -1, np.int64)
    lowest, highest = values[present].min(), values[present].max()
    # Sorted, so that row order changes no bit of the deviation.
    step = max(STEP * float(np.sort(values[present]).std()), (highest - lowest) / MOST_STEPS)
    steps = (np.where(present, values, lowest) - lowest) / (step or 1.0)
    return np.where(present, np.rint(steps), -1).astype(np.int64)


def _yes(value: bool | str) -> bool:
    """Whether a value says yes: the command line gives text."""
    if isinstance(value, bool):
        return value
    known = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
    if value.lower() not in known:
        raise unknown_name("choice of 'one_to_one'", value, ("yes", "no"))
    return known[value.lower()]
