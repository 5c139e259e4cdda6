"""A few rows of text, as a notebook shows them."""

from __future__ import annotations

from dataclasses import dataclass

#: A notebook shows so many rows of a table; the report has all of them.
MOST_ROWS = 12


@dataclass(frozen=True)
class ShortTable:
    """A few rows of text; ``words``: so many columns, from the first on, are no numbers."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1

    def clipped(self) -> ShortTable:
        """The first rows; the caption says how many there are, where these are not all."""
        if len(self.rows) <= MOST_ROWS:
            return self
        caption = f"{self.caption} ({MOST_ROWS} of {len(self.rows)} rows)"
        return ShortTable(caption, self.columns, self.rows[:MOST_ROWS], self.words)
