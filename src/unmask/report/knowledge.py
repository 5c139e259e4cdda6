"""Attacker-knowledge curves in sentences, tables and one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import comb
from typing import Any

from unmask.report import words
from unmask.report.document import Document
from unmask.report.html import chart, javascript, page
from unmask.report.knowledge_charts import BEST, best_of_sets, by_error, by_share, by_size, size_rows
from unmask.report.numbers import count, interval, people, percent
from unmask.report.titles import title

#: How many minimal sets a page or a terminal lists.
MOST_SETS = 50

Point = Mapping[str, Any]


def html(document: Document) -> str:
    """A self-contained report of the curves' document. The same document gives the same bytes."""
    charts = _charts(document)
    shown, left = _listed(document)
    return page(
        "knowledge.html.jinja",
        {
            "headline": headline(document),
            "notes": [_sentence(note) for note in document["notes"]],
            "sets": sets(document),
            "sizes": size_table(document),
            "attributes": attribute_table(document),
            "minimal": [point_cells(point) for point in shown],
            "minimal_told": minimal(document),
            "left": left,
            "errors": [point_cells(point) for point in document["errors"]],
            "errors_told": errors(document),
            "shares": [point_cells(point) for point in document["shares"]],
            "shares_told": shares(document),
            "intruder": words.intruder(document),
            "limits": limits(),
            "methods": [{"name": name, "title": title(name)} for name in document["attacks"]],
            "charts": charts,
            "all_charts": charts,
            "javascript": javascript() if charts else None,
            "document": document,
        },
    )


def headline(document: Document) -> str:
    """How far one attribute goes, how far a few, and how far all.

    >>> point = {"attack": "dbrl", "low": 0.0, "high": 1.0, "n": 10, "chance": 0.1}
    >>> risk = {"sets": [{**point, "attributes": ["age"], "value": 0.3}], "path": [],
    ...         "scenario": {"attributes": [{"name": "age"}]}}
    >>> headline(risk)
    'An intruder who knows 1 attribute finds at most 30.0% of people (age). Guessing finds 10.0%.'
    """
    rows = size_rows(document)
    if not rows:
        return f"Risk is {words.not_estimable(_reason(document))}."
    listed = [row for row in rows if row["sets"] > 1 or row["attributes known"] == 1]
    told = [rows[0], *([listed[-1]] if listed and listed[-1] is not rows[0] else [])]
    parts = [
        f"{'1 attribute' if row['attributes known'] == 1 else str(row['attributes known']) + ' attributes'} "
        f"finds at most {row['rate']} of people ({row['set']})"
        for row in told
    ]
    text = f"An intruder who knows {'; one who knows '.join(parts)}"
    everything = rows[-1]
    if everything["attributes known"] == len(document["scenario"]["attributes"]) and everything not in told:
        text += f"; one who knows all {everything['attributes known']} finds {everything['rate']}"
    chance = rows[0]["chance"]
    return f"{text}." if chance is None else f"{text}. Guessing finds {percent(chance)}."


def sets(document: Document) -> list[str]:
    """How the sets were tried, and whether more knowledge always meant more risk."""
    attributes, enumerated = len(document["scenario"]["attributes"]), document["enumerated"]
    asked = min(document["size"], attributes)
    tried = sum(comb(attributes, k) for k in range(1, enumerated + 1))
    told = [f"All {count(tried)} sets of up to {enumerated} of the {attributes} attributes were tried."]
    if enumerated < asked:
        told.append(
            f"Sets of up to {asked} were asked for, but the enumeration was cut: with them it would be "
            f"{count(sum(comb(attributes, k) for k in range(1, asked + 1)))} sets, and the limit is "
            f"{count(document['limit'])}."
        )
    if document["path"]:
        told.append(
            "Larger sets were not all tried: to the best set found, the attribute that raises the risk most "
            "was added, one after the other. Another set of the same size may give more."
        )
    if len(document["attacks"]) > 1:
        told.append(
            "The risk of a set is that of the attack that finds most with it; its interval does not allow "
            "for that choice."
        )
    taken, fell = document["steps"]["taken"], document["steps"]["fell"]
    if taken and fell:
        told.append(
            f"More knowledge does not always help: of {count(taken)} steps from a set to one with one "
            f"attribute more, {count(fell)} lower the risk. An attack that lets every attribute count alike "
            "is misled by those that the mask has changed most."
        )
    elif taken:
        told.append(f"Every one of the {count(taken)} steps to one attribute more keeps or raises the risk.")
    return told


def minimal(document: Document) -> list[str]:
    """Which sets reach the threshold, and whether the list is whole."""
    threshold = document["threshold"]
    if threshold is None:
        return []
    reach, n = percent(threshold), len(document["minimal_sets"])
    upto = f"up to {document['enumerated']} attributes"
    if not n:
        first = next((p for p in best_of_sets(document["path"]) if p["value"] >= threshold), None)
        if first is None:
            return [f"No set that was tried reaches a risk of {reach}."]
        return [
            f"No set of {upto} reaches a risk of {reach}. On the way to all attributes it is reached with "
            f"{len(first['attributes'])}: {', '.join(first['attributes'])}."
        ]
    clear = sum(point["low"] >= threshold for point in document["minimal_sets"])
    one = n == 1
    return [
        f"{count(n)} {'set' if one else 'sets'} of {upto} {'reaches' if one else 'reach'} a risk of {reach} "
        f"while none of the sets within {'it' if one else 'them'} does. For {count(clear)} of them even the "
        "lower end of the 95% interval reaches it.",
        f"Minimal sets of more than {document['enumerated']} attributes may exist and are not listed."
        if document["enumerated"] < len(document["scenario"]["attributes"])
        else "All sets were tried, so these are all there are.",
    ]


