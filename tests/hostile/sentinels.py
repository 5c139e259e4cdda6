"""Files whose values are unmistakable: everything that is printed and left behind is searched for them.

Only outputs that are asked to hold values may: masked files, and the files of the demo.
"""

from __future__ import annotations

import base64
import gzip
import io
import re
import shlex
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import polars as pl

from tests.hostile import made
from tests.hostile.bench import Bench
from tests.hostile.clean import FILES, ORIGINAL, RELEASED, frame
from tests.hostile.corruption import OTHERS
from tests.hostile.trial import OwnRules, Trial, content
from unmask.data.io.write import write

KIND = "values in outputs"

WORD = "Zqtowné"
#: Commands with all that they can write; the suffix of the files goes into the braces.
COMMANDS: dict[str, str] = {
    "assess": "assess original{0} released{0} --truth id --json risk.json --html risk.html"
    " --records records.csv --save-request saved.toml --verbose",
    "assess-rows": "assess original{0} released{0} --truth rows --json risk.json --html risk.html"
    " --records records.parquet",
    "assess-confidential": "assess original{0} released{0} --role income=confidential,town=confidential"
    " --json risk.json --html risk.html --records records.csv --verbose",
    "assess-named": "assess original{0} released{0} --known town,sex,income --block town --json risk.json"
    " --html risk.html --records records.csv",
    "assess-synthetic": "assess original{0} released{0} --synthetic --json risk.json --html risk.html",
    "knowledge": "knowledge original{0} released{0} --size 2 --json risk.json --html risk.html --verbose"
    " --save-request saved.toml",
    "check": "check original{0} released{0} --json risk.json -o out.toml",
    "describe": "describe original{0} -o out.toml",
    "describe-shown": "describe original{0}",
    "start": "start original{0} released{0} --yes --out made",
    "mask": "mask original{0} --mask noise:a=0.1 -o masked.csv --save-request saved.toml"
    " --write-schema out.toml",
    "mask-recoding": "mask original{0} --mask microaggregation:k=3 -o masked.parquet --keep-seed"
    " --write-schema out.toml",
    "ledger": "ledger add new.db released{0} --original original{0} --label first --note none",
    "ledger-assess": "ledger assess book.db original.csv second.csv --earlier released.csv --json risk.json"
    " --html risk.html --save-request saved.toml",
    "rerun": "rerun assessment.json",
    "report": "report assessment.json -o risk.html",
}
SUFFIXES = (".csv", ".parquet", ".xlsx", ".sav", ".dta", ".db", ".rds")
MAY_HOLD = frozenset({"masked.csv", "masked.parquet"})


@cache
def tables(suffix: str) -> dict[str, bytes]:
    """Original and release in a format."""
    if suffix == ".csv":
        return {name: held.encode() for name, held in FILES.items()}
    found = {}
    for name, rows in (("original", ORIGINAL), ("released", RELEASED)):
        table = frame(rows).with_columns(pl.col("born").cast(pl.String))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"{name}{suffix}"
            OTHERS.get(suffix, write)(table, path)
            found[path.name] = path.read_bytes()
    return found


@cache
def patterns() -> re.Pattern[bytes]:
    """Texts and numbers of the records, in the forms that a file may hold them in."""
    forms: set[bytes] = set()
    for word in (WORD, WORD.replace("é", "e"), "Zqtown", "ZQTOWN"):
        forms |= {word.encode(), word.encode("utf-16-le"), word.encode("latin-1"), _escaped(word)}
        forms |= {_base64(word.encode(), shift) for shift in range(3)}
    forms |= {str(row["id"]).encode() for row in ORIGINAL}
    numbers = {int(str(row["income"])) for row in (*ORIGINAL, *RELEASED)}
    for number in numbers:
        forms |= {struct.pack(code, number) for code in ("<d", "<q", "<i", ">d")}
    texts = [rb"(?<![\w.-])" + str(number).encode() + rb"(?:\.0)?(?![\w-])" for number in numbers]
    return re.compile(b"|".join([*map(re.escape, sorted(forms)), *texts]))


