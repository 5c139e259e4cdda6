"""Linkage after schema matching: columns are recognised by what they hold, then records are linked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmask.about import About
from unmask.attacks.base import Usual
from unmask.attacks.families import NOTHING_COMMON
from unmask.data.microdata import Floats, Microdata
from unmask.data.schema import Column, Kind, Role
from unmask.data.values.missing_words import is_missing_word
from unmask.engines import Engine
from unmask.intruder.dossier import Dossier
from unmask.kernels.pairing import DIFFERENCE, DISCRETE
from unmask.linkage.aggregations import Sum
from unmask.linkage.axes import FEW, UNRELATED, Axis, axis_range
from unmask.linkage.decisions import NearestRecord, nearest_record
from unmask.linkage.encodings import moments
from unmask.linkage.schema_matching import SchemaMatch, match_columns_of
from unmask.linkage.schema_matching.codes import code_spellings
from unmask.linkage.schema_matching.numbers import column_numbers
from unmask.linkage.spaces import assemble
from unmask.linkage.unrelated import mean_difference

#: A pair of columns that is less probable takes no part.
LEAST = 0.05
#: Columns whose values are nearer than this have one unit.
ONE_UNIT = 0.5
#: Pairs of columns that the note lists.
SHOWN = 12
NOTHING_ALIKE = "no column of the known file looks like one of the released file: every record is as near"


@dataclass(frozen=True)
class SchemaMatching:
    """The nearest released record on columns that are recognised without their names.

    The columns of both files are matched by what they hold and how they are related (Kang and Naughton 2003;
    :func:`unmask.linkage.schema_matching.match_schema`, names left out). A record's distance is then what is
    to be expected of it,

        d(b, a)^2 = sum_ij P_ij (b_i - a_j)^2

    with P_ij how probably column i of the known file is column j of the released one (pairs below 0.05 are
    left out), numbers and ordered categories standardised file by file, and nominal values equal or not, on
    the scale of numbers (blanks, case and leading zeros of a code do not matter, and a band counts as its
    middle). Nominal columns without a common code are compared by how frequent each code is.
    If no column looks like another, every record is as near, and a note says so.

    >>> import polars as pl, unmask
    >>> rng = np.random.default_rng(1)
    >>> age, pay = rng.integers(20, 70, 200), rng.lognormal(3, 1, 200)
    >>> known = pl.DataFrame({"id": range(200), "age": age, "pay": pay})
    >>> noise = rng.normal(0, 0.2, (2, 200))
    >>> released = pl.DataFrame({"id": range(200), "x": pay + noise[0], "y": age + noise[1]})
    >>> risk = unmask.assess(known, released, truth="id", attacks=[SchemaMatching()])
    >>> risk.worst().estimate.value > 0.8
    True
    """

    about = About(
        title="linkage after schema matching",
        family=NOTHING_COMMON,
        sentence="No name of a column is in both files. The intruder recognises columns by their values, "
        "their distributions and their relations to other columns, and takes the record that is nearest in "
        "the columns they recognised.",
        source="J. Kang and J. F. Naughton (2003), On schema matching with opaque column names and data "
        "values, Proceedings of ACM SIGMOD, 205-216 (the matching of columns).",
        rank=3,
    )
    usual = Usual.NOTHING_COMMON

    @property
    def name(self) -> str:
        """The name in tables."""
        return "schema-matching"

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> NearestRecord:
        """Match the columns; standardise; sum of squares weighted by probability; nearest."""
        known, released = dossier.known, dossier.released
        first, second = (
            file.schema.names(Role.QUASI_IDENTIFIER) or file.schema.names() for file in (known, released)
        )
        found = match_columns_of(
            known, released, first, second, names=False, seed=int(rng.integers(np.iinfo(np.int64).max))
        )
        axes, used = _axes(known, released, found)
        more = f" and {len(used) - SHOWN} more pairs" if len(used) > SHOWN else ""
        told = f"columns taken for the same: {', '.join(used[:SHOWN])}{more}" if used else NOTHING_ALIKE
        space = assemble(axes, dossier.missing, (*found.notes, told))
        return nearest_record(dossier, space, Sum(power=2), engine)


def _axes(known: Microdata, released: Microdata, found: SchemaMatch) -> tuple[list[Axis], list[str]]:
    """One axis per probable pair of columns, and the pairs in words."""
    axes, used = [], []
    few = len(known) < min(FEW, len(released))
    for i, j in np.argwhere(found.probability >= LEAST).tolist():
        before, after = known.schema[found.first[i]], released.schema[found.second[j]]
        one_unit = few and found.values[i, j] < ONE_UNIT
        axis = _axis(known, before, released, after, one_unit)
        if axis is not None:
            chance = float(found.probability[i, j])
            axes.append(axis.scaled(np.sqrt(chance)))
            used.append(f"{before.name} = {after.name} ({chance:.2f})")
    if not axes:
        axes.append(Axis(np.zeros(len(known)), np.zeros(len(released)), DIFFERENCE, 1.0, 0.0))
    return axes, used


def _axis(
    known: Microdata, before: Column, released: Microdata, after: Column, one_unit: bool
) -> Axis | None:
    """The axis of two columns that may be the same; None where numbers meet names.

    ``one_unit``: the released column's mean and deviation serve for both.
    """
    if before.kind is Kind.NOMINAL and after.kind is Kind.NOMINAL:
        return _nominal(known, before.name, released, after.name)
    left, right = column_numbers(known, before), column_numbers(released, after)
    if left is not None and right is not None:
        return _standardised(left, right, one_unit)
    # Categories that are in order here and in none there are still equal or not.
    return (
        None
        if Kind.NUMERIC in (before.kind, after.kind)
        else _nominal(known, before.name, released, after.name)
    )


def _nominal(known: Microdata, before: str, released: Microdata, after: str) -> Axis:
    mine, theirs = known.categories(before), released.categories(after)
    spelt = [code_spellings(side) for side in (mine, theirs)]
    if not {*spelt[0].values()} & {*spelt[1].values()}:
        return _standardised(_frequencies(known, before, mine), _frequencies(released, after, theirs), False)
    place = {code: float(k) for k, code in enumerate(sorted({*spelt[0].values(), *spelt[1].values()}))}
    strange = {*spelt[1].values()} - {*spelt[0].values()}
    place |= {
        code: np.nan for code in strange if is_missing_word(code)
    }  # suppressed, and another word for it
    left, right = (
        np.append([place[own[level]] for level in levels], np.nan)[data.codes(name, levels)]
        for data, name, levels, own in ((known, before, mine, spelt[0]), (released, after, theirs, spelt[1]))
    )
    own = mean_difference(left, right, DISCRETE, None, 2)
    return Axis(left, right, DISCRETE, 1.0, 1.0).scaled(np.sqrt(UNRELATED / own) if own > 0 else 1.0)


def _frequencies(data: Microdata, name: str, levels: tuple[str, ...]) -> Floats:
    """How many records share each record's category, NaN where it is missing."""
    codes = data.codes(name, levels)
    counts = np.bincount(codes[codes >= 0], minlength=len(levels) + 1).astype(np.float64)
    return np.where(codes < 0, np.nan, counts[codes])


def _standardised(left: Floats, right: Floats, one_unit: bool) -> Axis:
    theirs = moments(right)
    known = (theirs if one_unit else moments(left)).standardise(left)
    released = theirs.standardise(right)
    return Axis(known, released, DIFFERENCE, 1.0, axis_range(known, released), blurred=True)
