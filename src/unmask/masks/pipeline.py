"""Masks one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Ints, Microdata
from unmask.data.schema import Kind
from unmask.errors import ArgumentError
from unmask.fields import shown
from unmask.linkage.transitions import Declaration, Declares, Seen, Transitions
from unmask.linkage.transparency import declares
from unmask.masks.base import Mask, Masked
from unmask.masks.categories import untouched
from unmask.masks.chain import chain_declaration, changed_by
from unmask.masks.release import as_released
from unmask.parsing import written


@dataclass(frozen=True)
class Pipeline:
    """Masks that are applied one after the other, each to what the one before releases.

    As text, the masks are joined by the word ``then``: "noise:a=0.1,attributes=income then pram:p=5". Offices
    protect attributes of different kinds by different masks (Hundepool and others 2012), so most releases are
    made like this.

    Between two masks numbers are written as they would be released, on the grid and within the limits of the
    original: a suppression after noise sees the ages that are published. Every part draws from a random
    stream of its own, by its place: to change one moves no part before it. A released record stems from the
    original one that its chain of origins leads to.

    >>> import polars as pl
    >>> from unmask.data.schema import Column, Kind, Schema
    >>> from unmask.masks import BottomCoding, TopCoding
    >>> people = Microdata(Schema((Column("age"),)), pl.DataFrame({"age": [3, 31, 54, 97]}))
    >>> ends = Pipeline((TopCoding(limit=85, attributes=("age",)), BottomCoding(share=0.25)))
    >>> ends.apply(people, np.random.default_rng(1)).data.frame["age"].to_list()
    [31.0, 31.0, 54.0, 85.0]
    >>> ends.text
    'top-coding:limit=85,attributes=age then bottom-coding:share=0.25'
    """

    name: ClassVar[str] = "pipeline"
    kinds: ClassVar[tuple[Kind, ...]] = tuple(Kind)
    parts: tuple[Mask, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.parts, tuple | list):
            raise ArgumentError(
                f"the parts of a pipeline are {shown(self.parts)}", hint="write Pipeline((Noise(a=0.1), ...))"
            )
        for part in self.parts:
            if isinstance(part, type) or not isinstance(part, Mask):
                raise ArgumentError(
                    f"a part of a pipeline is {shown(part)}",
                    hint="give masks, as in Pipeline((Noise(a=0.1),))",
                )
        flat = tuple(
            one for part in self.parts for one in (part.parts if isinstance(part, Pipeline) else (part,))
        )
        if not flat:
            raise ArgumentError("a pipeline has no mask", hint="give at least one, as in Noise(a=0.1)")
        object.__setattr__(self, "parts", flat)

    @property
    def text(self) -> str:
        """How it is written: its masks, joined by 'then'."""
        return " then ".join(written(part.name, part) for part in self.parts)

    @property
    def about(self) -> About:
        """What its masks are called, do and come from, in their order."""
        abouts = [part.about for part in self.parts]
        return replace(
            abouts[0],
            title=", then ".join(about.title for about in abouts),
            sentence=" Then: ".join(about.sentence for about in abouts),
            source=" ".join(dict.fromkeys(about.source for about in abouts)),
            rank=0,
        )

    @property
    def declares(self) -> bool:
        """Whether any of its masks says what it does."""
        return any(declares(part) for part in self.parts)

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file after the last mask."""
        streams = rng.spawn(len(self.parts))
        made = self.parts[0].apply(original, streams[0])
        before = original
        for part, stream in zip(self.parts[1:], streams[1:], strict=True):
            made = as_released(before, made)
            before = made.data
            after = part.apply(before, stream)
            made = Masked(after.data, _origin(made.origin, after.origin), after.terms or made.terms)
        return made

    def declare(self, seen: Seen) -> Declaration:
        """What its masks declare, of the attributes that a single one of them changes.

        Of an attribute that several change, or one that declares nothing, any value may have become any: no
        mask knows what another made of its values. Values that are made missing before or after are the
        exception, where the other mask ``bears_gaps``: what it declares holds of those that are left.
        """
        return chain_declaration(self.parts, seen)

    def transitions(self, original: Microdata) -> dict[str, Transitions]:
        """The tables of attributes that no mask, or one that declares its tables, changes; no others."""
        tables = untouched(original)
        changes = changed_by(self.parts, original.schema)
        for name in [name for name in tables if len(changes[name]) > 1]:
            del tables[name]
        for place, part in enumerate(self.parts):
            names = [name for name in tables if changes[name] == (place,)]
            found = part.transitions(original) if names and isinstance(part, Declares) else {}
            for name in names:
                if name in found:
                    tables[name] = found[name]
                else:
                    del tables[name]
        return tables


def _origin(first: Ints, second: Ints) -> Ints:
    """Where records stem from that stem from records of a file that stem from others; -1: from nobody.

    >>> _origin(np.array([4, -1, 2]), np.array([2, 1, -1, 0]))
    array([ 2, -1, -1,  4])
    """
    return np.where(second < 0, -1, first[second]).astype(np.int64)


def in_turn(masks: Sequence[Mask]) -> Mask:
    """The mask of these: a single one is itself."""
    return masks[0] if len(masks) == 1 else Pipeline(tuple(masks))
