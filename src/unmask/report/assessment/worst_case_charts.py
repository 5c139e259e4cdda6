"""The charts of the worst case: how much each attribute counts in what was learned, alone and in pairs."""

from __future__ import annotations

from dataclasses import asdict

from unmask.documents.sections import LessonSection
from unmask.report.assessment.lessons import LESS, MORE, interaction_rows, weight_rows
from unmask.report.charts import BLUE, RED, finished, names_axis
from unmask.report.page import Counts, Spec

_COLOURS = {MORE: RED, LESS: BLUE}
#: What the weight of an attribute is, in each form.
_WEIGHTS = {
    "choquet": "Shapley value: share of the weight, alone and in sets",
    "bilinear": "share of the weight, each attribute by itself",
}


def weights_chart(lesson: LessonSection) -> Spec:
    """How much each attribute counts in what was learned; for an OWA, each place in the order."""
    import altair as alt

    shown = weight_rows(lesson)
    what = "place" if lesson.form == "owa" else "attribute"
    chart = (
        alt.Chart(alt.InlineData(values=[asdict(row) for row in shown]))
        .mark_bar(height=18, color=BLUE)
        .encode(
            y=alt.Y("label:N", sort=[row.label for row in shown], title=None, axis=names_axis()),
            x=alt.X(
                "weight:Q",
                title=_WEIGHTS.get(lesson.form, "share of the weight"),
                scale=alt.Scale(domainMin=0),
                axis=alt.Axis(format="~p", tickCount=6),
            ),
            tooltip=[alt.Tooltip("label:N", title=what), alt.Tooltip("share:N", title="weight")],
        )
    )
    return finished(chart, len(shown))


def interactions_chart(lesson: LessonSection) -> Spec:
    """The pairs of attributes that count more, or less, together than each by itself; strongest first."""
    import altair as alt

    shown = interaction_rows(lesson)
    kinds = [kind for kind in _COLOURS if any(row.kind == kind for row in shown)]
    chart = (
        alt.Chart(alt.InlineData(values=[asdict(row) for row in shown]))
        .mark_bar(height=18)
        .encode(
            y=alt.Y("pair:N", sort=[row.pair for row in shown], title=None, axis=names_axis()),
            x=alt.X("value:Q", title="interaction", axis=alt.Axis(tickCount=6)),
            color=alt.Color(
                "kind:N",
                scale=alt.Scale(domain=kinds, range=[_COLOURS[kind] for kind in kinds]),
                legend=alt.Legend(title=None, orient="top"),
            ),
            tooltip=["pair:N", alt.Tooltip("shown:N", title="interaction"), "kind:N"],
        )
    )
    return finished(chart, len(shown))


def weight_counts(lesson: LessonSection) -> Counts:
    """The numbers of :func:`weights_chart`."""
    rows = tuple((row.label, (row.share,)) for row in weight_rows(lesson))
    return Counts(("weight",), rows, "place" if lesson.form == "owa" else "attribute")


def interaction_counts(lesson: LessonSection) -> Counts:
    """The numbers of :func:`interactions_chart`."""
    rows = tuple((row.pair, (row.shown, row.kind)) for row in interaction_rows(lesson))
    return Counts(("interaction", "how they count"), rows, "attributes")
