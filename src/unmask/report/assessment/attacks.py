"""Attack by attack: how many people each finds, and how near the true records come."""

from __future__ import annotations

from dataclasses import dataclass

from unmask.documents import UNION, AssessmentDocument
from unmask.report.assessment.attack_charts import StandingCount, rate_rows, rates, standing_rows, standings
from unmask.report.numbers import count
from unmask.report.page import Chart, Counts, Section, draw
from unmask.report.phrases import Reached, not_estimable


@dataclass(frozen=True, eq=False)
class AttackRow:
    """One attack's line in the main table; where nothing was found out, its reason."""

    name: str
    title: str
    worst: bool
    informed: bool
    found: Reached | None
    reason: str


def attacks_section(document: AssessmentDocument) -> Section | None:
    """The table and its charts, where attacks were made."""
    rows = attack_rows(document)
    if not rows:
        return None
    return Section("attacks", "Attack by attack", "attacks.html.jinja", {"rows": rows}, _charts(document))


def shown_attacks(document: AssessmentDocument) -> list[str]:
    """The attacks in their order, and all together where that was measured."""
    names = [attack.name for attack in document.attacks]
    return [*names, UNION] if document.result(UNION) is not None else names


def attack_rows(document: AssessmentDocument) -> list[AttackRow]:
    """One row per attack."""
    return [_row(document, name) for name in shown_attacks(document)]


def _row(document: AssessmentDocument, name: str) -> AttackRow:
    found = document.result(name)
    worst = name == document.worst and not document.is_baseline(name)
    title, informed = document.methods.title(name), document.is_informed(name)
    return AttackRow(name, title, worst, informed, Reached.of(found), not_estimable(found))


def _charts(document: AssessmentDocument) -> tuple[Chart, ...]:
    """The charts that have something to show."""
    drawn = []
    if rate_rows(document):
        drawn.append(
            draw(
                "rates",
                "Share of people whose record is found",
                rates(document),
                "Dot: the rate. Line: its 95% interval. Shaded band: from the strict to the lenient reading "
                "of ties. Upright mark: what chance would give.",
                "The rate of each attack with its 95% interval and chance; the table above has the same "
                "numbers.",
            )
        )
    rows = standing_rows(document)
    if rows:
        drawn.append(
            draw(
                "standings",
                "How near the true record comes",
                standings(document),
                "For each person, how many released records are closer to what the intruder knows than the "
                "right one. Warm colours: the right record is the nearest or ties for it. Cool colours: "
                "others are closer.",
                "Under each attack, the share of people whose true record is the nearest, ties for the "
                "nearest, or has closer records before it; the table below has the numbers.",
                _counts(rows),
            )
        )
    return tuple(drawn)


def _counts(rows: list[StandingCount]) -> Counts:
    """The counts behind the chart of standings, without the standings that never occur."""
    people = {(row.attack, row.standing): row.people for row in rows}
    place = {row.standing: row.place for row in rows}
    columns = sorted(dict.fromkeys(row.standing for row in rows if row.people), key=place.__getitem__)
    attacks = dict.fromkeys(row.attack for row in rows)
    lines = [(name, tuple(count(people.get((name, c), 0)) for c in columns)) for name in attacks]
    return Counts(tuple(columns), tuple(lines))
