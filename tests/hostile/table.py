"""The judgements as one table, and what to do about each that is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.hostile.accepted import ACCEPTED
from tests.hostile.trial import Judged, Verdict

PAGE = Path(__file__).parents[2] / "docs" / "evidence" / "hostile-trials.md"
MARKS = "<!-- table -->", "<!-- end of table -->"
HEADER = ("kind of trial", "there are", "tried", "refused rightly", "answered", "accepted limit", "wrong")


def lines(judged: Sequence[Judged], there: Mapping[str, int], seed: int) -> Iterator[str]:
    """The table, and each wrong trial with a command that repeats it."""
    yield from table(judged, there)
    yield from _wrong(judged, seed)


def put_on_page(judged: Sequence[Judged], there: Mapping[str, int], how: str) -> None:
    """The table in the documentation, between its two marks."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    made = "\n".join((MARKS[0], how, "", *table(judged, there), MARKS[1]))
    PAGE.write_text(before + made + after, encoding="utf-8")


def table(judged: Sequence[Judged], there: Mapping[str, int]) -> Iterator[str]:
    """One line per kind of trial."""
    rows = [HEADER, *(_row(kind, count, judged) for kind, count in there.items())]
    totals = [sum(int(row[place]) for row in rows[1:]) for place in range(1, len(HEADER))]
    rows.append(("all", *map(str, totals)))
    widths = [max(len(row[place]) for row in rows) for place in range(len(HEADER))]
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))]
        yield "| " + " | ".join(cells) + " |"
        if row is HEADER:
            yield (
                "|"
                + "|".join("-" * (w + 1) + (":" if place else "-") for place, w in enumerate(widths))
                + "|"
            )


def _wrong(judged: Sequence[Judged], seed: int) -> Iterator[str]:
    wrong = faults(judged)
    if wrong:
        yield ""
        counts = Counter(_sort(why) for one in wrong for why in one.why)
        yield from (f"{number:5}  {sort}" for sort, number in counts.most_common())
    for one in wrong:
        yield ""
        yield f"WRONG {one.name}"
        yield from (f"  {why}" for why in one.why)
        yield f"  ran:     {_short(one.command)}"
        if one.shown.strip():
            yield f"  printed: {_short(' / '.join(one.shown.strip().splitlines()[-3:]))}"
        yield f"  repeat:  python -m tests.hostile --seed {seed} --only {_quoted(one.name)}"


def faults(judged: Sequence[Judged]) -> list[Judged]:
    """What counts against the program: wrong and not accepted, or accepted and not wrong."""
    found = [one for one in judged if one.verdict is Verdict.WRONG and one.name not in ACCEPTED]
    for one in judged:
        if one.verdict is not Verdict.WRONG and one.name in ACCEPTED:
            why = (f"listed as an accepted limit, and now {one.verdict}: take it off the list",)
            found.append(Judged(one.name, one.kind, Verdict.WRONG, why, one.command))
    return found


def _row(kind: str, there: int, judged: Sequence[Judged]) -> tuple[str, ...]:
    mine = [one for one in judged if one.kind == kind]
    counts = Counter(one.verdict for one in mine)
    accepted = sum(one.verdict is Verdict.WRONG and one.name in ACCEPTED for one in mine)
    wrong = sum(one.kind == kind for one in faults(mine))
    numbers = (there, len(mine), counts[Verdict.REFUSED], counts[Verdict.ANSWERED], accepted, wrong)
    return (kind, *map(str, numbers))


def _sort(why: str) -> str:
    """Why, without its particulars, for counting."""
    return why.split(":")[0].split(" is in ")[0][:70]


def _short(text: str, most: int = 400) -> str:
    clean = "".join(c if c.isprintable() else "?" for c in text)
    return clean if len(clean) <= most else f"{clean[:most]}... ({len(text)} characters)"


def _quoted(name: str) -> str:
    return f"'{name}'" if set(name) & set(" ;&|<>()$*?'\"") else name
