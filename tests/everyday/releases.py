"""All everyday releases, in the order of the table."""

from __future__ import annotations

from tests.everyday import bands, categories, dates, formats, gaps, numbers, rows
from tests.everyday.release import EverydayRelease

RELEASES: tuple[EverydayRelease, ...] = tuple(
    release for part in (rows, bands, numbers, categories, dates, gaps, formats) for release in part.RELEASES
)
