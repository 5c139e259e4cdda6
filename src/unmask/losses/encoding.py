"""From two files to the arrays that losses compare, in an order that no shuffling of rows changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import polars as pl

from unmask.data.microdata import Floats, Ints, Microdata
from unmask.data.ranks import dense_ranks
from unmask.data.schema import Kind, Role
from unmask.linkage.transitions import Transitions
from unmask.losses.evidence import Column, LossAttribute, LossEvidence, Side
from unmask.losses.marks import marks
from unmask.measures.attribute.matched import ABOUT_PEOPLE, judged
from unmask.measures.evidence import FileEvidence

#: A chance below this is what rounding leaves.
ROUNDING = 1e-9

#: Of more people than these, a random sample is compared: so many tell every loss to the second digit.
MOST_PEOPLE = 100_000


def loss_evidence(
    files: FileEvidence,
    own: Microdata | None = None,
    tables: Mapping[str, Transitions] | None = None,
    limit: int | None = None,
) -> LossEvidence:
    """The evidence for losses of two files.

    ``files``: both in the release's terms; ``own``: the original in its own; ``tables``: the transitions that
    the mask declares; ``limit``: compare so many people at most.

    >>> from unmask.data.example import people
    >>> from unmask.data.microdata import Masked
    >>> file = people(100)
    >>> evidence = loss_evidence(FileEvidence(file, Masked.by_order(file, file), ("age",)))
    >>> evidence.numeric, len(evidence.original), evidence.weighted
    (('age', 'hours', 'income', 'rent', 'commute'), 100, True)
    """
    own = files.original if own is None else own
    attributes = tuple(_attribute(files, name, own) for name in judged(files))
    names = {attribute.name for attribute in attributes}
    original, released = (
        Side({a.name: _column(files, data, a) for a in attributes}, weights, data.content)
        for data, weights in zip((files.original, files.released), _weights(files), strict=True)
    )
    evidence = LossEvidence(
        attributes,
        original,
        released,
        files.masked.origin,
        own={a.name: _own_codes(own, a.name) for a in attributes if a.detail},
        absent=tuple(
            column.name
            for column in own.schema
            if column.role in ABOUT_PEOPLE and column.name not in files.released.schema
        ),
        tables=_tables(files, own, attributes, {} if tables is None else tables),
        confidential=tuple(name for name in files.released_confidential if name in names),
        weighted=any(bool(np.ptp(side.weights) > 0) for side in (original, released)),
        seed=files.seed,
        people=len(files.original),
    )
    ordered = _in_order(evidence)
    return ordered if limit is None else ordered.fewer(limit, evidence.rng("people"))


def _attribute(files: FileEvidence, name: str, own: Microdata) -> LossAttribute:
    """An attribute in the release's terms; a number that the release has as a category is one."""
    here, there = files.original.schema[name], files.released.schema[name]
    if Kind.NUMERIC is here.kind is there.kind:
        return LossAttribute(name, Kind.NUMERIC)
    levels = len(_categories(files, name))
    ordinal = here.kind is Kind.ORDINAL and set(files.categories(name)) <= set(here.levels)
    detail = 0 if _same_terms(files, name, own) else int(_own_codes(own, name).max(initial=-1)) + 1
    of_numbers = detail > 0 and own.schema[name].kind is Kind.NUMERIC
    return LossAttribute(name, Kind.ORDINAL if ordinal else Kind.NOMINAL, levels, detail, of_numbers)


def _same_terms(files: FileEvidence, name: str, own: Microdata) -> bool:
    """Whether the original says an attribute in its own terms as in the release's."""
    if own is files.original:
        return True
    here, there = (file.frame[name].cast(pl.String) for file in (own, files.original))
    return here.equals(there)


