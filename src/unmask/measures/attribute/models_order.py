"""Records in a random order that their content decides, so that no sample depends on the file's order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Ints, Microdata
from unmask.data.schema import Kind
from unmask.measures.attribute.matched import ABOUT_PEOPLE, matched
from unmask.measures.evidence import FileEvidence
from unmask.randomness import generator

Bits = NDArray[np.uint64]


def orders(evidence: FileEvidence) -> tuple[Ints, Ints]:
    """The original and the released rows, each in a random order.

    The order is that of a hash of what the record tells about the person; two people of whom the original
    tells the same come in the order of their released records. So the order of the people is one for all
    releases of a file. Records that tell the same are interchangeable.
    """
    return evidence.cache.get(evidence, ("order",), lambda: _orders(evidence))


def _orders(evidence: FileEvidence) -> tuple[Ints, Ints]:
    rng = generator(evidence.seed, "model", "order")
    people, records = mixed(evidence.original, rng), mixed(evidence.released, rng)
    pairs = matched(evidence)
    own = np.zeros(len(people), dtype=np.uint64)
    own[pairs.original] = records[pairs.released]
    return np.lexsort((own, people)), np.argsort(records, kind="stable")


def mixed(data: Microdata, rng: np.random.Generator) -> Bits:
    """A hash of each record, by what it tells about a person.

    >>> import polars as pl
    >>> from unmask.data.schema import Column, Schema
    >>> file = Microdata(Schema((Column("a"), Column("b"))), pl.DataFrame({"a": [1, 2, 1], "b": [5, 5, 5]}))
    >>> first, second, third = mixed(file, np.random.default_rng(1))
    >>> bool(first == third), bool(first == second)
    (True, False)
    """
    found = np.full(len(data), rng.integers(2**63, dtype=np.uint64))
    for column in data.schema:
        if column.role in ABOUT_PEOPLE:
            found = _stirred(found, _bits(data, column.name))
    return found


def _bits(data: Microdata, name: str) -> Bits:
    """Each value as 64 bits, equal where the values are."""
    if data.schema[name].kind is Kind.NUMERIC:
        values = data.numbers([name])[:, 0] + 0.0  # minus zero becomes zero
        return np.where(np.isnan(values), np.nan, values).view(np.uint64)
    return data.codes(name, data.categories(name)).astype(np.uint64)


def _stirred(one: Bits, other: Bits) -> Bits:
    """Two hashes made one, each bit of both moving about half of the result's (as in splitmix64)."""
    found = one * np.uint64(0x9E3779B97F4A7C15) + other
    found = (found ^ (found >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    found = (found ^ (found >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(found ^ (found >> np.uint64(31)), dtype=np.uint64)
