"""Whether a released record still stands for a person, where a mask draws records anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unmask.data.microdata import Masked, Microdata
from unmask.data.schema import Role
from unmask.masks.base import Mask
from unmask.masks.pipeline import Pipeline

#: What is not counted of a release whose values are drawn from people.
NOT_COUNTED = (
    "a synthetic record counts as found where it stands in the place of the person; that it may repeat the "
    "values of somebody else is not counted"
)


def draws_people(mask: Mask) -> bool:
    """Whether a mask draws values from other people's records, so that one may repeat a whole record.

    >>> from unmask.masks import parse
    >>> [draws_people(parse(text)) for text in ("cart", "noise:a=0.1 then cart", "independent")]
    [True, True, False]
    """
    parts = mask.parts if isinstance(mask, Pipeline) else (mask,)
    return any(bool(getattr(part, "draws_people", False)) for part in parts)


def as_anybodys(original: Microdata, masked: Masked, mask: Mask) -> Masked:
    """The release as it is; of nobody, where every attribute of every record was drawn anew.

    Then record i says nothing of person i, and may be a copy of somebody else: that nobody is found in it
    would be said of any such file, and means nothing.

    >>> from unmask.data.example import people
    >>> from unmask.masks import Cart
    >>> file, rng = people(30), np.random.default_rng(1)
    >>> as_anybodys(file, Cart().apply(file, rng), Cart()).origin[:3]  # the diagnosis is kept
    array([0, 1, 2])
    >>> numbers = file.only(["age", "income"])
    >>> as_anybodys(numbers, Cart().apply(numbers, rng), Cart()).origin[:3]
    array([-1, -1, -1])
    """
    if not draws_people(mask):
        return masked
    about_people = (Role.QUASI_IDENTIFIER, Role.CONFIDENTIAL)
    released = masked.data
    for column in original.schema:
        if column.role in about_people and column.name in released.schema:
            own = original.frame[column.name].gather(masked.origin.clip(0))
            if own.n_unique() > 1 and own.equals(released.frame[column.name]):
                return masked
    return replace(masked, origin=np.full(len(released), -1, dtype=np.int64))
