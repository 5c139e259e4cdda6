"""How the findings about the file depend on their settings."""

from __future__ import annotations

from dataclasses import asdict

from unmask.documents import AssessmentDocument
from unmask.measures.estimate import Curve, Estimate, Unit
from unmask.report.charts import BLUE, GREEN, GREY, ORANGE, PINK, RED, SKY, YELLOW, Mark, finished
from unmask.report.numbers import number
from unmask.report.page import Counts, Section, Spec, draw, told

#: More lines than these cannot be told apart, and make a page of many megabytes.
MOST_LINES = 60
#: A chart with more lines than colours takes them again.
_COLOURS = (BLUE, RED, GREEN, PINK, ORANGE, SKY, GREY, YELLOW)


def curves_section(document: AssessmentDocument) -> Section | None:
    """One chart per measure that has curves."""
    charts = [
        draw(
            f"curve-{i}",
            _title(document, measure),
            curves(document, measure),
            counts=curve_counts(document, measure),
        )
        for i, measure in enumerate(curve_measures(document))
    ]
    return told("curves", "How the findings depend on their settings", [], charts)


def _title(document: AssessmentDocument, measure: str) -> str:
    """The name of the measure, and how many of its lines are drawn where they are too many."""
    many = sum(_curve(row.estimate) is not None for row in document.of_file.where(measure=measure))
    drawn = f" ({MOST_LINES} of {many} lines; the JSON has all)" if many > MOST_LINES else ""
    return document.methods.title(measure) + drawn


def curve_measures(document: AssessmentDocument) -> list[str]:
    """The measures that have curves to draw."""
    rows = document.of_file
    return list(dict.fromkeys(row.keys.measure for row in rows if _curve(row.estimate) is not None))


def curves(document: AssessmentDocument, measure: str) -> Spec:
    """How a measure's value changes with its setting, one line per attribute."""
    import altair as alt

    marks: list[Mark] = []
    lines: dict[str, tuple[Curve, Unit]] = {}
    for about, curve, unit in _lines(document, measure):
        lines.setdefault(about, (curve, unit))
        marks += [{**asdict(p), "about": about, "shown": number(p.value, unit)} for p in curve.points]
    first, unit = next(iter(lines.values()))
    colours = [_COLOURS[i % len(_COLOURS)] for i in range(len(lines))]
    base = alt.Chart(alt.InlineData(values=marks)).encode(
        x=alt.X("at:Q", title=first.over),
        color=alt.Color(
            "about:N",
            scale=alt.Scale(domain=list(lines), range=colours),
            legend=alt.Legend(title=None, orient="top", columns=4, labelLimit=180),
        ),
        tooltip=["about:N", "at:Q", alt.Tooltip("shown:N", title="value")],
    )
    axis = alt.Y(
        "value:Q",
        title=document.methods.title(measure),
        axis=alt.Axis(format="~p" if unit is Unit.SHARE else "~s", tickCount=5),
    )
    line = base.mark_line(point=True, strokeWidth=2).encode(y=axis)
    if all(mark["low"] is None for mark in marks):
        return finished(alt.layer(line), 8)
    band = base.mark_area(opacity=0.12).encode(y=alt.Y("low:Q"), y2="high:Q")
    return finished(alt.layer(band, line), 8)


def curve_counts(document: AssessmentDocument, measure: str) -> Counts:
    """The numbers of :func:`curves`: one row per line, its values in the order of the setting."""
    lines = _lines(document, measure)
    rows = tuple(
        (about, ("; ".join(f"{point.at:g}: {number(point.value, unit)}" for point in curve.points),))
        for about, curve, unit in lines
    )
    over = lines[0][1].over if lines else "setting"
    return Counts((f"value at each {over}",), rows, "about")


def _lines(document: AssessmentDocument, measure: str) -> list[tuple[str, Curve, Unit]]:
    """What each line is about, its curve and its unit."""
    rows = [row for row in document.of_file.where(measure=measure) if _curve(row.estimate) is not None]
    # What is said of all attributes together comes last, and is drawn first where they are many.
    rows = rows if len(rows) <= MOST_LINES else [*rows[-1:], *rows[: MOST_LINES - 1]]
    found = ((row.keys.subject or "all attributes", _curve(row.estimate), row.estimate.unit) for row in rows)
    return [(about, curve, unit) for about, curve, unit in found if curve is not None]


def _curve(estimate: Estimate) -> Curve | None:
    """The estimate's curve, where it has more than one point."""
    curve = estimate.curve
    return curve if curve is not None and len(curve.points) > 1 else None
