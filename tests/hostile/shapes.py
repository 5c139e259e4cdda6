"""Tables of shapes that nobody expects: torn, empty, narrow, wide, constant, huge, nested."""

from __future__ import annotations

import gzip
import io
import random
import zipfile
from collections.abc import Sequence
from datetime import date, timedelta

import polars as pl

from tests.hostile.clean import FILES, ORIGINAL, QUICK, frame, parquet
from tests.hostile.trial import Command, Files, Special, Trial

KIND = "tables of odd shapes"

HEAD, *LINES = FILES["original.csv"].splitlines()


def _lines(*lines: str) -> str:
    return "\n".join(lines) + "\n"


def _torn(chance: random.Random) -> dict[str, str | bytes | Special]:
    """Delimited text that is not a table, or hardly."""
    place, whole = chance.randrange(1, 50), FILES["original.csv"]
    noise = bytes(chance.randrange(256) for _ in range(5000))
    return {
        "cell-too-many": _lines(HEAD, *LINES[:place], LINES[place] + ",9", *LINES[place + 1 :]),
        "cell-too-few": _lines(HEAD, *LINES[:place], LINES[place].rpartition(",")[0], *LINES[place + 1 :]),
        "every-row-longer": _lines(HEAD, *(line + ",1" for line in LINES)),
        "every-row-shorter": _lines(HEAD, *(line.rpartition(",")[0] for line in LINES)),
        "header-alone": HEAD + "\n",
        "header-without-line-end": HEAD,
        "nothing": "",
        "one-line-end": "\n",
        "one-byte": "x",
        "blanks": "  \n\t\n",
        "delimiters-alone": ",,,,,,\n" * 20,
        "header-of-blanks": _lines(" ,  ,   ,    ,     ,      , ", *LINES),
        "same-header-twice": whole.replace("income", "age", 1),
        "headers-that-differ-in-case": whole.replace("income", "AGE", 1),
        "headers-that-differ-in-spaces": whole.replace("income", " age ", 1),
        "headers-that-differ-in-form": whole.replace("age", "caf\u00e9", 1).replace(
            "income", "cafe\u0301", 1
        ),
        "no-header": _lines(*LINES),
        "numbers-as-header": _lines("1,2,3,4,5,6,7", *LINES),
        "header-with-control-characters": whole.replace("income", "in\x1b[31mco\x07me", 1),
        "header-that-turns": whole.replace("income", "\u202eemocni", 1),
        "header-with-line-end": whole.replace("income", '"in\ncome"', 1),
        "header-with-quotes": whole.replace("income", '"in""come"', 1),
        "header-of-markup": whole.replace("income", "<script>alert(1)</script>[bold]", 1),
        "header-of-template": whole.replace("income", "{{ 7*7 }}${x}%s%n", 1),
        "header-of-option": whole.replace("income", "--seed", 1),
        "header-with-equals": whole.replace("income", "in=come", 1),
        "header-of-dots": whole.replace("income", "a.b[0].c", 1),
        "header-of-words-for-nothing": whole.replace("income", "null", 1),
        "header-of-own-words": whole.replace("income", "row", 1).replace("age", "attack", 1),
        "header-long": whole.replace("income", "i" * 100_000, 1),
        "header-surrogate": whole.encode().replace(b"income", b"in\xed\xa0\x80come", 1),
        "open-quote-at-start": '"' + whole,
        "open-quote-in-last-cell": whole.rstrip("\n") + '"',
        "open-quote-in-the-middle": whole.replace(",f,", ',"f,', 1),
        "nuls-between": whole.replace(",", ",\0"),
        "nul-in-header": whole.replace("age", "a\0ge", 1),
        "invalid-utf-8": whole.encode().replace(b"town", b"to\xffwn", 3),
        "utf-8-cut-in-a-character": whole.encode()[: whole.encode().rindex("é".encode()) + 1],
        "noise": noise,
        "text-of-noise": noise.decode("latin-1"),
        "huge-cell": whole.replace(",f,", "," + "f" * 5_000_000 + ",", 1),
        "huge-quoted-cell": whole.replace(",f,", ',"' + "f\n" * 2_000_000 + '",', 1),
        "one-line-of-everything": whole.replace("\n", ","),
        "html": "<!doctype html><html><body><table><tr><td>age</td></tr></table></body></html>\n",
        "json": '[{"age": 1}, {"age": 2}]\n',
        "parquet-called-csv": parquet(frame(ORIGINAL)),
        "zip-called-csv": b"PK\x03\x04" + noise,
        "gzip-called-csv": gzip.compress(whole.encode()),
        "fifo": Special.FIFO,
        "folder": Special.FOLDER,
        "link-to-itself": Special.LOOP,
        "no-permission": Special.SECRET,
    }


