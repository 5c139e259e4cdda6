"""What all charts share: colours, axes, size and type face. No chart shows a value of a record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unmask.report.page import STATIC_WIDTH, Spec

if TYPE_CHECKING:
    import altair as alt

#: One mark of a chart, with what its tooltip says.
Mark = dict[str, object]

#: Okabe and Ito's palette, which people with any colour vision tell apart.
BLUE, RED, GREEN, PINK, ORANGE, SKY, GREY, YELLOW = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8A8A8A", "#F0E442",
)  # fmt: skip


def names_axis() -> alt.Axis:
    """An axis of names: methods, attributes."""
    import altair as alt

    return alt.Axis(labelLimit=220, ticks=False, domain=False)


def rate_axis(top: float) -> alt.X:
    """The share of people found, from 0 to a little more than the largest."""
    import altair as alt

    return alt.X(
        "value:Q",
        title="share of people whose record is found",
        scale=alt.Scale(domain=[0, min(1.0, top * 1.05) or 1.0]),
        axis=alt.Axis(format="~p", tickCount=6),
    )


def finished(chart: alt.Chart | alt.LayerChart | alt.FacetChart, rows: int) -> Spec:
    """Size and type face; transparent, so that the page's colours show in light and dark.

    Its marks say nothing by themselves: the page says in words what a chart shows, and has its numbers.
    """
    import altair as alt

    fit = alt.AutoSizeParams(type="fit-x", contains="padding")
    spec: Spec = (
        chart.properties(width="container", height=34 * rows, background="transparent", autosize=fit)
        .configure(font="Arial, Helvetica, sans-serif", aria=False)
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


def as_altair(spec: Spec) -> alt.TopLevelMixin:
    """A specification as an Altair chart, of a width of its own: a notebook's cell has none.

    >>> import altair as alt
    >>> points = alt.Chart(alt.InlineData(values=[{"value": 0.5}])).mark_point().encode(x="value:Q")
    >>> type(as_altair(finished(points, 1))).__name__
    'Chart'
    """
    import altair as alt

    config = {**spec.get("config", {}), "aria": True}  # no element around it says in words what it shows
    return alt.Chart.from_dict({**spec, "width": STATIC_WIDTH, "config": config})
