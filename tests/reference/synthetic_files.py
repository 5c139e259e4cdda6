"""What the measures of synthetic files say, slowly and one person at a time."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan

#: (attribute, low, high), as in :mod:`unmask.measures.synthetic.predicates`.
Part = tuple[int, float, float]
Key = tuple[object, ...]


def selects(predicate: Sequence[Part], record: Sequence[float]) -> bool:
    """Whether every part of the predicate holds of the record."""
    for attribute, low, high in predicate:
        value = record[int(attribute)]
        holds = isnan(value) if isnan(low) else not isnan(value) and low <= value <= high
        if not holds:
            return False
    return True


def count_selected(predicate: Sequence[Part], records: Sequence[Sequence[float]]) -> int:
    """How many records a predicate selects."""
    return sum(selects(predicate, record) for record in records)


def right(guess: float, truth: float, tolerance: float) -> bool:
    """Whether a value is the truth, or near enough."""
    return abs(guess - truth) <= tolerance * abs(truth) * (1 + 1e-6)


def matching(key: Key, keys: Sequence[Key]) -> list[int]:
    """The records with that key."""
    return [i for i, other in enumerate(keys) if other == key]


def replicated_uniques(original: Sequence[Key], released: Sequence[Key]) -> tuple[int, int]:
    """How many people are unique, and of how many of them the release has exactly one record."""
    unique = [key for key in original if len(matching(key, original)) == 1]
    return len(unique), sum(len(matching(key, released)) == 1 for key in unique)


def disco(people: Sequence[tuple[Key, object]], records: Sequence[tuple[Key, object]]) -> list[float]:
    """1 for everybody whose key is released with one secret only, theirs."""
    told = []
    for key, secret in people:
        secrets = {other for theirs, other in records if theirs == key}
        told.append(1.0 if secrets == {secret} else 0.0)
    return told


def cap(people: Sequence[tuple[Key, object]], records: Sequence[tuple[Key, object]]) -> list[float]:
    """The share of records with the person's key that have their secret; NaN where none has the key."""
    shares = []
    for key, secret in people:
        secrets = [other for theirs, other in records if theirs == key]
        shares.append(sum(other == secret for other in secrets) / len(secrets) if secrets else nan)
    return shares


def generalised_cap(
    people: Sequence[tuple[Key, object]], records: Sequence[tuple[Key, object]]
) -> list[float]:
    """The same over the records that differ in the fewest attributes of the key."""
    shares = []
    for key, secret in people:
        apart = [sum(a != b for a, b in zip(key, theirs, strict=True)) for theirs, _ in records]
        secrets = [other for (_, other), d in zip(records, apart, strict=True) if d == min(apart)]
        shares.append(sum(other == secret for other in secrets) / len(secrets))
    return shares


def one_secret(key: Key, rows: Sequence[tuple[Key, object]]) -> bool:
    """Whether all rows with that key have one secret, and there are some."""
    return len({secret for theirs, secret in rows if theirs == key}) == 1


def targeted_records(
    people: Sequence[tuple[Key, object]], records: Sequence[tuple[Key, object]]
) -> list[float]:
    """TCAP over released records whose key has one secret only; those whose key is nobody's are left out."""
    pure = [(key, secret) for key, secret in records if one_secret(key, records)]
    return [share for share in cap(pure, people) if not isnan(share)]


def targeted_people(
    people: Sequence[tuple[Key, object]], records: Sequence[tuple[Key, object]]
) -> list[float]:
    """TCAP over people whose key is released with one secret only."""
    return cap([(key, secret) for key, secret in people if one_secret(key, records)], records)


def targeted_original(
    people: Sequence[tuple[Key, object]], records: Sequence[tuple[Key, object]]
) -> list[float]:
    """TCAP over people whose key has one secret only in the original."""
    return disco([(key, secret) for key, secret in people if one_secret(key, people)], records)


def within(records: Sequence[tuple[Key, object]]) -> list[float]:
    """WEAP: whether the key of each released record has one secret only."""
    return [float(one_secret(key, records)) for key, _ in records]
