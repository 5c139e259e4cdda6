"""What a mask is: a method with parameters that turns an original file into a released one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
import polars as pl

from unmask.about import About
from unmask.data.microdata import Floats, Masked, Microdata
from unmask.data.schema import Kind, Role
from unmask.errors import ArgumentError
from unmask.linkage.transitions import Declares

__all__ = [
    "CATEGORIES",
    "NUMBERS",
    "Declares",
    "Mask",
    "Masked",
    "categorical_targets",
    "numeric_targets",
    "targets",
    "with_numbers",
]

#: The kinds of attributes that masks of numbers work on, and those of categories.
NUMBERS = (Kind.NUMERIC,)
CATEGORIES = (Kind.ORDINAL, Kind.NOMINAL)


@runtime_checkable
class Mask(Protocol):
    """A masking method. Parameters are fields of a frozen dataclass; randomness comes from ``rng`` only.

    One that must have parameters gives ``examples`` of itself as text, such as ``("noise:a=0.5",)``: they are
    shown to users, and held to the contract of masks. One that works on some kinds of attributes only says
    so by its ``kinds``, which tells a :class:`~unmask.masks.pipeline.Pipeline` what it changes. One that
    ``bears_gaps`` declares nothing that becomes false where another mask makes values missing; what one that
    is ``joint`` does to an attribute depends on the others that it changes. One whose
    parameter orders it by strength says which (:class:`~unmask.masks.strength.Strength`).
    """

    name: ClassVar[str]

    @property
    def about(self) -> About:
        """What the mask is called, does and comes from."""
        ...

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The released file, in the order of the original, with its origin."""
        ...


def targets(
    original: Microdata, attributes: Sequence[str] | None, kinds: Sequence[Kind] = tuple(Kind)
) -> list[str]:
    """The columns that a mask works on: those named, else all quasi-identifiers of these kinds."""
    if attributes is None:
        quasi = original.schema.names(Role.QUASI_IDENTIFIER)
        chosen = [name for name in quasi if original.schema[name].kind in kinds]
        if not chosen:
            raise ArgumentError(
                f"{original.label} has no {_described(kinds)}quasi-identifier to mask",
                hint="name the attributes, or give them that kind and role in the schema",
            )
        return chosen
    for name in attributes:
        kind = original.schema[name].kind
        if kind not in kinds:
            raise ArgumentError(
                f"column '{name}' is {kind.value}, and this mask takes {_described(kinds)}columns",
                hint="leave it out of the attributes",
            )
    if len(set(attributes)) != len(attributes):
        raise ArgumentError("an attribute is named twice", hint="name each once")
    if not attributes:
        raise ArgumentError("no attribute is named", hint="name at least one, or leave the argument out")
    return list(attributes)


def numeric_targets(original: Microdata, attributes: Sequence[str] | None) -> list[str]:
    """The columns that a numeric mask works on: those named, else all numeric quasi-identifiers."""
    return targets(original, attributes, NUMBERS)


def categorical_targets(original: Microdata, attributes: Sequence[str] | None) -> list[str]:
    """The columns that a mask of categories works on: those named, else all such quasi-identifiers."""
    return targets(original, attributes, CATEGORIES)


def _described(kinds: Sequence[Kind]) -> str:
    return "" if set(kinds) == set(Kind) else " or ".join(kind.value for kind in kinds) + " "


def with_numbers(original: Microdata, names: Sequence[str], values: Floats) -> Masked:
    """The file with these numeric columns replaced, every record in its place."""
    columns = {name: pl.Series(name, values[:, j], nan_to_null=True) for j, name in enumerate(names)}
    return Masked(original.replace(columns), np.arange(len(original), dtype=np.int64))