def _escaped(word: str) -> bytes:
    return word.encode("ascii", "backslashreplace")


def _base64(word: bytes, shift: int) -> bytes:
    """The middle of the word in base 64, which its neighbours do not change."""
    coded = base64.b64encode(b"\0" * shift + word)
    return coded[4 if shift else 0 : len(coded) // 4 * 4 - 4]


def opened(held: bytes) -> Iterator[bytes]:
    """The bytes, and what is packed in them."""
    yield held
    if held[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(held)) as archive:
            yield from (archive.read(name) for name in archive.namelist())
    elif held[:4] == b"PAR1":
        yield pl.read_parquet(held).write_json().encode()
    elif held[:2] == b"\x1f\x8b":
        yield gzip.decompress(held)
    elif held[:1] == b"\x78":
        yield zlib.decompressobj().decompress(held)


def leaks(found: Mapping[str, bytes | None]) -> Iterator[str]:
    """The files that hold a value of a record."""
    for name, held in found.items():
        if held is not None and any(patterns().search(one) for one in opened(held)):
            yield f"a record's value is in {name}"


@dataclass(frozen=True)
class Search(OwnRules):
    """A command on files of a format; ``killed``: ended half way, so that its unfinished parts are there."""

    kind = KIND

    command: str
    suffix: str
    killed: bool = False

    @property
    def name(self) -> str:
        return f"sentinel/{self.command}-{self.suffix[1:]}{'-killed' if self.killed else ''}"

    @property
    def shown(self) -> str:
        return f"unmask {self._text}"

    def wrongs(self, bench: Bench) -> Iterator[str]:
        return self._killed(bench) if self.killed else self._ran(bench)

    @property
    def _text(self) -> str:
        return COMMANDS[self.command].format(self.suffix)

    def _files(self) -> dict[str, bytes | str]:
        return {**FILES, **made.documents(), "made/.keep": "", **tables(self.suffix)}

    def _ran(self, bench: Bench) -> Iterator[str]:
        arguments = tuple(shlex.split(self._text))
        ran = bench.run(arguments, self._files(), {"UNMASK_STORE_AFTER": "0"})
        if ran.code != 0:
            yield f"ends with code {ran.code}: {ran.err.strip()[-300:]}"
        printed = {"stdout": ran.out.encode(), "stderr": ran.err.encode()}
        written = {name: held for name, held in ran.written.items() if name not in MAY_HOLD}
        yield from leaks({**printed, **written})
        yield from (f"leaves behind {one}" for one in ran.left)

    def _killed(self, bench: Bench) -> Iterator[str]:
        """Killed as soon as parts are on the disk; what is in the folders for them is searched."""
        bench.folder(self._files())
        process = subprocess.Popen(
            [sys.executable, "-c", "from unmask.cli import main; main()", *shlex.split(self._text)],
            cwd=bench.work,
            env=bench.environment | {"UNMASK_STORE_AFTER": "0"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while process.poll() is None and len(list(bench.cache.glob("unfinished/*/*.part"))) < 4:
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.wait()
        places = {"temporary": bench.temporary, "unfinished": bench.cache / "unfinished"}
        for where, folder in places.items():
            yield from leaks({f"{where}/{name}": held for name, held in content(folder).items()})
        before = self._files()
        new = {name: held for name, held in content(bench.work).items() if name not in before}
        yield from leaks({name: held for name, held in new.items() if name not in MAY_HOLD})
        bench.clear()


def trials(seed: int) -> Sequence[Trial]:
    """Every command on files of every format, and assessments that are killed half way."""
    found: list[Search] = []
    for command, text in COMMANDS.items():
        found += [Search(command, suffix) for suffix in (SUFFIXES if "{0}" in text else SUFFIXES[:1])]
        if command.startswith("assess"):
            found += [Search(command, suffix, killed=True) for suffix in SUFFIXES[:2]]
    return found