def _odd(chance: random.Random) -> dict[str, pl.DataFrame]:
    """Tables that are well formed, and odd."""
    n = 40
    number = [chance.gauss(0, 1) for _ in range(n)]
    days = [date(1990, 1, 1) + timedelta(days=chance.randrange(9000)) for _ in range(n)]
    word = [chance.choice("abc") for _ in range(n)]
    nothing = pl.Series("a", [None] * n, dtype=pl.Float64)
    return {
        "one-row": frame(ORIGINAL[:1]),
        "two-rows": frame(ORIGINAL[:2]),
        "three-rows": frame(ORIGINAL[:3]),
        "one-number": pl.DataFrame({"a": number}),
        "one-word": pl.DataFrame({"a": word}),
        "one-date": pl.DataFrame({"a": days}),
        "one-cell": pl.DataFrame({"a": [1]}),
        "all-missing": pl.DataFrame([nothing, nothing.alias("b")]),
        "one-column-missing": pl.DataFrame([nothing, pl.Series("b", number)]),
        "all-missing-but-one": pl.DataFrame({"a": [None] * (n - 1) + [1.5], "b": number}),
        "constant": pl.DataFrame({"a": [1.0] * n, "b": ["x"] * n}),
        "constant-and-one": pl.DataFrame({"a": [1.0] * (n - 1) + [2.0], "b": word}),
        "one-number-repeated": pl.DataFrame({"a": [1] * n, "b": number}),
        "not-finite": pl.DataFrame({"a": [float("inf"), float("-inf"), float("nan")] * 10, "b": number[:30]}),
        "all-nan": pl.DataFrame({"a": [float("nan")] * n, "b": number}),
        "huge-numbers": pl.DataFrame({"a": [x * 1e307 for x in number], "b": number}),
        "tiny-numbers": pl.DataFrame({"a": [x * 1e-308 for x in number], "b": number}),
        "huge-and-tiny": pl.DataFrame({"a": [1e308, 1e-308] * (n // 2), "b": number}),
        "beyond-2-to-53": pl.DataFrame({"a": [2**53 + i for i in range(n)], "b": number}),
        "near-int64": pl.DataFrame({"a": [2**63 - 1 - i for i in range(n)], "b": number}),
        "unsigned": pl.DataFrame({"a": pl.Series([2**64 - 1 - i for i in range(n)], dtype=pl.UInt64)}),
        "duplicates": pl.concat([frame(ORIGINAL[:5])] * 8),
        "nearly-equal": pl.DataFrame({"a": [1 + i * 1e-16 for i in range(n)], "b": number}),
        "wide": pl.DataFrame({f"c{i}": [chance.random() for _ in range(5)] for i in range(600)}),
        "all-distinct-words": pl.DataFrame(
            {"a": [f"w{i}x" for i in range(n)], "b": [f"v{i}y" for i in range(n)]}
        ),
        "booleans": pl.DataFrame({"a": [bool(i % 2) for i in range(n)], "b": number}),
        "old-dates": pl.DataFrame({"a": [date(1, 1, 1), date(9999, 12, 31)] * (n // 2), "b": number}),
        "texts-of-blanks": pl.DataFrame({"a": [" " * (i % 3) for i in range(n)], "b": number}),
        "texts-of-numbers": pl.DataFrame({"a": [f"{x:.3f}" for x in number], "b": number}),
        "mixed-numbers-and-words": pl.DataFrame({"a": [str(i) if i % 2 else "abc"[i % 3] for i in range(n)]}),
        "negative-weights": pl.DataFrame({"weight": [-1.0] * n, "a": number, "b": word}),
        "own-names": pl.DataFrame({"*": number, "id": word, "rows": number, "None": word}),
    }


def _types(chance: random.Random) -> dict[str, pl.DataFrame]:
    """Types that only some formats hold."""
    n = 12
    return {
        "lists": pl.DataFrame({"a": [[i] for i in range(n)], "b": list(range(n))}),
        "structs": pl.DataFrame({"a": [{"x": i} for i in range(n)], "b": list(range(n))}),
        "binary": pl.DataFrame({"a": [bytes([i]) for i in range(n)], "b": list(range(n))}),
        "durations": pl.DataFrame({"a": [timedelta(days=i) for i in range(n)], "b": list(range(n))}),
        "times": pl.DataFrame({"a": pl.Series(range(n)).cast(pl.Time), "b": list(range(n))}),
        "decimals": pl.DataFrame({"a": pl.Series([f"{i}.10" for i in range(n)]).cast(pl.Decimal(38, 10))}),
        "nulls": pl.DataFrame({"a": [None] * n, "b": list(range(n))}),
        "no-columns": pl.DataFrame(),
        "no-rows": pl.DataFrame({"a": []}, schema={"a": pl.Float64}),
        "enum": pl.DataFrame({"a": pl.Series(["x", "y"] * (n // 2), dtype=pl.Enum(["y", "x", "z"]))}),
        "empty-name": pl.DataFrame({"": list(range(n)), "b": list(range(n))}),
        "control-name": pl.DataFrame({"a\x1b[2Jb\n": list(range(n)), "b": [x % 3 for x in range(n)]}),
    }


def _packed() -> dict[str, tuple[str, bytes]]:
    """Archives: of nothing, of much, of several things, of the wrong thing."""

    def archive(**members: bytes) -> bytes:
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
            for name, held in members.items():
                made.writestr(name.replace("_", "."), held)
        return stream.getvalue()

    csv = FILES["original.csv"].encode()
    rows = b"1,2\n" * 2_500_000
    bomb = gzip.compress(b"a,b\n") + gzip.compress(rows, 1) * 100
    return {
        "gzip-of-nothing": ("csv.gz", gzip.compress(b"")),
        "gzip-cut": ("csv.gz", gzip.compress(csv)[:-12]),
        "gzip-with-rubbish-after": ("csv.gz", gzip.compress(csv) + b"rubbish"),
        "gzip-in-two-parts": ("csv.gz", gzip.compress(csv[:900]) + gzip.compress(csv[900:])),
        "gzip-of-gzip": ("csv.gz", gzip.compress(gzip.compress(csv))),
        "text-called-gzip": ("csv.gz", csv),
        "gzip-bomb": ("csv.gz", bomb),
        "zip-of-nothing": ("csv.zip", archive()),
        "zip-of-two": ("csv.zip", archive(a_csv=csv, b_csv=csv)),
        "zip-of-no-table": ("csv.zip", archive(a_docx=csv)),
        "text-called-zip": ("csv.zip", csv),
        "zip-bomb": ("csv.zip", archive(a_csv=b"a,b\n" + rows * 20)),
    }


def _verbs(name: str, file: str, files: Files, heavy: bool) -> list[Command]:
    both = ("assess", file, file, "--truth", "rows", "--json", "risk.json")
    commands = {
        "describe": ("describe", file, "-o", "out.toml"),
        "assess": (*both, *QUICK) if heavy else both,
        "check": ("check", file, file, "--json", "out.json"),
        "mask": ("mask", file, "--mask", "noise:a=0.1", "-o", f"masked.{file.partition('.')[2]}"),
    }
    holds = frozenset(name for name in ("masked.csv", "masked.parquet", "masked.csv.gz"))
    return [
        Command(f"shape/{name}-{verb}", KIND, arguments, {**FILES, **files}, may_hold=holds)
        for verb, arguments in commands.items()
    ]


def trials(seed: int) -> Sequence[Trial]:
    """Every odd file, described, checked, masked and assessed against itself."""
    chance = random.Random(f"{seed} shapes")
    found: list[Command] = []
    for name, made in _torn(chance).items():
        found += _verbs(name, "odd.csv", {"odd.csv": made}, heavy=True)
    for name, table in _odd(chance).items():
        found += _verbs(name, "odd.csv", {"odd.csv": table.write_csv()}, heavy=table.width > 100)
        found += _verbs(f"{name}-parquet", "odd.parquet", {"odd.parquet": parquet(table)}, heavy=True)
    for name, table in _types(chance).items():
        found += _verbs(name, "odd.parquet", {"odd.parquet": parquet(table)}, heavy=False)
    for name, (suffix, held) in _packed().items():
        found += _verbs(name, f"odd.{suffix}", {f"odd.{suffix}": held}, heavy=True)[:2]
    return found
