"""The charts of the attacks: what each finds beside chance, and how the true records stand."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from unmask.documents import LENIENT, STRICT, UNION, AssessmentDocument
from unmask.report.charts import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PINK,
    RED,
    SKY,
    YELLOW,
    Mark,
    finished,
    names_axis,
    rate_axis,
)
from unmask.report.numbers import percent
from unmask.report.page import Spec
from unmask.report.phrases import Reached

_BEST, _OTHER, _BASELINE = "best attack", "other attacks", "guessing"
_TOGETHER, _CHANCE = "all attacks together", "chance"
_ROLES = {_BEST: RED, _OTHER: BLUE, _BASELINE: GREY, _TOGETHER: GREEN, _CHANCE: PINK}

#: From "found" to "far from found": warm while the true record is the nearest, cool when others are closer.
_STANDING_COLOURS = (RED, ORANGE, YELLOW, "#A6CEE3", SKY, BLUE)


@dataclass(frozen=True, eq=False)
class Rate:
    """One attack that has a value: what it reaches, and the range that ties leave open."""

    attack: str
    role: str
    found: Reached
    strict: float | None
    lenient: float | None

    @property
    def top(self) -> float:
        """The largest share that the chart shows of it."""
        e = self.found.estimate
        return max(self.found.value, *(part or 0.0 for part in (e.high, self.lenient, e.baseline)))

    def mark(self) -> Mark:
        """What the chart draws, and what its tooltip says."""
        return {
            "attack": self.attack,
            "role": self.role,
            **self.found.numbers(),
            "strict": self.strict,
            "lenient": self.lenient,
            "people": self.found.correct,
            "rate": self.found.rate,
            "interval": self.found.interval,
            "by chance": self.found.chance,
            "p-value": self.found.p_value,
        }


@dataclass(frozen=True)
class StandingCount:
    """How many true records stand so under an attack; ``place`` orders the standings."""

    attack: str
    standing: str
    place: int
    people: int
    share: str


def rate_rows(document: AssessmentDocument) -> list[Rate]:
    """One row per attack with a value, and one for all together."""
    rows = []
    for name in [*(attack.name for attack in document.attacks), UNION]:
        found = Reached.of(document.result(name))
        if found is None:
            continue
        # A guess is one big tie: its strict to lenient range is always 0 to 1 and says nothing.
        span = (None, None) if document.is_baseline(name) else _span(document, name)
        rows.append(Rate(document.methods.title(name), _role(document, name), found, *span))
    return rows


def standing_rows(document: AssessmentDocument) -> list[StandingCount]:
    """One row per attack and standing: how many true records stand so. The baseline's is always one tie."""
    rows = []
    for attack in document.attacks:
        total = sum(attack.standing.values())
        if attack.baseline or total == 0:
            continue
        title = document.methods.title(attack.name)
        rows += [
            StandingCount(title, standing, place, n, percent(n / total))
            for place, (standing, n) in enumerate(attack.standing.items())
        ]
    return rows


def rates(document: AssessmentDocument) -> Spec:
    """The re-identification rate of each attack with its 95% interval, ties and chance."""
    import altair as alt

    rows = rate_rows(document)
    order = [row.attack for row in rows]
    roles = [role for role in _ROLES if role == _CHANCE or any(row.role == role for row in rows)]
    axis = rate_axis(max([row.top for row in rows], default=1.0))
    base = alt.Chart(alt.InlineData(values=[row.mark() for row in rows])).encode(
        y=alt.Y("attack:N", sort=order, title=None, axis=names_axis()),
        color=alt.Color(
            "role:N",
            scale=alt.Scale(domain=roles, range=[_ROLES[role] for role in roles]),
            legend=alt.Legend(title=None, orient="top", columns=3),
        ),
        tooltip=[f"{field}:N" for field in ("attack", "people", "rate", "interval", "by chance", "p-value")],
    )
    layers = alt.layer(
        base.mark_bar(height=16, opacity=0.25).encode(x=alt.X("strict:Q"), x2="lenient:Q"),
        base.mark_rule(strokeWidth=2.5).encode(x=alt.X("low:Q"), x2="high:Q"),
        base.mark_tick(thickness=2.5, size=11, opacity=1).encode(x="low:Q"),
        base.mark_tick(thickness=2.5, size=11, opacity=1).encode(x="high:Q"),
        base.mark_tick(thickness=3, size=26, opacity=1).encode(x="chance:Q", color=alt.datum(_CHANCE)),
        base.mark_point(filled=True, size=110, opacity=1).encode(x=axis),
    )
    return finished(layers, len(order))


def standings(document: AssessmentDocument) -> Spec:
    """How the true records stand under each attack, as shares of the people in the release."""
    import altair as alt

    rows = standing_rows(document)
    order = list(dict.fromkeys(row.attack for row in rows))
    places = {row.standing: row.place for row in rows if row.people}
    shown = sorted(places, key=lambda name: places[name])
    colours = [_STANDING_COLOURS[min(places[name], len(_STANDING_COLOURS) - 1)] for name in shown]
    share = alt.Axis(format="~p", tickCount=6)
    chart = (
        alt.Chart(alt.InlineData(values=[asdict(row) for row in rows if row.people]))
        .mark_bar(height=22)
        .encode(
            y=alt.Y("attack:N", sort=order, title=None, axis=names_axis()),
            x=alt.X("people:Q", stack="normalize", title="share of people", axis=share),
            color=alt.Color(
                "standing:N",
                sort=shown,
                scale=alt.Scale(domain=shown, range=colours),
                legend=alt.Legend(title="the true record is / has", orient="top", columns=3, labelLimit=240),
            ),
            order=alt.Order("place:Q"),
            tooltip=[
                "attack:N",
                "standing:N",
                alt.Tooltip("people:Q", format=","),
                alt.Tooltip("share:N", title="share"),
            ],
        )
    )
    return finished(chart, len(order))


def _span(document: AssessmentDocument, name: str) -> tuple[float | None, float | None]:
    """The strict and the lenient reading of ties."""
    strict, lenient = (Reached.of(document.result(name, measure)) for measure in (STRICT, LENIENT))
    return None if strict is None else strict.value, None if lenient is None else lenient.value


def _role(document: AssessmentDocument, name: str) -> str:
    if name == UNION:
        return _TOGETHER
    if document.is_baseline(name):
        return _BASELINE
    return _BEST if name == document.worst else _OTHER