def errors(document: Document) -> list[str]:
    """What error in his knowledge costs the intruder."""
    ends = _ends(document["errors"], "error")
    if ends is None:
        return []
    least, most = ends
    return [
        f"Knowing all attributes, he finds {percent(least['value'])} of people if numbers are off by "
        f"{least['error']:g} standard deviations and a category is wrong with probability "
        f"{min(least['error'], 1):g}; at {most['error']:g} he finds {percent(most['value'])}."
    ]


def shares(document: Document) -> list[str]:
    """What it changes to know fewer people."""
    ends = _ends(document["shares"], "people")
    if ends is None:
        return []
    least, most = ends
    return [
        f"Of {people(least['people'])} whom he knows, he finds {percent(least['value'])}; of "
        f"{people(most['people'])}, {percent(most['value'])}. The rate is that of the people whom he knows "
        "and who are in the release; how many he finds grows with how many he knows. Each point is one "
        "random draw of people, which its interval allows for."
    ]


def limits() -> list[str]:
    """What the curves do not say."""
    return [
        "The curves hold for the attacks named here; another attack may find more with the same knowledge.",
        "Which attributes an intruder can know is a judgement about the world; the curves only say what "
        "would follow.",
        "The points of a curve are made from the same people, so their errors go together; the largest of "
        "many estimates tends to be a little too large.",
    ]


def size_table(document: Document) -> list[dict[str, str]]:
    """One row a number of attributes; of the sets on the greedy path only what is added to the last one."""
    rows = []
    held: set[str] = set()
    for row in size_rows(document):
        listed = row["kind"] == BEST
        names = row["set"] if listed else "+ " + ", ".join(n for n in row["names"] if n not in held)
        held = set(row["names"])
        rows.append(
            {
                "size": str(row["attributes known"]),
                "sets": count(row["sets"]) if listed else "path",
                "lowest": percent(row["lowest"]) if listed else "",
                "mean": percent(row["mean"]) if listed else "",
                "rate": row["rate"],
                "interval": row["interval"],
                "set": names,
            }
        )
    return rows


def attribute_table(document: Document) -> list[dict[str, str]]:
    """One row an attribute: alone, and what it adds on average."""
    return [
        {
            "attribute": row["attribute"],
            "alone": _share(row["alone"]),
            "gain": "not estimable" if row["gain"] is None else f"{100 * row['gain']:+.2f}",
            "minimal_sets": count(row["minimal_sets"]),
        }
        for row in document["by_attribute"]
    ]


def point_cells(point: Point) -> dict[str, str | None]:
    """What a table shows of a point; one without a value gives its reason instead."""
    shown: dict[str, str | None] = {
        "set": ", ".join(point["attributes"]),
        "name": point["attack"],
        "attack": title(point["attack"]).title,
        "error": f"{point['error']:g}",
        "people": count(point["people"]),
        "reason": None,
    }
    if point["value"] is None:
        return {**shown, "reason": words.not_estimable(point["reason"])}
    return {
        **shown,
        "rate": percent(point["value"]),
        "interval": interval(point["low"], point["high"]),
        "found": f"{count(point['value'] * point['n'])} of {count(point['n'])}",
        "chance": _share(point["chance"]),
    }


def _listed(document: Document) -> tuple[Sequence[Point], int]:
    """The minimal sets that are shown, and how many are left out."""
    found = document["minimal_sets"]
    return found[:MOST_SETS], max(0, len(found) - MOST_SETS)


def _charts(document: Document) -> dict[str, dict[str, Any]]:
    """The charts that have something to show."""
    drawn = {}
    rule = "" if document["threshold"] is None else " Dashed across: the threshold."
    if size_rows(document):
        drawn["sizes"] = {
            **chart(lambda width: by_size(document, width)),
            "caption": "Share of people found, by the number of attributes known. Line: the best set, with "
            f"its 95% interval. Marks: every set.{rule}",
        }
    for name, draw in (("errors", by_error), ("shares", by_share)):
        if _ends(document[name], "people") is not None:
            drawn[name] = {
                **chart(partial(draw, document)),
                "caption": f"Share of people found. Band: its 95% interval.{rule}",
            }
    return drawn


def _ends(points: Sequence[Point], setting: str) -> tuple[Point, Point] | None:
    """The best attack's points at the two ends of a curve; None where the curve has no two values."""
    known = [point for point in points if point["value"] is not None]
    settings = sorted({point[setting] for point in known})
    if not settings:
        return None
    ends = [
        max((point for point in known if point[setting] == at), key=lambda point: point["value"])
        for at in (settings[0], settings[-1])
    ]
    return ends[0], ends[1]


def _reason(document: Document) -> str | None:
    return next((point["reason"] for point in document["sets"] if point["reason"]), None)


def _share(value: float | None) -> str:
    return "not estimable" if value is None else percent(value)


def _sentence(note: str) -> str:
    return f"{note[:1].upper()}{note[1:].rstrip('.')}."
