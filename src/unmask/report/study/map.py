"""The risk-utility map: what each mask leaves to find against what it costs, one point per mask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from unmask.documents.study import RISK
from unmask.measures.estimate import Unit
from unmask.report.charts import BLUE, GREEN, GREY, ORANGE, PINK, RED, SKY, Mark, finished
from unmask.report.page import Spec
from unmask.report.study.ceilings import Ceiling, ceilings
from unmask.report.study.marks import map_marks
from unmask.report.study.places import MapPlaces, MapScale
from unmask.report.study.stairs import stairs, steps

if TYPE_CHECKING:
    import altair as alt

#: Five colours and four shapes tell twenty families apart.
_COLOURS = (BLUE, RED, GREEN, ORANGE, SKY)
_SHAPES = ("circle", "square", "triangle-up", "triangle-down")
_REFERENCES = ("diamond", "cross")

#: How high the axis of risks may reach: the reader chooses, whatever the numbers are.
TOPS = (1.0, 0.5, 0.2, 0.1, 0.05)
#: How tall the map is, in rows of a chart.
ROWS = 13
#: How far the names of the axes are from the plot, in dots.
_BELOW, _ABOVE = 44, -14

#: The pair of the front, which is known of no other one.
_LEADS = "(loss === leading.loss && risk === leading.risk && who === leading.who)"


def has_map(places: MapPlaces) -> bool:
    """Whether some mask has a risk and a loss to be drawn by."""
    return bool(places.risks and places.losses)


def risk_map(places: MapPlaces) -> Spec:
    """The map with its choices of loss, risk and intruder."""
    import altair as alt

    marks = map_marks(places)
    x, y = _across(), _up()
    base = alt.Chart(alt.InlineData(values=marks)).transform_calculate(
        r="datum.of[who].risks[risk]", l="datum.losses[loss]"
    )
    base = base.transform_filter("isValid(datum.r) && isValid(datum.l)").transform_calculate(
        y="datum.r[0]", y_low="datum.r[1]", y_high="datum.r[2]", found="datum.r[3]",
        x="datum.l[0]", x_low="datum.l[1]", x_high="datum.l[2]", lost="datum.l[3]",
        attack="datum.of[who].attack", score="datum.of[who].score", verdict="datum.of[who].verdict",
    )  # fmt: skip
    layers = [
        *_limits(ceilings(places), x, y),
        _front(places, x, y),
        *_spans(base, _families(places), x, y),
        _ring(base, x, y),
        _points(base, _families(places), x, y),
        _labels(base, x, y),
        *_names_of_axes(),
    ]
    return finished(alt.layer(*layers).properties(params=_choices(places)), ROWS)


def _choices(places: MapPlaces) -> list[alt.Parameter | alt.TopLevelParameter]:
    """What the reader chooses, and what the drawing looks up by it."""
    import altair as alt

    losses, risks = places.losses, places.risks
    leading = {"loss": losses[0].key, "risk": risks[0].key, "who": places.who[0] or ""}
    given: dict[str, Any] = {
        "leading": leading,
        "names": {one.key: _named(one) for one in (*losses, *risks)},
        "tops": {one.key: _top(places, one) for one in losses},
        "shares": {one.key: one.unit is Unit.SHARE for one in losses},
    }
    selects = [
        _select("loss", "Loss across", [(one.key, one.title) for one in losses]),
        _select("risk", "Risk upwards", [(one.key, one.title) for one in risks]),
        _select("top", "Risks shown up to", [(top, f"{top:.0%}") for top in TOPS]),
    ]
    if len(places.who) > 1:
        selects.append(_select("who", "Intruder", [(one or "", one or "") for one in places.who]))
    else:
        given["who"] = ""
    return [*(alt.VariableParameter(name, value=value) for name, value in given.items()), *selects]


def _select(name: str, label: str, options: Sequence[tuple[Any, str]]) -> Any:
    import altair as alt

    keys, titles = [key for key, _ in options], [title for _, title in options]
    bound = alt.BindRadioSelect(input="select", options=keys, labels=titles, name=f"{label}: ")
    return alt.VariableParameter(name, value=keys[0], bind=bound)


def _named(scale: MapScale) -> str:
    """The name of an axis: that of an attack says what it is a share of."""
    if scale.key == RISK:
        return "share of people found by the attack that finds most"
    return scale.title if scale.attack is None else f"share of people found by {scale.title}"


def _top(places: MapPlaces, loss: MapScale) -> float:
    """Where the axis of a loss ends: beyond every mask of the study, chosen or not; a share ends at 1."""
    found = (places.loss(one.mask, loss.key) for one in places.document.candidates)
    ends = [end for e in found if e is not None for end in (e.number, e.high) if end is not None]
    ends += [one.at for one in ceilings(places) if one.key == loss.key]
    top = 1.06 * max(ends, default=0.0) or 1.0
    return min(top, 1.0) if loss.unit is Unit.SHARE else top


def _across() -> alt.X:
    import altair as alt

    told = "shares[loss] ? format(datum.value, '~p') : format(datum.value, '~g')"
    scale = alt.Scale(domain=alt.ExprRef("[0, tops[loss]]"), nice=False)
    return alt.X("x:Q", title=None, scale=scale, axis=alt.Axis(labelExpr=told, tickCount=8))


def _up() -> alt.Y:
    import altair as alt

    scale = alt.Scale(domain=alt.ExprRef("[0, top]"), nice=False)
    return alt.Y("y:Q", title=None, scale=scale, axis=alt.Axis(format="~p", tickCount=6))


def _families(places: MapPlaces) -> dict[str, alt.Color | alt.Shape | alt.Fill]:
    """Colour and shape of each family, alike in all layers; references are grey."""
    import altair as alt

    candidates = places.document.candidates
    families = list(dict.fromkeys(one.family for one in candidates if not one.reference))
    references = list(dict.fromkeys(one.family for one in candidates if one.reference))
    colours = [_COLOURS[i % len(_COLOURS)] for i in range(len(families))] + [GREY] * len(references)
    shapes = [_SHAPES[i % len(_SHAPES)] for i in range(len(families))]
    shapes += [_REFERENCES[i % len(_REFERENCES)] for i in range(len(references))]
    domain = [*families, *references]
    legend = alt.Legend(title=None, orient="top", columns=3, labelLimit=240, offset=34)
    colour = alt.Scale(domain=domain, range=colours)
    return {
        "color": alt.Color("family:N", scale=colour, legend=legend),
        "fill": alt.Fill("family:N", scale=colour, legend=legend),
        "shape": alt.Shape("family:N", scale=alt.Scale(domain=domain, range=shapes), legend=legend),
    }


def _points(base: alt.Chart, families: dict[str, Any], x: alt.X, y: alt.Y) -> alt.Chart:
    """The masks: filled where they are on the front, for the pair that it is about."""
    import altair as alt

    fill = alt.ExprRef(f"{_LEADS} ? (datum.front ? 1 : 0.08) : 0.35")
    told = {"mask": "mask", "found": "risk", "lost": "loss", "attack": "finds most", "score": "score",
            "verdict": "policy", "on": "front"}  # fmt: skip
    shown = base.transform_filter("datum.y <= top")  # not clipped: half a mark at an axis would be lost
    tips = [alt.Tooltip(f"{field}:N", title=title) for field, title in told.items()]
    points = shown.mark_point(size=120, strokeWidth=2, opacity=1, fillOpacity=fill)
    found: alt.Chart = points.encode(x=x, y=y, tooltip=tips, **families)
    return found


def _spans(base: alt.Chart, families: dict[str, Any], x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """The intervals of both, where there are such."""
    import altair as alt

    colour, found = families["color"], list[alt.Chart]()
    for low, encoded in (
        ("y_low", {"x": x, "y": alt.Y("y_low:Q"), "y2": "y_high:Q"}),
        ("x_low", {"y": y, "x": alt.X("x_low:Q"), "x2": "x_high:Q"}),
    ):
        known = base.transform_filter(f"isValid(datum.{low})")
        rule = known.mark_rule(strokeWidth=1.5, opacity=0.6, clip=True)
        found.append(rule.encode(color=colour, **encoded))
    return found


def _front(places: MapPlaces, x: alt.X, y: alt.Y) -> alt.Chart:
    """The front as steps, hidden where another pair is shown."""
    import altair as alt

    corners: list[Mark] = [
        {"step": i, "place": k, "x": loss, "y": risk}
        for i, step in enumerate(steps(stairs(places)))
        for k, (loss, risk) in enumerate(step)
    ]
    shown = alt.ExprRef(f"{_LEADS} ? 0.9 : 0")
    line: alt.Chart = (
        alt.Chart(alt.InlineData(values=corners))
        .mark_line(color=GREY, strokeWidth=2, clip=True, opacity=shown)
        .encode(x=x, y=y, detail="step:N", order="place:Q")
    )
    return line


def _ring(base: alt.Chart, x: alt.X, y: alt.Y) -> alt.Chart:
    """A ring around the mask that is recommended."""
    chosen = base.transform_filter("datum.chosen && datum.y <= top")
    ring: alt.Chart = chosen.mark_point(shape="circle", size=700, color=GREY, strokeWidth=3).encode(x=x, y=y)
    return ring


def _labels(base: alt.Chart, x: alt.X, y: alt.Y) -> alt.Chart:
    """The names of a few: who looks at a picture has no tooltips."""
    import altair as alt

    # To the left of and below a mask on the front there is no other one; at the axes there is no place.
    far = "datum.x > 0.3 * tops[loss]"
    low, high = "datum.y < 0.06 * top", "datum.y > 0.94 * top"
    aligned, beside = alt.ExprRef(f"{far} ? 'right' : 'left'"), alt.ExprRef(f"{far} ? -11 : 11")
    raised = alt.ExprRef(f"{low} ? -10 : {far} || {high} ? 14 : -10")
    shown = alt.ExprRef(f"{_LEADS} || datum.reference ? 1 : 0")
    named = base.transform_filter("isDefined(datum.label) && datum.y <= top")
    text = named.mark_text(align=aligned, dx=beside, dy=raised, fontSize=12, opacity=shown)
    found: alt.Chart = text.encode(x=x, y=y, text="label:N")
    return found


def _limits(found: Sequence[Ceiling], x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """The ceilings of the policy, each where its risk or its loss is shown."""
    import altair as alt

    layers: list[alt.Chart] = []
    for one in found:
        field, chosen = ("y", "risk") if one.of_risk else ("x", "loss")
        data = alt.Chart(alt.InlineData(values=[{field: one.at, "label": one.label, "key": one.key}]))
        data = data.transform_filter(f"datum.key === {chosen}")
        rule = data.mark_rule(strokeDash=[8, 4], color=PINK, strokeWidth=2, clip=True)
        text = data.transform_filter(f"!({one.of_risk!s}) || datum.y <= top".lower())
        if one.of_risk:
            label = text.mark_text(align="right", dx=-4, dy=-7, fontSize=12).encode(x=alt.value("width"), y=y)
            layers += [rule.encode(y=y), label.encode(text="label:N")]
        else:
            label = text.mark_text(align="left", dx=5, dy=10, fontSize=12).encode(x=x, y=alt.value(0))
            layers += [rule.encode(x=x), label.encode(text="label:N")]
    return layers


def _names_of_axes() -> list[alt.Chart]:
    """What is shown upwards and across, which the reader chooses."""
    import altair as alt

    point = alt.Chart(alt.InlineData(values=[{}]))
    across = point.mark_text(
        align="center", baseline="top", fontSize=13, text=alt.ExprRef("names[loss]"),
        x=alt.ExprRef("width / 2"), y=alt.ExprRef(f"height + {_BELOW - 14}"),
    )  # fmt: skip
    up = point.mark_text(
        align="left", baseline="bottom", fontSize=13, text=alt.ExprRef("names[risk]"),
        x=alt.ExprRef("0"), y=alt.ExprRef(f"{_ABOVE}"),
    )  # fmt: skip
    return [across, up]
