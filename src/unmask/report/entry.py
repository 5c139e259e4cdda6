"""An entry of the report's glossary."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Title:
    """A plain title, one sentence on how the attack works, and where it comes from.

    Of a measure also how its findings are read: ``fewer``: a smaller value is worse for the people in the
    file, as k of k-anonymity; ``head``: the finding that stands for the others, where they are not of one
    kind.
    """

    title: str
    explanation: str
    source: str | None = None
    fewer: bool = False
    head: str | None = None
