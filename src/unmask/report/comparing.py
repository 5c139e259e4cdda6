"""One attack on several releases, or with several sources: the best of each, in words and as a chart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from unmask.documents import EXPECTED, AssessmentDocument, ComparisonDocument
from unmask.measures.estimate import Keys, Row
from unmask.report.charts import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PINK,
    RED,
    SKY,
    Mark,
    finished,
    names_axis,
    rate_axis,
)
from unmask.report.numbers import people
from unmask.report.page import Counts, Spec
from unmask.report.phrases import Reached

#: Documents that say what each attack is, and have the risk by release or by source.
Compared = AssessmentDocument | ComparisonDocument

#: What a row of the table is about when it is this release, and when it is everything together.
THIS, COMBINED, AVERAGED = "this", "combined", "averaged"
_COLOURS = (BLUE, SKY, GREEN, PINK, GREY)
#: What is combined stands out.
_TOGETHER = {COMBINED: RED, AVERAGED: ORANGE}


@dataclass(frozen=True, eq=False)
class ComparedSide:
    """What one attack reaches in one release (or with one source), or in all together."""

    name: str
    attack: str
    title: str
    found: Reached

    def in_words(self) -> str:
        """The attack's outcome as a part of a sentence."""
        return (
            f"the best attack ({self.title}) finds the right record of {self.found.about} of "
            f"{people(self.found.estimate.n)} ({self.found.precisely})"
        )

    def mark(self, key: str) -> Mark:
        """What the chart draws, and what its tooltip says."""
        return {
            "attack": self.title,
            key: self.name,
            **self.found.numbers(),
            "people": self.found.correct,
            "rate": self.found.rate,
            "interval": self.found.interval,
            "p-value": self.found.p_value,
        }


def sides(document: Compared, rows: Sequence[Row], name: Callable[[Keys], str | None]) -> list[ComparedSide]:
    """The rows of re-identification that have a value; ``name``: the release or source of a row."""
    made = []
    for row in rows:
        about, attack, found = name(row.keys), row.keys.attack, Reached.of(row.estimate)
        if row.keys.measure != EXPECTED or about is None or attack is None or found is None:
            continue
        made.append(ComparedSide(about, attack, document.methods.title(attack), found))
    return made


def best(document: Compared, among: Sequence[ComparedSide], *names: str) -> ComparedSide | None:
    """The attack that finds most, without help of the truth; a guess only where nothing else was tried."""
    mine = [side for side in among if side.name in names and not document.is_informed(side.attack)]
    real = [side for side in mine if not document.is_baseline(side.attack)] or mine
    return max(real, key=lambda side: side.found.value) if real else None


def compared_chart(among: Sequence[ComparedSide], key: str) -> Spec:
    """The rate of each attack in each release (or with each source: ``key``) and in all combined."""
    import altair as alt

    order = list(dict.fromkeys(side.title for side in among))
    names = list(dict.fromkeys(side.name for side in among))
    together = {name: colour for name, colour in _TOGETHER.items() if name in names}
    single = [name for name in names if name not in together]
    colours = {name: _COLOURS[i % len(_COLOURS)] for i, name in enumerate(single)} | together
    axis = rate_axis(max([side.found.estimate.high or 0.0 for side in among], default=1.0))
    base = alt.Chart(alt.InlineData(values=[side.mark(key) for side in among])).encode(
        y=alt.Y("attack:N", sort=order, title=None, axis=names_axis()),
        yOffset=alt.YOffset(f"{key}:N", sort=names),
        color=alt.Color(
            f"{key}:N",
            scale=alt.Scale(domain=list(colours), range=list(colours.values())),
            legend=alt.Legend(title=None, orient="top", columns=4),
        ),
        tooltip=[f"{field}:N" for field in ("attack", key, "people", "rate", "interval", "p-value")],
    )
    layers = alt.layer(
        base.mark_rule(strokeWidth=2.5).encode(x=alt.X("low:Q"), x2="high:Q"),
        base.mark_point(filled=True, size=90, opacity=1).encode(x=axis),
    )
    # Every release needs its line beside the others' of the same attack.
    return finished(layers, max(1, len(order) * len(names) // 2))


def compared_counts(among: Sequence[ComparedSide], key: str) -> Counts:
    """The numbers of :func:`compared_chart`, one row per attack and release (or source: ``key``)."""
    rows = tuple(
        (f"{side.title}, {side.name}", (side.found.correct, side.found.rate, side.found.interval))
        for side in among
    )
    return Counts(("correct links", "rate", "95% interval"), rows, f"attack, {key}")
