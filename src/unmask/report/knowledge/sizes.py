"""How many attributes, and which: every set of up to some size, and a path from the best one on."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from unmask.documents import KnowledgeDocument
from unmask.documents.knowledge import PATH
from unmask.report.knowledge.charts import by_size, threshold_told
from unmask.report.knowledge.points import BEST, size_rows
from unmask.report.numbers import count, percent
from unmask.report.page import Chart, Section, draw


@dataclass(frozen=True)
class SizeCells:
    """The sets of one size as the table shows them."""

    size: str
    sets: str
    lowest: str
    mean: str
    rate: str
    interval: str
    names: str


def sizes_section(document: KnowledgeDocument) -> Section:
    """The sets in words, as a chart and as a table."""
    part = {"told": sets(document), "rows": size_table(document)}
    return Section("sizes", "How many attributes, and which", "sizes.html.jinja", part, _charts(document))


def sets(document: KnowledgeDocument) -> list[str]:
    """How the sets were tried, and whether more knowledge always meant more risk."""
    attributes, enumerated = len(document.scenario.attributes), document.enumerated
    told = [
        f"All {_sets_up_to(enumerated, attributes)} sets of up to {enumerated} of the {attributes} "
        "attributes were tried."
    ]
    asked = min(document.size, attributes)
    if enumerated < asked:
        told.append(
            f"Sets of up to {asked} were asked for, but the enumeration was cut: with them it would be "
            f"{_sets_up_to(asked, attributes)} sets, and the limit is {count(document.limit)}."
        )
    if document.curve(PATH):
        told.append(
            "Larger sets were not all tried: to the best set found, the attribute that raises the risk most "
            "was added, one after the other. Another set of the same size may give more."
        )
    if len(document.attacks) > 1:
        told.append(
            "The risk of a set is that of the attack that finds most with it; its interval does not allow "
            "for that choice."
        )
    return told + _steps(document)


def size_table(document: KnowledgeDocument) -> list[SizeCells]:
    """One row per number of attributes; of the sets on the greedy path only what is added to the last one."""
    rows = []
    held: set[str] = set()
    for row in size_rows(document):
        listed, found = row.kind == BEST, row.top.found
        names = row.top.names if listed else "+ " + ", ".join(n for n in row.top.known if n not in held)
        held = set(row.top.known)
        sets, lowest, mean = "path", "", ""
        if listed:
            sets, lowest, mean = count(row.sets), percent(row.lowest), percent(row.mean)
        rows.append(SizeCells(str(row.size), sets, lowest, mean, found.rate, found.interval, names))
    return rows


def _steps(document: KnowledgeDocument) -> list[str]:
    taken, fell = document.steps.taken, document.steps.fell
    if taken and fell:
        return [
            f"More knowledge does not always help: of {count(taken)} steps from a set to one with one "
            f"attribute more, {count(fell)} lower the risk. An attack that lets every attribute count alike "
            "is misled by those that the mask has changed most."
        ]
    if taken:
        return [f"Every one of the {count(taken)} steps to one attribute more keeps or raises the risk."]
    return []


def _sets_up_to(size: int, attributes: int) -> str:
    return count(sum(comb(attributes, k) for k in range(1, size + 1)))


def _charts(document: KnowledgeDocument) -> tuple[Chart, ...]:
    if not size_rows(document):
        return ()
    caption = "Share of people found, by the number of attributes known"
    detail = f"Line: the best set, with its 95% interval. Marks: every set.{threshold_told(document)}"
    label = f"{caption}; the table below has the lowest, the mean and the highest."
    return (draw("sizes", caption, by_size(document), detail, label),)
