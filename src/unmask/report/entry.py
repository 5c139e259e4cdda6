"""An entry of the report's glossary."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Title:
    """A plain title, one sentence on how the attack works, and where it comes from."""

    title: str
    explanation: str
    source: str | None = None
