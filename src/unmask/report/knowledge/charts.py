"""The charts of attacker-knowledge curves, as Vega-Lite specifications made from the document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from unmask.documents import KnowledgeDocument
from unmask.report.charts import BLUE, GREEN, GREY, ORANGE, PINK, RED, SKY, Mark, finished
from unmask.report.knowledge.points import ADDED, BEST, KnownPoint, SizeRow, sets_by_size, size_rows
from unmask.report.numbers import percent
from unmask.report.page import Spec

if TYPE_CHECKING:
    import altair as alt

_PALETTE = (BLUE, RED, GREEN, PINK, ORANGE, SKY, GREY)
_MEAN, _ANY = "mean of all sets", "each set"
_KINDS = {BEST: RED, ADDED: ORANGE, _MEAN: BLUE, _ANY: GREY}

#: Of more sets of one size than these, the chart shows the highest, the lowest and as many between.
MOST_MARKS = 400


def threshold_told(document: KnowledgeDocument) -> str:
    """What a caption says of the threshold."""
    return "" if document.threshold is None else " Dashed across: the threshold."


def by_size(document: KnowledgeDocument) -> Spec:
    """Risk by the number of attributes known: every set a mark, the best set a line with its interval."""
    import altair as alt

    lines, marks = _size_lines(size_rows(document)), set_marks(document)
    kinds = [kind for kind in _KINDS if any(mark["kind"] == kind for mark in lines + marks)]
    sizes = sorted({row.size for row in size_rows(document)})
    x = alt.X(
        "attributes known:Q",
        title="attributes that the intruder knows",
        axis=alt.Axis(format="d", values=sizes),
        scale=alt.Scale(padding=20, nice=False, zero=False),
    )
    colour = alt.Color(
        "kind:N",
        scale=alt.Scale(domain=kinds, range=[_KINDS[kind] for kind in kinds]),
        legend=alt.Legend(title=None, orient="top", columns=2, labelLimit=260),
    )
    base = alt.Chart(alt.InlineData(values=lines)).encode(x=x, color=colour)
    best = base.transform_filter(alt.datum.kind != _MEAN)
    tip = [f"{field}:N" for field in ("set", "attack", "people", "rate", "interval")]
    layers = [
        alt.Chart(alt.InlineData(values=marks))
        .mark_tick(orient="horizontal", size=26, thickness=1.5, opacity=0.45)
        .encode(x=x, y=_risk(), color=colour, tooltip=tip),
        base.mark_line(strokeWidth=2).encode(y=_risk(), strokeDash=_dash()),
        best.mark_rule(strokeWidth=2).encode(y=alt.Y("low:Q"), y2="high:Q"),
        best.mark_point(filled=True, size=80, opacity=1).encode(y=_risk(), tooltip=tip),
    ]
    return finished(alt.layer(*layers, *_level(document.threshold)), 9)


def by_setting(
    threshold: float | None,
    found: Sequence[tuple[float, KnownPoint]],
    axis: str,
    log: bool,
) -> Spec:
    """Risk along a curve, one line per attack; ``found``: where each point lies on the axis."""
    import altair as alt

    attacks = list(dict.fromkeys(point.title for _, point in found))
    colours = [_PALETTE[k % len(_PALETTE)] for k in range(len(attacks))]
    scale = alt.Scale(type="log", nice=False) if log else alt.Scale(nice=False)
    ticks = alt.Axis(values=sorted({at for at, _ in found}), format=",d" if log else "~g")
    marks = [{"at": at, **point.mark()} for at, point in found]
    base = alt.Chart(alt.InlineData(values=marks)).encode(
        x=alt.X("at:Q", title=axis, scale=scale, axis=ticks),
        color=alt.Color(
            "attack:N",
            scale=alt.Scale(domain=attacks, range=colours),
            legend=alt.Legend(title=None, orient="top", columns=2, labelLimit=260),
        ),
    )
    tip = [f"{field}:N" for field in ("attack", "people", "rate", "interval")]
    layers = [
        base.mark_area(opacity=0.18).encode(y=alt.Y("low:Q"), y2="high:Q"),
        base.mark_line(strokeWidth=2).encode(y=_risk()),
        base.mark_point(filled=True, size=80, opacity=1).encode(y=_risk(), tooltip=tip),
    ]
    return finished(alt.layer(*layers, *_level(threshold)), 7)


def set_marks(document: KnowledgeDocument) -> list[Mark]:
    """The marks of the sets: all of them, or evenly chosen by rank where a size has very many."""
    shown: list[KnownPoint] = []
    for group in sets_by_size(document):
        ranked = sorted(group, key=lambda point: (point.found.value, point.known))
        step = max(1.0, (len(ranked) - 1) / (MOST_MARKS - 1))
        shown += [ranked[round(k * step)] for k in range(min(len(ranked), MOST_MARKS))]
    return [{"kind": _ANY, "attributes known": len(point.known), **point.mark()} for point in shown]


def _size_lines(rows: Sequence[SizeRow]) -> list[Mark]:
    """The best sets, the path that goes on where the enumeration ends, and the means."""
    best = [row for row in rows if row.kind == BEST]
    path = [row.mark() for row in rows if row.kind == ADDED]
    start: list[Mark] = [{**row.mark(), "kind": ADDED} for row in best[-1:]] if path else []
    means: list[Mark] = [{**row.mark(), "kind": _MEAN, "value": row.mean} for row in best]
    return [*(row.mark() for row in best), *start, *path, *means]


def _risk() -> alt.Y:
    import altair as alt

    return alt.Y(
        "value:Q",
        title="share of people found",
        axis=alt.Axis(format="~p", tickCount=6),
        scale=alt.Scale(zero=True),
    )


def _dash() -> alt.StrokeDash:
    import altair as alt

    return alt.StrokeDash(
        "kind:N", scale=alt.Scale(domain=[_MEAN, ADDED], range=[[2, 3], [6, 4]]), legend=None
    )


def _level(threshold: float | None) -> list[alt.Chart]:
    """The threshold as a line across, where there is one."""
    import altair as alt

    if threshold is None:
        return []
    row = {"y": threshold, "label": f"threshold {percent(threshold)}"}
    return [
        alt.Chart(alt.InlineData(values=[row]))
        .mark_rule(strokeDash=[8, 4], color=PINK, strokeWidth=2)
        .encode(y="y:Q", tooltip=["label:N"])
    ]
