"""The same tables in other spellings: whatever is understood, the risk may not come out lower."""

from __future__ import annotations

import csv
import io
import random
import unicodedata
from collections.abc import Callable, Sequence

from tests.hostile.clean import ASSESS, FILES, ORIGINAL, RELEASED, Row, Rows, text
from tests.hostile.trial import Command, Files, Trial, Twin

KIND = "the same table, spelled otherwise"

#: What a spelling makes of a table: its bytes.
Spelling = Callable[[Rows], bytes]


def cells(change: Callable[[str, str], str], delimiter: str = ",", quoted: bool = False) -> Spelling:
    """Every cell changed, given its column and its text."""

    def spell(rows: Rows) -> bytes:
        stream = io.StringIO()
        how = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
        writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n", quoting=how)
        writer.writerow(rows[0].keys())
        writer.writerows([change(name, str(value)) for name, value in row.items()] for row in rows)
        return stream.getvalue().encode()

    return spell


def column(name: str, change: Callable[[str], str]) -> Spelling:
    """The cells of one column changed."""
    return cells(lambda at, value: change(value) if at == name else value)


def header(change: Callable[[str], str]) -> Spelling:
    return lambda rows: text([{change(name): value for name, value in row.items()} for row in rows]).encode()


def lines(change: Callable[[list[str]], list[str]]) -> Spelling:
    return lambda rows: ("\n".join(change(text(rows).splitlines())) + "\n").encode()


def _reordered(rows: Rows) -> bytes:
    names = sorted(rows[0], reverse=True)
    return text([{name: row[name] for name in names} for row in rows]).encode()


def _more(rows: Rows, name: str, value: Callable[[int], object], first: bool = False) -> bytes:
    def with_more(i: int, row: Row) -> Row:
        return {name: value(i), **row} if first else {**row, name: value(i)}

    return text([with_more(i, row) for i, row in enumerate(rows)]).encode()


def _thousands(mark: str) -> Callable[[str], str]:
    return lambda value: f"{int(value):,}".replace(",", mark)


def _fullwidth(value: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if c.isdigit() else c for c in value)


