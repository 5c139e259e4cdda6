"""What error in the intruder's knowledge costs them, and what it changes to know fewer people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from unmask.documents import KnowledgeDocument
from unmask.documents.knowledge import ERROR, SHARE
from unmask.measures.estimate import Keys
from unmask.report.knowledge.charts import by_setting, threshold_told
from unmask.report.knowledge.points import KnownPoint, points
from unmask.report.numbers import count, people
from unmask.report.page import Chart, Section, draw
from unmask.report.phrases import Reached, not_estimable


@dataclass(frozen=True, eq=False)
class SettingRow:
    """One attack at one setting; what cannot be estimated gives its reason instead."""

    setting: str
    name: str
    title: str
    found: Reached | None
    reason: str


@dataclass(frozen=True, eq=False)
class SettingSection:
    """What changes along a curve: how it is called, shown, measured and told.

    ``curve``: its name in the table; ``column``: the heading of its values; ``shown``: a row's value as text;
    ``at``: a point's place on the axis; ``compare``: the two ends of the curve in a sentence.
    """

    curve: str
    name: str
    title: str
    column: str
    axis: str
    shown: Callable[[Keys], str]
    at: Callable[[KnownPoint], float]
    compare: Callable[[KnownPoint, KnownPoint], str]
    log: bool = False

    def section(self, document: KnowledgeDocument) -> Section | None:
        """The curve in words, as a chart and as a table; nothing where it was not asked for."""
        rows = self.rows(document)
        if not rows:
            return None
        part = {"column": self.column, "rows": rows, "told": self.told(document)}
        return Section(self.name, self.title, "setting.html.jinja", part, self._charts(document))

    def rows(self, document: KnowledgeDocument) -> list[SettingRow]:
        """One row per attack and setting."""
        return [
            SettingRow(
                self.shown(row.keys),
                row.keys.attack or "",
                document.methods.title(row.keys.attack or ""),
                Reached.of(row.estimate),
                not_estimable(row.estimate),
            )
            for row in document.curve(self.curve)
        ]

    def told(self, document: KnowledgeDocument) -> list[str]:
        """The best attack at the two ends of the curve, where it has a value."""
        found = points(document, self.curve)
        if not found:
            return []
        settings = sorted({self.at(point) for point in found})
        least, most = (
            max((p for p in found if self.at(p) == end), key=lambda p: p.found.value)
            for end in (settings[0], settings[-1])
        )
        return [self.compare(least, most)]

    def _charts(self, document: KnowledgeDocument) -> tuple[Chart, ...]:
        found = points(document, self.curve)
        if not found:
            return ()
        marks = [(self.at(point), point) for point in found]
        spec = by_setting(document.threshold, marks, self.axis, self.log)
        caption = f"Share of people found, by {self.axis}"
        detail = f"Band: its 95% interval.{threshold_told(document)}"
        return (draw(self.name, caption, spec, detail, f"{caption}; the table below has the numbers."),)


def _compare_errors(least: KnownPoint, most: KnownPoint) -> str:
    return (
        f"Knowing all attributes, the intruder finds {least.found.rate} of people if numbers are off by "
        f"{least.error:g} standard deviations and a category is wrong with probability "
        f"{min(least.error, 1):g}; at {most.error:g} they find {most.found.rate}."
    )


def _compare_shares(least: KnownPoint, most: KnownPoint) -> str:
    return (
        f"Of {people(least.people)} whom the intruder knows, they find {least.found.rate}; of "
        f"{people(most.people)}, {most.found.rate}. The rate is that of the people whom they know and who "
        "are in the release; how many they find grows with how many they know. Each point is one random draw "
        "of people, which its interval allows for."
    )


ERRORS = SettingSection(
    ERROR,
    "errors",
    "Error in what the intruder knows",
    "error",
    "error in what the intruder knows, in standard deviations",
    lambda keys: f"{keys.error or 0.0:g}",
    lambda point: point.error,
    _compare_errors,
)
SHARES = SettingSection(
    SHARE,
    "shares",
    "How many people the intruder knows",
    "people",
    "people whom the intruder knows",
    lambda keys: count(keys.targets or 0),
    lambda point: point.people,
    _compare_shares,
    log=True,
)
