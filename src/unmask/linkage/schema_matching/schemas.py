"""Matching the columns of two files."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from unmask.data.coding import read_as
from unmask.data.loading import original_frame
from unmask.data.microdata import Floats, Microdata
from unmask.data.proposal import propose
from unmask.errors import ArgumentError, DataError
from unmask.fields import seed_number
from unmask.linkage.schema_matching.column_names import name_distances
from unmask.linkage.schema_matching.contents import content_distances
from unmask.linkage.schema_matching.likelihood import of_contents, of_names, of_relations
from unmask.linkage.schema_matching.matchings import best_matching, pair_probabilities
from unmask.linkage.schema_matching.profiles import MOST_RECORDS, ColumnProfile, profiles
from unmask.linkage.schema_matching.relations import (
    NOISE,
    associations,
    profile_distances,
    relation_distances,
)
from unmask.linkage.schema_matching.remarks import by_name_alone, compared, misleading
from unmask.linkage.schema_matching.result import ColumnPair, SchemaMatch

#: The odds, before any evidence, that a column has a partner in the other file, whichever.
PARTNER = 3.0
#: Rounds in which relations are compared under the matching of the round before.
ROUNDS = 8
#: The relations of more columns than these are not compared: they take too much room.
MOST_RELATED = 200
#: Pairs of columns beyond which a comparison takes too long.
MOST_PAIRS = 250_000
#: Types of columns that hold no plain values.
UNREADABLE = (pl.Binary, pl.Object)


def match_schema(first: object, second: object, *, names: bool = True, seed: int = 0) -> SchemaMatch:
    """Which column of one file is which of the other, with a probability for each pair and for none.

    The odds of a pair are prior odds times the likelihood ratios of three kinds of evidence, as if they were
    independent (:mod:`unmask.linkage.schema_matching.likelihood`): names (unless ``names`` is False),
    contents, and relations to the other columns, which are compared in rounds, each under the matching of
    the one before (Kang and Naughton 2003, *On schema matching with opaque column names and data values*,
    SIGMOD). The prior odds are three over the number of columns that other pairs leave: a column has one
    with chance 3/4. The probability is then the pair's share of all one-to-one matchings
    (:func:`~unmask.linkage.schema_matching.matchings.pair_probabilities`). It is a rule with constants that
    were chosen on public files, not a frequency for yours: it ranks pairs, and says where two are as good.

    Identifiers are not compared, nor is a column that repeats another one of its file; a note says so, and
    another one where a name speaks against what a column holds.

    Both files may be about different people. Of more than 20,000 records a sample is looked at (``seed``).

    >>> import polars as pl
    >>> people = pl.DataFrame({"sex": ["f", "m", "f", "f"] * 30, "age": [31, 45, 52, 38, 27, 64] * 20})
    >>> others = pl.DataFrame({"V1": [33, 44, 51, 40, 27, 60] * 20, "V2": ["f", "f", "m", "f"] * 30})
    >>> found = match_schema(people, others)
    >>> found.renamed
    {'sex': 'V2', 'age': 'V1'}
    """
    left, right = _file(first, "the first file"), _file(second, "the second file")
    first, mine = compared(left, "the first file", names)
    second, theirs = compared(right, "the second file", names)
    found = match_columns_of(left, right, first, second, names=names, seed=seed_number(seed))
    large = [file.label for file in (left, right) if len(file) > MOST_RECORDS]
    notes = tuple(f"a sample of {MOST_RECORDS:,} records of {label} was looked at" for label in large)
    return replace(found, notes=(*notes, *mine, *theirs, *found.notes))


def match_columns_of(
    left: Microdata,
    right: Microdata,
    first: tuple[str, ...],
    second: tuple[str, ...],
    *,
    names: bool = True,
    seed: int = 0,
) -> SchemaMatch:
    """The matching of these columns of two files under their schemas."""
    if len(first) * len(second) > MOST_PAIRS:
        raise ArgumentError(
            f"{len(first)} and {len(second)} columns are too many to compare each with each",
            hint=f"leave columns out until there are at most {MOST_PAIRS:,} pairs",
        )
    clues = Clues.of(profiles(left, first, seed), profiles(right, second, seed), names)
    pairs, probability = clues.paired(first, second)
    notes = clues.notes
    if any(by_name_alone(pair) for pair in pairs):
        unnamed, _ = replace(clues, names=np.zeros(clues.names.shape)).paired(first, second)
        notes += misleading(pairs, unnamed)
    return SchemaMatch(first, second, pairs, probability, clues.values, notes)


@dataclass(frozen=True, eq=False)
class Clues:
    """What is known of every pair of columns by itself, and the relations within each file."""

    names: Floats
    contents: Floats
    values: Floats
    shapes: Floats
    within: tuple[Floats, Floats] | None
    records: int  # of the smaller file, as far as they are looked at
    notes: tuple[str, ...]

    @staticmethod
    def of(left: tuple[ColumnProfile, ...], right: tuple[ColumnProfile, ...], by_name: bool) -> Clues:
        """The clues that two files' columns give."""
        values, shapes = content_distances(left, right)
        names = np.zeros(values.shape)
        if by_name:
            names = of_names(name_distances(tuple(c.name for c in left), tuple(c.name for c in right)))
        related = max(len(left), len(right)) <= MOST_RELATED
        notes = () if related else (f"relations are compared of at most {MOST_RELATED} columns: left out",)
        within = (associations(left), associations(right)) if related else None
        records = min((len(column.bins) for column in (*left, *right)), default=0)
        return Clues(names, of_contents(values, shapes, records), values, shapes, within, records, notes)

    def paired(
        self, first: tuple[str, ...], second: tuple[str, ...]
    ) -> tuple[tuple[ColumnPair, ...], Floats]:
        """The best matching of columns of these names, and the probability of every pair."""
        relations, odds = self.settled()
        probability = pair_probabilities(odds)
        told = (probability, self.names, self.contents, relations, self.values, self.shapes)
        return tuple(
            ColumnPair(first[i], second[j], *(float(one[i, j]) for one in told))
            for i, j in zip(*(side.tolist() for side in best_matching(odds)), strict=True)
        ), probability

    def settled(self) -> tuple[Floats, Floats]:
        """The evidence of relations, and the logarithm of the odds of every pair, once rounds are over."""
        own, noise = self.names + self.contents, NOISE / np.sqrt(max(self.records, 1))
        prior = _prior(np.zeros(own.shape))
        relations = np.zeros(own.shape)
        if self.within is not None:
            relations = of_relations(profile_distances(*self.within, noise), self.records)
        for _ in range(ROUNDS):
            likely = pair_probabilities(own + relations + prior)
            prior = _prior(likely)
            if self.within is not None:
                relations = of_relations(relation_distances(*self.within, likely, noise), self.records)
        return relations, own + relations + prior


def _prior(likely: Floats) -> Floats:
    """The logarithm of the prior odds of every pair, where the pairs are as likely as this.

    A column has a partner with odds PARTNER, and it may be any of the columns that no other pair takes, as
    far as these are certain: those of the file that has more of them left.
    """
    rows, columns = likely.shape
    taken = likely.sum()
    left = rows - taken + likely.sum(axis=0)[None, :]
    right = columns - taken + likely.sum(axis=1)[:, None]
    return np.asarray(np.log(PARTNER / np.maximum(np.maximum(left, right), 1.0)))


def _file(source: object, label: str) -> Microdata:
    """A file under the schema that is proposed for it, without columns that hold no plain values."""
    if isinstance(source, Microdata):
        return source
    table = original_frame(source)
    plain = [one.name for one in table.frame if not (one.dtype.is_nested() or one.dtype in UNREADABLE)]
    if not plain or not table.frame.height:
        raise DataError(
            f"{label} has no records to compare", hint="give a file with a header and at least one row"
        )
    held = replace(table, frame=table.frame.select(plain))
    return read_as(propose(held).schema, held.frame, label)
