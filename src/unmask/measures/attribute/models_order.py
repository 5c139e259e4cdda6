"""Records in a random order that their content decides, so that no sample depends on the file's order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from unmask.data.microdata import Ints, Microdata
from unmask.data.schema import Kind
from unmask.measures.attribute.matched import ABOUT_PEOPLE, matched
from unmask.measures.evidence import FileEvidence
from unmask.randomness import generator

Bits = NDArray[np.uint64]


def orders(evidence: FileEvidence) -> tuple[Ints, Ints]:
    """The original and the released rows, each in a random order: its first n are a random sample.

    The order is that of a hash of what the record tells about the person, and of which copy of it this is:
    people alike come apart. Of people alike, who is which copy is told by their released records, then by
    what else the original has (identifiers, weights); of released records alike by whose they are. Those that
    are alike in all of this are interchangeable. So the rows of a file may be shuffled, and what the original
    tells of the people, one after the other, is the same for all releases of a file.
    """
    return evidence.cache.get(evidence, ("order",), lambda: _orders(evidence))


def _orders(evidence: FileEvidence) -> tuple[Ints, Ints]:
    rng = generator(evidence.seed, "model", "order")
    people, records = mixed(evidence.original, rng), mixed(evidence.released, rng)
    order = np.argsort(people_apart(evidence, people, records), kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    pairs = matched(evidence)
    owner = np.full(len(records), len(order), dtype=np.int64)
    owner[pairs.released] = place[pairs.original]
    return order, np.argsort(apart(records, owner), kind="stable")


def people_apart(evidence: FileEvidence, people: Bits, records: Bits) -> Bits:
    """A hash of each person: that of their record and of which copy it is, told by the released records."""
    pairs = matched(evidence)
    own = np.zeros(len(people), dtype=np.uint64)
    own[pairs.original] = records[pairs.released]
    original = evidence.original
    others = [column.name for column in original.schema if column.role not in ABOUT_PEOPLE]
    beside = np.zeros(len(people), dtype=np.uint64)
    twins = _repeated(people)  # who is alike nobody needs nothing else: an identifier is long to read
    if len(twins):
        beside[twins] = _hashed(original.take(twins), others, np.uint64(0))
    return apart(people, own, beside)


def _repeated(hashes: Bits) -> Ints:
    """The places of hashes that are there more than once.

    >>> _repeated(np.array([7, 3, 7], dtype=np.uint64))
    array([0, 2])
    """
    order = np.argsort(hashes, kind="stable")
    same = hashes[order][1:] == hashes[order][:-1]
    return np.sort(order[np.append(same, False) | np.append(False, same)])


def apart(hashes: Bits, *by: Bits | Ints) -> Bits:
    """Hashes of records and of which copy each is, in the order of ``by`` among equal ones.

    The first copy keeps its hash, so that the order of records that are all different is that of the hashes.

    >>> found = apart(np.array([7, 7, 3], dtype=np.uint64), np.array([1, 0, 0]))
    >>> len(np.unique(found)), found[1:].tolist()
    (3, [7, 3])
    """
    order = np.lexsort((*reversed(by), hashes))
    found = hashes[order]
    first = np.flatnonzero(np.diff(found, prepend=~found[:1]))
    copy = np.arange(len(found)) - np.repeat(first, np.diff(first, append=len(found)))
    result = np.empty_like(hashes)
    result[order] = np.where(copy > 0, _stirred(found, copy.astype(np.uint64)), found)
    return result


def mixed(data: Microdata, rng: np.random.Generator) -> Bits:
    """A hash of each record, by what it tells about a person.

    >>> import polars as pl
    >>> from unmask.data.schema import Column, Schema
    >>> file = Microdata(Schema((Column("a"), Column("b"))), pl.DataFrame({"a": [1, 2, 1], "b": [5, 5, 5]}))
    >>> first, second, third = mixed(file, np.random.default_rng(1))
    >>> bool(first == third), bool(first == second)
    (True, False)
    """
    names = [column.name for column in data.schema if column.role in ABOUT_PEOPLE]
    return _hashed(data, names, rng.integers(2**63, dtype=np.uint64))


def _hashed(data: Microdata, names: Sequence[str], start: np.uint64) -> Bits:
    found = np.full(len(data), start, dtype=np.uint64)
    for name in names:
        found = _stirred(found, _bits(data, name))
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
