"""KnowledgeCurves: risk at every point of what the intruder may know, as tables, JSON and a report."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polars as pl

from unmask.assessment.results import Sizes
from unmask.data.io.sources import read_text
from unmask.data.io.write import write_text
from unmask.documents import KNOWLEDGE
from unmask.studies.knowledge.sets import Names, fallen, gains, minimal_sets


@dataclass(frozen=True)
class Point:
    """The re-identification by one attack of an intruder who knows so much, with its 95% interval.

    ``value`` is None where it cannot be estimated; ``reason`` then says why.
    """

    attack: str
    attributes: Names
    error: float
    people: int
    value: float | None
    low: float | None
    high: float | None
    n: int
    chance: float | None
    p_value: float | None
    reason: str | None = None


@dataclass(frozen=True, eq=False)
class KnowledgeCurves:
    """What an intruder finds by how much he knows. Holds no value of a record.

    ``sets``: all sets of up to ``enumerated`` attributes; ``path``: from the best of them on, the attribute
    added that raises the risk most, until all are known; ``errors`` and ``shares``: all attributes known with
    error, and of a share of the people. One point an attack each. ``unmask``: the version that tried them.
    """

    scenario: str
    attributes: tuple[tuple[str, str], ...]
    missing: str
    error: float
    block: tuple[str, ...]
    attacks: tuple[str, ...]
    sizes: Sizes
    sets: tuple[Point, ...]
    path: tuple[Point, ...]
    errors: tuple[Point, ...]
    shares: tuple[Point, ...]
    threshold: float | None
    size: int
    enumerated: int
    limit: int
    notes: tuple[str, ...]
    seed: int
    unmask: str = field(default_factory=lambda: version("unmask"))

    @cached_property
    def best(self) -> dict[Names, Point]:
        """Each set that was tried, with the attack that finds most; sets without a value are left out."""
        return _best((*self.sets, *self.path))

    @cached_property
    def _risk(self) -> dict[Names, float]:
        """The risk of the enumerated sets alone: those of the path were chosen for their risk."""
        return {names: point.value or 0.0 for names, point in _best(self.sets).items()}

    def everything(self) -> Point | None:
        """The best attack of the intruder who knows every attribute."""
        return self.best.get(tuple(name for name, _ in self.attributes))

    def minimal_sets(self) -> tuple[Point, ...]:
        """The sets that reach the threshold while none of their proper subsets does, within ``sets``."""
        if self.threshold is None:
            return ()
        return tuple(self.best[names] for names in minimal_sets(self._risk, self.threshold))

    def table(self) -> pl.DataFrame:
        """All points as a frame: curve, size, attributes, attack, error, people, value, low, high, ..."""
        curves = {"sets": self.sets, "path": self.path, "error": self.errors, "share": self.shares}
        rows = [
            {"curve": curve, "size": len(point.attributes), **asdict(point)}
            for curve, points in curves.items()
            for point in points
        ]
        types: dict[str, pl.DataType] = {"attributes": pl.List(pl.String())}
        types |= dict.fromkeys(("size", "people", "n"), pl.Int64())
        types |= dict.fromkeys(("error", "value", "low", "high", "chance", "p_value"), pl.Float64())
        types |= dict.fromkeys(("curve", "attack", "reason"), pl.String())
        return pl.DataFrame(rows, schema_overrides=types)

    def by_attribute(self) -> pl.DataFrame:
        """One row an attribute: the risk of knowing it alone, and what it adds on average to a set."""
        chance = next((point.chance for point in self.sets if point.chance is not None), None)
        added = gains(self._risk, chance or 0.0)
        minimal = [set(point.attributes) for point in self.minimal_sets()]
        rows = [
            {
                "attribute": name,
                "alone": self._risk.get((name,)),
                "gain": added.get(name),
                "minimal_sets": sum(name in members for members in minimal),
            }
            for name, _ in self.attributes
        ]
        schema = {"attribute": pl.String, "alone": pl.Float64, "gain": pl.Float64, "minimal_sets": pl.Int64}
        return pl.DataFrame(rows, schema=schema).sort("gain", descending=True, maintain_order=True)

    def document(self) -> dict[str, object]:
        """The curves as plain data: what JSON holds and reports are made from."""
        taken, fell = fallen(self._risk)
        return {
            "format": KNOWLEDGE.mark,
            "version": 1,
            "unmask": self.unmask,
            "seed": self.seed,
            "scenario": {
                "text": self.scenario,
                "attributes": [{"name": name, "kind": kind} for name, kind in self.attributes],
                "missing": self.missing,
                "error": self.error,
                "block": list(self.block),
            },
            "sizes": asdict(self.sizes),
            "attacks": list(self.attacks),
            "notes": list(self.notes),
            "threshold": self.threshold,
            "size": self.size,
            "enumerated": self.enumerated,
            "limit": self.limit,
            "steps": {"taken": taken, "fell": fell},
            "by_attribute": self.by_attribute().to_dicts(),
            "minimal_sets": _rows(self.minimal_sets()),
            "sets": _rows(self.sets),
            "path": _rows(self.path),
            "errors": _rows(self.errors),
            "shares": _rows(self.shares),
        }

    def to_json(self, path: str | Path | None = None) -> str:
        """The document as JSON text, also written to a file if one is named."""
        text = json.dumps(self.document(), indent=1, ensure_ascii=False) + "\n"
        if path is not None:
            write_text(text, Path(path))
        return text

    @classmethod
    def from_json(cls, path: str | Path) -> KnowledgeCurves:
        """The curves in a file that :meth:`to_json` or 'unmask knowledge --json' wrote.

        What follows from the points (minimal sets, what each attribute adds) is worked out again.
        """
        text = read_text(Path(path))
        KNOWLEDGE.read(text)
        document = json.loads(text)
        scenario = document["scenario"]
        return cls(
            scenario=scenario["text"],
            attributes=tuple((attribute["name"], attribute["kind"]) for attribute in scenario["attributes"]),
            missing=scenario["missing"],
            error=scenario["error"],
            block=tuple(scenario["block"]),
            sizes=Sizes(**{part.name: document["sizes"][part.name] for part in fields(Sizes)}),
            attacks=tuple(document["attacks"]),
            sets=_points(document["sets"]),
            path=_points(document["path"]),
            errors=_points(document["errors"]),
            shares=_points(document["shares"]),
            notes=tuple(document["notes"]),
            **{
                name: document[name]
                for name in ("threshold", "size", "enumerated", "limit", "seed", "unmask")
            },
        )

    def to_html(self, path: str | Path | None = None) -> str:
        """A self-contained report, also written to a file if one is named."""
        from unmask.report.knowledge import html

        text: str = html(KNOWLEDGE.build(self.document()))
        if path is not None:
            write_text(text, Path(path))
        return text


def _best(points: Iterable[Point]) -> dict[Names, Point]:
    """The point of the highest value of each set, the first of equals."""
    best: dict[Names, Point] = {}
    for point in points:
        held = best.get(point.attributes)
        if point.value is not None and (held is None or point.value > (held.value or 0.0)):
            best[point.attributes] = point
    return best


def _rows(points: Iterable[Point]) -> list[dict[str, object]]:
    return [{**asdict(point), "attributes": list(point.attributes)} for point in points]


def _points(rows: Iterable[dict[str, Any]]) -> tuple[Point, ...]:
    named = [{part.name: row[part.name] for part in fields(Point)} for row in rows]
    return tuple(Point(**{**row, "attributes": tuple(row["attributes"])}) for row in named)
