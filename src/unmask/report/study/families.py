"""How risk and loss change along the parameter of a family of masks."""

from __future__ import annotations

import re
from dataclasses import dataclass

from unmask.documents.study import CandidateSection
from unmask.measures.estimate import Estimate
from unmask.parsing import steps
from unmask.report.charts import BLUE, GREY, RED, Mark, finished
from unmask.report.page import Chart, Section, Spec, draw, told
from unmask.report.study.places import MapPlaces
from unmask.report.study.words import with_interval

#: A family is drawn from so many values of its parameter on.
FEWEST = 3
#: More charts than these make a page that nobody reads; the table has all masks.
MOST_CHARTS = 12

_PARAMETER = re.compile(r'([A-Za-z_]\w*)=((?:"[^"]*"|[^,"])*)')
_RISK = "share of people found"


@dataclass(frozen=True, eq=False)
class Ladder:
    """The masks of a family along the parameter that takes most values.

    ``parameter``: its name, with its place where a mask has several steps; ``rungs``: its value, the other
    parameters as text (each such text is a line of its own), and the mask.
    """

    family: str
    parameter: str
    rungs: tuple[tuple[float, str, CandidateSection], ...]


def families_section(places: MapPlaces) -> Section | None:
    """One chart per family with enough masks."""
    found = ladders(places.document.candidates)
    charts = [_chart(places, i, one) for i, one in enumerate(found[:MOST_CHARTS])]
    left = len(found) - len(charts)
    sentences = [f"{left} more families are in the table of masks only."] if left > 0 else []
    return told("families", "Family by family", sentences, charts) if charts else None


def ladders(candidates: tuple[CandidateSection, ...]) -> list[Ladder]:
    """The families of which a parameter takes several values, with their masks from its lowest value on."""
    families: dict[str, list[CandidateSection]] = {}
    for one in candidates:
        if not one.reference:
            families.setdefault(one.family, []).append(one)
    found = (_ladder(family, members) for family, members in families.items())
    return [one for one in found if one is not None]


def parameters(mask: str) -> dict[str, str]:
    """The parameters of a mask by name; those of a later step have its number.

    >>> parameters('noise:a=0.1,attributes="age, last"+pay then pram:p=5')
    {'a': '0.1', 'attributes': '"age, last"+pay', 'p (step 2)': '5'}
    """
    found = {}
    for place, step in enumerate(steps(mask), start=1):
        for name, text in _PARAMETER.findall(step.partition(":")[2]):
            found[name if place == 1 else f"{name} (step {place})"] = text.strip()
    return found


def _ladder(family: str, members: list[CandidateSection]) -> Ladder | None:
    given = [(one, parameters(one.mask)) for one in members]
    names = dict.fromkeys(name for _, own in given for name in own)
    values = {
        name: {number for _, own in given if (number := _number(own.get(name))) is not None} for name in names
    }
    leading = max(values, key=lambda name: len(values[name]), default="")
    if len(values.get(leading, ())) < FEWEST:
        return None
    rungs = []
    for one, own in given:
        at = _number(own.get(leading))
        if at is not None:
            rest = ", ".join(f"{name}={text}" for name, text in own.items() if name != leading)
            rungs.append((at, rest, one))
    return Ladder(family, leading, tuple(sorted(rungs, key=lambda rung: (rung[1], rung[0]))))


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if abs(number) < float("inf") else None


def _chart(places: MapPlaces, place: int, ladder: Ladder) -> Chart:
    caption = f"{ladder.family}, by {ladder.parameter}"
    whole = _whole(places)
    loss = places.document.methods.title(places.document.least)
    detail = "The share of people found by the attack that finds most, with its 95% interval"
    if whole is not None:
        detail += f"; beside it {loss}, as a share of what columns without any relation lose"
    label = f"{caption}: risk and loss; the table of masks has the numbers."
    return draw(f"family-{place}", caption, along(places, ladder, whole), f"{detail}.", label)


def along(places: MapPlaces, ladder: Ladder, whole: float | None) -> Spec:
    """Both lines on one scale from 0 to 1; ``whole``: the loss that counts as 1, where there is one."""
    import altair as alt

    lost = f"{places.document.methods.title(places.document.least)} (1: no relation left)"
    marks: list[Mark] = []
    for at, line, one in ladder.rungs:
        common = {"at": at, "line": line, "mask": one.mask}
        found, loss = places.found(one.mask, places.who[0]), places.lost(one.mask)
        marks += _marks(common, _RISK, found, 1.0)
        marks += [] if whole is None else _marks(common, lost, loss, whole)
    kinds = [kind for kind in (_RISK, lost) if any(mark["kind"] == kind for mark in marks)]
    values = sorted({at for at, _, _ in ladder.rungs})
    base = alt.Chart(alt.InlineData(values=marks)).encode(
        x=alt.X(
            "at:O",
            title=f"{ladder.parameter} of {ladder.family}",
            sort=values,
            axis=alt.Axis(labelAngle=0, format="~g"),
        ),
        color=alt.Color(
            "kind:N",
            scale=alt.Scale(domain=kinds, range=[RED, BLUE][: len(kinds)]),
            legend=alt.Legend(title=None, orient="top", labelLimit=360),
        ),
        detail="line:N",
    )
    y = alt.Y(
        "value:Q",
        title=None,
        scale=alt.Scale(domain=[0, _end(marks)]),
        axis=alt.Axis(format="~p", tickCount=6),
    )
    whole_line = alt.Chart(alt.InlineData(values=[{"value": 1.0}])).mark_rule(color=GREY, strokeDash=[2, 3])
    layers = [
        whole_line.encode(y=y),
        base.mark_rule(strokeWidth=1.5, opacity=0.6).encode(y=alt.Y("low:Q"), y2="high:Q"),
        base.mark_line(strokeWidth=2).encode(y=y),
        base.mark_point(filled=True, size=80, opacity=1).encode(y=y, tooltip=["mask:N", "kind:N", "shown:N"]),
    ]
    return finished(alt.layer(*layers), 7)


def _marks(common: Mark, kind: str, estimate: Estimate | None, whole: float) -> list[Mark]:
    if estimate is None or estimate.number is None:
        return []
    low, high = (None if end is None else end / whole for end in (estimate.low, estimate.high))
    numbers = {"value": estimate.number / whole, "low": low, "high": high}
    return [{**common, "kind": kind, **numbers, "shown": with_interval(estimate)}]


def _end(marks: list[Mark]) -> float:
    """Where the axis ends: at 1, unless a mask loses more than columns without relation do."""
    ends = (end for mark in marks for end in (mark["value"], mark["high"]) if isinstance(end, float))
    return max(1.0, *ends) if marks else 1.0


def _whole(places: MapPlaces) -> float | None:
    """The loss of columns without any relation; None where it has no value, or is nothing."""
    references = [one for one in places.document.candidates if one.reference]
    lost = (places.lost(one.mask) for one in references)
    return max((e.number for e in lost if e is not None and e.number is not None), default=0.0) or None
