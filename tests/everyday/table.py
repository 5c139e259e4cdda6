"""The table of the documentation: ``python -m tests.everyday.table`` prints it, ``--write`` puts it there.

``--counting`` leaves out what unmask says: what was done, and exact counting.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from tests.everyday.answers import finding, understanding
from tests.everyday.release import EverydayRelease, Expected
from tests.everyday.releases import RELEASES
from unmask.errors import UnmaskError

PAGE = Path(__file__).parents[2] / "docs" / "evidence" / "everyday-releases.md"
START, END = "<!-- table -->\n", "<!-- end of table -->\n"
HEADS = ("what you did", "file", "what unmask understood", "risk", "exact counting")
COUNTED = ("what you did", "file", "exact counting")
#: Where nothing was touched, and no row moved.
AS_IT_IS = "unchanged"


def line(release: EverydayRelease) -> str:
    """The line of a release."""
    found = finding(release)
    if isinstance(found, UnmaskError):
        return _line(
            release.what, _file(release), "cannot tell whose record is whose", "refused", _counted(release)
        )
    return _line(release.what, _file(release), _understood(release), f"{found.best:.1%}", _counted(release))


def counted_line(release: EverydayRelease) -> str:
    """The line of a release without what unmask says."""
    return _line(release.what, _file(release), _counted(release))


def table(counting: bool = False) -> str:
    """All lines under their heads."""
    heads, write = (COUNTED, counted_line) if counting else (HEADS, line)
    lines = [_line(*heads), _line(*["---"] * len(heads)), *(write(release) for release in RELEASES)]
    return "".join(f"{one}\n" for one in lines)


def _line(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _file(release: EverydayRelease) -> str:
    return release.file.partition(".")[0]


def _understood(release: EverydayRelease) -> str:
    """Which attributes were changed, and how; and how rows belong together, where they moved."""
    said, handed = understanding(release), release.handed()
    parts = [f"`{name}` {word}" for name, word in said.changes.items() if word != AS_IT_IS]
    in_place = np.array_equal(handed.origin, np.arange(handed.original.height))
    if release.truth is not None or not in_place:
        parts.append(said.rows)
    return "; ".join(parts) or AS_IT_IS


def _counted(release: EverydayRelease) -> str:
    if release.expected in (Expected.NEAREST, Expected.REFUSED):
        return "n/a"
    return f"{release.risk():.1%}"


def main(options: list[str]) -> None:
    """Print the table, or put it between its marks on the page."""
    text = table("--counting" in options)
    if "--write" not in options:
        print(text, end="")
        return
    before, rest = PAGE.read_text(encoding="utf-8").split(START)
    after = rest.split(END)[1]
    PAGE.write_text(before + START + "\n" + text + "\n" + END + after, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
