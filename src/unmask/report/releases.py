"""Several releases, several sources: single and combined risk in sentences and as a chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from unmask.report.charts import Spec, finished
from unmask.report.document import EXPECTED
from unmask.report.numbers import count, interval, p_value, people, percent
from unmask.report.titles import title

#: The plain data of a comparison, as an assessment's document holds it under ``releases`` or ``sources``.
Section = Mapping[str, Any]
Row = Mapping[str, Any]

_BASELINE, _LEARNED = "guess", "learned-"
_THIS, _COMBINED, _AVERAGED = "this", "combined", "averaged"
#: Okabe and Ito's palette: what is combined stands out.
_COLOURS = ("#0072B2", "#56B4E9", "#009E73", "#CC79A7", "#8A8A8A")
_TOGETHER = {_COMBINED: "#D55E00", _AVERAGED: "#E69F00"}


def headline(section: Section) -> str:
    """What all releases together give away, beside what this one does alone.

    >>> row = {"attack": "dbrl", "measure": "reidentification", "low": 0.0, "high": 1.0, "n": 100,
    ...        "reason": None}
    >>> headline({"rows": [{**row, "release": "this", "value": 0.1},
    ...                    {**row, "release": "combined", "value": 0.3}]})
    'In all releases combined, the best attack (distance-based linkage) finds the right record of 30 of 100
    people (30.0%; 95% interval 0% to 100%). In this release alone it finds 10.0%.'
    """
    alone, combined = _best(section["rows"], _THIS), _best(section["rows"], _COMBINED, _AVERAGED)
    if combined is not None:
        told = _combined(section["rows"], None, combined)[0]
        best = "it" if alone is None or alone["attack"] == combined["attack"] else "the best attack"
        return (
            told if alone is None else f"{told} In this release alone {best} finds {percent(alone['value'])}."
        )
    told = (
        "Re-identification is not estimable" if alone is None else f"In this release alone, {_found(alone)}"
    )
    return " ".join([f"{told}.", *_combined(section["rows"], alone, combined)])


def sentences(section: Section) -> list[str]:
    """What several releases together tell an intruder, for a reader without statistics.

    >>> row = {"attack": "dbrl", "measure": "reidentification", "low": 0.0, "high": 1.0, "n": 100,
    ...        "chance": 0.01, "p_value": 0.001, "reason": None}
    >>> section = {"how": "order", "through": [], "joined": 100, "joined right": 100, "notes": [],
    ...            "earlier": [{"release": "earlier 1", "records": 100, "joined": 100, "joined right": 100}],
    ...            "rows": [{**row, "release": "this", "value": 0.1},
    ...                     {**row, "release": "combined", "value": 0.3}]}
    >>> sentences(section)[-1]
    'That is 20 people more than this release alone gives away.'
    """
    told = [_how(section), *_joined(section)]
    alone, combined = _best(section["rows"], _THIS), _best(section["rows"], _COMBINED, _AVERAGED)
    if alone is not None:
        told.append(f"In this release alone, {_found(alone)}.")
    for earlier in section["earlier"]:
        best = _best(section["rows"], earlier["release"])
        if best is not None:
            told.append(f"In {_named(earlier['release'])} alone, {_found(best)}.")
    told += _combined(section["rows"], alone, combined)
    return told + [_sentence(note) for note in section["notes"]]


def source_sentences(section: Section) -> list[str]:
    """What several sources together tell an intruder.

    >>> row = {"attack": "dbrl", "measure": "reidentification", "whom": "common", "low": 0.0, "high": 1.0,
    ...        "n": 50, "chance": 0.01, "p_value": 0.001, "reason": None}
    >>> held = {"source": "source 1", "attributes": ["age"], "people": 50, "error": 0.0}
    >>> section = {"sources": [held], "people": 50, "common": 50, "notes": [],
    ...            "rows": [{**row, "source": "source 1", "value": 0.1}]}
    >>> source_sentences(section)[0]
    'Source 1 has 1 attribute of 50 people (age), without error.'
    """
    told = [_source(held) for held in section["sources"]]
    told.append(
        f"Together they cover {people(section['people'])}; {people(section['common'])} "
        f"{'is' if section['common'] == 1 else 'are'} in every source."
    )
    names = [held["source"] for held in section["sources"]]
    shared = [row for row in section["rows"] if row["whom"] == "common"]
    for name in [*names, _COMBINED]:
        best = _best(shared, name, key="source")
        if best is not None:
            with_what = "all sources combined" if name == _COMBINED else name
            told.append(f"Of the people in every source, with {with_what}, {_found(best)}.")
    whole = _best([row for row in section["rows"] if row["whom"] == "all"], _COMBINED, key="source")
    if whole is not None:
        told.append(f"Of all people in any source, with all sources combined, {_found(whole)}.")
    return told + [_sentence(note) for note in section["notes"]]


def chart_rows(rows: Sequence[Row], key: str = "release") -> list[dict[str, Any]]:
    """One row an attack and release (or source) with a value, as the chart and its tooltips show it.

    >>> chart_rows([])
    []
    """
    return [
        {
            "attack": title(row["attack"]).title,
            key: row[key],
            **{name: row[name] for name in ("value", "low", "high", "chance")},
            "people": f"{count(row['value'] * row['n'])} of {count(row['n'])}",
            "rate": percent(row["value"]),
            "interval": interval(row["low"], row["high"]),
            "p-value": p_value(row["p_value"]),
        }
        for row in rows
        if row["measure"] == EXPECTED and row["value"] is not None and row.get("whom", "common") == "common"
    ]


def chart(section: Section, key: str = "release", width: int | str = "container") -> Spec:
    """The rate of each attack in each release (``key="source"``: with each source) and in all combined."""
    import altair as alt

    rows = chart_rows(section["rows"], key)
    order = list(dict.fromkeys(row["attack"] for row in rows))
    names = list(dict.fromkeys(row[key] for row in rows))
    together = {name: colour for name, colour in _TOGETHER.items() if name in names}
    single = [name for name in names if name not in together]
    colours = {name: _COLOURS[i % len(_COLOURS)] for i, name in enumerate(single)} | together
    top = max([row["high"] or 0.0 for row in rows], default=1.0)
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y("attack:N", sort=order, title=None, axis=alt.Axis(labelLimit=220, ticks=False, domain=False)),
        yOffset=alt.YOffset(f"{key}:N", sort=names),
        color=alt.Color(
            f"{key}:N",
            scale=alt.Scale(domain=list(colours), range=list(colours.values())),
            legend=alt.Legend(title=None, orient="top", columns=4),
        ),
        tooltip=[f"{field}:N" for field in ("attack", key, "people", "rate", "interval", "p-value")],
    )
    axis = alt.X(
        "value:Q",
        title="share of people whose record is found",
        scale=alt.Scale(domain=[0, min(1.0, top * 1.05) or 1.0]),
        axis=alt.Axis(format="~p", tickCount=6),
    )
    layers = alt.layer(
        base.mark_rule(strokeWidth=2.5).encode(x=alt.X("low:Q"), x2="high:Q"),
        base.mark_point(filled=True, size=90, opacity=1).encode(x=axis),
    )
    # Every release needs its line beside the others' of the same attack.
    return finished(layers, max(1, len(order) * len(names) // 2), width)


def _how(section: Section) -> str:
    n = len(section["earlier"])
    held = f"{n} earlier {'release' if n == 1 else 'releases'} of the same people"
    through = ", ".join(section["through"])
    way = {
        "order": "follows records from one to the other by their order in the files",
        "key": "follows records from one to the other by a key that they show",
        "confidential": f"follows records by values of {through} that are unique in both files"
        if through
        else "tries to follow records by confidential values",
        "none": f"cannot follow records; he compares his candidates in each, by {through}"
        if through
        else "cannot follow records",
    }[section["how"]]
    return f"The intruder is assumed to hold {held} too, and {way}."


def _joined(section: Section) -> list[str]:
    if section["joined"] is None:
        return []
    one = len(section["earlier"]) == 1
    return [
        f"{count(earlier['joined'])} records of this release were followed into "
        f"{'the earlier one' if one else _named(earlier['release'])}, "
        f"{count(earlier['joined right'])} of them rightly."
        for earlier in section["earlier"]
    ]


def _combined(rows: Sequence[Row], alone: Row | None, combined: Row | None) -> list[str]:
    if combined is None:
        reasons = [row["reason"] for row in rows if row["release"] == _COMBINED and row["reason"]]
        return [f"The combined risk is not estimable: {reasons[0]}."] if reasons else []
    how = ", their numbers averaged" if combined["release"] == _AVERAGED else ""
    told = [f"In all releases combined{how}, {_found(combined)}."]
    if alone is None:
        return told
    more = combined["value"] * combined["n"] - alone["value"] * alone["n"]
    if more > 1e-6:
        told.append(f"That is {people(more)} more than this release alone gives away.")
    elif more < -1e-6:
        told.append(
            "That is fewer than in this release alone, because all releases count alike and some say less. "
            "An intruder who can tell which one is the best uses that one: the highest rate is the risk."
        )
    else:
        told.append("The earlier releases add nothing to what this one gives away.")
    return told


def _best(rows: Sequence[Row], *names: str, key: str = "release") -> Row | None:
    """The attack that finds most, without help of the truth; a guess only where nothing else was tried."""
    found = [
        row for row in rows if row[key] in names and row["measure"] == EXPECTED and row["value"] is not None
    ]
    real = [row for row in found if row["attack"] != _BASELINE and not row["attack"].startswith(_LEARNED)]
    real = real or [row for row in found if row["attack"] == _BASELINE]
    return max(real, key=lambda row: row["value"]) if real else None


def _found(row: Row) -> str:
    hits = row["value"] * row["n"]
    about = "" if abs(hits - round(hits)) < 1e-6 else "about "
    return (
        f"the best attack ({title(row['attack']).title}) finds the right record of {about}{count(hits)} of "
        f"{people(row['n'])} ({percent(row['value'])}; 95% interval {interval(row['low'], row['high'])})"
    )


def _source(held: Mapping[str, Any]) -> str:
    n = len(held["attributes"])
    error = f"with an error of {held['error']:g} standard deviations" if held["error"] else "without error"
    return (
        f"{held['source'].capitalize()} has {n} attribute{'' if n == 1 else 's'} of {people(held['people'])} "
        f"({', '.join(held['attributes'])}), {error}."
    )


def _named(release: str) -> str:
    """'earlier 2' in words."""
    return f"earlier release {release.removeprefix('earlier ')}"


def _sentence(note: str) -> str:
    return f"{note[:1].upper()}{note[1:].rstrip('.')}."
