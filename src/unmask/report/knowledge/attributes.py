"""Attribute by attribute: its risk alone, and what it adds on average."""

from __future__ import annotations

from dataclasses import dataclass

from unmask.documents import KnowledgeDocument
from unmask.report.numbers import count
from unmask.report.page import Section
from unmask.report.phrases import share


@dataclass(frozen=True)
class AttributeCells:
    """One attribute as the table shows it."""

    attribute: str
    alone: str
    gain: str
    minimal_sets: str


def attributes_section(document: KnowledgeDocument) -> Section:
    """The table of attributes."""
    part = {"rows": attribute_table(document)}
    return Section("attributes", "Attribute by attribute", "attributes.html.jinja", part)


def attribute_table(document: KnowledgeDocument) -> list[AttributeCells]:
    """One row per attribute; how many minimal sets it is in only where a threshold was asked for."""
    return [
        AttributeCells(
            part.attribute,
            share(part.alone),
            "not estimable" if part.gain is None else f"{100 * part.gain:+.2f}",
            "" if document.threshold is None else count(part.minimal_sets),
        )
        for part in document.by_attribute
    ]
