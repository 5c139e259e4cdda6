"""Losses that are shares, each on a line from 0 to 1 with its two references."""

from __future__ import annotations

from unmask.measures.estimate import Unit
from unmask.report.charts import BLUE, GREY, RED, Mark, finished, names_axis
from unmask.report.losses.lines import WithLosses, loss_rows, lost, references
from unmask.report.page import Chart, Spec, draw

#: What a mark stands for, with its colour and its shape: nobody has to tell colours apart.
RELEASE = "this release"
_MARKS = {
    "people drawn again": (BLUE, "diamond"),
    RELEASE: (RED, "circle"),
    "columns without relation": (GREY, "square"),
}


def losses_chart(document: WithLosses) -> tuple[Chart, ...]:
    """The chart; none where no loss of the whole file is a share with a value."""
    found = marks(document)
    if not found:
        return ()
    return (
        draw(
            "losses",
            "Losses between their two references",
            _spec(found),
            "0 is no loss. The nearer the circle is to the diamond, the less the release lost beyond what "
            "chance alone changes; the nearer to the square, the fewer relations are left.",
            "Every loss that is a share, as a dot on a line from 0 to 1, between what the people drawn again "
            "lose and what columns without relation do; the tables below have the numbers.",
        ),
    )


def marks(document: WithLosses) -> list[Mark]:
    """Three marks per loss, fewer where a reference has no value."""
    found: list[Mark] = []
    for row in loss_rows(document):
        e, name = row.estimate, row.keys.measure
        if row.keys.subject is not None or e.unit is not Unit.SHARE or e.number is None:
            continue
        again, apart = (None if one is None else one.number for one in references(document, name))
        title = document.methods.title(name)
        found += [
            {"loss": title, "what": what, "value": value, "shown": lost(value, e.unit)}
            for what, value in zip(_MARKS, (again, e.number, apart), strict=True)
            if value is not None
        ]
    return found


def _spec(found: list[Mark]) -> Spec:
    import altair as alt

    titles = list(dict.fromkeys(str(mark["loss"]) for mark in found))
    whats = [what for what in _MARKS if any(mark["what"] == what for mark in found)]
    colours, shapes = zip(*(_MARKS[what] for what in whats), strict=True)
    legend = alt.Legend(title=None, orient="top", columns=3)
    base = alt.Chart(alt.InlineData(values=found)).encode(
        y=alt.Y("loss:N", sort=titles, title=None, axis=names_axis()),
        tooltip=["loss:N", alt.Tooltip("what:N", title="of"), alt.Tooltip("shown:N", title="loss")],
    )
    axis = alt.X(
        "value:Q", title="loss", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="~p", tickCount=6)
    )
    line = base.mark_line(color=GREY, strokeWidth=1, opacity=0.6).encode(x=axis, detail="loss:N")
    dots = base.mark_point(filled=True, size=110, opacity=0.9).encode(
        x=axis,
        color=alt.Color("what:N", scale=alt.Scale(domain=whats, range=list(colours)), legend=legend),
        shape=alt.Shape("what:N", scale=alt.Scale(domain=whats, range=list(shapes)), legend=legend),
    )
    return finished(alt.layer(line, dots), max(2, len(titles)))
