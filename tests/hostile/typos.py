"""One cell of one file is wrong: one person may be lost by it, not a column."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tests.hostile.clean import ASSESS, COLUMNS, FILES, ORIGINAL, RELEASED, N, Row, text
from tests.hostile.trial import Command, Trial, Twin

KIND = "one wrong cell"

WRONG_CELLS: dict[str, str] = {
    "empty": "",
    "blank": "   ",
    "a-letter": "x",
    "letter-for-digit": "4O",
    "two-points": "4.5.6",
    "a-comma": '"4,5"',
    "not-a-number": "NaN",
    "not-available": "N/A",
    "null": "NULL",
    "a-point": ".",
    "a-question-mark": "?",
    "infinity": "inf",
    "minus-infinity": "-Infinity",
    "largest-float": "1e308",
    "beyond-floats": "1e999",
    "smallest-float": "5e-324",
    "beyond-2-to-53": "9007199254740993",
    "beyond-int64": "9223372036854775808",
    "beyond-int128": "9" * 45,
    "minus-zero": "-0",
    "code-999": "999999",
    "code-minus-9": "-9",
    "a-date": "2024-02-30",
    "a-time": "12:30",
    "a-band": "40-49",
    "below-a-bound": "<18",
    "above-a-bound": "90+",
    "a-formula": "=1+1",
    "a-nul": "4\x005",
    "an-escape": "\x1b[31m45",
    "a-line-end": '"4\n5"',
    "a-quote": '"4""5"',
    "a-long-text": "y" * 100_000,
    "an-emoji": "🧑",
    "right-to-left": "\u202e54",
    "a-replacement": "\ufffd",
    "true": "true",
    "hexadecimal": "0x2D",
    "underscored": "4_5",
    "arabic-digits": "٤٥",
    "roman": "XLV",
}
#: One person may be lost, and what depends on a scale may move a little.
TOLERANCE = 3 / N


def trials(seed: int) -> Sequence[Trial]:
    """Every wrong cell in a column that is drawn, and some in every column, of either file."""
    chance = random.Random(f"{seed} typos")
    found = []
    for name, cell in WRONG_CELLS.items():
        for column in COLUMNS:
            file = chance.choice(("original.csv", "released.csv"))
            found.append(_trial(name, cell, column, file, chance.randrange(N)))
    return found


def _trial(name: str, cell: str, column: str, file: str, row: int) -> Command:
    rows: list[Row] = list(ORIGINAL if file == "original.csv" else RELEASED)
    rows[row] = {**rows[row], column: cell}
    return Command(
        f"typo/{name}-in-{column}-of-{file.partition('.')[0]}",
        KIND,
        ASSESS,
        {**FILES, file: text(rows)},
        twin=Twin(FILES, ASSESS, TOLERANCE, whole=column != "id"),
    )
