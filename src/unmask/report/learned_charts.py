"""The charts of the worst case: how much each attribute counts in what was learned, alone and in pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unmask.report.charts import Spec, finished
from unmask.report.document import Document
from unmask.report.learned_rows import LESS, MORE, interaction_rows, lessons, weight_rows

_COLOURS = {MORE: "#D55E00", LESS: "#0072B2"}
#: What the weight of an attribute is, in each form.
_WEIGHTS = {
    "choquet": "Shapley value: share of the weight, alone and in sets",
    "bilinear": "share of the weight, each attribute by itself",
}


def weights_chart(document: Document, attack: str, width: int | str = "container") -> Spec:
    """How much each attribute counts in what was learned; for an OWA, each place in the order."""
    import altair as alt

    lesson = lessons(document)[attack]
    shown = weight_rows(lesson)
    labels = [row["label"] for row in shown]
    chart = (
        alt.Chart(alt.InlineData(values=shown))
        .mark_bar(height=18, color="#0072B2")
        .encode(
            y=alt.Y("label:N", sort=labels, title=None, axis=_names_axis()),
            x=alt.X(
                "weight:Q",
                title=_WEIGHTS.get(lesson["form"], "share of the weight"),
                scale=alt.Scale(domainMin=0),
                axis=alt.Axis(format="~p", tickCount=6),
            ),
            tooltip=[alt.Tooltip("label:N", title=_what(lesson)), alt.Tooltip("share:N", title="weight")],
        )
    )
    return finished(chart, len(labels), width)


def interactions_chart(document: Document, attack: str, width: int | str = "container") -> Spec:
    """The pairs of attributes that count more, or less, together than each by itself; strongest first."""
    import altair as alt

    shown = interaction_rows(lessons(document)[attack])
    labels = [row["pair"] for row in shown]
    kinds = [kind for kind in _COLOURS if any(row["kind"] == kind for row in shown)]
    chart = (
        alt.Chart(alt.InlineData(values=shown))
        .mark_bar(height=18)
        .encode(
            y=alt.Y("pair:N", sort=labels, title=None, axis=_names_axis()),
            x=alt.X("value:Q", title="interaction", axis=alt.Axis(tickCount=6)),
            color=alt.Color(
                "kind:N",
                scale=alt.Scale(domain=kinds, range=[_COLOURS[kind] for kind in kinds]),
                legend=alt.Legend(title=None, orient="top"),
            ),
            tooltip=["pair:N", alt.Tooltip("shown:N", title="interaction"), "kind:N"],
        )
    )
    return finished(chart, len(labels), width)


def _what(lesson: Mapping[str, Any]) -> str:
    return "place" if lesson["form"] == "owa" else "attribute"


def _names_axis() -> Any:
    import altair as alt

    return alt.Axis(labelLimit=220, ticks=False, domain=False)
