"""Candidates: the masks that a study compares, and the two releases that stand at either end of its map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Masked, Microdata
from unmask.data.schema import Role
from unmask.errors import ArgumentError, UnmaskError
from unmask.masks import Mask, as_mask, expand
from unmask.masks.contents import check_shape
from unmask.masks.families import NON_PERTURBATIVE
from unmask.masks.independent import Independent
from unmask.parsing import written
from unmask.randomness import generator
from unmask.studies.protection.content import fingerprint, says_all

#: The references of every study: the original as it is, and its columns without any relation.
UNPROTECTED, INDEPENDENT = "unprotected", "independent columns"

#: A mask is tried on so many records before the work starts.
TRIED = 2000


@dataclass(frozen=True)
class Unprotected:
    """The original as it is: what the release would be without any mask.

    >>> import polars as pl
    >>> from unmask.data.schema import Column, Schema
    >>> people = Microdata(Schema((Column("age"),)), pl.DataFrame({"age": [31, 54]}))
    >>> Unprotected().apply(people, np.random.default_rng(1)).origin
    array([0, 1])
    """

    name: ClassVar[str] = UNPROTECTED
    about = About(
        title="no protection",
        family=NON_PERTURBATIVE,
        sentence="The original goes out as it is, without identifiers.",
        source="the release against which every protection is held (Duncan and others 2001).",
    )

    of_any_shape: ClassVar[bool] = True

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The original itself."""
        return Masked.by_order(original, original)


@dataclass(frozen=True)
class Unrelated:
    """Series, traces or ties of which each part stems from somebody else: nothing of anybody is left.

    >>> from unmask.data.schema import Column, Schema
    >>> from unmask.data.shapes import SeriesContent
    >>> load = SeriesContent(np.arange(2.0), np.array([[1.0, 2.0], [5.0, 7.0], [3.0, 3.0]]))
    >>> people = Microdata(Schema((Column("level"), Column("spread"))), load.summary(), content=load)
    >>> Unrelated().apply(people, np.random.default_rng(1)).data.content.values.tolist()
    [[1.0, 3.0], [5.0, 2.0], [3.0, 7.0]]
    """

    name: ClassVar[str] = INDEPENDENT
    about = About(
        title="contents without relation",
        family=NON_PERTURBATIVE,
        sentence="Every value of a series, point of a trace or tie is dealt to somebody drawn at random.",
        source="the release in which nothing is left to find (Duncan and others 2001).",
    )
    of_any_shape: ClassVar[bool] = True

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The original with the parts of its content dealt at random."""
        content = original.content
        assert content is not None  # rows have columns, which are shuffled by another mask
        return Masked.by_order(original, original.containing(content.unrelated(rng)))


@dataclass(frozen=True)
class MaskCandidate:
    """A mask of a study by its text.

    ``reference``: it is there to be compared with; ``drawn``: chance takes part in it, so that one release is
    not like the next; ``told``: the text says all of it, so that what was found of it is known again.
    """

    text: str
    mask: Mask = field(compare=False)
    reference: bool = False
    drawn: bool = True
    told: bool = True


def candidates(
    texts: Iterable[str], original: Microdata, given: Mapping[str, object] | None = None
) -> tuple[MaskCandidate, ...]:
    """The masks that these texts stand for, ranges of parameters written out, after the two references.

    ``given``: masks that were handed over as objects, by their text. Every mask is tried on some records, so
    that one that cannot be applied is refused before the work starts.

    >>> from unmask.data.example import people
    >>> [one.text for one in candidates(["noise:a={0.1,0.5}", "rank-swapping:p=5"], people(50))]
    ['unprotected', 'independent columns', 'noise:a=0.1', 'noise:a=0.5', 'rank-swapping:p=5']
    """
    made: dict[str, MaskCandidate] = {}
    for text in texts:
        handed = None if given is None else given.get(text)
        for one in (text,) if handed is not None else expand(text):
            mask = as_mask(one if handed is None else handed)  # type: ignore[arg-type]  # which refuses others
            name = text if handed is not None else _canonical(mask, one)
            if name in (UNPROTECTED, INDEPENDENT):
                raise ArgumentError(f"'{name}' is part of every study", hint="leave it out of the masks")
            made.setdefault(name, MaskCandidate(name, mask, told=says_all(name, mask, as_mask)))
    tried = [replace(one, drawn=_is_drawn(one, original)) for one in made.values()]
    return (*references(original), *tried)


def references(original: Microdata) -> tuple[MaskCandidate, MaskCandidate]:
    """The release without protection, and that of columns without any relation."""
    about_people = (Role.QUASI_IDENTIFIER, Role.CONFIDENTIAL)
    names = tuple(column.name for column in original.schema if column.role in about_people)
    apart: Mask = Independent(attributes=names) if original.content is None else Unrelated()
    return (
        MaskCandidate(UNPROTECTED, Unprotected(), reference=True, drawn=False),
        MaskCandidate(INDEPENDENT, apart, reference=True),
    )


def _canonical(mask: Mask, text: str) -> str:
    """One text for one mask, however its parameters were written; what has no such text keeps its own."""
    found = written(mask.name, mask)
    return found if says_all(found, mask, as_mask) else text


def _is_drawn(candidate: MaskCandidate, original: Microdata) -> bool:
    """Whether two draws of a mask differ; a mask that cannot be applied to these attributes is refused."""
    some = original.take(np.arange(min(len(original), TRIED)))
    try:
        check_shape(candidate.mask, some)
        one, other = (
            fingerprint(candidate.mask.apply(some, generator(seed, "trial", candidate.text)).data)
            for seed in (0, 1)
        )
    except UnmaskError as error:
        if len(some) < len(original) and "exceeds" in error.message:
            return True  # groups that are larger than the trial may be smaller than the file
        raise ArgumentError(f"mask '{candidate.text}': {error.message}", hint=error.hint) from None
    return one != other
