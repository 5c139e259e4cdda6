"""The charts, as Vega-Lite specifications made from the document. No chart shows a value of a record."""

from __future__ import annotations

from typing import Any

from unmask.report.document import LENIENT, STRICT, UNION, Document, result
from unmask.report.numbers import count, interval, p_value, percent
from unmask.report.titles import title

Spec = dict[str, Any]
Row = dict[str, Any]

#: Okabe and Ito's palette, which people with any colour vision tell apart.
_BEST, _OTHER, _BASELINE = "best attack", "other attacks", "guessing"
_TOGETHER, _CHANCE = "all attacks together", "chance"
_ROLES = {_BEST: "#D55E00", _OTHER: "#0072B2", _BASELINE: "#8A8A8A", _TOGETHER: "#009E73", _CHANCE: "#CC79A7"}

#: From "found" to "far from found": warm while the true record is the nearest, cool when others are closer.
_STANDING_COLOURS = ("#D55E00", "#E69F00", "#F0E442", "#A6CEE3", "#56B4E9", "#0072B2")


def rate_rows(document: Document) -> list[Row]:
    """One row an attack with a value: its rate, interval, chance and the range that ties leave open.

    >>> rate_rows({"attacks": [], "worst": None, "results": []})
    []
    """
    baseline = {attack["name"] for attack in document["attacks"] if attack["baseline"]}
    rows = []
    for name in [*(attack["name"] for attack in document["attacks"]), UNION]:
        found = result(document, name)
        if found is None or found["value"] is None:
            continue
        rows.append(
            {
                "attack": title(name).title,
                "role": _role(name, document["worst"], name in baseline),
                **{key: found[key] for key in ("value", "low", "high", "chance")},
                # A guess is one big tie: its strict to lenient range is always 0 to 1 and says nothing.
                "strict": None if name in baseline else _value(document, name, STRICT),
                "lenient": None if name in baseline else _value(document, name, LENIENT),
                "people": f"{count(found['value'] * found['n'])} of {count(found['n'])}",
                "rate": percent(found["value"]),
                "interval": interval(found["low"], found["high"]),
                "by chance": percent(found["chance"]) if found["chance"] is not None else "not estimable",
                "p-value": p_value(found["p_value"]),
            }
        )
    return rows


def standing_rows(document: Document) -> list[Row]:
    """One row an attack and standing: how many true records stand so. The baseline's is always one tie.

    >>> standing_rows({"attacks": [{"name": "dbrl", "baseline": False, "standing": {"only nearest": 3}}]})
    [{'attack': 'distance-based linkage', 'standing': 'only nearest', 'place': 0, 'people': 3,
      'share': '100%'}]
    """
    rows = []
    for attack in document["attacks"]:
        total = sum(attack["standing"].values())
        if attack["baseline"] or total == 0:
            continue
        rows += [
            {
                "attack": title(attack["name"]).title,
                "standing": standing,
                "place": place,
                "people": n,
                "share": percent(n / total),
            }
            for place, (standing, n) in enumerate(attack["standing"].items())
        ]
    return rows


def rates(document: Document, width: int | str = "container") -> Spec:
    """The re-identification rate of each attack with its 95% interval, ties and chance."""
    import altair as alt

    rows = rate_rows(document)
    order = [row["attack"] for row in rows]
    roles = [role for role in _ROLES if role == _CHANCE or any(row["role"] == role for row in rows)]
    top = max(
        [row[key] or 0.0 for row in rows for key in ("high", "lenient", "chance", "value")], default=1.0
    )
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y("attack:N", sort=order, title=None, axis=alt.Axis(labelLimit=220, ticks=False, domain=False)),
        color=alt.Color(
            "role:N",
            scale=alt.Scale(domain=roles, range=[_ROLES[role] for role in roles]),
            legend=alt.Legend(title=None, orient="top", columns=3),
        ),
        tooltip=[f"{field}:N" for field in ("attack", "people", "rate", "interval", "by chance", "p-value")],
    )
    axis = alt.X(
        "value:Q",
        title="share of people whose record is found",
        scale=alt.Scale(domain=[0, min(1.0, top * 1.05) or 1.0]),
        axis=alt.Axis(format="~p", tickCount=6),
    )
    layers = alt.layer(
        base.mark_bar(height=16, opacity=0.25).encode(x=alt.X("strict:Q"), x2="lenient:Q"),
        base.mark_rule(strokeWidth=2.5).encode(x=alt.X("low:Q"), x2="high:Q"),
        base.mark_tick(thickness=2.5, size=11).encode(x="low:Q"),
        base.mark_tick(thickness=2.5, size=11).encode(x="high:Q"),
        base.mark_tick(thickness=3, size=26).encode(x="chance:Q", color=alt.datum(_CHANCE)),
        base.mark_point(filled=True, size=110, opacity=1).encode(x=axis),
    )
    return finished(layers, len(order), width)


def standings(document: Document, width: int | str = "container") -> Spec:
    """How the true records stand under each attack, as shares of the people in the release."""
    import altair as alt

    rows = standing_rows(document)
    order = list(dict.fromkeys(row["attack"] for row in rows))
    places = {row["standing"]: row["place"] for row in rows if row["people"]}
    shown = sorted(places, key=lambda name: places[name])
    colours = [_STANDING_COLOURS[min(places[name], len(_STANDING_COLOURS) - 1)] for name in shown]
    chart = (
        alt.Chart(alt.InlineData(values=[row for row in rows if row["people"]]))
        .mark_bar(height=22)
        .encode(
            y=alt.Y(
                "attack:N", sort=order, title=None, axis=alt.Axis(labelLimit=220, ticks=False, domain=False)
            ),
            x=alt.X(
                "people:Q",
                stack="normalize",
                title="share of people",
                axis=alt.Axis(format="~p", tickCount=6),
            ),
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
    return finished(chart, len(order), width)


def _value(document: Document, name: str, measure: str) -> float | None:
    found = result(document, name, measure)
    return None if found is None else found["value"]


def _role(name: str, worst: str | None, baseline: bool) -> str:
    if name == UNION:
        return _TOGETHER
    if baseline:
        return _BASELINE
    return _BEST if name == worst else _OTHER


def finished(chart: Any, rows: int, width: int | str) -> Spec:
    """Size and type face; transparent, so that the page's colours show in light and dark."""
    import altair as alt

    fit = alt.AutoSizeParams(type="fit-x", contains="padding")
    spec: Spec = (
        chart.properties(width=width, height=34 * rows, background="transparent", autosize=fit)
        .configure(font="Arial, Helvetica, sans-serif")
        .configure_view(stroke=None)
        .configure_axis(
            labelFontSize=13, titleFontSize=13, titleFontWeight="normal", titlePadding=10, labelPadding=6
        )
        .configure_legend(
            labelFontSize=13, titleFontSize=13, titleFontWeight="normal", symbolType="square", symbolOpacity=1
        )
        .to_dict()
    )
    # The schema's address would only be a link to the network in a page that makes none.
    del spec["$schema"]
    return spec