SPELLINGS: dict[str, Spelling] = {
    "semicolons": lambda rows: text(rows, ";").encode(),
    "tabs": lambda rows: text(rows, "\t").encode(),
    "bars": lambda rows: text(rows, "|").encode(),
    "spaces-between": lambda rows: text(rows, " ").encode(),
    "windows-line-ends": lambda rows: text(rows, end="\r\n").encode(),
    "old-mac-line-ends": lambda rows: text(rows, end="\r").encode(),
    "mixed-line-ends": lambda rows: text(rows).replace("\n", "\r\n", 20).encode(),
    "byte-order-mark": lambda rows: text(rows).encode("utf-8-sig"),
    "two-byte-order-marks": lambda rows: b"\xef\xbb\xbf" + text(rows).encode("utf-8-sig"),
    "utf-16": lambda rows: text(rows).encode("utf-16"),
    "utf-16-without-mark": lambda rows: text(rows).encode("utf-16-le"),
    "utf-32": lambda rows: text(rows).encode("utf-32"),
    "latin-1": lambda rows: text(rows).encode("latin-1"),
    "dos-code-page": lambda rows: text(rows).encode("cp850"),
    "no-last-line-end": lambda rows: text(rows).rstrip("\n").encode(),
    "blank-lines-at-end": lambda rows: (text(rows) + "\n\n\n").encode(),
    "blank-lines-between": lambda rows: text(rows).replace("\n", "\n\n").encode(),
    "control-z-at-end": lambda rows: text(rows).encode() + b"\x1a",
    "nul-at-end": lambda rows: text(rows).encode() + b"\0" * 512,
    "quoted": cells(lambda _, value: value, quoted=True),
    "quoted-semicolons": cells(lambda _, value: value, ";", quoted=True),
    "apostrophes-around": cells(lambda _, value: f"'{value}'"),
    "spaces-before": cells(lambda _, value: f" {value}"),
    "spaces-after": cells(lambda _, value: f"{value}  "),
    "hard-spaces-after": cells(lambda _, value: f"{value}\u00a0"),
    "zero-width-spaces": column("town", lambda value: f"\u200b{value}"),
    "decomposed": cells(lambda _, value: unicodedata.normalize("NFD", value)),
    "compatibility-form": column("age", _fullwidth),
    "columns-reordered": _reordered,
    "a-column-of-row-numbers": lambda rows: _more(rows, "row", lambda i: i + 1, first=True),
    "a-column-without-name": lambda rows: _more(rows, "", lambda i: i, first=True),
    "a-column-of-nothing": lambda rows: _more(rows, "remarks", lambda _: ""),
    "a-constant-column": lambda rows: _more(rows, "survey", lambda _: "2024"),
    "a-trailing-delimiter": lines(lambda all_: [f"{line}," for line in all_]),
    "header-in-capitals": header(str.upper),
    "header-with-spaces": header(lambda name: f" {name} "),
    "header-with-prefix": header(lambda name: f"p_{name}"),
    "separator-line": lines(lambda all_: ["sep=,", *all_]),
    "title-line": lines(lambda all_: ["Survey of people 2024", *all_]),
    "comment-line": lines(lambda all_: ["# Survey of people 2024", *all_]),
    "header-twice": lines(lambda all_: [all_[0], *all_]),
    "header-again-in-the-middle": lines(lambda all_: [*all_[:30], all_[0], *all_[30:]]),
    "a-line-of-totals": lines(lambda all_: [*all_, "Total,3000,46260000,,,,"]),
    "a-line-of-units": lines(lambda all_: [all_[0], "-,years,EUR,-,-,-,-", *all_[1:]]),
    "numbers-with-point-zero": column("age", lambda value: f"{value}.0"),
    "numbers-with-plus": column("age", lambda value: f"+{value}"),
    "numbers-with-zeros": column("age", lambda value: value.zfill(4)),
    "numbers-with-units": column("age", lambda value: f"{value} years"),
    "numbers-in-euros": column("income", lambda value: f"€ {value}"),
    "numbers-in-scientific-form": column("income", lambda value: f"{int(value):.5e}"),
    "numbers-with-decimal-comma": cells(lambda at, v: f"{v},0" if at in ("age", "income") else v, ";"),
    "thousands-with-comma": column("income", _thousands(",")),
    "thousands-with-point": column("income", _thousands(".")),
    "thousands-with-space": column("income", _thousands(" ")),
    "thousands-with-hard-space": column("income", _thousands("\u00a0")),
    "thousands-with-thin-space": column("income", _thousands("\u202f")),
    "thousands-with-apostrophe": column("income", _thousands("'")),
    "dates-with-time": column("born", lambda value: f"{value}T00:00:00"),
    "dates-day-first": column("born", lambda value: "/".join(reversed(value.split("-")))),
    "dates-month-first": column("born", lambda v: f"{v[5:7]}/{v[8:]}/{v[:4]}"),
    "dates-with-points": column("born", lambda value: ".".join(reversed(value.split("-")))),
    "dates-without-marks": column("born", lambda value: value.replace("-", "")),
    "zip-without-zero": column("zip", lambda value: value.lstrip("0")),
    "zip-as-decimal": column("zip", lambda value: f"{int(value)}.0"),
    "zip-as-formula": column("zip", lambda value: f'="{value}"'),
    "town-in-capitals": column("town", str.upper),
    "town-with-space-after": column("town", lambda value: f"{value} "),
    "town-without-accent": column("town", lambda value: value.replace("é", "e")),
    "town-with-double-space": column("town", lambda value: value.replace("town", "to  wn")),
    "sex-in-words": column("sex", lambda value: {"f": "female", "m": "male"}[value]),
    "sex-in-capitals": column("sex", str.upper),
    "sex-as-number": column("sex", lambda value: {"f": "2", "m": "1"}[value]),
    "key-with-spaces": column("id", lambda value: f" {value}"),
    "key-in-lower-case": column("id", str.lower),
    "key-with-zeros": column("id", lambda value: f"{value[:2]}00{value[2:]}"),
}
#: These lose something: what the spelling does not tell cannot be found again.
LOSING = {"numbers-in-scientific-form": 0.05, "town-without-accent": 0.05}


def _trial(name: str, files: Files, tolerance: float = 0.0) -> Command:
    return Command(f"spelling/{name}", KIND, ASSESS, {**FILES, **files}, twin=Twin(FILES, ASSESS, tolerance))


def trials(seed: int) -> Sequence[Trial]:
    """Every spelling of the release, of the original and of both, and two spellings at once."""
    found: list[Command] = []
    tables = {"original.csv": ORIGINAL, "released.csv": RELEASED}
    for name, spell in SPELLINGS.items():
        lost = LOSING.get(name, 0.0)
        made = {file: spell(rows) for file, rows in tables.items()}
        found.append(_trial(f"{name}-released", {"released.csv": made["released.csv"]}, lost))
        found.append(_trial(f"{name}-original", {"original.csv": made["original.csv"]}, lost))
        found.append(_trial(f"{name}-both", made, lost))
    chance = random.Random(f"{seed} spellings")
    for number in range(60):
        one, other = chance.sample(sorted(SPELLINGS), 2)
        made = {"original.csv": SPELLINGS[one](ORIGINAL), "released.csv": SPELLINGS[other](RELEASED)}
        lost = max(LOSING.get(one, 0.0), LOSING.get(other, 0.0))
        found.append(_trial(f"mixed-{number}-{one}-and-{other}", made, lost))
    found += _decomposed()
    return found


def _decomposed() -> list[Command]:
    """A name with an accent, in one file as one character and in the other as two."""
    composed, apart = (
        header(lambda n, f=form: n.replace("town", unicodedata.normalize(f, "towné")))
        for form in ("NFC", "NFD")
    )
    plain = {"original.csv": composed(ORIGINAL), "released.csv": composed(RELEASED)}
    other = {"original.csv": apart(ORIGINAL), "released.csv": apart(RELEASED)}
    return [
        Command(
            f"spelling/header-decomposed-{file.partition('.')[0]}",
            KIND,
            ASSESS,
            {**plain, file: other[file]},
            twin=Twin(plain, ASSESS),
        )
        for file in plain
    ]
