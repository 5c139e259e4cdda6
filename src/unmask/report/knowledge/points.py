"""The points of the curves: what an intruder finds who knows so much."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from unmask.documents import KnowledgeDocument
from unmask.documents.knowledge import PATH, SETS
from unmask.report.charts import Mark
from unmask.report.phrases import Reached

#: How the best set of a size was found: among all sets, or by adding one attribute after the other.
BEST, ADDED = "best set", "best set, added one by one"


@dataclass(frozen=True, eq=False)
class KnownPoint:
    """What one attack finds with these attributes, so much error, and so many people known."""

    known: tuple[str, ...]
    error: float
    people: int
    attack: str
    title: str
    found: Reached

    @property
    def names(self) -> str:
        """The attributes in a row."""
        return ", ".join(self.known)

    def mark(self) -> Mark:
        """What a chart draws of it, and what its tooltip says."""
        return {
            **self.found.numbers(),
            "set": self.names,
            "attack": self.title,
            "rate": self.found.rate,
            "interval": self.found.interval,
            "people": self.found.correct,
        }


@dataclass(frozen=True, eq=False)
class SizeRow:
    """All sets of one size: how many, their lowest and mean risk, and the best of them."""

    kind: str
    sets: int
    lowest: float
    mean: float
    top: KnownPoint

    @property
    def size(self) -> int:
        """How many attributes are known."""
        return len(self.top.known)

    def mark(self) -> Mark:
        """What the chart draws of the best set."""
        return {"kind": self.kind, "attributes known": self.size, **self.top.mark()}


def points(document: KnowledgeDocument, *curves: str) -> list[KnownPoint]:
    """The points of these curves that have a value."""
    made = []
    for curve in curves:
        for row in document.curve(curve):
            keys, found = row.keys, Reached.of(row.estimate)
            if found is not None:
                attack = keys.attack or ""
                title = document.methods.title(attack)
                known, error, people = keys.known or (), keys.error or 0.0, keys.targets or 0
                made.append(KnownPoint(known, error, people, attack, title, found))
    return made


def best_of_sets(found: Iterable[KnownPoint]) -> list[KnownPoint]:
    """Of each set of attributes the point of the attack that finds most, the first of equals."""
    best: dict[tuple[str, ...], KnownPoint] = {}
    for point in found:
        held = best.get(point.known)
        if held is None or point.found.value > held.found.value:
            best[point.known] = point
    return list(best.values())


def sets_by_size(document: KnowledgeDocument) -> list[list[KnownPoint]]:
    """The sets that were all tried, size by size."""
    grouped: dict[int, list[KnownPoint]] = {}
    for point in best_of_sets(points(document, SETS)):
        grouped.setdefault(len(point.known), []).append(point)
    return [group for _, group in sorted(grouped.items())]


def size_rows(document: KnowledgeDocument) -> list[SizeRow]:
    """One row per number of attributes: how many sets, their lowest and mean risk, and the best one."""
    rows = [_size_row(BEST, group) for group in sets_by_size(document)]
    return rows + [_size_row(ADDED, [point]) for point in best_of_sets(points(document, PATH))]


def _size_row(kind: str, group: list[KnownPoint]) -> SizeRow:
    values = [point.found.value for point in group]
    top = max(group, key=lambda point: point.found.value)
    return SizeRow(kind, len(group), min(values), sum(values) / len(values), top)