def _tables(
    files: FileEvidence,
    own: Microdata,
    attributes: Iterable[LossAttribute],
    declared: Mapping[str, Transitions],
) -> dict[str, Floats]:
    """The declared tables by code: a row per category in the original's own terms, a column per released
    one, and a last column for values made missing. A category that the table does not have is NaN.
    """
    tables = {}
    for attribute in attributes:
        name = attribute.name
        if name in declared and own.schema[name].kind is not Kind.NUMERIC and attribute.categories:
            columns = _categories(files, name)
            rows = own.categories(name) if attribute.detail else columns
            tables[name] = _by_code(declared[name], rows, columns)
    return tables


def _by_code(declared: Transitions, rows: Sequence[str], columns: Sequence[str]) -> Floats:
    chances = np.column_stack((declared.probability, 1 - declared.probability.sum(axis=1)))
    # What rounding leaves of a row that adds up to 1 is no chance.
    chances[:, -1][chances[:, -1] < ROUNDING] = 0.0
    # One more row for categories that the table does not have, and one more column that nothing becomes.
    chances = np.pad(chances, ((0, 1), (0, 1)))
    chances[-1] = np.nan
    row_of = {category: i for i, category in enumerate(declared.original)}
    column_of = {category: j for j, category in enumerate(declared.released)}
    chosen = [column_of.get(category, -1) for category in columns]
    return chances[np.ix_([row_of.get(category, -1) for category in rows], [*chosen, -2])]


def _own_codes(own: Microdata, name: str) -> Ints:
    """The values of an attribute in the original's own terms; a number by its place among all."""
    if own.schema[name].kind is Kind.NUMERIC:
        return dense_ranks(own.frame[name]) - 1
    return own.codes(name, own.categories(name))


def _categories(files: FileEvidence, name: str) -> tuple[str, ...]:
    """The categories of both files: in the order of the levels where the original has some, else sorted."""
    levels = files.original.schema[name].levels
    found = files.categories(name)
    return levels if set(found) <= set(levels) else found


def _column(files: FileEvidence, data: Microdata, attribute: LossAttribute) -> Column:
    if attribute.kind is Kind.NUMERIC:
        return files.numbers(data, attribute.name)
    if data.schema[attribute.name].kind is Kind.NUMERIC:
        # A number in one file and a category in the other: numbers are compared by their text.
        text = data.frame[attribute.name].cast(pl.String)
        place = {category: code for code, category in enumerate(_categories(files, attribute.name))}
        return np.array([place.get(one, -1) for one in text.to_list()], dtype=np.int32)
    return data.codes(attribute.name, _categories(files, attribute.name)).astype(np.int32)


def _weights(files: FileEvidence) -> Iterable[Floats]:
    """The weights of both files where both have them, and all are there; else every record counts one."""
    name = next(iter(files.original.schema.names(Role.WEIGHT)), None)
    both = (files.original, files.released)
    if name is not None and all(name in f.schema and f.schema[name].kind is Kind.NUMERIC for f in both):
        found = [files.numbers(file, name) for file in both]
        if all(bool((weights > 0).all()) for weights in found):
            return found
    return [np.ones(len(file)) for file in both]


def _in_order(evidence: LossEvidence) -> LossEvidence:
    """The records in an order that hangs on their values alone: nobody sees how the rows came.

    Persons are ordered by their own values, so that resamples of one original are the same beside every
    release, and then by those of their released records; released records by their person, and those of
    nobody after them by their own values. Records that are alike in all stay alike.
    """
    theirs = marks(evidence.released)
    released_of = np.full(len(evidence.original), -1, dtype=np.int64)
    released_of[evidence.rows[evidence.matched]] = evidence.matched
    people = np.lexsort(
        (
            np.where(released_of < 0, np.uint64(1), theirs[released_of]),
            marks(evidence.in_own_terms().original),
        )
    )
    place = np.empty(len(people), dtype=np.int64)
    place[people] = np.arange(len(people))
    # A row of -1 finds the last place, and is nobody's all the same.
    rank = np.where(evidence.rows < 0, len(people), place[evidence.rows])
    records = np.lexsort((theirs, rank))
    return evidence.of(people, records)
