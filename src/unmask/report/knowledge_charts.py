"""The charts of attacker-knowledge curves, as Vega-Lite specifications made from the document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from unmask.report.charts import Row, Spec, finished
from unmask.report.document import Document
from unmask.report.numbers import count, interval, percent
from unmask.report.titles import title

#: Okabe and Ito's palette, which people with any colour vision tell apart.
_PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8A8A8A")
BEST, _MEAN, _PATH, _ANY = "best set", "mean of all sets", "best set, added one by one", "each set"
_KINDS = {BEST: "#D55E00", _PATH: "#E69F00", _MEAN: "#0072B2", _ANY: "#8A8A8A"}

#: Of more sets of one size than these, the chart shows the highest, the lowest and as many between.
MOST_MARKS = 400


def best_of_sets(points: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Of each set of attributes the point of the attack that finds most.

    >>> a, b = ({"attributes": ["age"], "value": value} for value in (0.1, 0.3))
    >>> best_of_sets([a, b])
    [{'attributes': ['age'], 'value': 0.3}]
    """
    best: dict[tuple[str, ...], Mapping[str, Any]] = {}
    for point in points:
        names = tuple(point["attributes"])
        if point["value"] is not None and (names not in best or point["value"] > best[names]["value"]):
            best[names] = point
    return list(best.values())


def size_rows(document: Document) -> list[Row]:
    """One row a number of attributes: how many sets, the lowest, mean and highest risk, and the best set."""
    grouped: dict[int, list[Mapping[str, Any]]] = {}
    for point in best_of_sets(document["sets"]):
        grouped.setdefault(len(point["attributes"]), []).append(point)
    rows = [_size_row(BEST, points) for _, points in sorted(grouped.items())]
    return rows + [_size_row(_PATH, [point]) for point in best_of_sets(document["path"])]


def _size_row(kind: str, points: Sequence[Mapping[str, Any]]) -> Row:
    top = max(points, key=lambda point: point["value"])
    values = [point["value"] for point in points]
    return {
        "kind": kind,
        "attributes known": len(top["attributes"]),
        "sets": len(points),
        "names": list(top["attributes"]),
        "lowest": min(values),
        "mean": sum(values) / len(values),
        **{key: top[key] for key in ("value", "low", "high", "chance")},
        **_told(top),
    }


def _told(point: Mapping[str, Any]) -> Row:
    """What a tooltip says of a point."""
    return {
        "set": ", ".join(point["attributes"]),
        "attack": title(point["attack"]).title,
        "rate": percent(point["value"]),
        "interval": interval(point["low"], point["high"]),
        "people": f"{count(point['value'] * point['n'])} of {count(point['n'])}",
    }


def curve_rows(points: Sequence[Mapping[str, Any]], setting: str) -> list[Row]:
    """One row a point that has a value: where it lies on the curve, its risk and its interval."""
    return [
        {
            "at": point[setting],
            **{key: point[key] for key in ("value", "low", "high", "chance")},
            **_told(point),
        }
        for point in points
        if point["value"] is not None
    ]


def by_size(document: Document, width: int | str = "container") -> Spec:
    """Risk by the number of attributes known: every set a mark, the best set a line with its interval."""
    import altair as alt

    rows = size_rows(document)
    marks = [
        {"kind": _ANY, "attributes known": len(p["attributes"]), **p, **_told(p)} for p in _shown(document)
    ]
    means = [{**row, "kind": _MEAN, "value": row["mean"]} for row in rows if row["kind"] == BEST]
    # The path goes on where the enumeration ends.
    joined = [{**row, "kind": _PATH} for row in [r for r in rows if r["kind"] == BEST][-1:]]
    path = [row for row in rows if row["kind"] == _PATH]
    lines = [row for row in rows if row["kind"] == BEST] + (joined + path if path else []) + means
    kinds = [kind for kind in _KINDS if any(row["kind"] == kind for row in lines + marks)]
    x = alt.X(
        "attributes known:Q",
        title="attributes that the intruder knows",
        axis=alt.Axis(format="d", values=sorted({row["attributes known"] for row in lines})),
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
    if document["threshold"] is not None:
        layers.append(_level(document["threshold"]))
    return finished(alt.layer(*layers), 9, width)


def by_error(document: Document, width: int | str = "container") -> Spec:
    """Risk by the error in what the intruder knows, one line an attack."""
    rows = curve_rows(document["errors"], "error")
    return _lines(document, rows, "error in what he knows, in standard deviations", width)


def by_share(document: Document, width: int | str = "container") -> Spec:
    """Risk by how many people the intruder knows, one line an attack; the axis is logarithmic."""
    rows = curve_rows(document["shares"], "people")
    return _lines(document, rows, "people whom he knows", width, log=True)


def _lines(document: Document, rows: list[Row], axis: str, width: int | str, log: bool = False) -> Spec:
    import altair as alt

    attacks = list(dict.fromkeys(row["attack"] for row in rows))
    colours = [_PALETTE[k % len(_PALETTE)] for k in range(len(attacks))]
    scale = alt.Scale(type="log", nice=False) if log else alt.Scale(nice=False)
    ticks = alt.Axis(values=sorted({row["at"] for row in rows}), format=",d" if log else "~g")
    base = alt.Chart(alt.InlineData(values=rows)).encode(
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
    if document["threshold"] is not None:
        layers.append(_level(document["threshold"]))
    return finished(alt.layer(*layers), 7, width)


def _shown(document: Document) -> list[Mapping[str, Any]]:
    """The marks of the sets: all of them, or evenly chosen by rank where a size has very many."""
    grouped: dict[int, list[Mapping[str, Any]]] = {}
    for point in best_of_sets(document["sets"]):
        grouped.setdefault(len(point["attributes"]), []).append(point)
    shown: list[Mapping[str, Any]] = []
    for _, points in sorted(grouped.items()):
        ranked = sorted(points, key=lambda point: (point["value"], point["attributes"]))
        step = max(1.0, (len(ranked) - 1) / (MOST_MARKS - 1))
        shown += [ranked[round(k * step)] for k in range(min(len(ranked), MOST_MARKS))]
    return shown


def _risk() -> Any:
    import altair as alt

    return alt.Y(
        "value:Q",
        title="share of people found",
        axis=alt.Axis(format="~p", tickCount=6),
        scale=alt.Scale(zero=True),
    )


def _dash() -> Any:
    import altair as alt

    return alt.StrokeDash(
        "kind:N", scale=alt.Scale(domain=[_MEAN, _PATH], range=[[2, 3], [6, 4]]), legend=None
    )


def _level(threshold: float) -> Any:
    import altair as alt

    row = {"y": threshold, "label": f"threshold {percent(threshold)}"}
    return (
        alt.Chart(alt.InlineData(values=[row]))
        .mark_rule(strokeDash=[8, 4], color="#CC79A7", strokeWidth=2)
        .encode(y="y:Q", tooltip=["label:N"])
    )
