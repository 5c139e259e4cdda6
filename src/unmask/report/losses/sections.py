"""What the release is still good for: all losses at a glance, then family by family."""

from __future__ import annotations

from collections.abc import Iterable

from unmask.report.losses.chart import losses_chart
from unmask.report.losses.lines import LossFamily, WithLosses, loss_families, loss_rows
from unmask.report.methods import Explained, loss_methods_section
from unmask.report.numbers import count
from unmask.report.page import Section, told

TITLE = "What the release is still good for"

AGAIN = Explained(
    "people drawn again",
    "What the same people lose if as many of them are drawn again, with replacement: chance alone changes a "
    "file of this size by so much. The interval holds 95 of 100 such draws.",
    anchor="term-again",
)
APART = Explained(
    "columns without relation",
    "What is lost if every column of the original is shuffled by itself: each column is still right, and no "
    "relation between columns, or to a person, is left.",
    anchor="term-apart",
)


def losses_sections(document: WithLosses) -> tuple[Section | None, ...]:
    """The overview, and one section per family; nothing where no loss was computed."""
    families = loss_families(document)
    if not families:
        return ()
    charts = losses_chart(document)
    overview = told("losses", "All losses at a glance", overview_told(document), charts)
    return (overview, *(_section(family) for family in families))


def overview_told(document: WithLosses) -> list[str]:
    """How losses are read, and on how many records they rest where these are not all."""
    sentences = [
        "A loss of 0 means that nothing of what it looks at was lost; higher is worse. A loss is no risk: it "
        "says what a reader of the release can no longer do.",
        "Each stands beside two references: what the same people lose if they are drawn again, which is what "
        "chance alone changes, and what is lost if no column has a relation to another.",
    ]
    n, released = max(row.estimate.n for row in loss_rows(document)), document.sizes.released
    if 0 < n < released:
        sentences.append(f"They rest on a random sample of {count(n)} of the {count(released)} records.")
    return sentences


def loss_definitions(document: WithLosses) -> Section | None:
    """What each loss is, with its formula and its source."""
    return loss_methods_section(document.methods, document.losses)


def loss_terms(document: WithLosses) -> Iterable[Explained]:
    """What the headings of the tables of losses mean, where there are any."""
    return (AGAIN, APART) if document.losses else ()


def _section(family: LossFamily) -> Section:
    name = f"loss-family-{family.family.name}"
    return Section(name, family.family.title, "loss_family.html.jinja", {"table": family})
